package forest

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"math"
	"slices"
	"sync/atomic"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/digest"
	"github.com/rfpragma/rfpragma/internal/parallel"
)

// A tree of a [Hash] bag is grown on a table of its own, that of the rows in its bag: of the others it knows how
// many there are and how common the classes are among them, and nothing else. So a process that grows some of
// the trees only ever holds the rows of their bags, see [Sample], and the trees are those that one process grows
// which has them all. What they give up is small: a cut lies in the middle, by rank, of the values of the bag, not
// of all rows.

// population is what such a tree knows of all rows.
type population struct {
	rows    int       // that can be drawn
	share   []float64 // by index of the class
	classes []int     // as in coded
	number  []uint16  // by index of the class
	weight  []float64 // by index of the class, Config.ClassWeight; nil means 1 each
	unit    float64   // whole weights are multiples of it; 0 where weights are real,
	scale   float64   // and multiplied by this
	rates   bool      // levels of a column have rates
}

// newPopulation returns that of so many rows that can be drawn, given the sum of the case weights of each class
// (len k), the classes by number, and all pairs of a class and a weight above 0 that there are.
func newPopulation(rows int, sums []float64, classes []int, weights iter.Seq2[int, float64], c Config) *population {
	k, total := len(sums), 0.0
	p := &population{rows: rows, share: slices.Clone(sums), classes: classes, number: make([]uint16, k),
		weight: c.ClassWeight}
	for _, class := range classes {
		total += sums[class]
	}
	weighed := 0.0
	for nr, class := range p.classes { // the same sum whatever the order in which classes are named
		p.number[class] = uint16(nr)
		p.share[class] = sums[class] / total
		weighed += p.times(class, sums[class])
	}
	p.unit, p.scale = math.Inf(1), float64(rows)/weighed
	for class, w := range weights {
		p.unit = min(p.unit, p.times(class, w))
	}
	least := p.unit
	for class, w := range weights {
		if _, ok := wholeWeight(p.times(class, w), least); !ok {
			p.unit = 0
			break
		}
	}
	return p
}

// times multiplies a case weight by the weight of its class.
func (p *population) times(class int, weight float64) float64 {
	if p.weight == nil {
		return weight
	}
	return weight * p.weight[class]
}

// populationOf returns that of a frame, of which newCoded has made d.
func populationOf(train *dataset.Frame, d *coded, c Config) *population {
	p := newPopulation(len(d.rows), train.ClassWeights(), d.classes, func(yield func(int, float64) bool) {
		if train.Weight == nil {
			for nr, rows := range d.classRows {
				if len(rows) > 0 && !yield(d.classes[nr], 1) {
					return
				}
			}
			return
		}
		for _, i := range d.rows {
			if !yield(train.Truth[i], train.Weight[i]) {
				return
			}
		}
	}, c)
	p.rates = p.haveRates(train.Schema(), c)
	return p
}

// haveRates tells whether levels of a column have rates.
func (p *population) haveRates(schema dataset.Schema, c Config) bool {
	return slices.ContainsFunc(schema, func(f dataset.Field) bool {
		return c.hasRates(f.Kind == dataset.Categorical, len(f.Levels), p.share)
	})
}

// coded codes the rows of a bag.
func (p *population) coded(ctx context.Context, bag *dataset.Frame) (*coded, error) {
	n, k := bag.Rows(), len(p.share)
	d := &coded{
		k: k, share: p.share, classes: p.classes, columns: make([]codedColumn, len(bag.Columns)),
		class: make([]uint16, n), rows: make([]uint32, n), classRows: make([][]uint32, k),
	}
	if p.unit > 0 {
		d.whole = make([]uint16, n)
	} else {
		d.real = make([]float64, n)
	}
	for i, class := range bag.Truth {
		nr, w := p.number[class], p.times(class, bag.WeightOf(i))
		d.class[i], d.rows[i] = nr, uint32(i)
		d.classRows[nr] = append(d.classRows[nr], uint32(i))
		if d.real != nil {
			d.real[i] = float64(w * p.scale)
		} else {
			d.whole[i], _ = wholeWeight(w, p.unit)
		}
	}
	d.binByRows()
	if err := d.encodeColumns(ctx, bag.Columns, 1); err != nil {
		return nil, err
	}
	if err := d.keepOrders(ctx, 1); err != nil {
		return nil, err
	}
	return d, d.checkLayout()
}

// origin is coded.origin for rows that were not all seen by whoever grows a tree: of those that can be drawn, by
// their digest.
func (p *population) origin(c Config, rows digest.Digest) uint64 {
	h := fnv.New64a()
	c.describe(h)
	_, _ = fmt.Fprintln(h, p.rows, len(p.share), p.share, rows)
	if p.rates {
		_, _ = fmt.Fprintln(h, "rates", c.SubsetLevels)
	}
	return scramble(h.Sum64())
}

// grow grows trees, each on the rows that bag returns for it, and puts them together. The parts of f that it does
// not make are set.
func (p *population) grow(ctx context.Context, f *Forest, c Config, trees int, bag func(tree int) *dataset.Frame,
	base int64) (*Forest, error) {
	parts := make([]*Forest, trees)
	var next, grown, nodes atomic.Int64
	group, inner := parallel.WithContext(ctx)
	for range min(c.Workers, trees) {
		group.Go(func() error {
			for t := int(next.Add(1)) - 1; t < trees; t = int(next.Add(1)) - 1 {
				part, err := p.tree(inner, *f, c, f.first+t, bag(f.first+t))
				if err != nil {
					return err
				}
				parts[t] = part
				// twice: apart, and together
				if err := c.foresee(base, nodes.Add(2*int64(part.Nodes())), grown.Add(1), trees); err != nil {
					return err
				}
				if c.Progress != nil {
					c.Progress()
				}
			}
			return nil
		})
	}
	if err := errors.Join(group.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	return Merge(parts...)
}

// tree grows one tree on all rows of its bag; f is the forest it is of.
func (p *population) tree(ctx context.Context, f Forest, c Config, number int, bag *dataset.Frame) (*Forest, error) {
	d, err := p.coded(ctx, bag)
	if err != nil {
		return nil, err
	}
	c.Bag, c.Fraction, c.NoReplacement = Bootstrap, 1, true // the bag is drawn: each of its rows once
	c.Workers, c.MaxMemory, c.Progress = 1, 0, nil
	g := newGrowth(d, c, number, number+1)
	trees, err := g.run(ctx)
	if err != nil {
		return nil, err
	}
	f.first = number
	return &f, g.assemble(ctx, &f, trees)
}

// originOf returns the origin of the forests grown with c on train, of which encode has made d.
func originOf(train *dataset.Frame, d *coded, c Config) uint64 {
	if _, hash := c.Bag.Rows(); hash {
		return populationOf(train, d, c).origin(c, d.digest(train))
	}
	return d.origin(c)
}

// digest returns that of the rows that can be drawn.
func (d *coded) digest(train *dataset.Frame) digest.Digest {
	if len(d.rows) == train.Rows() {
		return digest.Of(train, nil)
	}
	rows := make([]int, len(d.rows))
	for i, id := range d.rows {
		rows[i] = int(id)
	}
	return digest.Of(train.Take(rows), d.rows)
}
