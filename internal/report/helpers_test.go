package report_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// decider decides votes under weights, and takes their shares for probabilities.
type decider struct {
	eval.Classifier
	weights vote.Weights
}

func (d decider) VoteWeights() vote.Weights { return d.weights }

func (d decider) Probabilities(dst []float64, votes []uint32) {
	total := float64(vote.Total(votes))
	for c, v := range votes {
		dst[c] = float64(v) / total
	}
}

const trees = 30

// table draws rows whose votes lean to their class; the classes are the rarer, the later they come.
func table(classes []string, rows int) *vote.Table {
	k := len(classes)
	rng := rand.New(rand.NewPCG(7, 7))
	t := &vote.Table{Classes: classes, Trees: trees, Source: vote.Holdout, Share: make([]float64, k)}
	for c := range k {
		t.Share[c] = float64(2*(k-c)) / float64(k*(k+1))
	}
	for i := range rows {
		truth := i % k
		if truth > 0 && rng.Float64() < 0.5 {
			truth = rng.IntN(truth)
		}
		votes := make([]uint32, k)
		for range trees {
			if c := rng.IntN(k); rng.Float64() < 0.6 {
				votes[c]++
			} else {
				votes[truth]++
			}
		}
		t.Truth, t.Counts = append(t.Truth, truth), append(t.Counts, votes...)
	}
	return t
}

// input judges a table under weights; the last class is the one that matters.
func input(t *testing.T, classes []string, rows int) report.Input {
	t.Helper()
	return inputOf(t, table(classes, rows))
}

func inputOf(t *testing.T, votes *vote.Table) report.Input {
	t.Helper()
	k := len(votes.Classes)
	w := make(vote.Weights, k)
	for c := range w {
		w[c] = 1 + float64(c)/float64(k)
	}
	return weighed(t, votes, w)
}

func weighed(t *testing.T, votes *vote.Table, w vote.Weights) report.Input {
	t.Helper()
	classes, k := votes.Classes, len(votes.Classes)
	spec := pragma.Spec{classes[k-1]: pragma.Priority()}
	measure, err := spec.Measure(classes)
	if err != nil {
		t.Fatal(err)
	}
	d := decider{weights: w}
	judged, err := eval.Evaluate(context.Background(), votes, d, eval.Config{
		Pragma: measure, Raw: d.Probabilities, Priority: []int{k - 1},
		Tune: func(context.Context, *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
			return w, d.Probabilities, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return report.Input{Eval: judged, Spec: spec, Measure: "pragma", Loss: measure, Weights: w}
}

func made(t *testing.T, in report.Input) *report.Report {
	t.Helper()
	r, err := report.New(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
