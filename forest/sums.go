package forest

import "github.com/rfpragma/rfpragma/forest/internal/vector"

// classSums keeps the class sums of waiting nodes of many rows, k to each, so that only those of
// the smaller child need to be counted: the larger has the rest. It is a stack, as the list
// of nodes is. Of a split that was found with vectors the sums of both are known.
type classSums []float64

const rowsForSums = 64 // and 4 k: below that counting is as fast

// keepsSums tells whether nodes come as from a stack, and the difference of sums is right to the last bit.
func (g *grower) keepsSums() bool { return g.data.real == nil && g.cfg.MaxLeaves == 0 }

// keepSums keeps the sums of the children of the node at hand.
func (g *grower) keepSums(small, large *task, leftIsSmall bool) {
	k, known := g.data.k, g.best.left != 0
	least := max(rowsForSums, 4*k)
	if !g.keepsSums() || large.size() < least && !known {
		return
	}
	at := len(g.sums)
	g.sums = append(append(g.sums, g.totals...), g.totals...)
	l, s := g.sums[at:at+k], g.sums[at+k:]
	if sums := vector.Sums(g.best.left); !known {
		g.sumClasses(s, g.inBag[small.lo:small.hi])
	} else if copy(s, sums[:]); !leftIsSmall {
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

// sumRoot keeps the class sums of the root, where those of nodes are kept, and returns it and its weight.
func (g *grower) sumRoot(root task) (task, float64) {
	weight := 0.0
	if !g.keepsSums() {
		for _, r := range g.inBag {
			weight += g.weightOf(r)
		}
		return root, weight
	}
	g.sums = append(g.sums[:0], g.totals...)
	g.sumClasses(g.sums, g.inBag)
	for _, w := range g.sums {
		weight += w
	}
	root.sums = len(g.sums)
	return root, weight
}

// sumClasses sums the whole weights of rows by class. (In four tables in turn, as each addition to one would wait
// for the one before.)
func (g *grower) sumClasses(sums []float64, rows []row) {
	k := len(sums)
	tables := room(&g.tables, 4*k)
	clear(tables)
	a, b, c, d := tables[:k], tables[k:2*k], tables[2*k:3*k], tables[3*k:]
	for ; len(rows) >= 4; rows = rows[4:] {
		a[rows[0].class()] += uint64(rows[0].times())
		b[rows[1].class()] += uint64(rows[1].times())
		c[rows[2].class()] += uint64(rows[2].times())
		d[rows[3].class()] += uint64(rows[3].times())
	}
	for _, r := range rows {
		a[r.class()] += uint64(r.times())
	}
	for i := range sums {
		sums[i] = float64(a[i] + b[i] + c[i] + d[i])
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

// pureBySums is pure by the sums of a node that waits.
func (g *grower) pureBySums(at *task) (class uint32, pure bool) {
	classes := 0
	for c, w := range g.sums[at.sums-g.data.k : at.sums] {
		if w > 0 {
			class = uint32(c)
			classes++
		}
	}
	return class, classes == 1
}
