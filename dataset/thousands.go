package dataset

import (
	"math"
	"strings"
)

// thousands tells whether points in the numbers of a column stand before three digits in the end alone, a zero among
// them the last, and all other numbers are whole and below 1000: a program that writes three decimals writes them
// everywhere, or leaves out zeros at the end.
type thousands struct {
	marked, wholes int
	zero, other    bool
}

// note looks at a number and its text.
func (m *thousands) note(text string, v float64) {
	switch n := len(text); {
	case m.other:
	case text == "" || math.Abs(v) >= 1000:
		m.other = true
	case n > 4 && text[n-4] == '.' && math.Abs(v) >= 1 && !strings.ContainsAny(text, "eE"):
		m.marked++
		m.zero = m.zero || text[n-1] == '0'
	case v != math.Trunc(v) || hasPoint(text):
		m.other = true
	default:
		m.wholes++
	}
}

// hasPoint reports whether a short text has a point.
func hasPoint(text string) bool {
	for i := range len(text) { // strings.IndexByte is made for longer ones
		if text[i] == '.' {
			return true
		}
	}
	return false
}

// merge adds the numbers of a part.
func (m *thousands) merge(part thousands) {
	m.marked += part.marked
	m.wholes += part.wholes
	m.zero, m.other = m.zero || part.zero, m.other || part.other
}

// text says so, "" where it is not so.
func (m *thousands) text(column string) string {
	if m.other || !m.zero || m.wholes == 0 || m.marked < 10 {
		return ""
	}
	return columnText(column, "in %d numbers a point stands before three digits, and all others are whole and below "+
		"1000; if it marks thousands, take it out", m.marked)
}
