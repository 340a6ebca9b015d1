package forest

// split is a way to part the rows of a node. Its score is Σ over both sides of
// (Σ_c w_c²)/w, which is the weight of the node minus the summed Gini impurities of the
// sides: larger is better (Breiman, Friedman, Olshen, Stone 1984). A node whose sides are both
// of one class has its weight as score, and no split a larger one.
//
// Of equal scores the feature drawn first wins, then missing cells on the right, then the lower
// cut. (If the lower feature won, trees would prefer the same features, be less different,
// and their votes worth less.)
type split struct {
	found       bool
	score       float64
	feature     int
	lower       uint32 // numeric: the codes up to this go left,
	upper       uint32 // and this is the next code in the node
	coarse      bool   // lower and upper are ends of bins, not codes of the node; see settle
	leftPass    bool   // found while missing cells were on the left
	missingLeft bool
	set         []uint64 // categorical: bit c says whether code c goes left
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

// offer takes a cut if it is better than the best so far, and reports whether it did. Where
// no cell was missing, missing cells of new rows will go with the heavier side.
func (g *grower) offer(c cut, weightL, weightR, squaresL, squaresR float64) bool {
	if !(weightL > 0 && weightR > 0) {
		return false
	}
	if least := float64(g.cfg.MinLeaf); least > 1 && (weightL < least || weightR < least) {
		return false
	}
	score := squaresL/weightL + squaresR/weightR
	b := &g.best
	if b.found && score <= b.score {
		if score < b.score || c.feature != b.feature || c.leftPass != b.leftPass || c.lower >= b.lower {
			return false
		}
	}
	*b = split{
		found: true, score: score, feature: c.feature, lower: c.lower, upper: c.upper,
		coarse: c.coarse, leftPass: c.leftPass, missingLeft: c.leftPass, set: b.set[:0],
	}
	if c.gaps == 0 {
		b.missingLeft = weightL >= weightR
	}
	g.bar = score * (1 - 1e-12)
	return true
}
