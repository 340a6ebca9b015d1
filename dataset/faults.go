package dataset

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
)

// places counts rows of one sort and keeps where the first ten stand.
type places struct {
	count int
	first []Pos
}

func (p *places) note(at Pos) {
	p.count++
	if len(p.first) < 10 {
		p.first = append(p.first, at)
	}
}

// merge adds the rows of a part.
func (p *places) merge(part *places) {
	p.count += part.count
	p.first = append(p.first, part.first[:min(len(part.first), 10-len(p.first))]...)
}

func (p *places) clear() { *p = places{first: p.first[:0]} }

// String lists the places: "lines 3, 5".
func (p *places) String() string {
	unit := "line"
	if p.first[0].Row > 0 {
		unit = "row"
	}
	numbers := make([]string, len(p.first))
	for i, at := range p.first {
		numbers[i] = strconv.Itoa(max(at.Line, at.Row))
	}
	if p.count > len(numbers) {
		numbers = append(numbers, "...")
	}
	return english.Verb(p.count, unit, unit+"s") + " " + strings.Join(numbers, ", ")
}

// rowFaults are the rows that cannot be read: the first fault, and the places of the others.
type rowFaults struct {
	first *ParseError
	more  places
}

// mostFaults is after how many more of them reading ends, as all rows may be such.
const mostFaults = 1000

// note reports whether err is the fault of a row past which reading can go on, and notes it.
func (r *rowFaults) note(err error) bool {
	var at *ParseError
	if r.full() || !errors.As(err, &at) || at.Line == 0 && at.Row == 0 {
		return false
	}
	if r.first == nil {
		r.first = at
	} else {
		r.more.note(Pos{Line: at.Line, Row: at.Row})
	}
	return true
}

// merge adds the rows of a part.
func (r *rowFaults) merge(part *rowFaults) {
	switch {
	case part.first == nil:
		return
	case r.first == nil:
		r.first = part.first
	default:
		r.more.note(Pos{Line: part.first.Line, Row: part.first.Row})
	}
	r.more.merge(&part.more)
}

func (r *rowFaults) clear() {
	r.first = nil
	r.more.clear()
}

// full reports whether there are so many that no more need be read.
func (r *rowFaults) full() bool { return r.more.count >= mostFaults }

// err is the error for the rows, nil where there are none.
func (r *rowFaults) err() error {
	switch n := r.more.count; {
	case r.first == nil:
		return nil
	case n == 0:
		return r.first
	case r.full():
		return withMore(r.first, "at least %d more rows are at fault, too, and the rest was not read: %v", mostFaults, &r.more)
	default:
		return withMore(r.first, "%s at fault, too: %v", are(n, "more row"), &r.more)
	}
}

// withMore returns a fault with what else is wrong.
func withMore(fault *ParseError, format string, args ...any) error {
	more := *fault
	more.Err = fmt.Errorf("%w; %s", fault.Err, fmt.Sprintf(format, args...))
	return &more
}

// columnFault is what is wrong with a column, and the cells that are.
type columnFault struct {
	name, text string
	cells      *sightings
}

// columnsFault says of the first column at fault what is wrong, and names the others; it is nil where there are none.
func (t *table) columnsFault(found []columnFault, others func([]columnFault) string) error {
	if len(found) == 0 {
		return nil
	}
	c := &found[0]
	at := c.cells.first[0].at
	first := &ParseError{File: t.file, Line: at.Line, Column: at.Column, Row: at.Row, Field: c.name, Err: errors.New(c.text)}
	if len(found) == 1 {
		return first
	}
	return withMore(first, "%s at fault, too, %s", are(len(found)-1, "more column"), others(found[1:]))
}

// mostListed is how many more columns at fault are told with their cells.
const mostListed = 3

// listed names columns with the cells at fault.
func listed(found []columnFault) string {
	var parts []string
	for _, c := range found[:min(len(found), mostListed)] {
		parts = append(parts, fmt.Sprintf("%.64q: %s", c.name, c.cells))
	}
	if more := len(found) - mostListed; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}
