package view

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// Result is what evaluate finds: of the rows, of drift since the training, and of what cv promised.
func (in *ModelRows) Result(report *eval.Report, drift *rfpragma.Comparison) *result {
	m := in.Model
	_, mapped := m.FittedOn(in.Frame)
	var columns []string
	for _, d := range ColumnDrifts(in.Frame.Warnings) {
		if !in.Lacks.Answers(d) {
			columns = append(columns, d.Column)
		}
	}
	r := &result{
		title: "ON THESE ROWS", goal: in.Goal, promise: in.Expected, lists: listTexts(m.Classes(), in.Lists), fixed: true,
		Subject: &assess.Subject{
			Goal: in.Goal.pragmaGoal(), Report: report, Rows: codes.GivenRows, Decided: in.Withheld.Decided(),
			DecidedIn: in.Withheld.DecidedIn,
			Weights:   m.Weights, Unlike: columns != nil, Sure: in.Goal.Sure,
			Remaps: m.Provenance.Prevalence == nil && !mapped && columns == nil && !in.Overlaps,
		},
	}
	where := r.Subject.Where()
	return r.found(slices.Concat(assess.Drift(where, drift, columns), assess.Promises(where, in.Expected.promises()),
		in.By.gapFindings(where), reviewFindings(in.Withheld, in.Goal, where))...)
}

// about says what was judged.
func (in *ModelRows) about() string {
	return fmt.Sprintf("%s: %s, %s%s", in.Name, WeighedRows(in.Frame.Rows(), in.Frame.Weight), in.classRows(),
		Unjudged(Describe(in.Name, in.Frame)))
}

// Show writes how a model did on labelled rows.
func (in *ModelRows) Show(to *layout.Page, r *result, details bool) {
	to.Say(in.about())
	r.Show(to, details)
	to.Table(in.Expected.listsTable())
	to.Table(in.moneyTable())
	for _, g := range in.By.tables(in.Goal, in.Frame.Weight != nil) {
		to.Table(g)
	}
	if !details {
		return
	}
	to.Say(slices.Concat(MergedWords(in.Frame), r.withheldWords(in.Frame.Weight != nil))...)
	to.Table(WithheldTable(in.Withheld, tables.Unit(in.Frame.Weight != nil)))
	in.Goal.ShowCosts(to)
	to.Say(in.costsWords()...)
	to.Table(in.costTable())
	to.Table(in.Expected.promiseTable())
	ShowRules(to, in.Goal, in.Model.Weights, r.Subject.Report)
}

// ComparePromise fills in what is found beside what was promised.
func (in *ModelRows) ComparePromise(found *eval.Report) {
	if in.Expected == nil {
		return
	}
	in.Expected.fill(found, in.Lists, in.Withheld)
}

// givenCosts is what such costs are called beside those of the model.
const givenCosts = "the costs given here"

// byCosts is the goal with the costs given in place of what the model was tuned for.
func (in *ModelRows) byCosts() *Goal {
	of := *in.Goal
	of.Loss, of.Floors = in.Costs, nil
	return &of
}

// costsWords say what the costs given are, and that no decision follows from them; nothing where none are.
func (in *ModelRows) costsWords() []string {
	if in.Money == nil {
		return nil
	}
	lines := in.byCosts().costs()
	lines[0] = english.Capital(givenCosts) + " change no decision: they say what the decisions come to. " + lines[0]
	return lines
}

// costTable shows the costs given, where that takes more than a sentence; else it has no rows.
func (in *ModelRows) costTable() *layout.Grid {
	if in.Money == nil {
		return &layout.Grid{}
	}
	return costTable(in.Goal.Classes, in.Costs.Costs)
}

// moneyTable sets the rules side by side by the costs given; it has no rows where none are.
func (in *ModelRows) moneyTable() *layout.Grid {
	if in.Money == nil {
		return &layout.Grid{}
	}
	t := newComparison("by "+givenCosts, MoneyRules(in.Money), in.Goal.ruleName())
	t.loss(in.Costs)
	return t.Grid
}

// MoneyRules are the rules but the optimistic one: no weights are searched for.
func MoneyRules(money *eval.Report) []Named {
	return slices.DeleteFunc(RulesOf(&money.Rules), func(n Named) bool { return n.Rule == &money.Rules.Optimistic })
}

// PaidCosts is what rows cost in all by costs that are given beside what a model was tuned for.
type PaidCosts struct {
	Matrix [][]float64 `json:"cost_matrix"` // of each decision, a line for each true class
	// by true class, whether its costs are for each unit of the amount of the row
	ByAmount []bool `json:"cost_by_amount,omitempty"`
	tunedCosts
	Prior float64    `json:"prior"`          // under weights of 1/share
	Gain  *eval.Gain `json:"gain,omitempty"` // on the plain vote, of a row; not of costs by amount, nor of few groups
}

// Paid is nil where no costs are given.
func (in *ModelRows) Paid() *PaidCosts {
	if in.Money == nil {
		return nil
	}
	r := &in.Money.Rules
	return &PaidCosts{
		in.Costs.Costs.Matrix, in.Costs.Costs.ByAmount, tunedCosts{*r.Tuned.Cost, *r.Plain.Cost, *r.Cost.Cost,
			in.Money.Always}, *r.Prior.Cost, in.Money.Gain,
	}
}

// ModelRows is what a verb is given that asks a saved model about labelled rows.
type ModelRows struct {
	Model     *rfpragma.Model
	From      ModelOrigin
	Goal      *Goal // what it was tuned for
	Lists     []eval.TopList
	CostsFile string       // of costs that are given, where they are in one
	Costs     Loss         // given beside what the model was tuned for; the zero value where none are
	Money     *eval.Report // the rows judged by them; nil likewise
	Frame     *dataset.Frame
	Name      string // of the rows, for people
	Form      string // of the result
	Workers   int
	Expected  *Promise      // what cv promised; nil where nobody asks for that
	Unknown   []UnknownInfo // rows of classes that the model does not know, once they are decided

	// What vote finds.
	Votes, Decided *vote.Table
	Judged         *dataset.Frame // the rows that are decided: all but those whose decision is withheld
	Lacks          *abstain.Lacking
	// by row of frame, what it lacks where that is most of what the model decides by
	Lacking  [][]rfpragma.MissingCell
	Why      []predictions.Because // by row, why it is left undecided; nil where all rows are decided
	Told     []error               // of such rows
	Withheld *abstain.WithheldInfo // nil where all rows are decided
	Overlaps bool                  // a part of the rows was in the training
	By       *Slices               // nil without --by
}

// DecideUnknown decides the rows that are of classes that the model does not know.
func (in *ModelRows) DecideUnknown() {
	in.Unknown = UnknownClasses(in.Frame)
	for i, label := range in.Frame.UnknownLabels {
		if label == "" {
			continue
		}
		u := &in.Unknown[slices.IndexFunc(in.Unknown, func(u UnknownInfo) bool { return u.Label == label })]
		if u.Decided == nil {
			u.Decided = map[string]int{}
		}
		decision := predictions.Undecided
		if in.Why == nil || in.Why[i] == "" {
			decision = in.Model.Classes()[predictions.Deciding(in.Model, in.Votes)(i)]
		}
		u.Decided[decision]++
	}
}

// leastUnknown is how many rows of unknown classes, as a part of those of a class, leave it open how common the
// class is: they may all be of it.
const leastUnknown = 0.1

// unsure tells whether too many rows are of classes that the model does not know to say how common that class of it is.
func (in *ModelRows) unsure(class string) bool {
	unknown := 0.0
	_, classes := LeftOut(in.Unknown) // in training the others were not there, either
	for _, u := range classes {
		unknown += u.Weight
	}
	return unknown > leastUnknown*in.Frame.ClassWeights()[slices.Index(in.Frame.Classes, class)]
}

// allSure tells whether it can be said how common the classes are that are told of.
func (in *ModelRows) allSure() bool {
	return len(in.Unknown) == 0 || !slices.ContainsFunc(in.Goal.classesTold(), in.unsure)
}

// classRows lists the classes with their rows, and with their shares where these are known.
func (in *ModelRows) classRows() string {
	weights := in.Frame.ClassWeights()
	if in.allSure() {
		return ClassShares(in.Frame.Classes, weights)
	}
	parts := make([]string, len(weights))
	for c, name := range in.Frame.Classes {
		parts[c] = fmt.Sprintf("%q %s", name, layout.Count(weights[c]))
	}
	return layout.Printable(fmt.Sprintf("%s: %s", english.Plural(len(parts), "class"), english.First(parts)))
}

// WithoutShares leaves out of what is found how common classes are of which that is not known.
func (in *ModelRows) WithoutShares(found *rfpragma.Comparison) {
	if found == nil {
		return
	}
	if !in.allSure() {
		found.Figures = slices.DeleteFunc(found.Figures, func(figure string) bool { return figure == "share" })
	}
	found.Drift = slices.DeleteFunc(found.Drift, func(d rfpragma.Drift) bool {
		return d.Figure == "share" &&
			in.unsure(d.Class)
	})
}
