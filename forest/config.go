package forest

import (
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/rfpragma/rfpragma/dataset"
)

// Bag says how the rows of a tree are drawn. Every kind draws with replacement. The draws of a
// tree depend on the seed, its number and the rows that can be drawn (those of weight > 0, for
// stratified and balanced bags by class) alone.
type Bag string

// The kinds of bags.
const (
	Bootstrap  Bag = "bootstrap"  // n of n rows (Breiman, Machine Learning 45, 2001)
	Stratified Bag = "stratified" // of each class as many as it has rows
	Balanced   Bag = "balanced"   // of each class as many as the rarest has rows (Chen, Liaw, Breiman 2004)
)

// Config says how a forest is grown. The zero value is Breiman's forest of 500 trees.
type Config struct {
	Trees    int // 0 means 500
	Mtry     int // features tried at each node; 0 means ⌊√p⌋
	MinLeaf  int // in-bag weight of the smallest leaf: draws × case weight, the least case weight being 1; 0 means 1, no limit
	MaxDepth int // splits above the deepest leaf; 0 means no limit
	Bag      Bag // "" means Bootstrap
	Seed     uint64
	Workers  int // trees grown at once; 0 means GOMAXPROCS. It never changes the forest

	// ClassWeight, by class (len k, each > 0), multiplies the case weights while splits are
	// chosen and leaves decide; nil means 1 each. Fully grown trees have pure leaves and
	// hardly react to it: the weights of the votes are the lever that works.
	ClassWeight []float64

	// Progress, if not nil, is called after each grown tree, from several goroutines at once.
	Progress func()
}

// ErrConfig is wrapped by every error about a [Config].
var ErrConfig = errors.New("forest")

// ErrTrain is wrapped by every error about rows that no forest can be grown on.
var ErrTrain = errors.New("training data")

// MaxTrees is the largest forest. It keeps a slip of the keyboard from asking for years of work.
const MaxTrees = 1 << 20

// Resolved returns c with its zeros replaced by what they mean for p features.
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
	if c.Bag == "" {
		c.Bag = Bootstrap
	}
	if c.Workers <= 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	return c
}

// CheckBag says whether c.Bag is a kind of bag.
func (c Config) CheckBag() error {
	if c.Bag != Bootstrap && c.Bag != Stratified && c.Bag != Balanced {
		return fmt.Errorf("%w: bag %.64q; choose bootstrap, stratified or balanced", ErrConfig, c.Bag)
	}
	return nil
}

// check says which value of a resolved c is out of range.
func (c Config) check(train *dataset.Frame) error {
	p, k := len(train.Columns), len(train.Classes)
	switch {
	case c.Trees < 1 || c.Trees > MaxTrees:
		return fmt.Errorf("%w: %d trees; choose 1 to %d", ErrConfig, c.Trees, MaxTrees)
	case c.Mtry < 1 || c.Mtry > p:
		return fmt.Errorf("%w: mtry %d; the data has %d features, choose 1 to %d", ErrConfig, c.Mtry, p, p)
	case c.MinLeaf < 1:
		return fmt.Errorf("%w: smallest leaf of %d rows; choose 1 or more", ErrConfig, c.MinLeaf)
	case c.MaxDepth < 0:
		return fmt.Errorf("%w: maximal depth %d; choose 1 or more, or 0 for no limit", ErrConfig, c.MaxDepth)
	case c.ClassWeight != nil && len(c.ClassWeight) != k:
		return fmt.Errorf("%w: %d class weights for %d classes", ErrConfig, len(c.ClassWeight), k)
	}
	if err := c.CheckBag(); err != nil {
		return err
	}
	for i, w := range c.ClassWeight {
		if !(w > 0) || math.IsInf(w, 1) {
			return fmt.Errorf("%w: class %q has weight %v; a class weight is finite and > 0", ErrConfig, train.Classes[i], w)
		}
	}
	return nil
}
