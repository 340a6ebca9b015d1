package csvtext

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
)

// ParseError is a fault in the data, with its place.
type ParseError struct {
	File   string
	Line   int    // counted from 1; 0 when the fault is not in one line
	Column int    // byte of the line, counted from 1; 0 when the fault is not in one cell
	Row    int    // counted from 1, of a format without lines; 0 when the fault is not in one row
	Field  string // name of the column; empty when the fault is not in one column
	Err    error
}

// Error returns the place and the fault in one line.
func (e *ParseError) Error() string {
	text := Pos{e.Line, e.Column, e.Row}.In(e.File) + ": "
	if e.Field != "" {
		text += fmt.Sprintf("column %s: ", english.Quote(e.Field))
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

// LimitError says that the data go beyond a limit.
type LimitError struct {
	Text string // one line: where, which limit, and how to mend it
}

// Error returns e.Text.
func (e *LimitError) Error() string { return e.Text }

// RaggedError says that a row has too many or too few cells. The rows after it can be read.
type RaggedError struct {
	Text string // how many, and how to mend it
}

// Error returns e.Text.
func (e *RaggedError) Error() string { return e.Text }

// Usagef returns a *[UsageError]. In its form, as in those of the other errors here, options stand in braces, see
// [option.Text].
func Usagef(format string, args ...any) error {
	return &UsageError{Text: fmt.Sprintf(option.Text(format), args...)}
}

// Limitf returns a *[LimitError].
func Limitf(format string, args ...any) error {
	return &LimitError{Text: fmt.Sprintf(option.Text(format), args...)}
}

// Ended reports whether err says that there is no more, which is io.EOF itself: an error that wraps it
// says why a text ends before its end.
func Ended(err error) bool { return err == io.EOF } //nolint:errorlint // see above

// Pos is a place in a table: a line and its byte, or a row of a format without lines, all
// counted from 1 and 0 where there is none.
type Pos struct{ Line, Column, Row int }

// String returns "line 12, byte 34" or "row 3".
func (p Pos) String() string {
	if p.Row > 0 {
		return fmt.Sprintf("row %d", p.Row)
	}
	return fmt.Sprintf("line %d, byte %d", p.Line, p.Column)
}

// In returns the place with the name of the file.
func (p Pos) In(file string) string {
	if p.Row > 0 {
		return file + ", " + p.String()
	}
	return Place(file, p.Line, p.Column)
}

// Faultf returns a *[ParseError] at a place of a file, in the column named field, if any.
func Faultf(file string, at Pos, field, format string, args ...any) error {
	return &ParseError{File: file, Line: at.Line, Column: at.Column, Row: at.Row, Field: field,
		Err: fmt.Errorf(option.Text(format), args...)}
}

// Place returns file:line:column, without the parts that are 0.
func Place(file string, line, column int) string {
	switch {
	case line == 0:
		return file
	case column == 0:
		return fmt.Sprintf("%s:%d", file, line)
	default:
		return fmt.Sprintf("%s:%d:%d", file, line, column)
	}
}

// Show quotes a cell for a message, escaped and, if it is long, cut. Digits of other scripts
// look so much like plain ones that their code point is added.
func Show(cell string) string {
	text := english.Quote(cell)
	if at := strings.IndexFunc(cell, foreignDigit); at >= 0 {
		text += fmt.Sprintf(" (%U)", []rune(cell[at:])[0])
	}
	return text
}

func foreignDigit(r rune) bool { return r > unicode.MaxASCII && unicode.IsDigit(r) }

// Flag writes a cure ready to paste into a shell, or where messages are not for one, the option and its value. A
// value too long or too strange to paste becomes the given placeholder. The value is a single one, also where the
// flag takes a list, but for --time.
func Flag(name, value, placeholder string) string {
	if text, ok := option.Value(name, value); ok {
		return text
	}
	if len(value) > 64 {
		return "--" + name + " " + placeholder
	}
	if name == "ignore" || name == "categorical" || name == "missing" || name == "number" {
		value = Listed(value)
	}
	if parts := strings.ReplaceAll(value, ",", ""); name == "time" && Quote(parts, "") == parts {
		return option.Text("{time} ") + value
	}
	return Typing(name, value, placeholder)
}

// Typing writes a flag and its value, quoted, ready to paste: with = between them where the value would be taken for
// a flag.
func Typing(name, value, placeholder string) string {
	if flag := strings.TrimPrefix(value, "-"); flag != value && flag != "" && (flag[0] == '-' || 'a' <= flag[0] &&
		flag[0] <= 'z') {
		return "--" + name + "=" + Quote(value, placeholder)
	}
	return "--" + name + " " + Quote(value, placeholder)
}

// EnteredTwice says how to mend that so many rows were entered twice.
func EnteredTwice(rows int) string {
	return fmt.Sprintf("if %s entered twice, keep one of equal rows", english.Verb(rows, "it was", "they were"))
}

// MergeFlag is the flag that merges labels into a class of that name, as [Flag] writes it.
func MergeFlag(class string, labels []string) string {
	return Flag("merge-labels", Merging(class, labels), "CLASS=LABELS")
}

// Merging is what --merge-labels takes to merge labels into a class of that name.
func Merging(class string, labels []string) string {
	if strings.Contains(class, "=") { // which would end the name
		return "CLASS=LABELS"
	}
	names := make([]string, len(labels))
	for i, label := range labels {
		names[i] = Listed(label)
	}
	return class + "=" + strings.Join(names, ",")
}

// Listed writes a name as flags that take lists have it: in quotes, as in CSV, where it would be taken apart.
func Listed(name string) string {
	if !strings.ContainsAny(name, ",\"\r\n") {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// Steers tells whether a letter steers a terminal instead of being seen: a control character, or one that turns the
// direction of writing or begins a line.
func Steers(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// Quote writes a word ready to paste into a shell, or the given placeholder for one with letters
// that steer a terminal.
func Quote(word, placeholder string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/+-%@="
	switch {
	case strings.ContainsFunc(word, Steers):
		return placeholder
	case strings.Trim(word, plain) != "" || word == "" || word[0] == '=':
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
