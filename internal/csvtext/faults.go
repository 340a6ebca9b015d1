package csvtext

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
)

// Places counts rows of one sort and keeps where the first ten stand.
type Places struct {
	Count int
	First []Pos
}

// Note counts a row.
func (p *Places) Note(at Pos) {
	p.Count++
	if len(p.First) < 10 {
		p.First = append(p.First, at)
	}
}

// Merge adds the rows of a part.
func (p *Places) Merge(part *Places) {
	p.Count += part.Count
	p.First = append(p.First, part.First[:min(len(part.First), 10-len(p.First))]...)
}

// Clear forgets all of them.
func (p *Places) Clear() { *p = Places{First: p.First[:0]} }

// String lists the places: "lines 3, 5".
func (p *Places) String() string {
	unit := "line"
	if p.First[0].Row > 0 {
		unit = "row"
	}
	numbers := make([]string, len(p.First))
	for i, at := range p.First {
		numbers[i] = strconv.Itoa(max(at.Line, at.Row))
	}
	if p.Count > len(numbers) {
		numbers = append(numbers, "...")
	}
	return english.Verb(p.Count, unit, unit+"s") + " " + strings.Join(numbers, ", ")
}

// RowFaults are the rows that cannot be read: the first fault, and the places of the others.
type RowFaults struct {
	first *ParseError
	more  Places
}

// mostFaults is after how many more of them reading ends, as all rows may be such.
const mostFaults = 1000

// Note reports whether err is the fault of a row past which reading can go on, and notes it.
func (r *RowFaults) Note(err error) bool {
	var at *ParseError
	if r.Full() || !errors.As(err, &at) || at.Line == 0 && at.Row == 0 {
		return false
	}
	if r.first == nil {
		r.first = at
	} else {
		r.more.Note(Pos{Line: at.Line, Row: at.Row})
	}
	return true
}

// Merge adds the rows of a part.
func (r *RowFaults) Merge(part *RowFaults) {
	switch {
	case part.first == nil:
		return
	case r.first == nil:
		r.first = part.first
	default:
		r.more.Note(Pos{Line: part.first.Line, Row: part.first.Row})
	}
	r.more.Merge(&part.more)
}

// Clear forgets all of them.
func (r *RowFaults) Clear() {
	r.first = nil
	r.more.Clear()
}

// Any reports whether there is one.
func (r *RowFaults) Any() bool { return r.first != nil }

// Full reports whether there are so many that no more need be read.
func (r *RowFaults) Full() bool { return r.more.Count >= mostFaults }

// Err is the error for the rows, nil where there are none.
func (r *RowFaults) Err() error {
	switch n := r.more.Count; {
	case r.first == nil:
		return nil
	case n == 0:
		return r.first
	case r.Full():
		return WithMore(r.first, "at least %d more rows are at fault, too, and the rest was not read: %v", mostFaults,
			&r.more)
	default:
		return WithMore(r.first, "%s %s at fault, too: %v", english.Plural(n, "more row"), english.Verb(n, "is", "are"),
			&r.more)
	}
}

// WithMore returns a fault with what else is wrong.
func WithMore(fault *ParseError, format string, args ...any) error {
	more := *fault
	more.Err = fmt.Errorf("%w; %s", fault.Err, fmt.Sprintf(option.Text(format), args...))
	return &more
}
