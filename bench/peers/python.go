package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/bench/measure"
)

// pythonReport returns the tables of what the estimator for Python takes beside Go and scikit-learn.
func pythonReport(t table, runs []result) (string, error) {
	all, shown, err := t.results(runs)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(conditions(runs, shown))
	for _, m := range []struct {
		title string
		value value
	}{{"Fit, seconds", fitS}, {"Probabilities of all test rows, seconds", predictS}} {
		var rows [][]string
		for _, c := range all {
			row := []string{c.first.Set + ", " + trained(c.first)}
			for _, s := range shown {
				row = append(row, c.shown(s, func(t *tally) string { return digits(t.median(m.value)) }))
			}
			rows = append(rows, row)
		}
		writeTable(&b, m.title, slices.Concat([]string{"set"}, shown), rows)
	}
	var rows [][]string
	for _, c := range all {
		rows = append(rows, []string{c.first.Set, c.byTurn(pythonTuned, tuned, bothS), c.byTurn("scikit-learn", python, fitS)})
	}
	writeTable(&b, "Ratios", []string{"set", "fit and probabilities: " + pythonTuned + " by " + tuned, "fit: scikit-learn by " + python}, rows)
	b.WriteString(pythonLegend)
	return b.String(), nil
}

const pythonLegend = `
Ratios are medians over the turns; behind them stand the least and the largest. Times of Python have within them that of the process that does the
work to start. ` + python + ` has the forest and its votes out of bag, as scikit-learn has a forest; its fit also measures what these votes are worth.
`

// bothS is the time to fit and to predict.
func bothS(r result) number { return r.FitS + r.PredictS }

// byTurn returns the median over the turns of v of a side by that of another, with the least and the largest.
func (c contest) byTurn(side, other string, v value) string {
	if !c.has(side) || !c.has(other) {
		return "–"
	}
	var turns []float64
	for _, r := range c.tallies[side].runs {
		for _, o := range c.tallies[other].runs {
			if o.Seed == r.Seed {
				turns = append(turns, float64(v(r)/v(o)))
			}
		}
	}
	if turns == nil {
		return "–"
	}
	return fmt.Sprintf("%s (%s–%s)", digits(measure.Median(turns)), digits(slices.Min(turns)), digits(slices.Max(turns)))
}
