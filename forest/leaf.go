package forest

import (
	"slices"

	"github.com/rfpragma/rfpragma/forest/internal/vector"
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
func (g *grower) vote(at task, class uint32) { g.endAt(at, class) }

// endAt makes a node a leaf of the given vote, which the out-of-bag rows that fall into it note.
func (g *grower) endAt(at task, vote uint32) {
	g.draft.leaf(at.node, vote)
	g.tidy(&at)
	for _, id := range g.trueIDs(at) {
		g.votes[id] = vote
	}
}

// castRows is how many rows are locked while a tree adds its votes to those of the forest.
const castRows = 1 << 14

// cast adds the votes of the out-of-bag rows to those of the forest: row by row in their order,
// which is much quicker than leaf by leaf.
func (g *grower) cast() {
	k := g.data.k
	for b := range g.locks {
		lo := b * castRows
		hi := min(lo+castRows, len(g.votes))
		g.locks[b].Lock()
		if g.cfg.Soft {
			g.castShares(g.counts[lo*k:hi*k], g.votes[lo:hi])
		} else {
			castClasses(g.counts[lo*k:hi*k], g.votes[lo:hi], k)
		}
		g.locks[b].Unlock()
	}
}

// castClasses adds the votes for classes of rows, k counts to each. Rows in the bag add nothing to their last class:
// a branch would be mistaken often.
func castClasses(counts, votes []uint32, k int) {
	if k == 2 { // with a factor that is known it takes a quarter of the time
		for i, v := range votes {
			counts[2*i+int(v&1)] += uint32(vector.Below(v, 2))
		}
		return
	}
	for _, v := range votes {
		row := counts[:k]
		row[min(int(v), k-1)] += uint32(vector.Below(v, uint32(k)))
		counts = counts[k:]
	}
}

// castShares is castClasses for votes that are divided.
func (g *grower) castShares(counts, votes []uint32) {
	k := g.data.k
	for i, v := range votes {
		row := counts[i*k : i*k+k]
		switch at := (int(v) - k) * k; {
		case v < uint32(k):
			row[v] += vote.Unit
		case v != inBag:
			for c, s := range g.draft.shares[at : at+k] {
				row[c] += uint32(s)
			}
		}
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
	g.endAt(at, uint32(len(g.draft.shares)/g.data.k-1+g.data.k))
}
