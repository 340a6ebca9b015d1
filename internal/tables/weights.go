package tables

import (
	"slices"
	"sort"

	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// Enough returns with how many votes, at least, out of trees class c of two wins; trees+1 if even all do not
// suffice.
func Enough(r vote.Rule, trees, c int) int {
	votes := make([]uint32, 2)
	return 1 + sort.Search(trees, func(i int) bool { // more votes never lose: a file may speak of billions
		votes[c], votes[1-c] = uint32(i+1), uint32(trees-i-1)
		return r.Decide(votes) == c
	})
}

// Shares writes into dst the weighted share of the votes for each class, w_c·v_c over the sum of all: what [Rule]
// compares. They sum to 1, the largest is that of the class that is decided, and without votes each is 0. W (nil
// means 1 each), dst and votes have length k.
func Shares(w vote.Weights, dst []float64, votes []uint32) {
	largest := 1.0
	if w != nil {
		largest = slices.Max(w) // so that no product is too large
	}
	for c, v := range votes {
		dst[c] = float64(v)
		if w != nil {
			dst[c] *= w[c] / largest
		}
	}
	sum := portable.Total(dst) // however the classes are listed
	if sum == 0 {
		return
	}
	for c := range dst {
		dst[c] /= sum
	}
}
