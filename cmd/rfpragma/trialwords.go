package main

import (
	"math"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/vote"
)

// searched tells whether the trial is one of weights that were searched anew, and not of the plain vote.
func (s *shownTuning) searched() bool { return s.trial != nil && s.trial.Weights != nil }

// foldRange returns the least and the largest figure of the weights of the folds, and that of the weights found.
func (s *shownTuning) foldRange(figure func(vote.Weights) float64) (low, high, here float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, w := range s.trial.Weights {
		low, high = min(low, figure(w)), max(high, figure(w))
	}
	return low, high, figure(s.found.Weights)
}

// foldWeights returns the weights of the folds as a cross-validation of all has them.
func (s *shownTuning) foldWeights() []eval.FoldWeights {
	var out []eval.FoldWeights
	for f, w := range s.trial.Weights {
		fold := eval.FoldWeights{Repeat: 1, Fold: f + 1, Weights: map[string]float64{}}
		for c, name := range s.table.Classes {
			fold.Weights[name] = w[c]
		}
		out = append(out, fold)
	}
	return out
}

// foldRangeTexts shows by class the least and the largest weight of the folds.
func (s *shownTuning) foldRangeTexts() []string {
	texts := make([]string, len(s.table.Classes))
	for c := range texts {
		low, high, _ := s.foldRange(func(w vote.Weights) float64 { return w[c] })
		texts[c] = weightText(low)
		if high := weightText(high); high != texts[c] {
			texts[c] += " to " + high
		}
	}
	return texts
}
