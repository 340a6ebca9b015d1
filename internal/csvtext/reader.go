package csvtext

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/spelling"
)

// The limits of what is read. What goes beyond is a [LimitError].
const (
	MaxField   = 1 << 20 // bytes of a cell
	MaxRecord  = 1 << 24 // bytes of a row
	MaxColumns = 1 << 20 // columns of a file
	MaxName    = 1 << 16 // bytes of a column name
	MaxClasses = 1000    // classes; the memory of a confusion matrix grows with their square
)

// Reader reads the records of a CSV text: a header, then rows with one cell for each name. It
// gives them one by one, or in parts that can be read at the same time.
type Reader struct {
	Rows // those at hand

	Comma   rune // what separates cells
	Sniffed bool // it was found in the text

	cells  []string
	cutter *cutter // the parts to come
	parted bool    // the part at hand is with somebody else
}

// Layout is what was found out about how a file is written.
type Layout struct {
	Comma    rune // the separator, if it was found in the text; else 0
	RowNames bool // the first column has no name, as R and pandas write the names of rows, and is left out
	// number of columns at the right end without a name, as spreadsheets write empty ones, which are left out
	Unnamed int
}

// Layout returns that of the file.
func (t *Reader) Layout() Layout {
	layout := Layout{RowNames: t.Named, Unnamed: t.Unnamed}
	if t.Sniffed {
		layout.Comma = t.Comma
	}
	return layout
}

// NewReader reads and checks the header. The file is a name for messages; comma separates the
// cells, and 0 finds it in the text: a comma, unless the header has a semicolon, a tab or a bar
// outside of quotes, and it is the one mark by which the next rows, up to 20, have as many cells
// as the header, but for empty ones at the end, or half of them have. A first line such as sep=; by which a
// spreadsheet names the mark does so in place of that, and is passed over. A first column without a name, as
// programs write the numbers of rows, is left out where all others have one, and so are columns without a name at
// the right end, as spreadsheets write empty ones, be it in some rows alone: a cell there that is not empty is a
// fault of its row, and an empty one where the first 20 rows all have just one cell too many, as it may be missing
// in front. Gzip and zstd are undone and a byte-order mark dropped, all known by content.
//
// Errors, here and of [Reader.Next]: *[ParseError] for a fault in the text; *[LimitError]; an
// error of r, wrapped. Here alone: *[UsageError] for a comma that cannot separate cells.
func NewReader(r io.Reader, file string, comma rune) (*Reader, error) {
	if comma > unicode.MaxASCII || strings.ContainsRune("\"\r\n +-.", comma) || comma != 0 && !unicode.IsPrint(comma) &&
		comma != '\t' || unicode.IsLetter(comma) || unicode.IsDigit(comma) {
		return nil, Usagef("%s: %q cannot separate cells; use a comma, a semicolon, a tab or another mark with {sep}", file,
			comma)
	}
	src, err := openText(r, file)
	if err != nil {
		return nil, err
	}
	t := &Reader{Comma: comma, Sniffed: comma == 0, cutter: &cutter{src: src, syntax: newSyntax(byte(comma)),
		size: partBytes, line: 1}}
	t.File = file
	mark := t.cutter.named()
	if t.Sniffed {
		if t.Comma = mark; mark == 0 {
			t.Comma, err = t.cutter.sniff()
		}
		if err != nil {
			return nil, err
		}
		t.cutter.syntax = newSyntax(byte(t.Comma))
	}
	t.syntax = t.cutter.syntax
	rows := t.cutter.firstRows()
	t.overlong = overlong(rows)
	if err := t.readHeader(); err != nil {
		return nil, err
	}
	if rowNames(rows, t.Comma != ',') && !t.Named && t.Unnamed == 0 {
		t.Named = true
	}
	return t, nil
}

func (t *Reader) readHeader() error {
	t.take(t.cutter.next(t.cutter.size))
	err := t.advance()
	if Ended(err) {
		return t.FileFaultf("", "the file is empty; expected a first line with the names of the columns")
	}
	if err != nil {
		return err
	}
	header := make([]string, len(t.ends))
	first := make(map[string]int, len(header))
	named := t.lastNamed()
	for j := range named {
		name := cleanName(t.Cell(j))
		if len(name) > MaxName {
			return Limitf("%s: a column name has more than %d bytes; shorten it", t.Place(j), MaxName)
		}
		if name == "" && (j > 0 || named == 1) {
			return t.unnamed(j)
		}
		if other, dup := first[name]; dup {
			return t.fault(j, "", "columns %d and %d are both named %s; rename one", other+1, j+1, english.Quote(name))
		}
		first[name] = j
		header[j] = strings.Clone(name)
	}
	header, t.Unnamed = header[:named], len(header)-named
	if header[0] == "" {
		header, t.Named = header[1:], true
	}
	t.Header = header
	t.countHint = t.lineHint()
	return nil
}

// titled tells whether the line of names has one alone among several columns, as a title above the names has.
func (t *Reader) titled() bool {
	names := 0
	for j := range t.ends {
		if cleanName(t.Cell(j)) != "" {
			names++
		}
	}
	return names < 2 && len(t.ends) > 2
}

// lastNamed returns how many columns there are up to the last one with a name, and all where there is but a title.
func (t *Reader) lastNamed() int {
	n := len(t.ends)
	for n > 0 && cleanName(t.Cell(n-1)) == "" {
		n--
	}
	if n == 0 || t.titled() {
		return len(t.ends)
	}
	return n
}

// unnamed is the error for column j without a name.
func (t *Reader) unnamed(j int) error {
	hint := ""
	if t.titled() {
		hint = ", or remove a title above the names of the columns"
	}
	return t.fault(j, "", "column %d has no name; give it one%s", j+1, hint)
}

// cleanName returns a column name as it is kept. Marks of byte order pile up where files that have one pass
// through programs that add another.
func cleanName(name string) string { return spelling.Clean(name) }

// CheckSingle refuses a header of a single column whose name looks like several with another
// mark between them, or like a title or a comment above the names, unless it is the one known. It must be called
// before the first row is read.
func (t *Reader) CheckSingle(known string) error {
	hint := t.separatorHint()
	if hint == "" && t.Sniffed && t.underTitle() {
		hint = t.countHint
	}
	if len(t.Header) > 1 || hint == "" || t.Header[0] == known {
		return nil
	}
	return t.fault(-t.first(), "", "the first line is a single column, %s%s", english.Quote(t.Header[0]), hint)
}

// Next returns the cells of the next row, which are valid until the next call, and [io.EOF]
// after the last row.
func (t *Reader) Next() ([]string, error) {
	if err := t.advance(); err != nil {
		return nil, err
	}
	t.cells = t.cells[:0]
	for j := range t.Header {
		t.cells = append(t.cells, t.Cell(j))
	}
	return t.cells, nil
}

// advance goes on to the next row, be it in the next part.
func (t *Reader) advance() error {
	for {
		err := t.Rows.Next()
		if err == nil || t.part.last || !Ended(err) {
			return err
		}
		t.take(t.cutter.next(t.cutter.size))
	}
}

// Part makes r the next rows, some hundred kilobytes of them, and returns [io.EOF] after the last
// ones. Several parts may be read at the same time; read one after the other they are the rows of
// t, and the first fault of t is that of the first part that has one.
func (t *Reader) Part(r *Rows) error {
	if t.parted {
		if t.part.last {
			return io.EOF
		}
		t.take(t.cutter.next(t.cutter.size))
	}
	t.parted = true
	was := *r
	*r = t.Rows
	r.ends, r.breaks = was.ends, was.breaks // memory that is r's own
	return nil
}

// Each calls row with the cells of every row to come, which are valid during the call, until
// there are no more or an error is no *[ParseError] of a row. The error names all rows that have too many or
// too few cells or are at fault by what row says.
func (t *Reader) Each(row func(cells []string) error) error {
	var faults RowFaults
	for {
		cells, err := t.Next()
		if Ended(err) {
			return faults.Err()
		}
		var ragged *RaggedError
		stop := err != nil && !errors.As(err, &ragged)
		if err == nil {
			err = row(cells)
		}
		if err != nil && (stop || !faults.Note(err)) {
			return cmp.Or(faults.Err(), err)
		}
	}
}

// Hint returns what to add to a message about columns when the header looks as if it had
// another separator or were a comment, a title or a row, else "".
func (t *Reader) Hint() string {
	hint := t.countHint
	if hint == "" && slices.ContainsFunc(t.Header, isDecimal) {
		return "; the first line looks like a row: write a line with the names of the columns above it"
	}
	return hint
}

const titleHint = "; remove a title above the names of the columns"

// lineHint says what the header looks like where it has not as many names as there are cells.
func (t *Reader) lineHint() string {
	if hint := t.separatorHint(); hint != "" {
		return hint
	}
	switch {
	case strings.HasPrefix(t.Header[0], "#"):
		return commentHint
	case strings.HasPrefix(strings.ToLower(t.Header[0]), "@relation"):
		return option.Text("; the file looks like ARFF: name it .arff, or use {input-format arff}")
	case t.underTitle():
		return titleHint
	case len(t.Header) == 1 && strings.Contains(t.Header[0], " "):
		return titleHint + ", and part names and cells by commas, not by blanks"
	}
	return ""
}

// underTitle tells whether the rows below a header of a single column have several cells by some mark, most of them
// as many.
func (t *Reader) underTitle() bool {
	if len(t.Header) > 1 {
		return false
	}
	for _, mark := range ",;\t|" {
		rows, _ := newSyntax(byte(mark)).lines(t.part.text[t.at:], true)
		even := 0
		for _, r := range rows {
			even += one(r.cells > 1 && r.cells == rows[len(rows)-1].cells)
		}
		if even > 1 && 2*even >= len(rows) {
			return true
		}
	}
	return false
}

func (t *Reader) separatorHint() string {
	joined := strings.Join(t.Header, " ")
	for _, mark := range ";\t,|" {
		if mark != t.Comma && strings.Count(joined, string(mark)) >= len(t.Header) {
			return option.Text("; if its cells are separated by another mark, use {sep} ") + Mark(mark)
		}
	}
	return ""
}
