package vote

import (
	"fmt"
	"math/bits"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// Slice names the rows that have one value in a column, such as region and north.
type Slice struct {
	Column string `json:"column"`
	Value  string `json:"value"`
}

// Has tells whether a cell of the column is of the value: the same text, or the same number.
func (s Slice) Has(cell string) bool {
	if cell == s.Value {
		return true
	}
	a, form := csvtext.ParseNumber(s.Value)
	b, other := csvtext.ParseNumber(cell)
	return form != csvtext.Word && other != csvtext.Word && a == b
}

// mostSlices is how many slices a table can tell apart at most.
const mostSlices = 64

// Slice returns the matrix of the rows of a slice, which counts with m; nil if m does not count that slice apart, see
// [Table.Confuse]. The zero Slice is all rows.
func (m *Confusion) Slice(s Slice) *Confusion {
	if m == nil || s == (Slice{}) {
		return m
	}
	for at, name := range m.slices {
		if name == s {
			return m.within[at]
		}
	}
	return nil
}

// AddIn is [Confusion.Add] of a row that is in the slices whose bits are set, as in [Table.In].
func (m *Confusion) AddIn(truth, decision int, weight float64, in uint64) {
	m.Add(truth, decision, weight)
	for ; in != 0; in &= in - 1 {
		if at := bits.TrailingZeros64(in); at < len(m.within) {
			m.within[at].Add(truth, decision, weight)
		}
	}
}

// MoveIn is [Confusion.Move] of a row that is in the slices whose bits are set.
func (m *Confusion) MoveIn(truth, from, to int, weight float64, in uint64) {
	m.Move(truth, from, to, weight)
	for ; in != 0; in &= in - 1 {
		if at := bits.TrailingZeros64(in); at < len(m.within) {
			m.within[at].Move(truth, from, to, weight)
		}
	}
}

// InOf returns the slices that row i is in, as bits; 0 of a row that there is not.
func (t *Table) InOf(i int) uint64 {
	if uint(i) >= uint(len(t.In)) {
		return 0
	}
	return t.In[i]
}

// checkSlices says why slices do not go with the rows.
func (t *Table) checkSlices() error {
	switch {
	case len(t.Slices) > mostSlices:
		return fmt.Errorf("%w: %d slices of rows; at most %d can be told apart", ErrShape, len(t.Slices), mostSlices)
	case t.Slices == nil && t.In == nil:
		return nil
	case len(t.In) != len(t.Truth):
		return fmt.Errorf("%w: slices of %d rows for %d; give one each, or none", ErrShape, len(t.In), len(t.Truth))
	}
	for i, in := range t.In {
		if bits.Len64(in) > len(t.Slices) {
			return fmt.Errorf("%w: row %d is in slice %d, and there are %d", ErrValue, i, bits.Len64(in), len(t.Slices))
		}
	}
	return nil
}
