package forest

import (
	"slices"
	"sync/atomic"

	"github.com/rfpragma/rfpragma/vote"
)

// leaf makes the node at hand a leaf.
func (g *grower) leaf(at task) {
	if g.cfg.Soft && len(g.present) > 1 {
		g.softLeaf(at)
		return
	}
	winner := 0
	for c, w := range g.totals {
		if w > g.totals[winner] { // of equals the class more common in the training rows
			winner = c
		}
	}
	g.vote(at, uint32(g.data.classes[winner]))
}

// vote makes a node a leaf that votes for a class, given by its index, and casts the votes of
// the out-of-bag rows that fall into it.
func (g *grower) vote(at task, class uint32) {
	g.draft.leaf(at.node, class)
	counts, k, unit := g.counts[class:], g.data.k, uint32(1)
	if g.cfg.Soft {
		unit = vote.Unit
	}
	for _, id := range g.trueIDs(at) {
		atomic.AddUint32(&counts[int(id)*k], unit)
	}
}

// softLeaf makes a node a leaf that divides its vote between the classes of its rows: by their
// weights, rounded down to whole parts of [vote.Unit], of which the rest goes one by one to
// those that lost most, of equals to the more common in the training rows.
func (g *grower) softLeaf(at task) {
	shares := g.draft.addShares(g.data.k)
	rest, lost := uint16(vote.Unit), slices.Clone(g.totals)
	for c, w := range g.totals {
		part := float64(w / g.weight * vote.Unit)
		s := uint16(part)
		shares[g.data.classes[c]] = s
		lost[c] = part - float64(s)
		rest -= s
	}
	for ; rest > 0; rest-- {
		c := 0
		for i, l := range lost {
			if l > lost[c] {
				c = i
			}
		}
		shares[g.data.classes[c]]++
		lost[c] = -1
	}
	if slices.Contains(shares, vote.Unit) { // as good as pure
		g.draft.shares = g.draft.shares[:len(g.draft.shares)-g.data.k]
		g.vote(at, uint32(slices.Index(shares, vote.Unit)))
		return
	}
	g.draft.leaf(at.node, uint32(len(g.draft.shares)/g.data.k-1+g.data.k))
	for _, id := range g.trueIDs(at) {
		for c, s := range shares {
			atomic.AddUint32(&g.counts[int(id)*g.data.k+c], uint32(s))
		}
	}
}
