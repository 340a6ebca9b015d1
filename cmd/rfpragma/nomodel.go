package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// spent is what rows cost in all, by how they are decided: as the model does, or, which needs none, all alike.
type spent struct {
	tuned  float64
	always map[string]float64 // as this class, all of them
	rows   float64            // weight of the rows
}

// spentOn is what the judged rows cost, in the order of time those of all blocks together; nil without costs.
func spentOn(r *eval.Report) *spent {
	if r.Together != nil {
		return spentIn(r.Together)
	}
	return spentHere(r)
}

// spentHere is what the rows cost that figures are of which name no others: in the order of time those of the latest block.
func spentHere(r *eval.Report) *spent {
	if r.Always == nil || r.Rules.Tuned.Cost == nil {
		return nil
	}
	return &spent{*r.Rules.Tuned.Cost, r.Always, judgedWeight(&r.Rules.Tuned)}
}

// spentIn is what the rows of a block cost.
func spentIn(b *eval.Block) *spent {
	if b.Cost == nil {
		return nil
	}
	return &spent{*b.Cost, b.Always, judgedWeight(&eval.Rule{Classes: b.Classes})}
}

// cheapest is the class as which all rows are decided for the least.
func (s *spent) cheapest(classes []string) string {
	return slices.MinFunc(classes, func(a, b string) int { return cmp.Compare(s.always[a], s.always[b]) })
}

// wasted tells whether all rows can be decided as one of the classes for less than the model costs.
func (s *spent) wasted(classes []string) bool {
	return s != nil && s.always != nil && len(classes) > 0 && s.always[s.cheapest(classes)] < s.tuned
}

// saved is what the model saves on a row beside deciding all as a class.
func (s *spent) saved(as string) float64 { return (s.always[as] - s.tuned) / s.rows }

// alikeKept are the classes as which all rows of a rule can be decided so that floors are kept.
func alikeKept(classes []string, r *eval.Rule, floors []pragma.Floor) []string {
	m := confusionOf(classes, r.Confusion)
	return slices.DeleteFunc(slices.Clone(classes), func(name string) bool {
		all := decidedAs(slices.Index(classes, name), m)
		return slices.ContainsFunc(floors, func(f pragma.Floor) bool { return f.Missing(all) > 0 })
	})
}

// alikeKept are those of a rule that keep what is required.
func (v *verdict) alikeKept(r *eval.Rule) []string { return alikeKept(v.classes, r, v.floors) }

// allAs says that all rows are decided as a class: of two that none is as the one that matters more.
func allAs(classes []string, matter []int, name string) string {
	if len(classes) == 2 && len(matter) > 0 && name != classes[matter[0]] {
		return fmt.Sprintf("none as %q", classes[matter[0]])
	}
	return fmt.Sprintf("all as %q", name)
}

// toldAlike are the classes as which all rows might be decided: of two both, and first that which leaves none as the one that matters more; of others the cheapest of those that keep what is required.
func (s *spent) toldAlike(classes, kept []string, matter []int) []string {
	switch {
	case len(classes) > 2:
		return []string{s.cheapest(kept)}
	case len(matter) > 0 && matter[0] == 0:
		return []string{classes[1], classes[0]}
	}
	return classes
}

// onAll names the rows that [spentOn] is of.
func (v *verdict) onAll() string {
	rows := v.on()
	if v.report.Together != nil {
		rows = fmt.Sprintf("rows of the %d blocks together", len(v.report.Blocks)-1)
	}
	if v.whose != "" {
		rows += ", by " + v.whose + ","
	}
	return rows
}

// waste says that it is better to decide all rows alike than as the model does, where it is so by what was asked for: by costs at all, by another loss beyond noise. In the order of time costs are those of the blocks
// together.
func (v *verdict) waste() []string {
	s := spentOn(v.report)
	if s == nil {
		return v.wasteBeyondNoise()
	}
	kept := v.alikeKept(&v.report.Rules.Tuned)
	if !s.wasted(kept) {
		return nil
	}
	as := s.cheapest(kept)
	sums := english.Sums(s.always[as], s.tuned)
	return []string{fmt.Sprintf("On %s it costs less to decide %s, %s, than to use the model, %s.", v.onAll(), allAs(v.classes, v.matter, as), sums[0], sums[1]) + v.hangOn(as) + v.latestSpent(false) + v.laterCostText()}
}

// wasteBeyondNoise is waste by another loss than costs.
func (v *verdict) wasteBeyondNoise() []string {
	tuned := &v.report.Rules.Tuned
	interval, alike := cmp.Or(tuned.LossInterval, tuned.PragmaInterval), v.alike(confusionOf(v.classes, tuned.Confusion))
	if interval == nil || alike == nil {
		return nil
	}
	as := (&spent{always: alike}).cheapest(v.classes)
	if alike[as] >= interval[0] {
		return nil
	}
	if all := v.report.Together; all != nil && all.Decided != nil && v.alike(all.Decided)[as] >= v.asked.Loss(all.Decided) { // of one block that may be chance
		return nil
	}
	losses := english.Amounts(alike[as], v.loss(tuned))
	return []string{fmt.Sprintf("On %s by %s it is better to decide all as %q, a loss of %s, than to use the model, %s.", v.on(), v.by(), as, losses[0], losses[1])}
}

// alone goes on with the least loss of new rows that are all decided alike, by another measure than costs; "" where that is told already, as the model loses more.
func (v *verdict) alone() string {
	alike := v.alike(confusionOf(v.classes, v.report.Rules.Tuned.Confusion))
	if alike == nil || v.rows != newRows || v.had != nil || v.waste() != nil {
		return ""
	}
	as := (&spent{always: alike}).cheapest(v.classes)
	return fmt.Sprintf(" Without a model, %s, it is %s.", allAs(v.classes, v.matter, as), lossTexts(v.measure, alike[as], v.loss(&v.report.Rules.Plain), v.loss(&v.report.Rules.Tuned))[0])
}

// saves sets what the model costs beside what it costs to decide all rows alike, where that is no less; nil without costs.
func (v *verdict) saves() []string {
	s, kept := spentOn(v.report), v.alikeKept(&v.report.Rules.Tuned)
	if s == nil || len(kept) == 0 || s.wasted(kept) {
		return nil
	}
	as, told := s.cheapest(kept), s.toldAlike(v.classes, kept, v.matter)
	values := []float64{s.tuned, s.always[as] - s.tuned}
	for _, name := range told {
		values = append(values, s.always[name])
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
func (v *verdict) savedText(s *spent, as string) string {
	each := []float64{s.saved(as), s.tuned / s.rows, s.always[as] / s.rows} // with as many decimals as these take
	if v.report.Together == nil {
		return english.Sums(each...)[0] + " a row"
	}
	var blocks []float64
	for i := range v.report.Blocks[1:] {
		if in := spentIn(&v.report.Blocks[1+i]); in != nil && in.rows > 0 {
			blocks = append(blocks, in.saved(as))
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
	here := spentHere(v.report)
	kept := v.alikeKept(&v.report.Rules.Tuned)
	if v.report.Together == nil || here == nil || here.wasted(kept) != saves {
		return ""
	}
	as := here.cheapest(kept)
	sums := english.Sums(here.always[as], here.tuned)
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
	classes, matter, all := job.frame.Classes, job.aim.matter(), spentOn(report)
	kept := alikeKept(classes, &report.Rules.Tuned, job.fit.Search.Floors)
	if len(kept) == 0 {
		kept = classes
	}
	as := all.cheapest(kept)
	g.head = []string{timeHead(job.frame.Time.Name, report.Blocks), eval.Unit(report.Weighed), "cost of a row"}
	columns := []func(*spent) float64{func(s *spent) float64 { return s.tuned }}
	for _, name := range all.toldAlike(classes, kept, matter) {
		g.head = append(g.head, allAs(classes, matter, name))
		columns = append(columns, func(s *spent) float64 { return s.always[name] })
	}
	g.head = append(g.head, "saved beside "+allAs(classes, matter, as))
	columns = append(columns, func(s *spent) float64 { return s.always[as] - s.tuned })
	var figures []float64
	for _, b := range timed(report) {
		from, in := b.From, spentIn(&b)
		if b.Fold == 0 {
			from = together
		}
		if in.rows > 0 {
			g.add(from, rowsText(in.rows))
			for _, of := range columns {
				figures = append(figures, of(in)/in.rows)
			}
		}
	}
	for i, text := range english.Sums(figures...) {
		g.rows[i/len(columns)] = append(g.rows[i/len(columns)], text)
	}
	return g
}

// alike returns by class the loss of deciding all rows of m as it; nil where that may break what is required, where weights disagree, and of costs, which the report has.
func (v *verdict) alike(m *vote.Confusion) map[string]float64 {
	if v.asked == nil || v.costs.Matrix != nil || len(v.floors) > 0 || v.discord != nil {
		return nil
	}
	out := map[string]float64{}
	for decision, name := range v.classes {
		out[name] = v.asked.Loss(decidedAs(decision, m))
	}
	return out
}

// decidedAs returns the rows of m, all decided as one class.
func decidedAs(decision int, m *vote.Confusion) *vote.Confusion {
	out := vote.NewConfusion(m.Classes)
	for truth := range m.Classes {
		out.Add(truth, decision, m.True(truth))
	}
	return out
}
