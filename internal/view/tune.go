package view

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// TotalCosts is nil where the measure is no cost.
func (s *Tuning) TotalCosts() *tunedCosts {
	of := s.Loss.Costs
	if of.Matrix == nil {
		return nil
	}
	plain := s.Staked.Confuse(nil)
	return &tunedCosts{
		Tuned: of.Total(s.Staked.Confuse(s.Found.Weights)), Plain: of.Total(plain),
		Cost: of.Total(s.Staked.Confuse(of.Weights(tables.MeanAmounts(s.Table)))), Always: of.Always(plain),
	}
}

// TuneResult is what tune writes as JSON.
type TuneResult struct {
	Heading
	Data        DataInfo                  `json:"data"`        // the rows that the votes are of
	Unvoted     int                       `json:"unvoted"`     // rows without a vote
	Trees       int                       `json:"trees"`       // most votes that a row has, 0 of scores
	Measure     string                    `json:"measure"`     // what the weights are searched for
	Preferences map[string]PreferenceInfo `json:"preferences"` // what is wanted of each class
	Method      string                    `json:"method"`      // of the search
	Loss        float64                   `json:"loss"`        // on these votes, under the weights
	Plain       float64                   `json:"plain"`       // on these votes, under the plain vote
	Prior       float64                   `json:"prior"`       // under weights of 1/share
	// under the weights that the model had; not of votes
	Before *float64 `json:"before,omitempty"`
	// the lowest loss found within the floors, which chance takes part in; not of weights that were given
	Lowest *float64 `json:"lowest,omitempty"`
	// so many searches found it, of as many as the field of says
	Agreed int `json:"agreed,omitempty"`
	Of     int `json:"of,omitempty"` // number of searches
	// on new rows; not of weights that were given
	Expected    *expectedLoss `json:"expected,omitempty"`
	Costs       *tunedCosts   `json:"costs,omitempty"` // where the measure is a cost
	Classes     []tunedClass  `json:"classes"`         // the weights, in the order of the matrices
	Confusion   [][]float64   `json:"confusion"`       // under the weights
	PlainMatrix [][]float64   `json:"confusion_plain"` // under the plain vote
	// under the weights that the model had; not of votes
	Was [][]float64 `json:"confusion_before,omitempty"`
	// what the lists are worth that were asked for
	Top []eval.TopListFigures `json:"top,omitempty"`
	// what a limit of alarms costs on new rows; where costs say what is wanted, and not of weights that were given
	Limit *LimitCost `json:"limit,omitempty"`
	// what else the votes allow for the one class that matters most, beside what is required, or what to ask for
	// instead of a recall that new rows may not keep; not of weights that were given
	Others []Alternative `json:"alternatives,omitempty"`
	AskedInfo
	Assessed
	Remarks
}

// expectedLoss is what to expect on new rows, by cross-validation of the search on the votes.
type expectedLoss struct {
	Loss float64 `json:"loss"` // under weights found without the row
	// 95 of 100 resamples of the rows, or of the groups they are of, are within; null of few groups
	Interval      *[2]float64 `json:"interval"`
	Plain         float64     `json:"plain"`            // under the plain vote
	StandardError *float64    `json:"standard_error"`   // of the difference; null of few groups
	Groups        int         `json:"groups,omitempty"` // how many the rows are of, if they have any
	// groups of equal weight that would tell as much, see effective.Share
	EffectiveGroups float64         `json:"effective_groups,omitempty"`
	Classes         []expectedClass `json:"classes,omitempty"` // not where costs are by amount
	// that these figures are of; absent where the weights found are 1 each
	WeightsByFold []eval.FoldWeights `json:"weights_by_fold,omitempty"`
}

type expectedClass struct {
	Label          string      `json:"class"`           // name of the class
	Recall         *float64    `json:"recall"`          // share of its rows that are found (sensitivity)
	RecallInterval *[2]float64 `json:"recall_interval"` // Wilson's, at 95 %
	// share of the decisions for it that are right (positive predictive value)
	Precision         *float64    `json:"precision"`
	PrecisionInterval *[2]float64 `json:"precision_interval"` // Wilson's, at 95 %
	// share of the rows of other classes that are not decided as it (true negative rate)
	Specificity *float64 `json:"specificity"`
	// share of the rows of other classes that are decided as it, 1 - specificity
	FalsePositives *float64 `json:"false_positive_rate"`
	// share of the rows not decided as it that are of another class
	NegativePredictive *float64 `json:"negative_predictive_value"`
}

type tunedClass struct {
	Label string `json:"class"` // name of the class
	Weighed
}

// Tuning is what tune has to show.
type Tuning struct {
	Name   string
	Table  *vote.Table
	Frame  *dataset.Frame // the rows that they are of; nil of votes in a file
	Staked *vote.Table    // by what is at stake, see pragma.Costs.Stakes
	Loss   Loss
	Spec   pragma.Spec
	Prefs  []pragma.Preference
	Floors []pragma.Floor
	Typed  Typed
	Choice anneal.Choice
	Sure   rfpragma.Sure
	Review rfpragma.Review
	// rows of the votes that are left to people, which are not in the tables; nil if all are decided
	Withheld *abstain.WithheldInfo
	Found    anneal.Result
	Trial    *anneal.Trial   // nil of weights that were given
	Prior    *eval.Gain      // what the search gains in it on weights of one over the share of each class; nil as in gain
	Cost     *eval.Gain      // likewise on weights by cost alone
	Was      *rfpragma.Model // that the votes are of; nil of any other votes
	Fresh    bool            // the rows are new to it, and to its weights
	// what the search gains in its trial on the weights that it had; nil as in gain, and of rows that are not fresh
	Kept  *eval.Gain
	Model *rfpragma.Model // the same with the weights found
	// how surely what is required holds on new rows; nil where that was not asked for
	Guarantee *rfpragma.Guarantee
	Top       []eval.TopListFigures
	Others    []Alternative
	Limit     *LimitCost
}

// Wanted is what was asked for.
func (s *Tuning) Wanted() *Goal {
	return &Goal{Classes: s.Table.Classes, Share: s.Table.Share, Ties: s.Table.Ties, Spec: s.Spec, Prefs: s.Prefs,
		Loss: s.Loss, Floors: FloorTexts(s.Floors, s.Table.Classes), Given: s.Trial == nil, Typed: s.Typed, Sure: s.Sure,
		Review: s.Review, Withheld: s.Withheld}
}

// Result is what tune writes as JSON, but for the costs and the words.
func (s *Tuning) Result(weights []Weighed) TuneResult {
	t := s.Table
	out := TuneResult{
		Expected: s.expected(), Agreed: s.Found.Agreed, Of: s.Found.Of,
		Heading: Heading{SchemaVersion, "tune"}, Data: DescribeVotes(s.Name, t, s.Frame), Unvoted: t.Unvoted(),
		Trees:   t.Trees,
		Measure: s.Loss.Name, Preferences: s.Wanted().Preferences(), AskedInfo: s.Wanted().Info(),
		Method: s.Found.Method.String(),
		Loss:   s.Found.Loss, Plain: s.Found.Plain, Prior: s.under(vote.Prior(t.Share)),
		Top: s.Top, Others: s.Others, Limit: s.Limit,
		Confusion: t.Confuse(s.Found.Weights).Rows(), PlainMatrix: t.Confuse(nil).Rows(),
	}
	for c, w := range weights {
		out.Classes = append(out.Classes, tunedClass{t.Classes[c], w})
	}
	if s.Trial != nil {
		out.Lowest = &s.Found.Lowest
	}
	if s.Was != nil {
		before := s.under(s.Was.Weights)
		out.Before, out.Was = &before, t.Confuse(s.Was.Weights).Rows()
	}
	return out
}

// WeightTable shows the weights, and what else they are called; with details also how far each could move.
func (s *Tuning) WeightTable(weights []Weighed, details bool) *layout.Grid {
	g := &layout.Grid{Head: []string{"class", "vote weight", "cutoff", "same loss with"}}
	for c, w := range weights {
		g.Add(s.Table.Classes[c], w.text(), fmt.Sprintf("%.3g", w.Cutoff), layout.Plateau(w.Plateau))
	}
	if !details {
		g.Without("same loss with")
		return g
	}
	if s.searched() {
		g.Head = append(g.Head, "in the folds")
		for c, text := range s.foldRangeTexts() {
			g.Rows[c] = append(g.Rows[c], text)
		}
	}
	return g
}

// under returns the loss of all rows under weights.
func (s *Tuning) under(w vote.Weights) float64 { return s.Loss.Measure.Loss(s.Staked.Confuse(w)) }

// TrialReport is what is known of new rows: by the trial, or by the weights that were given, and of the lists.
func (s *Tuning) TrialReport() *eval.Report {
	report := &eval.Report{Top: s.Top, Weighed: weighedTable(s.Table), Votes: s.Table, Warnings: s.Found.Warnings}
	before, after, r := s.Table.Confuse(nil), s.Table.Confuse(s.Found.Weights), &report.Rules
	t := s.Trial
	if t == nil {
		r.Plain, r.Tuned = s.RuleUnder(before, s.under(nil), nil), s.RuleUnder(after, s.under(s.Found.Weights), nil)
		return report
	}
	report.Gain, report.Groups, report.EffectiveGroups = s.TrialGain(), t.Groups, t.EffectiveGroups
	// of which the matrix of the trial is
	if r.Plain, r.Tuned = s.RuleUnder(before, t.Plain, nil), s.RuleUnder(t.Confusion, t.Loss, t); s.Loss.Costs.Amounts() {
		r.Tuned = s.RuleUnder(after, t.Loss, nil)
	}
	if costs := s.Loss.Costs; costs.Matrix != nil {
		total := costs.Total(t.Confusion)
		r.Tuned.Cost, report.Always = &total, costs.Always(s.Staked.Confuse(nil))
	}
	if r.Prior = s.fixedRule(vote.Prior(s.Table.Share), s.Prior); s.Cost != nil {
		cost := s.fixedRule(s.Loss.Costs.Weights(tables.MeanAmounts(s.Table)), s.Cost)
		r.Cost = &cost
	}
	return report
}

// fixedRule is a way to decide the rows that was not searched for on them, and what the search gains on it.
func (s *Tuning) fixedRule(w vote.Weights, gain *eval.Gain) eval.Rule {
	rule := s.RuleUnder(s.Table.Confuse(w), s.under(w), nil)
	if rule.Gain = gain; s.Loss.Costs.Matrix != nil {
		total := s.Loss.Costs.Total(s.Staked.Confuse(w))
		rule.Cost = &total
	}
	return rule
}

// TrialGain is what the search gains in its trial; nil where the rows are of so few groups that nobody knows how sure
// that is.
func (s *Tuning) TrialGain() *eval.Gain {
	if t := s.Trial; !effective.TooFew(t.EffectiveGroups) {
		return &eval.Gain{Loss: t.Plain - t.Loss, StandardError: t.Error}
	}
	return nil
}

// RuleUnder is a way to decide the rows of the table. The intervals are those of the trial, if it is one.
func (s *Tuning) RuleUnder(m *vote.Confusion, loss float64, t *anneal.Trial) eval.Rule {
	r := eval.Rule{Pragma: loss, Confusion: m.Rows(), Classes: map[string]eval.Class{}}
	r.Means = eval.MeansOf(m, pragma.PriorityClasses(s.Prefs))
	r.Accuracy, _ = m.Accuracy()
	if s.Loss.Name != "pragma" {
		r.Loss = &loss
	}
	number := tables.EffectiveRows(s.Table)
	for c, name := range m.Classes {
		class := eval.ClassOf(m, c)
		if class.Rows = number[c]; t != nil {
			class.RecallInterval, class.PrecisionInterval = &t.Recall[c], &t.Precision[c]
		}
		r.Classes[name] = class
	}
	for at, slice := range s.Table.Slices {
		r.Slices = append(r.Slices, sliceOf(m, slice))
		for c, name := range m.Classes {
			if class := r.Slices[at].Classes[name]; t != nil && t.SliceRecall != nil {
				class.RecallInterval, class.PrecisionInterval = &t.SliceRecall[at][c], &t.SlicePrecision[at][c]
				r.Slices[at].Classes[name] = class
			}
		}
	}
	return r
}

// expected is what the trial says of new rows. Where costs are by amount, so are its matrices, and there is nothing
// to say of recall and precision.
func (s *Tuning) expected() *expectedLoss {
	if s.Trial == nil {
		return nil
	}
	out := &expectedLoss{Loss: s.Trial.Loss, Plain: s.Trial.Plain, Groups: s.Trial.Groups,
		EffectiveGroups: s.Trial.EffectiveGroups, WeightsByFold: s.foldWeights()}
	if s.TrialGain() != nil {
		out.Interval, out.StandardError = &s.Trial.Interval, &s.Trial.Error
	}
	if s.Loss.Costs.Amounts() {
		return out
	}
	for c, name := range s.Table.Classes {
		of := eval.ClassOf(s.Trial.Confusion, c)
		e := expectedClass{Label: name, Recall: of.Recall, Precision: of.Precision, Specificity: of.Specificity,
			FalsePositives: of.FalsePositives, NegativePredictive: of.NegativePredictive}
		if e.Recall != nil {
			e.RecallInterval = &s.Trial.Recall[c]
		}
		if e.Precision != nil {
			e.PrecisionInterval = &s.Trial.Precision[c]
		}
		out.Classes = append(out.Classes, e)
	}
	return out
}

// searched tells whether the trial is one of weights that were searched anew, and not of the plain vote.
func (s *Tuning) searched() bool { return s.Trial != nil && s.Trial.Weights != nil }

// foldRange returns the least and the largest figure of the weights of the folds, and that of the weights found.
func (s *Tuning) foldRange(figure func(vote.Weights) float64) (low, high, here float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, w := range s.Trial.Weights {
		low, high = min(low, figure(w)), max(high, figure(w))
	}
	return low, high, figure(s.Found.Weights)
}

// foldWeights returns the weights of the folds as a cross-validation of all has them.
func (s *Tuning) foldWeights() []eval.FoldWeights {
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
func (s *Tuning) foldRangeTexts() []string {
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

// FirstScreen is what tune finds: by a cross-validation of the search on the votes, or of weights that were given.
func (s *Tuning) FirstScreen() *result {
	r := &result{
		title: "EXPECT ON NEW ROWS", goal: s.Wanted(), points: s.Others, limit: s.Limit, fixed: s.Trial == nil,
		Subject: &assess.Subject{Goal: s.Wanted().pragmaGoal(), Report: s.TrialReport(), Weights: s.Found.Weights,
			Decided: s.Withheld.Decided(), Sure: s.Sure},
	}
	if s.Trial == nil { // of which nothing is known on new rows
		r.title = "ON THESE VOTES"
	}
	if s.searched() {
		r.Subject.FoldWeights = append(slices.Clone(s.Trial.Weights), s.Found.Weights)
	}
	if s.Was != nil && s.Table.Source == vote.OOB && s.Was.Provenance.Reading.Time != "" {
		r.Subject.Rows = codes.MixedRows
	}
	if s.Fresh && s.Trial != nil {
		had := s.fixedRule(s.Was.Weights, s.Kept)
		r.Subject.Had = &had
	}
	return r.found()
}
