package main

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
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
			cells := []string{within(&o.Recall, o.RecallInterval, 0), within(&o.Precision, o.PrecisionInterval, 0), inTenThousand(o.Alerts), losses[i]}
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

// betterWords say which of them loses the least, where that is less than the tuned weights do.
func betterWords(others []alternative, tuned *eval.Rule) []string {
	var best *alternative
	for i := range others {
		if o := &others[i]; o.Gain != nil && o.Gain.Loss < 0 && (best == nil || o.Gain.Loss < best.Gain.Loss) {
			best = o
		}
	}
	if best == nil {
		return nil
	}
	noise, beyond := sureErrors*best.Gain.StandardError, ""
	if best.Gain.Loss >= -noise {
		beyond = ", but not beyond noise"
	}
	losses, are := english.Amounts(best.Loss, best.Loss-best.Gain.Loss), "the loss is"
	if best.Cost != nil { // the loss is that of a row
		losses, are, noise = english.Sums(*best.Cost, *tuned.Cost), "all rows cost", noise*(*tuned.Cost/(best.Loss-best.Gain.Loss))
	}
	return []string{fmt.Sprintf("With %s weights do better here than the tuned ones%s: %s %s, not %s (two standard errors of the difference are %s).",
		strings.Join(flagsOf(best), " "), beyond, are, losses[0], losses[1], significant(noise, 2))}
}

// keptWords say which cross-validation belongs to a model of one of them.
func keptWords(others []alternative) []string {
	if others == nil {
		return nil
	}
	return []string{"If you take one, give its flags to cv, too, and keep that result (-o) for evaluate --expected."}
}

// askedWords tell, where a choice is not expected to keep what asks for it, how that comes.
func askedWords(others []alternative, classes []string) []string {
	for i := range others {
		o := &others[i]
		for _, text := range o.Require {
			f, err := pragma.ParseFloor(text, classes)
			if err != nil {
				continue
			}
			short := map[pragma.Figure]float64{pragma.RecallFloor: f.Limit - o.Recall, pragma.PrecisionFloor: f.Limit - o.Precision, pragma.Alerts: o.Alerts - f.Limit}
			if short[f.What] > 0 {
				return []string{"A limit is kept on the votes that the weights are tuned on. New rows may be a little beyond it, as the other figures say, and then are told to break it."}
			}
		}
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

// omittedWords say that there are no other choices for later rows, of which what is asked for on the rows before makes something else; where the latest rows are too few to try any they say that.
func (job *cvJob) omittedWords(report *eval.Report) []string {
	most := job.aim.most()
	if job.blocks == nil || len(most) != 1 || job.aim.loss.costs.Amounts() || len(job.tried) > 0 && job.tried[0].Instead {
		return nil
	}
	name := job.frame.Classes[most[0]]
	if rows := report.Rules.Tuned.Classes[name].Rows; rows < effective.FewRows {
		return []string{fmt.Sprintf("No other choices for %q are told: the latest block has %s of it, which is too few. With fewer --folds blocks have more.", name, english.Plural(about(rows), "row"))}
	}
	if len(job.tried) == 0 || len(job.others) > 0 {
		return nil
	}
	text := fmt.Sprintf("no other choice for %q is worth showing.", name)
	if len(job.aim.floors) > 0 {
		return []string{"Within what you require " + text}
	}
	return []string{english.Capital(text)}
}
