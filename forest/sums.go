package forest

import "github.com/rfpragma/rfpragma/forest/internal/vector"

// classSums keeps the class sums of waiting nodes of many rows, k to each, so that only those of
// the smaller child need to be counted: the larger has the rest. It is a stack, as the list
// of nodes is. Of a split that was found with vectors the sums of both are known. (With real weights the difference would not be the sum to the last bit.)
type classSums []float64

const rowsForSums = 64 // and 4 k: below that counting is as fast

// keepSums keeps the sums of the children of the node at hand.
func (g *grower) keepSums(small, large *task) {
	k, known := g.data.k, g.best.left != 0
	least := max(rowsForSums, 4*k)
	if g.data.real != nil || g.cfg.MaxLeaves > 0 || large.hi-large.lo < least && !known {
		return
	}
	at := len(g.sums)
	g.sums = append(append(g.sums, g.totals...), g.totals...)
	l, s := g.sums[at:at+k], g.sums[at+k:]
	if sums := vector.Sums(g.best.left); !known {
		clear(s)
		for _, r := range g.inBag[small.lo:small.hi] {
			s[r.class()] += float64(int32(r.times()))
		}
	} else if copy(s, sums[:]); small.hi == g.at.hi {
		for c, w := range s {
			s[c] = g.totals[c] - w
		}
	}
	for c, w := range s {
		l[c] -= w
	}
	large.sums = at + k
	if known || small.hi-small.lo >= least {
		small.sums = at + 2*k
	} else {
		g.sums = g.sums[:at+k]
	}
}

// takeSums takes the sums of the node at hand off the stack.
func (g *grower) takeSums() {
	at, present := g.at.sums-g.data.k, g.present[:0]
	for c, w := range g.sums[at:g.at.sums] {
		g.totals[c] = w
		if w > 0 {
			present = append(present, int32(c))
		}
	}
	g.present, g.sums = present, g.sums[:at]
}
