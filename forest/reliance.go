package forest

import (
	"fmt"

	"github.com/rfpragma/rfpragma/vote"
)

// Contributions writes into dst (len p), for each feature, how many of the counts that [Forest.Vote] casts for
// class, an index into Classes, the row x would lose if its cell of that feature alone were missing. It is
// below 0 if the row would win counts, and 0 if the cell is missing already. [Forest.Unit] counts make one
// vote. Other lengths panic.
//
// In each tree the row is followed, once for each feature, from the node where its path without the cell leaves
// its path with it. That takes as long as a few votes on the row, however many features it has.
func (f *Forest) Contributions(dst []int64, x []float64, class int) {
	p := len(f.Schema)
	if len(x) != p || len(dst) != p {
		panic(fmt.Sprintf("forest: Reliance of %d cells into %d numbers; the forest has %d features", len(x), len(dst), p))
	}
	clear(dst)
	if f.sums != nil {
		f.contributeSums(dst, x, class)
		return
	}
	type parting struct{ feature, node int }
	var parted []parting
	last := make([]int, p) // the last tree, from 1, in which the way without the cell has parted
	for t, nodes := range f.trees {
		parted = parted[:0]
		n := nodes[0]
		for j := int(f.layout.featureOf(n)); j != p; j = int(f.layout.featureOf(n)) {
			own, without := f.nextOf(n, j, x[j]), f.next(n, noRank)
			if own != without && last[j] != t+1 {
				last[j], parted = t+1, append(parted, parting{j, int(without)})
			}
			n = nodes[own]
		}
		own := f.castFor(class, f.layout.cut(n))
		for _, from := range parted {
			n := nodes[from.node]
			for j := int(f.layout.featureOf(n)); j != p; j = int(f.layout.featureOf(n)) {
				if j == from.feature {
					n = nodes[f.next(n, noRank)]
				} else {
					n = nodes[f.nextOf(n, j, x[j])]
				}
			}
			dst[from.feature] += own - f.castFor(class, f.layout.cut(n))
		}
	}
}

// castFor returns what the vote of a leaf adds to the counts of a class, see cast.
func (f *Forest) castFor(class int, leaf uint32) int64 {
	k := uint32(len(f.Classes))
	switch {
	case leaf >= k:
		return int64(f.shares[int(leaf-k)*int(k)+class])
	case int(leaf) != class:
		return 0
	case f.soft:
		return vote.Unit
	}
	return 1
}
