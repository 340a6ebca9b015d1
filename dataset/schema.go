package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// Schema is what a model remembers of its columns: their names, kinds, levels and baselines.
type Schema []Field

// Cell reads a value of the column. A text is read as [Reader] reads it in a file, without blanks around it, with a
// point as the decimal mark; a number of any type of Go, or a json.Number, is itself; a truth value is the text
// false or true; nil is a missing cell.
//
// It returns NaN, a missing cell, if the text is empty, one of the words for a missing cell of all columns or of
// this one (in the form of [Options].Missing), or a category that the field does not have. Categories are
// compared as text, where "1" is no number but 1 is "1".
//
// An error, which does not name the column, says that the cell of a numeric column is no finite number, or that
// the value is of no such type.
func (f Field) Cell(value any, missing []string) (float64, error) {
	cell, known := cellOf(value)
	if !known {
		return 0, fmt.Errorf("a %s is neither a number, a text nor a truth value; give one of these, or null",
			typeName(value))
	}
	words := newMissing(missing, []string{f.Name}, "").features[0]
	return f.read(cell.trimmed(), &words, f.Level)
}

// read reads a trimmed cell of the column, whose words for a missing cell are given.
func (f *Field) read(cell Cell, words *words, level func(text string) float64) (float64, error) {
	switch categorical := f.Kind == Categorical; {
	case words.missing(&cell, categorical):
		return math.NaN(), nil
	case categorical:
		return level(cell.String()), nil
	case cell.state == parsed && cell.form != csvtext.Huge:
		return cell.number, nil
	case f.Unit != "":
		if v, form := cell.numberIn(f.Unit); form != csvtext.Word && form != csvtext.Huge {
			return v, nil
		}
	}
	return csvtext.Number(cell.text)
}

// Text is the inverse of [Field.Cell]: the category as written in the file, the shortest text of a number, with
// a decimal point, or "" for a missing cell.
func (f Field) Text(cell float64) string {
	switch {
	case math.IsNaN(cell):
		return ""
	case f.Kind == Categorical:
		return f.Levels[int(cell)]
	}
	return string(csvtext.AppendNumber(nil, cell))
}

// Conform returns f as a model of schema s knows its columns: matched by name, in the order of s, with cells
// recoded to the levels of s. A coded column that must be recoded is no longer coded. Conform is for frames
// built by hand or read for training; [NewReader] returns frames that conform.
//
// Levels that s does not have become missing, are counted in Unseen (len p), and give a warning. Columns that s
// does not have are left out with a warning. Columns that are not as in training give a warning ([ErrDrift]),
// unless a [Reader] has read f for s, because that warns of all rows. Rows, labels, classes, weights, groups
// and ids stay as they are. The result shares with f what need not change.
//
// Errors: those of [Frame.Check]; [ErrShape] if f lacks columns, naming all of them; [ErrValue] if a column is
// of the other kind.
func (s Schema) Conform(f *Frame) (*Frame, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	position := make(map[string]int, len(f.Columns))
	for j, c := range f.Columns {
		position[c.Name] = j
	}
	var missing []string
	for _, field := range s {
		if _, found := position[field.Name]; !found {
			missing = append(missing, field.Name)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%w: the frame lacks %s of the schema: %s; add what is missing", ErrShape,
			english.Plural(len(missing), "column"), nearest.List(missing))
	}
	g := *f
	g.rows = f.Rows()
	g.Columns, g.Unseen, g.Warnings = make([]Column, len(s)), make([]int, len(s)), slices.Clone(f.Warnings)
	compared := f.compared
	for j, field := range s {
		c := f.Columns[position[field.Name]]
		delete(position, field.Name)
		if c.Kind != field.Kind {
			return nil, fmt.Errorf("%w: column %s is %v and the schema has it %v; build it as %v", ErrValue,
				english.Quote(c.Name), c.Kind, field.Kind, field.Kind)
		}
		compared = compared && c.Baseline == field.Baseline
		g.Columns[j] = Column{Field: field, Values: c.Values, Codes: c.Codes}
		if field.Kind == Categorical && !slices.Equal(c.Levels, field.Levels) {
			g.Columns[j].Codes = nil
			g.Columns[j].Values, g.Unseen[j] = recode(c, field)
		}
	}
	g.warnConform(f, position)
	if !compared && g.hasBaselines() {
		g.warnDrift()
	}
	return &g, nil
}

// numbered returns for each categorical field the index of each level, nil for numeric ones.
func (s Schema) numbered() []map[string]int {
	numbers := make([]map[string]int, len(s))
	for j, field := range s {
		if field.Kind != Categorical {
			continue
		}
		numbers[j] = make(map[string]int, len(field.Levels))
		for i, level := range field.Levels {
			numbers[j][level] = i
		}
	}
	return numbers
}

// recode returns the cells of c as indices of the levels of a field, and how many are of none.
func recode(c Column, field Field) (values []float64, unseen int) {
	values = make([]float64, c.length())
	number, spelt := make([]int, len(c.Levels)), newSpellings(field.Levels)
	for i, name := range c.Levels {
		level, known := slices.BinarySearch(field.Levels, name)
		if !known {
			level, known = spelt.level(name)
		}
		if number[i] = level; !known {
			number[i] = -1
		}
	}
	for i := range values {
		values[i] = math.NaN()
		v := c.At(i)
		if v != v {
			continue
		}
		if level := number[int(v)]; level >= 0 {
			values[i] = float64(level)
		} else {
			unseen++
		}
	}
	return values, unseen
}

// hasBaselines tells whether a column can be compared with what it was in training.
func (g *Frame) hasBaselines() bool {
	return slices.ContainsFunc(g.Columns, func(c Column) bool { return c.Baseline != nil })
}

func (g *Frame) warnConform(f *Frame, extra map[string]int) {
	var names []string
	for _, c := range f.Columns {
		if _, left := extra[c.Name]; left {
			names = append(names, c.Name)
		}
	}
	if names != nil {
		g.Warnings = append(g.Warnings, fmt.Errorf("%s %w: %s", english.Plural(len(names), "column"), ErrIgnored,
			nearest.List(names)))
	}
	for j, n := range g.Unseen {
		if n > 0 {
			g.Warnings = append(g.Warnings, fmt.Errorf("column %s: %s", english.Quote(g.Columns[j].Name), unseenText(n)))
		}
	}
}

// warnDrift compares the columns with what they were in training.
func (g *Frame) warnDrift() {
	var rows sample
	rows.add(g)
	for j, n := range g.Unseen {
		c := &g.Columns[j]
		if c.Baseline == nil {
			continue
		}
		of := cells{sampled: rows.values(j), known: c.known(), unseen: n, rows: c.length()}
		for i := range c.length() {
			of.beyond.note(c.Baseline, c.At(i))
		}
		if d := c.drift(&of, len(g.Columns)); d != nil {
			g.Warnings = append(g.Warnings, warning{d, ErrDrift})
		}
	}
}
