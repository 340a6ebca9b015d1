// Package assess judges a result: from what an evaluation reports and what is wanted it makes findings, values that say
// whether tuning gains, whether alarms are a flood, whether figures can be relied on, and what may be done. It has no
// prose: package say puts findings into words.
package assess

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Subject is what is judged. Of a cross-validation Report is enough; Frame has more told of the rows.
type Subject struct {
	Report    *eval.Report
	Goal      pragma.Goal               // the zero value is that of the report
	Matter    []int                     // the classes that matter most, the first before others; nil means those of Goal
	Rows      string                    // of rows without time: NewRows, which is "", too, GivenRows or MixedRows
	Decided   float64                   // share of all rows that are decided; 0 means that all are
	DecidedIn func(*eval.Block) float64 // share of the rows of a block that are; nil means all
	// of the votes of the report, in a cross-validation those in the middle of the folds; nil if they are not known
	Weights     vote.Weights
	FoldWeights []vote.Weights // of the folds; nil means those of the report
	Offered     []Offer        // other operating points that are told of
	Unlike      bool           // columns are not as in training, so that nothing is to be tuned on these rows
	// a map fitted anew may be advised: the model is judged as it is saved, and its map is not of these rows
	Remaps bool
	Other  bool // the costs of Goal stand beside what the model was tuned for
	// the weights that a model has, where those of the report are new; nil if there are none
	Had      *eval.Rule
	Sure     rfpragma.Sure // how surely what is required is made to hold
	Unstable bool          // the folds disagree, see [folds], so that figures are of no single model
	// the rows, with what was warned of when they were read; nil if they are not known
	Frame *dataset.Frame
	Dealt bool // the folds were given, so that they may part the rows in their order
}

// Offer is an operating point that is told of.
type Offer struct {
	Recall float64 // share of the rows of its class that are found
	Alerts float64 // share of all rows that are decided as it
}

// sureErrors is how many standard errors a difference must have to count as one.
const sureErrors = 2

// Figures are named so.
const (
	figureLoss     = "loss"          // of the tuned rule
	figureBaseline = "baseline_loss" // of what it is compared with
	figureError    = "loss_difference_standard_error"
	figureGain     = "loss_difference" // of the former from the latter
	figurePlain    = "plain_loss"      // of the plain vote
	figureCost     = "cost"
	figureBaseCost = "baseline_cost"
)

// Where says of which rows the figures are that name no others.
func (s *Subject) Where() finding.Where {
	switch {
	case s.Rows == codes.MixedRows:
		return finding.Where{Rows: codes.MixedRows}
	case s.Report.Blocks != nil:
		return finding.Where{Rows: codes.LatestBlock, Blocks: len(s.Report.Blocks) - 1}
	case s.Rows == "":
		return finding.Where{Rows: codes.NewRows}
	}
	return finding.Where{Rows: s.Rows}
}

// whereAll says of which rows sums are: in the order of time of all blocks that were judged, if there are several.
func (s *Subject) whereAll() finding.Where {
	if s.Report.Together == nil {
		return s.Where()
	}
	return finding.Where{Rows: codes.AllBlocks, Blocks: len(s.Report.Blocks) - 1}
}

// matter returns the classes that matter most.
func (s *Subject) matter() []int {
	if s.Matter != nil {
		return s.Matter
	}
	return s.Goal.Matter()
}

// onNew tells whether figures are of new rows, and not of those that a model is judged on.
func (s *Subject) onNew() bool { return s.Rows != codes.GivenRows }

// Share returns the share of all rows that are decided.
func (s *Subject) Share() float64 { return s.decided() }

// decided is the share of all rows that are.
func (s *Subject) decided() float64 {
	if s.Decided == 0 {
		return 1
	}
	return s.Decided
}

// byCost tells whether the mean cost of a row was asked for.
func (s *Subject) byCost() bool { return s.Goal.Name == offer.CostName }

// Loss returns what a rule loses by the measure that was asked for.
func Loss(r *eval.Rule) float64 {
	if r.Loss != nil {
		return *r.Loss
	}
	return r.Pragma
}

// breaks tells whether the decisions of a rule break what is required.
func (s *Subject) breaks(r *eval.Rule) bool {
	return s.Goal.Broken(r.Counts(s.Goal.Classes), s.decided())
}

// rules returns the rules that what was asked for compares, what tuning gains on the plain vote, and on which rows: of
// costs in the order of time on those of all blocks, as costs add up.
func (s *Subject) rules() (rules *eval.Rules, gain *eval.Gain, where finding.Where) {
	all := s.Report.Together
	if !s.byCost() || all == nil || all.Rules == nil {
		return &s.Report.Rules, s.Report.Gain, s.Where()
	}
	plain, cost := all.Rules["plain"], all.Rules["cost"]
	rules = &eval.Rules{Plain: plain, Prior: all.Rules["prior"], Cost: &cost, Tuned: all.Rules["tuned"]}
	if weights, ok := all.Rules["weights"]; ok {
		rules.Weights = &weights
	}
	return rules, plain.Gain, s.whereAll()
}

// unproven returns the warning that the gain of tuning is not proved; nil where there is none.
func unproven(warnings []error) error {
	at := slices.IndexFunc(warnings, func(w error) bool { return errors.Is(w, anneal.ErrUnproven) })
	if at < 0 {
		return nil
	}
	return warnings[at]
}

// fewGroups tells whether the rows are of so few groups that they say little of others.
func (s *Subject) fewGroups() bool { return effective.TooFew(s.Report.EffectiveGroups) }

// worse tells whether a loss has risen by more than noise, as far as that is known.
func worse(plain, tuned float64, g *eval.Gain) bool {
	return tuned > plain && (g == nil || tuned-plain > sureErrors*g.StandardError)
}

// same tells whether two losses are equal but for an error of rounding, or in eight decimals.
func same(a, b float64) bool {
	const unit = 1e8
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) || math.Round(a*unit) == math.Round(b*unit)
}

// sameDecisions tells whether two rules decide alike, as far as their matrices tell.
func sameDecisions(a, b *eval.Rule) bool {
	return slices.EqualFunc(a.Confusion, b.Confusion, slices.Equal[[]float64])
}

// confusion is a matrix, with a line for each true class, as it is counted.
func confusion(classes []string, rows [][]float64) *vote.Confusion {
	m := vote.NewConfusion(classes)
	for truth, line := range rows {
		for decision, n := range line {
			m.Add(truth, decision, n)
		}
	}
	return m
}

// figure returns one of a name.
func figure(name string, value float64, unit string) finding.Figure {
	return finding.Figure{Name: name, Value: value, Unit: unit}
}

// shareOf returns a figure of a class that is a share.
func shareOf(class, name string, value float64, interval *[2]float64) finding.Figure {
	return finding.Figure{Name: name, Class: class, Value: value, Unit: codes.Share, Interval: interval}
}

// goalOf is the goal of a report, or, where it knows none, that all classes matter alike.
func goalOf(r *eval.Report) pragma.Goal {
	if r.Goal.Classes != nil || r.Votes == nil {
		return r.Goal
	}
	g, _ := pragma.Spec{}.Goal(r.Votes.Classes, r.Votes.TieOrder()) // which always has one
	return g
}

// mostNamed is how many classes that matter most are told of one by one.
const mostNamed = 3

// shown are the classes whose probabilities are told of, in an order that does not depend on their names: of several
// those that matter, if any do, and no more than can be read.
func (s *Subject) shown() []string {
	const most = 8
	names := slices.Clone(s.Goal.Classes)
	if matter := s.matter(); len(names) > 2 && len(matter) > 0 {
		names = nil
		for _, c := range matter {
			names = append(names, s.Goal.Classes[c])
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return s.Report.Probabilities[name].Calibrated == nil })
	place := func(name string) int { return s.place(slices.Index(s.Goal.Classes, name)) }
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	return names[:min(len(names), most)]
}

// place is where class c stands in an order that does not depend on what classes are called.
func (s *Subject) place(c int) int { return slices.Index(s.Goal.Order, c) }
