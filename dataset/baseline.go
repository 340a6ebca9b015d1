package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Baseline is what a model remembers of the cells of a column in training.
type Baseline struct {
	Rows    int         `json:"rows"`            // labelled rows of weight above 0, at least 1
	Missing int         `json:"missing"`         // missing cells among them
	Range   *[2]float64 `json:"range,omitempty"` // smallest and largest value of a numeric column; nil if it has none
	// Cuts divide the values of a numeric column into ten bins of about equal counts, or fewer where values are
	// equal. They ascend; bin b has the values above cut b-1 and up to cut b.
	Cuts []float64 `json:"cuts,omitempty"`
	// Counts holds the number of values in each bin of a numeric column (of a sample, if there are many rows),
	// or the number of cells of each level of a categorical one.
	Counts []int `json:"counts,omitempty"`
}

// Check reports why p cannot be the baseline of a column of that kind, with so many levels.
func (p *Baseline) Check(kind Kind, levels int) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: a baseline of "+format, append([]any{ErrValue}, args...)...)
	}
	values, counted := p.Rows-p.Missing, 0
	if p.Rows < 1 || int64(p.Rows) > 1<<53 || p.Missing < 0 || values < 0 {
		return wrong("%d rows and %d missing cells", p.Rows, p.Missing)
	}
	most := values
	if kind == Numeric {
		most = min(values, mostSampled)
	}
	for b, n := range p.Counts {
		if n < 0 || n > most-counted || n == 0 && kind == Numeric {
			return wrong("%d values in bin %d", n, b)
		}
		counted += n
	}
	switch {
	case kind == Categorical && (p.Range != nil || p.Cuts != nil || len(p.Counts) != levels || counted != values):
		return wrong("%d levels, where there are %d, for %d of %d cells", len(p.Counts), levels, counted, values)
	case kind == Categorical:
		return nil
	case (p.Range == nil) != (values == 0):
		return wrong("a range of %d values", values)
	case len(p.Cuts) != max(0, len(p.Counts)-1):
		return wrong("%d cuts and %d bins", len(p.Cuts), len(p.Counts))
	case p.Range == nil:
		return nil
	}
	low, high := p.Range[0], p.Range[1]
	if !(low <= high) || math.IsInf(low, 0) || math.IsInf(high, 0) || values == 1 && low < high {
		return wrong("a range from %v to %v of %d values", low, high, values)
	}
	for b, cut := range p.Cuts {
		if !(cut >= low && cut < high) || b > 0 && cut <= p.Cuts[b-1] {
			return wrong("a cut at %v", cut)
		}
	}
	return nil
}

// empty tells whether no row of the training had a value.
func (f *Field) empty() bool {
	return f.Kind == Numeric && f.Baseline != nil && f.Baseline.Range == nil
}

// Far reports whether v is hardly a value like those of p: further away from them than they are from each
// other, or a negative whole number where none of them is negative, such as a -1 or -999 that stands for a
// missing value.
func (p *Baseline) Far(v float64) bool {
	if p.Range == nil {
		return false
	}
	low, high := p.Range[0], p.Range[1]
	width := high - low
	return v < low-width || v > high+width || v < 0 && low >= 0 && v == math.Trunc(v)
}

// Median returns the upper end of the bin that holds the median of a numeric column: a value that at least half
// of those counted do not exceed. It is NaN if there is none.
func (p *Baseline) Median() float64 {
	if p.Counts == nil || p.Range == nil {
		return math.NaN()
	}
	upto, half := 0, (sum(p.Counts)+1)/2
	for b, cut := range p.Cuts {
		if upto += p.Counts[b]; upto >= half {
			return cut
		}
	}
	return p.Range[1]
}

// bin returns the bin of a value, or of the index of a level.
func (p *Baseline) bin(v float64) int {
	if p.Range == nil {
		return int(v)
	}
	b, _ := slices.BinarySearch(p.Cuts, v)
	return b
}

// mostBins is how many bins the values of a numeric column are parted into.
const mostBins = 10

// part makes bins of values, which it sorts.
func (p *Baseline) part(values []float64) {
	n := len(values)
	if n == 0 {
		return
	}
	slices.Sort(values)
	for k := 1; k < mostBins; k++ {
		cut := values[(k*n+mostBins-1)/mostBins-1] + 0 // 0 without a sign
		if last := len(p.Cuts) - 1; cut < values[n-1] && (last < 0 || cut > p.Cuts[last]) {
			p.Cuts = append(p.Cuts, cut)
		}
	}
	p.Counts = make([]int, len(p.Cuts)+1)
	for _, v := range values {
		p.Counts[p.bin(v)]++
	}
}

// Baselines makes the [Baseline] of each column from rows that come block by block. The zero value has seen no
// rows.
type Baselines struct {
	rows    int
	columns []Baseline // but for rows, and what follows from the sample
	sample  sample
}

// Add adds the labelled rows of f whose weight is above 0, since the others take no part in training. All calls
// must have the same columns.
func (b *Baselines) Add(f *Frame) {
	if b.columns == nil {
		b.columns = make([]Baseline, len(f.Columns))
	}
	f = f.Labelled()
	if slices.Contains(f.Weight, 0) {
		var rows []int
		for i, w := range f.Weight {
			if w > 0 {
				rows = append(rows, i)
			}
		}
		f = f.Take(rows)
	}
	b.rows += f.Rows()
	b.sample.add(f)
	for j := range f.Columns {
		b.columns[j].add(&f.Columns[j])
	}
}

// add counts the cells of a block.
func (p *Baseline) add(c *Column) {
	switch {
	case c.Kind == Categorical:
		p.Counts = append(p.Counts, make([]int, len(c.Levels)-len(p.Counts))...)
		for i := range c.length() {
			if v := c.At(i); v == v {
				p.Counts[int(v)]++
			} else {
				p.Missing++
			}
		}
	case c.Codes == nil:
		for _, v := range c.Values {
			if v == v {
				p.widen(v, v)
			} else {
				p.Missing++
			}
		}
	default:
		p.Missing += c.Codes.Missing()
		if n := c.Codes.Distinct.Len(); n > 0 {
			p.widen(c.Codes.Distinct.At(0), c.Codes.Distinct.At(n-1))
		}
	}
}

// widen makes the range of p hold two values more.
func (p *Baseline) widen(low, high float64) {
	low, high = low+0, high+0 // 0 without a sign, whichever comes first
	if p.Range == nil {
		p.Range = &[2]float64{low, high}
	}
	p.Range[0], p.Range[1] = min(p.Range[0], low), max(p.Range[1], high)
}

// In returns s with these baselines in its fields.
func (b *Baselines) In(s Schema) Schema {
	out := make(Schema, len(s))
	for j, field := range s {
		if field.Baseline = nil; j < len(b.columns) && b.rows > 0 {
			of := b.columns[j]
			of.Rows = b.rows
			if field.Kind == Numeric {
				of.part(b.sample.values(j))
			}
			field.Baseline = &of
		}
		out[j] = field
	}
	return out
}

// known returns how many cells of c are not missing.
func (c *Column) known() int {
	if c.Codes != nil {
		return c.Codes.length() - c.Codes.Missing()
	}
	n := 0
	for _, v := range c.Values {
		if v == v {
			n++
		}
	}
	return n
}

// A sample holds so many rows at most, and so many cells.
const (
	mostSampled = 4096
	mostCells   = 1 << 22
)

// sample is rows of a table that come block by block: all of few, and of many some, drawn by their numbers alone. So
// it is the same however the table is cut into blocks.
type sample struct {
	columns [][]float64
	numbers []int // of its rows
	rows    int   // of the table so far
	thin    uint  // a row is in the sample if the number drawn for it ends in so many zeros
}

// add draws among the rows of f, whose columns are those of the rows before.
func (s *sample) add(f *Frame) {
	if s.columns == nil {
		s.columns = make([][]float64, len(f.Columns))
	}
	most := min(mostSampled, mostCells/max(1, len(s.columns)))
	for i := range f.Rows() {
		if number := s.rows + i; s.draws(number) {
			s.numbers = append(s.numbers, number)
			for j := range s.columns {
				s.columns[j] = append(s.columns[j], f.Columns[j].At(i))
			}
		}
		for len(s.numbers) > most {
			s.thinOut()
		}
	}
	s.rows += f.Rows()
}

// draws tells whether the row of a number is in the sample.
func (s *sample) draws(number int) bool {
	var random rand.PCG
	random.Seed(uint64(number), 0)
	return random.Uint64()&(1<<s.thin-1) == 0
}

// thinOut drops about half of the sample.
func (s *sample) thinOut() {
	s.thin++
	kept := s.numbers[:0]
	for at, number := range s.numbers {
		if !s.draws(number) {
			continue
		}
		for _, column := range s.columns {
			column[len(kept)] = column[at]
		}
		kept = append(kept, number)
	}
	s.numbers = kept
	for j := range s.columns {
		s.columns[j] = s.columns[j][:len(kept)]
	}
}

// values returns the cells of a column that are not missing, in a slice of their own.
func (s *sample) values(j int) []float64 {
	if s.columns == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.columns[j]), math.IsNaN)
}
