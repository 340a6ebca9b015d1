// Package note makes warnings that can be put together: what several trainings warn of is said once, with the range of its figures.
package note

import (
	"errors"
	"fmt"
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

// Note is a warning. Two notes are of one kind where only their figures differ.
type Note struct {
	format string
	args   []any
}

// New returns a note that says fmt.Sprintf(format, args...), where each of args is a [Figure], a *Note or of a type that can be compared.
func New(format string, args ...any) *Note { return &Note{format, args} }

// Error is what the note says.
func (n *Note) Error() string { return fmt.Sprintf(n.format, n.args...) }

// Merge returns the note that says what n and other say, if that is a note of the same kind.
func (n *Note) Merge(other error) (error, bool) {
	var o *Note
	if !errors.As(other, &o) || o.format != n.format || len(o.args) != len(n.args) {
		return nil, false
	}
	merged := &Note{n.format, make([]any, len(n.args))}
	for i, arg := range n.args {
		switch a := arg.(type) {
		case Figure:
			b, ok := o.args[i].(Figure)
			if !ok || b.verb != a.verb {
				return nil, false
			}
			merged.args[i] = Figure{a.verb, min(a.low, b.low), max(a.high, b.high)}
		case *Note:
			b, ok := o.args[i].(*Note)
			if !ok {
				return nil, false
			}
			if merged.args[i], ok = a.Merge(b); !ok {
				return nil, false
			}
		default:
			if arg != o.args[i] {
				return nil, false
			}
			merged.args[i] = arg
		}
	}
	return merged, true
}
