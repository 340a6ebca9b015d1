package csvtext

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// syntax says how the records of a text are told apart, and the cells within them (RFC 4180).
type syntax struct {
	comma  byte
	commas uint64    // eight of it
	stops  [256]bool // the bytes at which a cell without quotes may end
}

func newSyntax(comma byte) *syntax {
	s := &syntax{comma: comma, commas: uint64(comma) * ones}
	for _, b := range []byte{comma, '\n', '\r', '"'} {
		s.stops[b] = true
	}
	return s
}

// fault is what is wrong with a text, where reading stops; err is nil where nothing is.
type fault struct {
	at  int // byte of the text
	err error
}

// What may be wrong with the quotes of a record.
var (
	errBlankQuote = errors.New("a blank stands before the quote that opens a cell; remove the blank")
	errBareQuote  = errors.New("a quote stands inside a cell that does not begin with one; quote the whole cell and " +
		"write the quote twice")
	errAfterQuote = errors.New("text follows a closing quote; write a quote within a quoted cell twice")
	errOpenQuote  = errors.New("the quote opened here is never closed; close it")
)

// record is a line, or several where a quoted cell has line breaks.
type record struct {
	next   int   // where the record after it begins, or at a fault some place before
	whole  bool  // it ends with a line feed; false where the text, or a fault, ends it
	quoted bool  // it has quotes, and so perhaps several lines
	open   bool  // the text ends within quotes, which is a fault where the file ends, too
	fault  fault // of its quotes
}

// scan finds the record of text that begins at at, and appends to ends where its cells end.
func (s *syntax) scan(text string, at int, ends []int) (record, []int) {
	var r record
	for {
		if at < len(text) && text[at] == '"' {
			r.quoted = true
			opened := at
			if at = closed(text, at); at < 0 {
				at, r.open, r.fault = len(text), true, fault{opened, errOpenQuote}
			} else if text[at:] == "\r" {
				at = len(text) // a line end of which half is there
			} else if !s.endsCell(text[at:]) {
				r.fault = fault{at - 1, errAfterQuote}
			}
		} else {
			begin := at
			if at = s.plain(text, at); at < len(text) && text[at] == '"' {
				if r.fault = (fault{at, errBareQuote}); strings.TrimSpace(text[begin:at]) == "" {
					r.fault.err = errBlankQuote
				}
			}
		}
		ends = append(ends, at)
		if r.next = at; at == len(text) || r.fault.err != nil {
			return r, ends
		}
		if text[at] != s.comma {
			r.next, r.whole = at+1+strings.IndexByte(text[at:], '\n'), true // after LF or CRLF
			return r, ends
		}
		at++
	}
}

// plain returns where the cell without quotes ends that begins at at: at a comma, a line end, a
// quote, or the end of the text.
func (s *syntax) plain(text string, at int) int {
	for {
		at = s.stop(text, at)
		if at == len(text) || text[at] != '\r' || strings.HasPrefix(text[at:], "\r\n") {
			return at
		}
		at++ // a carriage return alone is found by byteFault
	}
}

// ones is 1 in each of eight bytes.
const ones = 0x0101010101010101

// stop returns where the first byte of text[at:] is at which a cell may end, len(text) for none. It looks
// at eight bytes at once, as most cells have fewer: a loop over them would end where no processor
// foresees it. Of the bytes of x that are 0, or below some n up to 128, the lowest has the lowest high bit in
// (x - n*ones) &^ x (Warren, Hacker's Delight, 6-1).
func (s *syntax) stop(text string, at int) int {
	for ; at+8 <= len(text); at++ {
		b := text[at : at+8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(
			b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		y := x ^ s.commas
		found := ((y-ones)&^y | (x-('"'+1)*ones)&^x) & (ones << 7)
		if found == 0 {
			at += 7
			continue
		}
		if at += bits.TrailingZeros64(found) / 8; s.stops[text[at]] {
			return at
		}
	}
	for at < len(text) && !s.stops[text[at]] {
		at++
	}
	return at
}

// closed returns where the quoted cell that begins at at ends, -1 where the text ends first.
func closed(text string, at int) int {
	for {
		at++
		n := strings.IndexByte(text[at:], '"')
		if n < 0 {
			return -1
		}
		if at += n + 1; at == len(text) || text[at] != '"' {
			return at
		}
	}
}

// endsCell tells whether what follows a closing quote ends the cell.
func (s *syntax) endsCell(rest string) bool {
	return rest == "" || rest[0] == s.comma || rest[0] == '\n' || strings.HasPrefix(rest, "\r\n")
}

// blankLine returns the length of the blank line that a text begins with, 0 for none.
func blankLine(text string) int {
	switch {
	case strings.HasPrefix(text, "\n"):
		return 1
	case strings.HasPrefix(text, "\r\n"):
		return 2
	}
	return 0
}

// unquoted returns the text that a quoted cell stands for.
func unquoted(cell string) string {
	cell = cell[1 : len(cell)-1]
	if strings.Contains(cell, `""`) {
		cell = strings.ReplaceAll(cell, `""`, `"`)
	}
	if strings.Contains(cell, "\r\n") {
		cell = strings.ReplaceAll(cell, "\r\n", "\n")
	}
	return cell
}

// byteFault returns the first byte that no text has. Of a table, which other programs write, the cure says how they do.
func byteFault(text string, table bool) fault {
	f, nul, utf := fault{at: len(text)}, "", ""
	if table {
		nul, utf = inExcel, asUTF8+"CP1252"+toUTF8
	}
	if at := strings.IndexByte(text, 0); at >= 0 {
		f = fault{at, errors.New("there is a NUL byte; save the file as plain UTF-8 text" + nul)}
	}
	if !utf8.ValidString(text) {
		for at, r := range text[:f.at] {
			if r == utf8.RuneError && !strings.HasPrefix(text[at:], string(utf8.RuneError)) {
				f = fault{at, fmt.Errorf("byte 0x%02X is not UTF-8; save the file as UTF-8%s", text[at], utf)}
				break
			}
		}
	}
	for at := 0; ; at += len("\r\n") {
		n := strings.IndexByte(text[at:f.at], '\r')
		if n < 0 {
			return f
		}
		if at += n; !strings.HasPrefix(text[at:], "\r\n") {
			return fault{at, errors.New("there is a carriage return without a line feed; save the file with line ends LF or " +
				"CRLF")}
		}
	}
}

// limitFault returns where the record that begins at begin, with cells that end at ends, goes
// beyond a limit. Carriage returns do not count. The error has no place, but where a quote opens.
func limitFault(text string, begin int, ends []int) (f fault, quote int) {
	start, cell, field, total := begin, 0, 0, 0
	for at := begin; at < ends[len(ends)-1]; at++ {
		if at == ends[cell] {
			cell++
			start, field = at+1, -1
		}
		if text[at] != '\r' {
			field++
			total++
		}
		switch {
		case field > MaxField && text[start] == '"' && at+1 < ends[cell]:
			return fault{at, fmt.Errorf("the quote opened here is not closed within %d bytes; close it, or shorten the cell",
				MaxField)}, start
		case field > MaxField:
			return fault{at, fmt.Errorf("a cell has more than %d bytes; shorten it", MaxField)}, -1
		case cell >= MaxColumns:
			return fault{at, fmt.Errorf("more than %d columns; leave some out", MaxColumns)}, -1
		case total > MaxRecord:
			return fault{at, fmt.Errorf("a row has more than %d bytes; shorten it", MaxRecord)}, -1
		}
	}
	return fault{}, -1
}
