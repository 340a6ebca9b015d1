package forest

import (
	"context"
	"math"
	"sync/atomic"
)

// grower grows one tree after another over the same data. What a tree looks like depends on
// the data, the settings and the number of the tree alone; everything else here is scratch.
//
// A node is a range of the in-bag rows and a range of the out-of-bag rows. A split reorders
// both ranges so that those who go left come first, and keeps their order within the sides.
// At a leaf the out-of-bag rows of its range get their vote, so no second pass through the
// tree is needed for them.
type grower struct {
	data   *coded
	cfg    Config
	ctx    context.Context // of the present call of grow,
	counts []uint32        // and where its votes go

	times    []uint32 // len n: how often each row is in the bag
	inBag    []row
	outOfBag []uint32
	rowSpare []row
	oobSpare []uint32
	todo     []task
	tree     Tree

	// The node at hand.
	at       task
	rows     []row
	weight   int64     // of its rows, where weights are whole
	total    []int64   // the same by class
	totals   []float64 // by class, whole or real
	present  []int32   // the classes with weight
	squares  int64     // Σ_c total²
	constant uint64    // bit f: feature f < 64 is known to have one code in the node
	tried    int       // features that could be cut
	best     split
	bar      float64 // what a score must exceed to be looked at

	perm   []int // the features; in their own order between two nodes
	swaps  []int
	keys   []uint64
	spare  []uint64
	starts []uint32
	scratch
	hugeScratch
	levelScratch
}

// row is an in-bag row: its id, the number of its class, and in the lowest 16 bits its draws
// times its weight where weights are whole, else its draws.
type row uint64

func newRow(id uint32, class uint16, times uint32) row {
	return row(id)<<32 | row(class)<<16 | row(min(times, math.MaxUint16))
}

func (r row) id() uint32      { return uint32(r >> 32) }
func (r row) class() uint32   { return uint32(r) >> 16 }
func (r row) times() uint32   { return uint32(r) & 0xffff }
func (r row) payload() uint64 { return uint64(r) & 0xffffffff } // class and times

// task is a node that has its place but not yet its split.
type task struct {
	lo, hi       int // range of the in-bag rows
	oobLo, oobHi int // range of the out-of-bag rows
	node         uint32
	depth        int
	constant     uint64
	stamp        uint32 // of its rows, in a huge node and its children
	path         path
}

func newGrower(d *coded, cfg Config) *grower {
	n := len(d.class)
	g := &grower{
		data: d, cfg: cfg,
		times: make([]uint32, n), inBag: make([]row, 0, n), outOfBag: make([]uint32, 0, n),
		rowSpare: make([]row, n), oobSpare: make([]uint32, n),
		total: make([]int64, d.k), totals: make([]float64, d.k),
		keys: make([]uint64, n), spare: make([]uint64, n), starts: make([]uint32, 2*n+4),
		perm: make([]int, len(d.columns)),
	}
	for j := range g.perm {
		g.perm[j] = j
	}
	g.scratch.init(d)
	g.hugeScratch.init(d)
	g.levelScratch.init(d)
	return g
}

// weightOf returns the weight of an in-bag row.
func (g *grower) weightOf(r row) float64 {
	if g.data.real != nil {
		return float64(r.times()) * g.data.real[r.id()]
	}
	return float64(r.times())
}

// grow returns the tree of the given number, and adds the votes of its out-of-bag rows to
// counts (n×k), which other growers may be adding to at the same time.
func (g *grower) grow(ctx context.Context, number int, counts []uint32) (Tree, error) {
	g.ctx, g.counts = ctx, counts
	g.bag(number)
	g.tree = Tree{nodes: append(make([]node, 0, 2*len(g.inBag)), node{})}
	g.todo = append(g.todo[:0], task{hi: len(g.inBag), oobHi: len(g.outOfBag), stamp: 1, path: rootPath(g.cfg.Seed, number)})
	for len(g.todo) > 0 {
		if err := ctx.Err(); err != nil {
			return Tree{}, err
		}
		at := g.todo[len(g.todo)-1]
		g.todo = g.todo[:len(g.todo)-1]
		if g.search(at) {
			g.part(at)
			continue
		}
		g.leaf(at, g.majority())
	}
	if err := ctx.Err(); err != nil {
		return Tree{}, err
	}
	return g.tree.inWalkOrder(g.data), nil
}

// leaf makes a node a leaf that votes for a class, given by its index, and casts the votes of
// the out-of-bag rows that fall into it.
func (g *grower) leaf(at task, class int) {
	g.tree.nodes[at.node] = node{left: uint32(class), feature: leafMark}
	for _, id := range g.outOfBag[at.oobLo:at.oobHi] {
		atomic.AddUint32(&g.counts[int(id)*g.data.k+class], 1)
	}
}

// bag draws the rows of the tree and sorts all into in-bag and out-of-bag.
func (g *grower) bag(number int) {
	d := g.data
	d.draw(g.times, g.cfg, number)
	g.inBag, g.outOfBag = g.inBag[:0], g.outOfBag[:0]
	for i, t := range g.times {
		if t == 0 {
			g.outOfBag = append(g.outOfBag, uint32(i))
			continue
		}
		if d.whole != nil {
			t *= uint32(d.whole[i])
		}
		g.inBag = append(g.inBag, newRow(uint32(i), d.class[i], t))
	}
	g.startTree(g.inBag)
}

// search finds the best split of the node in g.best, or returns false: the node is a leaf.
func (g *grower) search(at task) bool {
	g.at, g.rows, g.constant = at, g.inBag[at.lo:at.hi], at.constant
	if len(g.rows) == 2 && g.ways.pairs && g.pair(at) {
		return true
	}
	g.sum()
	g.best = split{set: g.best.set[:0]}
	g.bar = -1
	if len(g.present) < 2 || g.cfg.MaxDepth > 0 && at.depth >= g.cfg.MaxDepth {
		return false
	}
	g.tryFeatures(at.path)
	return g.best.found
}

// pair finds the split of a node of two rows of different classes: any cut between them leaves
// both sides pure, so it is the one of the first feature drawn that tells them apart. About
// every third split of a fully grown tree is such a one. It returns false, and leaves the node
// to the general search, in any case that is not that plain.
func (g *grower) pair(at task) bool {
	a, b := g.rows[0], g.rows[1]
	if a.class() == b.class() || g.data.real != nil || g.cfg.MinLeaf > 1 || g.cfg.MaxDepth > 0 {
		return false
	}
	draw := at.path.features()
	g.swaps = g.swaps[:0]
	found := false
	for i := range g.perm {
		f := g.drawFeature(&draw, i)
		col := &g.data.columns[f]
		x, y := col.at(a.id()), col.at(b.id())
		if x == y {
			continue
		}
		if found = !col.categorical && x != 0 && y != 0; found {
			left, right := a.times(), b.times()
			if y < x {
				x, y, left, right = y, x, right, left
			}
			g.best = split{found: true, feature: f, lower: x, upper: y, missingLeft: left >= right, set: g.best.set[:0]}
		}
		break
	}
	g.undraw()
	return found
}

// drawFeature draws the i-th feature of a node, without replacement; undraw puts all back.
func (g *grower) drawFeature(draw *stream, i int) int {
	j := i + draw.below(len(g.perm)-i)
	g.perm[i], g.perm[j] = g.perm[j], g.perm[i]
	g.swaps = append(g.swaps, j)
	return g.perm[i]
}

func (g *grower) undraw() {
	for i := len(g.swaps) - 1; i >= 0; i-- {
		j := g.swaps[i]
		g.perm[i], g.perm[j] = g.perm[j], g.perm[i]
	}
}

// sum sums the weights of the node's rows by class.
func (g *grower) sum() {
	g.present, g.weight, g.squares = g.present[:0], 0, 0
	if g.data.real != nil {
		clear(g.totals)
		for _, r := range g.rows {
			g.totals[r.class()] += g.weightOf(r)
		}
		for c, w := range g.totals {
			if w > 0 {
				g.present = append(g.present, int32(c))
			}
		}
		return
	}
	total := g.total
	clear(total)
	for _, r := range g.rows {
		total[r.class()] += int64(r.times())
	}
	for c, w := range total {
		g.totals[c] = float64(w)
		if w > 0 {
			g.present = append(g.present, int32(c))
			g.weight += w
			g.squares += w * w
		}
	}
}

// tryFeatures draws mtry features without replacement and keeps the best split of them. As
// long as none could be cut, because all were constant in the node, it draws on. It stops at a
// split that leaves both sides pure: there is no better one.
func (g *grower) tryFeatures(p path) {
	draw := p.features()
	g.tried, g.swaps = 0, g.swaps[:0]
	for i := range g.perm {
		if i >= g.cfg.Mtry && g.tried > 0 {
			break
		}
		f := g.drawFeature(&draw, i)
		if f < 64 && g.constant>>f&1 != 0 {
			continue
		}
		if len(g.rows) > hugeRows && g.ctx.Err() != nil {
			break // whatever the node becomes, grow ends with the error
		}
		before := g.tried
		g.try(f)
		if g.tried == before && f < 64 {
			g.constant |= 1 << f
		}
		if g.data.real == nil && g.best.score == float64(g.weight) {
			break
		}
	}
	g.undraw()
}

// try looks for the best cut of a feature. There is a way for every kind of column and of
// weights; all that are open to a column give the same answer.
func (g *grower) try(feature int) {
	col := &g.data.columns[feature]
	switch {
	case col.categorical:
		g.categorical(feature, col)
	case g.data.real != nil:
		g.numericReal(feature, col)
	default:
		g.numeric(feature, col)
	}
}

// majority returns the index of the class of the largest weight in the node, of equals the
// one more common in the training rows.
func (g *grower) majority() int {
	winner := 0
	for c, w := range g.totals {
		if w > g.totals[winner] {
			winner = c
		}
	}
	return g.data.classes[winner]
}

// part writes the split node, reorders its rows and puts its children on the list.
func (g *grower) part(at task) {
	col := &g.data.columns[g.best.feature]
	left := uint32(len(g.tree.nodes))
	nd := node{left: left, feature: uint32(g.best.feature)}
	if g.best.missingLeft {
		nd.feature |= missingLeftMark
	}
	mid, oobMid := at.lo, at.oobLo
	if col.categorical {
		nd.feature |= categoricalMark
		nd.cut = uint64(len(g.tree.sets))
		g.tree.sets = appendLevels(g.tree.sets, g.best.set, int(col.most))
		mid += g.partRows(at, func(id uint32) uint32 { c := col.at(id); return uint32(g.best.set[c/64]>>(c%64)) & 1 })
		oobMid += g.partOutOfBag(at, func(id uint32) uint32 { c := col.at(id); return uint32(g.best.set[c/64]>>(c%64)) & 1 })
	} else {
		g.settle(col)
		threshold := col.threshold(g.best.lower, g.best.upper)
		nd.cut = math.Float64bits(threshold)
		g.best.lower = col.lastLeft(threshold, g.best.lower, g.best.upper)
		l, o := g.partNumeric(at, col)
		mid, oobMid = mid+l, oobMid+o
	}
	g.tree.nodes[at.node] = nd
	g.tree.nodes = append(g.tree.nodes, node{}, node{})
	g.children(at, left, mid, oobMid)
}

// children puts the two parts of a node on the list, the smaller on top: it is done with
// before the larger one, which can then use what was kept for their parent.
func (g *grower) children(at task, left uint32, mid, oobMid int) {
	l := task{at.lo, mid, at.oobLo, oobMid, left, at.depth + 1, g.constant, at.stamp, at.path.left()}
	r := task{mid, at.hi, oobMid, at.oobHi, left + 1, at.depth + 1, g.constant, at.stamp, at.path.right()}
	small, large := &l, &r
	if mid-at.lo > at.hi-mid {
		small, large = &r, &l
	}
	if g.kept != nil && at.hi-at.lo > g.ways.hugeRows {
		small.stamp = g.newStamp(g.inBag[small.lo:small.hi])
	}
	for _, child := range []*task{large, small} {
		if child.hi-child.lo == 1 { // nothing to search for
			g.leaf(*child, g.data.classes[g.inBag[child.lo].class()])
			continue
		}
		g.todo = append(g.todo, *child)
	}
}
