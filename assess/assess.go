// Package assess judges a result: from what an evaluation reports and what is wanted it makes findings, values that say
// whether tuning gains, whether alarms are a flood, whether figures can be relied on, and what may be done. It has no
// prose: package say puts findings into words.
package assess

import (
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Subject is what is judged. Goal and Report are required; the zero value of the others is that of a cross-validation.
type Subject struct {
	Goal        pragma.Goal
	Report      *eval.Report
	Matter      []int                     // the classes that matter most, the first before others; nil means those of Goal
	Rows        string                    // of rows without time: new, which is "", too, given or mixed
	Decided     float64                   // share of all rows that are decided; 0 means that all are
	DecidedIn   func(*eval.Block) float64 // share of the rows of a block that are; nil means all
	Weights     vote.Weights              // of the votes of the report, in a cross-validation those in the middle of the folds; nil if they are not known
	FoldWeights []vote.Weights            // of the folds; nil means those of the report
	Offered     []Offer                   // other operating points that are told of
	Unlike      bool                      // columns are not as in training, so that nothing is to be tuned on these rows
	Remaps      bool                      // a map fitted anew may be advised: the model is judged as it is saved, and its map is not of these rows
	Shown       []string                  // classes whose probabilities are told of, the first before others; nil means all, as they are listed
	Other       bool                      // the costs of Goal stand beside what the model was tuned for
	Had         *eval.Rule                // the weights that a model has, where those of the report are new; nil if there are none
	Unstable    bool                      // the folds disagree, so that figures are of no single model
}

// Offer is an operating point that is told of: Recall, the share of the rows of its class that are found, and Alerts,
// the share of all rows that are decided as it.
type Offer = assess.Offer

// Promise is a figure that a cross-validation promised, beside what is found. It is judged where both intervals are
// known.
type Promise struct {
	Figure           string      // recall, precision, alerts or loss
	Class            string      // name of the class; "" of the loss
	Expected         float64     // what was promised, by the unit of the figure
	ExpectedInterval *[2]float64 // at 95 %
	Found            float64     // what is found
	FoundInterval    *[2]float64 // at 95 %
}

// Findings returns all findings about a subject, the gravest first.
func Findings(subject *Subject) []finding.Finding {
	return assess.Findings((*assess.Subject)(subject))
}

// Promises says of each figure that is worse than was promised whether that is beyond chance, and, if none is, which
// came true. Alerts are neither better nor worse. Each finding has what was promised, called expected, and what is
// found.
func Promises(where finding.Where, all []Promise) []finding.Finding {
	inner := make([]assess.Promise, len(all))
	for i, p := range all {
		inner[i] = assess.Promise(p)
	}
	return assess.Promises(where, inner)
}
