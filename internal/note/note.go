// Package note makes warnings that can be put together: what several trainings warn of is said once, with the range
// of its figures.
package note

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Figure is a number of a [Note] that may be another one the next time, or the range of several.
type Figure struct {
	verb      string
	low, high float64
}

// Of returns the figure v, shown with a verb of package fmt for floats such as %.2g.
func Of(verb string, v float64) Figure { return Figure{verb, v, v} }

// Count returns the figure n.
func Count(n int) Figure { return Of("%.0f", float64(n)) }

// String shows the number, or both ends of the range where they look different.
func (f Figure) String() string {
	low, high := fmt.Sprintf(f.verb, f.low), fmt.Sprintf(f.verb, f.high)
	if low == high {
		return low
	}
	return low + " to " + high
}

// Cases are what several trainings say each for themselves: notes that may be of several kinds, and how often each
// was said.
type Cases []counted

type counted struct {
	note  *Note
	times int
}

// Case returns what one training says.
func Case(n *Note) Cases { return Cases{{n, 1}} }

// String shows a single kind as it is, of several in how many trainings each was said, the most frequent first.
func (c Cases) String() string {
	switch len(c) {
	case 0:
		return ""
	case 1:
		return c[0].note.Error()
	}
	sorted := slices.Clone(c)
	slices.SortStableFunc(sorted, func(a, b counted) int { return b.times - a.times })
	texts, trainings := make([]string, len(sorted)), " trainings"
	if sorted[0].times == 1 {
		trainings = " training"
	}
	for i, one := range sorted {
		texts[i], trainings = fmt.Sprintf("in %d%s %s", one.times, trainings, one.note.Error()), ""
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + ", and " + texts[last]
}

// with returns the cases of both.
func (c Cases) with(others Cases) Cases {
	all := slices.Clone(c)
	for _, other := range others {
		at := slices.IndexFunc(all, func(one counted) bool { return one.note.merge(other.note) != nil })
		if at < 0 {
			all = append(all, other)
			continue
		}
		all[at] = counted{all[at].note.merge(other.note), all[at].times + other.times}
	}
	return all
}

// Note is a warning. Two notes are of one kind where only their figures differ.
type Note struct {
	format string
	args   []any
	detail *Note
	wraps  error
}

// New returns a note that says fmt.Sprintf(format, args...), where each of args is a [Figure], a *Note, [Cases] or
// of a type that can be compared.
func New(format string, args ...any) *Note { return &Note{format: format, args: args} }

// With returns the note with a detail, which is not in what it says: see [Detail].
func (n *Note) With(detail *Note) *Note { return &Note{n.format, n.args, detail, n.wraps} }

// Wrapping returns the note as one that wraps an error, for [errors.Is], whatever it says.
func (n *Note) Wrapping(err error) *Note { return &Note{n.format, n.args, n.detail, err} }

// Unwrap returns that error, nil if there is none.
func (n *Note) Unwrap() error { return n.wraps }

// Error is what the note says.
func (n *Note) Error() string { return fmt.Sprintf(n.format, n.args...) }

// Detail is what a warning has to say beside its words, in a sentence, for those who want all of it; "" if there is
// nothing.
func Detail(warning error) string {
	var n *Note
	if !errors.As(warning, &n) || n.detail == nil {
		return ""
	}
	return n.detail.Error()
}

// Merge returns the note that says what n and other say, if that is a note of the same kind.
func (n *Note) Merge(other error) (error, bool) {
	var o *Note
	if !errors.As(other, &o) {
		return nil, false
	}
	if merged := n.merge(o); merged != nil {
		return merged, true
	}
	return nil, false
}

// merge returns the note that says what both say, nil where they are of two kinds.
func (n *Note) merge(o *Note) *Note {
	if o.format != n.format || len(o.args) != len(n.args) || (o.detail == nil) != (n.detail == nil) || !errors.Is(o.wraps,
		n.wraps) {
		return nil
	}
	merged := &Note{format: n.format, args: make([]any, len(n.args)), wraps: n.wraps}
	if n.detail != nil {
		if merged.detail = n.detail.merge(o.detail); merged.detail == nil {
			return nil
		}
	}
	for i, arg := range n.args {
		switch a := arg.(type) {
		case Figure:
			b, ok := o.args[i].(Figure)
			if !ok || b.verb != a.verb {
				return nil
			}
			merged.args[i] = Figure{a.verb, min(a.low, b.low), max(a.high, b.high)}
		case Cases:
			b, ok := o.args[i].(Cases)
			if !ok {
				return nil
			}
			merged.args[i] = a.with(b)
		case *Note:
			b, ok := o.args[i].(*Note)
			if !ok {
				return nil
			}
			both := a.merge(b)
			if both == nil {
				return nil
			}
			merged.args[i] = both
		default:
			if arg != o.args[i] {
				return nil
			}
			merged.args[i] = arg
		}
	}
	return merged
}
