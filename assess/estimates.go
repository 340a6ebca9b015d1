package assess

import (
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// Estimates says what figures of rows without labels are estimated, of the classes named, see
// [rfpragma.Model.Estimate]; that the classes may have other shares; or why nothing can be said.
func Estimates(where finding.Where, e *eval.Estimates, classes []string) []finding.Finding {
	if e == nil {
		return nil
	}
	if e.Void {
		f := finding.New(codes.EstimateVoid, where, figure("votes_psi", e.Votes, codes.Index))
		f.Columns = e.Columns
		for _, c := range e.Classes {
			if slices.Contains(classes, c.Class) {
				f.Figures = append(f.Figures, finding.Figure{Name: "alerts", Class: c.Class, Value: c.Alerts, Unit: codes.Share})
			}
		}
		return []finding.Finding{f}
	}
	told, shares := finding.New(codes.EstimateFigures, where), finding.New(codes.EstimateShares, where)
	add := func(to *finding.Finding, name, class, unit string, of *eval.Forecast) {
		if of != nil {
			interval := of.Interval
			to.Figures = append(
				to.Figures,
				finding.Figure{Name: name, Class: class, Value: of.Value, Unit: unit, Interval: &interval},
			)
		}
	}
	for i := range e.Classes {
		c := &e.Classes[i]
		if !slices.Contains(classes, c.Class) {
			continue
		}
		told.Classes = append(told.Classes, c.Class)
		add(&told, "recall", c.Class, codes.Share, c.Recall)
		add(&told, "precision", c.Class, codes.Share, c.Precision)
		told.Figures = append(
			told.Figures,
			finding.Figure{Name: "alerts", Class: c.Class, Value: c.Alerts, Unit: codes.Share},
		)
		shares.Classes = append(shares.Classes, c.Class)
		add(&shares, "share", c.Class, codes.Share, c.Share)
	}
	add(&told, "cost", "", codes.Cost, e.Cost)
	out := []finding.Finding{told}
	if e.Shifted {
		out = append([]finding.Finding{shares}, out...)
	}
	return out
}

// Labels says what the labels that came say of what was estimated: each figure, as expected and as found, is in the
// interval that was estimated, or not.
func Labels(where finding.Where, all []Promise) []finding.Finding {
	kept, missed := finding.New(codes.EstimateKept, where), finding.New(codes.EstimateMissed, where)
	for i := range all {
		p := &all[i]
		if p.ExpectedInterval == nil {
			continue
		}
		to := &kept
		if p.Found < p.ExpectedInterval[0] || p.Found > p.ExpectedInterval[1] {
			to = &missed
		}
		to.Figures = append(
			to.Figures,
			finding.Figure{
				Name:     p.Figure + "_expected",
				Class:    p.Class,
				Value:    p.Expected,
				Unit:     codes.Share,
				Interval: p.ExpectedInterval,
			},
			finding.Figure{
				Name:     p.Figure + "_found",
				Class:    p.Class,
				Value:    p.Found,
				Unit:     codes.Share,
				Interval: p.FoundInterval,
			},
		)
	}
	var out []finding.Finding
	for _, f := range []finding.Finding{missed, kept} {
		if f.Figures != nil {
			out = append(out, f)
		}
	}
	return out
}
