package rfpragma

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// oobTrees is the number of trees from which out-of-bag votes are as good as those of a
// cross-validation, with bootstrap bags, which leave a row out of 0.37 of the trees.
const oobTrees = 200

// enough tells whether the trees of c leave the rows of train out often enough.
func (c Config) enough(train *dataset.Frame) bool {
	n := drawable(train)
	f, err := c.Forest.Resolved(len(train.Columns)).Proportional(train)
	if err != nil { // which growing tells
		return true
	}
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

// Source returns the source of the votes that weights and maps are fitted on; "" for a frame that Check refuses.
func (c Config) Source(train *dataset.Frame) vote.Source {
	if checkBare(train) != nil {
		return ""
	}
	return c.source(train)
}

func (c Config) source(train *dataset.Frame) vote.Source {
	switch {
	case c.Votes != "":
		return c.Votes
	case c.blocks(train) != nil:
		return vote.Forward
	case train.Group == nil && c.enough(train):
		return vote.OOB
	default:
		return vote.CV
	}
}

// Forests returns how many forests Fit grows on train; 0 for a frame that Check refuses.
func (c Config) Forests(train *dataset.Frame) int {
	if checkBare(train) != nil {
		return 0
	}
	if slices.Contains([]vote.Source{vote.CV, vote.Forward}, c.source(train)) {
		return 1 + c.innerFolds(train)
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

// innerFolds returns into how many folds rows are parted for votes of other forests, or how many blocks are voted on
// by those before.
func (c Config) innerFolds(train *dataset.Frame) int {
	if c.source(train) == vote.Forward {
		return len(c.blocks(train)) - 1
	}
	return c.foldsOf(train)
}

// blocks returns the blocks of rows in the order of time of which each but the first is voted on by a forest grown
// on those before; nil where there are none, or the rows to vote on are of a single class.
func (c Config) blocks(train *dataset.Frame) []dataset.Block {
	most := train.MostBlocks()
	if most < 1 || train.Group != nil {
		return nil
	}
	blocks, err := train.Blocks(min(c.folds(), most))
	if err != nil {
		return nil
	}
	var later []int
	for _, b := range blocks[1:] {
		later = append(later, b.Rows...)
	}
	bare := *train
	if bare.Columns = nil; weighingClasses(bare.Take(later)) < 2 {
		return nil
	}
	return blocks
}

// HeldOut grows a forest on train and returns it with the votes that weights and maps are fitted on and
// warnings about these. The votes for a row are of trees that have not seen it, unless c.Votes is vote.Train.
// Errors: those of [Fit] before the search.
func (c Config) HeldOut(ctx context.Context, train *dataset.Frame) (*forest.Forest, *vote.Table, []error, error) {
	if err := checkFrame(train); err != nil {
		return nil, nil, nil, err
	}
	if err := c.check(train); err != nil {
		return nil, nil, nil, err
	}
	grown, oob, err := forest.Grow(ctx, train, c.Forest)
	if err != nil {
		return nil, nil, nil, err
	}
	if c.Grown != nil {
		c.Grown(oob)
	}
	table, warnings, err := c.votes(ctx, train, grown, oob)
	if err != nil {
		return nil, nil, nil, err
	}
	table, err = tables.Slice(table, train, pragma.Slices(c.Search.Floors))
	return grown, table, warnings, err
}

var errSeenGroups = errors.New(
	"a bag is drawn by row, so trees that leave a row out have seen the others of its group, and out-of-bag votes look " +
		"better than those for a new group; use cv votes")

// votes returns the votes that weights and maps are fitted on, and what to know of them.
func (c Config) votes(ctx context.Context, train *dataset.Frame, grown *forest.Forest, oob *vote.Table) (*vote.Table,
	[]error, error) {
	switch c.source(train) {
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
	case vote.Forward:
		table, err := c.otherVotes(ctx, train, grown, vote.Forward, c.forward(train), 0, grown.Trees())
		return table, nil, err
	default:
		splits, err := c.across(train)
		if err != nil {
			return nil, nil, err
		}
		table, err := c.otherVotes(ctx, train, grown, vote.CV, splits, 0, grown.Trees())
		return table, nil, err
	}
}

// split are rows to grow a forest on, and those that it votes on.
type split struct{ grow, judge []int }

// across has every row voted on by a forest grown on the other folds. There are none where there is a single group.
func (c Config) across(train *dataset.Frame) ([]split, error) {
	folds := c.foldsOf(train)
	if folds < 2 {
		return nil, nil
	}
	foldOf, err := dataset.Folds(train, folds, c.Forest.Seed)
	if err != nil {
		return nil, err
	}
	splits := make([]split, folds)
	for fold := range splits {
		splits[fold].grow, splits[fold].judge = dataset.SplitFold(foldOf, fold)
	}
	return splits, nil
}

// forward has the rows of each block voted on by a forest grown on those of the blocks before it. The first has no
// votes.
func (c Config) forward(train *dataset.Frame) []split {
	var splits []split
	var before []int
	for b, block := range c.blocks(train) {
		if b > 0 {
			slices.Sort(before)
			splits = append(splits, split{slices.Clone(before), block.Rows})
		}
		before = append(before, block.Rows...)
	}
	return splits
}

// otherVotes lets rows be voted on by the trees from to to-1 of forests grown on other ones than all is. Where those
// hold a single class, no forest can be grown and the rows stay without votes.
func (c Config) otherVotes(
	ctx context.Context, train *dataset.Frame, all *forest.Forest, source vote.Source, splits []split, from, to int,
) (*vote.Table, error) {
	n, k := train.Rows(), len(train.Classes)
	table := &vote.Table{
		Classes: train.Classes, Truth: train.Truth, Weight: train.Weight, Group: train.Group, Amount: train.Amount,
		Share: all.Share, Ties: all.Ties,
		Counts: make([]uint32, n*k), Source: source, Soft: c.Forest.Soft,
	}
	proportional, err := c.Forest.Proportional(train)
	if err != nil {
		return nil, err
	}
	for i, s := range splits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rest := train.Take(s.grow)
		if weighingClasses(rest) < 2 {
			continue
		}
		cfg := proportional
		cfg.Seed = derived(c.Forest.Seed, i)
		grown, _, err := forest.GrowTrees(ctx, rest, cfg, from, to)
		if err != nil {
			return nil, err
		}
		part, err := grown.Votes(ctx, train.Take(s.judge), cfg.Workers)
		if err != nil {
			return nil, err
		}
		table.Trees = part.Trees
		for i, row := range s.judge {
			copy(table.Votes(row), part.Votes(i))
		}
	}
	return table, ctx.Err()
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
