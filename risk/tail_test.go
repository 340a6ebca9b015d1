package risk

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfpragma/rfpragma/pragma"
)

// By hand: 0.95^58 = 0.0510, 0.95^59 = 0.0485; 0.5^4 = 0.0625, 0.5^5 = 0.0313.
func TestFewest(t *testing.T) {
	for _, tc := range []struct{ limit, confidence, want float64 }{{0.95, 0.95, 59}, {0.5, 0.95, 5}, {1, 0.95, math.Inf(1)}} {
		if got := Fewest(tc.limit, tc.confidence); got != tc.want {
			t.Errorf("of %v at %v: %v, want %v", tc.limit, tc.confidence, got, tc.want)
		}
	}
}

func TestAtLeast(t *testing.T) {
	for _, tc := range []struct {
		k, n int
		p    float64
		want float64 // scipy.stats.binom.sf(k-1, n, p)
	}{
		{59, 59, 0.95, 0.04849452524942311}, {58, 59, 0.95, 0.19908278786605288}, {96, 100, 0.9, 0.023711082663476803},
		{0, 10, 0.3, 1}, {3, 10, 0.3, 0.6172172136000003}, {950, 1000, 0.93, 0.005929633320516906},
		{5, 20000, 1e-4, 0.05264399454037033}, {19990, 20000, 0.999, 0.010782653296658992}, {1, 1, 0.2, 0.2},
		{3, 2, 0.5, 0}, {1, 5, 0, 0}, {5, 5, 1, 1}, {100, 100, 1e-9, 0}, // by hand, the last within 1e-20
	} {
		if got := atLeast(tc.k, tc.n, tc.p); math.Abs(got-tc.want) > 1e-11*max(tc.want, 1e-9) {
			t.Errorf("%d of %d at %v: %.16g, want %.16g", tc.k, tc.n, tc.p, got, tc.want)
		}
	}
}

// By hand: 10 of 100 alarms under a limit of 0.2 are 90 of 100 rows without one where 0.8 have none.
func TestTail(t *testing.T) {
	for _, tc := range []struct {
		f    pragma.Floor
		k, n int
		want float64
	}{
		{pragma.Floor{What: pragma.Alerts, Limit: 0.2}, 10, 100, atLeast(90, 100, 0.8)},
		{pragma.Floor{What: pragma.RecallFloor, Limit: 0.9}, 96, 100, atLeast(96, 100, 0.9)},
		{pragma.Floor{What: pragma.RecallFloor, Limit: 0.9}, 0, 0, 1},
		{pragma.Floor{What: pragma.RecallFloor}, 0, 10, 0},
		{pragma.Floor{What: pragma.FalseAlarms, Limit: 1}, 10, 10, 0},
	} {
		if got := tail(&tc.f, tc.k, tc.n); got != tc.want {
			t.Errorf("%+v, %d of %d: %v, want %v", tc.f, tc.k, tc.n, got, tc.want)
		}
	}
}

// By hand: no outcome leaves the wealth at 1; ten gains of 1 multiply that of each gambler by (1+share)^10.
func TestWealth(t *testing.T) {
	var w wealth
	if p := w.p(); p != 1 {
		t.Errorf("of nothing p is %v", p)
	}
	w.add(1, 10)
	mean := 0.0
	for _, share := range bets {
		mean += math.Pow(1+share, 10) / 12
	}
	if p := w.p(); math.Abs(p*mean-1) > 1e-9 {
		t.Errorf("p is %v, want 1/%v", p, mean)
	}
	w = wealth{}
	w.add(-1, 3)
	if p := w.p(); p != 1 {
		t.Errorf("of losses alone p is %v", p)
	}
}

// Where the mean is 0, p is below 0.05 in no more than 5 % of 4,000 samples, and it gets small where the mean is above.
func TestWealthHoldsItsLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	low, small := 0, 0
	const draws = 4000
	for range draws {
		var null, better wealth
		for range 200 {
			if rng.Float64() < 0.9 {
				null.add(0.1, 1)
			} else {
				null.add(-0.9, 1)
			}
			better.add(0.1-float64(0.9*math.Floor(rng.Float64()+0.02)), 1)
		}
		if null.p() <= 0.05 {
			low++
		}
		if better.p() <= 0.05 {
			small++
		}
	}
	if share := float64(low) / draws; share > 0.05 {
		t.Errorf("p is 0.05 or less in %v of the samples", share)
	}
	if share := float64(small) / draws; share < 0.9 {
		t.Errorf("of a mean of 0.08 p is 0.05 or less in %v of the samples", share)
	}
}
