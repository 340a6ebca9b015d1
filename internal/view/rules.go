package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Named is a rule and its name.
type Named struct {
	Name string
	Rule *eval.Rule
}

// RulesOf are the rules of a report by their names, the plain one first.
func RulesOf(r *eval.Rules) []Named {
	rules := []Named{{"plain", &r.Plain}, {"prior", &r.Prior}, {"tuned", &r.Tuned}, {"optimistic", &r.Optimistic}}
	if r.Cost != nil {
		rules = slices.Insert(rules, 2, Named{"cost", r.Cost})
	}
	if r.Weights != nil {
		rules = slices.Insert(rules, len(rules)-2, Named{"weights", r.Weights})
	}
	return slices.DeleteFunc(rules, func(n Named) bool { return n.Rule.Classes == nil }) // that were not judged
}

// resampled is the line of an interval.
const resampled = "  95 % interval"

// comparison is a table with a column for each rule.
type comparison struct {
	*layout.Grid
	rules []Named
}

// newComparison begins a table of rules; tuned is what the rule of the weights is called.
func newComparison(title string, rules []Named, tuned string) *comparison {
	t := &comparison{&layout.Grid{Head: []string{title}}, rules}
	for _, n := range rules {
		if n.Name == "tuned" {
			n.Name = tuned
		}
		t.Head = append(t.Head, n.Name)
	}
	return t
}

// line adds a figure.
func (t *comparison) line(name string, show func(*eval.Rule) string) {
	cells := []string{name}
	for _, n := range t.rules {
		cells = append(cells, show(n.Rule))
	}
	t.Add(cells...)
}

// loss adds what was searched for, where it is not PRAGMA.
func (t *comparison) loss(l Loss) {
	first := t.rules[0].Rule
	if first.Loss == nil {
		return
	}
	name, show, ends := "loss "+l.Name, english.Amounts, layout.LossInterval
	if l.Name == "cost" {
		name, show = lossUnit("cost", l.Costs.Amounts())
		ends = func(interval *[2]float64) string { return endsBy(show, interval) }
	}
	var losses []float64
	for _, n := range t.rules {
		losses = append(losses, *n.Rule.Loss)
	}
	t.Add(append([]string{name}, show(losses...)...)...)
	if first.LossInterval != nil {
		t.line(resampled, func(r *eval.Rule) string { return ends(r.LossInterval) })
	}
}

// rulesTable sets the rules side by side: first by what was searched for, then, if there is a preference, by that.
func rulesTable(r *eval.Rules, of *Goal) *layout.Grid {
	t := newComparison("", RulesOf(r), of.ruleName())
	line := t.line
	t.loss(of.Loss)
	if of.preferred() && !strings.HasPrefix(of.Loss.Name, "pragma:") {
		name := "PRAGMA (0 is best)"
		if r.Plain.Loss != nil {
			name = "PRAGMA (does not decide)"
		}
		line(name, func(r *eval.Rule) string { return english.Fixed(r.Pragma, 4) })
		if r.Plain.PragmaSD != nil {
			line("  spread of repeats", func(r *eval.Rule) string { return "± " + english.Fixed(*r.PragmaSD, 4) })
		}
		if r.Tuned.PragmaInterval != nil {
			line(resampled, func(r *eval.Rule) string { return layout.LossInterval(r.PragmaInterval) })
		}
	}
	for _, f := range of.required() {
		line(f.Text(of.Classes), func(r *eval.Rule) string {
			return heldText(f, f.Of(r.Counts(of.Classes), of.Withheld.Decided()))
		})
	}
	line("accuracy", func(r *eval.Rule) string { return english.Percent(r.Accuracy, 1) })
	if len(of.Classes) > 2 { // of two the tables of classes and of probabilities have them
		addMeans(line, of, r.Plain.Means)
		line("Brier score", func(r *eval.Rule) string { return english.Fixed(r.Brier, 4) })
		line("log loss", func(r *eval.Rule) string { return english.Fixed(r.LogLoss, 4) })
	}
	return t.Grid
}

// addMeans adds lines of recall and precision of the classes that matter most, and of the others, where the means of
// the plain vote have them.
func addMeans(line func(name string, show func(*eval.Rule) string), of *Goal, plain eval.Means) {
	priority := pragma.PriorityClasses(of.Prefs)
	var others []int
	for c := range of.Classes {
		if !slices.Contains(priority, c) {
			others = append(others, c)
		}
	}
	for _, m := range []struct {
		one, several string
		classes      []int
		of           func(eval.Means) *eval.Mean
	}{
		{"class that matters most", "classes that matter most", priority,
			func(m eval.Means) *eval.Mean { return m.Priority }},
		{"other class", "other classes", others, func(m eval.Means) *eval.Mean { return m.Others }},
	} {
		if m.of(plain) == nil {
			continue
		}
		if len(m.classes) == 1 { // its precision may be n/a, and that of a mean is 0 then
			name := of.Classes[m.classes[0]]
			line("recall, "+m.one, func(r *eval.Rule) string { return layout.PercentOr(r.Classes[name].Recall) })
			line("precision, "+m.one, func(r *eval.Rule) string { return layout.PercentOr(r.Classes[name].Precision) })
			continue
		}
		line("mean recall by rows, "+m.several, func(r *eval.Rule) string { return english.Percent(m.of(r.Means).Recall, 1) })
		line("mean precision by rows, "+m.several, func(r *eval.Rule) string {
			return english.Percent(m.of(r.Means).Precision,
				1)
		})
	}
}

// heldText shows what decisions reach of a floor, and tells where that is not enough.
func heldText(f pragma.Floor, m *vote.Confusion) string {
	value, ok := f.Value(m)
	if !ok {
		return "n/a"
	}
	text := FloorText(f, value)
	if f.Missing(m) > 0 {
		text = "not kept, " + text
	}
	return text
}

// ShowRules shows what the rules make of the rows. Weights are the tuned ones, nil if there are none.
func ShowRules(to *layout.Page, of *Goal, weights vote.Weights, report *eval.Report) {
	classes, prefs := of.Classes, of.Prefs
	table := func(g *layout.Grid) {
		if latest(report) != nil {
			g.Title = english.Capital(judgedRows(report))
		}
		to.Table(g)
	}
	table(rulesTable(&report.Rules, of))
	for _, g := range classTables(of, report, weights) {
		table(g)
	}
	table(topTable(report))
	if len(classes) > 2 {
		table(confusionTable(of, report))
	}
	ShowProbabilities(table, to, shownClasses(classes, prefs, report.Probabilities), report.Probabilities, "raw")
}

// classTables show what becomes of each class by the plain vote and by the rule of the weights. Of two classes it is
// one table, of the class that matters more: specificity and NPV are the recall and the precision of the other class.
func classTables(of *Goal, report *eval.Report, weights vote.Weights) []*layout.Grid {
	plain, tuned := report.Rules.Plain.Classes, report.Rules.Tuned.Classes
	unit, to := tables.Unit(report.Weighed), of.ruleName()
	recall := func(c int) []string {
		name := of.Classes[c]
		return []string{layout.PercentOr(plain[name].Recall),
			layout.Within(tuned[name].Recall, tuned[name].RecallInterval, of.decimals(c))}
	}
	precision := func(c int) []string {
		name := of.Classes[c]
		return []string{layout.PercentOr(plain[name].Precision),
			layout.Within(tuned[name].Precision, tuned[name].PrecisionInterval, of.decimals(c))}
	}
	rows := func(c int) string { return layout.Count(plain[of.Classes[c]].Support) }
	if len(of.Classes) == 2 {
		c := of.Matter()[0]
		head := fmt.Sprintf("%q (%s rows)", of.Classes[c], rows(c))
		if report.Weighed {
			head = fmt.Sprintf("%q (%s %s)", of.Classes[c], unit, rows(c))
		}
		g := &layout.Grid{Head: []string{head, "plain", to}}
		g.Add(append([]string{"recall (sensitivity)"}, recall(c)...)...)
		g.Add(append([]string{"specificity"}, recall(1-c)...)...)
		g.Add(append([]string{"precision (PPV)"}, precision(c)...)...)
		g.Add(append([]string{"negative predictive value (NPV)"}, precision(1-c)...)...)
		return []*layout.Grid{g}
	}
	g := &layout.Grid{Head: []string{"class", unit, "recall plain", "recall " + to, "precision plain", "precision " + to}}
	for c, name := range of.Classes {
		g.Add(slices.Concat([]string{name, rows(c)}, recall(c), precision(c))...)
	}
	if weights != nil && !of.ByCost {
		g.Head = slices.Insert(g.Head, 2, "weight")
		if len(report.WeightsByFold) > 0 {
			g.Head[2] = "median weight"
		}
		for c, name := range of.Classes {
			text := layout.Weight(weights[c]) + originText(mostOrigin(report.WeightsByFold, name))
			g.Rows[c] = slices.Insert(g.Rows[c], 2, text)
		}
	}
	return []*layout.Grid{g, othersTable(of.classesTold(), to, plain, tuned)}
}

// othersTable shows what becomes of the rows that are not of a class, by the plain vote and by another rule.
func othersTable(classes []string, to string, plain, tuned map[string]eval.Class) *layout.Grid {
	g := &layout.Grid{Head: []string{"class", "specificity plain", "specificity " + to, "NPV plain", "NPV " + to}}
	for _, name := range classes {
		a, b := plain[name], tuned[name]
		g.Add(name, layout.PercentOr(a.Specificity), layout.PercentOr(b.Specificity),
			layout.PercentOr(a.NegativePredictive), layout.PercentOr(b.NegativePredictive))
	}
	return g
}

// mostConfusions is how many confusions are shown at most.
const mostConfusions = 8

// confusionTable shows which class is taken for which most often, by the plain vote and by the rule of the weights.
func confusionTable(of *Goal, report *eval.Report) *layout.Grid {
	classes, to := of.Classes, of.ruleName()
	plain, tuned := report.Rules.Plain.Confusion, report.Rules.Tuned.Confusion
	type cell struct{ truth, decision int }
	var cells []cell
	for t := range classes {
		for d := range classes {
			if t != d && plain[t][d]+tuned[t][d] > 0 {
				cells = append(cells, cell{t, d})
			}
		}
	}
	slices.SortStableFunc(cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(tuned[b.truth][b.decision], tuned[a.truth][a.decision]),
			cmp.Compare(plain[b.truth][b.decision], plain[a.truth][a.decision]))
	})
	rows := tables.Unit(report.Weighed)
	g := &layout.Grid{Head: []string{"class", "taken for", rows + " plain", rows + " " + to, "of the class, " + to},
		Left: 1}
	for _, c := range cells[:min(len(cells), mostConfusions)] {
		all := portable.Total(tuned[c.truth])
		was, is := plain[c.truth][c.decision], tuned[c.truth][c.decision]
		g.Add(classes[c.truth], classes[c.decision], layout.Rows(was), layout.Rows(is), english.Percent(is/all, 1))
	}
	return g
}
