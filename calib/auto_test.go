package calib

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What Auto picks where it is plain what is right.
func TestAutoPicks(t *testing.T) {
	const n = 4000
	for _, tc := range []struct {
		name string
		prob func(s float64) float64
		want []Method
	}{
		{"a score that is right: nothing that could follow the noise", func(s float64) float64 { return s },
			[]Method{None, Temperature, Matrix}},
		{"odds squared", func(s float64) float64 { return s * s / (s*s + (1-s)*(1-s)) }, []Method{Temperature, Matrix}},
		{"odds times 9", func(s float64) float64 { return 9 * s / (9*s + 1 - s) }, []Method{Matrix}},
		{"a logistic curve of the score", func(s float64) float64 { return 1 / (1 + math.Exp(6-20*s)) }, []Method{Matrix}},
		{"a step", func(s float64) float64 { return .1 + .8*math.Round(s) }, []Method{VennAbersCentred}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 15))
			rows := Rows{K: 2}
			for range n {
				s := Smooth(float64(r.IntN(101)), 100)
				rows.Share, rows.Truth = append(rows.Share, 1-s, s), append(rows.Truth, 0)
				if r.Float64() < tc.prob(s) {
					rows.Truth[len(rows.Truth)-1] = 1
				}
			}
			set := refit(t, Auto, rows)
			found := false
			for _, m := range tc.want {
				found = found || set.Method == m
			}
			if !found || len(set.Warnings) > 0 {
				t.Errorf("picks %s, want %v (%v)", set.Method, tc.want, set.Warnings)
			}
			if d := cmp.Diff(refit(t, set.Method, rows).Maps, set.Maps); d != "" {
				t.Error(d)
			}
		})
	}
}

// Scores that are no shares have methods of their own.
func TestAutoOfRawScores(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 15))
	var score []float64
	var hit []bool
	for range 500 {
		s := 3 * r.NormFloat64()
		score, hit = append(score, s), append(hit, r.Float64() < 1/(1+math.Exp(-s)))
	}
	if m := mustFit(t, Auto, score, hit, nil); m != mustFit(t, PlattRaw, score, hit, nil) {
		t.Errorf("got %v, want the sigmoid", m)
	}
}

// With too few rows to compare on it takes the simplest, and says so.
func TestAutoOfFewRows(t *testing.T) {
	for _, tc := range []struct {
		share []float64
		want  Method
	}{{[]float64{.8, .2, .6, .4, .1, .9}, None}, {[]float64{-8, 8, -6, 6, 9, -9}, PlattRaw}} {
		set := refit(t, Auto, Rows{K: 2, Share: tc.share, Truth: []int{0, 0, 1}})
		if set.Method != tc.want || len(set.Warnings) == 0 || !strings.Contains(set.Warnings[len(set.Warnings)-1].Error(),
			"too few rows to choose a calibration method on") {
			t.Errorf("picks %s with the warnings %v, want %s", set.Method, set.Warnings, tc.want)
		}
	}
}

// Auto compares with the probabilities that are given without maps, if it is told them.
func TestAutoComparesWithPlain(t *testing.T) {
	rows := classProblem(rand.New(rand.NewPCG(7, 15)), 3)
	rows.Plain = make([]float64, len(rows.Share))
	for i, t := range rows.Truth {
		rows.Plain[3*i+t] = 1
	}
	for _, m := range []Method{Auto, "auto:pairs"} {
		if set := refit(t, m, rows); set.Method != None || set.Coupling != againstRest {
			t.Errorf("%s picks %s, and without maps it knew the truth", m, set.Method)
		}
	}
	for i, t := range rows.Truth {
		rows.Plain[3*i+t] = 0
	}
	if set := refit(t, "auto:pairs", rows); set.Method == None || set.Coupling != againstRest && set.Coupling != pairwise {
		t.Errorf("picks %s, and without maps it is always wrong", set.Method)
	}
}

// Every row belongs to one fold, every fold has its fifth of each class, and parts of rows are
// dealt out like rows.
func TestDealing(t *testing.T) {
	rows := classProblem(rand.New(rand.NewPCG(9, 15)), 3)
	for i := range rows.Weight {
		rows.Weight[i] *= .7
	}
	r, err := known(rows.Share, rows.Truth, rows.Weight, 3)
	if err != nil {
		t.Fatal(err)
	}
	d := r.deal()
	class := make([][autoFolds]float64, 3)
	for i, w := range rows.Weight {
		sum := 0.0
		for fold := range autoFolds {
			held := d.held[i*autoFolds+fold]
			sum += held
			class[rows.Truth[i]][fold] += held
		}
		if !near(sum, w, 1e-12) {
			t.Errorf("row %d of weight %g: the folds hold %g of it", i, w, sum)
		}
	}
	for c, folds := range class {
		for _, w := range folds {
			if math.Abs(w-d.class[c]/autoFolds) > 1 {
				t.Errorf("class %d of weight %g: folds of %v", c, d.class[c], folds)
			}
		}
	}
}

// D104: of a thousand classes with a few rows each, which are allowed, the fit of two numbers a class would take
// minutes, and one of a number for each pair of classes hours.
func TestTried(t *testing.T) {
	for _, c := range []struct {
		classes        int
		rows           float64 // of each
		matrix, vector bool
	}{{3, 1, true, false}, {50, 4, true, false}, {51, 4, false, true}, {100, 4, false, true}, {101, 19.9, false, false},
		{101, 20, false, true}, {1000, 4, false, false}} {
		got := tried(slices.Repeat([]float64{c.rows}, c.classes))
		if slices.Contains(got, Matrix) != c.matrix || slices.Contains(got, Vector) != c.vector || !slices.Contains(got,
			Temperature) || got[0] != None {
			t.Errorf("of %d classes with %v rows each %v are tried", c.classes, c.rows, got)
		}
	}
}

// Auto makes no rows equal that the votes tell apart, as maps in steps would.
func TestAutoHasNoSteps(t *testing.T) {
	for _, m := range slices.Concat(candidates, classCandidates, rawCandidates) {
		if slices.Contains([]Method{IsotonicStep, IsotonicLinear, VennAbers}, m) {
			t.Errorf("%s is tried", m)
		}
	}
}
