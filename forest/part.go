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
	if len(g.rows) > g.ways.hugeRows && col.order != nil {
		g.settleInOrder(col)
		return
	}
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

// partInBag moves the rows of the node that go left to the front and returns their number.
func (g *grower) partInBag(col *codedColumn, first, span uint32, huge bool) int {
	spare := room(&g.rowSpare, len(g.rows))
	if codes := g.keptCodes(); codes != nil {
		return vector.Part(g.rows, spare, codes, first, span)
	}
	return partNumeric(g.rows, spare, col, first, span, huge)
}

// partNumeric moves the rows, in the bag or out of it, that go left to the front and returns their number; both sides
// keep their order. In a huge node it reads what its search has read: the bins, where these are kept.
func partNumeric[R vector.Row](rows, spare []R, col *codedColumn, first, span uint32, huge bool) int {
	switch {
	case huge && col.bin != nil:
		right := first + span
		return vector.PartByBin(rows, spare, col.bin, col.wide, (right-2)>>col.shift, right)
	case col.wide != nil:
		return vector.PartByID(rows, spare, col.wide, first, span)
	}
	return vector.PartByID(rows, spare, col.narrow, first, span)
}

// partBy is partNumeric by any rule that gives 1 for left and 0 for right.
func partBy[T any](rows, spare []T, left func(T) uint32) int {
	l, r := 0, 0
	for _, x := range rows {
		goesLeft := int(left(x))
		rows[l], spare[r] = x, x
		l += goesLeft
		r += 1 - goesLeft
	}
	copy(rows[l:], spare[:r])
	return l
}
