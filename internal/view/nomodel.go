package view

import (
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/say"
)

// allAs says that all rows are decided as a class: of two that none is as the one that matters more.
func allAs(classes []string, matter []int, name string) string {
	v := say.Voice{Classes: classes}
	if len(matter) > 0 {
		v.First = classes[matter[0]]
	}
	return v.AllAs(name)
}

// toldAlike are the classes as which all rows might be decided: of two both, and first that which leaves none as the
// one that matters more; of others the cheapest of those that keep what is required.
func toldAlike(s *assess.Spent, classes, kept []string, matter []int) []string {
	switch {
	case len(classes) > 2:
		return []string{s.Cheapest(kept)}
	case len(matter) > 0 && matter[0] == 0:
		return []string{classes[1], classes[0]}
	}
	return classes
}

// moneyByTime sets what a row costs in each block beside what it costs to decide all rows alike; no lines without
// costs, and where not several blocks are judged.
func (job *CVJob) moneyByTime(report *eval.Report) *layout.Grid {
	g := &layout.Grid{}
	if report.Together == nil || report.Together.Cost == nil {
		return g
	}
	classes, matter, all := job.Frame.Classes, job.Aim.Matter(), assess.SpentOn(report)
	kept := (&assess.Subject{Goal: job.Aim.goal()}).AlikeKept(&report.Rules.Tuned)
	if len(kept) == 0 {
		kept = classes
	}
	as := all.Cheapest(kept)
	g.Head = []string{timeHead(job.Frame.Time.Name, report.Blocks), tables.Unit(report.Weighed), "cost of a row"}
	columns := []func(*assess.Spent) float64{func(s *assess.Spent) float64 { return s.Tuned }}
	for _, name := range toldAlike(all, classes, kept, matter) {
		g.Head = append(g.Head, allAs(classes, matter, name))
		columns = append(columns, func(s *assess.Spent) float64 { return s.Always[name] })
	}
	g.Head = append(g.Head, "saved beside "+allAs(classes, matter, as))
	columns = append(columns, func(s *assess.Spent) float64 { return s.Always[as] - s.Tuned })
	var figures []float64
	for _, b := range Timed(report) {
		from, in := b.From, assess.SpentIn(&b)
		if b.Fold == 0 {
			from = Together
		}
		if in.Rows > 0 {
			g.Add(from, layout.Rows(in.Rows))
			for _, of := range columns {
				figures = append(figures, of(in)/in.Rows)
			}
		}
	}
	for i, text := range english.Sums(figures...) {
		g.Rows[i/len(columns)] = append(g.Rows[i/len(columns)], text)
	}
	return g
}
