package forest

import (
	"context"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// Prepared is rows prepared for growing trees. For a forest that is grown in several parts it does once the work
// that all parts share; parts may be grown concurrently.
//
// It does not retain the frame, except for hash bags, whose trees take their rows from there. For many rows it
// keeps the codes in an order of its own and releases those of the frame as it goes, unless the caller retains
// the frame.
type Prepared struct {
	like  Forest // all but the trees
	cfg   Config // resolved
	data  *coded
	all   *population    // of hash bags, whose columns data does not have; else nil,
	train *dataset.Frame // and so are these
	base  int64          // bytes that growing takes beside the trees, see Memory
}

// Prepare prepares the rows of train. Errors: those of [GrowPart].
func Prepare(ctx context.Context, train *dataset.Frame, c Config) (*Prepared, error) {
	c = c.Resolved(len(train.Columns))
	if err := train.Check(); err != nil {
		return nil, err
	}
	if err := c.check(train, 0, c.Trees); err != nil {
		return nil, err
	}
	return prepareRows(ctx, train, c)
}

// prepareRows is Prepare for a resolved c and rows that are checked.
func prepareRows(ctx context.Context, train *dataset.Frame, c Config) (*Prepared, error) {
	if err := c.checkMemory(train); err != nil {
		return nil, err
	}
	g := &Prepared{cfg: c, like: Forest{Schema: train.Schema(), Classes: train.Classes, soft: c.Soft}}
	g.base, _ = Memory(train, c)
	var err error
	if _, hash := c.Bag.Rows(); hash {
		if g.data, err = newCoded(train, c, nil); err != nil {
			return nil, err
		}
		g.all, g.train = populationOf(train, g.data, c), train
		g.like.Share, g.like.Ties, g.like.origin = g.data.share, vote.Ties(g.data.share, g.data.classes),
			g.all.origin(c, g.data.digest(train))
		return g, nil
	}
	if g.data, err = encode(ctx, train, c); err != nil {
		return nil, err
	}
	g.like.Share, g.like.Ties, g.like.origin = g.data.share, vote.Ties(g.data.share, g.data.classes), g.data.origin(c)
	if err = g.data.reorder(ctx, c); err != nil {
		return nil, err
	}
	return g, g.data.keepOrders(ctx, c.Workers)
}

// Grow returns the same trees as [GrowPart].
func (g *Prepared) Grow(ctx context.Context, from, to int) (*Forest, error) {
	if err := checkTrees(from, to); err != nil {
		return nil, err
	}
	f, _, err := g.grow(ctx, from, to, false)
	return f, err
}

// grow is growRange for a range that is checked.
func (g *Prepared) grow(ctx context.Context, from, to int, votes bool) (*Forest, []uint32, error) {
	f := g.forest(from)
	if g.all != nil {
		f, err := g.growHash(ctx, f, to-from)
		return f, nil, err
	}
	growth := newGrowth(g.data, g.cfg, from, to)
	if votes {
		growth.keepVotes()
	}
	growth.base = g.base
	trees, err := growth.run(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := growth.assemble(ctx, f, trees); err != nil {
		return nil, nil, err
	}
	return f, g.data.byID(growth.counts), nil
}

// forest returns what is known of one before it has grown.
func (g *Prepared) forest(from int) *Forest {
	f := g.like
	f.Schema, f.Classes, f.Share, f.first = slices.Clone(f.Schema), slices.Clone(f.Classes), slices.Clone(f.Share), from
	return &f
}

// growHash is grow for hash bags.
func (g *Prepared) growHash(ctx context.Context, f *Forest, trees int) (*Forest, error) {
	return g.all.grow(ctx, f, g.cfg, trees, func(tree int) *dataset.Frame {
		draw := newRowDraw(g.cfg, tree, g.all.rows)
		var rows []int
		for _, id := range g.data.rows {
			if draw.times(id) > 0 {
				rows = append(rows, int(id))
			}
		}
		return g.train.Take(rows)
	}, g.base)
}
