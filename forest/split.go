package forest

// split is a way to part the rows of a node. Its score is, larger being better, with w_c the
// weight of class c on a side and w that of the side, the sum over both sides of
//
//	Gini        (Σ_c w_c²)/w: the weight of the node minus the summed Gini impurities
//	Entropy     Σ_c w_c·ln w_c - w·ln w: minus the summed entropies; rounded, see entropy
//	Hellinger   -Σ_c √(w_c·(w-w_c)), see hellinger
//	Pragma      -Σ_c v_c·(v-v_c)/v with v_c = price of c × w_c, see prices
//
// (Breiman, Friedman, Olshen, Stone 1984.) The same of a whole node is its own score. A split
// whose sides are both of one class has the score perfect, and none has a larger one.
//
// Of equal scores the feature drawn first wins, then missing cells on the right, then the lower
// cut. (If the lower feature won, trees would prefer the same features, be less different,
// and their votes worth less.)
type split struct {
	found       bool
	score       float64
	feature     int
	drawn       int    // as which of the node the feature was drawn
	lower       uint32 // numeric: the codes up to this go left,
	upper       uint32 // and this is the next code in the node
	coarse      bool   // lower and upper are ends of bins, not codes of the node; see settle
	leftPass    bool   // found while missing cells were on the left
	missingLeft bool
	left        uint64   // found with vectors: the packed weights on the left, else 0
	set         []uint64 // categorical: bit c says whether code c goes another way than missing cells
}

// cut is a candidate: a place between two codes of a feature.
type cut struct {
	feature      int
	lower, upper uint32
	coarse       bool
	gaps         int  // rows of the node that miss the feature,
	leftPass     bool // and whether they are on the left
}

// promising tells, without a division, whether a cut with these weights and sums of squares
// on its sides may beat the best: nearly all are turned down here.
func promising(bar, weightL, weightR, squaresL, squaresR float64) bool {
	return float64(squaresL*weightR)+float64(squaresR*weightL) >= bar*float64(weightL*weightR)
}

// offerAt offers the cut at a tally. The weights left of it are in g.left.
func (g *grower) offerAt(c cut, t tally) bool {
	weight, squares := g.right(t)
	if g.impurity != nil {
		for _, c := range g.present {
			g.rest[c] = g.totals[c] - g.left[c]
		}
		return g.take(c, t.weight, weight, g.impurity.score(g.left, t.weight, g.present)+g.impurity.score(g.rest, weight,
			g.present))
	}
	return promising(g.bar, t.weight, weight, t.squares, squares) && g.offer(c, t.weight, weight, t.squares, squares)
}

// offer offers a cut for Gini.
func (g *grower) offer(c cut, weightL, weightR, squaresL, squaresR float64) bool {
	return g.take(c, weightL, weightR, squaresL/weightL+squaresR/weightR)
}

// take takes a cut if it is better than the best so far, and reports whether it did. Where
// no cell was missing, missing cells of new rows will go with the heavier side.
func (g *grower) take(c cut, weightL, weightR, score float64) bool {
	if !(weightL > 0 && weightR > 0) {
		return false
	}
	if least := float64(g.cfg.MinLeaf); least > 1 && (weightL < least || weightR < least) {
		return false
	}
	b := &g.best
	if b.found && score <= b.score {
		if score < b.score || g.drawn > b.drawn || g.drawn == b.drawn && (c.leftPass != b.leftPass || c.lower >= b.lower) {
			return false
		}
	}
	*b = split{
		found: true, score: score, feature: c.feature, drawn: g.drawn, lower: c.lower, upper: c.upper,
		coarse: c.coarse, leftPass: c.leftPass, missingLeft: c.leftPass, set: b.set[:0],
	}
	if c.gaps == 0 {
		b.missingLeft = weightL >= weightR
	}
	g.bar = min(score, score*(1-1e-12)) // scores of entropy are negative, and exact
	return true
}
