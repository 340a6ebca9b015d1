package forest

import "slices"

// categorical looks for the best cut of a categorical feature. The levels that occur in the
// node (a missing cell counts as one) are put in the order of the share of a class among
// their rows, and cut as if they were numbers. For two classes the best of all 2^(L-1)-1
// subsets is among those cuts (Fisher 1958; Breiman et al. 1984, theorem 4.5); for more, the
// order of each class of the node is tried, which is a heuristic that finds every split of
// one class against the rest.
func (g *grower) categorical(feature int, rows []row) {
	col := &g.data.columns[feature]
	k, stride := g.data.k, g.data.k+1
	levels := g.levels[:0]
	h := g.levelHist
	for i := range rows {
		r := &rows[i]
		code := col.codes[r.id]
		bin := h[int(code)*stride : int(code)*stride+stride]
		if bin[k] == 0 {
			levels = append(levels, code)
		}
		bin[r.class] += r.weight
		bin[k]++
	}
	g.levels = levels
	if len(levels) > 1 {
		g.tried++
		classes := g.present()
		if len(classes) == 2 {
			classes = classes[1:]
		}
		for _, c := range classes {
			g.cutByShare(feature, col, levels, int(c), len(rows))
		}
	}
	for _, code := range levels {
		clear(h[int(code)*stride : int(code)*stride+stride])
	}
}

// present returns the classes that the node has rows of.
func (g *grower) present() []int32 {
	g.classes = g.classes[:0]
	for c, w := range g.sides.total {
		if w > 0 {
			g.classes = append(g.classes, int32(c))
		}
	}
	return g.classes
}

// cutByShare orders the levels by the share of class c and offers every cut.
func (g *grower) cutByShare(feature int, col *codedColumn, levels []uint32, c, rows int) {
	k, stride := g.data.k, g.data.k+1
	share := func(code uint32) float64 {
		bin := g.levelHist[int(code)*stride : int(code)*stride+stride]
		sum := 0.0
		for _, w := range bin[:k] {
			sum += w
		}
		return bin[c] / sum
	}
	order := g.order[:0]
	for _, code := range levels {
		order = append(order, levelShare{code, share(code)})
	}
	g.order = order
	slices.SortFunc(order, func(a, b levelShare) int {
		switch {
		case a.share < b.share:
			return -1
		case a.share > b.share:
			return 1
		default:
			return int(a.code) - int(b.code)
		}
	})
	g.sides.reset(rows)
	for i, level := range order {
		if i > 0 {
			if score, ok := g.sides.better(&g.best, g.cfg.MinLeaf); ok {
				g.best = split{score: score, feature: feature, found: true, set: g.best.set[:0]}
				g.keepSet(col, order[:i], order[i:])
			}
		}
		g.moveBin(g.levelHist[int(level.code)*stride : int(level.code)*stride+stride])
	}
}

type levelShare struct {
	code  uint32
	share float64
}

// keepSet notes the levels that go left in the best split. Levels that do not occur in the
// node go with the heavier side, like a missing cell where none occurred.
func (g *grower) keepSet(col *codedColumn, left, right []levelShare) {
	nwords := int(col.missing+63) / 64
	heavierLeft := g.sides.weightL >= g.sides.weightR
	set := slices.Grow(g.best.set, nwords)[:nwords]
	clear(set)
	if heavierLeft {
		for level := range col.missing {
			set[level/64] |= 1 << (level % 64)
		}
	}
	g.best.missingLeft = heavierLeft
	put := func(levels []levelShare, goLeft bool) {
		for _, l := range levels {
			switch {
			case l.code == col.missing:
				g.best.missingLeft = goLeft
			case goLeft:
				set[l.code/64] |= 1 << (l.code % 64)
			default:
				set[l.code/64] &^= 1 << (l.code % 64)
			}
		}
	}
	put(left, true)
	put(right, false)
	g.best.set = set
}
