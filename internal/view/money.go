package view

import (
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
)

// A saved model is judged by costs as well that it was not tuned for: its measure, its weights and its decisions
// stay, and beside them stands what these come to.

// givenCosts is what such costs are called beside those of the model.
const givenCosts = "the costs given here"

// byCosts is the aim with the costs given in place of what the model was tuned for.
func (in *ModelRows) byCosts() *Aim {
	of := *in.Aim
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
	return costTable(in.Aim.Classes, in.Costs.Costs)
}

// moneyTable sets the rules side by side by the costs given; it has no rows where none are.
func (in *ModelRows) moneyTable() *layout.Grid {
	if in.Money == nil {
		return &layout.Grid{}
	}
	t := compare("by "+givenCosts, MoneyRules(in.Money), in.Aim.rule())
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
