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
				f.Figures = append(f.Figures, shareOf(c.Class, "alerts", c.Alerts, nil))
			}
		}
		return []finding.Finding{f}
	}
	told, shares := finding.New(codes.EstimateFigures, where), finding.New(codes.EstimateShares, where)
	add := func(to *finding.Finding, class, name string, of *eval.Forecast) {
		if of != nil {
			interval := of.Interval
			to.Figures = append(to.Figures, shareOf(class, name, of.Value, &interval))
		}
	}
	for i := range e.Classes {
		c := &e.Classes[i]
		if !slices.Contains(classes, c.Class) {
			continue
		}
		told.Classes = append(told.Classes, c.Class)
		add(&told, c.Class, "recall", c.Recall)
		add(&told, c.Class, "precision", c.Precision)
		told.Figures = append(told.Figures, shareOf(c.Class, "alerts", c.Alerts, nil))
		shares.Classes = append(shares.Classes, c.Class)
		add(&shares, c.Class, "share", c.Share)
	}
	if cost := e.Cost; cost != nil {
		interval := cost.Interval
		told.Figures = append(told.Figures, finding.Figure{Name: "cost", Value: cost.Value, Unit: codes.Cost,
			Interval: &interval})
	}
	if e.Shifted {
		return []finding.Finding{shares, told}
	}
	return []finding.Finding{told}
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
		to.Figures = append(to.Figures, shareOf(p.Class, p.Figure+"_expected", p.Expected, p.ExpectedInterval),
			shareOf(p.Class, p.Figure+"_found", p.Found, p.FoundInterval))
	}
	var out []finding.Finding
	for _, f := range []finding.Finding{missed, kept} {
		if f.Figures != nil {
			out = append(out, f)
		}
	}
	return out
}
