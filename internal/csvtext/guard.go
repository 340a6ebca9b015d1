package csvtext

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// guard stands between a file and encoding/csv, which takes NUL bytes, other encodings and
// fields of any size as they come, drops blank lines without a word and does not say where a
// quote was opened. It passes the bytes on unchanged and stops at the first fault.
type guard struct {
	src   *text
	file  string
	comma byte

	err error // why the reading stopped: a *ParseError, a *LimitError, or a failed read
	eof bool

	line, column int // place of the byte to come, as encoding/csv counts them
	field        int // bytes of the cell so far
	record       int // bytes of the row so far
	fields       int // cells of the row so far
	quoted       bool
	opened       [2]int // place of the last opening quote
	cr           bool   // the last byte was a carriage return
	rune         []byte // bytes of an unfinished UTF-8 sequence
	runeAt       int    // its column
	rows         int    // lines that are not blank, the header being one
	blank        int    // first blank line after the header; 0 for none
}

// newGuard opens the text of r.
func newGuard(r io.Reader, file string, comma byte) (*guard, error) {
	t, err := openText(r, file)
	if err != nil {
		return nil, err
	}
	return &guard{src: t, file: file, comma: comma, line: 1, column: 1}, nil
}

// Read passes on the bytes before the first fault, then the fault.
func (g *guard) Read(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	n, err := g.src.Read(p)
	for i := 0; i < n; i++ {
		i += g.skip(p[i:n])
		if i == n {
			break
		}
		if g.err = g.step(p[i]); g.err != nil {
			return i, g.err
		}
	}
	switch {
	case err == nil:
		return n, nil
	case err != io.EOF:
		g.err = g.src.failed(err, g.line)
		return n, g.err
	case g.cr:
		g.err = g.loneReturn()
		return n, g.err
	case len(g.rune) > 0:
		g.err = g.notUTF8()
		return n, g.err
	}
	g.eof = true
	return n, io.EOF
}

// skip takes in the bytes up to one that may matter, and returns their number. What it does
// step would do too, more slowly.
func (g *guard) skip(p []byte) int {
	if g.cr || len(g.rune) > 0 {
		return 0
	}
	p = p[:min(len(p), MaxField-g.field, MaxRecord-g.record)]
	n := 0
	for n < len(p) && ' ' <= p[n] && p[n] < utf8.RuneSelf && p[n] != g.comma && p[n] != '"' {
		n++
	}
	g.column += n
	g.field += n
	g.record += n
	return n
}

// step looks at the next byte.
func (g *guard) step(b byte) error {
	if b >= utf8.RuneSelf || len(g.rune) > 0 {
		if len(g.rune) == 0 {
			g.runeAt = g.column
		}
		g.rune = append(g.rune, b)
		if utf8.FullRune(g.rune) {
			if r, size := utf8.DecodeRune(g.rune); r == utf8.RuneError && size == 1 {
				return g.notUTF8()
			}
			g.rune = g.rune[:0]
		}
	}
	if g.cr && b != '\n' {
		return g.loneReturn()
	}
	g.cr = b == '\r'
	g.column++
	switch {
	case b == 0:
		return g.fault(g.line, g.column-1, "there is a NUL byte; save the file as plain UTF-8 text")
	case b == '\n' && !g.quoted:
		g.endRow()
		return nil
	case b == '\n':
		g.newLine()
	case b == '\r':
		return nil // not counted as a byte of the row: a line feed must follow
	case b == '"':
		if g.quoted = !g.quoted; g.quoted && g.field == 0 {
			g.opened = [2]int{g.line, g.column - 1}
		}
	case b == g.comma && !g.quoted:
		g.field = -1
		g.fields++
	}
	g.field++
	g.record++
	if g.field > MaxField || g.record > MaxRecord || g.fields >= MaxColumns {
		return g.tooLarge()
	}
	return nil
}

func (g *guard) newLine() {
	g.line++
	g.column = 1
}

func (g *guard) endRow() {
	switch {
	case g.record > 0:
		g.rows++
		g.field, g.record, g.fields = 0, 0, 0
	case g.rows > 0 && g.blank == 0:
		g.blank = g.line
	}
	g.newLine()
}

func (g *guard) fault(line, column int, text string) error {
	return &ParseError{File: g.file, Line: line, Column: column, Err: errors.New(text)}
}

func (g *guard) loneReturn() error {
	return g.fault(g.line, max(1, g.column-1), "there is a carriage return without a line feed; save the file with line ends LF or CRLF")
}

func (g *guard) notUTF8() error {
	return g.fault(g.line, g.runeAt, fmt.Sprintf("byte 0x%02X is not UTF-8; save the file as UTF-8", g.rune[0]))
}

func (g *guard) tooLarge() error {
	at := Place(g.file, g.line, 0)
	switch {
	case g.quoted && g.field > MaxField:
		return Limitf("%s: the quote opened here is not closed within %d bytes; close it, or shorten the cell", Place(g.file, g.opened[0], g.opened[1]), MaxField)
	case g.field > MaxField:
		return Limitf("%s: a cell has more than %d bytes; shorten it", at, MaxField)
	case g.fields >= MaxColumns:
		return Limitf("%s: more than %d columns; leave some out", at, MaxColumns)
	default:
		return Limitf("%s: a row has more than %d bytes; shorten it", at, MaxRecord)
	}
}
