package view

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
)

// WithheldTable shows of each class how many rows are withheld, and what that makes of its recall; it has no rows
// where none are.
func WithheldTable(w *abstain.WithheldInfo, unit string) *layout.Grid {
	g := &layout.Grid{Head: []string{"class", unit, predictions.Undecided, "of the class", "recall of the decided",
		"recall of all"}}
	if w == nil || w.Rows == 0 {
		return g
	}
	if w.Close > 0 {
		g.Head = append(g.Head, "if people are right")
	}
	for _, c := range w.Classes {
		part := "n/a"
		if c.Rows > 0 {
			part = english.Percent(c.Undecided/c.Rows, 1)
		}
		cells := []string{c.Class, layout.Rows(c.Rows), layout.Rows(c.Undecided), part, layout.PercentOr(c.Decided),
			layout.PercentOr(c.All)}
		if w.Close > 0 {
			cells = append(cells, layout.PercentOr(c.Helped))
		}
		g.Add(cells...)
	}
	return g
}

// showWithheld puts that first among the tables of a page, if there are such rows.
func showWithheld(w *abstain.WithheldInfo, page *report.Report, weighed bool) {
	if held := WithheldTable(w, tables.Unit(weighed)); len(held.Rows) > 0 {
		page.Tables = append([]report.Table{titled(held, "Rows that are left undecided")}, page.Tables...)
	}
}

// withheldWords says how many rows are withheld, and of which rows the figures are.
func withheldWords(w *abstain.WithheldInfo, weighed bool) []string {
	switch {
	case w == nil:
		return nil
	case w.Close > 0 && w.Close < w.Rows:
		return append(withheldWords(lackingOnly(w), weighed), closeWords(w, weighed)...)
	case w.Close > 0:
		return append(closeWords(w, weighed), "Figures are of the other rows"+w.Also+"; alarms per 1,000 rows are of all.")
	case w.Rows == 0 && w.Only:
		return []string{fmt.Sprintf("No row%s is left undecided.", w.Among)}
	case w.Rows == 0:
		return []string{fmt.Sprintf("No row%s is left undecided: none lacks most of what the model decides by.",
			w.Among)}
	}
	return []string{fmt.Sprintf("%s%s %s most of what the model decides by, above all %s, and %s left undecided. "+
		"Figures are of the other rows%s; alarms per 1,000 rows are of all.",
		weighedText(w.Rows, weighed), w.Among, english.Verb(layout.Rows(w.Rows), "lacks", "lack"), w.Above,
		english.Verb(layout.Rows(w.Rows), "is", "are"), w.Also)}
}

// withheldWords are those of what was judged, whose first figures may be of all rows.
func (r *result) withheldWords(weighed bool) []string {
	if w := r.reviewed(); w != nil {
		return append(closeWords(w, weighed), "Further tables, and charts, are of the other rows.")
	}
	return withheldWords(r.goal.Withheld, weighed)
}

// lackingOnly is what is told of the rows that are undecided for what they lack.
func lackingOnly(w *abstain.WithheldInfo) *abstain.WithheldInfo {
	other := *w
	other.Rows, other.Close = w.Rows-w.Close, 0
	return &other
}

// closeWords say how many rows are left to people as they are close.
func closeWords(w *abstain.WithheldInfo, weighed bool) []string {
	return []string{fmt.Sprintf("%s%s %s close, and left to people.", weighedText(w.Close, weighed), w.Among,
		english.Verb(layout.Rows(w.Close), "is", "are"))}
}

// reviewFindings say how many rows are left to people, and what is found with them of the class that matters most.
func reviewFindings(w *abstain.WithheldInfo, of *Goal, where finding.Where) []finding.Finding {
	if w == nil || w.Close == 0 {
		return nil
	}
	name, helped := "", (*float64)(nil)
	if matter := of.Matter(); len(matter) > 0 {
		name, helped = of.Classes[matter[0]], w.Classes[matter[0]].Helped
	}
	return []finding.Finding{assess.Review(where, w.Share()*w.Close/w.Rows, name, helped)}
}

// reviewed are the rows that are left to people, if figures can be of all rows: of two classes, and where nothing is
// required of recall or precision, whose limits are of the decided rows; else nil.
func (r *result) reviewed() *abstain.WithheldInfo {
	w := r.goal.Withheld
	if w == nil || w.Rows == 0 || w.Close < w.Rows || len(r.goal.Classes) != 2 || r.Subject.Report.Blocks != nil ||
		slices.ContainsFunc(r.goal.required(), func(f pragma.Floor) bool { return f.What != pragma.Alerts || !f.OfAll() }) {
		return nil
	}
	return w
}

// common is how common class c is.
func (r *result) common(c int) float64 {
	if w := r.reviewed(); w != nil {
		return w.Plain.True(c) / w.Plain.Total()
	}
	classes := r.Subject.Report.Rules.Tuned.Classes
	return classes[r.goal.Classes[c]].Support / eval.Weight(classes)
}

// costWithPeople adds what all rows cost if people are right, and tells whether it can be told.
func (r *result) costWithPeople(g *layout.Grid) bool {
	w, costs := r.reviewed(), r.goal.Loss.Costs
	if w == nil || r.goal.Loss.Name != "cost" || costs.Amounts() {
		return false
	}
	all, least := w.Plain.Total(), math.Inf(1)
	for _, cost := range costs.Always(w.Plain) {
		least = min(least, cost/all)
	}
	label, show := lossUnit("cost", false)
	texts := show(assess.Loss(&r.Subject.Report.Rules.Tuned)*w.Decided()+r.goal.Review.Cost*w.Share(),
		costs.Total(w.Plain)/all, least)
	g.Add(label+" with people", texts[0], "", texts[1], "no model "+texts[2])
	return true
}

// undecided says why rows are left undecided, and how many people are to have at most.
func (r *result) undecided() string {
	w, most := r.goal.Withheld, r.goal.Review.Share
	if most > 0 && w.Close == w.Rows {
		limit, over := layout.PerThousand(most)[0], 1-w.Decided()-most
		if over > 0 {
			return fmt.Sprintf("limit %s: over by %s", limit, english.Significant(1000*over, 2))
		}
		return fmt.Sprintf("limit %s: kept", limit)
	}
	switch w.Close {
	case w.Rows:
		return "they are close, and left to people"
	case 0:
		return "they lack most of what decides"
	}
	return "they are close, or lack most of what decides"
}
