// Package roff writes manual pages in the man macros of roff.
package roff

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Page collects a page.
type Page struct{ strings.Builder }

// Line writes a request.
func (m *Page) Line(request string) { m.WriteString(request + "\n") }

// Text writes text to be filled.
func (m *Page) Text(text string) { m.WriteString(guarded(text) + "\n") }

// Prose writes a text of help: paragraphs are filled, what is indented, or has columns,
// stays as it is.
func (m *Page) Prose(text string) {
	begun, as, blank := false, false, false // whether lines stay as they are, and whether one was empty
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		indented := strings.HasPrefix(line, " ") || strings.Contains(line, "   ")
		switch {
		case line == "":
			blank = true
			continue
		case indented && !as:
			if begun {
				m.Line(".PP")
			}
			m.Line(".EX")
		case indented && blank:
			m.Line("")
		case !indented && as:
			m.Line(".EE")
			m.Line(".PP")
		case !indented && blank:
			m.Line(".PP")
		}
		begun, as, blank = true, indented, false
		m.Text(line)
	}
	if as {
		m.Line(".EE")
	}
}

// Escaped writes text so that roff shows it as it is, whatever its encoding.
func Escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r == '\'':
			b.WriteString(`\(aq`)
		case r == '`':
			b.WriteString(`\(ga`)
		case r == '^':
			b.WriteString(`\(ha`)
		case r == '~':
			b.WriteString(`\(ti`)
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// guarded is escaped text that begins no request.
func guarded(text string) string {
	text = Escaped(text)
	if slices.ContainsFunc([]string{".", `\(aq`}, func(p string) bool { return strings.HasPrefix(text, p) }) {
		return `\&` + text
	}
	return text
}
