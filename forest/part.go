package forest

import "github.com/rfpragma/rfpragma/forest/internal/vector"

// How the rows of a node are parted between its children.

// settle replaces the ends of bins by the codes of the node that lie next to them.
func (g *grower) settle(col *codedColumn) {
	if !g.best.coarse {
		return
	}
	if codes := g.keptCodes(); codes != nil {
		g.best.lower, g.best.upper = vector.Neighbours(codes, g.best.lower)
		return
	}
	if len(g.rows) > g.ways.hugeRows && col.order != nil && g.settleInOrder(col) {
		return
	}
	g.wholeNode()
	below, above := uint32(0), ^uint32(0)
	for _, r := range g.rows {
		if c := col.at(r.id()); c <= g.best.lower {
			below = max(below, c)
		} else {
			above = min(above, c)
		}
	}
	g.best.lower, g.best.upper = below, above
}

// leftCodes returns which codes go left at the best numeric split, without a branch that the
// data decide: those that, counted from the first, are among the first span. Missing cells have
// code 0: counted from 0 they are among them, counted from 1 they are not.
func (g *grower) leftCodes() (first, span uint32) {
	if g.best.missingLeft {
		return 0, g.best.lower + 1
	}
	return 1, g.best.lower
}

// parting says how the rows of a node are parted by its best split.
type parting struct {
	col         *codedColumn
	first, span uint32       // the codes that go left
	bins        bool         // the bins of its rows are looked at first
	codes       []uint32     // of the in-bag rows, where they are at hand
	set         bool         // the codes are levels, and go as the set of the best split says
	levels      *codedColumn // rows out of the bag go by their levels here; nil if they go as the others
}

// parting returns that of a numeric feature.
func (g *grower) parting(col *codedColumn) parting {
	p := parting{col: col, bins: col.bin != nil && len(g.rows) > g.ways.hugeRows, codes: g.keptCodes()}
	p.first, p.span = g.leftCodes()
	return p
}

// partIn writes in-bag rows that go left to one place and the others to another, each in their order, and returns
// how many are left. Both places have room for all rows, and one of them may be where the rows stand.
func (g *grower) partIn(p *parting, rows, left, right []row) int {
	switch {
	case p.set:
		return partBy(rows, left, right, func(r row) uint32 { return g.setGoesLeft(p.col.at(r.id())) })
	case p.codes != nil:
		return vector.Part(rows, left, right, p.codes, p.first, p.span)
	}
	return partNumeric(rows, left, right, p)
}

// partOut is partIn for rows out of the bag.
func (g *grower) partOut(p *parting, ids, left, right []uint32) int {
	switch {
	case p.set:
		return partBy(ids, left, right, func(id uint32) uint32 { return g.setGoesLeft(p.col.at(id)) })
	case p.levels != nil:
		return partBy(ids, left, right, func(id uint32) uint32 { return g.setGoesLeft(p.levels.at(g.trueID(id))) })
	}
	return partNumeric(ids, left, right, p)
}

// partNumeric parts rows, in the bag or out of it, by their codes.
func partNumeric[R vector.Row](rows, left, right []R, p *parting) int {
	switch {
	case p.bins:
		above := p.first + p.span
		return vector.PartByBin(rows, left, right, p.col.bin, p.col.wide, (above-2)>>p.col.shift, above)
	case p.col.wide != nil:
		return vector.PartByID(rows, left, right, p.col.wide, p.first, p.span)
	}
	return vector.PartByID(rows, left, right, p.col.narrow, p.first, p.span)
}

// partBy is partNumeric by any rule that gives 1 for left and 0 for right.
func partBy[T any](rows, left, right []T, goesLeft func(T) uint32) int {
	l, r := 0, 0
	for _, x := range rows {
		is := int(goesLeft(x))
		left[l], right[r] = x, x
		l += is
		r += 1 - is
	}
	return l
}

// inPlace parts the rows of a node, those that go left first.
func (g *grower) inPlace(at *task, p *parting) (left, right span) {
	rows, ids := g.inBag[at.lo:at.hi], g.outOfBag[at.oobLo:at.oobHi]
	spare, oobSpare := room(&g.rowSpare, len(rows)), room(&g.oobSpare, len(ids))
	n, m := g.partIn(p, rows, rows, spare), g.partOut(p, ids, ids, oobSpare)
	copy(rows[n:], spare)
	copy(ids[m:], oobSpare)
	return span{lo: at.lo, hi: at.lo + n, oobLo: at.oobLo, oobHi: at.oobLo + m}, span{lo: at.lo + n, hi: at.hi,
		oobLo: at.oobLo + m, oobHi: at.oobHi}
}
