package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/rfpragma/rfpragma/bench/measure"
	"github.com/rfpragma/rfpragma/eval"
)

// report writes all tables as Markdown.
func report(results map[string]result, seeds int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d folds × %d repeats, %d trees. Percent; ± is the standard deviation of one repeat.\n", folds, seeds, trees)
	balanced(&b, "Table 1: Autos", named("Autos"), printedAutos, results["Autos"])
	balanced(&b, "Table 2: Letters, all 20,000 rows", named("Letters"), printedLetters, results["Letters"])
	balanced(&b, "Table 2: Letters, 4,000 rows drawn at random", named("Letters, 4000 rows"), printedLetters, results["Letters, 4000 rows"])
	imbalanced(&b, results)
	directions(&b, results)
	losses(&b, results)
	return b.String()
}

// column is a column of tables 1 and 2.
type column struct {
	head string
	of   func(eval.Rule) both
}

func columnsOf(e experiment) []column {
	mean := func(head string, of func(eval.Means) *eval.Mean) column {
		return column{head, func(r eval.Rule) both {
			m := of(r.Means)
			return both{100 * m.Recall, 100 * m.Precision}
		}}
	}
	var out []column
	priority, others := "vowels (MP)", "consonants (MA)"
	if e.set == "autos" {
		priority, others = "MP", "MA"
		for _, class := range []string{"3", "2", "1", "0", "-1", "-2"} {
			out = append(out, column{class, ofClass(class)})
		}
	}
	return append(out,
		mean(priority, func(m eval.Means) *eval.Mean { return m.Priority }),
		mean(others, func(m eval.Means) *eval.Mean { return m.Others }),
		mean("all (MG)", func(m eval.Means) *eval.Mean { return m.All }))
}

// ofClass returns the recall and precision of a class, 0 where it is never decided.
func ofClass(class string) func(eval.Rule) both {
	return func(r eval.Rule) both {
		var b both
		if c := r.Classes[class]; c.Recall != nil {
			b.recall = 100 * *c.Recall
		}
		if c := r.Classes[class]; c.Precision != nil {
			b.precision = 100 * *c.Precision
		}
		return b
	}
}

func plain(r *eval.Report) eval.Rule { return r.Rules.Plain }
func tuned(r *eval.Report) eval.Rule { return r.Rules.Tuned }

// balanced writes a table in the form of the paper's tables 1 and 2.
func balanced(b *strings.Builder, title string, e experiment, was printed, r result) {
	columns := columnsOf(e)
	fmt.Fprintf(b, "\n**%s**\n\n| | |", title)
	for _, c := range columns {
		fmt.Fprintf(b, " %s |", c.head)
	}
	fmt.Fprintf(b, "\n|---|---|%s\n", strings.Repeat("---|", len(columns)))
	for _, figure := range []struct {
		name string
		of   func(both) float64
	}{{"recall", func(v both) float64 { return v.recall }}, {"precision", func(v both) float64 { return v.precision }}} {
		for _, way := range []struct {
			name string
			was  func(int) float64
			of   func(*eval.Report, column) float64
		}{
			{"plain", func(i int) float64 { return figure.of(was.plain[i]) }, func(r *eval.Report, c column) float64 { return figure.of(c.of(plain(r))) }},
			{"optimised", func(i int) float64 { return figure.of(was.tuned[i]) }, func(r *eval.Report, c column) float64 { return figure.of(c.of(tuned(r))) }},
			{"evolution", func(i int) float64 { return figure.of(was.tuned[i]) - figure.of(was.plain[i]) }, func(r *eval.Report, c column) float64 {
				return figure.of(c.of(tuned(r))) - figure.of(c.of(plain(r)))
			}},
		} {
			form := "%.1f"
			if way.name == "evolution" {
				form = "%+.1f"
			}
			fmt.Fprintf(b, "| %s, %s | printed |", figure.name, way.name)
			for i := range columns {
				fmt.Fprintf(b, " "+form+" |", way.was(i))
			}
			for _, side := range r.sides() {
				fmt.Fprintf(b, "\n| | %s |", side.name)
				for _, c := range columns {
					fmt.Fprintf(b, " %s |", spread(form, side.reports, func(r *eval.Report) float64 { return way.of(r, c) }))
				}
			}
			b.WriteString("\n")
		}
	}
}

type side struct {
	name    string
	reports []*eval.Report
}

func (r result) sides() []side {
	return []side{{"as the paper", r.paper}, {"annealed", r.annealed}, {"honest", r.honest}}
}

// spread writes the mean of a figure over the repeats, and its standard deviation if there is more than one.
func spread(form string, reports []*eval.Report, of func(*eval.Report) float64) string {
	mean, sd := measure.MeanSD(figures(reports, of))
	if math.IsNaN(sd) {
		return fmt.Sprintf(form, mean)
	}
	return fmt.Sprintf(form+" ± "+strings.Replace(form, "+", "", 1), mean, sd)
}

func figures(reports []*eval.Report, of func(*eval.Report) float64) []float64 {
	out := make([]float64, len(reports))
	for i, r := range reports {
		out[i] = of(r)
	}
	return out
}

func average(reports []*eval.Report, of func(*eval.Report) float64) float64 {
	mean, _ := measure.MeanSD(figures(reports, of))
	return mean
}

var rareSets = []string{"Hypothyroid", "Satimage", "Mammography"}

// imbalanced writes a table in the form of the paper's table 4.
func imbalanced(b *strings.Builder, results map[string]result) {
	b.WriteString("\n**Table 4: sets of which one class is rare** (the paper's Mammo is not public; its figures stand beside those of the public mammography set)\n\n| | |")
	for _, set := range rareSets {
		fmt.Fprintf(b, " %s: recall | precision | accuracy |", set)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", 3*len(rareSets)) + "\n")
	type line struct {
		way, side string
		cell      func(set string, figure int) string
	}
	was := func(way int) func(string, int) string {
		return func(set string, figure int) string {
			p := printedRare[set][way]
			return fmt.Sprintf("%.1f", []float64{p.recall, p.precision, p.accuracy}[figure])
		}
	}
	is := func(reports func(result) []*eval.Report, rule func(*eval.Report) eval.Rule) func(string, int) string {
		return func(set string, figure int) string {
			return spread("%.1f", reports(results[set]), func(r *eval.Report) float64 {
				v := ofClass(named(set).priority[0])(rule(r))
				return []float64{v.recall, v.precision, 100 * rule(r).Accuracy}[figure]
			})
		}
	}
	paper, honest := func(r result) []*eval.Report { return r.paper }, func(r result) []*eval.Report { return r.honest }
	annealed := func(r result) []*eval.Report { return r.annealed }
	for _, l := range []line{
		{"C4.5", "printed", was(0)},
		{"", "ours", is(func(r result) []*eval.Report { return r.control }, plain)},
		{"plain forest", "printed", was(1)},
		{"", "as the paper", is(paper, plain)},
		{"", "annealed", is(annealed, plain)},
		{"", "honest", is(honest, plain)},
		{"optimised forest", "printed", was(2)},
		{"", "as the paper", is(paper, tuned)},
		{"", "annealed", is(annealed, tuned)},
		{"", "honest", is(honest, tuned)},
	} {
		fmt.Fprintf(b, "| %s | %s |", l.way, l.side)
		for _, set := range rareSets {
			for figure := range 3 {
				fmt.Fprintf(b, " %s |", l.cell(set, figure))
			}
		}
		b.WriteString("\n")
	}
}

// move is how optimising moves recall and precision of what matters most in a set.
type move struct {
	set, class                     string
	printed, paper, annealed, ours both
}

// moves returns those of the priority classes; of Letters the paper prints no more than the mean.
func moves(results map[string]result) []move {
	var out []move
	add := func(set, class string, from, to both, of func(eval.Rule) both) {
		change := func(reports []*eval.Report) both {
			return both{
				average(reports, func(r *eval.Report) float64 { return of(tuned(r)).recall - of(plain(r)).recall }),
				average(reports, func(r *eval.Report) float64 { return of(tuned(r)).precision - of(plain(r)).precision }),
			}
		}
		out = append(out, move{set, class, both{to.recall - from.recall, to.precision - from.precision}, change(results[set].paper), change(results[set].annealed), change(results[set].honest)})
	}
	for i, c := range columnsOf(named("Autos"))[:2] {
		add("Autos", c.head, printedAutos.plain[i], printedAutos.tuned[i], c.of)
	}
	for _, set := range []string{"Letters", "Letters, 4000 rows"} {
		c := columnsOf(named(set))[0]
		add(set, c.head, printedLetters.plain[0], printedLetters.tuned[0], c.of)
	}
	for _, set := range rareSets {
		class := named(set).priority[0]
		add(set, class, printedRare[set][1].both, printedRare[set][2].both, ofClass(class))
	}
	return out
}

func (m move) agrees() string {
	recall, precision := m.printed.recall*m.paper.recall > 0, m.printed.precision*m.paper.precision > 0
	switch {
	case recall && precision:
		return "yes"
	case recall:
		return "in recall"
	case precision:
		return "in precision"
	}
	return "no"
}

// directions writes how optimising moves the classes that matter.
func directions(b *strings.Builder, results map[string]result) {
	b.WriteString("\n**What optimising changes for the priority classes, in points: recall / precision**\n\n")
	b.WriteString("| | class | printed | as the paper | annealed | honest | as the paper: same direction as printed |\n|---|---|---|---|---|---|---|\n")
	for _, m := range moves(results) {
		fmt.Fprintf(b, "| %s | %s | %+.1f / %+.1f | %+.1f / %+.1f | %+.1f / %+.1f | %+.1f / %+.1f | %s |\n", m.set, m.class,
			m.printed.recall, m.printed.precision, m.paper.recall, m.paper.precision, m.annealed.recall, m.annealed.precision, m.ours.recall, m.ours.precision, m.agrees())
	}
}

// losses writes what the measure says.
func losses(b *strings.Builder, results map[string]result) {
	b.WriteString("\n**PRAGMA on rows not used (0 is best)**\n\n")
	b.WriteString("| | plain | optimised, as the paper | optimised, annealed | optimised, honest | as the paper : honest |\n|---|---|---|---|---|---|\n")
	for _, e := range experiments {
		r := results[e.title]
		loss := func(rule func(*eval.Report) eval.Rule) func(*eval.Report) float64 {
			return func(r *eval.Report) float64 { return rule(r).Pragma }
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %.2f |\n", e.title, spread("%.4f", r.honest, loss(plain)), spread("%.4f", r.paper, loss(tuned)), spread("%.4f", r.annealed, loss(tuned)),
			spread("%.4f", r.honest, loss(tuned)), average(r.paper, loss(tuned))/average(r.honest, loss(tuned)))
	}
}
