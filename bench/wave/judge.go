package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/forest"
)

// model is a name and the scores of the tuning rows, then of the test rows, in [0, 1].
type model struct {
	name   string
	scores []float64
}

func readScores(path string) ([]model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(lines) != 1+tune+test {
		return nil, fmt.Errorf("%s: %d lines, want %d; make it again with scores.py", path, len(lines), 1+tune+test)
	}
	models := make([]model, len(lines[0]))
	for j, name := range lines[0] {
		models[j].name = name
		for _, line := range lines[1:] {
			v, err := strconv.ParseFloat(line[j], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			models[j].scores = append(models[j].scores, v)
		}
	}
	return models, nil
}

// forestScores are the shares of the votes of our forest.
func forestScores(ctx context.Context) (model, error) {
	all := rows()
	index := make([]int, all.Rows())
	for i := range index {
		index[i] = i
	}
	grown, _, err := forest.Grow(ctx, all.Take(index[:train]), forest.Config{Trees: 500, Seed: 1})
	if err != nil {
		return model{}, err
	}
	votes, err := grown.Votes(ctx, all.Take(index[train:]), 0)
	if err != nil {
		return model{}, err
	}
	m := model{name: "our forest"}
	for i := range votes.Rows() {
		m.scores = append(m.scores, float64(votes.Votes(i)[1])/float64(votes.Trees))
	}
	return m, nil
}

// ways are what is judged of each model.
var ways = []struct {
	name string
	fit  func(score []float64, hit []bool, weight []float64) (calib.Map, error)
}{
	{"raw", calib.None.Fit},
	{"Platt", calib.PlattRaw.Fit},
	{"isotonic", calib.IsotonicLinear.Fit},
}

// result is how the probabilities of a model did on the test rows, by way.
type result struct {
	model string
	of    []figures
}

// figures judge probabilities.
type figures struct {
	brier, logLoss, ece float64
	bins                []calib.Bin
}

func judge(models []model) ([]result, error) {
	truth := rows().Truth[train:]
	hit := make([]bool, len(truth))
	for i, c := range truth {
		hit[i] = c == 1
	}
	var results []result
	for _, m := range models {
		r := result{model: m.name}
		for _, w := range ways {
			fitted, err := w.fit(m.scores[:tune], hit[:tune], nil)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", m.name, w.name, err)
			}
			prob := make([]float64, test)
			for i, s := range m.scores[tune:] {
				prob[i] = fitted.Prob(s)
			}
			sample, err := calib.NewSample(prob, hit[tune:], nil, nil)
			if err != nil {
				return nil, err
			}
			report := sample.Report()
			r.of = append(r.of, figures{report.Brier.Score, report.LogLoss.Score, report.ECE, sample.Reliability(calib.ECEBins)})
		}
		results = append(results, r)
	}
	return results, nil
}

func table(results []result) string {
	var b strings.Builder
	head, under := "| model |", "|---|"
	for _, figure := range []string{"Brier", "log loss", "ECE"} {
		for _, w := range ways {
			head += " " + figure + ", " + w.name + " |"
			under += "---|"
		}
	}
	fmt.Fprintf(&b, "\n%s\n%s\n", head, under)
	for _, r := range results {
		line := "| " + r.model + " |"
		for _, of := range []func(figures) float64{
			func(f figures) float64 { return f.brier }, func(f figures) float64 { return f.logLoss }, func(f figures) float64 { return f.ece },
		} {
			lowest := slices.MinFunc(r.of, func(a, b figures) int { return cmp.Compare(of(a), of(b)) })
			for _, f := range r.of {
				mark := ""
				if of(f) == of(lowest) {
					mark = "**"
				}
				line += fmt.Sprintf(" %s%.4f%s |", mark, of(f), mark)
			}
		}
		fmt.Fprintln(&b, line)
	}
	return b.String() + "\n"
}
