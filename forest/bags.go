package forest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/vote"
)

// Bags repeats the draws of the bags of a forest's trees, for any rows of its training data and on any machine,
// since they are not stored. See [Forest.OutOfBag].
type Bags struct {
	cfg  Config
	rows int    // that can be drawn
	data *coded // the rows by class, for bags that depend on all of them; nil for those that do not
}

// Bags returns the bags of f, which was grown with c on rows with the labels and case weights of train; the columns
// of train are not used and may be absent. Errors: [ErrConfig], [ErrTrain].
func (f *Forest) Bags(train *dataset.Frame, c Config) (*Bags, error) {
	if f.Foreign() {
		return nil, fmt.Errorf("%w: the trees are of another program, and their bags are not known", ErrTrain)
	}
	c = c.Resolved(max(1, len(train.Columns)))
	if err := c.checkBag(); err != nil {
		return nil, err
	}
	if !slices.Equal(train.Classes, f.Classes) {
		return nil, fmt.Errorf("%w: rows of the classes %.64q, and a forest of the classes %.64q", ErrTrain, train.Classes,
			f.Classes)
	}
	d, err := newCoded(train, c, f.TieOrder())
	if err != nil {
		return nil, err
	}
	return &Bags{cfg: c, rows: len(d.rows), data: d}, nil
}

// NewRowBags is [Forest.Bags] for [Poisson] and [Hash], which decide on each row alone: all they need to know of the
// training data is its number of rows of weight above 0. It returns [ErrConfig] for other bags.
func NewRowBags(rows int, c Config) (*Bags, error) {
	c = c.Resolved(1)
	if err := c.checkBag(); err != nil {
		return nil, err
	}
	if !c.Bag.byRow() {
		return nil, fmt.Errorf("%w: the draws of a row in a %s bag depend on those of the others; use poisson or hash:m",
			ErrConfig, c.Bag)
	}
	return &Bags{cfg: c, rows: rows}, nil
}

// OutOfBag returns, for rows of the training data, the votes of the trees whose bag left them out, as in the
// table that [Grow] returns. Ids (len n) are the indices of the rows in the training data, ascending; nil means
// that each row has its own index. Columns are matched as by [Forest.Votes].
//
// It takes as long as Votes. For bags that depend on all rows it also takes the time to draw them, O(rows) for
// each tree, and a bit of memory for each tree and row of frame. Errors: those of [Forest.Votes]; [ErrTrain]
// for ids that cannot be of rows of the training data.
func (f *Forest) OutOfBag(ctx context.Context, frame *dataset.Frame, ids []uint32, bags *Bags,
	workers int) (*vote.Table, error) {
	frame, err := f.Schema.Conform(frame)
	if err != nil {
		return nil, err
	}
	if ids == nil {
		ids = make([]uint32, frame.Rows())
		for i := range ids {
			ids[i] = uint32(i)
		}
	}
	if len(ids) != frame.Rows() || !slices.IsSorted(ids) || bags.data != nil && len(ids) > 0 &&
		int(ids[len(ids)-1]) >= len(bags.data.class) {
		return nil, fmt.Errorf("%w: %d ids for %d rows; give the index of each row in the training data, ascending", ErrTrain,
			len(ids), frame.Rows())
	}
	b := &bagged{Bags: bags, first: f.first, ids: ids, weight: frame.Weight}
	if !bags.cfg.Bag.byRow() {
		if err := b.drawAll(ctx, len(f.trees), workers); err != nil {
			return nil, err
		}
	}
	table, err := f.vote(ctx, frame, workers, b)
	if err != nil {
		return nil, err
	}
	table.Source = vote.OOB
	return table, nil
}

// outOfBag is OutOfBag for all rows of the training data.
func (f *Forest) outOfBag(ctx context.Context, train *dataset.Frame, c Config) (*vote.Table, error) {
	bags, err := f.Bags(train, c)
	if err != nil {
		return nil, err
	}
	return f.OutOfBag(ctx, train, nil, bags, c.Workers)
}

// bagged tells which rows are in which bags.
type bagged struct {
	*Bags
	first  int        // number of the first tree
	ids    []uint32   // of the rows
	weight []float64  // of the rows; nil means that all can be drawn
	drawn  [][]uint64 // by tree, bit i: row i is in its bag; nil where each row is decided on alone
}

// drawAll draws the bags of all trees.
func (b *bagged) drawAll(ctx context.Context, trees, workers int) error {
	b.drawn = make([][]uint64, trees)
	group, inner := parallel.WithContext(ctx)
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	group.SetLimit(workers)
	room := make(chan []uint8, workers)
	for range cap(room) {
		room <- make([]uint8, len(b.data.class))
	}
	for t := range trees {
		if inner.Err() != nil {
			break
		}
		group.Go(func() error {
			times := <-room
			defer func() { room <- times }()
			b.data.draw(times, b.cfg, b.first+t)
			in := make([]uint64, len(b.ids)/64+1)
			for i, id := range b.ids {
				if times[id] > 0 {
					in[i/64] |= 1 << (i % 64)
				}
			}
			b.drawn[t] = in
			return inner.Err()
		})
	}
	return errors.Join(group.Wait(), ctx.Err())
}

// mark says of the rows from lo on (len in) which are in the bag of a tree.
func (b *bagged) mark(in []bool, tree, lo int) {
	if b.drawn != nil {
		drawn := b.drawn[tree]
		for i := range in {
			at := lo + i
			in[i] = drawn[at/64]>>(at%64)&1 != 0
		}
		return
	}
	draw, least := newRowDraw(b.cfg, b.first+tree, b.rows), uint64(math.MaxUint64)
	if len(draw.below) > 0 {
		least = draw.below[0]
	}
	for i, id := range b.ids[lo : lo+len(in)] {
		in[i] = draw.key.at(id) >= least && (b.weight == nil || b.weight[lo+i] > 0)
	}
}
