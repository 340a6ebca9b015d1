package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/rfpragma/rfpragma/bench/measure"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/internal/english"
)

// figure is what is read off a result.
type figure func(result) float64

// column is a figure of the lines of a goal.
type column struct {
	title, goal string
	of, gap, se figure // gap and se are nil of what is not compared row by row
	places      int
}

// ofProbabilities is the goal whose lines tell of probabilities. They depend on the goal only where that has a say
// in the settings of the forest.
const ofProbabilities = "neutral"

// losses are what sides are compared by: PRAGMA under each goal, and the log loss.
func losses() []column {
	var all []column
	for _, g := range set.Goals {
		all = append(all, column{"PRAGMA, " + g.Name, g.Name,
			func(r result) float64 { return r.Pragma }, func(r result) float64 { return r.PragmaGap }, func(r result) float64 { return r.PragmaSE }, 4})
	}
	return append(all, column{"log loss", ofProbabilities,
		func(r result) float64 { return r.LogLoss }, func(r result) float64 { return r.LogLossGap }, func(r result) float64 { return r.LogLossSE }, 4})
}

// table holds the results of all sets and sides, in the order in which they are shown.
type table struct {
	sets, sides []string
	lines       map[[3]string]result // by set, side and goal
}

func (t table) at(set, side, goal string) (result, bool) {
	r, found := t.lines[[3]string{set, side, goal}]
	return r, found
}

// report returns the tables of all results, in Markdown. Results that do not belong together are an error.
func report(results []result) (string, error) {
	if err := uniform(results); err != nil {
		return "", err
	}
	t := table{lines: map[[3]string]result{}}
	for _, r := range results {
		if !slices.Contains(t.sets, r.Set) {
			t.sets = append(t.sets, r.Set)
		}
		t.lines[[3]string{r.Set, r.Side, r.Goal}] = r
	}
	slices.SortFunc(t.sets, func(a, b string) int { return slices.Index(set.PublicNames(), a) - slices.Index(set.PublicNames(), b) })
	for _, s := range names(sides) {
		if slices.ContainsFunc(results, func(r result) bool { return r.Side == s }) {
			t.sides = append(t.sides, s)
		}
	}
	var b strings.Builder
	b.WriteString(conditions(results))
	t.means(&b)
	t.duels(&b)
	for _, c := range losses() {
		t.bySet(&b, c)
	}
	t.seconds(&b)
	b.WriteString(legend)
	return b.String(), nil
}

const legend = `
PRAGMA and log loss are losses: 0 is perfect. † worse than ` + us + `, ‡ better, by more than two standard errors of the paired difference over the rows; else it
is a tie. The lowest of a set is bold. Behind a mean difference stands its standard error over the sets, and who is better by Student's t of it, at 5 %. These errors say what other rows and other sets would
change, not what other folds and seeds would. Of twenty comparisons of equals one is no tie, by chance.

`

// uniform returns an error when results were not made under the same conditions.
func uniform(results []result) error {
	if len(results) == 0 {
		return errors.New("there is no result in it; measure first, without -print")
	}
	seen := map[string]string{}
	for _, r := range results {
		same := map[string]string{"seed": strconv.Itoa(r.Seed), "threads": strconv.Itoa(r.Threads), "cores": strconv.Itoa(r.Cores), "limit of rows": strconv.Itoa(r.Limit)}
		if r.Version != "" {
			same["version of "+r.Side] = r.Version
		}
		for what, value := range same {
			if old, found := seen[what]; found && old != value {
				return fmt.Errorf("it holds results of %s %s and %s; measure the set %s again, or take its lines out", what, old, value, r.Set)
			}
			seen[what] = value
		}
	}
	return nil
}

// conditions says when and how was measured.
func conditions(results []result) string {
	dates, versions := map[string]bool{}, map[string]bool{}
	for _, r := range results {
		dates[r.Date] = true
		if r.Version != "" {
			versions[r.Side+" "+r.Version] = true
		}
	}
	days := slices.Sorted(maps.Keys(dates))
	when := days[0]
	if last := days[len(days)-1]; last != when {
		when += " to " + last
	}
	r := results[0]
	return fmt.Sprintf("\nMeasured %s on %s, %s: at most %d rows of a set, seed %d. Rivals: %s.\n",
		when, english.Plural(r.Cores, "core"), english.Plural(r.Threads, "thread"), r.Limit, r.Seed, strings.Join(slices.Sorted(maps.Keys(versions)), ", "))
}

// means writes the mean figures of the sides over their sets.
func (t table) means(b *strings.Builder) {
	columns := append(losses(),
		column{"AUC", ofProbabilities, func(r result) float64 { return r.AUC }, nil, nil, 4},
		column{"Brier", ofProbabilities, func(r result) float64 { return r.Brier }, nil, nil, 4},
		column{"seconds", ofProbabilities, func(r result) float64 { return r.Seconds }, nil, nil, 1})
	head := []string{"side", "sets"}
	for _, c := range columns {
		head = append(head, c.title)
	}
	var rows [][]string
	for _, s := range t.sides {
		row := []string{s, ""}
		for _, c := range columns {
			values := t.values(s, c.goal, c.of)
			mean, _ := measure.MeanSD(values)
			row[1] = strconv.Itoa(len(values))
			row = append(row, strconv.FormatFloat(mean, 'f', c.places, 64))
		}
		rows = append(rows, row)
	}
	write(b, "Means over the sets", head, rows)
}

// values returns a figure of a side for each set that it has.
func (t table) values(side, goal string, of figure) []float64 {
	var values []float64
	for _, name := range t.sets {
		if r, found := t.at(name, side, goal); found {
			values = append(values, of(r))
		}
	}
	return values
}

// duels writes who of ours and each other side wins how often, and by how much.
func (t table) duels(b *strings.Builder) {
	var rows [][]string
	for _, s := range t.sides {
		if s == us {
			continue
		}
		for _, c := range losses() {
			rows = append(rows, t.duel(s, c))
		}
	}
	head := []string{"side", "loss", us + " better", "tie", "side better", "side less " + us, "over all sets", us + " leads most", "side leads most"}
	write(b, us+" beside each other side: sets, and mean difference", head, rows)
}

func (t table) duel(side string, c column) []string {
	better, tie, worse := 0, 0, 0
	high, low := result{}, result{} // where we lead most, and the side does
	var gaps []float64
	for _, name := range t.sets {
		r, found := t.at(name, side, c.goal)
		if !found {
			continue
		}
		gap := c.gap(r)
		gaps = append(gaps, gap)
		switch mark(gap, c.se(r)) {
		case " †":
			better++
		case " ‡":
			worse++
		default:
			tie++
		}
		if gap > 0 && (high.Set == "" || gap > c.gap(high)) {
			high = r
		}
		if gap < 0 && (low.Set == "" || gap < c.gap(low)) {
			low = r
		}
	}
	mean, sd := stat.MeanStdDev(gaps, nil)
	difference, who := fmt.Sprintf("%+.4f", mean), "–"
	if len(gaps) > 1 {
		se := stat.StdErr(sd, float64(len(gaps)))
		difference += fmt.Sprintf(" ± %.4f", se)
		t := distuv.StudentsT{Sigma: 1, Nu: float64(len(gaps) - 1)}.Quantile(0.975) // two standard errors of many sets
		who = map[string]string{" †": us + " is better", " ‡": side + " is better", "": "tie"}[mark(mean, se*t/2)]
	}
	most := func(r result) string {
		if r.Set == "" {
			return "–"
		}
		return fmt.Sprintf("%s, by %.4f%s", r.Set, math.Abs(c.gap(r)), map[bool]string{true: " (tie)"}[mark(c.gap(r), c.se(r)) == ""])
	}
	return []string{side, c.title, strconv.Itoa(better), strconv.Itoa(tie), strconv.Itoa(worse), difference, who, most(high), most(low)}
}

// mark is what the legend explains.
func mark(gap, se float64) string {
	switch {
	case gap > 2*se:
		return " †"
	case gap < -2*se:
		return " ‡"
	}
	return ""
}

// bySet writes a loss of all sides on each set.
func (t table) bySet(b *strings.Builder, c column) {
	var rows [][]string
	for _, name := range t.sets {
		lowest := math.Inf(1)
		for _, s := range t.sides {
			if r, found := t.at(name, s, c.goal); found {
				lowest = min(lowest, c.of(r))
			}
		}
		rows = append(rows, t.row(name, c.goal, func(r result) string {
			text := strconv.FormatFloat(c.of(r), 'f', c.places, 64)
			if c.of(r) == lowest {
				text = "**" + text + "**"
			}
			return text + mark(c.gap(r), c.se(r))
		}))
	}
	write(b, english.Capital(c.title), append([]string{"set"}, t.sides...), rows)
}

// seconds writes what it takes to fit on each set.
func (t table) seconds(b *strings.Builder) {
	var rows [][]string
	for _, name := range t.sets {
		row := t.row(name, ofProbabilities, func(r result) string { return fmt.Sprintf("%.1f", r.Seconds) })
		row[0] = t.described(name)
		rows = append(rows, row)
	}
	write(b, "Seconds to fit, in five outer folds, with the inner ones", append([]string{"set"}, t.sides...), rows)
}

// described says what a set is.
func (t table) described(name string) string {
	for _, s := range t.sides {
		if r, found := t.at(name, s, ofProbabilities); found {
			return fmt.Sprintf("%s, %d × %d, %d classes, %d rows of %q", name, r.Rows, r.Features, r.Classes, r.RareRows, r.Rare)
		}
	}
	return name
}

// row returns a line of a set, with a cell for each side.
func (t table) row(name, goal string, show func(result) string) []string {
	row := []string{name}
	for _, s := range t.sides {
		cell := "–"
		if r, found := t.at(name, s, goal); found {
			cell = show(r)
		}
		row = append(row, cell)
	}
	return row
}

func write(b *strings.Builder, title string, head []string, rows [][]string) {
	fmt.Fprintf(b, "\n**%s**\n\n| %s |\n|%s\n", title, strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}
