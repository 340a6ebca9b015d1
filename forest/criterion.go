package forest

import (
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Criterion is the impurity whose fall decides between splits (Breiman, Friedman, Olshen,
// Stone, Classification and Regression Trees, 1984).
type Criterion string

// The criteria. Hellinger, OffCentred and Pragma use a plainer and slower search. For two classes each impurity is
// concave in the share of a class, so that no split raises it, and levels ordered by that share are cut at best
// (ibid., theorem 4.5); for more classes that order is a heuristic with every criterion.
const (
	Gini    Criterion = "gini"
	Entropy Criterion = "entropy" // information gain (Quinlan 1986)

	// Hellinger separates the rows of a class from the others so that their distributions over the two sides
	// are as far apart as possible, however rare the class is: Cieslak, Hoens, Chawla and Kegelmeyer, Data Min.
	// Knowl. Disc. 24 (2012).
	Hellinger Criterion = "hellinger"

	// OffCentred is the entropy that is largest where classes are as common as among all rows: Lallich, Lenca and
	// Vaillant, ASMDA 2007. It was not found to do better than Gini.
	OffCentred Criterion = "offcentred"

	// Pragma is Gini with each row weighted by what PRAGMA loses if it is decided wrongly. It needs
	// Config.Slopes.
	Pragma Criterion = "pragma"
)

// impurity is that of the criteria other than Gini. It is summed anew for each cut, in the order of the classes, so
// it does not depend on the way to the cut; that of entropy may be kept up along the way, as its sums are exact.
type impurity interface {
	// score returns minus the impurity of a side times its weight, 0 for a side of one class. Weights
	// are by class; the classes listed, ascending, have a part in the node; sum is that of their weights.
	score(weights []float64, sum float64, classes []int32) float64
}

// newImpurity returns the impurity of a resolved c for the rows of d, nil for Gini.
func newImpurity(d *coded, c Config) impurity {
	switch c.Criterion {
	case Entropy:
		return &entropy{k: d.k, l: make([]float64, d.k), r: make([]float64, d.k)}
	case Hellinger:
		return hellinger{}
	case OffCentred:
		return newOffCentred(d, c)
	case Pragma:
		return newPrices(d, c.Slopes)
	default:
		return nil
	}
}

// checkCriterion checks the criterion of a resolved c, and what goes with it but for the number of classes.
func (c Config) checkCriterion() error {
	switch c.Criterion {
	case Gini, Entropy, Hellinger, OffCentred, Pragma:
	default:
		return fmt.Errorf("%w: criterion %s; choose gini, entropy, hellinger, offcentred or pragma", ErrConfig,
			english.Quote(string(c.Criterion)))
	}
	if c.Slopes == nil {
		return nil
	}
	if c.Criterion != Pragma {
		return fmt.Errorf("%w: slopes are for the criterion pragma, and it is %s; leave them out", ErrConfig, c.Criterion)
	}
	most := 0.0
	for _, p := range c.Slopes {
		for _, v := range []float64{p.Recall, p.Precision} {
			if !(v >= 0) || math.IsInf(v, 1) {
				return fmt.Errorf("%w: slope %v; its numbers are finite and 0 or more", ErrConfig, p)
			}
			most = max(most, v)
		}
	}
	if most == 0 {
		return fmt.Errorf("%w: all slopes are 0; at least one class must count", ErrConfig)
	}
	return nil
}
