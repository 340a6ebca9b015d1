package forest

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/rfpragma/rfpragma/forest/internal/vector"
)

// The rows of huge nodes, see huge.go, stand in stacks. Of the children of such a node the larger keeps the place of
// its parent, at its front, and the smaller is put on top of the stack. So with every node at hand, what stands on
// the stack above the rows of one that it is the larger part of, and of whose larger part, and so on, are just the
// rows that have left since.
//
// Where trees are chains most splits take a few rows out of very many. These are found through the order of the
// column, and put on the stack; where they stood they stay, and are gone by their stamp. Rows are only moved
// together when somebody has to go through all.

const (
	takeShare = 3  // rows of a node for each that is gone through to take some out
	takeLeast = 16 // of so many rows of the data one is in such a node
	goneShare = 4  // of so many rows that are left one may be gone
)

// outside marks stamps of rows out of the bag.
const outside = 1 << 31

// stacks tells whether the rows of a node stand in stacks.
func (g *grower) stacks(at *task) bool {
	return g.kept != nil && !at.local && at.size() > g.ways.hugeRows
}

// toStack parts the rows of a node, those of the smaller child to the top of the stack.
func (g *grower) toStack(at *task, p *parting) (left, right span) {
	g.tidy(at)
	n, out := at.hi-at.lo, at.oobHi-at.oobLo
	g.reserve(n, out)
	rows, top := g.inBag[at.lo:at.hi], g.inBag[g.top:g.top+n]
	leftStays := g.best.missingLeft // where no cell is missing, the heavier side
	sides := [2][]row{top, rows}
	if leftStays {
		sides = [2][]row{rows, top}
	}
	stay := g.partIn(p, rows, sides[0], sides[1])
	if !leftStays {
		stay = n - stay
	}
	if parted := n - stay; parted > stay { // the other way round
		spare := room(&g.rowSpare, stay)
		copy(spare, rows[:stay])
		copy(rows, top[:parted])
		copy(top, spare)
		leftStays, stay = !leftStays, parted
	}
	copy(rows[stay:], top) // whoever counts on all the rows between at.lo and at.hi has them
	ids, oobTop := g.outOfBag[at.oobLo:at.oobHi], g.outOfBag[g.oobTop:g.oobTop+out]
	large := span{lo: at.lo, hi: at.lo + stay, oobLo: at.oobLo}
	small := span{lo: g.top, hi: g.top + n - stay, oobLo: g.oobTop}
	oobStay := 0
	if leftStays {
		oobStay = g.partOut(p, ids, ids, oobTop)
	} else {
		oobStay = out - g.partOut(p, ids, oobTop, ids)
	}
	large.oobHi, small.oobHi = at.oobLo+oobStay, g.oobTop+out-oobStay
	g.top, g.oobTop = small.hi, small.oobHi
	if leftStays {
		return large, small
	}
	return small, large
}

// reserve makes room for so many rows more on the stacks.
func (g *grower) reserve(rows, outOfBag int) {
	if more := g.top + rows; more > cap(g.inBag) {
		all := make([]row, more+more/8)
		copy(all, g.inBag[:g.top])
		g.inBag = all[:len(g.inBag)]
		g.rows = g.inBag[g.at.lo:g.at.hi]
	}
	if more := g.oobTop + outOfBag; more > cap(g.outOfBag) {
		all := make([]uint32, more+more/8)
		copy(all, g.outOfBag[:g.oobTop])
		g.outOfBag = all[:len(g.outOfBag)]
	}
}

// takesOut tells whether rows are taken out: not where their order matters, nor where there are columns for which
// all rows of a node have to be gone through.
func (d *coded) takesOut(c Config) bool {
	return d.anyOrder(c) && !slices.ContainsFunc(d.columns, func(c codedColumn) bool { return c.order == nil })
}

// takeOut puts the rows of one side of the best split on the stack in the time that these take, where they are found
// through the order of the column. It returns false, and has moved nothing, where that does not pay.
func (g *grower) takeOut(at task, col *codedColumn) (left, right span, ok bool) {
	if !g.takes || col.order == nil || !g.stacks(&at) || takeLeast*at.size() < len(g.member) {
		return left, right, false
	}
	end := col.upTo(g.best.lower)
	rows, isLeft := col.order[:end], true
	if end > len(col.order)-end {
		rows, isLeft = col.order[end:], false
	}
	if takeShare*len(rows) > at.size()+at.oobHi-at.oobLo-at.oobGone {
		return left, right, false
	}
	in, out := g.findRows(rows)
	if 2*in > at.size() {
		return left, right, false
	}
	small := span{lo: g.top, hi: g.top + in, oobLo: g.oobTop, oobHi: g.oobTop + out}
	g.top, g.oobTop = small.hi, small.oobHi
	at.gone += in
	at.oobGone += out
	if isLeft {
		return small, at.span, true
	}
	return at.span, small, true
}

// upTo returns how many rows have codes up to the given one.
func (c *codedColumn) upTo(code uint32) int {
	bin := (code - 1) >> c.shift
	rows := c.order[c.starts[bin]:c.starts[bin+1]]
	return int(c.starts[bin]) + sort.Search(len(rows), func(i int) bool { return c.at(rows[i]) > code })
}

// findRows writes those of the rows that are in the node above the top of the stacks, in the order of their ids, and
// returns how many are in the bag and out of it.
func (g *grower) findRows(rows []uint32) (in, out int) {
	g.reserve(len(rows)+1, len(rows)+1)
	words := len(g.member)/64 + 1
	marks := room(&g.taken, 2*words)
	clear(marks)
	inside, outs := marks[:words], marks[words:]
	var stamps [fetchRows]uint32
	stamp := g.at.stamp
	for len(rows) > 0 {
		vector.Fetch(stamps[:], rows, g.member)
		some := rows[:min(len(rows), fetchRows)]
		rows = rows[len(some):]
		for i, row := range some {
			inside[row/64] |= uint64(isZero(stamps[i]^stamp)) << (row % 64)
			outs[row/64] |= uint64(isZero(stamps[i]^stamp^outside)) << (row % 64)
		}
	}
	top, oobTop := g.inBag[g.top:cap(g.inBag)], g.outOfBag[g.oobTop:cap(g.outOfBag)]
	for word, of := range inside {
		for ; of != 0; of &= of - 1 {
			id := uint32(word*64 + bits.TrailingZeros64(of))
			top[in] = row(id)<<32 | row(g.payloads[id])
			in++
		}
	}
	for word, of := range outs {
		for ; of != 0; of &= of - 1 {
			oobTop[out] = uint32(word*64 + bits.TrailingZeros64(of))
			out++
		}
	}
	return in, out
}

// scattered tells whether the rows of a node had better stand together before it is split: so many of them are gone,
// or it has left the huge ones, which alone pass over those.
func (g *grower) scattered(at *task) bool {
	return goneShare*at.gone > at.size() || at.size() <= max(g.ways.hugeRows, g.ways.localRows)
}

// tidy moves the rows of a node together, if any of them are gone.
func (g *grower) tidy(at *task) {
	if at.gone+at.oobGone == 0 {
		return
	}
	rows, gone := g.inBag[at.lo:at.hi], room(&g.rowSpare, at.hi-at.lo)
	n := partBy(rows, rows, gone, func(r row) uint32 { return isZero(g.member[r.id()] ^ at.stamp) })
	copy(rows[n:], gone)
	ids, m := g.outOfBag[at.oobLo:at.oobHi], 0
	for _, id := range ids {
		ids[m] = id
		m += int(isZero(g.member[id] ^ at.stamp ^ outside))
	}
	at.hi, at.oobHi, at.gone, at.oobGone = at.lo+n, at.oobLo+m, 0, 0
}

// wholeNode moves the rows of the node at hand together.
func (g *grower) wholeNode() {
	if g.at.gone+g.at.oobGone > 0 {
		g.tidy(&g.at)
		g.rows = g.inBag[g.at.lo:g.at.hi]
	}
}
