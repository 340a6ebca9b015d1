package forest

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
)

// grower grows one tree after another over the same data. What a tree looks like depends on
// the data, the settings and the number of the tree alone; everything else here is scratch.
//
// A node is a range of the in-bag rows and a range of the out-of-bag rows. A split reorders
// both ranges so that those who go left come first. At a leaf the out-of-bag rows of its
// range get their vote, so no second pass through the tree is needed for them.
type grower struct {
	data *coded
	cfg  Config

	times    []uint32 // len n: how often each row is in the bag
	inBag    []row
	outOfBag []uint32
	rowSpare []row
	oobSpare []uint32
	todo     []task
	tree     Tree

	sides   sides
	best    split
	tried   int   // features that could be cut, at the present node
	perm    []int // the features; in their own order between two nodes
	swaps   []int
	keys    []uint64
	spare   []uint64
	starts  []uint32
	hist    []float64 // codes × (classes, rows)
	levels  []uint32
	classes []int32
	order   []levelShare
	// levelHist is hist for the levels of a categorical feature; it is zero between two uses.
	levelHist []float64
}

// row is an in-bag row: its weight is its draws times its own.
type row struct {
	id     uint32
	class  uint32
	weight float64
}

// task is a node that has its place but not yet its split.
type task struct {
	lo, hi       int // range of the in-bag rows
	oobLo, oobHi int // range of the out-of-bag rows
	node         uint32
	depth        int
	path         path
}

func newGrower(d *coded, cfg Config) *grower {
	n, levels := len(d.class), 0
	for _, c := range d.columns {
		if c.categorical {
			levels = max(levels, int(c.missing)+1)
		}
	}
	g := &grower{
		data: d, cfg: cfg,
		times: make([]uint32, n), inBag: make([]row, 0, n), outOfBag: make([]uint32, 0, n),
		rowSpare: make([]row, n), oobSpare: make([]uint32, n),
		keys: make([]uint64, n), spare: make([]uint64, n), starts: make([]uint32, 4*n+2),
		hist: make([]float64, 4*n+d.k+1), levelHist: make([]float64, levels*(d.k+1)),
		sides: sides{total: make([]float64, d.k), left: make([]float64, d.k)},
		perm:  make([]int, len(d.columns)),
	}
	for j := range g.perm {
		g.perm[j] = j
	}
	return g
}

// grow returns the tree of the given number, and adds the votes of its out-of-bag rows to
// counts (n×k), which other growers may be adding to at the same time.
func (g *grower) grow(ctx context.Context, number int, counts []uint32) (Tree, error) {
	g.bag(number)
	g.tree = Tree{nodes: append(make([]node, 0, 2*len(g.inBag)), node{})}
	g.todo = append(g.todo[:0], task{hi: len(g.inBag), oobHi: len(g.outOfBag), path: rootPath(g.cfg.Seed, number)})
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
		class := g.majority()
		g.tree.nodes[at.node] = node{left: uint32(class), feature: leafMark}
		for _, id := range g.outOfBag[at.oobLo:at.oobHi] {
			atomic.AddUint32(&counts[int(id)*g.data.k+class], 1)
		}
	}
	return Tree{nodes: slices.Clone(g.tree.nodes), sets: slices.Clip(g.tree.sets)}, nil
}

// bag draws the rows of the tree and sorts all into in-bag and out-of-bag.
func (g *grower) bag(number int) {
	g.data.draw(g.times, g.cfg, number)
	g.inBag, g.outOfBag = g.inBag[:0], g.outOfBag[:0]
	for i, t := range g.times {
		if t == 0 {
			g.outOfBag = append(g.outOfBag, uint32(i))
			continue
		}
		g.inBag = append(g.inBag, row{uint32(i), g.data.class[i], float64(t) * g.data.weight[i]})
	}
}

// search finds the best split of the node in g.best, or returns false: the node is a leaf.
func (g *grower) search(at task) bool {
	rows := g.inBag[at.lo:at.hi]
	total := g.sides.total
	clear(total)
	for i := range rows {
		total[rows[i].class] += rows[i].weight
	}
	g.best = split{set: g.best.set[:0]}
	if len(rows) < 2*g.cfg.MinLeaf || g.cfg.MaxDepth > 0 && at.depth >= g.cfg.MaxDepth || len(g.present()) < 2 {
		return false
	}
	g.tryFeatures(at.path, rows)
	return g.best.found
}

// tryFeatures draws mtry features without replacement and keeps the best split of them. As
// long as none could be cut, because all were constant in the node, it draws on.
func (g *grower) tryFeatures(p path, rows []row) {
	draw := p.features()
	g.tried, g.swaps = 0, g.swaps[:0]
	for i := range g.perm {
		if i >= g.cfg.Mtry && g.tried > 0 {
			break
		}
		j := i + draw.below(len(g.perm)-i)
		g.perm[i], g.perm[j] = g.perm[j], g.perm[i]
		g.swaps = append(g.swaps, j)
		if f := g.perm[i]; g.data.columns[f].categorical {
			g.categorical(f, rows)
		} else {
			g.numeric(f, rows)
		}
	}
	for i := len(g.swaps) - 1; i >= 0; i-- {
		j := g.swaps[i]
		g.perm[i], g.perm[j] = g.perm[j], g.perm[i]
	}
}

// majority returns the index of the class of the largest weight in the node, of equals the
// one more common in the training rows.
func (g *grower) majority() int {
	winner := 0
	for c, w := range g.sides.total {
		if w > g.sides.total[winner] {
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
	if col.categorical {
		nd.feature |= categoricalMark
		nd.cut = uint64(len(g.tree.sets))
		g.tree.sets = append(g.tree.sets, g.best.set...)
	} else {
		threshold := col.threshold(g.best.lower, g.best.upper)
		nd.cut = math.Float64bits(threshold)
		g.best.lower = col.lastLeft(threshold, g.best.lower, g.best.upper)
	}
	g.tree.nodes[at.node] = nd
	g.tree.nodes = append(g.tree.nodes, node{}, node{})

	mid := at.lo + partition(g.inBag[at.lo:at.hi], g.rowSpare, func(r row) bool { return g.goesLeft(col, r.id) })
	oobMid := at.oobLo + partition(g.outOfBag[at.oobLo:at.oobHi], g.oobSpare, func(id uint32) bool { return g.goesLeft(col, id) })
	g.todo = append(g.todo,
		task{mid, at.hi, oobMid, at.oobHi, left + 1, at.depth + 1, at.path.right()},
		task{at.lo, mid, at.oobLo, oobMid, left, at.depth + 1, at.path.left()})
}

// goesLeft tells the side of a row in the best split.
func (g *grower) goesLeft(col *codedColumn, id uint32) bool {
	code := col.codes[id]
	switch {
	case code == col.missing:
		return g.best.missingLeft
	case col.categorical:
		return g.best.set[code/64]>>(code%64)&1 != 0
	default:
		return code <= g.best.lower
	}
}

// partition moves the rows that go left to the front and returns their number. Both sides
// keep their order.
func partition[T any](rows, spare []T, goesLeft func(T) bool) int {
	l, r := 0, 0
	for _, x := range rows {
		if goesLeft(x) {
			rows[l] = x
			l++
		} else {
			spare[r] = x
			r++
		}
	}
	copy(rows[l:], spare[:r])
	return l
}
