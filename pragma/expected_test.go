package pragma_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand: a row that is poor or good with equal probability, and never fair, costs least as fair, as both others are
// wrong by two marks half of the time: 0.5·4 = 2 each, and 0.5·1 + 0.5·1 = 1 as fair. No vote weights decide a class
// that has no vote.
func TestDecideHedges(t *testing.T) {
	costs := pragma.Costs{Matrix: [][]float64{{0, 1, 4}, {1, 0, 1}, {4, 1, 0}}}
	order := []int{0, 1, 2}
	for _, tc := range []struct {
		p    []float64
		want int
	}{
		{[]float64{0.5, 0, 0.5}, 1},
		{[]float64{0.9, 0, 0.1}, 0},   // 0.4, 0.9 + 0.1 = 1, 3.6
		{[]float64{0.6, 0.2, 0.2}, 1}, // 0.2 + 0.8 = 1, 0.6 + 0.2 = 0.8, 2.4 + 0.2 = 2.6
		{[]float64{0.1, 0, 0.9}, 2},
	} {
		if got := costs.Decide(tc.p, math.NaN(), order); got != tc.want {
			t.Errorf("%v: %d, want %d", tc.p, got, tc.want)
		}
	}
	for _, w := range []vote.Weights{nil, {1, 1e9, 1}, {1e-9, 1, 1e-9}} {
		if got := vote.NewRule(w, []int{0, 1, 2}).Decide([]uint32{5, 0, 5}); got == 1 {
			t.Errorf("weights %v decide a class without a vote", w)
		}
	}
}

// By hand: an alarm costs 5 in vain, a miss the amount; where fraud has the probability 0.25 it is raised from
// 5·0.75/0.25 = 15 on, where both cost 3.75.
func TestDecideByAmount(t *testing.T) {
	costs := pragma.Costs{Matrix: [][]float64{{0, 1}, {5, 0}}, ByAmount: []bool{true, false}}
	p := []float64{0.25, 0.75}
	for amount, want := range map[float64]int{0: 1, 14.99: 1, 15: 0, 15.01: 0, 1e300: 0} {
		if got := costs.Decide(p, amount, []int{0, 1}); got != want {
			t.Errorf("amount %v: %d, want %d", amount, got, want)
		}
	}
	if got := costs.Decide(p, 15, []int{1, 0}); got != 1 {
		t.Errorf("the tie goes to %d, not to the first in order", got)
	}
}

// What is beyond numbers decides nothing: a class without a probability costs nothing however much is at stake.
func TestDecideOfHugeCosts(t *testing.T) {
	costs := pragma.Costs{Matrix: [][]float64{{0, math.MaxFloat64}, {1, 0}}, ByAmount: []bool{true, false}}
	if got := costs.Decide([]float64{0, 1}, math.MaxFloat64, []int{0, 1}); got != 1 {
		t.Errorf("%d where the first class cannot be", got)
	}
	if got := costs.Decide([]float64{1e-300, 1}, math.MaxFloat64, []int{1, 0}); got != 0 {
		t.Errorf("%d where a miss costs without end", got)
	}
}

// Against a slow reference: every decision of every order costs no less than the one that is taken.
func TestDecideIsLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		k := 2 + rng.IntN(4)
		costs := pragma.Costs{Matrix: make([][]float64, k), ByAmount: make([]bool, k)}
		p, sum := make([]float64, k), 0.0
		for c := range k {
			costs.ByAmount[c] = rng.IntN(2) == 0
			for range k {
				costs.Matrix[c] = append(costs.Matrix[c], float64(rng.IntN(10)))
			}
			p[c] = float64(rng.IntN(5))
			sum += p[c]
		}
		if sum == 0 {
			continue
		}
		amount := float64(rng.IntN(4))
		expected := func(decision int) float64 {
			total := 0.0
			for c := range k {
				cost := costs.Matrix[c][decision]
				if costs.ByAmount[c] {
					cost *= amount
				}
				total += p[c] * cost // of whole numbers, and so exact
			}
			return total
		}
		order := rng.Perm(k)
		got := costs.Decide(p, amount, order)
		for _, d := range order {
			if expected(d) < expected(got) {
				t.Fatalf("%v, %v, amount %v: %d costs less than %d", costs, p, amount, d, got)
			}
			if d == got {
				break
			}
			if expected(d) == expected(got) {
				t.Fatalf("%v, %v, amount %v: %d costs the same as %d and comes first in %v", costs, p, amount, d, got, order)
			}
		}
	}
}

// Sums of the same terms in another order differ in their last bits, and then one of equally dear decisions costs
// less. So the classes are taken in the order that decides between equals, however they are listed.
func TestDecideHoweverListed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		k := 3 + rng.IntN(3)
		costs, other := pragma.Costs{Matrix: make([][]float64, k)}, pragma.Costs{Matrix: make([][]float64, k)}
		to, order := rng.Perm(k), rng.Perm(k)
		p, moved, movedOrder := make([]float64, k), make([]float64, k), make([]int, k)
		for c := range k {
			p[c] = float64(1+rng.IntN(3)) / 10
			moved[to[c]], movedOrder[c], other.Matrix[c] = p[c], to[order[c]], make([]float64, k)
			for range k {
				costs.Matrix[c] = append(costs.Matrix[c], float64(rng.IntN(4)))
			}
		}
		for c, line := range costs.Matrix {
			for d, cost := range line {
				other.Matrix[to[c]][to[d]] = cost
			}
		}
		if got, want := other.Decide(moved, 1, movedOrder), to[costs.Decide(p, 1, order)]; got != want {
			t.Fatalf("%v, %v: %d, listed as %v %d", costs, p, want, to, got)
		}
	}
}
