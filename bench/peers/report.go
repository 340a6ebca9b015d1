package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
)

// report returns the tables of all runs, in Markdown. Runs that do not belong together are an
// error: those of other trees, threads or cores, or of another version of a side.
func report(t table, runs []result) (string, error) {
	all, shown, err := t.results(runs)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(conditions(runs, shown))
	timeTable(&b, "Fit, seconds", all, shown, fitS, trained)
	timeTable(&b, "Predict all test rows, seconds", all, shown, predictS, func(r result) string { return strconv.Itoa(r.Tests) + " rows" })
	memoryTable(&b, all, shown, t.references)
	scoreTables(&b, all, shown, t.references)
	modelTable(&b, all, shown)
	if slices.Contains(shown, byEntropy) {
		b.WriteString(entropyLegend)
	}
	fmt.Fprintf(&b, legend+"\n", strings.Join(t.references, ", ")+" and the fastest peer that counts")
	return b.String(), nil
}

// results returns the sets with numbers, and the names of the sides that were measured on any.
func (t table) results(runs []result) ([]contest, []string, error) {
	if err := uniform(runs); err != nil {
		return nil, nil, err
	}
	all := gather(t, runs)
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("there is no result of %s in it; measure first, without -print", t.sides[0].name)
	}
	var shown []string
	for _, s := range names(t.sides) {
		if slices.ContainsFunc(runs, func(r result) bool { return r.Side == s }) {
			shown = append(shown, s)
		}
	}
	return all, shown, nil
}

const legend = `
Times and memory are medians over the seeds; behind a ratio stand the least and the largest of a turn. A peer with † does not count; where it is the fastest
of all, its ratio stands last. ‡ one turn only, because it takes long; its spread is taken to be that of the other side.
± is the standard error of the mean over the seeds, the test rows being always the same. † accuracy or recall of the rarest class
lower than ours by more than three standard errors of the difference and by more than 0.005. "Within one se": ours is worse than none of %s by more than one standard error of the difference. Of two equal forests
each is that much worse in one of six comparisons, by chance.
`

const entropyLegend = `
` + byEntropy + ` is our forest by entropy, by which YDF splits; the others split by Gini's index. A peer stands beside ours by Gini's index, unless that is
no match for it and ours by entropy is. No match is who has an accuracy, or a recall of the rarest class, that is lower by more than three standard errors
of the difference and by more than 0.005.
`

// uniform returns an error when runs were not made under the same conditions.
func uniform(runs []result) error {
	seen := map[string]string{}
	for _, r := range runs {
		same := map[string]string{"trees": strconv.Itoa(r.Trees), "threads": strconv.Itoa(r.Threads), "cores": strconv.Itoa(r.Cores)}
		if program := programOf(r.Side); r.Status == ok && program != us {
			same["version of "+program] = r.Version
		}
		for what, value := range same {
			if old, found := seen[what]; found && old != value {
				return fmt.Errorf("it holds runs of %s %s and %s; measure the set %s again, or take its lines out", what, old, value, r.Set)
			}
			seen[what] = value
		}
	}
	return nil
}

// conditions says when and how was measured.
func conditions(runs []result, shown []string) string {
	dates, versions := map[string]bool{}, map[string]string{}
	for _, r := range runs {
		dates[r.Date] = true
		if r.Version != "" && programOf(r.Side) != us {
			versions[programOf(r.Side)] = programOf(r.Side) + " " + r.Version
		}
	}
	var peers []string
	for _, s := range shown {
		if v := versions[programOf(s)]; v != "" && !slices.Contains(peers, v) {
			peers = append(peers, v)
		}
	}
	days := slices.Sorted(maps.Keys(dates))
	when := days[0]
	if last := days[len(days)-1]; last != when {
		when += " to " + last
	}
	return fmt.Sprintf("\nMeasured %s on %s: %d trees, %s. Peers: %s.\n",
		when, english.Plural(runs[0].Cores, "core"), runs[0].Trees, english.Plural(runs[0].Threads, "thread"), strings.Join(peers, ", "))
}

// programOf returns the name of a side without its setting.
func programOf(side string) string {
	program, _, _ := strings.Cut(side, ":")
	return program
}

func trained(r result) string {
	return fmt.Sprintf("%d × %d, %d classes", r.Rows, r.Features, r.Classes)
}

// timeTable writes medians and how many times the fastest equal peer takes as long as we do.
func timeTable(b *strings.Builder, title string, all []contest, shown []string, v value, size func(result) string) {
	var rows [][]string
	for _, c := range all {
		row := []string{c.first.Set + ", " + size(c.first)}
		for _, s := range shown {
			row = append(row, c.cell(s, func(t *tally) string { return digits(t.median(v)) }))
		}
		rows = append(rows, append(row, c.faster(v)))
	}
	writeTable(b, title, slices.Concat([]string{"set"}, shown, []string{"times faster than the fastest peer that counts"}), rows)
}

// faster says how many times as long as ours the fastest peer that counts takes, and one that
// does not count, if it is faster still.
func (c contest) faster(v value) string {
	counted, fastest := c.fastest(v), c.fastestOfAll(v)
	var parts []string
	if counted != "" {
		parts = append(parts, c.times(counted, v))
	}
	if fastest != counted {
		parts = append(parts, c.times(fastest, v))
	}
	if len(parts) == 0 {
		return "–"
	}
	return strings.Join(parts, "; ")
}

func (c contest) times(peer string, v value) string {
	of, low, high := c.ratio(peer, v)
	text := digits(of)
	if low < high {
		text += fmt.Sprintf(" (%s–%s)", digits(low), digits(high))
	}
	text += ", " + peer + c.marks(peer)
	if c.beside(peer) == byEntropy {
		text += " beside entropy"
	}
	return text
}

// memoryTable writes medians of the peaks after fitting and after predicting.
func memoryTable(b *strings.Builder, all []contest, shown, references []string) {
	var rows [][]string
	for _, c := range all {
		row := []string{c.first.Set}
		for _, s := range shown {
			row = append(row, c.cell(s, func(t *tally) string { return digits(t.median(fitMB)) + " / " + digits(t.median(peakMB)) }))
		}
		rows = append(rows, append(row, c.share(references, fitMB)+" / "+c.share(references, peakMB)))
	}
	last := "ours by the smaller of " + strings.Join(references, ", ")
	writeTable(b, "Peak memory of the whole process, MB, after fit / after predict", slices.Concat([]string{"set"}, shown, []string{last}), rows)
}

// share returns ours by the least of the references.
func (c contest) share(references []string, v value) string {
	peer := c.least(references, func(p string) float64 { return c.tallies[p].median(v) }, func(string) bool { return true })
	if peer == "" {
		return "–"
	}
	return digits(c.tallies[us].median(v) / c.tallies[peer].median(v))
}

func scoreTables(b *strings.Builder, all []contest, shown, references []string) {
	scoreTable(b, "Accuracy", all, shown, references, accuracy, 1)
	scoreTable(b, "Recall of the rarest class", all, shown, references, recall, 1)
	scoreTable(b, "Log loss of the shares of the votes, none taken below 0.001", all, shown, references, logLoss, -1)
}

// scoreTable writes means and standard errors. Sign is 1 where more is better, -1 where less is.
func scoreTable(b *strings.Builder, title string, all []contest, shown, references []string, v value, sign float64) {
	var rows [][]string
	for _, c := range all {
		row := []string{c.first.Set + ", " + english.Plural(len(c.tallies[us].runs), "seed")}
		for _, s := range shown {
			row = append(row, c.cell(s, func(t *tally) string { return t.moments(v).String() }))
		}
		rows = append(rows, append(row, c.within(append(slices.Clone(references), c.fastest(fitS)), v, sign)))
	}
	writeTable(b, title, slices.Concat([]string{"set"}, shown, []string{"ours within one se"}), rows)
}

func (m moments) String() string {
	if m.n < 2 {
		return fmt.Sprintf("%.5f", m.mean)
	}
	return fmt.Sprintf("%.5f ± %.5f", m.mean, m.se())
}

// modelTable writes what was measured of saved models and single rows.
func modelTable(b *strings.Builder, all []contest, shown []string) {
	columns := []struct {
		title string
		value value
	}{
		{"votes of one row, µs", func(r result) number { return r.RowUS }},
		{"allocations", func(r result) number { return r.RowAllocs }},
		{"decision and probabilities of one row, µs", func(r result) number { return r.DecideUS }},
		{"allocations", func(r result) number { return r.DecideAllocs }},
		{"model file, MB", fileMB},
		{"to load it, ms", func(r result) number { return 1000 * r.LoadS }},
	}
	titles := []string{"set", "side"}
	for _, col := range columns {
		titles = append(titles, col.title)
	}
	var rows [][]string
	for _, c := range all {
		for _, s := range shown {
			if !c.has(s) || math.IsNaN(float64(c.tallies[s].runs[0].FileBytes)) {
				continue
			}
			row := []string{c.first.Set, s}
			for _, col := range columns {
				row = append(row, digits(c.tallies[s].median(col.value)))
			}
			rows = append(rows, row)
		}
	}
	if len(rows) > 0 {
		writeTable(b, "The saved model, and rows one by one", titles, rows)
	}
}

// cell shows a side with its marks, or why there is nothing to show.
func (c contest) cell(side string, show func(*tally) string) string {
	return c.shown(side, func(t *tally) string { return show(t) + c.marks(side) })
}

// marks returns what the legend explains.
func (c contest) marks(side string) string {
	text := ""
	if side != us && !c.equal(side) {
		text += " †"
	}
	if len(c.tallies[side].runs) == 1 && len(c.tallies[us].runs) > 1 {
		text += " ‡"
	}
	return text
}

// digits shows x with three digits, or all before the point.
func digits(x float64) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case x == 0:
		return "0"
	}
	return strconv.FormatFloat(x, 'f', max(0, 2-int(math.Floor(math.Log10(math.Abs(x))))), 64)
}

func writeTable(b *strings.Builder, title string, header []string, rows [][]string) {
	fmt.Fprintf(b, "\n**%s**\n\n| %s |\n|%s\n", title, strings.Join(header, " | "), strings.Repeat("---|", len(header)))
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}
