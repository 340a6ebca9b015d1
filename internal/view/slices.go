package view

import (
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// Slices are parts of the rows that are judged apart.
type Slices struct {
	Column string       `json:"column"` // by whose values the rows are parted
	Parts  []eval.Slice `json:"parts"`  // in the order of their names

	Gaps []eval.Gap `json:"-"` // which are findings
}

// gapFindings are the gaps between the parts.
func (s *Slices) gapFindings(where finding.Where) []finding.Finding {
	if s == nil {
		return nil
	}
	return assess.Gaps(where, s.Column, s.Gaps)
}

// tables show each part, a table for each class that matters.
func (s *Slices) tables(of *Goal, weighed bool) []*layout.Grid {
	if s == nil {
		return nil
	}
	var out []*layout.Grid
	matter := of.Matter()
	if len(matter) == 0 || len(matter) > mostShown {
		matter = of.order()[:min(len(of.Classes), mostShown)]
	}
	for _, c := range matter {
		name := of.Classes[c]
		g := &layout.Grid{Title: english.Quote(name) + " by " + english.Quote(s.Column),
			Head: []string{s.Column, tables.Unit(weighed), "of the class", "found (recall)", "95 % interval",
				"right (precision)", "95 % interval", "alarms per 1,000"}}
		for i := range s.Parts {
			p := &s.Parts[i]
			f := p.Classes[name]
			g.Add(p.Name, layout.Rows(p.Rows), layout.Rows(f.Support), layout.PercentOr(f.Recall),
				intervalEnds(f.RecallInterval), layout.PercentOr(f.Precision), intervalEnds(f.PrecisionInterval),
				layout.PerThousand(p.Alerts[name].Value)[0])
		}
		out = append(out, g)
	}
	return out
}

// intervalEnds shows an interval of a share; "" where there is none.
func intervalEnds(interval *[2]float64) string {
	if interval == nil {
		return ""
	}
	_, shown := english.Within((interval[0]+interval[1])/2, interval[0], interval[1], 0)
	return shown
}

// sliceOf returns the figures of a slice that a matrix counts, without intervals, which it does not tell.
func sliceOf(m *vote.Confusion, of vote.Slice) eval.RuleSlice {
	in := m.Slice(of)
	out := eval.RuleSlice{Column: of.Column, Slice: eval.Slice{Name: of.Value, Rows: in.Total(),
		Alerts: map[string]eval.Share{}, Classes: map[string]eval.Class{}}}
	if in == nil {
		return out
	}
	out.Confusion = in.Rows()
	for c, name := range m.Classes {
		out.Classes[name] = eval.ClassOf(in, c)
		if alerts, ok := in.Alerts(c); ok {
			out.Alerts[name] = eval.Share{Value: alerts}
		}
	}
	return out
}
