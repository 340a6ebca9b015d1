package csvtext

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/option"
)

// sniffed is the number of rows below the header by which the separator is found.
const sniffed = 20

// named takes off a first line by which a spreadsheet names the mark that separates cells, such as
// sep=;, and returns that mark, or 0 where there is no such line.
func (c *cutter) named() rune {
	const line = "sep=;\r\n"
	c.fill(len(line))
	for _, mark := range ",;\t|" {
		for _, end := range []string{"\n", "\r\n"} {
			named := "sep=" + string(mark) + end
			if len(c.buf) >= len(named) && strings.EqualFold(string(c.buf[:len(named)]), named) {
				c.buf = c.buf[:copy(c.buf, c.buf[len(named):])]
				c.line++
				return mark
			}
		}
	}
	return 0
}

// sniff returns the mark that separates cells, by the rule of [NewReader].
func (c *cutter) sniff() (rune, error) {
	for size := 1; ; size = more(len(c.buf)) {
		c.fill(size)
		marks, sure := separators(string(c.buf), c.ended)
		switch {
		case !sure && !c.ended && len(c.buf) <= MaxField:
			continue
		case len(marks) == 0:
			return ',', nil
		case len(marks) == 1:
			return marks[0], nil
		}
		flags := make([]string, len(marks))
		for i, mark := range marks {
			flags[i] = Mark(mark)
		}
		return 0, &ParseError{File: c.src.file, Line: 1,
			Err: fmt.Errorf(option.Text("cells may be separated by %s; choose one with {sep}"), strings.Join(flags, " or "))}
	}
}

// Mark writes what separates cells for a message or a shell.
func Mark(mark rune) string {
	if mark == '\t' {
		return "tab"
	}
	return "'" + string(mark) + "'"
}

// separators returns the marks by which a text can be read as several columns, none where that
// leaves the comma. Of several marks those count by which the most is in order: each of the first
// rows has as many cells as the header, or differs from it at its end in empty cells alone, or at
// least half of them do so. It may not be sure before all of the file is there.
func separators(text string, all bool) (marks []rune, sure bool) {
	others, one, waits, best := false, true, false, 1
	for _, mark := range ",;\t|" {
		rows, sound := newSyntax(byte(mark)).lines(text, all)
		if sound && len(rows) == 0 && !all {
			return nil, false // the header goes on
		}
		if len(rows) == 0 || rows[0].cells == 1 {
			continue
		}
		others, one = others || mark != ',', false
		waits = waits || sound && len(rows) <= sniffed
		switch order := inOrder(rows, sound, mark); {
		case order > best:
			marks, best = []rune{mark}, order
		case order == best:
			marks = append(marks, mark)
		}
	}
	if one {
		return blanks(text, all)
	}
	if !others {
		return nil, true
	}
	return marks, all || !waits
}

// blanks returns the blank where single ones separate cells, as write.table of R has it: where all of the first rows
// have as many cells as the header, or one more that is their name, and a number in each.
func blanks(text string, all bool) (marks []rune, sure bool) {
	rows, sound := newSyntax(' ').lines(text, all)
	switch {
	case sound && len(rows) <= sniffed && !all:
		return nil, false
	case len(rows) < 4 || rows[0].cells < 2 || inOrder(rows, sound, ' ') < 3:
		return nil, true
	}
	for i, r := range rows {
		if r.filled < r.cells || i > 0 && !r.number {
			return nil, true
		}
	}
	return []rune{' '}, true
}

// inOrder says how well rows go with the first of them, the header: 3 where all have as many cells, 2 where
// they differ in empty cells at the end, 1 where half of them do, 0 where fewer. Those below may not be sound.
func inOrder(rows []line, sound bool, mark rune) int {
	head, rows := rows[0], rows[1:]
	even, fit := 0, 0
	for _, r := range rows {
		even += one(r.cells == head.cells)
		fit += one(r.filled <= head.cells && r.cells >= head.filled)
	}
	switch {
	case sound && even == len(rows), sound && rowNames(append([]line{head}, rows...), mark != ','):
		return 3
	case sound && fit == len(rows):
		return 2
	case fit > 0 && 2*fit >= len(rows)+one(!sound):
		return 1
	}
	return 0
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// line is how many cells a record has, and how many up to the last that is not empty, and its first cell as it is
// written.
type line struct {
	cells, filled int
	first         string
	number        bool // a cell is a number
}

// lines returns the header and the first rows of a text, and whether what follows can be read. A record
// counts that is there as a whole.
func (s *syntax) lines(text string, all bool) (lines []line, sound bool) {
	var ends []int
	for at := 0; at < len(text) && len(lines) <= sniffed; {
		if n := blankLine(text[at:]); n > 0 {
			at += n
			continue
		}
		var r record
		r, ends = s.scan(text, at, ends[:0])
		switch {
		case !r.whole && !all && (r.fault.err == nil || r.open):
			return lines, true
		case r.fault.err != nil:
			return lines, false
		}
		l := line{cells: len(ends), first: strings.TrimSpace(text[at:ends[0]])}
		for j, begin := 0, at; j < len(ends); j, begin = j+1, ends[j]+1 {
			if cell := strings.Trim(text[begin:ends[j]], "\" \r\t"); cell != "" {
				l.filled = j + 1
				l.number = l.number || isDecimal(cell)
			}
		}
		lines = append(lines, l)
		at = r.next
	}
	return lines, true
}

// overlong tells whether each of the first rows has just one cell more than the header. Where the last is empty,
// such rows may as well begin with a name that the header has no column for, as R writes them.
func overlong(rows []line) bool {
	for _, r := range rows[min(1, len(rows)):] {
		if r.cells != rows[0].cells+1 {
			return false
		}
	}
	return len(rows) > 1
}

// firstRows returns the header and the rows by which it is judged.
func (c *cutter) firstRows() []line {
	for size := 1; ; size = more(len(c.buf)) {
		c.fill(size)
		rows, sound := c.syntax.lines(string(c.buf), c.ended)
		if !sound || len(rows) > sniffed || c.ended || len(c.buf) > MaxField {
			return rows
		}
	}
}

// rowNames tells whether the rows below the header begin with their names, for which it has no name, as write.table of
// R writes them: each has one cell more, of which the last is not empty, and the first are all in quotes and differ,
// or, where no comma separates cells, which may be one of a number, are words that differ, or 1, 2, ...
func rowNames(rows []line, marked bool) bool {
	if len(rows) < 3 {
		return false
	}
	seen := map[string]bool{}
	for i, r := range rows[1:] {
		name := len(r.first) > 2 && r.first[0] == '"' || marked && (r.first == strconv.Itoa(i+1) || !isDecimal(r.first))
		if r.cells != rows[0].cells+1 || r.filled != r.cells || seen[r.first] || !name {
			return false
		}
		seen[r.first] = true
	}
	return true
}
