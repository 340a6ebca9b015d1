package dataset

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/dressed"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/spelling"
)

// Source is a table in some format, row by row: what a format must provide for [Read] to make a [Frame] of it.
// A source that also has the method
//
//	Part(used Source) (Source, error)
//
// hands out its rows in parts, which are read concurrently. Each part is a source of the next rows, of which
// only Next and Pos are called; after the last part comes [io.EOF]. A part is read by a single goroutine and
// then passed back as used, so that its memory can be used again; used is nil at first.
type Source interface {
	// Name is the name of the file, for messages.
	Name() string
	// Columns returns the names of the columns, trimmed; none is empty, and no two are equal.
	Columns() []string
	// Text reports whether the format itself declares that column j holds categories, whatever its cells look
	// like. If not, the kind of the column follows from its cells.
	Text(j int) bool
	// Use is called once, before the first row, and says which columns will be looked at. It returns an error
	// if one of them cannot be read; the cells of the others may be anything.
	Use(columns []bool) error
	// Next returns the cells of the next row, one for each column, which are valid until the next call; after
	// the last row it returns [io.EOF].
	Next() ([]Cell, error)
	// Pos returns the place of cell j of the current row, or, before the first row, of the header.
	Pos(j int) Pos
}

// What a source may have beside.
type (
	// declarer knows the categories that its format declares for column j, nil for none.
	declarer interface{ Declared(j int) []string }
	// weigher knows what the current row weighs, where its format has a weight beside the cells.
	weigher interface {
		Weight() (w float64, weighed bool)
	}
	// timer reads a column of dates, which it refuses as a feature, as texts of dates. It is asked to before Use.
	timer interface{ UseTime(j int) }
	// counter knows how many rows there are before they are read.
	counter interface{ Rows() int64 }
	// warner knows what is doubtful about the file so far, without its name.
	warner interface{ Warnings() []string }
)

// Pos is a place in a table: a Line and a Column (a byte in the line) in a text, or else a Row, all counted
// from 1; 0 means none.
type Pos = csvtext.Pos

// Cell is one value of a [Source]: a text, or a number. The zero value is a missing cell.
type Cell struct {
	text   string // as it stands in the file; "" for a number the format holds as such
	number float64
	form   csvtext.Form
	state  cellState
}

// cellState says what is known of a cell. A Cell has four fields and no more, as the compiler keeps
// such in registers: with a fifth, tables are read a fifth slower.
type cellState uint8

const (
	pointed cellState = iota // a text, in which a point is the decimal mark
	comma                    // a text, in which a comma is
	parsed                   // number and form
)

// TextCell returns a cell that holds a text, which may be that of a number. Blanks around it do not count; a
// text of blanks alone is a missing cell.
func TextCell(text string) Cell { return Cell{text: text} }

// NumberCell returns a cell that holds a number. NaN is a missing cell; an infinite number is a fault if the
// column is read as numbers.
func NumberCell(v float64) Cell {
	switch {
	case v != v:
		return Cell{}
	case math.IsInf(v, 0):
		return Cell{text: strconv.FormatFloat(v, 'g', -1, 64), number: v, form: csvtext.Huge, state: parsed}
	}
	return Cell{number: v + 0, state: parsed, form: csvtext.Exact} // -0 + 0 is 0
}

// IntegerCell returns a cell that holds a whole number. Above 2^53 it may lose digits when read as a number,
// which a warning counts, but not when read as a label or a category.
func IntegerCell(v int64) Cell {
	if -1<<53 <= v && v <= 1<<53 {
		return NumberCell(float64(v))
	}
	return TextCell(strconv.FormatInt(v, 10))
}

// String returns the text of the cell, without blanks around it, and "" for a missing one.
func (c Cell) String() string {
	if c.text != "" || c.state != parsed {
		return strings.TrimSpace(c.text)
	}
	if c.number == math.Trunc(c.number) && math.Abs(c.number) < 1<<53 {
		return strconv.FormatInt(int64(c.number), 10)
	}
	return string(csvtext.AppendNumber(nil, c.number))
}

// trimmed returns the cell without blanks, and what nobody sees, around its text.
func (c *Cell) trimmed() Cell {
	t := *c
	if n := len(t.text); n > 0 && (isBlank(t.text[0]) || isBlank(t.text[n-1])) {
		t.text = spelling.Trim(t.text)
	}
	return t
}

// isBlank reports whether a byte may be a part of a blank.
func isBlank(b byte) bool { return b <= ' ' || b >= utf8.RuneSelf }

// value reads a trimmed cell as a number.
func (c *Cell) value() (float64, csvtext.Form) {
	if c.state == parsed {
		return c.number, c.form
	}
	return csvtext.ParseMarked(c.text, c.mark())
}

// numberIn reads a trimmed cell as a number of that unit, see [Options.Number]; "" is for numbers that wear none.
func (c *Cell) numberIn(unit string) (float64, csvtext.Form) {
	v, form := c.value()
	if form == csvtext.Word && unit != "" {
		return dressed.Parse(c.text, unit, c.mark())
	}
	return v, form
}

// mark is the decimal mark of the text.
func (c *Cell) mark() byte {
	if c.state == comma {
		return ','
	}
	return '.'
}

// decimalHint returns what to add to a message about a cell that is no number, "" for nothing.
func (c *Cell) decimalHint() string { return csvtext.DecimalHint(c.String(), c.mark()) }

// table is a source with the words for its faults.
type table struct {
	Source
	file   string
	header []string
	ended  bool              // a source without parts has no more rows
	faults csvtext.RowFaults // of the rows so far
}

func newTable(s Source) *table {
	t := &table{Source: s, file: s.Name(), header: slices.Clone(s.Columns())}
	seen := make(map[string]bool, len(t.header))
	for j, name := range t.header {
		if clean := spelling.Clean(name); !seen[clean] && clean != "" {
			t.header[j] = clean
		}
		seen[t.header[j]] = true
	}
	return t
}

// Next is that of the source, and goes past rows with too many or too few cells.
func (t *table) Next() ([]Cell, error) {
	for {
		cells, err := t.Source.Next()
		var ragged *csvtext.RaggedError
		if err == nil || !errors.As(err, &ragged) || !t.faults.Note(err) {
			return cells, err
		}
	}
}

// names returns the names of columns.
func (t *table) names(at []int) []string {
	names := make([]string, len(at))
	for i, j := range at {
		names[i] = t.header[j]
	}
	return names
}

// weightOf returns the weight that the current row has beside its cells, if any.
func weightOf(s Source) (w float64, weighed bool) {
	if format, ok := s.(weigher); ok {
		return format.Weight()
	}
	return 0, false
}

// use tells the source which columns will be looked at.
func (t *table) use(l *layout) error {
	columns := make([]bool, len(t.header))
	for _, j := range append([]int{l.target, l.id, l.weight, l.group, l.amount}, slices.Concat(l.times, l.per, l.kept,
		l.features)...) {
		if j >= 0 {
			columns[j] = true
		}
	}
	if s, ok := t.Source.(timer); ok {
		for _, j := range l.times {
			s.UseTime(j)
		}
	}
	return t.Use(columns)
}

// pass notes the fault of a row past which reading can go on, and returns others.
func (t *table) pass(fault error) error {
	if t.faults.Note(fault) {
		return nil
	}
	return fault
}

// each calls row with the cells of every row to come, until there are no more or one fails, and
// returns that error.
func (t *table) each(row func(cells []Cell) error) error {
	for {
		cells, err := t.Next()
		if csvtext.Ended(err) {
			return nil
		}
		if err == nil {
			err = row(cells)
		}
		if err != nil {
			return err
		}
	}
}

// checkMemory refuses to train on more rows than fit into that many bytes, where their number is
// known: each cell takes two bytes at least.
func (t *table) checkMemory(l *layout, memory int64) error {
	c, ok := t.Source.(counter)
	if !ok || memory <= 0 {
		return nil
	}
	if n, p := c.Rows(), int64(len(l.features)); n > memory/2/p {
		return csvtext.Limitf("%s: %d rows of %s take at least %d MB, where %d may be taken; leave out columns with "+
			"{ignore}, or rows",
			t.file, n, english.Plural(int(p), "feature"), int64(float64(n)*float64(p)/(1<<19)), memory>>20)
	}
	return nil
}

// warnings returns what the source finds doubtful.
func (t *table) warnings() []error {
	w, ok := t.Source.(warner)
	if !ok {
		return nil
	}
	var found []error
	for _, text := range w.Warnings() {
		found = append(found, warnf(t.file, "%s", text))
	}
	return found
}

// hint returns what to add to a message about columns that are not there, "" for nothing.
func (t *table) hint() string {
	if h, ok := t.Source.(interface{ Hint() string }); ok {
		return h.Hint()
	}
	return ""
}

// place names cell j of the current row, with the file.
func (t *table) place(j int) string { return t.Pos(j).In(t.file) }

// faultf returns a *[ParseError] in cell j of the current row.
func (t *table) faultf(j int, format string, args ...any) error {
	return csvtext.Faultf(t.file, t.Pos(j), t.header[j], format, args...)
}

// fileFaultf returns a *[ParseError] of the column named field or, where that is empty, of the
// file as a whole.
func (t *table) fileFaultf(field, format string, args ...any) error {
	return csvtext.Faultf(t.file, Pos{}, field, format, args...)
}
