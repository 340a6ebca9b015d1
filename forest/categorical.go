package forest

import "slices"

// levelScratch is what the search over levels needs and no node keeps.
type levelScratch struct {
	levels    []uint32 // the codes that occur in the node; a missing cell is one of them
	order     []levelShare
	levelHist []float64 // codes × (classes, rows); zero between two uses
}

type levelShare struct {
	code  uint32
	share float64
}

func (s *levelScratch) init(columns []codedColumn, bagHist [][]float64, k int) {
	codes := 0
	for j, c := range columns {
		switch {
		case bagHist[j] != nil:
			codes = max(codes, (int(c.most)+1)*rateStride)
		case c.categorical:
			codes = max(codes, int(c.most)+1)
		}
	}
	s.levelHist = make([]float64, codes*(k+1))
}

// bin returns the weights by class of a code, and at the end its rows.
func (g *grower) bin(code uint32) []float64 {
	stride := g.data.k + 1
	return g.levelHist[int(code)*stride : int(code)*stride+stride]
}

// categorical looks for the best cut of a categorical feature. The levels that occur in the
// node (a missing cell counts as one) are put in the order of the share of a class among
// their rows, and cut as if they were numbers. For two classes the best of all 2^(L-1)-1
// subsets is among those cuts (Fisher 1958; Breiman et al. 1984, theorem 4.5); for more, the
// order of each class of the node is tried, which is a heuristic that finds every split of
// one class against the rest.
func (g *grower) categorical(feature int, col *codedColumn) {
	g.countLevels(col)
	defer g.clearLevels()
	if len(g.levels) < 2 {
		return
	}
	g.tried++
	classes := g.present
	if len(classes) == 2 {
		classes = classes[1:]
	}
	for _, class := range classes {
		if len(g.levels) > 64 && g.ctx.Err() != nil {
			break // as in tryFeatures
		}
		g.cutByShare(feature, col, int(class))
	}
}

// countLevels lists the codes that occur in the node and sums their weights by class.
func (g *grower) countLevels(col *codedColumn) {
	k := g.data.k
	g.levels = g.levels[:0]
	for _, r := range g.rows {
		code := col.at(r.id())
		bin := g.bin(code)
		if bin[k] == 0 {
			g.levels = append(g.levels, code)
		}
		bin[r.class()] += g.weightOf(r)
		bin[k]++
	}
}

// clearLevels undoes countLevels.
func (g *grower) clearLevels() {
	for _, code := range g.levels {
		clear(g.bin(code))
	}
}

// cutByShare orders the levels by the share of a class and offers every cut.
func (g *grower) cutByShare(feature int, col *codedColumn, class int) {
	k := g.data.k
	order := g.order[:0]
	for _, code := range g.levels {
		bin, sum := g.bin(code), 0.0
		for _, w := range bin[:k] {
			sum += w
		}
		order = append(order, levelShare{code, bin[class] / sum})
	}
	g.order = order
	sortByShare(order)
	t := g.allRight()
	for i, level := range order {
		if i > 0 && g.offerAt(cut{feature: feature, lower: ^uint32(0)}, t) {
			g.keepSet(col, order[:i], order[i:])
		}
		g.moveLevel(&t, level.code)
	}
}

// moveLevel moves the rows of a level to the left.
func (g *grower) moveLevel(t *tally, code uint32) {
	for c, w := range g.bin(code)[:g.data.k] {
		if w > 0 {
			t.move(g.left, g.totals, uint32(c), w)
		}
	}
}

// keepSet notes the codes that go another way than missing cells in the best split, and those
// that do not occur in the node. If it has no missing cells they go with the heavier side, as
// offer has put it into missingLeft.
func (g *grower) keepSet(col *codedColumn, left, right []levelShare) {
	b, missing := &g.best, func(l levelShare) bool { return l.code == 0 }
	switch {
	case slices.ContainsFunc(left, missing):
		b.missingLeft = true
	case slices.ContainsFunc(right, missing):
		b.missingLeft = false
	}
	others := left
	if b.missingLeft {
		others = right
	}
	words := int(col.most)/64 + 1
	b.set = slices.Grow(b.set[:0], words)[:words]
	clear(b.set)
	for _, l := range others {
		b.set[l.code/64] |= 1 << (l.code % 64)
	}
}
