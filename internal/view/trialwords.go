package view

import (
	"math"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/memorised"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/vote"
)

// searched tells whether the trial is one of weights that were searched anew, and not of the plain vote.
func (s *ShownTuning) searched() bool { return s.Trial != nil && s.Trial.Weights != nil }

// foldRange returns the least and the largest figure of the weights of the folds, and that of the weights found.
func (s *ShownTuning) foldRange(figure func(vote.Weights) float64) (low, high, here float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, w := range s.Trial.Weights {
		low, high = min(low, figure(w)), max(high, figure(w))
	}
	return low, high, figure(s.Found.Weights)
}

// foldWeights returns the weights of the folds as a cross-validation of all has them.
func (s *ShownTuning) foldWeights() []eval.FoldWeights {
	var out []eval.FoldWeights
	for f, w := range s.Trial.Weights {
		fold := eval.FoldWeights{Repeat: 1, Fold: f + 1, Weights: map[string]float64{}}
		for c, name := range s.Table.Classes {
			fold.Weights[name] = w[c]
		}
		out = append(out, fold)
	}
	return out
}

// foldRangeTexts shows by class the least and the largest weight of the folds.
func (s *ShownTuning) foldRangeTexts() []string {
	texts := make([]string, len(s.Table.Classes))
	for c := range texts {
		low, high, _ := s.foldRange(func(w vote.Weights) float64 { return w[c] })
		texts[c] = layout.Weight(low)
		if high := layout.Weight(high); high != texts[c] {
			texts[c] += " to " + high
		}
	}
	return texts
}

// CVJob is all that a cross-validation needs, checked before the first tree is grown.
type CVJob struct {
	Frame     *dataset.Frame
	Name      string
	Format    string
	Aim       *Aim // what is asked for
	Fit       rfpragma.Config
	Eval      eval.Config
	Rows      *predictions.Decisions // or nil, where nobody asks for them
	Chosen    ChosenForests          // with --tune-forest
	Fewer     string                 // says that there are fewer folds than usual
	Blocks    []dataset.Block        // of rows in the order of time, of which the first is not judged; nil for folds
	Voted     []VotedFold
	Others    []Alternative
	Limit     *LimitCost
	Memorised *memorised.Columns // columns that are better left out; nil where there are none

	Withheld *abstain.WithheldInfo // rows that are left undecided, which are in no figure; nil without --withhold
}
