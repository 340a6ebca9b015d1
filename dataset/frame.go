package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// Kind says how the cells of a column are read.
type Kind uint8

// The kinds of columns.
const (
	Numeric     Kind = iota // a cell is a number, and only its order matters to a tree
	Categorical             // a cell is the index of one of the column's levels
)

// String returns "numeric" or "categorical".
func (k Kind) String() string {
	if k == Categorical {
		return "categorical"
	}
	return "numeric"
}

// Field describes a column without its cells. A list of fields is a [Schema].
type Field struct {
	Name     string
	Kind     Kind
	Levels   []string  // the levels of a categorical column, sorted; nil for a numeric one
	Unit     string    // of a numeric column whose cells are read by Options.Number, "1" for none; else ""
	Baseline *Baseline // in a model, what is known of the cells that it was trained on; nil if nothing is
}

// Level returns the cell for the level of that name: its index, or NaN, a missing cell, if the field has no
// such level. A name that means the same is one, such as 1.0 for 1, TRUE for true, and é in either form of Unicode.
func (f Field) Level(name string) float64 {
	if i, found := slices.BinarySearch(f.Levels, name); found {
		return float64(i)
	}
	s := newSpellings(f.Levels)
	if i, known := s.level(name); known {
		return float64(i)
	}
	return math.NaN()
}

// Frame holds n rows of data, column by column. The id of a row is its index: everything that is drawn at
// random for a row depends only on that id and a seed.
type Frame struct {
	Columns []Column // the p features, in the order of the file
	Classes []string // the k class names, sorted (by value if integers); nil without labels
	Truth   []int    // len n, index into Classes, -1 where unknown; nil without labels
	// Strange (len n) holds the label of each row whose class the schema does not know, or that was left out of
	// training, and "" for other rows; nil if there are none.
	UnknownLabels []string
	// Merged (len n) holds the original label of each row that Options.Merge moved to another class, and "" for
	// other rows; nil if there are none.
	Merged []string
	Weight []float64 // len n, case weights, finite and >= 0; nil means 1 each
	Amount []float64 // len n, the amount at stake in a row, such as the sum of a payment, finite and >= 0; nil for none
	Group  []int     // len n; Folds never splits the rows of a group; nil for none
	// Time (len n) says when each row was: numbers, or dates as levels, which are composed of parts if several
	// columns hold those. It is not a feature; Blocks divides the rows by it. Nil for none.
	Time *Column
	ID   []string // len n, names of the rows, carried through to the predictions; nil for none
	// Per (len n) holds what each row has in the columns of Options.Per, as a line of CSV: only rows of one text
	// compete for a place on a list. Nil for none.
	Per    []string
	Kept   []Kept // the columns of Options.Keep; nil for none
	Number []int  // len n, number of the row in the file, counted from 1; nil if no row was left out

	// Unseen counts, for each column (len p), the cells whose level the schema does not know and that were
	// therefore taken as missing; nil if the frame was not read for a schema. Callers add it up over blocks.
	Unseen []int

	// Reading is how the frame was read, so that a model can read new rows alike.
	Reading Reading

	// Warnings lists what the user of the data should know although reading went on.
	Warnings []error

	rows   int      // n of a frame without columns and labels
	strays [][]walk // along the columns that were left out, see Ordered

	compared bool // whether a Reader has compared the columns with what they were in training
}

// Reading is what must be known about the file of a frame to read another one in the same way.
type Reading struct {
	Target   string   `json:"target"`             // column of the labels
	Positive string   `json:"positive,omitempty"` // label that all others were merged against
	Missing  []string `json:"missing,omitempty"`  // words for a missing cell; of a single column as COLUMN=WORD
	Amount   string   `json:"amount,omitempty"`   // column of the amount at stake in a row
	Weight   string   `json:"weight,omitempty"`   // column of the case weights
	Group    string   `json:"group,omitempty"`    // column that says which rows belong together
	ID       string   `json:"id,omitempty"`       // column that names the rows
	// column that says when each row was, or several, from coarse to fine, as in a line of CSV
	Time   string   `json:"time,omitempty"`
	Ignore []string `json:"ignore,omitempty"` // columns that were left out

	Merge map[string][]string `json:"merge,omitempty"` // the labels that became one class, by the name of the class
}

// Rows returns n.
func (f *Frame) Rows() int {
	switch {
	case f.Truth != nil:
		return len(f.Truth)
	case len(f.Columns) > 0:
		return f.Columns[0].length()
	default:
		return f.rows
	}
}

// Schema returns the fields of the columns, without the baselines of a model. The levels are shared, not
// copied.
func (f *Frame) Schema() Schema {
	s := make(Schema, len(f.Columns))
	for j, c := range f.Columns {
		s[j] = c.Field
		s[j].Baseline = nil
	}
	return s
}

// WeightOf returns the case weight of row i.
func (f *Frame) WeightOf(i int) float64 {
	if f.Weight == nil {
		return 1
	}
	return f.Weight[i]
}

// ClassWeights returns the summed case weight of the rows of each class (len k).
func (f *Frame) ClassWeights() []float64 {
	sums := make([]float64, len(f.Classes))
	for i, c := range f.Truth {
		if c >= 0 {
			sums[c] += f.WeightOf(i)
		}
	}
	return sums
}

// FirstRows returns, by class, the index of its first row that weighs more than 0 (len k); n for a class that has
// none. Equally common classes are put in the order of these rows, so that names decide nothing.
func (f *Frame) FirstRows() []int {
	first := slices.Repeat([]int{f.Rows()}, len(f.Classes))
	for i, c := range slices.Backward(f.Truth) {
		if c >= 0 && f.WeightOf(i) > 0 {
			first[c] = i
		}
	}
	return first
}

// Missing returns the number of missing cells of each column (len p).
func (f *Frame) Missing() []int {
	counts := make([]int, len(f.Columns))
	for j, c := range f.Columns {
		if c.Codes != nil {
			counts[j] = c.Codes.Missing()
		}
		for _, v := range c.Values {
			if v != v {
				counts[j]++
			}
		}
	}
	return counts
}

// Row copies the p cells of row i into dst, which must have length p.
func (f *Frame) Row(dst []float64, i int) {
	for j := range f.Columns {
		dst[j] = f.Columns[j].At(i)
	}
}

// Take returns a frame of the given rows, in that order. Classes and levels stay whole, so that a model trained
// on a part knows the same classes as one trained on all. Everything else is of those rows alone: a coded
// column has only the values that occur in them.
func (f *Frame) Take(rows []int) *Frame {
	part := &Frame{Classes: f.Classes, Reading: f.Reading, compared: f.compared, rows: len(rows), Columns: make([]Column,
		len(f.Columns))}
	for j := range f.Columns {
		part.Columns[j] = f.Columns[j].take(rows)
	}
	part.Truth = pick(f.Truth, rows)
	part.UnknownLabels = pick(f.UnknownLabels, rows)
	part.Merged = pick(f.Merged, rows)
	part.Weight = pick(f.Weight, rows)
	part.Amount = pick(f.Amount, rows)
	part.Group = pick(f.Group, rows)
	if f.Time != nil {
		times := f.Time.take(rows)
		part.Time = &times
	}
	part.ID = pick(f.ID, rows)
	part.Per = pick(f.Per, rows)
	for _, k := range f.Kept {
		part.Kept = append(part.Kept, Kept{k.Column, pick(k.Cells, rows)})
	}
	part.Number = pick(f.Number, rows)
	return part
}

// Labelled returns the rows of known class, see [Frame.Take]; f itself if all are.
func (f *Frame) Labelled() *Frame {
	if !slices.ContainsFunc(f.Truth, func(c int) bool { return c < 0 }) {
		return f
	}
	var rows []int
	for i, c := range f.Truth {
		if c >= 0 {
			rows = append(rows, i)
		}
	}
	return f.Take(rows)
}

func pick[T any](all []T, rows []int) []T {
	if all == nil || len(all) == 0 && len(rows) > 0 {
		return nil
	}
	part := make([]T, len(rows))
	for i, r := range rows {
		part[i] = all[r]
	}
	return part
}

// Errors of [Frame.Check], wrapped with the place.
var (
	ErrShape  = errors.New("lengths do not agree")
	ErrValue  = errors.New("value out of range")
	ErrNoData = errors.New("no data")
)

// Kinds of warnings about what does no harm.
var (
	ErrIgnored = errors.New("unknown to the model ignored") // columns that a model does not know
	ErrUseless = errors.New("cannot help")                  // columns without a value, or with one
	ErrUnmet   = errors.New("no cell is missing by a word") // words for a missing cell that no cell holds
)

// Check reports the first thing that makes f unfit for training or prediction: columns of different length, two
// columns or classes of one name, levels that are not sorted or are empty, an infinite number, a level or class
// index out of range, codes that are not as [Codes] says, a weight or amount that is negative or not finite.
// Frames read by this package pass.
func (f *Frame) Check() error {
	n := f.Rows()
	if len(f.Columns) == 0 {
		return fmt.Errorf("%w: the frame has no columns; add at least one feature", ErrNoData)
	}
	if n > math.MaxInt32 {
		return fmt.Errorf("%w: %d rows; a frame holds at most %d, take a part of them", ErrShape, n, math.MaxInt32)
	}
	seen := make(map[string]int, len(f.Columns))
	for j, c := range f.Columns {
		if first, dup := seen[c.Name]; dup {
			return fmt.Errorf("%w: columns %d and %d are both named %s; rename one", ErrValue, first+1, j+1,
				english.Quote(c.Name))
		}
		seen[c.Name] = j
		if err := c.check(n); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name string
		has  bool
		n    int
	}{{"Truth", f.Truth != nil, len(f.Truth)}, {"Weight", f.Weight != nil, len(f.Weight)},
		{"Amount", f.Amount != nil, len(f.Amount)}, {"Group", f.Group != nil, len(f.Group)},
		{"UnknownLabels", false, len(f.UnknownLabels)}, {"Merged", false, len(f.Merged)}, {"ID", false, len(f.ID)},
		{"Per", false, len(f.Per)}, {"Number", false, len(f.Number)}} { // of the last, none may be an empty list as well
		if (part.has || part.n != 0) && part.n != n {
			return fmt.Errorf("%w: %s has %d entries for %d rows", ErrShape, part.name, part.n, n)
		}
	}
	for _, k := range f.Kept {
		if len(k.Cells) != n {
			return fmt.Errorf("%w: %s is kept with %d cells for %d rows", ErrShape, english.Quote(k.Column), len(k.Cells), n)
		}
	}
	if f.Time != nil {
		if err := f.Time.check(n); err != nil {
			return err
		}
	}
	if err := f.checkClasses(); err != nil {
		return err
	}
	for i, w := range f.Weight {
		if !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("%w: row %d has weight %v; a weight is finite and not negative", ErrValue, i, w)
		}
	}
	for i, v := range f.Amount {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("%w: row %d has the amount %v; an amount is finite and not negative", ErrValue, i, v)
		}
	}
	return nil
}

func (f *Frame) checkClasses() error {
	seen := make(map[string]int, len(f.Classes))
	for c, name := range f.Classes {
		if name == "" {
			return fmt.Errorf("%w: class %d has no name; give it one", ErrValue, c)
		}
		if first, dup := seen[name]; dup {
			return fmt.Errorf("%w: classes %d and %d are both named %s; rename one", ErrValue, first, c, english.Quote(name))
		}
		seen[name] = c
	}
	for i, c := range f.Truth {
		if c < -1 || c >= len(f.Classes) {
			return fmt.Errorf("%w: row %d has class index %d of %d classes; use -1 for unknown", ErrValue, i, c, len(f.Classes))
		}
	}
	return nil
}

func (c *Column) check(n int) error {
	if c.length() != n {
		return fmt.Errorf("%w: column %s has %d cells for %d rows", ErrShape, english.Quote(c.Name), c.length(), n)
	}
	if c.Kind == Categorical {
		previous := ""
		for _, level := range c.Levels {
			if level <= previous {
				return fmt.Errorf("%w: the levels of column %s are not sorted, repeated or empty; sort them, so that their order "+
					"never depends on the rows", ErrValue, english.Quote(c.Name))
			}
			previous = level
		}
	}
	if c.Codes != nil {
		return c.checkCodes()
	}
	for i, v := range c.Values {
		switch {
		case math.IsInf(v, 0):
			return fmt.Errorf("%w: column %s, row %d is %v; use NaN for a missing cell", ErrValue, english.Quote(c.Name), i, v)
		case c.Kind == Categorical && v == v && (v < 0 || v >= float64(len(c.Levels)) || v != math.Trunc(v)):
			return fmt.Errorf("%w: column %s, row %d is %v, not the index of one of its %d levels", ErrValue,
				english.Quote(c.Name), i, v, len(c.Levels))
		}
	}
	return nil
}

// Kept is a column whose texts are kept beside the features, such as one that rows are told apart by.
type Kept struct {
	Column string
	Cells  []string // len n, without blanks at their ends
}

// Cells returns what the rows have in a column, as a function of the row: one of Kept or, if none is called so, a
// feature, whose missing cells are "".
//
// Errors: one that names the nearest columns, for a column that is neither.
func (f *Frame) Cells(column string) (func(row int) string, error) {
	known := namesOf(f.Kept)
	if at := slices.Index(known, column); at >= 0 {
		cells := f.Kept[at].Cells
		return func(row int) string { return cells[row] }, nil
	}
	for j := range f.Columns {
		c := &f.Columns[j]
		if known = append(known, c.Name); c.Name == column {
			return func(row int) string {
				v := c.At(row)
				if v != v {
					return ""
				}
				return c.Text(v)
			}, nil
		}
	}
	return nil, fmt.Errorf("rows cannot be told apart: %w", nearest.Unknown("column", column, known))
}

// keptOf gives columns their cells; nil of no columns.
func keptOf(columns []string, cells [][]string) []Kept {
	var out []Kept
	for i, name := range columns {
		k := Kept{Column: name}
		if cells != nil {
			k.Cells = cells[i]
		}
		out = append(out, k)
	}
	return out
}

// namesOf returns the names of columns.
func namesOf(kept []Kept) []string {
	var names []string
	for _, k := range kept {
		names = append(names, k.Column)
	}
	return names
}
