package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/say"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// searched tells whether the trial is one of weights that were searched anew, and not of the plain vote.
func (s *shownTuning) searched() bool { return s.trial != nil && s.trial.Weights != nil }

// trialWords says whose figures those of the trial are: not of the weights that were found, but of others, found as they were. Of two classes it says first what weights do that lie beyond those.
func (s *shownTuning) trialWords() []string {
	if !s.searched() {
		return nil
	}
	t, spread, lines := s.table, "", []string(nil)
	if len(t.Classes) == 2 {
		c := pragma.MattersMore(t.TieOrder(), s.prefs)
		low, high, here := s.foldRange(func(w vote.Weights) float64 { return float64(tables.Enough(t.Rule(w), t.Trees, c)) })
		spread = fmt.Sprintf(" (%.0f to %.0f of %s are enough for %q; here %.0f)", low, high, english.Plural(t.Trees, "vote"), t.Classes[c], here)
		if low == high && low == here {
			spread = fmt.Sprintf(" (as here %.0f of %s are enough for %q)", here, english.Plural(t.Trees, "vote"), t.Classes[c])
		}
		if t.Scores {
			low, high, here = s.foldRange(func(w vote.Weights) float64 { return w[1-c] / (w[c] + w[1-c]) })
			spread = fmt.Sprintf(" (thresholds of %.3g to %.3g on the share of %q; here %.3g)", low, high, t.Classes[c], here)
		}
		if m := t.Confuse(s.found.Weights); here < low || here > high {
			recall, _ := m.Recall(c)
			which := "more"
			if here > high {
				which = "fewer"
			}
			lines = append(lines, fmt.Sprintf("The weights found decide %s rows as %q than those of any fold: on these votes they find %s of it and raise %s in 10,000 rows.",
				which, t.Classes[c], percent(recall), english.Plural(inTenThousand(m.Predicted(c)/m.Total()), "alarm")))
		}
	}
	return append(lines, fmt.Sprintf("What to expect of weights found this way, searched anew in each of %d folds%s and judged on the rows left out:", len(s.trial.Weights), spread))
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

// takeCurved says how to ask for it, where much precision makes up for next to no recall.
const takeCurved = "take --measure " + curved + ", by which much precision does not make up for little recall"

// agreeing says what to do where weights disagree that find so many of 100 rows, more rows being one way: by the plane of PRAGMA next to no alarm may be as good as many, by a curved surface what lies
// between is better.
func agreeing(f *finding.Finding, more string) string {
	if !f.Remedied(codes.TakeMeasure) {
		return more
	}
	return takeCurved + ", or " + more
}

// discord is what weights that disagree find of the same votes.
type discord struct {
	class   string
	found   []float64 // of 100 rows of the class, by the weights of each fold
	ways    string    // what to do
	weights []vote.Weights
}

// discordOf tells of weights that disagree; nil where they do not.
func discordOf(s *assess.Subject, weights []vote.Weights) (*discord, *finding.Finding) {
	s.FoldWeights = weights
	f := assess.Folds(s)
	if f == nil {
		return nil, nil
	}
	d := &discord{class: f.Classes[0], weights: weights}
	for _, g := range f.Figures {
		d.found = append(d.found, 100*g.Value)
	}
	return d, f
}

// words say what figures are worth that such weights make; none where there is no discord.
func (d *discord) words(voice say.Voice) []string {
	if d == nil {
		return nil
	}
	recalls := make([]float64, len(d.found))
	for i, of := range d.found {
		recalls[i] = of / 100
	}
	f := assess.Unstable(finding.Where{}, d.class, recalls)
	return []string{voice.Clause(&f) + "; " + d.ways + "."}
}

// mostFolds is how many folds are told of one by one.
const mostFolds = 10

// discord of the weights of the folds, nil where there is none.
func (job *cvJob) discord(report *eval.Report) *discord {
	if job.aim.byCost { // which goes by no weights
		return nil
	}
	d, f := discordOf(&assess.Subject{Goal: job.aim.goal(), Report: report}, foldWeights(job.frame.Classes, counted(report)))
	if d == nil {
		return nil
	}
	ways := agreeing(f, "train on more rows")
	if job.fit.Search.Choice == anneal.Lowest {
		ways += ", or with --choice careful"
	}
	if job.eval.Repeats < 2 {
		ways += "; --repeats 5 shows how far other folds go"
	}
	d.ways = ways
	return d
}

// cautions warns of weights of folds that disagree: the figures of all rows together are those of no model then.
func (job *cvJob) cautions(report *eval.Report) []error {
	d := job.discord(report)
	if d == nil {
		return nil
	}
	found := d.found
	shares := fmt.Sprintf("from %s to %s", about(slices.Min(found)), about(slices.Max(found)))
	if len(found) <= mostFolds {
		each := make([]string, len(found))
		for f, share := range slices.Sorted(slices.Values(found)) {
			each[f] = about(share)
		}
		shares = joined(each)
	}
	return []error{fmt.Errorf("the folds disagree: on the same votes their weights find %s of 100 rows of %s, so the figures of all rows together are those of no single model; %s", shares, english.Quote(d.class), d.ways)}
}

// discord of the weights of the folds with each other and with those found, nil where there is none.
func (s *shownTuning) discord() *discord {
	if !s.searched() {
		return nil
	}
	d, f := discordOf(&assess.Subject{Goal: s.aim().goal(), Report: &eval.Report{Votes: s.table}}, append(slices.Clone(s.trial.Weights), s.found.Weights))
	if d == nil {
		return nil
	}
	ways := agreeing(f, "tune on more rows")
	if s.choice == anneal.Lowest {
		ways += ", or with --choice careful"
	}
	d.ways = ways
	return d
}

// cautions warns of weights that cannot be relied on, and says what to do: where those of the folds disagree with each other or with those found, and
// where the search does worse than the plain vote.
func (s *shownTuning) cautions() []error {
	if !s.searched() {
		return nil
	}
	var why []string
	ways, keep := "tune on more rows", "the plain vote"
	if s.choice == anneal.Lowest {
		ways += ", or with --choice careful"
	}
	if d := s.discord(); d != nil {
		last := len(d.found) - 1
		why = append(why, fmt.Sprintf("the folds disagree: of 100 rows of %s their weights find from %s to %s of these votes, the weights found on all %s", english.Quote(d.class), about(slices.Min(d.found[:last])), about(slices.Max(d.found[:last])), about(d.found[last])))
		ways = d.ways
	}
	if worse(s.trial.Plain, s.trial.Loss, s.gain()) {
		plain, tuned := besides(s.trial.Plain, s.trial.Loss)
		why = append(why, fmt.Sprintf("in a cross-validation the search does worse than the plain vote: the loss goes from %s to %s", plain, tuned))
	}
	if why == nil {
		return s.rarer()
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

// rarer warns of the first of the classes that matter most of which less is found than by the plain vote, although more may be meant to be.
func (s *shownTuning) rarer() []error {
	plain, tuned, figures := s.table.Confuse(nil), s.table.Confuse(s.found.Weights), rfpragma.FiguresOf(s.table, s.found.Weights)
	for _, c := range s.aim().matter() {
		if figures != nil && tuned.Hits(c) < plain.Hits(c) {
			return rarer(s.aim(), c, figures[c].Recall)
		}
	}
	return nil
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
