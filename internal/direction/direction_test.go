package direction

import (
	"math"
	"testing"
)

// The areas are those of scikit-learn 1.7, roc_auc_score, and by hand: of 20 pairs, how many are in order.
func TestOf(t *testing.T) {
	falling, rising, flat, mixed := make([]float64, 40), make([]float64, 40), make([]float64, 40), make([]float64, 40)
	hit := make([]bool, 40)
	for i := range 40 {
		hit[i] = i < 10
		falling[i], rising[i], flat[i], mixed[i] = float64(i), float64(-i), 0.3, float64(i*7%40)
	}
	for name, c := range map[string]struct {
		score []float64
		want  Verdict
		area  float64
	}{
		"falling": {falling, Reversed, 0}, "rising": {rising, Fine, 1}, "constant": {flat, Constant, 0.5},
		"chance": {mixed, Fine, 110.0 / 300},
	} {
		if v, area := Of(c.score, hit, nil); v != c.want || math.Abs(area-c.area) > 1e-12 {
			t.Errorf("%s: %v, area %v, want %v, %v", name, v, area, c.want, c.area)
		}
	}
	if v, area := Of([]float64{1, 2, 2, 3, 0}, []bool{true, false, true, false, false}, nil); v != Fine || area != 2.5/6 {
		t.Errorf("ties: %v, %v", v, area)
	}
	if v, area := Of([]float64{1, 2}, []bool{true, false}, []float64{100, 100}); v != Reversed || area != 0 {
		t.Errorf("lines of 100 rows: %v, %v", v, area)
	}
	if v, area := Of([]float64{1, 2}, []bool{true, true}, nil); v != Fine || !math.IsNaN(area) {
		t.Errorf("one class: %v, %v", v, area)
	}
}
