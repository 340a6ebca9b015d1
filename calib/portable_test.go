package calib

import (
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"github.com/rfpragma/rfpragma/internal/race"
)

// The bits of fitted sigmoids, and of probabilities, which every machine must give.
// The values are those of this package itself; [TestMethodsAgreeWithR] says that they are right.
func TestSigmoidBits(t *testing.T) {
	score, hit := manyRows(3000)
	weight := make([]float64, len(score))
	for i := range weight {
		weight[i] = 0.1 * float64(1+i%7)
	}
	for _, tc := range []struct {
		method  Method
		a, b, p uint64
	}{
		{PlattLogit, 0xbff0426641b68eb7, 0xbf5eb086e7549714, 0x3e74b5bb4f0cc196},
		{PlattRaw, 0xc015277db7274ed6, 0x4005263040658186, 0x3fb0fe643288b830},
	} {
		m := mustFit(t, tc.method, score, hit, weight).(Sigmoid)
		a, b, p := math.Float64bits(m.A), math.Float64bits(m.B), math.Float64bits(m.Prob(1e-7))
		if a != tc.a || b != tc.b || p != tc.p {
			t.Errorf("%s: a, b and the probability at 1e-7 are %#x, %#x, %#x (%v), want %#x, %#x, %#x", tc.method, a, b, p, m,
				tc.a, tc.b, tc.p)
		}
	}
	sum, r := uint64(14695981039346656037), rand.New(rand.NewPCG(8, 2)) // mixed as in FNV-1a, word by word
	for range 500 {
		score, hit, weight := problem(r)
		for _, method := range []Method{PlattLogit, PlattRaw} {
			m := mustFit(t, method, score, hit, weight).(Sigmoid)
			for _, v := range []float64{m.A, m.B, m.Prob(0.001), m.Prob(0.3), m.Prob(0.99)} {
				sum = (sum ^ math.Float64bits(v)) * 1099511628211
			}
		}
	}
	if want := uint64(0xba210ae7cbd67246); sum != want {
		t.Errorf("the bits of 1000 fits sum up to %#x, want %#x", sum, want)
	}
}

// The same again in a process that does as if the processor had no fused multiply-add, which
// the standard library asks for in its assembly.
func TestBitsWithoutFMA(t *testing.T) {
	race.SkipFigures(t)
	child := exec.Command(os.Args[0], "-test.run=^Test(Sigmoid|Set)Bits$", "-test.v")
	child.Env = append(os.Environ(), "GODEBUG=cpu.fma=off")
	if out, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The bits of all other maps, of two classes and of more, and of what Auto picks.
func TestSetBits(t *testing.T) {
	sum, r := uint64(14695981039346656037), rand.New(rand.NewPCG(9, 2))
	mix := func(v float64) { sum = (sum ^ math.Float64bits(v)) * 1099511628211 }
	for i := range 12 {
		rows := classProblem(r, 2+i%4)
		for i := range rows.Weight {
			rows.Weight[i] *= 0.1
		}
		for _, method := range allMethods() {
			set := refit(t, method, rows)
			for i := range rows.Truth {
				for _, p := range rows.ofRow(set, i) {
					mix(p)
				}
			}
		}
		dst := make([]float64, rows.K)
		if err := ChangePriors(dst, rows.Share[:rows.K], rows.Share[rows.K:2*rows.K],
			rows.Share[2*rows.K:3*rows.K]); err != nil {
			t.Fatal(err)
		}
		for _, p := range dst {
			mix(p)
		}
	}
	if want := uint64(0x50098aec7dffd01e); sum != want {
		t.Errorf("the bits of all maps sum up to %#x, want %#x", sum, want)
	}
}
