package calib

import (
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"github.com/rfpragma/rfpragma/internal/race"
)

// The bits of all figures and tables that judge probabilities; [TestReportAgreesWithR] and
// others say that they are right.
func TestPortableJudging(t *testing.T) {
	sum, r := uint64(14695981039346656037), rand.New(rand.NewPCG(8, 3))
	mix := func(values ...float64) {
		for _, v := range values {
			if math.IsNaN(v) {
				v = -1 // the bits of a NaN are not the same everywhere
			}
			sum = (sum ^ math.Float64bits(v)) * 1099511628211
		}
	}
	for range 500 {
		prob, hit, weight := draw(r)
		for i := range weight {
			weight[i] *= 0.1
		}
		s := mustSample(t, prob, hit, weight, nil)
		j := judgeAll(t, s)
		_, j.Report.AUCSE = s.AUC()
		mix(figures(j.Report)...)
		for _, table := range [][]Bin{j.Uniform, j.Quantile, j.Distinct, j.Curve} {
			for _, b := range table {
				mix(b.Low, b.High, b.Count, b.Rows, b.Mean, b.Share, b.ShareLow, b.ShareHigh, b.Within)
			}
		}
		for _, b := range j.Benefit {
			mix(b.Model, b.All, b.Decided)
		}
		for _, p := range j.Consistency.Points {
			mix(p.Prob, p.Low, p.High)
		}
		mix(j.Consistency.PValue, Pinball(prob, weight, weight, .3))
	}
	if want := uint64(0x48acefc1f3b8cc4e); sum != want {
		t.Errorf("the bits sum up to %#x, want %#x", sum, want)
	}
}

// The same again in a process that does as if the processor had no fused multiply-add.
func TestJudgingWithoutFMA(t *testing.T) {
	race.SkipFigures(t)
	child := exec.Command(os.Args[0], "-test.run=^TestPortableJudging$", "-test.v")
	child.Env = append(os.Environ(), "GODEBUG=cpu.fma=off")
	if out, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
