package rfpragma

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/vote"
)

// oobTrees is the number of trees from which out-of-bag votes are as good as those of a
// cross-validation, with bootstrap bags, which leave a row out of 0.37 of the trees.
const oobTrees = 200

// enough tells whether the trees of c leave the rows of train out often enough.
func (c Config) enough(train *dataset.Frame) bool {
	n := drawable(train)
	f := c.Forest.Resolved(len(train.Columns))
	usual := forest.Config{}.LeftOut(n)
	return float64(float64(f.Trees)*(f.LeftOut(n)/usual)) >= oobTrees
}

// drawable returns the number of rows that can be drawn into a bag.
func drawable(train *dataset.Frame) int {
	n := train.Rows()
	for _, w := range train.Weight {
		if w == 0 {
			n--
		}
	}
	return n
}

// Source returns where the votes come from that weights and maps are fitted on.
func (c Config) Source(train *dataset.Frame) vote.Source {
	switch {
	case c.Votes != "":
		return c.Votes
	case train.Group == nil && c.enough(train):
		return vote.OOB
	default:
		return vote.CV
	}
}

// Forests returns the number of forests that Fit grows.
func (c Config) Forests(train *dataset.Frame) int {
	if c.Source(train) == vote.CV {
		return 1 + c.foldsOf(train)
	}
	return 1
}

func (c Config) folds() int {
	if c.Folds == 0 {
		return 5
	}
	return c.Folds
}

// foldsOf returns the number of folds of the CV votes, which are at most as many as there are
// rows, and groups.
func (c Config) foldsOf(train *dataset.Frame) int { return min(c.folds(), train.MostFolds()) }

// HeldOut grows a forest on train and returns it with the votes that weights and maps are fitted on, of trees that have not
// seen the row (unless c.Votes is vote.Train), and what to know of them. Errors: those of [Fit] before the search.
func (c Config) HeldOut(ctx context.Context, train *dataset.Frame) (*forest.Forest, *vote.Table, []error, error) {
	if err := c.check(train); err != nil {
		return nil, nil, nil, err
	}
	grown, oob, err := forest.Grow(ctx, train, c.Forest)
	if err != nil {
		return nil, nil, nil, err
	}
	table, warnings, err := c.votes(ctx, train, grown, oob)
	return grown, table, warnings, err
}

var errSeenGroups = errors.New("a bag is drawn by row, so trees that leave a row out have seen the others of its group, and out-of-bag votes look better than those for a new group; use cv votes")

// votes returns the votes that weights and maps are fitted on, and what to know of them.
func (c Config) votes(ctx context.Context, train *dataset.Frame, grown *forest.Forest, oob *vote.Table) (*vote.Table, []error, error) {
	switch c.Source(train) {
	case vote.OOB:
		if train.Group != nil {
			return oob, []error{errSeenGroups}, nil
		}
		return oob, nil, nil
	case vote.Train:
		table, err := grown.Votes(ctx, train, c.Forest.Workers)
		if err == nil {
			table.Source = vote.Train
		}
		return table, nil, err
	default:
		table, err := c.crossVotes(ctx, train, grown.Share)
		return table, nil, err
	}
}

// crossVotes lets every row be voted on by a forest grown on the other folds. Where those
// hold a single class, no forest can be grown and the rows stay without votes; so do all where
// there is a single group.
func (c Config) crossVotes(ctx context.Context, train *dataset.Frame, share []float64) (*vote.Table, error) {
	n, k := train.Rows(), len(train.Classes)
	table := &vote.Table{
		Classes: train.Classes, Truth: train.Truth, Weight: train.Weight, Group: train.Group, Amount: train.Amount, Share: share,
		Counts: make([]uint32, n*k), Source: vote.CV, Soft: c.Forest.Soft,
	}
	folds := c.foldsOf(train)
	if folds < 2 {
		return table, ctx.Err()
	}
	foldOf, err := dataset.Folds(train, folds, c.Forest.Seed)
	if err != nil {
		return nil, err
	}
	for fold := range folds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		others, rows := dataset.SplitFold(foldOf, fold)
		rest := train.Take(others)
		if weighingClasses(rest) < 2 {
			continue
		}
		cfg := c.Forest
		cfg.Seed = derived(c.Forest.Seed, fold)
		grown, _, err := forest.Grow(ctx, rest, cfg)
		if err != nil {
			return nil, err
		}
		part, err := grown.Votes(ctx, train.Take(rows), cfg.Workers)
		if err != nil {
			return nil, err
		}
		table.Trees = part.Trees
		for i, row := range rows {
			copy(table.Votes(row), part.Votes(i))
		}
	}
	return table, nil
}

// derived returns the seed of the forest that leaves a fold out: one that no neighbouring seed
// leads to.
func derived(seed uint64, fold int) uint64 {
	return rand.NewPCG(seed, uint64(fold)+1).Uint64()
}

// weighingClasses returns how many classes have rows that weigh anything.
func weighingClasses(f *dataset.Frame) int {
	n := 0
	for _, w := range f.ClassWeights() {
		if w > 0 {
			n++
		}
	}
	return n
}
