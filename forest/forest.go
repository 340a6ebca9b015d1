package forest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// Forest is a list of trees over the same features and classes. It is never changed once
// grown, so any number of goroutines may ask it.
type Forest struct {
	Schema  dataset.Schema
	Classes []string
	Share   []float64 // len k, share of each class among the training rows; for ties
	Trees   []Tree

	levels []int // by feature, the number of levels
}

// Grow returns the forest of train, and the out-of-bag votes of its rows: each row is voted
// on only by the trees whose bag left it out, about 0.37·T of them.
//
// Every row needs a class, and two classes need rows. Rows of weight 0 are never drawn. The
// result depends on train and c alone, not on the number of workers.
// Errors: [ErrConfig], [ErrTrain], those of [dataset.Frame.Check], and that of ctx.
// Source: Breiman, Machine Learning 45 (2001) 5-32.
func Grow(ctx context.Context, train *dataset.Frame, c Config) (*Forest, *vote.Table, error) {
	if err := train.Check(); err != nil {
		return nil, nil, err
	}
	c = c.Resolved(len(train.Columns))
	if err := c.check(train); err != nil {
		return nil, nil, err
	}
	data, err := encode(ctx, train, c)
	if err != nil {
		return nil, nil, err
	}
	f := &Forest{Schema: train.Schema(), Classes: train.Classes, Share: data.share}
	f.index()
	counts := make([]uint32, train.Rows()*data.k)
	if f.Trees, err = growTrees(ctx, data, c, counts); err != nil {
		return nil, nil, err
	}
	return f, &vote.Table{
		Classes: f.Classes, Truth: train.Truth, Weight: train.Weight, Share: f.Share,
		Counts: counts, Source: vote.OOB, Trees: len(f.Trees),
	}, nil
}

// growTrees grows the trees, each worker taking the next one that nobody has.
func growTrees(ctx context.Context, data *coded, c Config, counts []uint32) ([]Tree, error) {
	trees := make([]Tree, c.Trees)
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range min(c.Workers, c.Trees) {
		group.Go(func() error {
			g := newGrower(data, c)
			for {
				t := int(next.Add(1)) - 1
				if t >= len(trees) {
					return nil
				}
				var err error
				if trees[t], err = g.grow(ctx, t, counts); err != nil {
					return err
				}
				if c.Progress != nil {
					c.Progress()
				}
			}
		})
	}
	return trees, group.Wait()
}

func (f *Forest) index() {
	f.levels = make([]int, len(f.Schema))
	for j, field := range f.Schema {
		f.levels[j] = len(field.Levels)
	}
}

// Vote adds the vote of every tree for the row x to votes. X has length p: numbers, level
// indices, NaN where missing. Votes has length k. It allocates nothing; other lengths panic.
func (f *Forest) Vote(votes []uint32, x []float64) {
	if len(x) != len(f.Schema) || len(votes) != len(f.Classes) {
		panic(fmt.Sprintf("forest: Vote of %d cells into %d counts; the forest has %d features and %d classes",
			len(x), len(votes), len(f.Schema), len(f.Classes)))
	}
	for t := range f.Trees {
		votes[f.Trees[t].vote(x, f.levels)]++
	}
}

// blockRows is the number of rows that are taken through a tree before the next tree: few
// enough for their cells to stay in the cache, enough to use the tree while it is there.
const blockRows = 512

// Votes returns the votes of all trees for the rows of frame, as holdout votes. The columns
// are matched by name; a level the forest does not know is a missing cell, and a class it
// does not know leaves the truth unknown.
func (f *Forest) Votes(ctx context.Context, frame *dataset.Frame, workers int) (*vote.Table, error) {
	frame, err := f.Schema.Conform(frame)
	if err != nil {
		return nil, err
	}
	n, k := frame.Rows(), len(f.Classes)
	table := &vote.Table{
		Classes: f.Classes, Truth: f.truth(frame), Weight: frame.Weight, Share: f.Share,
		Counts: make([]uint32, n*k), Source: vote.Holdout, Trees: len(f.Trees),
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for lo := 0; lo < n && inner.Err() == nil; lo += blockRows {
		group.Go(func() error { return f.voteBlock(inner, table, frame, lo, min(lo+blockRows, n)) })
	}
	if err := errors.Join(group.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	return table, nil
}

// voteBlock fills the counts of rows lo to hi, tree by tree.
func (f *Forest) voteBlock(ctx context.Context, table *vote.Table, frame *dataset.Frame, lo, hi int) error {
	p, k := len(f.Schema), len(f.Classes)
	cells := make([]float64, (hi-lo)*p)
	for i := lo; i < hi; i++ {
		frame.Row(cells[(i-lo)*p:(i-lo+1)*p], i)
	}
	for t := range f.Trees {
		if err := ctx.Err(); err != nil {
			return err
		}
		tree := &f.Trees[t]
		i := lo
		for ; i+lanes <= hi; i += lanes {
			var at [lanes]uint32
			tree.voteLanes(&at, cells[(i-lo)*p:(i-lo+lanes)*p], p, f.levels)
			for l, leaf := range at {
				table.Counts[(i+l)*k+int(tree.nodes[leaf].left)]++
			}
		}
		for ; i < hi; i++ {
			x := cells[(i-lo)*p : (i-lo+1)*p]
			table.Counts[i*k+int(tree.vote(x, f.levels))]++
		}
	}
	return nil
}

// truth translates the classes of frame into those of the forest.
func (f *Forest) truth(frame *dataset.Frame) []int {
	truth := make([]int, frame.Rows())
	to := make([]int, len(frame.Classes))
	for c, name := range frame.Classes {
		to[c] = slices.Index(f.Classes, name)
	}
	for i := range truth {
		truth[i] = -1
		if frame.Truth != nil && frame.Truth[i] >= 0 {
			truth[i] = to[frame.Truth[i]]
		}
	}
	return truth
}
