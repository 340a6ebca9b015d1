package scores

import (
	"math"
	"slices"
	"testing"
)

// By hand: (v + 1/2)/(t + 1) of v votes of t, see calib.Smooth.
func TestShares(t *testing.T) {
	votes := []float64{3, 1}
	Share(votes, true)
	near(t, votes, 3.5/5, 1.5/5)
	scores := []float64{math.MaxFloat64, math.MaxFloat64}
	Share(scores, false)
	near(t, scores, 0.5, 0.5)

	sure := []float64{0.75, 0.25, 1, 0, 0.5, 0.5}
	if trees := Smooth(sure, 100); trees != 4 {
		t.Errorf("%d trees, want 4", trees)
	}
	near(t, sure, 3.5/5, 1.5/5, 4.5/5, 0.5/5, 2.5/5, 2.5/5)
	few := []float64{1, 0, 1e-6, 1 - 1e-6}
	if trees := Smooth(few, 2); trees != 2 { // as many as there are rows
		t.Errorf("%d trees, want 2", trees)
	}
	unsure := []float64{0.25, 0.75}
	if trees := Smooth(unsure, 1); trees != 0 || unsure[0] != 0.25 {
		t.Errorf("%d trees, %v, of shares that need no smoothing", trees, unsure)
	}
	near(t, Relative([]float64{2, 0, 6}), 0.5, 0, 1.5)
	if Relative(nil) != nil {
		t.Error("weights of none")
	}
}

func near(t *testing.T, got []float64, want ...float64) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Errorf("%v, want %v", got, want)
	}
}
