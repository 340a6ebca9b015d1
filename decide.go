package rfpragma

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// DecideFor is [Model.Decide] for a row with the given amount at stake, finite and >= 0: of a model that decides by
// expected cost, see [Config].ByCost, with costs by amount. Any other amount counts as unknown: then the vote weights
// decide. Other models do not use it.
func (m *Model) DecideFor(votes []uint32, amount float64) int {
	if m.check() != nil {
		return -1
	}
	r := &m.Provenance
	costs := r.CostsOf()
	if !r.ByCost || costs.Amounts() && !isAmount(amount) {
		return m.rule.Decide(votes)
	}
	var few [32]float64 // on the stack: no allocation for up to 32 classes
	p := few[:]
	if len(votes) > len(few) {
		p = make([]float64, len(votes))
	}
	p = p[:len(votes)]
	m.Probabilities(p, votes)
	return costs.Decide(p, amount, m.ties)
}

// isAmount tells whether an amount is known.
func isAmount(v float64) bool { return v >= 0 && v <= math.MaxFloat64 }

// amountIn is what is at stake in the row x, where the model decides by that; else no number.
func (m *Model) amountIn(x []float64) (float64, error) {
	r := &m.Provenance
	if !r.ByCost || !r.CostsOf().Amounts() {
		return math.NaN(), nil
	}
	column := english.Quote(r.Reading.Amount)
	j := slices.IndexFunc(m.Forest.Schema, func(f dataset.Field) bool {
		return f.Name == r.Reading.Amount && f.Kind == dataset.Numeric
	})
	if j < 0 {
		return 0, fmt.Errorf("%w: the model decides by the amount of a row, in column %s, which is no numeric feature; "+
			"use DecideFor with the votes for the row and its amount", ErrRow, column)
	}
	if !isAmount(x[j]) {
		return 0, fmt.Errorf("%w: column %s is %v, and the model decides by the amount there; give a number from 0 on",
			ErrRow, column, x[j])
	}
	return x[j], nil
}

// checkByCost says why rows cannot be decided by expected cost.
func (c Config) checkByCost(classes []string) error {
	switch {
	case len(c.Costs.Matrix) != len(classes):
		return fmt.Errorf("%w: ByCost needs Costs of the %d classes, and there are %d; give a cost for each decision",
			ErrConfig, len(classes), len(c.Costs.Matrix))
	case c.Measure != nil && c.MeasureName != costMeasure:
		return fmt.Errorf("%w: ByCost goes by Costs, and there is a Measure beside; leave one out", ErrConfig)
	case len(c.Search.Floors) > 0:
		return fmt.Errorf("%w: ByCost keeps no floors, which only vote weights can; leave one out", ErrConfig)
	case c.Weights != nil:
		return fmt.Errorf("%w: ByCost does not decide by vote weights, and Weights gives some; leave one out", ErrConfig)
	}
	return nil
}

// decide returns what m decides of row i of a table.
func (m *Model) decide(t *vote.Table, i int) int {
	amount := math.NaN()
	if t.Amount != nil {
		amount = t.Amount[i]
	}
	return m.DecideFor(t.Votes(i), amount)
}

// confuse decides the judged rows of t and counts what is at stake in them, see [pragma.Costs.Stakes].
func (m *Model) confuse(t *vote.Table) (*vote.Confusion, error) {
	staked, err := m.Provenance.CostsOf().Stakes(t)
	if err != nil {
		return nil, err
	}
	out := vote.NewConfusion(t.Classes)
	for i := range t.Judged() {
		out.Add(t.Truth[i], m.decide(t, i), staked.WeightOf(i))
	}
	return out, nil
}

// figures returns the figures of each class as m decides votes.
func (m *Model) figures(votes *vote.Table) []ClassFigures {
	if !m.Provenance.ByCost {
		return FiguresOf(votes, m.Weights)
	}
	return figuresOf(votes, m.Provenance.CostsOf().Amounts(), m.decide)
}

// fewVoted warns of votes by so few trees that the probabilities of whole forests, which decide, fit badly.
func fewVoted(votes *vote.Table) []error {
	if votes.Source != vote.OOB || votes.Trees >= oobTrees {
		return nil
	}
	return []error{fmt.Errorf("out-of-bag votes of %s are few for each row: their maps fit whole forests badly; grow %d "+
		"trees, or use cv votes",
		english.Plural(votes.Trees, "tree"), oobTrees)}
}

// judge records how m, which decides by expected cost, decides the votes that it was fitted on.
func (m *Model) judge(votes *vote.Table, measure pragma.Measure) error {
	r := &m.Provenance
	decided, err := m.confuse(votes)
	if err != nil || r.Loss == nil {
		return err
	}
	if r.Loss = stored(measure.Loss(decided)); r.Figures != nil {
		r.Figures = m.figures(votes)
	}
	return nil
}
