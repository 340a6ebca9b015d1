package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/tables"
)

// allAs says that all rows are decided as a class: of two that none is as the one that matters more.
func allAs(classes []string, matter []int, name string) string {
	return (&verdict{classes: classes, matter: matter}).voice().AllAs(name)
}

// toldAlike are the classes as which all rows might be decided: of two both, and first that which leaves none as the one that matters more; of others the cheapest of those that keep what is required.
func toldAlike(s *assess.Spent, classes, kept []string, matter []int) []string {
	switch {
	case len(classes) > 2:
		return []string{s.Cheapest(kept)}
	case len(matter) > 0 && matter[0] == 0:
		return []string{classes[1], classes[0]}
	}
	return classes
}

// onAll names the rows that sums of costs are of.
func (v *verdict) onAll() string {
	where := v.subject().Where()
	if v.report.Together != nil {
		where = finding.Where{Rows: codes.AllBlocks, Blocks: len(v.report.Blocks) - 1}
	}
	return v.voice().OnAll(where)
}

// waste says that it is better to decide all rows alike than as the model does.
func (v *verdict) waste() []string {
	f := assess.Constant(v.subject())
	if f == nil || f.Code != codes.ConstantBetter {
		return nil
	}
	line := v.voice().Short(f)
	if _, ok := f.Figure("constant_cost"); ok {
		line += v.hangOn(f.Classes[0]) + v.latestSpent(false) + v.laterCostText()
	}
	return []string{line}
}

// alone goes on with the least loss of new rows that are all decided alike, by another measure than costs; "" where that is told already, as the model loses more.
func (v *verdict) alone() string {
	f := assess.Constant(v.subject())
	if f == nil || f.Code != codes.ConstantWorse || v.rows != newRows || v.had != nil {
		return ""
	}
	if _, ok := f.Figure("constant_loss"); !ok {
		return ""
	}
	return " " + v.voice().Short(f)
}

// saves sets what the model costs beside what it costs to decide all rows alike, where that is no less; nil without costs.
func (v *verdict) saves() []string {
	s, kept := assess.SpentOn(v.report), v.subject().AlikeKept(&v.report.Rules.Tuned)
	if s == nil || len(kept) == 0 || s.Wasted(kept) {
		return nil
	}
	as, told := s.Cheapest(kept), toldAlike(s, v.classes, kept, v.matter)
	values := []float64{s.Tuned, s.Always[as] - s.Tuned}
	for _, name := range told {
		values = append(values, s.Always[name])
	}
	sums, texts := english.Sums(values...), []string(nil)
	for i, name := range told {
		if texts = append(texts, allAs(v.classes, v.matter, name)+" "+sums[2+i]); !slices.Contains(kept, name) {
			texts[i] += " (which breaks what you require)"
		}
	}
	saved := "nothing"
	if values[1] > 0 {
		saved = sums[1] + ", " + v.savedText(s, as)
	}
	cheapest := ""
	if len(v.classes) > 2 {
		cheapest = ", the cheapest without a model"
	}
	return []string{fmt.Sprintf("On %s the model costs %s, to decide %s%s: it saves %s.", v.onAll(), sums[0], strings.Join(texts, ", "), cheapest, saved) + v.hangOn(as) + v.latestSpent(true) + v.laterCostText()}
}

// savedText says what is saved on a row beside deciding all as a class, and in which range that is in single blocks.
func (v *verdict) savedText(s *assess.Spent, as string) string {
	each := []float64{s.Saved(as), s.Tuned / s.Rows, s.Always[as] / s.Rows} // with as many decimals as these take
	if v.report.Together == nil {
		return english.Sums(each...)[0] + " a row"
	}
	var blocks []float64
	for i := range v.report.Blocks[1:] {
		if in := assess.SpentIn(&v.report.Blocks[1+i]); in != nil && in.Rows > 0 {
			blocks = append(blocks, in.Saved(as))
		}
	}
	texts := english.Sums(append([]float64{slices.Min(blocks), slices.Max(blocks)}, each...)...)
	return fmt.Sprintf("%s a row, in single blocks %s to %s", texts[2], texts[0], texts[1])
}

// hangOn is hang of deciding all rows as a class; "" where the sums are of more rows than there are votes of.
func (v *verdict) hangOn(as string) string {
	if v.report.Together != nil {
		return ""
	}
	decision := slices.Index(v.classes, as)
	return v.hang(func([]uint32) int { return decision })
}

// latestSpent goes on with what the latest block alone costs, where that tells otherwise than the blocks together whether the model saves.
func (v *verdict) latestSpent(saves bool) string {
	here := assess.SpentHere(v.report)
	kept := v.subject().AlikeKept(&v.report.Rules.Tuned)
	if v.report.Together == nil || here == nil || here.Wasted(kept) != saves {
		return ""
	}
	as := here.Cheapest(kept)
	sums := english.Sums(here.Always[as], here.Tuned)
	if saves {
		return fmt.Sprintf(" In the latest block alone it costs less to decide %s, %s, than to use the model, %s.", allAs(v.classes, v.matter, as), sums[0], sums[1])
	}
	return fmt.Sprintf(" In the latest block alone the model costs less, %s, than to decide %s, %s.", sums[1], allAs(v.classes, v.matter, as), sums[0])
}

// moneyByTime sets what a row costs in each block beside what it costs to decide all rows alike; no lines without costs, and where not several blocks are judged.
func (job *cvJob) moneyByTime(report *eval.Report) *grid {
	g := &grid{}
	if report.Together == nil || report.Together.Cost == nil {
		return g
	}
	classes, matter, all := job.frame.Classes, job.aim.matter(), assess.SpentOn(report)
	kept := (&assess.Subject{Goal: job.aim.goal()}).AlikeKept(&report.Rules.Tuned)
	if len(kept) == 0 {
		kept = classes
	}
	as := all.Cheapest(kept)
	g.head = []string{timeHead(job.frame.Time.Name, report.Blocks), tables.Unit(report.Weighed), "cost of a row"}
	columns := []func(*assess.Spent) float64{func(s *assess.Spent) float64 { return s.Tuned }}
	for _, name := range toldAlike(all, classes, kept, matter) {
		g.head = append(g.head, allAs(classes, matter, name))
		columns = append(columns, func(s *assess.Spent) float64 { return s.Always[name] })
	}
	g.head = append(g.head, "saved beside "+allAs(classes, matter, as))
	columns = append(columns, func(s *assess.Spent) float64 { return s.Always[as] - s.Tuned })
	var figures []float64
	for _, b := range timed(report) {
		from, in := b.From, assess.SpentIn(&b)
		if b.Fold == 0 {
			from = together
		}
		if in.Rows > 0 {
			g.add(from, rowsText(in.Rows))
			for _, of := range columns {
				figures = append(figures, of(in)/in.Rows)
			}
		}
	}
	for i, text := range english.Sums(figures...) {
		g.rows[i/len(columns)] = append(g.rows[i/len(columns)], text)
	}
	return g
}
