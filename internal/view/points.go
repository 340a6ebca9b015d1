package view

import (
	"fmt"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/tradeoff"
)

type (
	// Alternative is a choice beside the one that was made.
	Alternative = tradeoff.Point
	// LostRecall is what a choice loses of another class.
	LostRecall = tradeoff.LostRecall
	// LimitCost is what a limit of alarms costs.
	LimitCost = tradeoff.LimitCost
	// Tried is what became of the rows where something else was asked for.
	Tried = tradeoff.Tried
)

// AlternativeTable shows them.
func AlternativeTable(others []Alternative, of *Goal) *layout.Grid {
	// what is to be typed is not cut
	g := &layout.Grid{Head: []string{"recall", "precision", "alarms per 1,000", "loss", "to ask for it add"}, Left: -1}
	show := english.Amounts
	if of.Loss.Name == "cost" {
		g.Head[3], show = lossUnit("cost", of.Loss.Costs.Amounts())
	}
	if len(of.Floors) > 0 {
		g.Head[4] = "to ask for it write"
	}
	var losses []float64
	for _, o := range others {
		losses = append(losses, o.Loss)
	}
	shown := show(losses...)
	for i, o := range others {
		flags := of.Typed.point(&o)
		for j, text := range flags { // each on a line of its own, as lines are no wider than a terminal
			cells := []string{layout.Within(&o.Recall, o.RecallInterval, 0), layout.Within(&o.Precision, o.PrecisionInterval, 0),
				layout.PerThousand(o.Alerts)[0], shown[i]}
			if j > 0 {
				cells = make([]string, 4)
			}
			g.Add(append(cells, text)...)
		}
	}
	return g
}

// AlternativeWords introduce the table, beside what is required, and say how the figures were found.
func AlternativeWords(others []Alternative, of *Goal, how string) []string {
	if others == nil {
		return nil
	}
	last, loses := others[len(others)-1], ""
	if o := last.Loses; o != nil {
		by := "the last"
		if len(others) == 1 {
			by = "it"
		}
		loses = fmt.Sprintf("; by %s the recall of %q goes from %s to about %s", by, o.Class, english.Percent(o.Now, 1),
			english.Percent(o.Recall, 1))
	}
	text := fmt.Sprintf("Other choices for %q, and what to expect of each on new rows (%s%s):", last.Class, how, loses)
	if floors := of.required(); last.Instead {
		keeps := func(o Alternative) bool { return o.RecallInterval[0] >= floors[0].Limit }
		by, also := "estimate", ""
		switch {
		case keeps(others[0]):
			by = "whole range"
		case keeps(last):
			also = ", and so that its whole range does"
		}
		text = fmt.Sprintf("What to ask for so that the %s for new rows keeps %s%s (%s%s):", by, english.First(of.Floors),
			also, how,
			loses)
	}
	return []string{text}
}
