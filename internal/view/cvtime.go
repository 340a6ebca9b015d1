package view

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/say"
)

// blockWords says which rows are judged by which, and unless that has been said of which figures are.
func (job *CVJob) blockWords(said bool) []string {
	if job.Blocks == nil {
		return nil
	}
	first, last := job.Blocks[0], job.Blocks[len(job.Blocks)-1]
	never := len(first.Rows)
	text := fmt.Sprintf("Later rows are judged by earlier ones: %s of %s, each by a model of the rows before its block "+
		"alone. The first %s, of %s, %s not judged.",
		english.Plural(job.Frame.Rows()-never, "row"), span(job.Blocks[1].From, last.To), english.Plural(never, "row"),
		span(first.From, first.To), english.Verb(never, "is", "are"))
	if latest := job.latestWords(); !said && latest != "" {
		text += " " + latest
	}
	return []string{text}
}

// latestWords say of which block figures are, and which to quote; "" where there are not several.
func (job *CVJob) latestWords() string {
	if len(job.Blocks) < 3 {
		return ""
	}
	last := job.Blocks[len(job.Blocks)-1]
	return fmt.Sprintf("Figures that name no block are of the latest, %s of %s.",
		english.Plural(len(last.Rows), "row"), span(last.From, last.To))
}

// blockTable shows what becomes of the classes that matter most in each block; no lines without blocks.
func (job *CVJob) blockTable(report *eval.Report) *layout.Grid {
	g := &layout.Grid{Left: 1}
	if job.Blocks == nil {
		return g
	}
	classes := job.InBlocks(report)
	g.Head = []string{timeHead(job.Frame.Time.Name, report.Blocks), "class", "before", tables.Unit(report.Weighed),
		"of the class", "expected", "alarms per 1,000", "recall " + job.Goal.ruleName(), "precision " + job.Goal.ruleName()}
	for _, b := range Timed(report) {
		from := b.From
		if b.Fold == 0 {
			from = Together
		}
		for _, name := range classes {
			class, alarms := b.Classes[name], "n/a"
			if share, ok := b.Decided.Alerts(slices.Index(job.Frame.Classes, name)); ok {
				alarms = layout.PerThousand(share * job.Withheld.DecidedIn(&b))[0]
			}
			g.Add(from, name, layout.Count(b.Before), layout.Count(b.Rows), layout.Rows(class.Support),
				english.About(b.Expected[name].Value),
				job.broken(b, name, pragma.Alerts)+alarms, job.broken(b, name, pragma.RecallFloor)+layout.Within(class.Recall,
					class.RecallInterval, 0), job.broken(b, name, pragma.PrecisionFloor)+layout.Within(class.Precision,
					class.PrecisionInterval, 0))
		}
	}
	if len(classes) == 1 {
		g.Head[4] = fmt.Sprintf("of %.32q", classes[0])
		g.Left = 0
		g.Drop(1)
	}
	return g
}

// broken marks a figure of a block that is not what is required of it.
func (job *CVJob) broken(b eval.Block, class string, what pragma.Figure) string {
	if slices.ContainsFunc(job.Fit.Search.Floors, func(f pragma.Floor) bool {
		return f.OfAll() && f.What == what && job.Frame.Classes[f.Class] == class && b.Decided != nil &&
			f.Missing(f.Of(b.Decided, job.Withheld.DecidedIn(&b))) > 0
	}) {
		return "not kept, "
	}
	return ""
}

// InBlocks returns the classes that are told of by block, as [shownClasses] does: of those that have rows in a
// block, though none in the latest.
func (job *CVJob) InBlocks(report *eval.Report) []string {
	judged := map[string]eval.Judged{}
	for c, name := range job.Goal.Classes {
		if len(job.Goal.Classes) == 2 && c != pragma.MattersMore(job.Goal.order(), job.Goal.Prefs) {
			continue
		}
		if slices.ContainsFunc(report.Blocks, func(b eval.Block) bool { return b.Classes[name].Support > 0 }) {
			judged[name] = eval.Judged{}
		}
	}
	return shownClasses(job.Goal.Classes, job.Goal.Prefs, judged)
}

// listTable shows what the lists are worth in each block; no lines without them.
func (job *CVJob) listTable(report *eval.Report) *layout.Grid {
	g := &layout.Grid{Head: []string{"", "list", tables.Unit(report.Weighed), "of all", "expected", "precision", "recall",
		"lift"}, Left: 1}
	for i, b := range report.Blocks {
		if i == 0 {
			g.Head[0] = timeHead(job.Frame.Time.Name, report.Blocks)
		}
		for _, l := range b.Top {
			g.Add(b.From, fmt.Sprintf("likeliest to be %q", l.Class), layout.Rows(l.Rows), english.Percent(l.Share, 1),
				english.About(*l.Expected), layout.Within(l.Precision, l.PrecisionInterval, 0), layout.Within(l.Recall,
					l.RecallInterval, 0),
				layout.Lift(l.Lift))
		}
	}
	return g
}

// ways says how the figures of other choices were found, and in the order of time why they are not what is asked for.
func (job *CVJob) ways(report *eval.Report) string {
	if job.Blocks != nil {
		return "by " + judgedRows(report)
	}
	return "by the same folds"
}

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
	classes, matter, all := job.Frame.Classes, job.Goal.Matter(), assess.SpentOn(report)
	kept := (&assess.Subject{Goal: job.Goal.pragmaGoal()}).AlikeKept(&report.Rules.Tuned)
	if len(kept) == 0 {
		kept = classes
	}
	as := all.Cheapest(kept)
	g.Head = []string{timeHead(job.Frame.Time.Name, report.Blocks), tables.Unit(report.Weighed), "cost per 1,000 rows"}
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
				figures = append(figures, 1000*of(in)/in.Rows)
			}
		}
	}
	for i, text := range english.Sums(figures...) {
		g.Rows[i/len(columns)] = append(g.Rows[i/len(columns)], text)
	}
	return g
}
