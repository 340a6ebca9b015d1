package forest

import (
	"context"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/forest/internal/vector"
)

// grower grows one tree after another of a forest. What a tree looks like depends on
// the data, the settings and the number of the tree alone; everything else here is scratch.
//
// A node is a range of the in-bag rows and a range of the out-of-bag rows. A split reorders
// both ranges so that those who go left come first, and keeps their order within the sides.
// Of a huge node the larger child has the front of the ranges, and the smaller is put on a stack behind them, see
// stack.go. At a leaf the out-of-bag rows of its range get their vote, so no second pass through the tree is needed
// for them.
type grower struct {
	*growth
	data *coded
	ctx  context.Context // of the present call of grow

	impurity impurity // nil for Gini
	entropy  *entropy // the same if it is that, of whole weights; else nil

	batch    batch
	votes    []uint32 // len n: of rows out of bag the vote of their leaf; inBag
	inBag    []row
	outOfBag []uint32
	rowSpare []row
	oobSpare []uint32
	todo     []task
	draft    draft

	// The node at hand.
	at       task
	rows     []row
	cols     []codedColumn // what the ids of its rows stand for
	totals   []float64     // by class, the weight of its rows
	present  []int32       // the classes with weight, ascending where that matters
	weight   float64       // Σ_c totals
	squares  float64       // Σ_c totals²
	score    float64       // of the node itself, see split
	perfect  float64
	constant uint64 // bit f: feature f < 64 is known to have one code in the node
	drawn    int    // as which of the node the feature at hand was drawn
	tried    int    // features that could be cut
	best     split
	bar      float64 // what a score must exceed to be looked at

	perm   []int // the features; in their own order between two nodes
	swaps  []int
	sums   classSums
	tables []uint64 // scratch of sumClasses
	local  localCopy
	scratch
	hugeScratch
	levelScratch
	rateScratch
	turnedScratch
	vectors vectorScratch
}

// inBag is the vote that a row does not get.
const inBag = math.MaxUint32

// row is an in-bag row: in the upper half its id (where rows were put in another order, its place), in the lower its
// payload, which is the number of its class above its draws, times its weight where weights are whole.
type row uint64

func newRow(id uint32, class uint16, times uint32) row {
	return row(id)<<32 | row(class)<<16 | row(min(times, math.MaxUint16))
}

func (r row) id() uint32      { return uint32(r >> 32) }
func (r row) payload() uint32 { return uint32(r) }
func (r row) class() uint32   { return uint32(r) >> 16 }
func (r row) times() uint32   { return uint32(r) & 0xffff }

// span is where the rows of a node are.
type span struct {
	lo, hi        int // range of the in-bag rows
	oobLo, oobHi  int // range of the out-of-bag rows
	gone, oobGone int // of these so many have been taken out
}

// size returns the number of in-bag rows.
func (s *span) size() int { return s.hi - s.lo - s.gone }

// task is a node that has its place but not yet its split.
type task struct {
	span
	top, oobTop int // where the stacks end while the node is at hand, see stack.go
	node        uint32
	depth       int
	constant    uint64
	stamp       uint32 // of its rows, and of those above it that it is the larger part of
	local       bool   // its rows are those of the local copy
	sums        int    // where its class sums end, see classSums; 0 if they are not kept
	path        path
	rareLo      int // range of the rows of other classes than the most common, of a huge node in data of chains
	rareHi      int
}

func newGrower(w *growth) *grower {
	d := w.coded
	n := len(d.class)
	g := &grower{
		growth: w, data: d,
		votes:  make([]uint32, n),
		totals: make([]float64, d.k), perm: make([]int, len(d.columns)),
	}
	for j := range g.perm {
		g.perm[j] = j
	}
	g.impurity = newImpurity(d, w.cfg)
	if d.real == nil {
		g.entropy, _ = g.impurity.(*entropy)
	}
	g.draft.gain = make([]float64, len(d.columns))
	g.scratch.init(d)
	g.hugeScratch.init(w)
	g.batch.init(w)
	g.rateScratch.init(w)
	g.turnedScratch.init(w)
	g.levelScratch.init(g.columns, g.bagHist, d.k)
	if g.member != nil {
		g.ways.hugeRows = chainRows
	}
	return g
}

// weightOf returns the weight of an in-bag row.
func (g *grower) weightOf(r row) float64 {
	if g.data.real != nil {
		return float64(int32(r.times())) * g.data.real[r.id()]
	}
	return float64(int32(r.times()))
}

// grow returns the tree of the given number, and adds the votes of its out-of-bag rows, and what
// it gains by each feature, to those of the forest.
func (g *grower) grow(ctx context.Context, number int) (grownTree, error) {
	g.ctx = ctx
	if !g.batch.has(number) {
		if err := g.draw(ctx, number, number+1); err != nil {
			return grownTree{}, err
		}
	}
	g.bag(number)
	g.dealFolds(number)
	g.rateLevels()
	g.countBag()
	g.draft.clear()
	g.todo, g.sums, g.local.saved = g.todo[:0], g.sums[:0], g.local.saved[:0]
	root, weight := g.sumRoot(task{span: span{hi: len(g.inBag), oobHi: len(g.outOfBag)}, top: len(g.inBag),
		oobTop: len(g.outOfBag), rareHi: len(g.rare), stamp: 1, path: rootPath(g.cfg.Seed, number)})
	g.takeCounts(number, weight)
	g.vectors.bagPacks = g.ways.vectorRows > 0 && vector.MovesRows() && g.packs(weight, vector.WideBits)
	if g.entropy != nil {
		g.entropy.fit(weight)
	}
	g.push(root)
	if g.cfg.MaxLeaves > 0 {
		g.bestFirst()
	} else {
		for len(g.todo) > 0 && ctx.Err() == nil {
			at := g.pop()
			if !at.local && len(g.local.saved) > 0 {
				g.leaveCopy()
			}
			if g.scattered(&at) {
				g.tidy(&at)
			}
			g.copySubtree(&at)
			if g.search(at) {
				g.part(g.at)
			} else {
				g.leaf(g.at)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return grownTree{}, err
	}
	g.cast()
	return g.finish(weight), nil
}

// pop takes the last node off the list.
func (g *grower) pop() task {
	at := g.todo[len(g.todo)-1]
	g.todo = g.todo[:len(g.todo)-1]
	g.top, g.oobTop = at.top, at.oobTop
	return at
}

// bag sorts the rows into those in the bag of the tree and out of it.
func (g *grower) bag(number int) {
	d := g.data
	times := g.batch.drawn[number-g.batch.first]
	in := 0
	for _, t := range times {
		if t > 0 {
			in++
		}
	}
	// Each row is written to both lists, and stays in one: nobody foresees in which, so a branch would often be mistaken.
	inBag, out := room(&g.inBag, in+1), room(&g.outOfBag, len(g.votes)-in+1)
	in = 0
	for i, times := range times {
		t := uint32(times)
		drawn := vector.Below(0, t)
		if d.whole != nil {
			t *= uint32(d.whole[i])
		}
		inBag[in], out[i-in] = newRow(uint32(i), d.class[i], t), uint32(i)
		in += drawn
		g.votes[i] = uint32(-drawn)
	}
	g.inBag, g.outOfBag = inBag[:in], out[:len(g.votes)-in]
	if g.counts == nil {
		g.outOfBag = out[:0]
	}
	g.startTree()
}

// search finds the best split of the node in g.best, or returns false: the node is a leaf.
func (g *grower) search(at task) bool {
	g.hold(at)
	if len(g.rows) == 2 && g.ways.pairs && g.pair(at) {
		return true
	}
	g.sum()
	g.best = split{set: g.best.set[:0]}
	g.bar = -math.MaxFloat64
	if len(g.present) < 2 || g.cfg.MaxDepth > 0 && at.depth >= g.cfg.MaxDepth {
		return false
	}
	g.readyVectors()
	g.tryFeatures(at.path)
	return g.best.found
}

// hold makes a node the one at hand.
func (g *grower) hold(at task) {
	g.at, g.rows, g.constant, g.cols = at, g.inBag[at.lo:at.hi], at.constant, g.columns
	g.vectors.kept = -1
	if at.local {
		g.cols = g.local.columns
	}
}

// pair finds the split of a node of two rows of different classes: any cut between them leaves
// both sides pure, so it is the one of the first feature drawn that tells them apart. About
// every third split of a fully grown tree is such a one. It returns false, and leaves the node
// to the general search, in any case that is not that plain.
func (g *grower) pair(at task) bool {
	a, b := g.rows[0], g.rows[1]
	if g.data.real != nil || g.cfg.MinLeaf > 1 || g.cfg.MaxDepth > 0 || g.cfg.RandomCuts {
		return false
	}
	draw := at.path.features()
	g.swaps = g.swaps[:0]
	found := false
	for i := range g.perm {
		f := g.drawFeature(&draw, i)
		col := &g.cols[f]
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
			g.left[a.class()], g.left[b.class()] = float64(a.times()), float64(b.times())
			g.setScores(g.left, []int32{int32(a.class()), int32(b.class())})
			g.best.score = g.perfect
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
	for _, c := range g.present { // of the node before
		g.totals[c] = 0
	}
	if g.at.sums > 0 {
		g.takeSums()
	} else {
		g.addRows(g.rows)
	}
	if g.ordered {
		slices.Sort(g.present)
	}
	g.setScores(g.totals, g.present)
}

// setScores sets the scores of a node of the given weights.
func (g *grower) setScores(totals []float64, present []int32) {
	g.weight, g.squares = 0, 0
	for _, c := range present {
		w := totals[c]
		g.weight += w
		g.squares += float64(w * w)
	}
	if g.impurity != nil {
		g.score, g.perfect = g.impurity.score(totals, g.weight, present), 0
	} else {
		g.score, g.perfect = g.squares/g.weight, g.weight
	}
}

// addRows adds the weights of rows to the totals, which are 0, and lists the classes.
func (g *grower) addRows(rows []row) {
	totals, present := g.totals, g.present[:0]
	whole := g.data.real == nil
	for _, r := range rows {
		c, w := r.class(), float64(int32(r.times()))
		if !whole {
			w = g.weightOf(r)
		}
		if totals[c] == 0 {
			present = append(present, int32(c))
		}
		totals[c] += w
	}
	g.present = present
}

// push puts a node on the list, unless its in-bag rows are all of one class: then it is a leaf.
func (g *grower) push(at task) {
	if class, pure := g.pure(&at); pure {
		g.vote(at, uint32(g.data.classes[class]))
		return
	}
	g.todo = append(g.todo, at)
}

// pure tells whether the in-bag rows of a node are all of one class, and which.
func (g *grower) pure(at *task) (class uint32, pure bool) {
	if at.sums > 0 && at.gone > 0 {
		return g.pureBySums(at)
	}
	g.tidy(at)
	rows := g.inBag[at.lo:at.hi]
	for _, r := range rows {
		if r.class() != rows[0].class() {
			return 0, false
		}
	}
	if len(rows) > 0 {
		class = rows[0].class()
	}
	return class, true
}

// tryFeatures draws features without replacement until mtry of them could be cut, those constant in
// the node not counting, and keeps the best split. It stops at a split that leaves both sides
// pure: there is no better one.
func (g *grower) tryFeatures(p path) {
	draw := p.features()
	g.tried, g.swaps, g.later, g.laterBins = 0, g.swaps[:0], g.later[:0], g.laterBins[:0]
	for i := range g.perm {
		if g.tried >= g.cfg.Mtry {
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
		g.drawn = i
		g.try(f)
		if g.tried == before && f < 64 {
			g.constant |= 1 << f
		}
		if g.best.found && g.best.score == g.perfect && g.data.real == nil {
			break
		}
	}
	g.undraw()
	g.lookLater()
}

// try looks for the best cut of a feature. There is a way for every kind of column and of
// weights; all that are open to a column give the same answer.
func (g *grower) try(feature int) {
	col := &g.cols[feature]
	if g.at.gone > 0 && (col.bins == 0 || g.cfg.RandomCuts || g.impurity != nil && g.entropy == nil) {
		g.wholeNode() // all its rows are gone through
	}
	switch {
	case g.cfg.RandomCuts:
		g.randomCut(feature, col)
	case g.bagHist[feature] != nil:
		g.turned(feature, col)
	case col.categorical:
		g.categorical(feature, col)
	case g.data.real != nil || g.impurity != nil && g.entropy == nil:
		g.plain(feature, col)
	default:
		g.numeric(feature, col)
	}
}

// part writes the split node, parts its rows and puts its children on the list.
func (g *grower) part(at task) {
	col, feature := &g.cols[g.best.feature], g.best.feature
	if col.categorical {
		node := g.draft.split(at.node, &g.best, g.gainOf())
		g.children(at, node, &parting{col: col, set: true})
		return
	}
	g.settle(col)
	g.best.lower = col.lastLeft(g.best.lower, g.best.upper)
	rated := g.ratedOf(feature)
	if rated != nil {
		g.keepRatedSet(rated)
	}
	node := g.draft.split(at.node, &g.best, g.gainOf())
	if left, right, ok := g.takeOut(at, col); ok {
		g.putChildren(at, node, left, right)
		return
	}
	p := g.parting(col)
	if rated != nil { // rows out of the bag go the way of new ones
		p.levels = &g.data.columns[feature]
	}
	g.children(at, node, &p)
}

// setGoesLeft returns 1 if a level goes left by the set of the best split, else 0.
func (g *grower) setGoesLeft(level uint32) uint32 {
	flip := uint32(0)
	if g.best.missingLeft {
		flip = 1
	}
	return uint32(g.best.set[level/64]>>(level%64))&1 ^ flip
}

// gainOf returns what the best split gains: the fall of the summed impurity.
func (g *grower) gainOf() float64 { return max(0, g.best.score-g.score) }

// children parts the rows of a node and puts its children on the list.
func (g *grower) children(at task, node uint32, p *parting) {
	if g.stacks(&at) {
		left, right := g.toStack(&at, p)
		g.putChildren(at, node, left, right)
		return
	}
	left, right := g.inPlace(&at, p)
	g.putChildren(at, node, left, right)
}

// putChildren puts the two children on the list, the smaller on top: it is done with
// before the larger one, which can then use what was kept for their parent.
func (g *grower) putChildren(at task, node uint32, left, right span) {
	l := task{span: left, node: node, depth: at.depth + 1, constant: g.constant, stamp: at.stamp, local: at.local,
		path: at.path.left()}
	r := task{span: right, node: node + 1, depth: at.depth + 1, constant: g.constant, stamp: at.stamp, local: at.local,
		path: at.path.right()}
	l.top, l.oobTop, r.top, r.oobTop = g.top, g.oobTop, g.top, g.oobTop
	small, large := &l, &r
	if right.lo >= at.hi || left.lo < at.hi && left.size() > right.size() {
		small, large = &r, &l
	}
	if !at.local && at.size() > g.ways.hugeRows {
		g.stampSmall(small, large)
	}
	g.keepSums(small, large, small == &l)
	g.push(*large)
	g.push(*small)
}
