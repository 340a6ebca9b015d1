package dataset

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// table reads the records of a CSV text: a header, then rows with one cell for each name.
type table struct {
	file   string
	guard  *guard
	csv    *csv.Reader
	header []string // the column names, trimmed
}

// newTable reads and checks the header. A file of the single column that only is known, the
// name of a model's only feature, is taken at its word, whatever the name looks like.
func newTable(r io.Reader, file string, comma rune, only string) (*table, error) {
	if comma == 0 {
		comma = ','
	}
	if comma > unicode.MaxASCII || strings.ContainsRune("\"\r\n +-.", comma) || !unicode.IsPrint(comma) && comma != '\t' || unicode.IsLetter(comma) || unicode.IsDigit(comma) {
		return nil, usagef("%s: %q cannot separate cells; use a comma, a semicolon, a tab or another mark with --sep", file, comma)
	}
	g, err := newGuard(r, file, byte(comma))
	if err != nil {
		return nil, err
	}
	t := &table{file: file, guard: g, csv: csv.NewReader(bufio.NewReaderSize(g, 1<<16))}
	t.csv.Comma, t.csv.FieldsPerRecord, t.csv.ReuseRecord = comma, -1, true
	return t, t.readHeader(only)
}

func (t *table) readHeader(only string) error {
	names, err := t.csv.Read()
	if err == io.EOF {
		return t.wholeFile("", "the file is empty; expected a first line with the names of the columns")
	}
	if err != nil {
		return t.explain(err)
	}
	t.header = make([]string, len(names))
	first := make(map[string]int, len(names))
	for j, name := range names {
		name = cleanName(name)
		if len(name) > MaxName {
			return limitf("%s: a column name has more than %d bytes; shorten it", t.place(j), MaxName)
		}
		if name == "" {
			return t.faultf(j, "column %d has no name; give it one, or take the last separator off every line", j+1)
		}
		if other, dup := first[name]; dup {
			return t.faultf(j, "columns %d and %d are both named %.64q; rename one", other+1, j+1, name)
		}
		first[name] = j
		t.header[j] = strings.Clone(name)
	}
	if hint := t.separatorHint(); len(names) == 1 && hint != "" && t.header[0] != only {
		header := t.header[0]
		t.header = []string{""}
		return t.faultf(0, "the first line is a single column, %.64q%s", header, hint)
	}
	return nil
}

// cleanName trims a column name. Marks of byte order pile up where files that have one pass
// through programs that add another.
func cleanName(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
}

// next returns the cells of the next row, which are valid until the next call, and io.EOF
// after the last row.
func (t *table) next() ([]string, error) {
	cells, err := t.csv.Read()
	if err != nil && err != io.EOF {
		return nil, t.explain(err)
	}
	if blank := t.guard.blank; len(t.header) == 1 && blank > 0 && (err == io.EOF || blank < t.line()) {
		return nil, &ParseError{File: t.file, Line: blank, Err: errors.New(`the line is blank, which is ambiguous in a file of one column; write "" for a missing cell, or remove the line`)}
	}
	if err == nil && len(cells) != len(t.header) {
		return nil, t.miscounted(cells)
	}
	return cells, err
}

func (t *table) miscounted(cells []string) error {
	hint := "; correct the line"
	extra := cells[min(len(cells), len(t.header)):]
	switch {
	case len(extra) > 0 && strings.Join(extra, "") == "":
		hint = "; take the separator off the end of the line"
	case strings.HasPrefix(cells[0], "#") || strings.HasPrefix(t.header[0], "#"):
		hint = t.commentHint()
	case t.separatorHint() != "":
		hint = t.separatorHint()
	case t.guard.eof && len(extra) == 0:
		hint = "; correct the line, or see whether the file is cut short"
	}
	return &ParseError{File: t.file, Line: t.line(), Err: fmt.Errorf("%s where the first line names %s%s",
		plural(len(cells), "cell"), plural(len(t.header), "column"), hint)}
}

// explain turns an error of encoding/csv into one of ours. A fault that the guard saw comes
// first unless it lies further on in the file.
func (t *table) explain(err error) error {
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

// hint is what to add to a message when the file looks as if it had another separator.
func (t *table) separatorHint() string {
	joined := strings.Join(t.header, " ")
	for _, sep := range []struct{ mark, flag string }{{";", "';'"}, {"\t", "tab"}, {",", "','"}, {"|", "'|'"}} {
		if rune(sep.mark[0]) != t.csv.Comma && strings.Count(joined, sep.mark) >= len(t.header) {
			return "; if its cells are separated by another mark, use --sep " + sep.flag
		}
	}
	return ""
}

func (t *table) commentHint() string {
	return "; lines that begin with # are not taken as comments, remove them"
}

// line returns the line on which the current row begins.
func (t *table) line() int {
	line, _ := t.csv.FieldPos(0)
	return line
}

// place returns file:line:column of cell j of the current row.
func (t *table) place(j int) string {
	line, column := t.csv.FieldPos(j)
	return place(t.file, line, column)
}

// faultf returns a fault in cell j of the current row.
func (t *table) faultf(j int, format string, args ...any) error {
	line, column := t.csv.FieldPos(j)
	return &ParseError{File: t.file, Line: line, Column: column, Field: t.header[j], Err: fmt.Errorf(format, args...)}
}

// wholeFile returns a fault of a column, or of the table, as a whole.
func (t *table) wholeFile(field, format string, args ...any) error {
	return &ParseError{File: t.file, Field: field, Err: fmt.Errorf(format, args...)}
}

// warnf returns a warning about the file.
func (t *table) warnf(format string, args ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{t.file}, args...)...)
}
