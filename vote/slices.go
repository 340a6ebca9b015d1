package vote

import (
	"fmt"
	"math/bits"
)

// Slice names the rows that have one value in a column, such as region and north.
type Slice struct {
	Column string `json:"column"`
	Value  string `json:"value"`
}

// MostSlices is how many slices a table can tell apart at most.
const MostSlices = 64

// Slice returns the matrix of the rows of a slice, which counts with m; nil if m does not count that slice apart, see
// [Table.Confuse].
func (m *Confusion) Slice(s Slice) *Confusion {
	if m == nil {
		return nil
	}
	for at, name := range m.slices {
		if name == s {
			return m.within[at]
		}
	}
	return nil
}

// Slices returns the slices that m counts apart.
func (m *Confusion) Slices() []Slice {
	if m == nil {
		return nil
	}
	return m.slices
}

// Slicing has m count slices apart from now on, none of which has rows yet. It returns m.
func (m *Confusion) Slicing(slices []Slice) *Confusion {
	m.slices, m.within = slices, nil
	for range slices {
		m.within = append(m.within, NewConfusion(m.Classes))
	}
	return m
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

// Confusion returns the empty matrix of decisions of rows of t, which counts its slices apart.
func (t *Table) Confusion() *Confusion { return NewConfusion(t.Classes).Slicing(t.Slices) }

// InOf returns the slices that row i is in, as bits; 0 of a row that there is not.
func (t *Table) InOf(i int) uint64 {
	if uint(i) >= uint(len(t.In)) {
		return 0
	}
	return t.In[i]
}

// Sliced returns t, whose rows are in the slices that in (len n) says; rows and all else are shared. The slices that t
// had are gone.
func (t *Table) Sliced(slices []Slice, in []uint64) *Table {
	out := *t
	out.Slices, out.In = slices, in
	return &out
}

// checkSlices says why slices do not go with the rows.
func (t *Table) checkSlices() error {
	switch {
	case len(t.Slices) > MostSlices:
		return fmt.Errorf("%w: %d slices of rows; at most %d can be told apart", ErrShape, len(t.Slices), MostSlices)
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
