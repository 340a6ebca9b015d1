package forest

// How the rows of a node are parted between its children.

// settle replaces the ends of bins by the codes of the node that lie next to them.
func (g *grower) settle(col *codedColumn) {
	if !g.best.coarse {
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

// partNumeric reorders the rows of the node for a numeric split, without a branch that the
// data decide: a code goes left if, counted from the first that does, it is among the first
// span. Missing cells have code 0: counted from 0 they are among them, counted from 1 they
// are not.
func (g *grower) partNumeric(at task, col *codedColumn) (left, oobLeft int) {
	first, span := uint32(1), g.best.lower
	if g.best.missingLeft {
		first, span = 0, span+1
	}
	if col.wide != nil {
		return part(g.inBag[at.lo:at.hi], g.rowSpare, col.wide, first, span), partIDs(g.outOfBag[at.oobLo:at.oobHi], g.oobSpare, col.wide, first, span)
	}
	return part(g.inBag[at.lo:at.hi], g.rowSpare, col.narrow, first, span), partIDs(g.outOfBag[at.oobLo:at.oobHi], g.oobSpare, col.narrow, first, span)
}

// below returns 1 if a < b, else 0, without a branch.
func below(a, b uint32) int { return int((uint64(a) - uint64(b)) >> 63) }

// part moves the rows that go left to the front and returns their number; both sides keep
// their order.
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

// partRows reorders the rows of the node by any rule that gives 1 for left and 0 for right.
func (g *grower) partRows(at task, left func(id uint32) uint32) int {
	return partBy(g.inBag[at.lo:at.hi], g.rowSpare, func(r row) uint32 { return left(r.id()) })
}

func (g *grower) partOutOfBag(at task, left func(id uint32) uint32) int {
	return partBy(g.outOfBag[at.oobLo:at.oobHi], g.oobSpare, left)
}

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
