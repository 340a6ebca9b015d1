package view

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/tables"
)

// listTexts are lists as they were asked for.
func listTexts(classes []string, lists []eval.TopList) []string {
	var out []string
	for _, l := range lists {
		out = append(out, listText(classes[l.Class], l))
	}
	return out
}

// listText shows a list of a class as it was asked for.
func listText(class string, l eval.TopList) string {
	if l.Share > 0 {
		return class + "=" + layout.TypedPercent(l.Share) + "%"
	}
	return class + "=" + layout.Count(l.Rows)
}

// topTable shows what lists are worth, beside what the weights decide as the class.
func topTable(report *eval.Report) *layout.Grid {
	g := &layout.Grid{Head: []string{"list", tables.Unit(report.Weighed), "of all", "precision", "recall", "lift"}}
	for i, l := range report.Top {
		g.Add(fmt.Sprintf("likeliest to be %q%s", l.Class, listsWords(l, ", %s")), layout.Rows(l.Rows),
			english.Percent(l.Share, 1),
			layout.Within(l.Precision, l.PrecisionInterval, 0), layout.Within(l.Recall, l.RecallInterval, 0),
			layout.Lift(l.Lift))
		if slices.ContainsFunc(report.Top[i+1:], func(o eval.TopListFigures) bool { return o.Class == l.Class }) {
			continue
		}
		all := l.Rows / l.Share
		tuned := report.Rules.Tuned.Classes[l.Class]
		var lift *float64
		if tuned.Precision != nil && tuned.Support > 0 {
			times := *tuned.Precision / (tuned.Support / all)
			lift = &times
		}
		g.Add(fmt.Sprintf("decided as %q", l.Class), layout.Rows(tuned.Predicted), english.Percent(tuned.Predicted/all, 1),
			layout.Within(tuned.Precision, tuned.PrecisionInterval, 0), layout.Within(tuned.Recall, tuned.RecallInterval, 0),
			layout.Lift(lift))
	}
	return g
}

// listsWords says in that form how many lists there are, if several were asked for.
func listsWords(l eval.TopListFigures, form string) string {
	if l.Lists == 0 {
		return ""
	}
	return fmt.Sprintf(form, english.Plural(l.Lists, "list"))
}

// weighedText shows a number of rows, or what they weigh.
func weighedText(rows float64, weighed bool) string {
	if weighed {
		return "rows of weight " + layout.Rows(rows)
	}
	return english.Plural(layout.Rows(rows), "row")
}
