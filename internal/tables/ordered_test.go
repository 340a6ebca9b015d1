package tables

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// Pieces are ordered by the mean of their kind, then by their ties, as if all were sorted by these at once.
func TestOrdered(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		kinds := make([]kind, 1+rng.IntN(6))
		for i := range kinds {
			kinds[i].mean = float64(rng.IntN(4)) / 8 // some are alike
		}
		kindOf := make([]int, rng.IntN(40))
		for i := range kindOf {
			kindOf[i] = rng.IntN(len(kinds))
		}
		salt := rng.Uint64()
		want := make([]place, len(kindOf))
		for i := range want {
			want[i] = place{i, portable.Mixed(uint64(i), salt)}
		}
		slices.SortFunc(want, func(a, b place) int {
			return cmp.Or(cmp.Compare(kinds[kindOf[a.piece]].mean, kinds[kindOf[b.piece]].mean), cmp.Compare(a.tie, b.tie))
		})
		if got := ordered(kinds, kindOf, salt); !slices.Equal(got, want) {
			t.Fatalf("kinds %v of %v:\n%v, want\n%v", kindOf, kinds, got, want)
		}
	}
}
