package anneal

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Along any direction the loss between two cuts is that of deciding the table anew there.
func TestTowardIsDecide(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 72))
		k := 3 + rng.IntN(4)
		table := votesOf(rng, 40, k, 0.3)
		h := table.Compress()
		p := newProblem(h, pragma.Balanced)
		weights, direction := make([]float64, k), make([]float64, k)
		for r := range weights {
			weights[r], direction[r] = math.Exp(rng.NormFloat64()), rng.NormFloat64()
		}
		s := p.start(slices.Clone(weights))
		before := s.loss
		l, err := s.toward(t.Context(), direction)
		if err != nil || s.loss != before || !slices.Equal(s.weights, weights) {
			t.Fatalf("seed %d: %v; the state became %v of loss %v", seed, err, s.weights, s.loss)
		}
		for g := range l.loss {
			low, high := 0.0, math.Inf(1)
			if g > 0 {
				low = l.cuts[g-1]
			}
			if g < len(l.cuts) {
				high = l.cuts[g]
			}
			if !ordinary(middle(low, high)) || high/low < 1+1e-9 { // beyond what a weight may be, or dust
				continue
			}
			x := middle(low, high)
			w := make(vote.Weights, k)
			for r, c := range p.order {
				w[c] = weights[r] * math.Pow(x, direction[r])
			}
			if got := pragma.Balanced.Loss(h.Confuse(w)); !same(got, l.loss[g]) {
				t.Fatalf("seed %d: between %v and %v the loss is %v, decided anew %v", seed, low, high, l.loss[g], got)
			}
		}
	}
}

// Cuts come out in their order, equal ones as they came in.
func TestSortCuts(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 73))
		cuts := make([]cut, rng.IntN(300))
		for i := range cuts {
			cuts[i] = cut{at: math.Exp(100 * rng.NormFloat64()), row: int32(i)}
			if rng.IntN(3) == 0 {
				cuts[i].at = float64(1 + rng.IntN(4))
			}
		}
		want := slices.Clone(cuts)
		slices.SortStableFunc(want, func(a, b cut) int {
			switch {
			case a.at < b.at:
				return -1
			case a.at > b.at:
				return 1
			}
			return 0
		})
		if got := sortCuts(cuts, make([]cut, len(cuts))); !slices.Equal(got, want) {
			t.Fatalf("seed %d: not in order", seed)
		}
	}
}
