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

// partNumeric moves the rows that go left to the front and returns their number; both sides
// keep their order. So does partOutOfBag. In a huge node they read what its search has read: the bins, where these are kept.
func partNumeric(rows, spare []row, col *codedColumn, first, span uint32, huge bool) int {
	switch {
	case huge && col.bin != nil:
		return partByBin(rows, spare, col, first+span)
	case col.wide != nil:
		return part(rows, spare, col.wide, first, span)
	}
	return part(rows, spare, col.narrow, first, span)
}

func partOutOfBag(ids, spare []uint32, col *codedColumn, first, span uint32, huge bool) int {
	switch {
	case huge && col.bin != nil:
		return partIDsByBin(ids, spare, col, first+span)
	case col.wide != nil:
		return partIDs(ids, spare, col.wide, first, span)
	}
	return partIDs(ids, spare, col.narrow, first, span)
}

// below returns 1 if a < b, else 0, without a branch.
func below(a, b uint32) int { return int((uint64(a) - uint64(b)) >> 63) }

// part is partNumeric for codes of one width.
//
//go:noinline
func part[C code](rows, spare []row, codes []C, first, span uint32) int {
	l, r := 0, 0
	for _, x := range rows {
		goesLeft := below(uint32(codes[x.id()])-first, span)
		rows[l], spare[r] = x, x
		l += goesLeft
		r += 1 - goesLeft
	}
	copy(rows[l:], spare[:r])
	return l
}

// partIDs is part for out-of-bag rows. (Through a type parameter the call of id would not be
// inlined, and this is where a tree spends its time.)
//
//go:noinline
func partIDs[C code](ids, spare []uint32, codes []C, first, span uint32) int {
	l, r := 0, 0
	for _, x := range ids {
		goesLeft := below(uint32(codes[x])-first, span)
		ids[l], spare[r] = x, x
		l += goesLeft
		r += 1 - goesLeft
	}
	copy(ids[l:], spare[:r])
	return l
}

// partByBin is part by the bins of a column without missing cells: the codes below right go left, and only those in the bin
// of the last of them are looked at.
//
//go:noinline
func partByBin(rows, spare []row, col *codedColumn, right uint32) int {
	bins, codes, bin := col.bin, col.wide, (right-2)>>col.shift
	l, r := 0, 0
	for _, x := range rows {
		b := uint32(bins[x.id()])
		goesLeft := below(b, bin)
		if b == bin {
			goesLeft = below(codes[x.id()], right)
		}
		rows[l], spare[r] = x, x
		l += goesLeft
		r += 1 - goesLeft
	}
	copy(rows[l:], spare[:r])
	return l
}

// partIDsByBin is partByBin for out-of-bag rows.
//
//go:noinline
func partIDsByBin(ids, spare []uint32, col *codedColumn, right uint32) int {
	bins, codes, bin := col.bin, col.wide, (right-2)>>col.shift
	l, r := 0, 0
	for _, x := range ids {
		b := uint32(bins[x])
		goesLeft := below(b, bin)
		if b == bin {
			goesLeft = below(codes[x], right)
		}
		ids[l], spare[r] = x, x
		l += goesLeft
		r += 1 - goesLeft
	}
	copy(ids[l:], spare[:r])
	return l
}

// partBy is part by any rule that gives 1 for left and 0 for right.
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
