package forest

import "slices"

// Columns of many levels where there are three classes and more. Which order of the levels parts the classes depends
// on the classes that a node has, so each node orders them anew: by a sum of the rates of its classes in the levels.
// What each class counts in it is drawn, and then turned towards the sum in which the levels differ most, the first
// principal component of the rates (Coppersmith, Hong, Hosking 1999). A few such sums are tried; of two classes all
// of them make one order.
//
// Against learning by heart, a row has no part in the place where it is judged. The levels are in the order of all
// their rows in the bag, but a cut is judged as if each row stood where its level is by the rows of the other folds,
// see rates.go. Once the cut is chosen, rows go where their levels go.
//
// A rate is that in the node and of turnedRows rows more at the rate in the bag, which is that of the level and of
// as many rows at the rate of the node. Classes that the node does not have count in none of these.

const (
	turnedSums = 3
	turnedRows = 3
	turns      = 2 // steps of the power method
)

// turnedScratch is what such columns need.
type turnedScratch struct {
	// by feature, of the rows in the bag, codes × (folds, all) × classes; nil for a column that is no such one
	bagHist   [][]float64
	direction []float64    // by class, what it counts
	step      []float64    // by class, scratch of turn
	shift     []float64    // the same
	parts     []levelShare // the places of levels in the other folds; code × rateStride + fold
}

func (s *turnedScratch) init(w *growth) {
	s.bagHist = make([][]float64, len(w.columns))
	for j := range w.columns {
		if c := &w.columns[j]; presentOf(w.share) > 2 && w.cfg.hasRates(c.categorical, int(c.most), w.share) {
			s.bagHist[j] = make([]float64, (int(c.most)+1)*rateStride*w.k)
		}
	}
	s.direction, s.step, s.shift = make([]float64, w.k), make([]float64, w.k), make([]float64, w.k)
}

// countBag counts the rows of the bag of a tree.
func (g *grower) countBag() {
	k := g.data.k
	for j, hist := range g.bagHist {
		if hist == nil {
			continue
		}
		clear(hist)
		col := &g.data.columns[j]
		for _, r := range g.inBag {
			at, w := int(col.at(r.id()))*rateStride, g.weightOf(r)
			hist[(at+int(g.folds[r.id()]))*k+int(r.class())] += w
			hist[(at+rateFolds)*k+int(r.class())] += w
		}
	}
}

// turned looks for the best cut of such a column.
func (g *grower) turned(feature int, col *codedColumn) {
	g.countParts(col)
	defer g.clearParts()
	if len(g.levels) < 2 {
		return
	}
	g.tried++
	draw := g.at.path.sums()
	for range turnedSums {
		for _, c := range g.present {
			g.direction[c] = float64(float64(draw.next()>>11)/(1<<53)) - 0.5
		}
		for range turns {
			g.turn()
		}
		g.place(g.bagHist[feature])
		g.cutByPlace(feature, col)
		if len(g.present) == 2 {
			break
		}
	}
}

// countParts lists the codes that occur in the node, and in which folds, and sums their weights by class.
func (g *grower) countParts(col *codedColumn) {
	k := g.data.k
	g.levels, g.parts = g.levels[:0], g.parts[:0]
	for _, r := range g.rows {
		code := col.at(r.id())
		part := code*rateStride + uint32(g.folds[g.trueID(r.id())])
		all, of, w := g.bin(code*rateStride+rateFolds), g.bin(part), g.weightOf(r)
		if all[k] == 0 {
			g.levels = append(g.levels, code)
		}
		if of[k] == 0 {
			g.parts = append(g.parts, levelShare{code: part})
		}
		all[r.class()] += w
		of[r.class()] += w
		all[k]++
		of[k]++
	}
}

// clearParts undoes countParts.
func (g *grower) clearParts() {
	for _, code := range g.levels {
		clear(g.levelHist[int(code)*rateStride*(g.data.k+1):][:rateStride*(g.data.k+1)])
	}
}

// turn takes the direction one step of the power method further.
func (g *grower) turn() {
	clear(g.step)
	for _, code := range g.levels {
		bin, all, along := g.bin(code*rateStride+rateFolds), 0.0, 0.0
		for _, c := range g.present {
			all += bin[c]
		}
		for _, c := range g.present { // beyond what the rates of the node let expect
			g.shift[c] = bin[c] - float64(all*(g.totals[c]/g.weight))
			along += float64(g.shift[c] * g.direction[c])
		}
		along /= all + turnedRows
		for _, c := range g.present {
			g.step[c] += float64(g.shift[c] * along)
		}
	}
	most := 0.0
	for _, c := range g.present {
		most = max(most, g.step[c], -g.step[c])
	}
	for _, c := range g.present {
		if most > 0 {
			g.direction[c] = g.step[c] / most
		}
	}
}

// place puts the levels in their order, and the parts of them where they are judged.
func (g *grower) place(bagHist []float64) {
	mean := 0.0
	for _, c := range g.present {
		mean += float64(g.totals[c] / g.weight * g.direction[c])
	}
	g.order = g.order[:0]
	for _, code := range g.levels {
		g.order = append(g.order, levelShare{code, g.placeOf(bagHist, code*rateStride+rateFolds, mean)})
	}
	for i := range g.parts {
		g.parts[i].share = g.placeOf(bagHist, g.parts[i].code, mean)
	}
	sortByShare(g.order)
	sortByShare(g.parts)
}

// placeOf returns the place of a level by the rows of all folds but the one of a part of it.
func (g *grower) placeOf(bagHist []float64, part uint32, mean float64) float64 {
	k, all := g.data.k, part-part%rateStride+rateFolds
	nodeAll, nodePart, bagAll, bagPart := g.bin(all), g.bin(part), bagHist[int(all)*k:], bagHist[int(part)*k:]
	var node, bag rate
	for _, c := range g.present {
		inNode, inBag := nodeAll[c], bagAll[c]
		if part != all {
			inNode, inBag = inNode-nodePart[c], inBag-bagPart[c]
		}
		node.of += float64(inNode * g.direction[c])
		node.all += inNode
		bag.of += float64(inBag * g.direction[c])
		bag.all += inBag
	}
	prior := (bag.of + float64(turnedRows*mean)) / (bag.all + turnedRows)
	return (node.of + float64(turnedRows*prior)) / (node.all + turnedRows)
}

// cutByPlace offers every cut between two levels, judged by the parts of levels on its sides.
func (g *grower) cutByPlace(feature int, col *codedColumn) {
	t, weight, parts := g.allRight(), 0.0, g.parts
	for i, level := range g.order[:len(g.order)-1] {
		for _, c := range g.present {
			weight += g.bin(level.code*rateStride + rateFolds)[c]
		}
		next := g.order[i+1].share
		limit := level.share + float64((next-level.share)/2)
		if limit == next { // there is no number between them
			limit = level.share
		}
		for len(parts) > 0 && parts[0].share <= limit {
			g.moveLevel(&t, parts[0].code)
			parts = parts[1:]
		}
		least := float64(g.cfg.MinLeaf)
		if level.share == next || least > 1 && min(weight, g.weight-weight) < least {
			continue
		}
		if g.offerAt(cut{feature: feature, lower: ^uint32(0)}, t) {
			g.keepSet(col, g.order[:i+1], g.order[i+1:])
		}
	}
}

// sortByShare sorts levels by their share, equal ones by their code.
func sortByShare(levels []levelShare) {
	slices.SortFunc(levels, func(a, b levelShare) int {
		switch {
		case a.share < b.share:
			return -1
		case a.share > b.share:
			return 1
		default:
			return int(a.code) - int(b.code)
		}
	})
}
