package csvtext

import (
	"fmt"
	"slices"
	"strings"
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
		return 0, &ParseError{File: c.src.file, Line: 1, Err: fmt.Errorf("cells may be separated by %s; choose one with --sep", strings.Join(flags, " or "))}
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
// leaves the comma. It may not be sure before all of the file is there.
func separators(text string, all bool) (marks []rune, sure bool) {
	others, waits := false, false
	for _, mark := range ",;\t|" {
		cells, sound := counts(text, byte(mark), all)
		if sound && len(cells) == 0 && !all {
			return nil, false // the header goes on
		}
		if len(cells) == 0 || cells[0] == 1 {
			continue
		}
		others = others || mark != ','
		waits = waits || sound && len(cells) <= sniffed
		if sound && !slices.ContainsFunc(cells, func(n int) bool { return n != cells[0] }) {
			marks = append(marks, mark)
		}
	}
	if !others {
		return nil, true
	}
	return marks, all || !waits
}

// counts returns the number of cells of the header and the first rows of a text, and whether
// they can be read. A record counts that is there as a whole.
func counts(text string, comma byte, all bool) (cells []int, sound bool) {
	s := newSyntax(comma)
	var ends []int
	for at := 0; at < len(text) && len(cells) <= sniffed; {
		if n := blankLine(text[at:]); n > 0 {
			at += n
			continue
		}
		var r record
		r, ends = s.scan(text, at, ends[:0])
		switch {
		case !r.whole && !all && (r.fault.err == nil || r.open):
			return cells, true
		case r.fault.err != nil:
			return cells, false
		}
		cells = append(cells, len(ends))
		at = r.next
	}
	return cells, true
}
