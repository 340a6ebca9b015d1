package calib

import (
	"math"
	"testing"
)

// scoreCase is a score worked by hand.
type scoreCase struct {
	name         string
	prob, weight []float64
	truth        []int
	k            int
	want         float64
}

func TestScores(t *testing.T) {
	for _, s := range []struct {
		name  string
		score func(prob []float64, truth []int, weight []float64, k int) float64
		cases []scoreCase
	}{
		{"Brier", Brier, []scoreCase{
			{"two classes, halved", []float64{.3, .7, .9, .1}, nil, []int{1, 0}, 2, (.09 + .01) / 2},
			{"three classes, not halved", []float64{.5, .3, .2}, nil, []int{1}, 3, .25 + .49 + .04},
			{"worst of two", []float64{1, 0}, nil, []int{1}, 2, 1},
			{"worst of three", []float64{1, 0, 0}, nil, []int{1}, 3, 2},
			{"perfect", []float64{1, 0, 0, 1}, nil, []int{0, 1}, 2, 0},
			{"weighted", []float64{.3, .7, .9, .1}, []float64{3, 1}, []int{1, 0}, 2, (3*.09 + .01) / 4},
			{"unknown class and weight 0 are skipped", []float64{.3, .7, nan, nan, nan, nan}, []float64{1, 1, 0},
				[]int{1, -1, 0}, 2, .09},
			{"NaN shows", []float64{nan, .7}, nil, []int{1}, 2, nan},
			{"no rows", nil, nil, nil, 2, nan},
			{"no known row", []float64{.3, .7}, nil, []int{-1}, 2, nan},
		}},
		{"LogLoss", LogLoss, []scoreCase{
			{"two classes", []float64{.5, .5, .75, .25}, nil, []int{1, 1}, 2, 1.5 * math.Ln2},
			{"three classes, weighted", []float64{.5, .25, .25, .25, .5, .25}, []float64{2, 1}, []int{0, 0}, 3,
				4. / 3 * math.Ln2},
			{"K275 wrong beyond doubt", []float64{1, 0}, nil, []int{1}, 2, 34.538776394910684},
			{"K275 right beyond doubt", []float64{0, 1}, nil, []int{1}, 2, 9.992007221626415e-16},
			{"NaN shows", []float64{nan, nan}, nil, []int{1}, 2, nan},
			{"no rows", nil, nil, nil, 3, nan},
		}},
	} {
		for _, tc := range s.cases {
			got := s.score(tc.prob, tc.truth, tc.weight, tc.k)
			if !near(got, tc.want, 1e-15) && !(math.IsNaN(got) && math.IsNaN(tc.want)) {
				t.Errorf("%s, %s: got %.17g, want %.17g", s.name, tc.name, got, tc.want)
			}
		}
	}
}

// What does not fit together has no figure.
func TestShapes(t *testing.T) {
	two := []float64{1, 2}
	for name, got := range map[string]float64{
		"3 probabilities for 2 rows": Brier(make([]float64, 3), []int{0, 1}, nil, 2),
		"1 weight for 2 rows":        LogLoss(make([]float64, 4), []int{0, 1}, []float64{1}, 2),
		"class 2 of two":             LogLoss(make([]float64, 4), []int{0, 2}, nil, 2),
		"1 forecast for 2 targets":   Pinball(two, []float64{1}, nil, .5),
		"1 weight for 2 targets":     Pinball(two, two, []float64{1}, .5),
	} {
		if !math.IsNaN(got) {
			t.Errorf("%s: %v, want NaN", name, got)
		}
	}
	s := mustSample(t, []float64{.5}, []bool{true}, nil, nil)
	if a, b := s.Reliability(0), s.Quantiles(-1); a != nil || b != nil {
		t.Errorf("tables of 0 and -1 bins: %v and %v", a, b)
	}
}

func TestWilsonEdges(t *testing.T) {
	if low, high := Wilson(0, 0, Z95); low != 0 || high != 1 {
		t.Errorf("n = 0: got %g, %g", low, high)
	}
	for _, n := range []float64{1e-9, .5, 1, 3.7, 10, 1e6, 1e15} {
		for _, share := range []float64{0, .001, .3, .5, .999, 1} {
			low, high := Wilson(share*n, n, Z95)
			p := share * n / n
			if !(low >= 0 && low <= p && p <= high && high <= 1) || (share == 0 && low != 0) || (share == 1 && high != 1) {
				t.Errorf("Wilson(%g·%g) = %g, %g", share, n, low, high)
			}
		}
	}
	if low, high := Wilson(3, 10, 0); low != .3 || high != .3 {
		t.Errorf("z = 0: got %g, %g", low, high)
	}
}
