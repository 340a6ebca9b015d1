package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/vote"
)

// searched tells whether the trial is one of weights that were searched anew, and not of the plain vote.
func (s *shownTuning) searched() bool { return s.trial != nil && s.trial.Weights != nil }

// trialWords says whose figures those of the trial are: not of the weights that were found, but of others, found as they were.
func (s *shownTuning) trialWords() []string {
	if !s.searched() {
		return nil
	}
	t, spread := s.table, ""
	if len(t.Classes) == 2 {
		c := mattersMore(t.Share, s.prefs)
		low, high, here := s.foldRange(func(w vote.Weights) float64 { return float64(vote.NewRule(w, t.Share, 2).Enough(t.Trees, c)) })
		spread = fmt.Sprintf(" (%.0f to %.0f of %s are enough for %q; here %.0f)", low, high, english.Plural(t.Trees, "vote"), t.Classes[c], here)
		if low == high && low == here {
			spread = fmt.Sprintf(" (as here %.0f of %s are enough for %q)", here, english.Plural(t.Trees, "vote"), t.Classes[c])
		}
		if t.Scores {
			low, high, here = s.foldRange(func(w vote.Weights) float64 { return w[1-c] / (w[c] + w[1-c]) })
			spread = fmt.Sprintf(" (thresholds of %.3g to %.3g on the share of %q; here %.3g)", low, high, t.Classes[c], here)
		}
	}
	return []string{fmt.Sprintf("What to expect of weights found this way, searched anew in each of %d folds%s and judged on the rows left out:", len(s.trial.Weights), spread)}
}

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

// muchRecall is how far the recall of a class goes apart under weights that disagree.
const muchRecall = 0.2

// cautions warns of weights that cannot be relied on, and says what to do: where those of the folds disagree with each other or with those found, and
// where the search does worse than the plain vote.
func (s *shownTuning) cautions() []error {
	if !s.searched() {
		return nil
	}
	var why []string
	h := s.table.Compress()
	for _, c := range s.aim().matter() {
		low, high, here := s.foldRange(func(w vote.Weights) float64 {
			recall, _ := h.Confuse(w).Recall(c)
			return recall
		})
		if max(high, here)-min(low, here) > muchRecall {
			why = append(why, fmt.Sprintf("the folds disagree: of 100 rows of %.64q their weights find from %s to %s of these votes, the weights found on all %s", s.table.Classes[c], about(100*low), about(100*high), about(100*here)))
			break
		}
	}
	if worse(s.trial.Plain, s.trial.Loss, s.gain()) {
		why = append(why, fmt.Sprintf("in a cross-validation the search does worse than the plain vote: the loss goes from %s to %s", lossText(s.trial.Plain), lossText(s.trial.Loss)))
	}
	if why == nil {
		return nil
	}
	ways, keep := "tune on more rows", "the plain vote"
	if s.choice == anneal.Lowest {
		ways += ", or with --choice careful"
	}
	was := vote.Weights(nil)
	if s.was != nil {
		keep, was = "the model as it was", s.was.Weights
	}
	if broken := s.broken(was); broken != "" {
		keep += ", which breaks what you require (" + broken + ")"
	}
	return []error{fmt.Errorf("%s; %s, or keep %s", strings.Join(why, "; "), ways, keep)}
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
