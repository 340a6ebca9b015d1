package csvtext

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode"
)

// The limits of what is read. What goes beyond is a [LimitError].
const (
	MaxField   = 1 << 20 // bytes of a cell
	MaxRecord  = 1 << 24 // bytes of a row
	MaxColumns = 1 << 20 // columns of a file
	MaxName    = 1 << 16 // bytes of a column name
	MaxClasses = 1000    // classes; the memory of a confusion matrix grows with their square
)

// Reader reads the records of a CSV text: a header, then rows with one cell for each name.
type Reader struct {
	File   string   // for messages
	Header []string // the column names, trimmed; none is empty, no two are equal

	guard *guard
	csv   *csv.Reader
}

// NewReader reads and checks the header. The file is a name for messages; comma separates the
// cells, and 0 means ','. Gzip is undone and a byte-order mark dropped, both known by content.
//
// Errors, here and of [Reader.Next]: *[ParseError] for a fault in the text; *[LimitError]; an
// error of r, wrapped. Here alone: *[UsageError] for a comma that cannot separate cells.
func NewReader(r io.Reader, file string, comma rune) (*Reader, error) {
	if comma == 0 {
		comma = ','
	}
	if comma > unicode.MaxASCII || strings.ContainsRune("\"\r\n +-.", comma) || !unicode.IsPrint(comma) && comma != '\t' || unicode.IsLetter(comma) || unicode.IsDigit(comma) {
		return nil, Usagef("%s: %q cannot separate cells; use a comma, a semicolon, a tab or another mark with --sep", file, comma)
	}
	g, err := newGuard(r, file, byte(comma))
	if err != nil {
		return nil, err
	}
	t := &Reader{File: file, guard: g, csv: csv.NewReader(bufio.NewReaderSize(g, 1<<16))}
	t.csv.Comma, t.csv.FieldsPerRecord, t.csv.ReuseRecord = comma, -1, true
	if err := t.readHeader(); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Reader) readHeader() error {
	names, err := t.csv.Read()
	if err == io.EOF {
		return t.FileFaultf("", "the file is empty; expected a first line with the names of the columns")
	}
	if err != nil {
		return t.explain(err)
	}
	t.Header = make([]string, len(names))
	first := make(map[string]int, len(names))
	for j, name := range names {
		name = cleanName(name)
		if len(name) > MaxName {
			return Limitf("%s: a column name has more than %d bytes; shorten it", t.Place(j), MaxName)
		}
		if name == "" {
			return t.fault(j, "", "column %d has no name; give it one, or take the last separator off every line", j+1)
		}
		if other, dup := first[name]; dup {
			return t.fault(j, "", "columns %d and %d are both named %.64q; rename one", other+1, j+1, name)
		}
		first[name] = j
		t.Header[j] = strings.Clone(name)
	}
	return nil
}

// cleanName trims a column name. Marks of byte order pile up where files that have one pass
// through programs that add another.
func cleanName(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
}

// CheckSingle refuses a header of a single column whose name looks like several with another
// mark between them, unless it is the one known. It must be called before the first row is read.
func (t *Reader) CheckSingle(known string) error {
	hint := t.separatorHint()
	if len(t.Header) > 1 || hint == "" || t.Header[0] == known {
		return nil
	}
	return t.fault(0, "", "the first line is a single column, %.64q%s", t.Header[0], hint)
}

// Next returns the cells of the next row, which are valid until the next call, and [io.EOF]
// after the last row.
func (t *Reader) Next() ([]string, error) {
	cells, err := t.csv.Read()
	if err != nil && err != io.EOF {
		return nil, t.explain(err)
	}
	if blank := t.guard.blank; len(t.Header) == 1 && blank > 0 && (err == io.EOF || blank < t.Line()) {
		return nil, &ParseError{File: t.File, Line: blank, Err: errors.New(`the line is blank, which is ambiguous in a file of one column; write "" for a missing cell, or remove the line`)}
	}
	if err == nil && len(cells) != len(t.Header) {
		return nil, t.miscounted(cells)
	}
	return cells, err
}

// Each calls row with the cells of every row to come, which are valid during the call, until
// there are no more or one fails, and returns that error.
func (t *Reader) Each(row func(cells []string) error) error {
	for {
		cells, err := t.Next()
		if errors.Is(err, io.EOF) {
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

func (t *Reader) miscounted(cells []string) error {
	hint := "; correct the line"
	extra := cells[min(len(cells), len(t.Header)):]
	switch {
	case len(extra) > 0 && strings.Join(extra, "") == "":
		hint = "; take the separator off the end of the line"
	case strings.HasPrefix(cells[0], "#"):
		hint = commentHint
	case t.Hint() != "":
		hint = t.Hint()
	case t.guard.eof && len(extra) == 0:
		hint = "; correct the line, or see whether the file is cut short"
	}
	return t.RowFaultf("%s where the first line names %s%s", Plural(len(cells), "cell"), Plural(len(t.Header), "column"), hint)
}

// explain turns an error of encoding/csv into one of ours. A fault that the guard saw comes
// first unless it lies further on in the file.
func (t *Reader) explain(err error) error {
	var syntax *csv.ParseError
	if !errors.As(err, &syntax) {
		return err // already the guard's
	}
	if t.guard.err != nil && t.guard.line <= syntax.Line {
		return t.guard.err
	}
	line, column := syntax.Line, syntax.Column
	text := "text follows a closing quote; write a quote within a quoted cell twice"
	switch {
	case errors.Is(syntax, csv.ErrBareQuote):
		text = "a quote stands inside a cell that does not begin with one; quote the whole cell and write the quote twice"
	case t.guard.eof && t.guard.quoted:
		line, column = t.guard.opened[0], t.guard.opened[1]
		text = "the quote opened here is never closed; close it"
	}
	return t.guard.fault(line, column, text)
}

const commentHint = "; lines that begin with # are not taken as comments, remove them"

// Hint returns what to add to a message about columns when the header looks as if it had
// another separator or were a comment, else "".
func (t *Reader) Hint() string {
	if hint := t.separatorHint(); hint != "" {
		return hint
	}
	if strings.HasPrefix(t.Header[0], "#") {
		return commentHint
	}
	return ""
}

func (t *Reader) separatorHint() string {
	joined := strings.Join(t.Header, " ")
	for _, sep := range []struct{ mark, flag string }{{";", "';'"}, {"\t", "tab"}, {",", "','"}, {"|", "'|'"}} {
		if rune(sep.mark[0]) != t.csv.Comma && strings.Count(joined, sep.mark) >= len(t.Header) {
			return "; if its cells are separated by another mark, use --sep " + sep.flag
		}
	}
	return ""
}

// Line returns the line on which the current row, at first the header, begins.
func (t *Reader) Line() int {
	line, _ := t.Pos(0)
	return line
}

// Pos returns the line and the byte of the line, both counted from 1, where cell j of the
// current row begins.
func (t *Reader) Pos(j int) (line, column int) { return t.csv.FieldPos(j) }

// Place returns file:line:column of cell j of the current row.
func (t *Reader) Place(j int) string {
	line, column := t.Pos(j)
	return Place(t.File, line, column)
}

// Faultf returns a *[ParseError] in cell j of the current row.
func (t *Reader) Faultf(j int, format string, args ...any) error {
	return t.fault(j, t.Header[j], format, args...)
}

func (t *Reader) fault(j int, field, format string, args ...any) error {
	line, column := t.Pos(j)
	return Faultf(t.File, Pos{Line: line, Column: column}, field, format, args...)
}

// RowFaultf returns a *[ParseError] of the current row, at first the header, as a whole.
func (t *Reader) RowFaultf(format string, args ...any) error {
	return Faultf(t.File, Pos{Line: t.Line()}, "", format, args...)
}

// FileFaultf returns a *[ParseError] of the column named field or, where that is empty, of the
// file as a whole.
func (t *Reader) FileFaultf(field, format string, args ...any) error {
	return Faultf(t.File, Pos{}, field, format, args...)
}
