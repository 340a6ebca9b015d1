package view

import (
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
)

// Two folds have no middle, nor have any that agree. By hand: 4 times 20 votes tie with 80, and a tie goes to the
// more common class.
func TestMiddleOfFolds(t *testing.T) {
	fold := func(ill float64) eval.FoldWeights {
		return eval.FoldWeights{Weights: map[string]float64{"ill": ill, "well": 1}}
	}
	for _, tc := range []struct {
		folds []eval.FoldWeights
		want  string
	}{
		{[]eval.FoldWeights{fold(4), fold(9)},
			`In the folds 11 to 21 of 100 votes are enough for "ill"; the plain vote needs 51.`},
		{[]eval.FoldWeights{fold(4), fold(9), fold(4)},
			`In the folds 11 to 21 of 100 votes are enough for "ill" (middle 21); the plain vote needs 51.`},
		{[]eval.FoldWeights{fold(4)}, `21 of 100 votes are enough for "ill"; the plain vote needs 51.`},
		{[]eval.FoldWeights{fold(4), fold(4)}, `In all folds 21 of 100 votes are enough for "ill"; the plain vote needs 51.`},
	} {
		if got := foldWords([]string{"ill", "well"}, tc.folds, []int{1, 0}, 100, []pragma.Preference{pragma.Priority(),
			pragma.Neutral()}); got[0] != tc.want {
			t.Errorf("%q, want %q", got[0], tc.want)
		}
	}
}

// Of classes that matter most it is the one of the highest theta that choices are of, by costs the dearest to miss,
// where there is only one.
func TestMost(t *testing.T) {
	for _, tc := range []struct {
		thetas [3]float64
		want   []int
	}{{[3]float64{1, 5, 10}, []int{2}}, {[3]float64{1, 5, 1}, []int{1}}, {[3]float64{1, 10, 10}, []int{1, 2}}} {
		a := &Goal{Classes: []string{"a", "b", "c"}}
		for _, theta := range tc.thetas {
			a.Prefs = append(a.Prefs, pragma.Preference{Theta: theta, X: 0.5, Y: 0.5})
		}
		if got := a.Most(); !slices.Equal(got, tc.want) {
			t.Errorf("%v: %v, want %v", tc.thetas, got, tc.want)
		}
	}
	for _, tc := range []struct {
		costs [][]float64
		want  []int
	}{{[][]float64{{0, 3, 20}, {1, 0, 5}, {1, 1, 0}}, []int{0}}, {[][]float64{{0, 5, 5}, {5, 0, 5}, {1, 1, 0}},
		[]int{0, 1}}, {[][]float64{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}, nil}} {
		a := &Goal{Classes: []string{"a", "b", "c"}, Prefs: slices.Repeat([]pragma.Preference{pragma.Neutral()}, 3),
			Loss: Loss{Name: "cost", Costs: pragma.Costs{Matrix: tc.costs}}}
		if got := a.Most(); !slices.Equal(got, tc.want) {
			t.Errorf("costs %v: %v, want %v", tc.costs, got, tc.want)
		}
		if tc.want != nil { // a preference beside costs does not decide
			a.Prefs = []pragma.Preference{pragma.Priority(), pragma.Priority(), pragma.Neutral()}
			if got := a.Most(); !slices.Equal(got, tc.want) {
				t.Errorf("costs %v beside a preference: %v, want %v", tc.costs, got, tc.want)
			}
		}
	}
}
