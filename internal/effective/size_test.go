package effective_test

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/internal/effective"
)

// A row of weight 0 adds nothing to the effective number, and no unit is too large or too small to be squared.
func TestSize(t *testing.T) {
	for _, tc := range []struct {
		weights []float64
		want    float64
	}{
		{nil, 0},
		{[]float64{1, 1, 1}, 3},
		{[]float64{0, 7, 7, 0}, 2},
		{[]float64{1, 2}, 9.0 / 5},
		{[]float64{2, 1}, 9.0 / 5},
		{[]float64{1e-300, 1e-300}, 2},
		{[]float64{5e-324, 5e-324, 5e-324}, 3},
		{[]float64{1e300, 1}, 1},
		{[]float64{1, 1e300}, 1},
	} {
		var k effective.Size
		for _, w := range tc.weights {
			k.Add(w, w)
		}
		if got := k.Rows(); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("weights %v: %v rows, want %v", tc.weights, got, tc.want)
		}
	}
}
