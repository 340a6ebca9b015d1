package calib

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rfpragma/rfpragma/internal/race"
)

// judgement is all that is said of a sample.
type judgement struct {
	Report                             Report
	Uniform, Quantile, Distinct, Curve []Bin
	Benefit                            []Benefit
	Consistency                        Consistency
}

func judgeAll(t testing.TB, s *Sample) judgement {
	t.Helper()
	benefit, err := s.NetBenefit([]float64{0, .01, .25, .5, .99})
	if err != nil {
		t.Fatal(err)
	}
	consistency, err := s.Consistency(t.Context(), .9, 20, 7)
	if err != nil {
		t.Fatal(err)
	}
	return judgement{s.Report(), s.Reliability(7), s.Quantiles(5), s.Values(), s.Curve(), benefit, consistency}
}

// draw returns random rows with many ties, probabilities of 0 and 1, and whole weights.
func draw(r *rand.Rand) (prob []float64, hit []bool, weight []float64) {
	n, steps := 1+r.IntN(60), float64(1+r.IntN(30))
	for range n {
		p := r.Float64()
		if r.IntN(4) > 0 {
			p = math.Round(p*steps) / steps
		}
		prob = append(prob, p)
		hit = append(hit, r.Float64() < p*p)
		weight = append(weight, float64(1+r.IntN(3)))
	}
	return prob, hit, weight
}

func overSamples(t *testing.T, law func(t *testing.T, r *rand.Rand, prob []float64, hit []bool, weight []float64)) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		prob, hit, weight := draw(r)
		law(t, r, prob, hit, weight)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// Order, summing up, and rows of weight 0 change no bit, also where weights are not whole.
func TestJudgingOfRowsSummedUp(t *testing.T) {
	race.SkipFigures(t)
	overSamples(t, func(t *testing.T, r *rand.Rand, prob []float64, hit []bool, weight []float64) {
		for i := range weight {
			weight[i] *= r.Float64() + .1
		}
		want := judgeAll(t, mustSample(t, prob, hit, weight, nil))
		var p, w, square []float64
		var h []bool
		for _, i := range r.Perm(len(prob)) {
			p, h, w, square = append(p, prob[i]), append(h, hit[i]), append(w, weight[i]), append(square, weight[i]*weight[i])
			if r.IntN(3) == 0 {
				p, h, w, square = append(p, nan), append(h, true), append(w, 0), append(square, nan)
			}
		}
		if d := cmp.Diff(want, judgeAll(t, mustSample(t, p, h, w, square)), cmpopts.EquateNaNs()); d != "" {
			t.Error(d)
		}
	})
}

// A row of weight 2 is one given twice, to the last bit. Where the weights are said to be
// numbers of rows, so are the effective numbers of rows, and what depends on them.
func TestJudgingWeightIsRepetition(t *testing.T) {
	race.SkipFigures(t)
	overSamples(t, func(t *testing.T, _ *rand.Rand, prob []float64, hit []bool, weight []float64) {
		var p []float64
		var h []bool
		for i := range prob {
			for range int(weight[i]) {
				p, h = append(p, prob[i]), append(h, hit[i])
			}
		}
		want := judgeAll(t, mustSample(t, p, h, nil, nil))
		if d := cmp.Diff(want, judgeAll(t, mustSample(t, prob, hit, weight, weight)), cmpopts.EquateNaNs()); d != "" {
			t.Error(d)
		}
		weighted := judgeAll(t, mustSample(t, prob, hit, weight, nil))
		rowsAside := cmp.Options{
			cmpopts.EquateNaNs(),
			cmpopts.IgnoreFields(judgement{}, "Consistency"),
			cmpopts.IgnoreFields(Report{}, "Rows", "Z", "Intercept.SE", "Slope.SE", "BrierSE", "LogLossSE", "AUCSE"),
			cmpopts.IgnoreFields(Bin{}, "Rows", "ShareLow", "ShareHigh"),
		}
		if d := cmp.Diff(want, weighted, rowsAside); d != "" {
			t.Error(d)
		}
		if weighted.Report.Rows > want.Report.Rows*(1+1e-15) {
			t.Errorf("%g rows of weights say more than %g", weighted.Report.Rows, want.Report.Rows)
		}
	})
}

// The unit of the weights changes nothing but weights; if it is a power of 2 no bit.
func TestJudgingUnitOfWeights(t *testing.T) {
	race.SkipFigures(t)
	overSamples(t, func(t *testing.T, _ *rand.Rand, prob []float64, hit []bool, weight []float64) {
		want := judgeAll(t, mustSample(t, prob, hit, weight, nil))
		for _, exponent := range []int{-1000, 9} {
			scaled := make([]float64, len(weight))
			for i, w := range weight {
				scaled[i] = math.Ldexp(w, exponent)
			}
			got := judgeAll(t, mustSample(t, prob, hit, scaled, nil))
			back := cmp.FilterPath(func(p cmp.Path) bool {
				last := p.Last().String()
				return last == ".Weight" || last == ".Count" || last == ".Excluded"
			}, cmp.Comparer(func(a, b float64) bool { return math.Ldexp(a, exponent) == b || math.Ldexp(b, exponent) == a }))
			if d := cmp.Diff(want, got, back, cmpopts.EquateNaNs()); d != "" {
				t.Error(d)
			}
		}
	})
}

// What is worked out in the plain way, over rows and pairs of rows.
func TestJudgingAgainstPlainSums(t *testing.T) {
	overSamples(t, func(t *testing.T, _ *rand.Rand, prob []float64, hit []bool, weight []float64) {
		s := mustSample(t, prob, hit, weight, nil)
		r := s.Report()
		both, truth := make([]float64, 0, 2*len(prob)), make([]int, len(prob))
		won, tied, pairs, precision, hits := 0.0, 0.0, 0.0, 0.0, 0.0
		for i, p := range prob {
			both = append(both, 1-p, p)
			if !hit[i] {
				continue
			}
			truth[i] = 1
			above, all := 0.0, 0.0
			for j, q := range prob {
				w := weight[i] * weight[j]
				if q >= p {
					all += weight[j]
					if hit[j] {
						above += weight[j]
					}
				}
				if hit[j] {
					continue
				}
				pairs += w
				if q < p {
					won += w
				} else if q == p {
					won += w / 2
					tied += w
				}
			}
			precision += weight[i] * above / all
			hits += weight[i]
		}
		for _, f := range []struct {
			name      string
			got, want float64
		}{
			{"Brier", r.Brier.Score, Brier(both, truth, weight, 2)},
			{"log loss", r.LogLoss.Score, LogLoss(both, truth, weight, 2)},
			{"AUC", r.AUC, won / pairs}, {"tied pairs", r.TiedPairs, tied / pairs},
			{"average precision", r.AveragePrecision, precision / hits},
		} {
			if !near(f.got, f.want, 1e-13) && !(math.IsNaN(f.got) && math.IsNaN(f.want)) {
				t.Errorf("%s is %.17g, want %.17g", f.name, f.got, f.want)
			}
		}
	})
}

// The parts add up to the score; MCB and DSC are not negative; on the curve that PAV makes,
// Murphy's parts are those of CORP; PAV's own probabilities have no MCB and the same DSC.
func TestPartsAddUp(t *testing.T) {
	overSamples(t, func(t *testing.T, _ *rand.Rand, prob []float64, hit []bool, weight []float64) {
		s := mustSample(t, prob, hit, weight, nil)
		r := s.Report()
		for name, c := range map[string]CORP{"Brier": r.Brier, "log loss": r.LogLoss} {
			if c.MCB < 0 || c.DSC < 0 || !near(c.MCB-c.DSC+c.UNC, c.Score, 1e-14) {
				t.Errorf("%s: %+v", name, c)
			}
		}
		curve := s.Curve()
		for name, table := range map[string][]Bin{"uniform": s.Reliability(4), "quantiles": s.Quantiles(4),
			"values": s.Values(), "curve": curve} {
			m := Decompose(table)
			if !near(m.Reliability-m.Resolution+m.Uncertainty+m.Within, r.Brier.Score, 1e-14) {
				t.Errorf("%s: %+v, Brier score %.17g", name, m, r.Brier.Score)
			}
			if name == "curve" && (!near(m.Resolution, r.Brier.DSC, 1e-14) || !near(m.Reliability+m.Within, r.Brier.MCB,
				1e-14)) {
				t.Errorf("curve: %+v, %+v", m, r.Brier)
			}
			if name == "values" && m != r.Murphy {
				t.Errorf("values: %+v, %+v", m, r.Murphy)
			}
		}
		fitted := make([]float64, len(prob))
		for i, p := range prob {
			b := slices.IndexFunc(curve, func(b Bin) bool { return p <= b.High })
			fitted[i] = curve[b].Share
			if p < curve[b].Low || (b > 0 && curve[b].Share <= curve[b-1].Share) {
				t.Errorf("curve at %g: %+v", p, curve[b])
			}
		}
		again := mustSample(t, fitted, hit, weight, nil).Report()
		if again.Brier.MCB > 1e-15 || again.LogLoss.MCB > 1e-14 || !near(again.Brier.DSC, r.Brier.DSC, 1e-14) ||
			!near(again.LogLoss.DSC, r.LogLoss.DSC, 1e-14) {
			t.Errorf("recalibrated: %+v and %+v, were %+v and %+v", again.Brier, again.LogLoss, r.Brier, r.LogLoss)
		}
		if again.AUC < r.AUC-1e-15 || again.Distinct > r.Distinct {
			t.Errorf("recalibrated: AUC %g of %d, was %g of %d", again.AUC, again.Distinct, r.AUC, r.Distinct)
		}
	})
}

// A strictly increasing transform changes no ranking, and so no figure of it.
func TestRankingIsInvariant(t *testing.T) {
	overSamples(t, func(t *testing.T, _ *rand.Rand, prob []float64, hit []bool, weight []float64) {
		moved := make([]float64, len(prob))
		for i, p := range prob {
			moved[i] = (p + p*p*p) / 5
		}
		a, b := mustSample(t, prob, hit, weight, nil).Report(), mustSample(t, moved, hit, weight, nil).Report()
		type ranking struct{ auc, tied, precision, dsc, logDSC float64 }
		x := ranking{a.AUC, a.TiedPairs, a.AveragePrecision, a.Brier.DSC, a.LogLoss.DSC}
		y := ranking{b.AUC, b.TiedPairs, b.AveragePrecision, b.Brier.DSC, b.LogLoss.DSC}
		if d := cmp.Diff(x, y, cmp.AllowUnexported(x), cmpopts.EquateNaNs()); d != "" || a.Distinct != b.Distinct {
			t.Error(d)
		}
	})
}

// The scores and the pinball loss do not depend on the order of the rows, nor on whether a row
// is given twice or with weight 2, to the last bit.
func TestScoresOfRowsInAnyOrder(t *testing.T) {
	overSamples(t, func(t *testing.T, r *rand.Rand, prob []float64, hit []bool, weight []float64) {
		scores := func(rows []int, weight []float64) [3]float64 {
			var p, both, w []float64
			var truth []int
			for j, i := range rows {
				p, both, truth, w = append(p, prob[i]), append(both, 1-prob[i], prob[i]), append(truth, 0), append(w, weight[i])
				if hit[i] {
					truth[j] = 1
				}
			}
			return [3]float64{Brier(both, truth, w, 2), LogLoss(both, truth, w, 2), Pinball(w, p, w, .3)}
		}
		double := make([]float64, len(weight))
		for i := range weight {
			weight[i] *= r.Float64() + .1
			double[i] = 2 * weight[i]
		}
		rows := r.Perm(len(prob))
		want := scores(rows, weight)
		if got := scores(r.Perm(len(prob)), weight); got != want {
			t.Errorf("in another order: %v, %v", got, want)
		}
		twice := append(slices.Clone(rows), rows...)
		if got := scores(twice, weight); got[0] != want[0] || got[1] != want[1] {
			t.Errorf("twice: %v, %v", got, want)
		}
		if got := scores(rows, double); got[0] != want[0] || got[1] != want[1] {
			t.Errorf("of double weight: %v, %v", got, want)
		}
	})
}

// If the log odds of the probabilities are made β times as large and moved by α, the slope is
// divided by β, and with β = 1 the intercept falls by α. At the intercept, the probabilities
// sum to the hits.
func TestCoxFollowsTheLogOdds(t *testing.T) {
	slopes := 0
	overSamples(t, func(t *testing.T, r *rand.Rand, prob []float64, hit []bool, weight []float64) {
		inside, moved, shifted := make([]float64, len(prob)), make([]float64, len(prob)), make([]float64, len(prob))
		alpha, beta := 2*r.NormFloat64(), .2+2*r.Float64()
		for i, p := range prob {
			inside[i] = .02 + .96*p
			x := math.Log(inside[i] / (1 - inside[i]))
			moved[i], shifted[i] = 1/(1+math.Exp(-alpha-beta*x)), 1/(1+math.Exp(-alpha-x))
		}
		a := mustSample(t, inside, hit, weight, nil).Report()
		b, c := mustSample(t, moved, hit, weight, nil).Report(), mustSample(t, shifted, hit, weight, nil).Report()
		if !math.IsNaN(a.Slope.Value) {
			slopes++
			if !near(b.Slope.Value*beta, a.Slope.Value, 1e-7) || !near(b.Slope.SE*beta, a.Slope.SE, 1e-6) {
				t.Errorf("slope %v became %v, for %g", a.Slope, b.Slope, beta)
			}
		}
		if math.IsNaN(a.Slope.Value) != math.IsNaN(b.Slope.Value) {
			t.Errorf("slope %v became %v", a.Slope, b.Slope)
		}
		if math.IsNaN(a.Intercept.Value) {
			return
		}
		if !near(c.Intercept.Value+alpha, a.Intercept.Value, 1e-12) {
			t.Errorf("intercept %v became %v, for %g", a.Intercept, c.Intercept, alpha)
		}
		sum := 0.0
		for i, p := range inside {
			sum += weight[i] / (1 + math.Exp(-a.Intercept.Value)*(1-p)/p)
		}
		if !near(sum, a.Share*a.Weight, 1e-12) {
			t.Errorf("at the intercept, the probabilities sum to %g, hits to %g", sum, a.Share*a.Weight)
		}
	})
	if slopes < 200 {
		t.Errorf("only %d slopes", slopes)
	}
}

// The two classes change places: p and 1 − p, for probabilities that have an exact complement.
func TestJudgingIsSymmetric(t *testing.T) {
	overSamples(t, func(t *testing.T, _ *rand.Rand, prob []float64, hit []bool, weight []float64) {
		p, q, other := make([]float64, len(prob)), make([]float64, len(prob)), make([]bool, len(prob))
		for i := range prob {
			p[i] = (1 + math.Round(prob[i]*62)) / 64
			q[i], other[i] = 1-p[i], !hit[i]
		}
		a, b := mustSample(t, p, hit, weight, nil).Report(), mustSample(t, q, other, weight, nil).Report()
		b.Mean, b.Share, b.Intercept.Value = 1-b.Mean, 1-b.Share, -b.Intercept.Value
		b.AveragePrecision, b.ECE = a.AveragePrecision, a.ECE // not symmetric: of hits, and of bins that are open above
		x, y := figures(a), figures(b)
		for i := range x {
			if !near(x[i], y[i], 1e-9) && !(math.IsNaN(x[i]) && math.IsNaN(y[i])) {
				t.Errorf("figure %d is %.17g, and %.17g of the other class", i, x[i], y[i])
			}
		}
	})
}

// Each of these says "not calibrated" of calibrated probabilities in about 5 % of the samples.
// Of 1000 samples, between 3 % and 7 % is within three standard errors (2.1 %); tests of small
// samples that are exact may be below.
func TestFalseAlarms(t *testing.T) {
	race.SkipFigures(t)
	const samples, rows = 1000, 400
	r := rand.New(rand.NewPCG(3, 1))
	alarms := map[string]int{}
	for i := range samples {
		prob, hit := make([]float64, rows), make([]bool, rows)
		for j := range prob {
			prob[j] = .02 + .9*r.Float64()*r.Float64()
			hit[j] = r.Float64() < prob[j]
		}
		s := mustSample(t, prob, hit, nil, nil)
		report := s.Report()
		if math.Abs(report.Slope.Value-1) > Z95*report.Slope.SE {
			alarms["slope"]++
		}
		if math.Abs(report.Intercept.Value) > Z95*report.Intercept.SE {
			alarms["intercept"]++
		}
		if math.Abs(report.Z) > Z95 {
			alarms["z"]++
		}
		c, err := s.Consistency(t.Context(), .9, 39, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		if c.PValue <= .05 {
			alarms["MCB"]++
		}
	}
	for _, name := range []string{"slope", "intercept", "z", "MCB"} {
		t.Logf("%s: %d alarms of %d", name, alarms[name], samples)
		if n := alarms[name]; n < 30 || n > 70 {
			t.Errorf("%s: %d alarms of %d", name, n, samples)
		}
	}
}

// FuzzSample: nothing panics, all figures are finite or one of those that may be undefined, and
// they lie where they must. An entry is 11 bytes: flags, probability, weight, square.
func FuzzSample(f *testing.F) {
	row := func(flags byte, prob float64, weight, square byte) []byte {
		return append(binary.LittleEndian.AppendUint64([]byte{flags}, math.Float64bits(prob)), weight, square)
	}
	f.Add(uint8(0), slices.Concat(row(0, .2, 1, 1), row(1, .2, 2, 3), row(1, .9, 0, 0)))
	f.Add(uint8(1), slices.Concat(row(4, 0, 1, 1), row(5, 1, 200, 9), row(4, 5e-324, 255, 1)))
	f.Add(uint8(2), slices.Concat(row(0, math.NaN(), 0, 1), row(1, 1, 1, 1), row(0, math.Copysign(0, -1), 1, 1)))
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		var prob, weight, square []float64
		var hit []bool
		for ; len(data) >= 11; data = data[11:] {
			bits := binary.LittleEndian.Uint64(data[1:])
			p := math.Float64frombits(bits)
			if data[0]&2 != 0 {
				p = float64(bits>>11) / (1 << 53)
			}
			w := float64(data[9])
			if data[0]&4 != 0 {
				w = math.Ldexp(1, 4*int(data[9])-970) // up to 2^50
			}
			prob, weight, hit = append(prob, p), append(weight, w), append(hit, data[0]&1 != 0)
			square = append(square, math.Ldexp(1, 8*int(data[10])-1900))
		}
		if which&1 == 0 {
			square = nil
		}
		s, err := NewSample(prob, hit, weight, square)
		if err != nil {
			return
		}
		checkJudgement(t, judgeAll(t, s))
	})
}

func checkJudgement(t *testing.T, j judgement) {
	t.Helper()
	r := j.Report
	for i, f := range figures(r) {
		if !finite(f) && !(math.IsNaN(f) && i >= 18) {
			t.Errorf("figure %d of %+v", i, r)
		}
	}
	for _, f := range []float64{r.Share, r.Mean, r.Brier.Score, r.ECE, r.AUC, r.TiedPairs, r.AveragePrecision, r.Brier.MCB,
		r.Brier.DSC, r.Murphy.Reliability, r.Murphy.Resolution, 4 * r.Murphy.Uncertainty} {
		if f < 0 || f > 1+1e-15 {
			t.Errorf("%g is not in [0, 1]: %+v", f, r)
		}
	}
	if r.LogLoss.MCB < 0 || r.LogLoss.DSC < 0 || r.Excluded < 0 || !(r.Weight > 0) || !(r.Rows > 0) {
		t.Errorf("negative: %+v", r)
	}
	for _, table := range [][]Bin{j.Uniform, j.Quantile, j.Distinct, j.Curve} {
		for _, b := range table {
			ordered := b.Low <= b.High && b.ShareLow <= b.Share && b.Share <= b.ShareHigh && (b.Count == 0 || (b.Low <= b.Mean &&
				b.Mean <= b.High))
			if !ordered || b.ShareLow < 0 || b.ShareHigh > 1 || !(math.Abs(b.Within) <= 3) || !(b.Rows >= 0) {
				t.Errorf("%+v", b)
			}
		}
	}
	for _, b := range j.Benefit {
		if !(b.Model <= 1) || !finite(b.Model) || !finite(b.All) || !(b.Decided >= 0 && b.Decided <= 1+1e-15) {
			t.Errorf("%+v", b)
		}
	}
	for _, p := range j.Consistency.Points {
		if !(0 <= p.Low && p.Low <= p.High && p.High <= 1) {
			t.Errorf("%+v", p)
		}
	}
}

func BenchmarkReport(b *testing.B) {
	score, hit := manyRows(1_000_000)
	for b.Loop() {
		mustSample(b, score, hit, nil, nil).Report()
	}
}
