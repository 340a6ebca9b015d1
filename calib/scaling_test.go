package calib

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfpragma/rfpragma/internal/race"
)

// classProblem is a random one of k classes: smoothed vote shares, some rows of each class.
func classProblem(r *rand.Rand, k int) Rows {
	n, trees := 4*k+r.IntN(60), 5+r.IntN(60)
	rows := Rows{K: k, Weight: make([]float64, n)}
	for i := range n {
		votes, liking := make([]float64, k), r.IntN(k)
		for range trees {
			if c := r.IntN(k); r.Float64() < .5 {
				votes[c]++
			} else {
				votes[liking]++
			}
		}
		truth := liking
		if r.Float64() < .3 {
			truth = r.IntN(k)
		}
		if i < 2*k {
			truth = i % k
		}
		for _, v := range votes {
			rows.Share = append(rows.Share, Smooth(v, float64(trees)))
		}
		rows.Truth, rows.Weight[i] = append(rows.Truth, truth), float64(1+r.IntN(3))
	}
	return rows
}

// targets returns what maps of all classes are fitted to, row-major, times the weights.
func (r Rows) targets() []float64 {
	class := make([]float64, r.K)
	for i, t := range r.Truth {
		class[t] += r.Weight[i]
	}
	out := make([]float64, len(r.Share))
	for i, t := range r.Truth {
		for c := range r.K {
			target := 1 / (class[t] + 2) / float64(r.K-1)
			if c == t {
				target = (class[t] + 1) / (class[t] + 2)
			}
			out[i*r.K+c] = r.Weight[i] * target
		}
	}
	return out
}

// At the maximum of the likelihood the residuals against the targets sum to 0, plain and
// multiplied by what a slope multiplies; with a slope at a bound, they pull beyond it.
func TestScalingSolvesLikelihoodEquations(t *testing.T) {
	atBound := 0
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 9))
		k := 2 + int(seed%4)
		rows := classProblem(r, k)
		if seed%3 == 0 { // labels drawn anew: slopes that would be negative
			r.Shuffle(len(rows.Truth), func(i, j int) { rows.Truth[i], rows.Truth[j] = rows.Truth[j], rows.Truth[i] })
		}
		set, err := Vector.FitClasses(t.Context(), rows)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		slope := make([]float64, k)
		for c := range slope {
			if k > 2 {
				slope[set.class(c)] = set.Maps[c].(Power).A
			}
		}
		if k == 2 {
			b := set.Maps[0].(BetaCurve)
			slope[set.class(0)], slope[set.class(1)] = b.B, b.A
		}
		plain, scaled, n := make([]float64, k), make([]float64, k), 0.0
		prob, targets := make([]float64, k), rows.targets()
		for i := range rows.Truth {
			share := rows.Share[i*k : i*k+k]
			set.Probabilities(prob, share)
			for c, p := range prob {
				residual := rows.Weight[i]*p - targets[i*k+c]
				plain[c] += residual
				scaled[c] += residual * math.Log(share[c])
			}
			n += rows.Weight[i]
		}
		for c := range k {
			if !near(plain[c]/n, 0, 1e-11) {
				t.Errorf("seed %d: residuals of class %d sum to %g", seed, c, plain[c])
			}
			switch g := scaled[c] / n; {
			case slope[c] == 0:
				atBound++
				if g < -1e-10 {
					t.Errorf("seed %d: slope %d is 0, and the loss would fall as it rises (%g)", seed, c, g)
				}
			case slope[c] == steepest || !near(g, 0, 1e-10):
				t.Errorf("seed %d: slope %d is %g, residuals by logarithm sum to %g", seed, c, slope[c], scaled[c])
			}
		}
	}
	if atBound < 10 {
		t.Errorf("only %d slopes at their bound", atBound)
	}
}

// The loss of a temperature is lowest at the slope that is found: a little away it is higher.
func TestTemperatureIsLowest(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 10))
		k := 2 + int(seed%4)
		rows := classProblem(r, k)
		set, err := Temperature.FitClasses(t.Context(), rows)
		if err != nil {
			t.Fatal(err)
		}
		targets := rows.targets()
		loss := func(x float64) float64 {
			sum := 0.0
			for i := range rows.Truth {
				e := make([]float64, k)
				for c := range e {
					e[c] = x * math.Log(rows.Share[i*k+c])
				}
				total := spread(e)
				for c := range e {
					sum += targets[i*k+c] * (total - x*math.Log(rows.Share[i*k+c]))
				}
			}
			return sum
		}
		x := 0.0
		switch m := set.Maps[0].(type) {
		case Sigmoid:
			x = -m.A
			if m.B != 0 || !m.Logit {
				t.Errorf("%v is no temperature", m)
			}
		case Power:
			x = m.A
			for _, other := range set.Maps {
				if other != (Power{A: x}) {
					t.Errorf("classes have the maps %v and %v", m, other)
				}
			}
		}
		if at := loss(x); x <= 0 || at > loss(x*1.01) || at > loss(x*.99) {
			t.Errorf("seed %d: slope %g with loss %g, and %g and %g next to it", seed, x, at, loss(x*.99), loss(x*1.01))
		}
	}
}

// By hand: shares that are right nine times of ten at 9:1 stay as they are but for the targets.
// Here they are right at 3:1 where the votes say 9:1, so 1/T tends to ln 3 / ln 9 = ½.
func TestTemperatureByHand(t *testing.T) {
	score, hit := []float64{.9, .9, .1, .1}, []bool{true, false, true, false}
	weight := []float64{3e9, 1e9, 1e9, 3e9}
	m := mustFit(t, Temperature, score, hit, weight).(Sigmoid)
	if !near(m.A, -.5, 1e-8) {
		t.Errorf("slope %g, want -0.5", m.A)
	}
}

// K267, K268, K275, K278: what is degenerate has defined outcomes.
func TestScalingOfDegenerateRows(t *testing.T) {
	ulp := math.Nextafter(.5, 1)
	for _, tc := range []struct {
		name   string
		score  []float64
		hit    []bool
		method Method
		at     []float64
		want   []float64 // by hand; none means finite and in [0, 1]
	}{
		{"K267 all equal", []float64{.3, .3, .3, .3}, []bool{true, true, true, false}, Beta, []float64{0, .3, 1},
			[]float64{41. / 60, 41. / 60, 41. / 60}},
		{"K267 all ½: no temperature does anything", []float64{.5, .5}, []bool{true, false}, Temperature, []float64{.2, .9},
			[]float64{.5, .5}},
		{"K268 separated: the targets are met", []float64{.2, .8}, []bool{false, true}, Temperature, []float64{.2, .8},
			[]float64{1. / 3, 2. / 3}},
		{"K268 separated: the targets are met", []float64{.2, .8}, []bool{false, true}, Beta, []float64{.2, .8},
			[]float64{1. / 3, 2. / 3}},
		{"K275 scores 0 and 1", []float64{0, 1, 0, 1}, []bool{false, true, true, true}, Beta, []float64{0, .5, 1}, nil},
		{"K275 scores 0 and 1", []float64{0, 1, 0, 1}, []bool{false, true, true, true}, Temperature, []float64{0, .5, 1},
			nil},
		{"K278 an ulp apart: the slopes are bounded, so the curve is flat here", []float64{.5, ulp}, []bool{false, true},
			Beta, []float64{.5, ulp}, []float64{.5, .5}},
		{"K278 an ulp apart", []float64{.5, ulp}, []bool{false, true}, Temperature, []float64{.5, ulp}, []float64{.5, .5}},
		{"K278 an ulp apart, backwards", []float64{.5, ulp}, []bool{true, false}, Beta, []float64{.1, .5, ulp, .9},
			[]float64{.5, .5, .5, .5}},
		{"backwards", []float64{.1, .2, .8, .9}, []bool{true, true, false, false}, Beta, []float64{.1, .5, .9},
			[]float64{.5, .5, .5}},
		{"backwards", []float64{.1, .2, .8, .9}, []bool{true, true, false, false}, Temperature, []float64{.1, .5, .9},
			[]float64{.5, .5, .5}},
		{"K267 all equal", []float64{7, 7, 7, 7}, []bool{true, true, true, false}, MinMax, []float64{-1, 7, 9},
			[]float64{.75, .75, .75}},
		{"scores as large as can be", []float64{-math.MaxFloat64, math.MaxFloat64}, []bool{false, true}, MinMax,
			[]float64{-math.MaxFloat64, 0, math.MaxFloat64}, []float64{0, .5, 1}},
		{"K279 outside of the range", []float64{2, 4}, []bool{false, true}, MinMax, []float64{1, 3.5, 5}, []float64{0, .75,
			1}},
		{"K268 separated", []float64{1, 2, 3, 4}, []bool{false, false, true, true}, IsotonicCentred, []float64{0, 1, 2, 2.5,
			3, 9}, []float64{0, 0, 0, .5, 1, 1}},
		{"a block has its value at its mean score", []float64{0, 1, 2, 6, 7}, []bool{false, true, false, false, true},
			IsotonicCentred, []float64{0, 1.5, 3, 5, 7}, []float64{0, 1. / 6, 1. / 3, 2. / 3, 1}},
		{"K267 all equal", []float64{3, 3}, []bool{true, false}, IsotonicCentred, []float64{0, 3, 9}, []float64{.5, .5, .5}},
		{"scores as large as can be", []float64{-math.MaxFloat64, math.MaxFloat64}, []bool{true, false}, IsotonicCentred,
			[]float64{-1, 0, 1}, []float64{.5, .5, .5}},
		{"K278 an ulp apart", []float64{.5, ulp}, []bool{true, false}, IsotonicCentred, []float64{.5, ulp},
			[]float64{.5, .5}},
		{"K278 an ulp apart", []float64{.5, ulp}, []bool{false, true}, VennAbers, []float64{.5, ulp}, []float64{1. / 3,
			2. / 3}},
	} {
		t.Run(string(tc.method)+"/"+tc.name, func(t *testing.T) {
			m := mustFit(t, tc.method, tc.score, tc.hit, nil)
			if err := check(m); err != nil {
				t.Error(err)
			}
			for i, s := range tc.at {
				got := m.Prob(s)
				if !(got >= 0 && got <= 1) || tc.want != nil && !near(got, tc.want[i], 1e-9) {
					t.Errorf("%v: Prob(%g) = %.17g, want %v", m, s, got, tc.want)
				}
			}
		})
	}
}

// Weights nearly as far apart as [TestSigmoidFewAgainstMany] has them: with two scores the curve meets
// both targets.
func TestBetaFewAgainstMany(t *testing.T) {
	for _, tc := range []struct{ misses, hits float64 }{{1, 1}, {1, 88}, {1, 1e4}, {1, 1e9}, {1e9, 80}} {
		m, err := betaOf([]float64{.01, .9}, []bool{false, true}, []float64{tc.misses, tc.hits})
		if err != nil {
			t.Errorf("%g to %g: %v", tc.misses, tc.hits, err)
			continue
		}
		if low, high := m.Prob(.01), m.Prob(.9); !near(low, 1/(tc.misses+2), 1e-9) || !near(1-high, 1/(tc.hits+2), 1e-9) {
			t.Errorf("%g to %g: probabilities %.17g and %.17g, want 1/%g and 1 - 1/%g", tc.misses, tc.hits, low, high, tc.misses+
				2, tc.hits+2)
		}
	}
}

// A calibrated score is not spoilt: with very many rows, the identity is found again.
func TestBetaFindsTheIdentity(t *testing.T) {
	var score, weight []float64
	var hit []bool
	for i := range 99 {
		s := float64(i+1) / 100
		score, hit, weight = append(score, s, s), append(hit, true, false), append(weight, 1e12*s, 1e12*(1-s))
	}
	m := mustFit(t, Beta, score, hit, weight).(BetaCurve)
	if !near(m.A, 1, 1e-8) || !near(m.B, 1, 1e-8) || !near(m.C, 0, 1e-8) {
		t.Errorf("got %v, want 1, 1 and 0", m)
	}
}

func TestNewtonReportsFailure(t *testing.T) {
	rows := classProblem(rand.New(rand.NewPCG(1, 1)), 3)
	known, err := known(rows.Share, rows.Truth, rows.Weight, 3)
	if err != nil {
		t.Fatal(err)
	}
	share, count, err := known.merge()
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range share {
		share[i] = logShare(s)
	}
	n := newton{
		softmax: newSoftmax(share, count, 3, 1), dense: true, z: share, p: make([]float64, len(share)), spare: make([]float64,
			len(share)),
		x: make([]float64, 6), low: make([]float64, 6), high: []float64{9, 9, 9, 0, 9, 9}, share: []float64{.3, .3, .3},
	}
	if err := n.minimise(0); !errors.Is(err, errUnsettled) {
		t.Errorf("got %v", err)
	}
}

// With weights that no rounding can reconcile a fit does not settle: beta calibration is then that
// of Platt, and vector scaling a temperature.
func TestUnsettledScaling(t *testing.T) {
	score, hit, weight := []float64{1e-76, .5}, []bool{false, true}, []float64{48, math.Ldexp(1, 45)}
	groups, err := pool(score, hit, weight, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fitBeta(groups, 1); !errors.Is(err, errUnsettled) {
		t.Fatalf("it settles now (%v); take worse weights", err)
	}
	m, err := betaOf(score, hit, weight)
	if err != nil || m.A != m.B || check(m) != nil || !near(m.Prob(1e-76), 1./50, 1e-9) {
		t.Errorf("got %v, %v", m, err)
	}
}

// Shares of 0 and 1, next to them, and a hair apart, on few rows of uneven weight: it always settles,
// within the bounds.
func TestScalingSettles(t *testing.T) {
	race.SkipFigures(t)
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 77))
		rows, base := Rows{K: 2 + r.IntN(4)}, r.Float64()
		for range 2 + r.IntN(12) {
			for range rows.K {
				var s float64
				switch seed % 5 {
				case 0:
					s = r.Float64()
				case 1:
					s = math.Exp(-40 * r.Float64())
				case 2:
					s = min(1, base*(1+1e-15*float64(r.IntN(20))))
				case 3:
					s = 1 - math.Exp(-40*r.Float64())
				case 4:
					s = float64(r.IntN(2))
				}
				rows.Share = append(rows.Share, s)
			}
			rows.Truth = append(rows.Truth, r.IntN(rows.K))
			rows.Weight = append(rows.Weight, []float64{1, math.Exp(12 * r.Float64()), math.Exp(3 * r.NormFloat64())}[seed/5%3])
		}
		if known, err := known(rows.Share, rows.Truth, rows.Weight, rows.K); err == nil {
			log, count, err := known.merge()
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range log {
				log[i] = logShare(s)
			}
			if _, _, err := newSoftmax(log, count, rows.K, 1).vector(); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
		for _, method := range []Method{Vector, Temperature, Beta, "beta:coupled"} {
			set, err := method.FitClasses(t.Context(), rows)
			if errors.Is(err, ErrOneClass) {
				continue
			}
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, method, err)
			}
			if err := set.Check(); err != nil {
				t.Fatalf("seed %d, %s: %v", seed, method, err)
			}
		}
	}
}
