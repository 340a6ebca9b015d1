package main

import (
	"fmt"

	"github.com/rfpragma/rfpragma/internal/english"
)

// alternativeTable shows them.
func alternativeTable(others []alternative, of *aim) *grid {
	g := &grid{head: []string{"recall", "precision", "alarms in 10,000", "loss", "to ask for it add"}, left: -1} // what is to be typed is not cut
	if of.loss.costs.Matrix != nil {
		g.head[3] = "all rows cost"
	}
	if len(of.floors) > 0 {
		g.head[4] = "to ask for it write"
	}
	losses := lossesOf(others)
	for i, o := range others {
		flags := flagsOf(&o)
		for j, text := range flags { // each on a line of its own, as lines are no wider than a terminal
			cells := []string{within(&o.Recall, o.RecallInterval, 0), within(&o.Precision, o.PrecisionInterval, 0), english.InTenThousand(o.Alerts), losses[i]}
			if j > 0 {
				cells = make([]string, 4)
			}
			g.add(append(cells, text)...)
		}
	}
	return g
}

// lossesOf shows what they lose: of costs that of all rows.
func lossesOf(others []alternative) []string {
	var costs, losses []float64
	for _, o := range others {
		if losses = append(losses, o.Loss); o.Cost != nil {
			costs = append(costs, *o.Cost)
		}
	}
	switch {
	case costs != nil:
		return english.Sums(costs...)
	case losses != nil:
		return english.Amounts(losses...)
	}
	return nil
}

// alternativeWords introduce the table, beside what is required, and say how the figures were found.
func alternativeWords(others []alternative, of *aim, how string) []string {
	if others == nil {
		return nil
	}
	last, loses := others[len(others)-1], ""
	if o := last.Loses; o != nil {
		by := "the last"
		if len(others) == 1 {
			by = "it"
		}
		loses = fmt.Sprintf("; by %s the recall of %q goes from %s to about %s", by, o.Class, percent(o.Now), percent(o.Recall))
	}
	text := fmt.Sprintf("Other choices for %q, and what to expect of each on new rows (%s%s):", last.Class, how, loses)
	if floors := of.required(); last.Instead {
		keeps := func(o alternative) bool { return o.RecallInterval[0] >= floors[0].Limit }
		by, also := "estimate", ""
		switch {
		case keeps(others[0]):
			by = "whole range"
		case keeps(last):
			also = ", and so that its whole range does"
		}
		text = fmt.Sprintf("What to ask for so that the %s for new rows keeps %s%s (%s%s):", by, few(of.floors), also, how, loses)
	}
	return []string{text}
}
