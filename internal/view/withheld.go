package view

import (
	"fmt"

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
	for _, c := range w.Classes {
		part := "n/a"
		if c.Rows > 0 {
			part = english.Percent(c.Undecided/c.Rows, 1)
		}
		g.Add(c.Class, layout.Rows(c.Rows), layout.Rows(c.Undecided), part, layout.PercentOr(c.Decided),
			layout.PercentOr(c.All))
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
	case w.Rows == 0:
		return []string{fmt.Sprintf("No row%s is left undecided: none lacks most of what the model decides by.",
			w.Among)}
	}
	return []string{fmt.Sprintf("%s%s %s most of what the model decides by, above all %s, and %s left undecided. "+
		"Figures are of the other rows%s; alarms in 10,000 rows are of all.",
		weighedText(w.Rows, weighed), w.Among, english.Verb(layout.Rows(w.Rows), "lacks", "lack"), w.Above,
		english.Verb(layout.Rows(w.Rows), "is", "are"), w.Also)}
}
