package verb

import (
	"errors"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// mostSlices is into how many parts rows are divided at most: more are no parts that people think of, and few of each.
const mostSlices = 50

// sliced collects rows that are judged apart by what they have in a column.
type sliced struct {
	column      string
	names       []string
	votes       *vote.Table
	decided, of []int
	fault       error // of a fold
}

// newSliced begins with the texts of all rows, by --by; it is nil without.
func newSliced(c *urfave.Context, per []string, classes []string) (*sliced, error) {
	column := c.String("by")
	if column == "" {
		return nil, nil
	}
	s := &sliced{column: column, names: slices.Compact(slices.Sorted(slices.Values(per))),
		votes: &vote.Table{Classes: classes}}
	if len(s.names) > mostSlices {
		return nil, cli.Usagef("--by %s: it has %d values; name a column of at most %d", english.Quote(column), len(s.names),
			mostSlices)
	}
	return s, nil
}

// add takes rows of these texts, with what is decided of them.
func (s *sliced) add(votes *vote.Table, per []string, decide func(i int) int) error {
	if err := s.votes.Append(votes); err != nil {
		return err
	}
	for i, text := range per {
		at, _ := slices.BinarySearch(s.names, text)
		s.of, s.decided = append(s.of, at), append(s.decided, decide(i))
	}
	return nil
}

// judged judges all rows, each of which was added so many times.
func (s *sliced) judged(times int) (*view.Slices, error) {
	if s == nil {
		return nil, nil
	}
	if s.fault != nil {
		return nil, s.fault
	}
	parts, gaps, err := eval.Slices(s.votes, s.decided, s.of, s.names, times)
	return &view.Slices{Column: s.column, Parts: parts, Gaps: gaps}, err
}

// slicesOf judges the decided rows of a model apart.
func slicesOf(c *urfave.Context, in *view.ModelRows) (*view.Slices, error) {
	s, err := newSliced(c, in.Judged.Per, in.Model.Classes())
	if s == nil {
		return nil, err
	}
	if err := s.add(in.Decided, in.Judged.Per, predictions.Deciding(in.Model, in.Decided)); err != nil {
		return nil, err
	}
	return s.judged(1)
}

// slicesCV has the rows of a cross-validation collected that its figures are of.
func slicesCV(job *view.CVJob, c *urfave.Context) (*sliced, error) {
	s, err := newSliced(c, job.Frame.Per, job.Frame.Classes)
	if s == nil {
		return nil, err
	}
	held := job.Eval.HeldOut
	job.Eval.HeldOut = func(h eval.HeldOut) {
		if job.Tells(h) {
			s.fault = errors.Join(s.fault, s.add(h.Votes, job.Frame.Take(h.Rows).Per, func(i int) int { return h.Decided[i] }))
		}
		if held != nil {
			held(h)
		}
	}
	return s, nil
}

// slicedBy are the columns among those of a table that tell apart the groups which something was required of.
func slicedBy(m *rfpragma.Model, columns []string) []string {
	var out []string
	floors, err := m.Floors()
	if err != nil {
		return nil // which is told where they are judged
	}
	for _, s := range pragma.Slices(floors) {
		if slices.Contains(columns, s.Column) && !slices.Contains(out, s.Column) {
			out = append(out, s.Column)
		}
	}
	return out
}

// slicesUntold warns of groups which something was required of that votes do not tell apart.
func slicesUntold(m *rfpragma.Model, votes *vote.Table) []error {
	floors, err := m.Floors()
	if err != nil {
		return nil // likewise
	}
	var out []error
	for _, s := range pragma.Slices(floors) {
		if !slices.Contains(votes.Slices, s) {
			out = append(out, fmt.Errorf("what the model was required to keep where %s is %s is not judged, as there is no "+
				"such column", english.Quote(s.Column), english.Quote(s.Value)))
		}
	}
	return out
}
