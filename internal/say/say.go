// Package say has one sentence for each code, and what the command says around it; the public package of that name
// has the sentences.
package say

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/pragma"
)

// Voice is what all sentences about a result take for known. The zero value speaks of new rows by a preference.
type Voice struct {
	Classes  []string       // all classes
	First    string         // name of the class that matters most; "" if none does
	Measure  string         // name of the measure, as in pragma.Goal
	Amounts  bool           // costs are by amount
	Costs    string         // what the costs are called where others stand beside them, such as "the costs of the model"; "" where none do
	Floors   []pragma.Floor // what is required, as it was written
	Weighed  bool           // rows have case weights
	Unstable bool           // the folds disagree, so that figures are of no single model
	Fixed    bool           // the decisions are those of a model as it is, or of weights that were given
}

// About returns the voice for results by a goal.
func About(g pragma.Goal) Voice {
	v := Voice{Classes: g.Classes, Measure: g.Name, Amounts: g.Costs.Amounts(), Floors: g.Floors}
	if matter := g.Matter(); len(matter) > 0 {
		v.First = g.Classes[matter[0]]
	}
	return v
}

// sentences has what is said of each code.
var sentences = map[finding.Code]struct {
	say  func(v Voice, f *finding.Finding) string
	mean string // what it means, for docs/findings.md
	do   string // what to do
}{
	codes.GainProved: {Voice.gain, "Tuned weights lose less than the plain majority vote, by more than two standard errors where these are known.",
		"Nothing: this is what tuning is for."},
	codes.GainNone: {Voice.gain, "Tuning does not change the loss.",
		"If other decisions are wanted, say what must hold, or make the preference stronger."},
	codes.GainInconclusive: {Voice.gain, "The loss of tuned weights differs from that of the plain vote by no more than two standard errors.",
		"Take the plain vote where simple rules are worth something, or get more rows of the class that matters."},
	codes.GainUnmeasured: {Voice.gain, "The rows are of fewer than ten groups, so nobody knows how sure the difference between tuned weights and the plain vote is.",
		"Get rows of more groups."},
	codes.GainNegative: {Voice.gain, "Tuned weights lose more than the plain vote, by more than noise explains.",
		"Take the plain vote."},
	codes.RetuneBetter: {Voice.retuned, "On rows that are new to a model, newly tuned weights lose less than those that it has, by more than two standard errors.",
		"Take the new weights, unless they break what is required."},
	codes.RetuneInconclusive: {Voice.retuned,
		"On rows that are new to a model, newly tuned weights and those that it has differ by no more than two standard errors.",
		"Keep the model as it is."},
	codes.RetuneUnmeasured: {Voice.retuned,
		"The rows that are new to a model are of fewer than ten groups, so nobody knows how sure the difference between newly tuned weights and those that it has is.",
		"Get rows of more groups."},
	codes.RetuneWorse: {Voice.retuned, "On rows that are new to a model, newly tuned weights lose more than those that it has, by more than two standard errors.",
		"Keep the model as it is."},
	codes.BaselineBreaks: {Voice.plainBreaks,
		"The plain vote does better than tuned weights, but does not keep what is required.",
		"Ask for less, or get more rows."},
	codes.BaselineBetter: {Voice.baseline, "Weights that need no tuning lose less than the tuned ones.",
		"Take those weights: nothing has to be searched for them, and they do not depend on the luck of a search."},
	codes.BaselineEqual: {Voice.baseline, "Weights that need no tuning do as well as the tuned ones, but for noise.",
		"Take either. Where decisions have to be explained, take the weights that need no tuning."},
	codes.BaselineWorse: {Voice.baseline, "The best weights that need no tuning lose more than the tuned ones.",
		"Nothing: the tuned weights are worth their search."},
	codes.ConstantBetter: {Voice.constant, "To decide all rows alike, without a model, loses less than the model does.",
		"Do not use the model for these costs or this preference. Check that they say what is meant."},
	codes.ConstantWorse: {Voice.constant, "To decide all rows alike loses as much as the model does, or more.",
		"Nothing: the difference is what the model is worth."},
	codes.ClassFewRows: {Voice.scarce, "A class has fewer than 30 rows, so its figures say little of others.",
		"Get more rows of the class."},
	codes.ClassNever: {Voice.never, "A class has rows, and no row is decided as it.",
		"Say that it matters, by a preference, costs or a recall that is required; or leave it out."},
	codes.ConstraintKept: {Voice.constraint, "What is required is kept, by the whole range as far as that is known.",
		"Nothing."},
	codes.ConstraintUnsure: {Voice.constraint,
		"What is required is kept by the estimate, but the range reaches below it.",
		"Ask for more than is needed, or get more rows of the class."},
	codes.ConstraintBroken: {Voice.constraint,
		"What is required is not kept on these rows, though it is on the votes that the weights were searched on.",
		"Ask for more than is needed, or for fewer alarms than can be borne: what is just reached on the votes is missed in about half of all new samples."},
	codes.CalibrationOff: {Voice.miscalibrated,
		"More or fewer rows of a class came among rows of some probabilities than these say, by more than chance.",
		"Do not take the probabilities at their word. Before there is a model another kind of map may do better; later a map fitted to recent labelled rows may."},
	codes.CalibrationUninformed: {Voice.uninformed,
		"The probabilities of a class are no better than giving every row the share of the class, by Brier score, log loss or both.",
		"Use the decisions or the order of the rows, not the probabilities."},
	codes.CostFewRows: {Voice.costOfFew, "More than half of what the rows cost is due to one of them, or nearly all to at most three.",
		"Do not plan with this cost: on other rows it may be quite different. Judge more rows."},
	codes.CostHangs: {Voice.hangs, "With costs by amount, what the model saves beside other decisions is due to at most three rows of a large amount.",
		"Do not plan with what is saved. Judge more rows, or decide such rows by hand."},
	codes.ColumnMemorised: {Voice.memorised,
		"Columns such as a month help to rank rows of the times that the trees know, and not later rows: the trees learn them by heart.",
		"Leave the columns out."},
	codes.PromiseKept: {Voice.kept, "No figure is worse than the cross-validation promised.",
		"Nothing: the model does what was expected of it."},
	codes.PromiseUnsure: {Voice.promised, "A figure is worse than the cross-validation promised, but the rows are too few to prove it.",
		"Judge more rows before anything is changed."},
	codes.PromiseBroken: {Voice.promised, "A figure is worse than the cross-validation promised, by more than chance.",
		"Look first at columns that are not as in training. Then tune or train with recent rows, and judge on later ones."},
	codes.FoldsUnstable: {Voice.unstable, "On the same votes the weights of one fold find far more of a class than those of another, by more than 20 of 100 rows. The figures are those of no single model.",
		"Train on more rows, have weights taken only where their gain is proved, or take the curved measure of the preference; repeats show how far other folds go."},
	codes.AlarmsFlood: {Voice.flood, "More than a quarter of all rows are alarms, or half if the measure is no preference, and most of them are wrong.",
		"Limit the alarms, ask for a precision, or take an operating point of fewer alarms."},
	codes.PrecisionBelow: {Voice.precisionBelow,
		"Fewer alarms are right than the x of the preference. That x is no limit: it says what finding all would be worth.",
		"Where it is meant as a limit, require it."},
	codes.RecallBelow: {Voice.recallBelow,
		"Less is found than the y of the preference. That y is no limit: it says what alarms that are never wrong would be worth.",
		"Where it is meant as a limit, require it."},
}

// Short returns a sentence that says what was found; "" for a code that this version does not know.
func (v Voice) Short(f *finding.Finding) string {
	if s, ok := sentences[f.Code]; ok {
		return s.say(v, f)
	}
	return ""
}

// Clause is Short without its full stop, for a front end that goes on with what may be done.
func (v Voice) Clause(f *finding.Finding) string { return strings.TrimSuffix(v.Short(f), ".") }

// Explain returns what a code means and what to do, in general, as docs/findings.md has it.
func Explain(code finding.Code) (means, do string) {
	s := sentences[code]
	return s.mean, s.do
}

// On names the rows of a finding, as in "on new rows".
func (v Voice) On(w finding.Where) string {
	switch w.Rows {
	case codes.MixedRows:
		return "rows with past and future mixed"
	case codes.LatestBlock:
		if w.Blocks == 1 {
			return "rows of the later block"
		}
		return "rows of the latest block"
	case codes.AllBlocks:
		return v.OnAll(w)
	case codes.GivenRows:
		return "these rows"
	}
	return "new rows"
}

// OnAll names the rows that sums of costs are of.
func (v Voice) OnAll(w finding.Where) string {
	rows := fmt.Sprintf("rows of the %d blocks together", w.Blocks)
	if w.Rows != codes.AllBlocks {
		rows = v.On(w)
	}
	if v.Costs != "" {
		rows += ", by " + v.Costs + ","
	}
	return rows
}

// By names what was asked for.
func (v Voice) By() string {
	switch {
	case v.Measure == "" || strings.HasPrefix(v.Measure, "pragma"):
		return "the preference"
	case v.Measure == offer.CostName:
		return cmp.Or(v.Costs, "your costs")
	}
	return "the measure you chose"
}

// Itself names what is judged: the model as it is, or else what is given.
func (v Voice) Itself(tuning string) string {
	if v.Fixed {
		return "the model"
	}
	return tuning
}

// LossName names the loss in a sentence.
func (v Voice) LossName() string {
	switch {
	case v.Amounts:
		return "the cost of all rows"
	case v.Measure == offer.CostName:
		return "the cost of a row"
	}
	return "the loss"
}

// LossTold is LossName with the measure, but for a surface of the preference, which is named where it is said what was
// asked for.
func (v Voice) LossTold() string {
	if v.Measure == offer.CostName || strings.HasPrefix(v.Measure, "pragma:") {
		return v.LossName()
	}
	return v.LossName() + " (" + cmp.Or(v.Measure, "pragma") + ")"
}

// Losses shows losses side by side.
func (v Voice) Losses(losses ...float64) []string {
	if v.Measure == offer.CostName {
		return english.Sums(losses...)
	}
	return english.Amounts(losses...)
}

// AllAs says that all rows are decided as a class: of two that none is as the one that matters more.
func (v Voice) AllAs(class string) string {
	if len(v.Classes) == 2 && v.First != "" && class != v.First {
		return fmt.Sprintf("none as %q", v.First)
	}
	return fmt.Sprintf("all as %q", class)
}

// sureErrors is how many standard errors are noise, see assess.SureErrors.
const sureErrors = 2
