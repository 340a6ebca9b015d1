package csvtext

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Rows are the rows of a file, or of a part of it.
type Rows struct {
	File   string   // for messages
	Header []string // the column names, trimmed; none is empty, no two are equal
	Named  bool     // a first column without a name, which names the rows, is left out of Header and of the cells

	// Unnamed is how many columns at the right end have no name. They are left out of Header, and their cells are empty.
	Unnamed int

	overlong  bool // the first rows all have one cell more than Header, so that none may be passed over
	syntax    *syntax
	countHint string // what to add to a message about the number of cells
	part      part
	checked   bool
	bad       fault // the first byte that no text has, with its place; at the end of the text for none
	at        int   // byte of the text where the next record begins
	line      int   // its line
	begin     int   // byte where the current record begins
	row       int   // its line
	ends      []int // where its cells end
	breaks    []int // the line feeds within it
}

// take begins with a part.
func (r *Rows) take(p part) {
	r.part, r.checked = p, false
	r.at, r.line, r.begin, r.row = 0, p.line, 0, p.line
}

// check looks at all bytes of the part: here rather than in take, so that several are at it.
func (r *Rows) check() {
	if r.bad = byteFault(r.part.text, true); r.bad.err != nil {
		r.bad.err = r.placed(r.bad)
	}
	r.checked = true
}

// Next goes on to the next row, whose cells [Rows.Cell] has, and returns [io.EOF] after the
// last one.
func (r *Rows) Next() error {
	if !r.checked {
		r.check()
	}
	text := r.part.text
	for n := blankLine(text[r.at:]); n > 0; n = blankLine(text[r.at:]) {
		if r.Header != nil && r.width() == 1 {
			return &ParseError{File: r.File, Line: r.line,
				Err: errors.New("the line is blank, which is ambiguous in a file of one column; " +
					`write "" for a missing cell, or remove the line`)}
		}
		r.at += n
		r.line++
	}
	if r.at == len(text) {
		if r.part.err != nil {
			return r.part.err
		}
		return io.EOF
	}
	var rec record
	r.begin, r.row = r.at, r.line
	rec, r.ends = r.syntax.scan(text, r.at, r.ends[:0])
	if err := r.stopped(&rec); err != nil {
		return err
	}
	r.at = rec.next
	if r.breaks = r.breaks[:0]; rec.quoted {
		r.breaks = lineBreaks(r.breaks, text, r.begin, r.ends[len(r.ends)-1])
	}
	r.line += 1 + len(r.breaks)
	if r.Header != nil && len(r.ends) != r.width() {
		return r.miscounted(rec.whole)
	}
	return nil
}

// width is how many cells a row has.
func (r *Rows) width() int { return r.first() + len(r.Header) }

// first is the cell of a row that is the first of Header.
func (r *Rows) first() int {
	if r.Named {
		return 1
	}
	return 0
}

// Cell returns cell j of the current row.
func (r *Rows) Cell(j int) string {
	j += r.first()
	begin := r.begin
	if j > 0 {
		begin = r.ends[j-1] + 1
	}
	cell := r.part.text[begin:r.ends[j]]
	if cell != "" && cell[0] == '"' {
		return unquoted(cell)
	}
	return cell
}

// stopped returns why a record cannot be read. Of several reasons the one on the first line
// counts, and on the same line a byte or a limit before a quote.
func (r *Rows) stopped(rec *record) error {
	f := r.bad
	if !rec.whole && f.err == nil {
		f.err = r.part.err
	}
	if tooLong(rec.next-r.begin, r.ends) {
		if over, quote := limitFault(r.part.text, r.begin, r.ends); over.err != nil && over.at < f.at {
			f = fault{over.at, r.limit(over, quote)}
		}
	}
	syntax := rec.fault
	if rec.open && f.err != nil {
		syntax.err = nil // what ends the text before the file does
	}
	switch {
	case syntax.err != nil && (f.err == nil || r.lineOf(f.at) > r.lineOf(syntax.at)):
		return r.placed(syntax)
	case f.err != nil && (f.at < rec.next || !rec.whole):
		return f.err
	}
	return nil
}

// limit returns the error of a limit.
func (r *Rows) limit(f fault, quote int) error {
	if quote >= 0 {
		line, column := r.place(quote)
		return Limitf("%s: %v", Place(r.File, line, column), f.err)
	}
	return Limitf("%s: %v", Place(r.File, r.lineOf(f.at+1), 0), f.err)
}

// placed returns the error of a fault with its place.
func (r *Rows) placed(f fault) error {
	line, column := r.place(f.at)
	return &ParseError{File: r.File, Line: line, Column: column, Err: f.err}
}

// lineOf returns the line of a byte at or after the current row.
func (r *Rows) lineOf(at int) int { return r.row + strings.Count(r.part.text[r.begin:at], "\n") }

// place returns the line and the column of a byte at or after the current row.
func (r *Rows) place(at int) (line, column int) {
	return r.lineOf(at), at - r.begin - strings.LastIndexByte(r.part.text[r.begin:at], '\n')
}

const commentHint = "; lines that begin with # are not taken as comments, remove them"

// miscounted returns the fault of a row with more or fewer cells than there are columns, nil where those too many
// are empty.
func (r *Rows) miscounted(whole bool) error {
	hint := "; correct the line"
	n, content := len(r.ends), r.width()
	for content < n && strings.TrimSpace(r.Cell(content-r.first())) == "" {
		content++
	}
	over := n - r.width()
	switch {
	case 0 < over && content == n && (!r.overlong || over <= r.Unnamed):
		return nil
	case 0 < over && over <= r.Unnamed:
		return r.fault(content-r.first(), "", "%w",
			&RaggedError{fmt.Sprintf("column %d has no name, but %s stands in it; name it in the first line, or empty the cell",
				content+1, Show(r.Cell(content-r.first())))})
	case 0 < over && content == n:
		hint = "; put a separator at the beginning of the first line if the rows begin with names, else at its end"
	case strings.HasPrefix(r.Cell(-r.first()), "#"):
		hint = commentHint
	case r.countHint != "":
		hint = r.countHint
	case n == 1 && strings.Trim(r.Cell(-r.first()), " \t\x1a") == "":
		hint = "; remove the line, which has blanks alone"
	case !whole && n < r.width():
		hint = "; correct the line, or see whether the file is cut short"
	case n == 1 && r.width() > 2:
		hint = "; correct the line, or remove it if it is a note"
	}
	return r.RowFaultf("%w", &RaggedError{fmt.Sprintf("%s where the first line names %s%s", english.Plural(n, "cell"),
		english.Plural(r.width(), "column"), hint)})
}

// Pos returns the line and the byte of the line, both counted from 1, where cell j of the
// current row begins.
func (r *Rows) Pos(j int) (line, column int) {
	at := r.begin
	if j += r.first(); j > 0 {
		at = r.ends[j-1] + 1
	}
	n, _ := slices.BinarySearch(r.breaks, at) // the line breaks before it
	if n == 0 {
		return r.row, at - r.begin + 1
	}
	return r.row + n, at - r.breaks[n-1]
}

// lineBreaks appends where text[from:to] has line feeds.
func lineBreaks(breaks []int, text string, from, to int) []int {
	for {
		n := strings.IndexByte(text[from:to], '\n')
		if n < 0 {
			return breaks
		}
		breaks = append(breaks, from+n)
		from += n + 1
	}
}

// Place returns file:line:column of cell j of the current row.
func (r *Rows) Place(j int) string {
	line, column := r.Pos(j)
	return Place(r.File, line, column)
}

// Faultf returns a *[ParseError] in cell j of the current row.
func (r *Rows) Faultf(j int, format string, args ...any) error {
	return r.fault(j, r.Header[j], format, args...)
}

func (r *Rows) fault(j int, field, format string, args ...any) error {
	line, column := r.Pos(j)
	return Faultf(r.File, Pos{Line: line, Column: column}, field, format, args...)
}

// RowFaultf returns a *[ParseError] of the current row, at first the header, as a whole.
func (r *Rows) RowFaultf(format string, args ...any) error {
	return Faultf(r.File, Pos{Line: r.row}, "", format, args...)
}

// FileFaultf returns a *[ParseError] of the column named field or, where that is empty, of the
// file as a whole.
func (r *Rows) FileFaultf(field, format string, args ...any) error {
	return Faultf(r.File, Pos{}, field, format, args...)
}
