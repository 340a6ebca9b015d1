package calib

import (
	"math"
	"math/rand/v2"
	"testing"
)

// By hand, and the formula of Dal Pozzolo and others.
func TestUndoSampling(t *testing.T) {
	for _, tc := range []struct{ p, beta, want float64 }{
		{.5, .1, 1. / 11}, {.5, 1, .5}, {0, .01, 0}, {1, .01, 1}, {.9, .01, .009 / .109},
	} {
		got := make([]float64, 2)
		if err := UndoSampling(got, []float64{1 - tc.p, tc.p}, []float64{tc.beta, 1}); err != nil {
			t.Fatal(err)
		}
		formula := tc.beta * tc.p / (tc.beta*tc.p - tc.p + 1)
		if !near(got[1], tc.want, 1e-15) || !near(got[1], formula, 1e-15) || !near(got[0]+got[1], 1, 1e-15) {
			t.Errorf("p = %g, β = %g: got %v, want %g (%g)", tc.p, tc.beta, got, tc.want, formula)
		}
	}
}

// By hand: a test that finds 90 % and alarms on 20 % of the well has p = 9/11 where half are ill,
// and (.9·.02)/(.9·.02 + .2·.98) where 2 % are.
func TestChangePriors(t *testing.T) {
	got := []float64{2. / 11, 9. / 11}
	if err := ChangePriors(got, got, []float64{.5, .5}, []float64{.98, .02}); err != nil {
		t.Fatal(err)
	}
	if want := .018 / (.018 + .196); !near(got[1], want, 1e-15) {
		t.Errorf("got %v, want %g", got, want)
	}
	if err := ChangePriors(got, got, []float64{.98, .02}, []float64{1, 0}); err != nil || got[1] != 0 || got[0] != 1 {
		t.Errorf("a class that no longer occurs: %v, %v", got, err)
	}
}

// There and back is where one was; only ratios count.
func TestChangePriorsLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 16))
	for range 200 {
		k := 2 + r.IntN(5)
		p, a, b := make([]float64, k), make([]float64, k), make([]float64, k)
		for c := range p {
			p[c], a[c], b[c] = r.Float64(), math.Exp(10*r.NormFloat64()), math.Exp(10*r.NormFloat64())
		}
		normalise(p)
		there, back, other := make([]float64, k), make([]float64, k), make([]float64, k)
		if err := ChangePriors(there, p, a, b); err != nil {
			t.Fatal(err)
		}
		if err := ChangePriors(back, there, b, a); err != nil {
			t.Fatal(err)
		}
		for c := range a {
			a[c], b[c] = 1e80*a[c], 1e-80*b[c]
		}
		if err := ChangePriors(other, p, a, b); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for c := range p {
			sum += there[c]
			if there[c] > 1e-290 && !near(back[c], p[c], 1e-9) || !near(other[c], there[c], 1e-12) {
				t.Fatalf("%v becomes %v, back %v, with other sums %v", p, there, back, other)
			}
		}
		if !near(sum, 1, 1e-12) {
			t.Fatalf("%v sums to %g", there, sum)
		}
	}
}

func TestChangePriorsRefuses(t *testing.T) {
	half := []float64{.5, .5}
	for _, tc := range []struct {
		prob, from, to []float64
		want           string
	}{
		{half, half, []float64{1}, "calibration: 2 probabilities to fill, 2 given, 2 shares of before and 1 of after; give " +
			"equally many, 2 or more"},
		{half, []float64{0, 1}, half, "calibration: the old share of class 0 is 0; correct it to a finite number above 0"},
		{half, []float64{1, nan}, half,
			"calibration: the old share of class 1 is NaN; correct it to a finite number above 0"},
		{half, half, []float64{1, -1}, "calibration: the new share of class 1 is -1; correct it to a finite number, 0 or " +
			"more"},
		{half, half, []float64{inf, 1},
			"calibration: the new share of class 0 is +Inf; correct it to a finite number, 0 or more"},
		{half, half, []float64{0, 0}, "calibration: the new shares of the classes are all 0, or too far from the old ones; " +
			"correct them"},
		{half, []float64{5e-324, 1}, half,
			"calibration: the new shares of the classes are all 0, or too far from the old ones; correct them"},
		{[]float64{1, nan}, half, half, "calibration: probability 1 is NaN; correct it to a number in [0, 1]"},
		{[]float64{-1, 1}, half, half, "calibration: probability 0 is -1; correct it to a number in [0, 1]"},
		{[]float64{0, 1}, half, []float64{1, 0},
			"calibration: only classes of new share 0 have a probability; give the others one, or a share"},
	} {
		dst := []float64{7, 7}
		err := ChangePriors(dst, tc.prob, tc.from, tc.to)
		if err == nil || err.Error() != tc.want || dst[0] != 7 {
			t.Errorf("got %v, %v, want %s", dst, err, tc.want)
		}
	}
	for want, kept := range map[string][]float64{
		"calibration: the share of the rows of class 1 that were kept is 0; correct it to a finite number above 0": {1,
			0},
		"calibration: 2 probabilities to fill, 2 given, 3 shares of before and 3 of after; give equally many, 2 or more": {1,
			1, 1},
	} {
		if err := UndoSampling(make([]float64, 2), half, kept); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
