package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/tradeoff"
	"github.com/rfpragma/rfpragma/vote"
)

// tuneResult is what tune writes as JSON.
type tuneResult struct {
	heading
	Data        dataInfo                  `json:"data"`                       // the rows that the votes are of
	Unvoted     int                       `json:"unvoted"`                    // rows without a vote
	Trees       int                       `json:"trees"`                      // most votes that a row has, 0 of scores
	Measure     string                    `json:"measure"`                    // what the weights are searched for
	Preferences map[string]preferenceInfo `json:"preferences"`                // what is wanted of each class
	Method      string                    `json:"method"`                     // of the search
	Loss        float64                   `json:"loss"`                       // on these votes, under the weights
	Plain       float64                   `json:"plain"`                      // on these votes, under the plain vote
	Prior       float64                   `json:"prior"`                      // under weights of 1/share
	Before      *float64                  `json:"before,omitempty"`           // under the weights that the model had; not of votes
	Lowest      *float64                  `json:"lowest,omitempty"`           // the lowest loss found within the floors, which chance takes part in; not of weights that were given
	Agreed      int                       `json:"agreed,omitempty"`           // so many searches found it, of as many as the field of says
	Of          int                       `json:"of,omitempty"`               // number of searches
	Expected    *expected                 `json:"expected,omitempty"`         // on new rows; not of weights that were given
	Costs       *tunedCosts               `json:"costs,omitempty"`            // where the measure is a cost
	Classes     []tunedClass              `json:"classes"`                    // the weights, in the order of the matrices
	Confusion   [][]float64               `json:"confusion"`                  // under the weights
	PlainMatrix [][]float64               `json:"confusion_plain"`            // under the plain vote
	Was         [][]float64               `json:"confusion_before,omitempty"` // under the weights that the model had; not of votes
	Top         []eval.TopListFigures     `json:"top,omitempty"`              // what the lists are worth that were asked for
	Limit       *limitCost                `json:"limit,omitempty"`            // what a limit of alarms costs on new rows; where costs say what is wanted, and not of weights that were given
	Others      []alternative             `json:"alternatives,omitempty"`     // what else the votes allow for the one class that matters most, beside what is required, or what to ask for instead of a recall that new rows may not keep; not of weights that were given
	askedInfo
	findings
	remarks
}

// expected is what to expect on new rows, by cross-validation of the search on the votes.
type expected struct {
	Loss            float64            `json:"loss"`                       // under weights found without the row
	Interval        *[2]float64        `json:"interval"`                   // 95 of 100 resamples of the rows, or of the groups they are of, are within; null of few groups
	Plain           float64            `json:"plain"`                      // under the plain vote
	StandardError   *float64           `json:"standard_error"`             // of the difference; null of few groups
	Groups          int                `json:"groups,omitempty"`           // how many the rows are of, if they have any
	EffectiveGroups float64            `json:"effective_groups,omitempty"` // groups of equal weight that would tell as much, see effective.Share
	Classes         []expectedClass    `json:"classes,omitempty"`          // not where costs are by amount
	WeightsByFold   []eval.FoldWeights `json:"weights_by_fold,omitempty"`  // that these figures are of; absent where the weights found are 1 each
}

type expectedClass struct {
	Label              string      `json:"class"`                     // name of the class
	Recall             *float64    `json:"recall"`                    // share of its rows that are found (sensitivity)
	RecallInterval     *[2]float64 `json:"recall_interval"`           // Wilson's, at 95 %
	Precision          *float64    `json:"precision"`                 // share of the decisions for it that are right (positive predictive value)
	PrecisionInterval  *[2]float64 `json:"precision_interval"`        // Wilson's, at 95 %
	Specificity        *float64    `json:"specificity"`               // share of the rows of other classes that are not decided as it (true negative rate)
	FalsePositives     *float64    `json:"false_positive_rate"`       // share of the rows of other classes that are decided as it, 1 - specificity
	NegativePredictive *float64    `json:"negative_predictive_value"` // share of the rows not decided as it that are of another class
}

type tunedClass struct {
	Label string `json:"class"` // name of the class
	weighed
}

// shownTuning is what tune has to show.
type shownTuning struct {
	name   string
	table  *vote.Table
	frame  *dataset.Frame // the rows that they are of; nil of votes in a file
	staked *vote.Table    // by what is at stake, see pragma.Costs.Stakes
	loss   loss
	spec   pragma.Spec
	prefs  []pragma.Preference
	floors []pragma.Floor
	choice anneal.Choice
	found  anneal.Result
	trial  *anneal.Trial   // nil of weights that were given
	prior  *eval.Gain      // what the search gains in it on weights of one over the share of each class; nil as in gain
	cost   *eval.Gain      // likewise on weights by cost alone
	was    *rfpragma.Model // that the votes are of; nil of any other votes
	fresh  bool            // the rows are new to it, and to its weights
	kept   *eval.Gain      // what the search gains in its trial on the weights that it had; nil as in gain, and of rows that are not fresh
	model  *rfpragma.Model // the same with the weights found
	top    []eval.TopListFigures
	others []alternative
	limit  *limitCost
}

// aim is what was asked for.
func (s *shownTuning) aim() *aim {
	return &aim{classes: s.table.Classes, share: s.table.Share, ties: s.table.Ties, spec: s.spec, prefs: s.prefs, loss: s.loss, floors: floorTexts(s.floors, s.table.Classes), given: s.trial == nil}
}

// result is what tune writes as JSON, but for the costs and the words.
func (s *shownTuning) result(weights []weighed) tuneResult {
	t := s.table
	out := tuneResult{
		Expected: s.expected(), Agreed: s.found.Agreed, Of: s.found.Of,
		heading: heading{schemaVersion, "tune"}, Data: describeVotes(s.name, t, s.frame), Unvoted: t.Unvoted(), Trees: t.Trees,
		Measure: s.loss.name, Preferences: s.aim().preferences(), askedInfo: s.aim().info(), Method: s.found.Method.String(), Loss: s.found.Loss, Plain: s.found.Plain, Prior: s.under(vote.Prior(t.Share)),
		Top: s.top, Others: s.others, Limit: s.limit,
		Confusion: t.Confuse(s.found.Weights).Rows(), PlainMatrix: t.Confuse(nil).Rows(),
	}
	for c, w := range weights {
		out.Classes = append(out.Classes, tunedClass{t.Classes[c], w})
	}
	if s.trial != nil {
		out.Lowest = &s.found.Lowest
	}
	if s.was != nil {
		before := s.under(s.was.Weights)
		out.Before, out.Was = &before, t.Confuse(s.was.Weights).Rows()
	}
	return out
}

// weightTable shows the weights, and what else they are called.
func (s *shownTuning) weightTable(weights []weighed) *grid {
	g := &grid{head: []string{"class", "vote weight", "same loss with", "cutoff"}}
	for c, w := range weights {
		g.add(s.table.Classes[c], w.text(), plateauText(w.Plateau), fmt.Sprintf("%.3g", w.Cutoff))
	}
	if s.searched() {
		g.head = append(g.head, "in the folds")
		for c, text := range s.foldRangeTexts() {
			g.rows[c] = append(g.rows[c], text)
		}
	}
	return g
}

// under returns the loss of all rows under weights.
func (s *shownTuning) under(w vote.Weights) float64 { return s.loss.measure.Loss(s.staked.Confuse(w)) }

// judged is what is known of new rows: by the trial, or by the weights that were given, and of the lists.
func (s *shownTuning) judged() *eval.Report {
	report := &eval.Report{Top: s.top, Weighed: weighedTable(s.table), Votes: s.table, Warnings: s.found.Warnings}
	before, after, r := s.table.Confuse(nil), s.table.Confuse(s.found.Weights), &report.Rules
	t := s.trial
	if t == nil {
		r.Plain, r.Tuned = s.rule(before, s.found.Plain, nil), s.rule(after, s.found.Loss, nil)
		return report
	}
	report.Gain, report.Groups, report.EffectiveGroups = s.gain(), t.Groups, t.EffectiveGroups
	if r.Plain, r.Tuned = s.rule(before, t.Plain, nil), s.rule(t.Confusion, t.Loss, t); s.loss.costs.Amounts() { // of which the matrix of the trial is
		r.Tuned = s.rule(after, t.Loss, nil)
	}
	if costs := s.loss.costs; costs.Matrix != nil {
		total := costs.Total(t.Confusion)
		r.Tuned.Cost, report.Always = &total, costs.Always(s.staked.Confuse(nil))
	}
	if r.Prior = s.fixed(vote.Prior(s.table.Share), s.prior); s.cost != nil {
		cost := s.fixed(s.loss.costs.Weights(tables.MeanAmounts(s.table)), s.cost)
		r.Cost = &cost
	}
	return report
}

// fixed is a way to decide the rows that was not searched for on them, and what the search gains on it.
func (s *shownTuning) fixed(w vote.Weights, gain *eval.Gain) eval.Rule {
	rule := s.rule(s.table.Confuse(w), s.under(w), nil)
	if rule.Gain = gain; s.loss.costs.Matrix != nil {
		total := s.loss.costs.Total(s.staked.Confuse(w))
		rule.Cost = &total
	}
	return rule
}

// gain is what the search gains in its trial; nil where the rows are of so few groups that nobody knows how sure that is.
func (s *shownTuning) gain() *eval.Gain {
	if t := s.trial; !effective.TooFew(t.EffectiveGroups) {
		return &eval.Gain{Loss: t.Plain - t.Loss, StandardError: t.Error}
	}
	return nil
}

// compare fills in what the search gains in its trial on weights that need none, and on those of a model to which the rows are new.
func (s *shownTuning) compare(search anneal.Search) (err error) {
	if s.trial == nil || s.gain() == nil {
		return nil
	}
	on := func(w vote.Weights) *eval.Gain {
		var g eval.Gain
		if err == nil {
			g.Loss, g.StandardError, err = search.Gain(s.staked, s.loss.measure, *s.trial, w)
		}
		return &g
	}
	if s.fresh {
		s.kept = on(s.was.Weights)
	}
	if s.loss.costs.Amounts() {
		return err
	}
	if s.prior = on(vote.Prior(s.table.Share)); s.loss.costs.Matrix != nil {
		s.cost = on(s.loss.costs.Weights(tables.MeanAmounts(s.table)))
	}
	return err
}

// offer finds what else the votes allow. Where weights are given a requirement moves nothing, and beside costs by amount there is none.
func (s *shownTuning) offer(ctx context.Context, search anneal.Search) (err error) {
	if s.trial == nil || slices.ContainsFunc(s.found.Warnings, unreached) || s.loss.costs.Amounts() {
		return nil
	}
	t, judged := s.table, s.judged()
	if s.limit, err = tradeoff.LimitOf(ctx, s.try(search), s.aim().asks(nil), judged.Rules.Tuned.Cost, judged.Rules.Tuned.Classes); err != nil {
		return err
	}
	tuned := s.rule(t.Confuse(s.found.Weights), s.found.Loss, s.trial)
	if len(s.floors) > 0 { // on these votes the weights keep them
		tuned = judged.Rules.Tuned
	}
	tuned.Cost, judged.Rules.Tuned = judged.Rules.Tuned.Cost, tuned
	s.others, err = tradeoff.Promised(ctx, s.try(search), &judged.Rules.Tuned, s.aim().asks(judged), tradeoff.Points(tradeoff.Voted{Table: t, Weights: s.found.Weights, Tuned: &tuned}, s.aim().most(), s.floors))
	return err
}

// rule is a way to decide the rows of the table. The intervals are those of the trial, if it is one.
func (s *shownTuning) rule(m *vote.Confusion, loss float64, t *anneal.Trial) eval.Rule {
	r := eval.Rule{Pragma: loss, Confusion: m.Rows(), Classes: map[string]eval.Class{}}
	r.Means = eval.MeansOf(m, pragma.PriorityClasses(s.prefs))
	r.Accuracy, _ = m.Accuracy()
	if s.loss.name != "pragma" {
		r.Loss = &loss
	}
	number := tables.EffectiveRows(s.table)
	for c, name := range m.Classes {
		class := eval.ClassOf(m, c)
		if class.Rows = number[c]; t != nil {
			class.RecallInterval, class.PrecisionInterval = &t.Recall[c], &t.Precision[c]
		}
		r.Classes[name] = class
	}
	return r
}

// expected is what the trial says of new rows. Where costs are by amount, so are its matrices, and there is nothing
// to say of recall and precision.
func (s *shownTuning) expected() *expected {
	if s.trial == nil {
		return nil
	}
	out := &expected{Loss: s.trial.Loss, Plain: s.trial.Plain, Groups: s.trial.Groups, EffectiveGroups: s.trial.EffectiveGroups, WeightsByFold: s.foldWeights()}
	if s.gain() != nil {
		out.Interval, out.StandardError = &s.trial.Interval, &s.trial.Error
	}
	if s.loss.costs.Amounts() {
		return out
	}
	for c, name := range s.table.Classes {
		of := eval.ClassOf(s.trial.Confusion, c)
		e := expectedClass{Label: name, Recall: of.Recall, Precision: of.Precision, Specificity: of.Specificity, FalsePositives: of.FalsePositives, NegativePredictive: of.NegativePredictive}
		if e.Recall != nil {
			e.RecallInterval = &s.trial.Recall[c]
		}
		if e.Precision != nil {
			e.PrecisionInterval = &s.trial.Precision[c]
		}
		out.Classes = append(out.Classes, e)
	}
	return out
}
