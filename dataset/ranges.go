package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// Range is where the values of a numeric column lie.
type Range struct {
	Low    float64 `json:"low"`    // the smallest value
	High   float64 `json:"high"`   // the largest
	Values int     `json:"values"` // cells that are not missing, at least 1
}

// Check says what cannot be a range.
func (r *Range) Check() error {
	if !(r.Low <= r.High) || math.IsInf(r.Low, 0) || math.IsInf(r.High, 0) || r.Values < 1 || r.Values == 1 && r.Low < r.High {
		return fmt.Errorf("%w: a range from %v to %v of %d values", ErrValue, r.Low, r.High, r.Values)
	}
	return nil
}

// Far tells whether v is hardly a value like those of r: further from them than they are from each other, or a negative whole number where none of them is negative, as -1 or -999 may stand for a missing one.
func (r *Range) Far(v float64) bool {
	width := r.High - r.Low
	return v < r.Low-width || v > r.High+width || v < 0 && r.Low >= 0 && v == math.Trunc(v)
}

// Gaps is how many cells of a column are missing.
type Gaps struct {
	Missing int `json:"missing"` // cells
	Rows    int `json:"rows"`    // of all, at least 1
}

// Check says what cannot be gaps.
func (g *Gaps) Check() error {
	if g.Missing < 0 || g.Rows < 1 || g.Missing > g.Rows {
		return fmt.Errorf("%w: %d missing cells of %d", ErrValue, g.Missing, g.Rows)
	}
	return nil
}

// widen makes r have so many more values.
func (r *Range) widen(low, high float64, values int) {
	if r.Values == 0 || low < r.Low {
		r.Low = low + 0 // 0 without a sign, whichever comes first
	}
	if r.Values == 0 || high > r.High {
		r.High = high + 0
	}
	r.Values += values
}

// Ranges gathers the range and the gaps of each column, of rows that come block by block, in any order. The zero value has seen none.
type Ranges struct {
	rows    int
	columns []Range // of a column of categories the number of its values alone
}

// Add takes the labelled rows of f that weigh anything, as those of weight 0 are in no training. The columns of f are those of the rows before.
func (r *Ranges) Add(f *Frame) {
	if r.columns == nil {
		r.columns = make([]Range, len(f.Columns))
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
	r.rows += f.Rows()
	for j := range f.Columns {
		c, of := &f.Columns[j], &r.columns[j]
		switch {
		case c.Kind == Categorical:
			of.Values += c.known()
		case c.Codes == nil:
			for _, v := range c.Values {
				if v == v {
					of.widen(v, v, 1)
				}
			}
		case c.Codes.Distinct.Len() > 0:
			of.widen(c.Codes.Distinct.At(0), c.Codes.Distinct.At(c.Codes.Distinct.Len()-1), c.known())
		}
	}
}

// known returns how many cells of c are not missing.
func (c *Column) known() int {
	if c.Codes != nil {
		return c.Codes.Len() - c.Codes.Missing()
	}
	n := 0
	for _, v := range c.Values {
		if v == v {
			n++
		}
	}
	return n
}

// In returns s with these gaps, and with these ranges of numeric columns that have a value.
func (r *Ranges) In(s Schema) Schema {
	out := make(Schema, len(s))
	for j, field := range s {
		field.Range, field.Gaps = nil, nil
		if j < len(r.columns) && r.rows > 0 {
			of := &r.columns[j]
			field.Gaps = &Gaps{r.rows - of.Values, r.rows}
			if field.Kind == Numeric && of.Values > 0 {
				field.Range = of
			}
		}
		out[j] = field
	}
	return out
}

// When missing cells are warned of: where they are as many as values beyond those of training at least, and their share is larger by so much and by so many
// standard errors.
const (
	emptiedBy     = 0.1
	emptiedErrors = 5.0
)

// emptied returns a warning for a field of a schema: that far more cells are missing than in training, where so many of all rows have a value that is
// known, and so many one of a category unseen there; nil where they are not.
func (f *Field) emptied(known, unseen, rows int) error {
	missing, was := rows-known, f.Gaps
	if was == nil || missing < fewestBeyond {
		return nil
	}
	n, m := float64(rows), float64(was.Rows)
	now, before, both := float64(missing)/n, float64(was.Missing)/m, float64(missing+was.Missing)/(n+m)
	if now-before < emptiedBy || now-before <= emptiedErrors*math.Sqrt(both*(1-both)*(1/n+1/m)) {
		return nil
	}
	or := ""
	if unseen > 0 {
		or = " or of unseen categories"
	}
	return &GapsWarning{f.Name, missing, fmt.Sprintf("column %s: %d of %d cells are missing%s (%s, in training %s); has it come empty, or is it written otherwise?",
		english.Quote(f.Name), missing, rows, or, english.Percent(now, 1), english.Percent(before, 1))}
}

// When values beyond those of training are warned of: where they are so many, and so large a part, and chance makes as many of them in so few tables at most.
const (
	fewestBeyond = 5
	beyondShare  = 0.05
	beyondChance = 0.01
)

// beyond counts the values of a column that are none between those of training.
type beyond struct{ values, below, above int }

// note counts a value of a column of range r; without one it counts nothing.
func (b *beyond) note(r *Range, v float64) {
	if r == nil || v != v {
		return
	}
	b.values++
	if v < r.Low {
		b.below++
	} else if v > r.High {
		b.above++
	}
}

func (b *beyond) merge(other beyond) {
	b.values += other.values
	b.below += other.below
	b.above += other.above
}

// warn returns a warning for a field of a schema: that more values lie beyond those of training than chance makes; nil where they do not.
func (b *beyond) warn(f Field, columns int) error {
	var found []string
	note := func(n int, side string, end float64) {
		level := beyondChance / float64(2*columns)
		if n >= fewestBeyond && float64(n) > beyondShare*float64(b.values) && f.Range.chance(n, b.values) < level {
			found = append(found, fmt.Sprintf("%d of %d values are %s every value of training (%s)", n, b.values, side, csvtext.AppendNumber(nil, end)))
		}
	}
	if b.values > 0 {
		note(b.below, "below", f.Range.Low)
		note(b.above, "above", f.Range.High)
	}
	if found == nil {
		return nil
	}
	return fmt.Errorf("column %s: %s; another unit or time, or a code for a missing value?", english.Quote(f.Name), strings.Join(found, ", and "))
}

// chance returns how probable it is that so many of the new values are beyond those of r on one side, if new ones and those are alike: that the
// largest of all of them are all new. Where values are equal it is less.
func (r *Range) chance(beyond, values int) float64 {
	p := 1.0
	for i := range beyond {
		p *= float64(values-i) / (float64(r.Values) + float64(values-i))
	}
	return p
}
