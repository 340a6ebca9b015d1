package vote

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseError says what is wrong with a file, and where.
type ParseError struct {
	File   string // the name given to the reader
	Line   int    // from 1; 0 when the fault is not in one line
	Column int    // byte of the line, from 1
	Field  string // the name of the column, "" when the fault is not in one cell
	Err    error  // what is wrong, and how to mend it
}

// Error returns file:line:column, the name of the column, and what is wrong.
func (e *ParseError) Error() string {
	field := ""
	if e.Field != "" {
		field = fmt.Sprintf("column %.64q: ", e.Field)
	}
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s%v", e.File, field, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %s%v", e.File, e.Line, e.Column, field, e.Err)
}

// Unwrap returns Err.
func (e *ParseError) Unwrap() error { return e.Err }

// maxRecord is the most that one line, or one quoted cell over many lines, may take: a
// quote that is never closed must not swallow a large file into memory.
const maxRecord = 16 << 20

var errTooLong = fmt.Errorf("the row is longer than %d MiB; look for a quote that is never closed", maxRecord>>20)

// limited stops a record that grows without end.
type limited struct {
	r    io.Reader
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLong
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// records reads the lines of a CSV file and knows where they stand.
type records struct {
	csv   *csv.Reader
	limit *limited
	name  string
	line  int // where the next record begins, blank lines apart
}

func newRecords(r io.Reader, name string, comma rune) (*records, error) {
	in := &records{limit: &limited{r: r, left: maxRecord}, name: name, line: 1}
	text := bufio.NewReader(in.limit)
	start, err := text.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case bytes.HasPrefix(start, []byte("\xef\xbb\xbf")):
		text.Discard(3) //nolint:errcheck // peeked
	case bytes.HasPrefix(start, []byte("\xff\xfe")), bytes.HasPrefix(start, []byte("\xfe\xff")):
		return nil, &ParseError{File: name, Line: 1, Column: 1, Err: errors.New("the file is UTF-16; save it as UTF-8")}
	}
	in.csv = csv.NewReader(text)
	in.csv.FieldsPerRecord = -1
	in.csv.ReuseRecord = true
	if comma != 0 {
		in.csv.Comma = comma
	}
	return in, nil
}

// next returns the cells of the next record, valid until the call after, or io.EOF.
func (in *records) next() ([]string, error) {
	in.limit.left = maxRecord
	cells, err := in.csv.Read()
	var bad *csv.ParseError
	switch {
	case err == nil:
		last, _ := in.csv.FieldPos(len(cells) - 1)
		in.line = last + strings.Count(cells[len(cells)-1], "\n") + 1
		return cells, nil
	case errors.Is(err, io.EOF):
		return nil, err
	case errors.Is(err, errTooLong):
		return nil, &ParseError{File: in.name, Line: in.line, Column: 1, Err: err}
	case !errors.As(err, &bad):
		return nil, fmt.Errorf("%s: %w", in.name, err)
	case bad.Line > bad.StartLine:
		return nil, &ParseError{File: in.name, Line: bad.StartLine, Column: 1, Err: errors.New(`a quoted cell that begins on this line is not closed; add the missing ", and write "" for a quote inside a cell`)}
	}
	return nil, &ParseError{File: in.name, Line: bad.Line, Column: bad.Column, Err: errors.New(`a quote stands in the wrong place; put the whole cell in quotes, and write "" for a quote inside it`)}
}

// at returns the error err in cell j of the record last read.
func (in *records) at(j int, field string, err error) error {
	line, column := in.csv.FieldPos(j)
	return &ParseError{File: in.name, Line: line, Column: column, Field: field, Err: err}
}

// checkHeader refuses names that a table cannot have: empty, twice, not text. In is nil for a
// header that is about to be written.
func checkHeader(in *records, header []string) error {
	place := func(j int, err error) error {
		if in == nil {
			return err
		}
		return in.at(j, "", err)
	}
	seen := make(map[string]int, len(header))
	for j, name := range header {
		switch first, dup := seen[name]; {
		case name == "":
			return place(j, fmt.Errorf("column %d has no name; give it one, or remove the column", j+1))
		case dup:
			return place(j, fmt.Errorf("columns %d and %d are both named %.64q; rename one", first+1, j+1, name))
		case !utf8.ValidString(name):
			return place(j, fmt.Errorf("the name of column %d, %.64q, is not UTF-8; save the file as UTF-8", j+1, name))
		case strings.ContainsFunc(name, func(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }):
			return place(j, fmt.Errorf("the name of column %d, %.64q, contains a control character; remove it, and end lines with a newline", j+1, name))
		}
		seen[name] = j
	}
	return nil
}
