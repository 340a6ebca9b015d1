package eval

import (
	"math"

	"github.com/rfpragma/rfpragma/vote"
)

// decisions decide a row of a table by its number, its votes and its probabilities.
type decisions func(i int, votes []uint32, p []float64) int

// weighed decides the rows of t under vote weights.
func weighed(w vote.Weights, t *vote.Table) decisions {
	rule := t.Rule(w)
	return func(_ int, votes []uint32, _ []float64) int { return rule.Decide(votes) }
}

// decidedBy decides the rows of t as a classifier does.
func decidedBy(c Classifier, t *vote.Table) decisions {
	d, ok := c.(Decider)
	if !ok {
		return weighed(c.VoteWeights(), t)
	}
	return func(i int, votes []uint32, _ []float64) int { return d.DecideFor(votes, amountOf(t, i)) }
}

// optimum decides the rows of t as was tuned on them: under weights, or by the least expected cost.
func (c *Config) optimum(w vote.Weights, t *vote.Table) decisions {
	if !c.ByCost {
		return weighed(w, t)
	}
	order := t.TieOrder()
	return func(i int, _ []uint32, p []float64) int { return c.Costs.Decide(p, amountOf(t, i), order) }
}

// amountOf is what is at stake in row i; NaN where rows have no amount.
func amountOf(t *vote.Table, i int) float64 {
	if t.Amount == nil {
		return math.NaN()
	}
	return t.Amount[i]
}

// all decides all rows of t, whose probabilities are these.
func (by decisions) all(t *vote.Table, prob func(dst []float64, votes []uint32)) []int {
	out, p := make([]int, t.Rows()), make([]float64, len(t.Classes))
	for i := range out {
		prob(p, t.Votes(i))
		out[i] = by(i, t.Votes(i), p)
	}
	return out
}
