// Package memorised finds columns that trees learn by heart: they help to rank rows that are out of bag, whose
// neighbours in time the trees know, and not rows that come later.
package memorised

import (
	"math"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/vote"
)

const (
	// MostTrees is how many trees a forest has at most that is asked for such columns.
	MostTrees = 100
	// By how many standard errors later rows must be ranked worse than rows out of bag, and better without the columns.
	// That both areas are of the same rows is left out, so it asks for more.
	decayErrors, gainErrors = 3, 2
	leastArea               = 0.02 // of ROC area that either must come to
	leastWorth              = 0.01 // of ROC area that a column must be worth out of bag
	laterPart               = 0.1  // of that, what it may be worth on later rows
	gapPart                 = 0.5  // of the area that is lost, what columns must explain without which nothing is gained
)

// Columns are worth leaving out. Areas are means over the blocks of the area under the ROC curve.
type Columns struct {
	Class                   string
	Names                   []string
	Trees                   int     // of the forests that were asked
	OutOfBag, With, Without float64 // area out of bag, of later rows, and of these without the columns
}

// area is the mean of the ROC areas of a class in several blocks, by weight.
type area struct{ sum, variance, weight float64 }

// ranking is the ROC area of a class by some votes; nil where its rows are too few to tell.
func ranking(t *vote.Table, class int) *rfpragma.Observed {
	figures := rfpragma.FiguresOf(t, nil)
	if figures == nil {
		return nil
	}
	return figures[class].Ranking
}

func (a *area) add(o *rfpragma.Observed, weight float64) {
	a.sum += float64(weight * o.Value)
	a.variance += float64(weight * weight * o.Value * (1 - o.Value) / o.Rows)
	a.weight += weight
}

func (a *area) mean() float64 { return a.sum / a.weight }

// above tells whether an area is larger than that of b by so many standard errors, and so much that it matters.
func (a *area) above(b *area, errors float64) bool {
	gap := a.mean() - b.mean()
	return gap >= leastArea && float64(gap*a.weight) > errors*math.Sqrt(a.variance+b.variance)
}

// Fold has the votes of a training on the rows before a block: of these rows out of bag, and of the block.
type Fold struct {
	OutOfBag, Later *vote.Table
	Block           int
}

// Decayed returns the class whose later rows are ranked worst beside rows out of bag; -1 where none is by more than
// chance. Weight is that of the rows of a class in a block. Told is whether the rows of any class were enough to tell.
func Decayed(folds []Fold, classes []int, weight func(block, class int) float64) (worst int, told bool) {
	most := 0.0
	worst = -1
	for _, class := range classes {
		var before, later area
		for _, fold := range folds {
			b, l := ranking(fold.OutOfBag, class), ranking(fold.Later, class)
			if b != nil && l != nil {
				before.add(b, weight(fold.Block, class))
				later.add(l, weight(fold.Block, class))
				told = true
			}
		}
		if gap := before.mean() - later.mean(); before.above(&later, decayErrors) && gap > most {
			worst, most = class, gap
		}
	}
	return worst, told
}
