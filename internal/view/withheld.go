package view

import (
	"fmt"

	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/tables"
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
