package calib

import "testing"

// Two scores, so the curve passes through both targets, (N₊+1)/(N₊+2) and 1/(N₋+2), however
// many more rows there are of one class: full Newton steps would run away, or, where all the
// weight of the Hessian is at one of the scores, be infinite.
func TestSigmoidFewAgainstMany(t *testing.T) {
	for _, tc := range []struct{ misses, hits float64 }{
		{1, 1}, {1, 88}, {1, 1e4}, {1, 1e9}, {1, 1e11}, {1e9, 80}, {4e11, 1800}, {1800, 4e11},
	} {
		m, err := sigmoidOf([]float64{1e-9, 2e-9}, []bool{false, true}, []float64{tc.misses, tc.hits}, false)
		if err != nil {
			t.Errorf("%g to %g: %v", tc.misses, tc.hits, err)
			continue
		}
		if low, high := m.Prob(1e-9), m.Prob(2e-9); !near(low, 1/(tc.misses+2), 1e-9) || !near(1-high, 1/(tc.hits+2), 1e-9) {
			t.Errorf("%g to %g: probabilities %.17g and %.17g, want 1/%g and 1 - 1/%g", tc.misses, tc.hits, low, high, tc.misses+
				2, tc.hits+2)
		}
	}
}

// Two scores again, both of which have hits and misses, of very different weight: the curve
// passes through their mean targets. A step that raises the likelihood's loss by a thousandth
// and flattens it nevertheless leads astray here.
func TestSigmoidLightAgainstHeavy(t *testing.T) {
	const light, hits, misses = 0.09, 1000.0, 4e6
	m, err := sigmoidOf([]float64{0, 0, 50, 50}, []bool{true, false, true, false}, []float64{light, light, hits, misses},
		false)
	if err != nil {
		t.Fatal(err)
	}
	high, low := (hits+light+1)/(hits+light+2), 1/(misses+light+2)
	if got, want := m.Prob(0), (high+low)/2; !near(got, want, 1e-6) {
		t.Errorf("Prob(0) = %.17g, want %.17g", got, want)
	}
	if got, want := m.Prob(50), (hits*high+misses*low)/(hits+misses); !near(got, want, 1e-9) {
		t.Errorf("Prob(50) = %.17g, want %.17g", got, want)
	}
}

// A score of next to no weight, far from all others, does not spoil their scale.
func TestSigmoidNegligibleOutlier(t *testing.T) {
	score, hit, weight := []float64{0, 1, 2, 3, 1e20}, []bool{false, true, false, true, true}, []float64{1, 1, 1, 1, 1e-13}
	for _, method := range []Method{PlattRaw, PlattLogit} {
		if method == PlattLogit { // on the logit scale nothing is far: there it must only do no harm
			score = []float64{.1, .2, .3, .4, 1}
		}
		with, without := mustFit(t, method, score, hit, weight), mustFit(t, method, score[:4], hit[:4], weight[:4])
		for _, s := range score[:4] {
			if got, want := with.Prob(s), without.Prob(s); !near(got, want, 1e-9) {
				t.Errorf("%s: Prob(%g) = %.17g, want %.17g as without the outlier", method, s, got, want)
			}
		}
	}
}
