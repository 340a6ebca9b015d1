package view

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
)

// Worked by hand: the median of 1, 4, 2 is 2; of 1, 4 it is √(1·4) = 2, as ratios count.
func TestMedianWeights(t *testing.T) {
	folds := func(weights ...float64) []eval.FoldWeights {
		var list []eval.FoldWeights
		for i, w := range weights {
			list = append(list, eval.FoldWeights{Fold: i + 1, Weights: map[string]float64{"ill": w, "well": 1}})
		}
		return list
	}
	for _, tc := range []struct {
		weights []float64
		want    float64
	}{{[]float64{1, 4, 2}, 2}, {[]float64{1, 4}, 2}, {[]float64{7}, 7}, {[]float64{1, 1, 1, 100}, 1}} {
		got := medianWeights([]string{"ill", "well"}, folds(tc.weights...))
		if math.Abs(got[0]-tc.want) > 1e-12 || got[1] != 1 {
			t.Errorf("median of %v is %v, want %v and 1", tc.weights, got, tc.want)
		}
	}
}
