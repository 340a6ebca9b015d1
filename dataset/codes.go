package dataset

import (
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Column is one feature of all rows, in one of two forms: as plain cells, as in rows to predict, or coded,
// mostly in a quarter of the memory, as [ReadCSV] reads training data. [Column.At] reads either.
type Column struct {
	Field
	Values []float64 // len n: the number, or the index of the level; NaN where missing; nil if the column is coded
	Codes  *Codes    // nil if the column is not coded
}

// Codes holds the cells of a column as ranks. Code 0 is a missing cell; a code c above 0 stands for
// Distinct.At(c-1) in a numeric column and for level c-1 in a categorical one. Nothing is lost, since trees
// only compare ranks.
//
// The same cells always have the same codes: every distinct value occurs, and codes are wide only if narrow
// ones do not suffice. [Frame.Check] enforces this.
type Codes struct {
	Distinct Numbers  // the distinct values of a numeric column, ascending, 0 without a sign; empty for a categorical one
	Narrow   []uint16 // len n, if there are at most 65,535 distinct values or levels; else nil
	Wide     []uint32 // len n, if there are more; else nil
}

// code is what a cell is stored as.
type code interface{ uint16 | uint32 }

// mostNarrow is the highest code of 16 bits.
const mostNarrow = math.MaxUint16

// length returns n.
func (c *Codes) length() int { return len(c.Narrow) + len(c.Wide) }

// at returns the code of row i.
func (c *Codes) at(i int) uint32 {
	if c.Wide != nil {
		return c.Wide[i]
	}
	return uint32(c.Narrow[i])
}

// Missing returns the number of missing cells.
func (c *Codes) Missing() int { return zeros(c.Narrow) + zeros(c.Wide) }

func zeros[C code](codes []C) int {
	n := 0
	for _, c := range codes {
		if c == 0 {
			n++
		}
	}
	return n
}

// length returns n.
func (c *Column) length() int {
	if c.Codes != nil {
		return c.Codes.length()
	}
	return len(c.Values)
}

// At returns the cell of row i: the number, or the index of the level; NaN where missing.
func (c *Column) At(i int) float64 {
	if c.Codes == nil {
		return c.Values[i]
	}
	return c.decoded(c.Codes.at(i))
}

func (c *Column) decoded(code uint32) float64 {
	switch {
	case code == 0:
		return math.NaN()
	case c.Kind == Categorical:
		return float64(code - 1)
	}
	return c.Codes.Distinct.At(int(code - 1))
}

// most returns the highest code there can be.
func (c *Column) most() int {
	if c.Kind == Categorical {
		return len(c.Levels)
	}
	return c.Codes.Distinct.Len()
}

// take returns the given rows of a column, in its form.
func (c *Column) take(rows []int) Column {
	switch {
	case c.Codes == nil:
		return Column{Field: c.Field, Values: pick(c.Values, rows)}
	case c.Kind == Categorical:
		return Column{Field: c.Field, Codes: &Codes{Narrow: pick(c.Codes.Narrow, rows), Wide: pick(c.Codes.Wide, rows)}}
	}
	return Column{Field: c.Field, Codes: c.Codes.take(rows)}
}

// take returns the codes of the given rows of a numeric column, without the values that do
// not occur in them: O(rows taken + distinct).
func (c *Codes) take(rows []int) *Codes {
	to := make([]uint32, c.Distinct.Len()+1) // by code: 1 where it occurs, then the new code
	for _, i := range rows {
		to[c.at(i)] = 1
	}
	to[0] = 0
	kept := uint32(0)
	for code, occurs := range to {
		if occurs != 0 {
			kept++
			to[code] = kept
		}
	}
	part := &Codes{Distinct: c.Distinct.take(to, int(kept))}
	switch {
	case c.Wide == nil:
		part.Narrow = recoded[uint16](c.Narrow, rows, to)
	case kept <= mostNarrow:
		part.Narrow = recoded[uint16](c.Wide, rows, to)
	default:
		part.Wide = recoded[uint32](c.Wide, rows, to)
	}
	return part
}

// recoded returns the codes of the given rows in another numbering.
func recoded[To, From code](codes []From, rows []int, to []uint32) []To {
	out := make([]To, len(rows))
	for i, r := range rows {
		out[i] = To(to[codes[r]])
	}
	return out
}

// packed returns codes, the highest of which is most, in as many bits as they need, narrow ones
// in room, unless it is nil.
func packed(room []uint16, codes []uint32, most int) (narrow []uint16, wide []uint32) {
	if most > mostNarrow {
		return nil, append([]uint32(nil), codes...)
	}
	if narrow = room; narrow == nil {
		narrow = make([]uint16, len(codes))
	}
	for i, c := range codes {
		narrow[i] = uint16(c)
	}
	return narrow, nil
}

// checkCodes reports the first thing that is wrong with the codes of c.
func (c *Column) checkCodes() error {
	codes, most := c.Codes, c.most()
	switch {
	case c.Values != nil:
		return fmt.Errorf("%w: column %s has both Values and Codes; keep one of them", ErrShape, english.Quote(c.Name))
	case codes.Narrow != nil && codes.Wide != nil:
		return fmt.Errorf("%w: column %s has both narrow and wide codes; keep one of them", ErrShape, english.Quote(c.Name))
	case codes.Narrow != nil && most > mostNarrow, codes.Wide != nil && most <= mostNarrow:
		return fmt.Errorf("%w: column %s has codes up to %d; those up to %d are narrow, more are wide", ErrShape,
			english.Quote(c.Name), most, mostNarrow)
	case c.Kind == Categorical && codes.Distinct.Len() > 0:
		return fmt.Errorf("%w: column %s is categorical and has distinct values; leave them out, its codes stand for levels",
			ErrShape, english.Quote(c.Name))
	}
	if i := codes.Distinct.disorder(); i >= 0 {
		return fmt.Errorf("%w: distinct value %d of column %s is %v; they are finite and ascending, 0 without a sign",
			ErrValue, i, english.Quote(c.Name), codes.Distinct.At(i))
	}
	occurs := make([]bool, most+1)
	if i := max(tooLarge(codes.Narrow, occurs), tooLarge(codes.Wide, occurs)); i >= 0 {
		return fmt.Errorf("%w: column %s, row %d has code %d of %d", ErrValue, english.Quote(c.Name), i, codes.at(i), most)
	}
	for i := range codes.Distinct.Len() {
		if !occurs[i+1] {
			return fmt.Errorf("%w: no row of column %s has the distinct value %v; leave it out", ErrValue, english.Quote(c.Name),
				codes.Distinct.At(i))
		}
	}
	return nil
}

// tooLarge notes which codes occur, and returns the first row with a code of which there can be no note, -1 if there
// is none.
func tooLarge[C code](codes []C, occurs []bool) int {
	for i, code := range codes {
		if int64(code) >= int64(len(occurs)) {
			return i
		}
		occurs[code] = true
	}
	return -1
}
