package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/risk"
)

// Program is a run of the command: where it reads and writes.
type Program struct {
	Ctx            context.Context
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Beside         io.Writer // where people see a result that goes to a file; io.Discard where none does
	Quiet          bool
	Warned         []error           // warnings about the result, which its JSON has too
	Typed          map[string]string // flags on the command line, see Settle
	Line           *Progress         // what may stand in the last line of a terminal, or nil
	origin         map[string]string // of the flags that come from elsewhere: where they are set
	workers        int               // --threads, once it is read
	replaced       map[string]bool   // the files that were there before they were written
	fileSpec       pragma.Spec       // --prefer-file, once it is read
}

// Remember keeps the first error of writing, so that none is lost where a printing function
// returns nothing.
type Remember struct {
	W   io.Writer
	Err error
}

func (r *Remember) Write(b []byte) (int, error) {
	if r.Err != nil {
		return 0, r.Err
	}
	n, err := r.W.Write(b)
	r.Err = err
	return n, err
}

// Say writes a line of talk to stderr.
func (p *Program) Say(format string, args ...any) {
	if !p.Quiet {
		p.Line.End()
		fmt.Fprintln(p.Stderr, layout.Printable(fmt.Sprintf(format, args...)))
	}
}

// Warn tells of what one should know of the result: on stderr and in its JSON. That a table has more columns than
// are needed is said, as other talk is.
func (p *Program) Warn(warnings []error) {
	var grave []error
	for _, w := range warnings {
		if errors.Is(w, dataset.ErrUnmet) && !p.IsTyped("missing") {
			continue // the words of a shared file of settings are for other tables, too
		}
		p.Warned = append(p.Warned, w)
		if errors.Is(w, dataset.ErrIgnored) || errors.Is(w, dataset.ErrUseless) { // which harm nothing
			p.Say("%v", w)
		} else {
			grave = append(grave, w)
		}
	}
	p.caution(grave)
}

// WithoutFindings leaves out the warnings that are told as findings: of columns that tell the class, of rows in
// order, of searches that reach nothing or prove nothing, and of columns that are not as in training.
func WithoutFindings(warnings []error) []error {
	return slices.DeleteFunc(slices.Clone(warnings), func(w error) bool {
		return errors.As(w, new(*dataset.TellsWarning)) || errors.Is(w, dataset.ErrOrdered) ||
			errors.Is(w, dataset.ErrDrift) && view.ColumnDrift(w) == nil ||
			errors.Is(w, anneal.ErrUnproven) || errors.Is(w, anneal.ErrFloors) || errors.Is(w, anneal.ErrEdge) ||
			errors.Is(w, risk.ErrUnsure) || errors.Is(w, anneal.ErrFewInSlice)
	})
}

// WarnUnlessMisfit returns the warning by which rows are not for the model, if there is one, and tells the others.
func (p *Program) WarnUnlessMisfit(warnings []error) error {
	at := slices.IndexFunc(warnings, func(w error) bool { return errors.Is(w, dataset.ErrMisfit) })
	if at < 0 {
		return nil
	}
	p.Warn(slices.Delete(slices.Clone(warnings), at, at+1))
	return warnings[at]
}

// caution writes warnings to stderr, also when quiet. The rest of a long list is in the JSON.
func (p *Program) caution(warnings []error) {
	const most = 8
	if len(warnings) > 0 {
		p.Line.End()
	}
	for i, w := range warnings {
		if i == most {
			fmt.Fprintf(p.Stderr, "warning: and %d more\n", len(warnings)-most)
			break
		}
		fmt.Fprintf(p.Stderr, "warning: %s\n", layout.Printable(w.Error()))
	}
}

// Progress begins to show how far long work is.
func (p *Program) Progress(what string) *Progress {
	now := time.Now()
	p.Line.End()
	p.Line = &Progress{w: p.Stderr, what: what, silent: p.Quiet, Last: now, Now: time.Now, Width: TerminalWidth(p.Stderr),
		Least: 1}
	return p.Line
}

// IsTyped reports whether a flag is on the command line itself: what is set for many runs may be
// of no use to one of them, and is then no fault.
func (p *Program) IsTyped(flag string) bool {
	_, ok := p.Typed[flag]
	return ok
}
