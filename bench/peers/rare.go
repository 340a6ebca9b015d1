package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/bench/measure"
)

// rareReport returns the tables of what each side makes of rare classes: a line for each side,
// a column for each set. The first side is the one that the others are compared with.
func rareReport(t table, runs []result) (string, error) {
	all, shown, err := t.results(runs)
	if err != nil {
		return "", err
	}
	first := t.sides[0].name
	var b strings.Builder
	b.WriteString(conditions(runs, shown))
	sizes(&b, all)
	for _, m := range []struct {
		title string
		value value
		sign  float64 // 1 where more is better
	}{
		{"PRAGMA, a loss: 0 is perfect", pragmaOf, -1},
		{"Recall of the rarest class", recall, 1},
		{"Precision of the rarest class", precision, 1},
		{"Accuracy", accuracy, 1},
		{"Log loss of the probabilities, none taken below 0.001", logLoss, -1},
	} {
		rows := bySide(all, shown, func(c contest, side string) string { return c.compared(side, first, m.value, m.sign) })
		for i, side := range shown {
			rows[i] = append(rows[i], mean(all, side, m.value))
		}
		writeTable(&b, m.title, slices.Concat([]string{"side"}, setNames(all), []string{"mean"}), rows)
	}
	for _, m := range []struct {
		title string
		show  func(*tally) string
	}{
		{"Fit, with all that is tuned, seconds", func(t *tally) string { return digits(t.median(fitS)) }},
		{"Predict all test rows, seconds", func(t *tally) string { return digits(t.median(predictS)) }},
		{"Peak memory of the whole process / model file, MB", func(t *tally) string { return digits(t.median(peakMB)) + " / " + digits(t.median(fileMB)) }},
	} {
		rows := bySide(all, shown, func(c contest, side string) string { return c.shown(side, m.show) })
		writeTable(&b, m.title, slices.Concat([]string{"side"}, setNames(all)), rows)
	}
	fmt.Fprintf(&b, rareLegend+"\n", first)
	return b.String(), nil
}

const rareLegend = `
± is the standard error of the mean over the folds; as the folds share most of their training rows, it is a little too small. Against %s, fold by
fold: † worse, ‡ better, by more than two standard errors of the mean difference. The mean is over the sets, for a side that takes all of them.
Times and memory are medians over the folds.
`

// sizes says what the sets are.
func sizes(b *strings.Builder, all []contest) {
	var rows [][]string
	for _, c := range all {
		r := c.first
		rows = append(rows, []string{r.Set, fmt.Sprint(r.Rows), fmt.Sprint(r.Tests), fmt.Sprint(r.Features), fmt.Sprint(r.Classes)})
	}
	writeTable(b, "The sets", []string{"set", "rows to train on", "rows to test on, in each fold", "features", "classes"}, rows)
}

func setNames(all []contest) []string {
	var list []string
	for _, c := range all {
		list = append(list, c.first.Set)
	}
	return list
}

// bySide returns a line for each side, of its name and a cell for each set.
func bySide(all []contest, shown []string, cell func(c contest, side string) string) [][]string {
	var rows [][]string
	for _, side := range shown {
		row := []string{side}
		for _, c := range all {
			row = append(row, cell(c, side))
		}
		rows = append(rows, row)
	}
	return rows
}

// shown shows a side, or why there is nothing to show.
func (c contest) shown(side string, show func(*tally) string) string {
	t := c.tallies[side]
	switch {
	case t == nil:
		return "–"
	case len(t.runs) == 0:
		return t.status
	}
	return show(t)
}

// compared shows the mean of v, with a mark where it differs from that of the first side.
func (c contest) compared(side, first string, v value, sign float64) string {
	return c.shown(side, func(t *tally) string {
		m := t.moments(v)
		text := fmt.Sprintf("%.4f", m.mean)
		if m.n > 1 {
			text += fmt.Sprintf(" ± %.4f", m.se())
		}
		return text + c.verdict(side, first, v, sign)
	})
}

// verdict says whether a side is better or worse than the first by more than two standard
// errors of the mean difference over the seeds that both have.
func (c contest) verdict(side, first string, v value, sign float64) string {
	var gains []float64
	for _, r := range c.tallies[side].runs {
		for _, other := range c.tallies[first].runs {
			if other.Seed == r.Seed {
				gains = append(gains, sign*float64(v(r)-v(other)))
			}
		}
	}
	gain, sd := measure.MeanSD(gains)
	switch beyond := 2 * sd / math.Sqrt(float64(len(gains))); {
	case gain < -beyond:
		return " †"
	case gain > beyond:
		return " ‡"
	}
	return ""
}

// mean returns the mean over all sets of the mean of v; "–" where a set is lacking.
func mean(all []contest, side string, v value) string {
	var means []float64
	for _, c := range all {
		if !c.has(side) {
			return "–"
		}
		means = append(means, c.tallies[side].moments(v).mean)
	}
	of, _ := measure.MeanSD(means)
	return fmt.Sprintf("%.4f", of)
}
