package vote_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// A histogram is the same to the bit for any order of the rows, and for any parts that are merged; cell
// by cell it is what the slow way counts.
func TestHistogram(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 81))
		k, n := 2+rng.IntN(4), rng.IntN(400)
		table := &vote.Table{Classes: []string{"a", "b", "c", "d", "e"}[:k], Source: vote.CV, Trees: 3}
		whole := rng.IntN(2) == 0
		for range n {
			table.Truth = append(table.Truth, rng.IntN(k+1)-1)
			for range k {
				table.Counts = append(table.Counts, uint32(rng.IntN(2)))
			}
			w := float64(rng.IntN(4))
			if !whole {
				w = rng.ExpFloat64() * []float64{1e-9, 1, 1e9}[rng.IntN(3)]
			}
			table.Weight = append(table.Weight, w)
		}
		want := table.Histogram()
		merged := vote.NewHistogram(k)
		parts := []*vote.Histogram{vote.NewHistogram(k), vote.NewHistogram(k), vote.NewHistogram(k)}
		for _, i := range rng.Perm(n) {
			parts[rng.IntN(3)].Add(table.Votes(i), table.Truth[i], table.Weight[i])
		}
		for _, i := range rng.Perm(3) {
			merged.Merge(parts[i])
		}
		a, b := want.Table(table), merged.Table(table)
		if !slices.Equal(a.Truth, b.Truth) || !slices.Equal(a.Counts, b.Counts) || !slices.Equal(a.Weight, b.Weight) ||
			merged.Cells() != a.Rows() {
			t.Fatalf("seed %d: merged %v, want %v", seed, b, a)
		}
		rows := 0
		for i, truth := range table.Truth {
			if truth >= 0 && table.Weight[i] > 0 && vote.Total(table.Votes(i)) > 0 {
				rows++
			}
		}
		if tables.Stands(a) != rows {
			t.Fatalf("seed %d: %d rows, want %d", seed, tables.Stands(a), rows)
		}
		if whole {
			for c := range a.Truth {
				sum := 0.0
				for i := range table.Truth {
					if table.Truth[i] == a.Truth[c] && slices.Equal(table.Votes(i), a.Votes(c)) {
						sum += table.Weight[i]
					}
				}
				if sum != a.Weight[c] {
					t.Fatalf("seed %d: cell %d weighs %v, want %v", seed, c, a.Weight[c], sum)
				}
			}
		}
	}
}

// BenchmarkHistogram counts rows of two classes, 500 votes each.
func BenchmarkHistogram(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 82))
	votes := make([]uint32, 2*4096)
	for i := range 4096 {
		votes[2*i] = uint32(rng.IntN(501))
		votes[2*i+1] = 500 - votes[2*i]
	}
	h := vote.NewHistogram(2)
	for i := 0; b.Loop(); i++ {
		at := 2 * (i % 4096)
		h.Add(votes[at:at+2], i%3/2, 1)
	}
}
