package calib

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// By hand: of five others, of weight 6, one of weight 2 has 0.4, and one each 0.1, 0.1, 0.2 and 0.8.
func TestRanks(t *testing.T) {
	r, err := NewRanks([]float64{0.4, 0.1, 0.9, 0.1, 0.2, 0.8, 0.3}, []bool{false, false, true, false, false, false, true},
		[]float64{2, 1, 5, 1, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ share, want float64 }{{0, 1}, {0.1, 1}, {0.15, 4.0 / 6}, {0.2, 4.0 / 6}, {0.4, 0.5},
		{0.41, 1.0 / 6}, {0.8, 1.0 / 6}, {0.81, 0}, {1, 0}} {
		if got := r.FalsePositives(tc.share); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("from %v on the rate is %v, want %v", tc.share, got, tc.want)
		}
	}
	if err := r.Check(); err != nil {
		t.Error(err)
	}
	if err := (Ranks{Share: []float64{0.5, 0.4}, Above: []float64{1, 0.5}}).Check(); err == nil {
		t.Errorf("shares that fall: %v", err)
	}
	if err := (Ranks{}).Check(); err == nil {
		t.Errorf("no ranks: %v", err)
	}
}

// Of many shares the rates are never too small, and hardly too large.
func TestRanksAreThinned(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n = 20_000
	share, hit := make([]float64, n), make([]bool, n)
	for i := range share {
		share[i] = rng.Float64() * rng.Float64()
	}
	r, err := NewRanks(share, hit, nil)
	if err != nil || len(r.Share) > mostRanks || r.Check() != nil {
		t.Fatalf("%d ranks, %v", len(r.Share), err)
	}
	for _, s := range []float64{0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95} {
		above := 0.0
		for _, other := range share {
			if other >= s {
				above += 1.0 / n
			}
		}
		if got := r.FalsePositives(s); got < above-1e-9 || got > above*1.05+0.001 {
			t.Errorf("from %v on the rate is %v, by count %v", s, got, above)
		}
	}
}

// Amazon's documentation has these scores and rates; 0.3 by hand: 600·(1−0.2/0.9).
func TestScore(t *testing.T) {
	for _, tc := range []struct{ rate, want float64 }{{0, 1000}, {0.005, 975}, {0.01, 950}, {0.02, 900}, {0.03, 860},
		{0.05, 775}, {0.07, 700}, {0.1, 600}, {0.015, 925}, {0.3, 600 * 7.0 / 9}, {1, 0}, {2, 0}, {-1, 1000}} {
		if got := Score(tc.rate); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("of rate %v the score is %v, want %v", tc.rate, got, tc.want)
		}
	}
}

var errAny = errors.New("any error")

func TestRanksErrors(t *testing.T) {
	for _, tc := range []struct {
		share  []float64
		hit    []bool
		weight []float64
		want   error
	}{
		{[]float64{0.5}, nil, nil, errAny}, {[]float64{2}, []bool{false}, nil, errAny},
		{[]float64{0.5}, []bool{false}, []float64{-1}, errAny}, {[]float64{0.5}, []bool{true}, nil, ErrOneClass},
		{[]float64{0.5}, []bool{false}, []float64{0}, ErrOneClass},
	} {
		if _, err := NewRanks(tc.share, tc.hit, tc.weight); err == nil || tc.want != errAny && !errors.Is(err, tc.want) {
			t.Errorf("%+v: %v", tc, err)
		}
	}
}
