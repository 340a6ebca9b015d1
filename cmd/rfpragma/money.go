package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// A saved model is judged by costs as well that it was not tuned for: its measure, its weights and its decisions stay, and beside them stands what these come to.

// givenCosts is what such costs are called beside those of the model.
const givenCosts = "the costs given here"

// otherCosts reads costs to judge a model by beside what it was tuned for; the zero value where none are given.
func (p *program) otherCosts(c *cli.Context, m *rfpragma.Model) (loss, error) {
	if !slices.ContainsFunc(costFlags("", ""), func(f cli.Flag) bool { return c.IsSet(f.Names()[0]) }) {
		return loss{}, nil
	}
	own := m.Provenance.Reading.Amount
	if column := c.String("amount"); m.Provenance.CostsOf().Amounts() && c.IsSet("amount") && column != own {
		return loss{}, usagef("--amount %s: the costs of the model are by column %s, and a row has one amount; name that one", english.Quote(column), english.Quote(own))
	}
	l, err := p.loss(c, nil, m.Classes(), nil)
	if err == nil && sameCosts(l.costs, m.Provenance.CostsOf()) { // which stand there in any case
		return loss{}, nil
	}
	return l, err
}

// sameCosts tells whether decisions cost the same.
func sameCosts(a, b pragma.Costs) bool {
	if !slices.EqualFunc(a.Matrix, b.Matrix, slices.Equal[[]float64]) {
		return false
	}
	for truth := range a.Matrix {
		if (a.ByAmount != nil && a.ByAmount[truth]) != (b.ByAmount != nil && b.ByAmount[truth]) {
			return false
		}
	}
	return true
}

// inMoney judges what the model decides of rows with these votes by the costs given; nil where none are. Nothing is searched for: what could be had by weights
// for these costs is told by those that need no tuning.
func (in *modelRows) inMoney(ctx context.Context, votes *vote.Table) (*eval.Report, error) {
	if in.costs.measure == nil {
		return nil, nil
	}
	m := in.model
	asIs := func(context.Context, *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
		return m.Weights, m.Probabilities, nil
	}
	return eval.Evaluate(ctx, votes, m, eval.Config{Pragma: in.costs.measure, Loss: in.costs.measure, Costs: in.costs.costs, Raw: m.Probabilities, Tune: asIs})
}

// byCosts is the aim with the costs given in place of what the model was tuned for.
func (in *modelRows) byCosts() *aim {
	of := *in.aim
	of.loss, of.floors = in.costs, nil
	return &of
}

// costsWords say what the costs given are, and that no decision follows from them; nothing where none are.
func (in *modelRows) costsWords() []string {
	if in.money == nil {
		return nil
	}
	lines := in.byCosts().costs()
	lines[0] = english.Capital(givenCosts) + " change no decision: they say what the decisions come to. " + lines[0]
	return lines
}

// costTable shows the costs given, where that takes more than a sentence; else it has no rows.
func (in *modelRows) costTable() *grid {
	if in.money == nil {
		return &grid{}
	}
	return costTable(in.aim.classes, in.costs.costs)
}

// moneyTable sets the rules side by side by the costs given; it has no rows where none are.
func (in *modelRows) moneyTable() *grid {
	if in.money == nil {
		return &grid{}
	}
	t := compare("by "+givenCosts, moneyRules(in.money), in.aim.rule())
	t.loss(in.costs)
	return t.grid
}

// moneyRules are the rules but the optimistic one: no weights are searched for.
func moneyRules(money *eval.Report) []named {
	return slices.DeleteFunc(rulesOf(&money.Rules), func(n named) bool { return n.rule == &money.Rules.Optimistic })
}

// moneyWords say what the decisions come to by the costs given.
func (in *modelRows) moneyWords() []string {
	if in.money == nil {
		return nil
	}
	v := verdict{
		classes: in.model.Classes(), matter: in.aim.matter(), prefs: in.aim.prefs, measure: in.costs.name, costs: in.costs.costs, whose: givenCosts, asked: in.costs.measure,
		rows: "these rows", report: in.money, weights: in.model.Weights, given: true,
	}
	gains, others := v.gains()
	words := slices.Concat(v.waste(), v.saves(), gains, others, v.hangs(), v.due(), in.priceWords())
	if v.waste() != nil || v.untuned() != "" {
		words = append(words, "If that is what errors cost, train or tune with "+strings.Join(wantedCosts(v.classes, v.costs, in.costsFile), " ")+amountFlag(v.costs, in.frame.Reading.Amount)+".")
	}
	return words
}

// ruleWords says how the model decides; beside costs given without the price of a miss, see priceWords.
func (in *modelRows) ruleWords() []string {
	if in.money == nil {
		return ruleWords(in.model, in.aim.prefs)
	}
	return votedWords(in.model, in.aim.prefs)
}

// priceWords set the price of a miss by the model against that by the costs given, of which the sums of money are.
func (in *modelRows) priceWords() []string {
	m, prefs := in.model, in.aim.prefs
	if len(prefs) != 2 || m.Provenance.ByCost {
		return nil
	}
	p := modelPricing(m, prefs)
	given, ok := in.byCosts().asked(p.c)
	need := tables.Enough(vote.NewRule(m.Weights, p.order), p.trees, p.c)
	if t := p.from(need); !ok || !(t > 0 && t < 1) {
		return nil
	}
	return []string{fmt.Sprintf("By %s a missed %q costs %s; that is the price to quote. By its probabilities the model decides as if it cost %s.", givenCosts, m.Classes()[p.c], falseAlarms(given), significant(p.price(need), 3))}
}

// amountFlag names the column of the amounts, where there are costs by amount.
func amountFlag(costs pragma.Costs, column string) string {
	if !costs.Amounts() {
		return ""
	}
	return " " + csvtext.Flag("amount", column, "COL")
}

// moneyCell is the cost of a rule as a whole by the costs given; "" of others.
func moneyCell(money *eval.Report, rule, class string) string {
	for _, n := range moneyRules(money) {
		if n.name == rule && class == "" {
			return maybe(n.rule.Cost)
		}
	}
	return ""
}

// paidCosts is what rows cost in all by costs that are given beside what a model was tuned for.
type paidCosts struct {
	Matrix   [][]float64 `json:"cost_matrix"`              // of each decision, a line for each true class
	ByAmount []bool      `json:"cost_by_amount,omitempty"` // by true class, whether its costs are for each unit of the amount of the row
	tunedCosts
	Prior float64    `json:"prior"`          // under weights of 1/share
	Gain  *eval.Gain `json:"gain,omitempty"` // on the plain vote, of a row; not of costs by amount, nor of few groups
}

// paid is nil where no costs are given.
func (in *modelRows) paid() *paidCosts {
	if in.money == nil {
		return nil
	}
	r := &in.money.Rules
	return &paidCosts{
		in.costs.costs.Matrix, in.costs.costs.ByAmount, tunedCosts{*r.Tuned.Cost, *r.Plain.Cost, *r.Cost.Cost, in.money.Always}, *r.Prior.Cost, in.money.Gain,
	}
}
