package assess

import (
	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// Drift says in which figures rows are others than those of training, by more than chance, see
// [rfpragma.Model.Drift]: worse, of other shares, better, or in none. Each change is a pair of figures, what is and,
// with its name ending in _was, what was. Columns are those that are not as in training.
func Drift(where finding.Where, c *rfpragma.Comparison, columns []string) []finding.Finding {
	var out []finding.Finding
	if len(columns) > 0 {
		f := finding.New(codes.DriftColumns, where)
		f.Columns = columns
		out = append(out, f)
	}
	if c == nil {
		return out
	}
	worse, shares := finding.New(codes.DriftWorse, where), finding.New(codes.DriftShares, where)
	better, none := finding.New(codes.DriftBetter, where), finding.New(codes.DriftNone, where)
	for i := range c.Drift {
		if c.Drift[i].Figure == "share" {
			change(&shares, &c.Drift[i])
		} else {
			change(&worse, &c.Drift[i])
		}
	}
	for i := range c.Better {
		change(&better, &c.Better[i])
	}
	for _, f := range []finding.Finding{worse, shares, better} {
		if f.Figures != nil {
			out = append(out, f)
		}
	}
	if len(c.Drift) == 0 && len(c.Figures) > 0 {
		for _, name := range c.Figures {
			none.Figures = append(none.Figures, figure(name, 0, codes.Share))
		}
		out = append(out, none)
	}
	return out
}

// change adds a figure that is another one than in training.
func change(f *finding.Finding, d *rfpragma.Drift) {
	unit := codes.Share
	if d.Figure == "ranking" {
		unit = codes.Area
	}
	f.Classes = append(f.Classes, d.Class)
	f.Figures = append(f.Figures, finding.Figure{Name: d.Figure, Class: d.Class, Value: d.Is.Value, Unit: unit},
		finding.Figure{Name: d.Figure + "_was", Class: d.Class, Value: d.Was.Value, Unit: unit})
}
