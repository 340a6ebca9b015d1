package main

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// muchUnused is the part of the alarms that a limit allows of which it is told that they are not raised.
const muchUnused = 0.25

// fullLists are lists that have all alarms that limits allow.
func fullLists(floors []pragma.Floor) []eval.TopList {
	var lists []eval.TopList
	for _, f := range floors {
		if f.What == pragma.Alerts && f.Limit > 0 && f.Limit <= 1 {
			lists = append(lists, eval.TopList{Class: f.Class, Share: f.Limit})
		}
	}
	return lists
}

// setApart takes the lists behind the first n out of a report: those that nobody asked for. In the order of time they are those of all judged blocks together.
func setApart(report *eval.Report, n int) (full []eval.TopListFigures) {
	first := func(lists []eval.TopListFigures) []eval.TopListFigures {
		if n == 0 {
			return nil
		}
		return lists[:n]
	}
	if len(report.Top) > n {
		full, report.Top = report.Top[n:], first(report.Top)
	}
	if report.Together != nil {
		full = slices.Clone(full)
		for i := range full {
			of := report.Together.Classes[full[i].Class].Support
			full[i].Rows, full[i].Hits = 0, 0
			for _, b := range judgedIn(report) {
				if n+i >= len(b.Top) {
					return nil
				}
				full[i].Rows, full[i].Hits = full[i].Rows+b.Top[n+i].Rows, full[i].Hits+b.Top[n+i].Hits
			}
			precision, recall := full[i].Hits/full[i].Rows, full[i].Hits/of
			full[i].Precision, full[i].Recall = &precision, &recall
		}
	}
	for i := range report.Blocks {
		if b := &report.Blocks[i]; len(b.Top) > n {
			b.Top = first(b.Top)
		}
	}
	return full
}

// muchLeft tells whether a good part of the alarms that a limit allows for so many rows is not raised.
func muchLeft(f pragma.Floor, raised, rows float64) bool {
	return f.What == pragma.Alerts && f.Limit*rows >= english.Few && raised <= (1-muchUnused)*f.Limit*rows
}

// unusedWords says so, and which list of that length has them all.
func unusedWords(f pragma.Floor, classes []string, raised, rows float64, length string) string {
	return fmt.Sprintf("Of the %s that %s allows %s %s raised. To use them all look into the likeliest rows: predict %s.", english.Plural(about(f.Limit*rows), "alarm"), f.Text(classes),
		about(raised), english.Verb(about(raised), "is", "are"), csvtext.Flag("top", classes[f.Class]+"="+length, "CLASS=N"))
}

// unused says that a good part of the alarms that a limit allows is not raised, and what the list is worth that has as many; nothing where little is.
func (v *verdict) unused(f pragma.Floor, share float64) []string {
	if !muchLeft(f, share*v.all(), v.all()) {
		return nil
	}
	name := v.classes[f.Class]
	if slices.ContainsFunc(v.report.Top, func(l eval.TopListFigures) bool { return l.Class == name }) { // whoever looks into a list has one
		return nil
	}
	text := unusedWords(f, v.classes, share*v.all(), v.all(), fmt.Sprintf("%.3g%%", 100*f.Limit))
	at := slices.IndexFunc(v.full, func(l eval.TopListFigures) bool { return l.Class == name && l.Recall != nil })
	if at < 0 {
		return []string{text}
	}
	l := &v.full[at]
	it := "It"
	if v.report.Together != nil {
		it = fmt.Sprintf("On rows of the %d blocks together it", len(judgedIn(v.report)))
	}
	text += fmt.Sprintf(" %s would find %s of 100 rows of %q, with %s of 100 alarms right",
		it, ofHundred(*l.Recall), name, ofHundred(*l.Precision))
	cost, now, known := v.costOf(f.Class, l)
	sums := english.Sums(cost, now, max(cost-now, now-cost))
	switch {
	case !known:
		text += "."
	case cost >= now:
		text += fmt.Sprintf(", but save nothing: all rows would cost %s, not %s.", sums[0], sums[1])
	default:
		text += fmt.Sprintf(", and save %s: all rows would cost %s, not %s.", sums[2], sums[0], sums[1])
	}
	return []string{text}
}

// listCost says what all rows cost where those of a list are decided as its class and no others, by costs of two classes; "" where that is not known, as of the latest of several blocks alone.
func (v *verdict) listCost(l *eval.TopListFigures) string {
	cost, now, known := v.costOf(slices.Index(v.classes, l.Class), l)
	if !known || v.report.Together != nil {
		return ""
	}
	sums := english.Sums(cost, now)
	return fmt.Sprintf(" With these alone decided as %q all rows would cost %s, by the model %s.", l.Class, sums[0], sums[1])
}

// costOf returns what all rows cost where those of a list are decided as class c, of two, and no others, and what they cost now; not known without costs. In the order of time they are those of all judged blocks.
func (v *verdict) costOf(c int, l *eval.TopListFigures) (cost, now float64, known bool) {
	total, classes := v.report.Rules.Tuned.Cost, v.report.Rules.Tuned.Classes
	if of := v.report.Together; of != nil {
		total, classes = of.Cost, of.Classes
	}
	if len(v.classes) != 2 || v.costs.Matrix == nil || v.costs.Amounts() || total == nil {
		return 0, 0, false
	}
	m, of := vote.NewConfusion(v.classes), classes[l.Class].Support
	m.Add(c, c, l.Hits)
	m.Add(c, 1-c, max(0, of-l.Hits))
	m.Add(1-c, c, l.Rows-l.Hits)
	m.Add(1-c, 1-c, max(0, judgedWeight(&eval.Rule{Classes: classes})-of-(l.Rows-l.Hits)))
	return v.costs.Total(m), *total, true
}
