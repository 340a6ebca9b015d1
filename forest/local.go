package forest

import (
	"slices"

	"github.com/rfpragma/rfpragma/forest/internal/vector"
)

// With very many rows the columns do not fit into the cache next to the processor, and reading
// the cells of a node's rows means waiting for memory. So when the walk comes to a subtree of few
// enough rows, their codes are copied side by side, first those of the in-bag rows, then those
// out of bag, and the subtree is grown on the copy, in which the id of a row is its place. Nothing
// else changes: the codes are the same.

const (
	localRows  = 1 << 14 // rows of a subtree that is grown on a copy
	localFrom  = 1 << 16 // rows of the data from which that pays,
	localTries = 8       // if there are up to so many columns for each that is tried at a node,
	localMixed = 128     // and the subtree is no chain: so many rows are of the most common class, and so many not
)

// localCopy is the copy of the subtree at hand.
type localCopy struct {
	columns []codedColumn
	saved   []row    // the in-bag rows with their true ids; none if no subtree is copied
	lo      int      // where in inBag they belong
	out     []uint32 // the true ids of the rows out of bag
}

// copySubtree copies the columns for the rows of a node, if that pays.
func (g *grower) copySubtree(at *task) {
	rows, out := g.inBag[at.lo:at.hi], g.outOfBag[at.oobLo:at.oobHi]
	l, p := &g.local, len(g.columns)
	if at.local || len(rows) > g.ways.localRows || len(g.votes) < g.ways.localFrom || p > localTries*g.cfg.Mtry ||
		g.data.real != nil || g.cfg.MaxLeaves > 0 {
		return
	}
	if g.nearlyPure(rows) {
		return
	}
	l.saved, l.lo, l.out = append(l.saved, rows...), at.lo, append(l.out[:0], out...)
	if l.columns == nil {
		l.columns = make([]codedColumn, p)
	}
	for j := range l.columns {
		from, to := &g.columns[j], &l.columns[j]
		to.values, to.most, to.categorical = from.values, from.most, from.categorical
		if from.wide != nil {
			to.wide = copyWide(to.wide, rows, out, from.wide)
		} else {
			to.narrow = copyNarrow(to.narrow, rows, out, from.narrow)
		}
	}
	for i, r := range rows {
		rows[i] = row(i)<<32 | row(r.payload())
	}
	for i := range out {
		out[i] = uint32(len(rows) + i)
	}
	at.local = true
}

// nearlyPure tells whether the rows will be parted by few cuts.
func (g *grower) nearlyPure(rows []row) bool {
	others := 0
	for _, r := range rows {
		others += vector.Below(0, r.class())
	}
	return min(others, len(rows)-others) < g.ways.localMixed
}

// copyWide returns the codes of the rows, in the memory of to where it is enough.
func copyWide(to []uint32, rows []row, out, codes []uint32) []uint32 {
	to = slices.Grow(to[:0], len(rows)+len(out))[:len(rows)+len(out)]
	vector.Fetch(to, rows, codes)
	vector.Fetch(to[len(rows):], out, codes)
	return to
}

// copyNarrow is copyWide for codes of 16 bits, which stay such; those fetched for vectors have 32.
func copyNarrow(to []uint16, rows []row, out []uint32, codes []uint16) []uint16 {
	to = slices.Grow(to[:0], len(rows)+len(out))[:len(rows)+len(out)]
	for i, r := range rows {
		to[i] = codes[r>>32]
	}
	for i, id := range out {
		to[len(rows)+i] = codes[id]
	}
	return to
}

// trueIDs gives the rows out of bag of a node, a range of which is given, their ids back.
func (g *grower) trueIDs(at task) []uint32 {
	ids := g.outOfBag[at.oobLo:at.oobHi]
	if at.local {
		for i, id := range ids {
			ids[i] = g.local.out[int(id)-len(g.local.saved)]
		}
	}
	return ids
}

// leaveCopy gives the rows of a subtree that is done with their ids back: counts that were kept of the
// nodes above it are told by them which rows have left.
func (g *grower) leaveCopy() {
	copy(g.inBag[g.local.lo:g.local.lo+len(g.local.saved)], g.local.saved)
	g.local.saved = g.local.saved[:0]
}
