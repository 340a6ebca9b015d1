package forest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// coded is the training data as the split search wants it: feature by feature, every cell
// replaced by the rank of its value among the distinct values of its column. Nothing is
// lost: a tree only asks for the order of the values.
//
// The classes are numbered by how common they are, the most common first. So ties are broken
// by the lower number, and neither names nor order of the classes change a tree.
type coded struct {
	columns []codedColumn
	class   []uint32  // len n, number of the class
	weight  []float64 // len n, case weight × class weight
	classes []int     // by number, the index of the class in the frame
	share   []float64 // by index, share of the summed case weights
	k       int

	rows      []uint32   // the rows that can be drawn: those of weight > 0
	classRows [][]uint32 // the same by number of the class
}

// codedColumn holds one feature. A missing cell has the code `missing`, which is one above
// the codes of the values.
type codedColumn struct {
	codes       []uint32
	values      []float64 // of a numeric column, the value of each code, ascending
	missing     uint32
	categorical bool // then a code is the index of a level
}

func encode(ctx context.Context, train *dataset.Frame, cfg Config) (*coded, error) {
	d := &coded{
		k:       len(train.Classes),
		columns: make([]codedColumn, len(train.Columns)),
		class:   make([]uint32, train.Rows()),
		weight:  make([]float64, train.Rows()),
		share:   train.ClassWeights(),

		classRows: make([][]uint32, len(train.Classes)),
	}
	d.classes = vote.TieOrder(d.share, d.k)
	number := make([]uint32, d.k)
	for n, c := range d.classes {
		number[c] = uint32(n)
	}
	for i, c := range train.Truth {
		if c < 0 {
			return nil, fmt.Errorf("%w: row %d has no class; leave such rows out", ErrTrain, i)
		}
		d.class[i] = number[c]
		d.weight[i] = train.WeightOf(i)
		if cfg.ClassWeight != nil {
			d.weight[i] *= cfg.ClassWeight[c]
		}
	}
	if err := d.normalise(train.Classes); err != nil {
		return nil, err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cfg.Workers)
	for j := range d.columns {
		g.Go(func() error {
			d.columns[j] = encodeColumn(&train.Columns[j])
			return ctx.Err()
		})
	}
	return d, g.Wait()
}

// normalise turns the class sums into shares, brings the row weights to a largest one of 1
// unless all are whole numbers, so that no sum of squares can overflow, and lists the rows
// that can be drawn.
func (d *coded) normalise(classes []string) error {
	sum := 0.0
	for _, s := range d.share {
		sum += s
	}
	top, whole := 0.0, true
	for _, w := range d.weight {
		top = max(top, w)
		whole = whole && w == math.Trunc(w)
	}
	if whole && top < 1<<20 {
		top = 1
	}
	for i, c := range d.class {
		d.weight[i] /= top
		if d.weight[i] > 0 {
			d.rows = append(d.rows, uint32(i))
			d.classRows[c] = append(d.classRows[c], uint32(i))
		}
	}
	present := 0
	for n, c := range d.classes {
		d.share[c] /= sum
		if len(d.classRows[n]) > 0 {
			present++
		}
	}
	if present < 2 {
		return fmt.Errorf("%w: %d of %d classes have rows of positive weight; at least two are needed", ErrTrain, present, len(classes))
	}
	return nil
}

func encodeColumn(c *dataset.Column) codedColumn {
	out := codedColumn{codes: make([]uint32, len(c.Values)), categorical: c.Kind == dataset.Categorical}
	if out.categorical {
		out.missing = uint32(len(c.Levels))
		for i, v := range c.Values {
			out.codes[i] = out.missing
			if v == v {
				out.codes[i] = uint32(v)
			}
		}
		return out
	}
	values := make([]float64, 0, len(c.Values))
	for _, v := range c.Values {
		if v == v {
			values = append(values, v+0) // -0 becomes 0
		}
	}
	slices.Sort(values)
	out.values = slices.Clip(slices.Compact(values))
	out.missing = uint32(len(out.values))
	for i, v := range c.Values {
		out.codes[i] = out.missing
		if v == v {
			code, _ := slices.BinarySearch(out.values, v)
			out.codes[i] = uint32(code)
		}
	}
	return out
}

// threshold returns the number that parts the values of two codes: it is finite, not below
// the lower and below the upper value, also where their difference overflows or no number
// lies between them. A code beyond the values means: all numbers go left.
func (c *codedColumn) threshold(lower, upper uint32) float64 {
	if int(upper) >= len(c.values) {
		return math.MaxFloat64
	}
	lo, hi := c.values[lower], c.values[upper]
	mid := lo + (hi-lo)/2
	if math.IsInf(hi-lo, 1) {
		mid = lo/2 + hi/2
	}
	if !(lo <= mid && mid < hi) {
		return lo
	}
	return mid
}

// lastLeft returns the highest code whose value goes left under a threshold that lies
// between the codes lower and upper. Values that did not occur in the node may lie there.
func (c *codedColumn) lastLeft(threshold float64, lower, upper uint32) uint32 {
	between := c.values[lower+1 : upper]
	n, _ := slices.BinarySearchFunc(between, threshold, func(v, t float64) int {
		if v <= t {
			return -1
		}
		return 1
	})
	return lower + uint32(n)
}
