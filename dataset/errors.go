package dataset

import (
	"fmt"
	"strings"
	"unicode"
)

// The limits of what is read. What goes beyond is a [LimitError].
const (
	MaxField   = 1 << 20   // bytes of a cell
	MaxRecord  = 1 << 24   // bytes of a row
	MaxColumns = 1 << 20   // columns of a file
	MaxName    = 1 << 16   // bytes of a column name, a level or a label
	MaxLevels  = 1<<16 - 1 // levels of a column, or classes
)

// ParseError is a fault in the data, with its place.
type ParseError struct {
	File   string
	Line   int    // counted from 1; 0 when the fault is not in one line
	Column int    // byte of the line, counted from 1; 0 when the fault is not in one cell
	Field  string // name of the column; empty when the fault is not in one column
	Err    error
}

// Error returns the place and the fault in one line.
func (e *ParseError) Error() string {
	text := place(e.File, e.Line, e.Column) + ": "
	if e.Field != "" {
		text += fmt.Sprintf("column %.64q: ", e.Field)
	}
	return text + e.Err.Error()
}

// Unwrap returns the fault without its place.
func (e *ParseError) Unwrap() error { return e.Err }

// UsageError says that what was asked for cannot be, such as a column the file does not have.
type UsageError struct {
	Text string // one line: where, what, and how to mend it
}

// Error returns e.Text.
func (e *UsageError) Error() string { return e.Text }

// LimitError says that the data go beyond one of the limits of this package.
type LimitError struct {
	Text string // one line: where, which limit, and how to mend it
}

// Error returns e.Text.
func (e *LimitError) Error() string { return e.Text }

func usagef(format string, args ...any) error {
	return &UsageError{Text: fmt.Sprintf(format, args...)}
}

func limitf(format string, args ...any) error {
	return &LimitError{Text: fmt.Sprintf(format, args...)}
}

// place returns file:line:column, without the parts that are 0.
func place(file string, line, column int) string {
	switch {
	case line == 0:
		return file
	case column == 0:
		return fmt.Sprintf("%s:%d", file, line)
	default:
		return fmt.Sprintf("%s:%d:%d", file, line, column)
	}
}

// show quotes a cell for a message, escaped and cut to 64 characters. Digits of other scripts
// look so much like plain ones that their code point is added.
func show(cell string) string {
	text := fmt.Sprintf("%.64q", cell)
	if at := strings.IndexFunc(cell, foreignDigit); at >= 0 {
		text += fmt.Sprintf(" (%U)", []rune(cell[at:])[0])
	}
	return text
}

func foreignDigit(r rune) bool { return r > unicode.MaxASCII && unicode.IsDigit(r) }

// list quotes the first ten of names and counts the rest.
func list(names []string) string {
	const most = 10
	parts := make([]string, 0, most+1)
	for i, name := range names {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(names)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%.64q", name))
	}
	return strings.Join(parts, ", ")
}

// flag writes a cure ready to paste into a shell. A value too long or too strange to paste
// becomes the given placeholder.
func flag(name, value, placeholder string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/+-%@"
	switch {
	case len(value) > 64 || strings.ContainsFunc(value, unicode.IsControl):
		value = placeholder
	case strings.Trim(value, plain) != "" || value == "":
		value = "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	}
	return "--" + name + " " + value
}

// plural returns "1 row", "2 rows".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
