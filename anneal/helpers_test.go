package anneal_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// random returns a table of k classes with up to n rows of at most trees votes, with ties,
// rows without votes, rows of unknown class, and with whole or real case weights or none.
func random(rng *rand.Rand, n, k, trees int) *vote.Table {
	t := &vote.Table{Source: vote.CV, Trees: trees, Truth: []int{}, Counts: []uint32{}}
	for c := range k {
		t.Classes = append(t.Classes, string(rune('a'+c)))
		t.Share = append(t.Share, rng.Float64())
	}
	kind := rng.IntN(3)
	for i := range 2 + rng.IntN(n-1) {
		t.Truth = append(t.Truth, (i+rng.IntN(2))%(k+1)-1)
		t.Counts = append(t.Counts, make([]uint32, k)...)
		for range rng.IntN(trees + 1) {
			c := rng.IntN(k)
			if t.Truth[i] >= 0 && rng.IntN(2) == 0 {
				c = t.Truth[i]
			}
			t.Votes(i)[c]++
		}
		switch kind {
		case 1:
			t.Weight = append(t.Weight, float64(rng.IntN(4)))
		case 2:
			t.Weight = append(t.Weight, rng.Float64())
		}
	}
	return t
}

// tunable tells whether a search has anything to choose on t.
func tunable(t *vote.Table) bool {
	h := t.Compress()
	return slices.ContainsFunc(h.Truth, func(c int) bool { return c != h.Truth[0] })
}

// measures returns measures over classes with random settings.
func measures(t testing.TB, rng *rand.Rand, classes []string) map[string]pragma.Measure {
	spec := pragma.Spec{}
	costs := make([][]float64, len(classes))
	for i, c := range classes {
		spec[c] = pragma.Preference{Theta: 0.1 + 10*rng.Float64(), X: 0.99 * rng.Float64(), Y: 0.99 * rng.Float64()}
		for j := range classes {
			costs[i] = append(costs[i], float64(rng.IntN(20)))
			if i == j {
				costs[i][j] = 0
			}
		}
	}
	costs[0][1] = 1
	p, err1 := spec.Measure(classes)
	f, err2 := pragma.F(0, 1)
	c, err3 := pragma.Costs{Matrix: costs}.Measure()
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string]pragma.Measure{"pragma": p, "f1": f, "cost": c}
}

// search runs s and checks what must hold of every result: the loss is that of deciding
// anew, no worse than the plain vote, and stays the same within the intervals.
func search(t *testing.T, s anneal.Search, table *vote.Table, m pragma.Measure) anneal.Result {
	t.Helper()
	s.Choice = anneal.Lowest
	r, err := s.Weights(t.Context(), table, m)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Weights.Check(len(table.Classes)); err != nil || r.Weights == nil {
		t.Fatalf("weights %v: %v", r.Weights, err)
	}
	if got := m.Loss(table.Confuse(r.Weights)); got != r.Loss {
		t.Fatalf("deciding anew under %v gives %v, the search says %v", r.Weights, got, r.Loss)
	}
	if got := m.Loss(table.Confuse(nil)); got != r.Plain || r.Loss > r.Plain {
		t.Fatalf("the plain vote gives %v, the search says %v, and %v for its own", got, r.Plain, r.Loss)
	}
	if common := table.TieOrder()[0]; r.Weights[common] != 1 {
		t.Fatalf("weights %v, where the most common class, %d, must have 1", r.Weights, common)
	}
	for c, w := range r.Weights {
		low, high := r.Low[c], r.High[c]
		if !(low >= 0 && low <= w*(1+1e-12) && w <= high*(1+1e-12)) {
			t.Fatalf("class %d: weight %v is not within its interval from %v to %v", c, w, low, high)
		}
		for _, part := range []float64{0.1, 0.5, 0.9} {
			other := slices.Clone(r.Weights)
			other[c] = between(low, high, part)
			if low == high || !clear(table, other) {
				continue
			}
			if got := m.Loss(table.Confuse(other)); !near(got, r.Loss) {
				t.Fatalf("class %d, weight %v within %v to %v: loss %v, not %v as at %v", c, other[c], low, high, got, r.Loss,
					r.Weights)
			}
		}
	}
	return r
}

// between returns a number within the interval, by ratio.
func between(low, high, part float64) float64 {
	switch {
	case low == 0 && math.IsInf(high, 1):
		return math.Exp(20 * (part - 0.5))
	case low == 0:
		return high * math.Exp(20*(part-1))
	case math.IsInf(high, 1):
		return low * math.Exp(20*part)
	}
	return low * math.Pow(high/low, part)
}

// clear tells whether no row is decided by a tie, or nearly so.
func clear(t *vote.Table, w vote.Weights) bool {
	for _, votes := range t.Judged() {
		var scores []float64
		for c, v := range votes {
			scores = append(scores, w[c]*float64(v))
		}
		slices.Sort(scores)
		if k := len(scores); scores[k-2] > scores[k-1]*(1-1e-9) {
			return false
		}
	}
	return true
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-10*max(1, math.Abs(a), math.Abs(b)) }
