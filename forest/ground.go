package forest

import (
	"context"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
)

// Ground is rows made ready to grow trees on. Who grows a forest in several parts does once what all parts share; parts may be
// grown at the same time.
type Ground struct {
	train  *dataset.Frame
	cfg    Config // resolved
	data   *coded
	all    *population // of hash bags, whose columns data does not have; else nil
	base   int64       // bytes that growing takes beside the trees, see Memory
	origin uint64
}

// NewGround makes the rows of train ready. Errors: those of [GrowPart].
func NewGround(ctx context.Context, train *dataset.Frame, c Config) (*Ground, error) {
	c = c.Resolved(len(train.Columns))
	if err := train.Check(); err != nil {
		return nil, err
	}
	if err := c.check(train, 0, c.Trees); err != nil {
		return nil, err
	}
	return newGround(ctx, train, c)
}

// newGround is NewGround for a resolved c and rows that are checked.
func newGround(ctx context.Context, train *dataset.Frame, c Config) (*Ground, error) {
	if err := c.checkMemory(train); err != nil {
		return nil, err
	}
	g := &Ground{train: train, cfg: c}
	g.base, _ = Memory(train, c)
	var err error
	if _, hash := c.Bag.Rows(); hash {
		if g.data, err = newCoded(train, c); err != nil {
			return nil, err
		}
		g.all = populationOf(train, g.data, c)
		g.origin = g.all.origin(c, g.data.digest(train))
		return g, nil
	}
	if g.data, err = encode(ctx, train, c); err != nil {
		return nil, err
	}
	g.origin = g.data.origin(c)
	if err = g.data.reorder(ctx, c); err != nil {
		return nil, err
	}
	return g, nil
}

// Grow returns the trees that [GrowPart] returns.
func (g *Ground) Grow(ctx context.Context, from, to int) (*Forest, error) {
	if err := g.cfg.check(g.train, from, to); err != nil {
		return nil, err
	}
	f, _, err := g.grow(ctx, from, to, false)
	return f, err
}

// grow is growRange for a range that is checked.
func (g *Ground) grow(ctx context.Context, from, to int, votes bool) (*Forest, []uint32, error) {
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
	growth.assemble(f, trees)
	return f, g.data.byID(growth.counts), nil
}

// forest returns what is known of one before it has grown.
func (g *Ground) forest(from int) *Forest {
	return &Forest{
		Schema: g.train.Schema(), Classes: slices.Clone(g.train.Classes), Share: slices.Clone(g.data.share),
		soft: g.cfg.Soft, first: from, origin: g.origin,
	}
}

// growHash is grow for hash bags.
func (g *Ground) growHash(ctx context.Context, f *Forest, trees int) (*Forest, error) {
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
