package paired_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/paired"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand: six rows, of weights 1, 1, 2, 3, 1 and 4.
func TestPair(t *testing.T) {
	classes := []string{"ill", "well"}
	p := paired.New(classes, nil)
	for _, row := range []struct {
		truth, a, b int
		weight      float64
	}{{0, 0, 0, 1}, {0, 1, 0, 1}, {0, 1, 0, 2}, {1, 1, 1, 3}, {1, 1, 0, 1}, {1, 1, 1, 4}, {1, 0, 0, 0}} {
		p.Add(row.truth, row.a, row.b, row.weight, row.weight)
	}
	a, b := p.Confusions()
	if diff := cmp.Diff([][]float64{{1, 3}, {0, 8}}, a.Rows()) + cmp.Diff([][]float64{{4, 0}, {1, 7}},
		b.Rows()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// Rows of weights 1, 1 and 2 are of class 0: 4² / (1 + 1 + 4). The second rule decides weights 1, 1, 2 and 1 as 0:
	// 5² / (1 + 1 + 4 + 1).
	rows := func(want func(truth, a, b int) bool) float64 { return p.Share(want, want).Effective(0.5, 1) }
	recall := rows(func(truth, _, _ int) bool { return truth == 0 })
	precision := rows(func(_, _, b int) bool { return b == 0 })
	if none := rows(func(int, int, int) bool { return false }); math.Abs(recall-16.0/6) > 1e-12 ||
		math.Abs(precision-25.0/7) > 1e-12 || none != 0 {
		t.Errorf("effective numbers %v and %v of rows, %v of none; want 16/6, 25/7 and 0", recall, precision, none)
	}
	// Over samples the weight of a cell has its mean, and as variance the sum of the squares: 1² + 2² where a misses
	// and b finds.
	const times = 20_000
	sum, squares := 0.0, 0.0
	p.Resample(rand.New(rand.NewPCG(1, 2)), times, func(a, b *vote.Confusion) {
		missed := a.At(0, 1)
		sum, squares = sum+missed, squares+missed*missed
		if a.True(0) != b.True(0) || a.True(1) != b.True(1) {
			t.Fatal("the two rules judge different rows")
		}
	})
	mean := sum / times
	if variance := squares/times - mean*mean; math.Abs(mean-3) > 0.08 || math.Abs(variance-5) > 0.3 {
		t.Errorf("mean %v, variance %v; want 3 and 5", mean, variance)
	}
}

// No unit of the weights is too small or too large to be squared: in any power of 2 rows count and are drawn as in
// another.
func TestPairInAnyUnit(t *testing.T) {
	drawn := func(exp int) (effective float64, hits []float64) {
		p := paired.New([]string{"ill", "well"}, nil)
		for i, w := range []float64{1, 3, 2, 1, 1, 5} {
			w = math.Ldexp(w, exp)
			p.Add(i%2, i%3/2, i%2, w, w)
		}
		p.Resample(rand.New(rand.NewPCG(1, 3)), 20, func(a, b *vote.Confusion) {
			hits = append(hits, math.Ldexp(a.Hits(1), -exp), math.Ldexp(b.Total(), -exp))
		})
		is := func(truth, _, _ int) bool { return truth == 1 }
		return p.Share(is, is).Rows(), hits
	}
	wantRows, want := drawn(0)
	for _, exp := range []int{-1000, -565, 600, 1000} { // 2^-565 is about 1e-170
		rows, hits := drawn(exp)
		if diff := cmp.Diff(want, hits); diff != "" || rows != wantRows {
			t.Errorf("weights in units of 2^%d: %v rows, want %v (-want +got)\n%s", exp, rows, wantRows, diff)
		}
	}
}

// Renamed classes, with the rank that belongs to them, are the same draws.
func TestPairForgetsNames(t *testing.T) {
	x, y := paired.New([]string{"a", "b", "c"}, []int{0, 1, 2}), paired.New([]string{"c", "a", "b"}, []int{2, 0, 1})
	to := []int{1, 2, 0} // a, b, c among the others
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		truth, a, b, w := rng.IntN(3), rng.IntN(3), rng.IntN(3), 1+float64(rng.IntN(4))
		x.Add(truth, a, b, w, w)
		y.Add(to[truth], to[a], to[b], w, w)
	}
	var of [2][]float64
	for i, p := range []*paired.Decisions{x, y} {
		p.Resample(rand.New(rand.NewPCG(5, 6)), 20, func(a, b *vote.Confusion) {
			first := i // class a is 0 in the one and 1 in the other
			of[i] = append(of[i], a.Hits(first), b.Predicted(first))
		})
	}
	if diff := cmp.Diff(of[0], of[1]); diff != "" {
		t.Errorf("(-names +other names)\n%s", diff)
	}
}
