package forest

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/vote"
)

// coded is the training data as the split search wants it: feature by feature, every cell
// replaced by the rank of its value among the distinct values of its column. Nothing is
// lost: a tree only asks for the order of the values.
//
// The classes are numbered by how common they are, the most common first, and equals as their first rows come.
// So ties are broken by the lower number, and neither names nor order of the classes change a tree.
//
// A row has an id, its index in the frame, and a place, its index in what is kept by row here. They are the same
// unless the rows were put in another order, see reorder.go.
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

	rows      []uint32   // the ids of the rows that can be drawn: those of weight > 0
	classRows [][]uint32 // the same by number of the class
	ids       []uint32   // by place the id; nil where they are the same
	binBits   int        // 2 to this power bins for huge nodes at most; 0 if none are kept
}

// areChains tells whether trees of n rows will be chains, as they are with a rare class: all but an
// eighth of the rows are of the most common one.
func areChains(n, common int64) bool { return n-common <= n/8 }

// codedColumn holds one feature. The code of a missing cell is 0, those of the values or
// levels are 1 to most.
type codedColumn struct {
	narrow      []uint16        // len n, the codes, where 16 bits are enough,
	wide        []uint32        // and where they are not; the other is nil
	lent        bool            // they are those of the frame
	values      dataset.Numbers // of a numeric column: code c stands for values.At(c-1); ascending
	most        uint32
	categorical bool
	digest      uint64 // of what it says of the rows that can be drawn

	// For huge nodes (see huge.go): a numeric column without missing cells in data of many rows
	// has bins of codes; in data of chains also the rows in the order of their codes.
	bins   int // their number, 0 if there are none
	shift  int // bits in which the codes of a bin differ
	order  []uint32
	starts []uint32 // where each bin begins in order
	bin    []uint8  // len n, of each wide code the bin, in data of chains
}

// encode codes train.
func encode(ctx context.Context, train *dataset.Frame, cfg Config) (*coded, error) {
	d, err := newCoded(train, cfg, nil)
	if err != nil {
		return nil, err
	}
	d.binByRows()
	if err := d.encodeColumns(ctx, train.Columns, cfg.Workers); err != nil {
		return nil, err
	}
	return d, d.checkLayout()
}

func (d *coded) checkLayout() error {
	if _, ok := d.layout(); !ok {
		return fmt.Errorf("%w: %d rows of %d features are too many for one tree; grow trees on parts of the rows", ErrTrain,
			len(d.class), len(d.columns))
	}
	return nil
}

// binByRows says whether bins are kept for huge nodes.
func (d *coded) binByRows() {
	if len(d.class) > hugeRows && d.whole != nil && d.k*len(d.columns) <= mostKept {
		d.binBits = hugeBits
	}
}

// newCoded numbers the classes and weighs and lists the rows; it leaves the columns to encode. Of rows that a
// forest was grown on the numbers are given: classes as its TieOrder has them. Else classes is nil.
func newCoded(train *dataset.Frame, cfg Config, classes []int) (*coded, error) {
	k, n := len(train.Classes), train.Rows()
	if k > math.MaxUint16 {
		return nil, fmt.Errorf("%w: %d classes; at most %d are possible", ErrTrain, k, math.MaxUint16)
	}
	d := &coded{k: k, columns: make([]codedColumn, len(train.Columns)), class: make([]uint16, n),
		share: train.ClassWeights()}
	if d.classes = classes; classes == nil {
		d.classes = vote.TieOrder(d.share, train.FirstRows())
	}
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
			return nil, fmt.Errorf("%w: the case weight of row %d times its class weight is too large for a number; give "+
				"smaller weights", ErrTrain, i)
		}
	}
	d.weigh(weights)
	if err := d.listRows(); err != nil {
		return nil, err
	}
	rows := make([]int, k)
	for nr, c := range d.classes {
		rows[c] = len(d.classRows[nr])
	}
	return d, cfg.checkClassRows(rows, train.Classes)
}

// origin returns a digest of what trees depend on beside their numbers: the settings, and what
// the rows that can be drawn hold. It tells parts of one forest from those of others.
func (d *coded) origin(c Config) uint64 {
	h := fnv.New64a()
	c.describe(h)
	_, _ = fmt.Fprintln(h, len(d.rows), d.k, d.share)
	if slices.ContainsFunc(d.columns, func(column codedColumn) bool {
		return c.hasRates(column.categorical,
			int(column.most), d.share)
	}) {
		_, _ = fmt.Fprintln(h, "rates", c.SubsetLevels)
	}
	sum := checksum(h.Sum64())
	for _, i := range d.rows {
		sum.add(uint64(d.class[i]))
		sum.add(math.Float64bits(d.weight(int(i))))
	}
	for j := range d.columns {
		sum.add(d.columns[j].digest)
	}
	return scramble(uint64(sum))
}

// describe writes the settings that trees depend on.
func (c Config) describe(w io.Writer) {
	_, _ = fmt.Fprintln(w, c.Seed, c.Mtry, c.MinLeaf, c.MaxDepth, c.MaxLeaves, c.Criterion, c.RandomCuts, c.Bag,
		c.Fraction, c.NoReplacement, c.Soft, c.ClassWeight)
	if c.Slopes != nil {
		_, _ = fmt.Fprintln(w, c.Slopes)
	}
	if c.ClassRows != nil {
		_, _ = fmt.Fprintln(w, "rows", c.ClassRows)
	}
}

// digest sums numbers up so that any other numbers, or these in another order, hardly ever have
// the same sum. It is quick, and no guard against ill will.
type checksum uint64

func (h *checksum) add(v uint64) {
	*h = checksum(bits.RotateLeft64(uint64(*h)^v, 29) * 0x9e3779b97f4a7c15)
}

// digestCodes is the digest of a column for the given rows.
func digestCodes[C code](codes []C, values dataset.Numbers, rows []uint32) uint64 {
	h := checksum(values.Len())
	for i := range values.Len() {
		h.add(math.Float64bits(values.At(i)))
	}
	for ; len(rows) >= 2; rows = rows[2:] {
		h.add(uint64(codes[rows[0]])<<32 | uint64(codes[rows[1]]))
	}
	for _, i := range rows {
		h.add(uint64(codes[i]))
	}
	return scramble(uint64(h))
}

func (d *coded) encodeColumns(ctx context.Context, columns []dataset.Column, workers int) error {
	return each(ctx, len(columns), workers, func(j int, coder *dataset.Coder) {
		d.columns[j] = d.codeColumn(coder,
			&columns[j])
	})
}

// keepOrders notes, in data of chains, the order of the rows in each column.
func (d *coded) keepOrders(ctx context.Context, workers int) error {
	if !areChains(int64(len(d.rows)), int64(len(d.classRows[0]))) {
		return nil
	}
	return each(ctx, len(d.columns), workers, func(j int, scratch *[]uint32) {
		if c := &d.columns[j]; c.bins > 0 {
			c.keepOrder(scratch)
		}
	})
}

// each calls do for each of n things, columns or trees, and has workers take the next one that nobody has. What a
// worker needs for one of them it has from the one before.
func each[S any](ctx context.Context, n, workers int, do func(i int, scratch *S)) error {
	var next atomic.Int64
	g, ctx := parallel.WithContext(ctx)
	for range min(workers, n) {
		g.Go(func() error {
			var scratch S
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i, &scratch)
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
		var ok bool
		if whole[i], ok = wholeWeight(w, least); !ok {
			whole = nil
			break
		}
	}
	if d.whole = whole; whole != nil {
		return
	}
	d.real = weights
	for i := range weights {
		weights[i] *= float64(n) / sum
	}
}

// wholeWeight returns how many times a weight is the least one, and whether it is a small whole multiple of it.
func wholeWeight(w, least float64) (times uint16, ok bool) {
	m := math.Round(w / least)
	if math.Abs(w/least-m) > 1e-12*m || m > mostWhole {
		return 0, false
	}
	return uint16(m), true
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
	n, of := 0, make([]int, d.k)
	for i, c := range d.class {
		if d.weight(i) > 0 {
			n++
			of[c]++
		}
	}
	d.rows, d.classRows = make([]uint32, 0, n), make([][]uint32, d.k)
	for nr := range d.classRows {
		d.classRows[nr] = make([]uint32, 0, of[nr])
	}
	for i, c := range d.class {
		if d.weight(i) > 0 {
			d.rows = append(d.rows, uint32(i))
			d.classRows[c] = append(d.classRows[c], uint32(i))
		}
	}
	sum, present := 0.0, 0
	for nr, c := range d.classes { // the same sum whatever the order in which classes are named
		sum += d.share[c]
		if len(d.classRows[nr]) > 0 {
			present++
		}
	}
	if math.IsInf(sum, 1) {
		return fmt.Errorf("%w: the case weights sum to more than a number can hold; divide them all by the same number",
			ErrTrain)
	}
	if present < 2 {
		return fmt.Errorf("%w: %d of %d classes have rows of positive weight; at least two are needed", ErrTrain, present,
			d.k)
	}
	for c := range d.share {
		d.share[c] /= sum
	}
	return nil
}

// code is what a column is stored as.
type code interface{ uint16 | uint32 }

// codeColumn takes the codes of a column, making them where it is not coded yet.
func (d *coded) codeColumn(coder *dataset.Coder, c *dataset.Column) codedColumn {
	codes := coder.Code(c)
	out := codedColumn{narrow: codes.Narrow, wide: codes.Wide, lent: c.Codes != nil, values: codes.Distinct,
		most: uint32(codes.Distinct.Len())}
	if c.Kind == dataset.Categorical {
		out.categorical, out.most = true, uint32(len(c.Levels))
		out.digest = out.digestOf(d.rows)
		return out
	}
	if len(d.rows) < len(d.class) {
		out.dropUndrawn(d.rows)
	}
	out.digest = out.digestOf(d.rows)
	if d.binBits > 0 && codes.Missing() == 0 {
		out.keepBins(d.binBits)
	}
	return out
}

func (c *codedColumn) digestOf(rows []uint32) uint64 {
	if c.wide != nil {
		return digestCodes(c.wide, c.values, rows)
	}
	return digestCodes(c.narrow, c.values, rows)
}

// dropUndrawn codes the column anew, so that only the values of the given rows, those that can be drawn,
// have codes: rows of weight 0 then leave no trace in a tree. Another row gets the code on
// its side of the threshold between its neighbours, where every cut between them will lie.
func (c *codedColumn) dropUndrawn(rows []uint32) {
	drawn := make([]bool, c.most+1)
	for _, i := range rows {
		drawn[c.at(i)] = true
	}
	kept := []float64(nil)
	for code := uint32(1); code <= c.most; code++ {
		if drawn[code] {
			kept = append(kept, c.value(code))
		}
	}
	if len(kept) == int(c.most) {
		return
	}
	now := codedColumn{values: dataset.NumbersOf(kept), most: uint32(len(kept))}
	to, below := make([]uint32, c.most+1), uint32(0) // by code the new one; the last of those kept
	for code := uint32(1); code <= c.most; code++ {
		switch v := c.value(code); {
		case drawn[code]:
			below++
			to[code] = below
		case below == 0 && now.most > 0, below > 0 && below < now.most && v > now.threshold(below):
			to[code] = below + 1
		default:
			to[code] = below
		}
	}
	c.values, c.most = now.values, now.most
	c.narrow, c.wide, c.lent = recode(c.narrow, to), recode(c.wide, to), false
}

func recode[C code](codes []C, to []uint32) []C {
	if codes == nil {
		return nil
	}
	out := make([]C, len(codes))
	for i, c := range codes {
		out[i] = C(to[c])
	}
	return out
}

// rowOrder returns the rows in the order of their codes, equal ones in their own order, and for
// each code up to most where its rows end, in scratch. It is a counting sort: O(n + most).
func rowOrder[C code](codes []C, most uint32, scratch *[]uint32) (order, ends []uint32) {
	next := room(scratch, int(most)+2) // by code + 1 the number of rows, then by code the place of the next
	clear(next)
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

// value returns the number that a code of a numeric column stands for.
func (c *codedColumn) value(code uint32) float64 { return c.values.At(int(code - 1)) }

// lastLeft returns the code at which a cut between the codes lower and upper of a node is made:
// the last that goes left. Values that did not occur in the node may lie between; the cut is
// in their middle, by rank, so that a tree depends on the order of the values alone. An upper
// code beyond the values means: all numbers go left.
func (c *codedColumn) lastLeft(lower, upper uint32) uint32 {
	if upper > c.most {
		return c.most
	}
	return lower + (upper-lower)/2
}

// threshold returns the number that parts the values of a code from those of the next: it is
// finite, not below the lower and below the upper value, also where their difference
// overflows or no number lies between them. After the last code there is only the largest number.
func (c *codedColumn) threshold(code uint32) float64 {
	if code == c.most {
		return math.MaxFloat64
	}
	lo, hi := c.value(code), c.value(code+1)
	mid := lo + float64((hi-lo)/2)
	if math.IsInf(hi-lo, 1) {
		mid = float64(lo/2) + float64(hi/2)
	}
	if !(lo <= mid && mid < hi) {
		return lo
	}
	return mid
}
