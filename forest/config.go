package forest

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
)

// Config says how a forest is grown. The zero value grows Breiman's forest of 500 trees.
type Config struct {
	Trees int // number of trees; 0 means 500
	Mtry  int // features tried at each node, of those not constant in it; 0 means ⌊√p⌋
	// MinLeaf is the smallest in-bag weight of a leaf: draws × case weight, in units of the smallest case
	// weight. 0 means 1, which is no limit.
	MinLeaf   int
	MaxDepth  int       // number of splits above the deepest leaf; 0 means no limit
	MaxLeaves int       // number of leaves of a tree, which is then grown where it gains most; 0 means no limit
	Criterion Criterion // "" means Gini

	// Slopes (len k) are what the criterion Pragma knows of each class; nil with any other. They make up for
	// rarity, as balanced bags and class weights do: with these it counts twice.
	Slopes []Slope

	// RandomCuts tries for each feature a single cut, drawn between the smallest and the largest number of the
	// node, or a random half of the levels: extremely randomized trees (Geurts, Ernst, Wehenkel 2006). Such
	// trees are commonly grown on all rows, see NoReplacement.
	RandomCuts bool

	// SubsetLevels is the number of levels up to which a categorical column is split by subsets of its levels,
	// for two classes by the best of all; 0 means 32. The levels of a column of more are ordered by the rates
	// of the classes among their rows, with each row's own part left out of the rate it sees: see
	// docs/design/decisions.md. With RandomCuts all columns have subsets.
	SubsetLevels int

	Bag           Bag     // "" means Bootstrap
	Fraction      float64 // share of the rows to draw that Bag would, in (0, 1]; 0 means 1, or 0.632 without replacement
	NoReplacement bool    // draw each row at most once; with Fraction 1 no row is left out of a bag

	// ClassRows (len k) says how much of each class a [Stratified] bag draws: up to 1 a share of its rows, from 2
	// on a number of rows (sampsize of R's randomForest); 0 leaves it to Fraction. The number cannot exceed the
	// rows of the class. nil leaves all classes to Fraction.
	ClassRows []float64

	// Soft makes every tree vote with the shares of the classes in its leaf, as whole parts of [vote.Unit],
	// instead of with one vote for the largest. It makes a difference if leaves are not pure.
	Soft bool

	Seed    uint64
	Workers int // trees grown at once; 0 means GOMAXPROCS; the forest does not depend on it

	// ClassWeight (len k, each > 0) multiplies the case weights while splits are chosen and leaves decide; nil
	// means 1 each. Fully grown trees have pure leaves and hardly react to it: the weights of the votes are the
	// lever that works.
	ClassWeight []float64

	// MaxMemory stops the growing with [ErrMemory] if it would need more bytes, as soon as this is foreseeable;
	// see [Memory]. 0 means no limit.
	MaxMemory int64

	// Progress, if not nil, is called after each grown tree, from several goroutines at once.
	Progress func() `json:"-"`
}

// ErrConfig is wrapped by every error about a [Config].
var ErrConfig = errors.New("forest")

// ErrTrain is wrapped by every error about rows that no forest can be grown on.
var ErrTrain = errors.New("training data")

// ErrMemory is wrapped by the error about a forest that would exceed [Config.MaxMemory].
var ErrMemory = errors.New("memory")

// MaxTrees is the largest number of trees. It keeps a typing error from asking for years of work.
const MaxTrees = 1 << 20

// Resolved returns c with zeros replaced by the values they stand for, given p features.
func (c Config) Resolved(p int) Config {
	if c.Trees == 0 {
		c.Trees = 500
	}
	if c.Mtry == 0 {
		c.Mtry = max(1, int(math.Sqrt(float64(p))))
	}
	if c.MinLeaf == 0 {
		c.MinLeaf = 1
	}
	if c.SubsetLevels == 0 {
		c.SubsetLevels = subsetLevels
	}
	if c.Criterion == "" {
		c.Criterion = Gini
	}
	if c.Bag == "" {
		c.Bag = Bootstrap
	}
	if c.Fraction == 0 {
		c.Fraction = 1
		if c.NoReplacement {
			c.Fraction = 0.632 // the share of different rows in a bag drawn with replacement
		}
	}
	if c.Workers <= 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	return c
}

// CheckKinds returns an error if the bag or the criterion of c is unknown, or a setting does not go with it.
func (c Config) CheckKinds() error {
	c = c.Resolved(1)
	if err := c.checkCriterion(); err != nil {
		return err
	}
	return c.checkBag()
}

// checkBag checks what decides on the draws of a resolved c.
func (c Config) checkBag() error {
	_, hash := c.Bag.Rows()
	switch {
	case !(c.Fraction > 0 && c.Fraction <= 1):
		return fmt.Errorf("%w: a fraction of %v of the rows; choose more than 0 and at most 1", ErrConfig, c.Fraction)
	case c.ClassRows != nil && c.Bag != Stratified:
		return fmt.Errorf("%w: rows of each class for a %s bag; give them for a stratified one", ErrConfig, c.Bag)
	case slices.ContainsFunc(c.ClassRows, func(rows float64) bool { return !isDraw(rows) }):
		return fmt.Errorf("%w: rows of each class %v; choose shares up to 1 or whole numbers from 2 on", ErrConfig,
			c.ClassRows)
	case hash && c.Fraction != 1 || c.Bag.byRow() && c.NoReplacement:
		return fmt.Errorf("%w: a %s bag cannot be drawn without replacement or for a fraction; leave that out", ErrConfig,
			c.Bag)
	}
	return c.Bag.check()
}

// checkTrees says whether there can be trees of the numbers from to to-1.
func checkTrees(from, to int) error {
	switch {
	case 0 <= from && from < to && to <= MaxTrees:
		return nil
	case from == 0:
		return fmt.Errorf("%w: %d trees; choose 1 to %d", ErrConfig, to, MaxTrees)
	}
	return fmt.Errorf("%w: trees %d to %d; choose a range within 0 to %d", ErrConfig, from, to, MaxTrees)
}

// check says which value of a resolved c is out of range, given the trees to grow.
func (c Config) check(train *dataset.Frame, from, to int) error {
	if err := checkTrees(from, to); err != nil {
		return err
	}
	p, k := len(train.Columns), len(train.Classes)
	switch {
	case c.Mtry < 1 || c.Mtry > p:
		return fmt.Errorf("%w: mtry %d; the data has %d features, choose 1 to %d", ErrConfig, c.Mtry, p, p)
	case c.MinLeaf < 1:
		return fmt.Errorf("%w: smallest leaf of %d rows; choose 1 or more", ErrConfig, c.MinLeaf)
	case c.MaxDepth < 0:
		return fmt.Errorf("%w: maximal depth %d; choose 1 or more, or 0 for no limit", ErrConfig, c.MaxDepth)
	case c.MaxLeaves < 0 || c.MaxLeaves == 1:
		return fmt.Errorf("%w: at most %d leaves; choose 2 or more, or 0 for no limit", ErrConfig, c.MaxLeaves)
	case c.SubsetLevels < 1:
		return fmt.Errorf("%w: subsets of up to %d levels; choose 1 or more", ErrConfig, c.SubsetLevels)
	case c.ClassWeight != nil && len(c.ClassWeight) != k:
		return fmt.Errorf("%w: %d class weights for %d classes", ErrConfig, len(c.ClassWeight), k)
	case c.Criterion == Pragma && len(c.Slopes) != k:
		return fmt.Errorf("%w: the criterion pragma has %d slopes for %d classes; give one for each", ErrConfig,
			len(c.Slopes), k)
	}
	for i, w := range c.ClassWeight {
		if !(w > 0) || math.IsInf(w, 1) {
			return fmt.Errorf("%w: class %q has weight %v; a class weight is finite and > 0", ErrConfig, train.Classes[i], w)
		}
	}
	return c.CheckKinds()
}
