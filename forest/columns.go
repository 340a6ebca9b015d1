package forest

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

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
	class   []uint16  // len n, number of the class
	classes []int     // by number, the index of the class in the frame
	share   []float64 // by index, share of the summed case weights
	k       int

	// The weight of a row is its case weight × class weight: whole numbers where all are, up
	// to a common factor, else real ones.
	whole []uint16  // len n, nil where the weights are real
	real  []float64 // len n, nil where the weights are whole

	rows      []uint32   // the rows that can be drawn: those of weight > 0
	classRows [][]uint32 // the same by number of the class
}

// codedColumn holds one feature. The code of a missing cell is 0, those of the values or
// levels are 1 to most.
type codedColumn struct {
	narrow      []uint16  // len n, the codes, where 16 bits are enough,
	wide        []uint32  // and where they are not; the other is nil
	values      []float64 // of a numeric column: code c stands for values[c-1]; ascending
	most        uint32
	categorical bool

	// Of a numeric column without missing cells in data of many rows, for large nodes: the
	// rows in the order of their codes, and where each bin of codes begins (see huge.go).
	order  []uint32
	starts []uint32
	shift  int      // bits in which the codes of a bin differ
	bins   []uint16 // of a wide column, the bin of each row, counted from 1: half the memory to go through
}

func encode(ctx context.Context, train *dataset.Frame, cfg Config) (*coded, error) {
	k, n := len(train.Classes), train.Rows()
	if k > math.MaxUint16 {
		return nil, fmt.Errorf("%w: %d classes; at most %d are possible", ErrTrain, k, math.MaxUint16)
	}
	d := &coded{k: k, columns: make([]codedColumn, len(train.Columns)), class: make([]uint16, n), share: train.ClassWeights()}
	d.classes = vote.TieOrder(d.share, k)
	number := make([]uint16, k)
	for nr, c := range d.classes {
		number[c] = uint16(nr)
	}
	weights := make([]float64, n)
	for i, c := range train.Truth {
		if c < 0 {
			return nil, fmt.Errorf("%w: row %d has no class; leave such rows out", ErrTrain, i)
		}
		d.class[i] = number[c]
		weights[i] = train.WeightOf(i)
		if cfg.ClassWeight != nil {
			weights[i] *= cfg.ClassWeight[c]
		}
		if math.IsInf(weights[i], 1) {
			return nil, fmt.Errorf("%w: the case weight of row %d times its class weight is too large for a number; give smaller weights", ErrTrain, i)
		}
	}
	d.weigh(weights)
	if err := d.listRows(); err != nil {
		return nil, err
	}
	binBits := 0
	if n > hugeRows && d.whole != nil && k*len(d.columns) <= mostKept {
		binBits = bits.Len(maxBins - 1)
	}
	return d, d.encodeColumns(ctx, train.Columns, cfg.Workers, binBits)
}

func (d *coded) encodeColumns(ctx context.Context, columns []dataset.Column, workers, binBits int) error {
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range min(workers, len(columns)) {
		g.Go(func() error {
			var coder dataset.Coder
			for j := int(next.Add(1)) - 1; j < len(columns) && ctx.Err() == nil; j = int(next.Add(1)) - 1 {
				d.columns[j] = codeColumn(&coder, &columns[j], binBits)
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}

// most whole weight of a row; with its draws it must fit into 16 bits.
const mostWhole = 1 << 10

// weigh stores the weights: as small whole numbers if they are multiples of one of them, else
// as real ones with a mean of 1.
func (d *coded) weigh(weights []float64) {
	least, sum, n := math.Inf(1), 0.0, 0
	for _, w := range weights {
		if w > 0 {
			least = min(least, w)
			sum += w
			n++
		}
	}
	whole := make([]uint16, len(weights))
	for i, w := range weights {
		m := w / least
		if m != math.Trunc(m) || m > mostWhole {
			whole = nil
			break
		}
		whole[i] = uint16(m)
	}
	if d.whole = whole; whole != nil {
		return
	}
	d.real = weights
	for i := range weights {
		weights[i] *= float64(n) / sum
	}
}

// weight returns the weight of row i.
func (d *coded) weight(i int) float64 {
	if d.whole != nil {
		return float64(d.whole[i])
	}
	return d.real[i]
}

// listRows lists the rows that can be drawn, and turns the class sums into shares.
func (d *coded) listRows() error {
	d.classRows = make([][]uint32, d.k)
	for i, c := range d.class {
		if d.weight(i) > 0 {
			d.rows = append(d.rows, uint32(i))
			d.classRows[c] = append(d.classRows[c], uint32(i))
		}
	}
	sum, present := 0.0, 0
	for nr, s := range d.share {
		sum += s
		if len(d.classRows[nr]) > 0 {
			present++
		}
	}
	if math.IsInf(sum, 1) {
		return fmt.Errorf("%w: the case weights sum to more than a number can hold; divide them all by the same number", ErrTrain)
	}
	if present < 2 {
		return fmt.Errorf("%w: %d of %d classes have rows of positive weight; at least two are needed", ErrTrain, present, d.k)
	}
	for c := range d.share {
		d.share[c] /= sum
	}
	return nil
}

// code is what a column is stored as.
type code interface{ uint16 | uint32 }

// codeColumn takes the codes of a column, making them where it is not coded yet. With binBits
// above 0 it keeps the order of the rows, in bins of codes.
func codeColumn(coder *dataset.Coder, c *dataset.Column, binBits int) codedColumn {
	codes := coder.Code(c)
	out := codedColumn{narrow: codes.Narrow, wide: codes.Wide, values: codes.Distinct, most: uint32(len(codes.Distinct))}
	if c.Kind == dataset.Categorical {
		out.categorical, out.most = true, uint32(len(c.Levels))
	} else if binBits > 0 && codes.Missing() == 0 {
		out.keepOrder(binBits)
	}
	return out
}

// rowOrder returns the rows in the order of their codes, equal ones in their own order, and for
// each code up to most where its rows end. It is a counting sort: O(n + most).
func rowOrder[C code](codes []C, most uint32) (order, ends []uint32) {
	next := make([]uint32, most+2) // by code + 1 the number of rows, then by code the place of the next
	for _, c := range codes {
		next[int(c)+1]++
	}
	for c := range most {
		next[c+1] += next[c]
	}
	order = make([]uint32, len(codes))
	for i, c := range codes {
		order[next[c]] = uint32(i)
		next[c]++
	}
	return order, next[:most+1]
}

// at returns the code of row i.
func (c *codedColumn) at(i uint32) uint32 {
	if c.wide != nil {
		return c.wide[i]
	}
	return uint32(c.narrow[i])
}

// threshold returns the number that parts the values of two codes: it is finite, not below
// the lower and below the upper value, also where their difference overflows or no number
// lies between them. An upper code beyond the values means: all numbers go left.
func (c *codedColumn) threshold(lower, upper uint32) float64 {
	if upper > c.most {
		return math.MaxFloat64
	}
	lo, hi := c.values[lower-1], c.values[upper-1]
	mid := lo + float64((hi-lo)/2)
	if math.IsInf(hi-lo, 1) {
		mid = float64(lo/2) + float64(hi/2)
	}
	if !(lo <= mid && mid < hi) {
		return lo
	}
	return mid
}

// lastLeft returns the highest code whose value goes left under a threshold that lies
// between the codes lower and upper. Values that did not occur in the node may lie there.
func (c *codedColumn) lastLeft(threshold float64, lower, upper uint32) uint32 {
	if upper > c.most {
		return c.most
	}
	between := c.values[lower : upper-1]
	n, _ := slices.BinarySearchFunc(between, threshold, func(v, t float64) int {
		if v <= t {
			return -1
		}
		return 1
	})
	return lower + uint32(n)
}
