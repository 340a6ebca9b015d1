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
const resampled = "  in 95 of 100 resamples"

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

// aligned adds a figure that is shown alike in all columns.
func (t *comparison) aligned(name string, show func(...float64) []string, of func(*eval.Rule) *float64) {
	var values []float64
	for _, n := range t.rules {
		values = append(values, *of(n.Rule))
	}
	t.Add(append([]string{name}, show(values...)...)...)
}

// loss adds what was searched for, where it is not PRAGMA, and the cost of all rows.
func (t *comparison) loss(l Loss) {
	first := t.rules[0].Rule
	if first.Loss != nil {
		name, show, ends := "loss "+l.Name, english.Amounts, layout.LossInterval
		if l.Name == "cost" {
			name, show = lossUnit("cost", l.Costs.Amounts())
			ends = func(interval *[2]float64) string { return endsBy(show, interval) }
		}
		t.aligned(name, show, func(r *eval.Rule) *float64 { return r.Loss })
		if first.LossInterval != nil {
			t.line(resampled, func(r *eval.Rule) string { return ends(r.LossInterval) })
		}
	}
	if first.Cost != nil && !l.Costs.Amounts() {
		t.aligned("cost of all rows", english.Sums, func(r *eval.Rule) *float64 { return r.Cost })
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
			return heldText(f, f.Of(confusionOf(of.Classes, r.Confusion), of.Withheld.Decided()))
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

// confusionOf is a matrix, with a line for each true class, as it is counted.
func confusionOf(classes []string, rows [][]float64) *vote.Confusion {
	m := vote.NewConfusion(classes)
	for truth, line := range rows {
		for decision, n := range line {
			m.Add(truth, decision, n)
		}
	}
	return m
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
	others := othersTable(of.classesTold(), "plain", of.ruleName(), report.Rules.Plain.Classes, report.Rules.Tuned.Classes)
	for _, g := range classFiguresOf(of, report, weights).tables(of, others) {
		table(g)
	}
	table(topTable(report))
	if len(classes) > 2 {
		table(confusionTable(classes, "plain", of.ruleName(), report.Rules.Plain.Confusion, report.Rules.Tuned.Confusion,
			report.Weighed))
	}
	ShowProbabilities(table, to, shownClasses(classes, prefs, report.Probabilities), report.Probabilities, "raw")
}

// classFigures are what becomes of each class under one rule and under another, as it is shown.
type classFigures struct {
	unit     string // what is counted
	from, to string // names of the rules
	weight   string // what the weights of the classes are called; "" where they are told elsewhere
	lines    []classLine
}

// classLine is what becomes of one class.
type classLine struct {
	name, of, weight string // of: how many are of it
	before, after    classShown
}

// classShown is what becomes of one class under one rule.
type classShown struct{ recall, precision, missed string }

// classFiguresOf are those of the plain and the tuned rule.
func classFiguresOf(of *Goal, report *eval.Report, weights vote.Weights) *classFigures {
	r := &report.Rules
	f := &classFigures{unit: tables.Unit(report.Weighed), from: "plain", to: of.ruleName()}
	if len(of.Classes) > 2 && weights != nil && !of.ByCost { // of two the words tell how many votes are enough
		if f.weight = "weight"; len(report.WeightsByFold) > 0 {
			f.weight = "median weight"
		}
	}
	for c, name := range of.Classes {
		plain, tuned := r.Plain.Classes[name], r.Tuned.Classes[name]
		missed := func(r *eval.Rule) string {
			if len(of.Classes) > 2 { // a table tells what rows are taken for
				return ""
			}
			return layout.Rows(r.Confusion[c][1-c])
		}
		l := classLine{name: name, of: layout.Count(plain.Support), before: classShown{layout.PercentOr(plain.Recall),
			layout.PercentOr(plain.Precision), missed(&r.Plain)},
			after: classShown{layout.Within(tuned.Recall, tuned.RecallInterval, of.decimals(c)), layout.Within(tuned.Precision,
				tuned.PrecisionInterval, of.decimals(c)), missed(&r.Tuned)}}
		if f.weight != "" {
			l.weight = layout.Weight(weights[c]) + originText(mostOrigin(report.WeightsByFold, name))
		}
		f.lines = append(f.lines, l)
	}
	return f
}

// tables shows them above those of the rows of others. Of two classes there is one table, of the class that matters
// more, with a line for each figure, as specificity and NPV are the recall and the precision of the other class.
func (f *classFigures) tables(of *Goal, others *layout.Grid) []*layout.Grid {
	if len(of.Classes) > 2 {
		return []*layout.Grid{f.grid(), others}
	}
	c := of.Matter()[0]
	own, other := f.lines[c], f.lines[1-c]
	rows := own.of + " rows"
	if f.unit != "rows" {
		rows = f.unit + " " + own.of
	}
	g := &layout.Grid{Head: []string{fmt.Sprintf("%q (%s)", own.name, rows), f.from, f.to}}
	g.Add("recall (sensitivity)", own.before.recall, own.after.recall)
	g.Add("specificity", other.before.recall, other.after.recall)
	g.Add("false positive rate (FPR)", layout.Left(other.before.recall), layout.Left(other.after.recall))
	g.Add("precision (PPV)", own.before.precision, own.after.precision)
	g.Add("negative predictive value (NPV)", other.before.precision, other.after.precision)
	g.Add("missed (false negatives)", own.before.missed, own.after.missed)
	g.Add("false alarms (false positives)", other.before.missed, other.after.missed)
	return []*layout.Grid{g}
}

// grid has a line for each class.
func (f *classFigures) grid() *layout.Grid {
	g := &layout.Grid{Head: []string{"class", f.unit, "recall " + f.from, "recall " + f.to, "precision " + f.from,
		"precision " +
			f.to}}
	if f.weight != "" {
		g.Head = slices.Insert(g.Head, 2, f.weight)
	}
	for _, l := range f.lines {
		cells := []string{l.name, l.of, l.before.recall, l.after.recall, l.before.precision, l.after.precision}
		if f.weight != "" {
			cells = slices.Insert(cells, 2, l.weight)
		}
		g.Add(cells...)
	}
	return g
}

// othersTable shows what becomes of the rows that are not of a class, by its specificity, false positive rate and
// negative predictive value under one rule and under another one.
func othersTable(classes []string, from, to string, before, after map[string]eval.Class) *layout.Grid {
	g := &layout.Grid{Head: []string{"class"}}
	for _, figure := range []string{"specificity ", "FPR ", "NPV "} {
		g.Head = append(g.Head, figure+from, figure+to)
	}
	for _, name := range classes {
		a, b := before[name], after[name]
		was, is := layout.PercentOr(a.Specificity), layout.PercentOr(b.Specificity)
		g.Add(name, was, is, layout.Left(was), layout.Left(is), layout.PercentOr(a.NegativePredictive),
			layout.PercentOr(b.NegativePredictive))
	}
	return g
}

// mostConfusions is how many confusions are shown at most.
const mostConfusions = 8

// confusionTable shows which class is taken for which most often, under one rule, such as the plain vote, and under
// another one. The matrices have a line for each true class, of rows or of their case weights.
func confusionTable(classes []string, from, to string, plain, tuned [][]float64, weighed bool) *layout.Grid {
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
	rows := tables.Unit(weighed)
	g := &layout.Grid{Head: []string{"class", "taken for", rows + " " + from, rows + " " + to, "of the class, " + to},
		Left: 1}
	for _, c := range cells[:min(len(cells), mostConfusions)] {
		all := portable.Total(tuned[c.truth])
		was, is := plain[c.truth][c.decision], tuned[c.truth][c.decision]
		g.Add(classes[c.truth], classes[c.decision], layout.Rows(was), layout.Rows(is), english.Percent(is/all, 1))
	}
	return g
}
