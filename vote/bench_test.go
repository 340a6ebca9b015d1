package vote_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// Out-of-bag votes of 500 trees for 20,000 rows, of two classes and of 26.
func BenchmarkPredictive(b *testing.B) {
	for _, k := range []int{2, 26} {
		rng := rand.New(rand.NewPCG(1, 1))
		t := &vote.Table{Source: vote.OOB, Trees: 500, Share: make([]float64, k)}
		for c := range k {
			t.Classes = append(t.Classes, string(rune('a'+c)))
		}
		for range 20000 {
			truth := rng.IntN(k)
			t.Truth = append(t.Truth, truth)
			t.Share[truth]++
			votes := make([]uint32, k)
			other := rng.Float64() * 0.5
			other *= other
			for range 150 + rng.IntN(70) {
				if rng.Float64() < other {
					votes[(truth+1+rng.IntN(min(k-1, 6)))%k]++
				} else {
					votes[truth]++
				}
			}
			t.Counts = append(t.Counts, votes...)
		}
		b.Run(fmt.Sprint(k), func(b *testing.B) {
			for b.Loop() {
				tables.Predictive(t)
			}
		})
	}
}
