package vote

import (
	"math"
	"slices"
)

// Weights multiply the votes: one weight for each class, each finite and > 0. Only their ratios matter. Nil
// means the plain majority vote.
type Weights []float64

// Rule decides a row from its votes: the class with the largest product of weight and votes wins; of equals, the
// one that comes first in [Table.TieOrder]. All decisions, in evaluation and prediction, are made by this rule,
// and what a search finds is decided anew by it.
type Rule struct {
	weights Weights
	order   []int // the classes, the winner of a tie first
}

// NewRule returns the rule under w, where order has the classes in the order in which they win ties, see
// [Table.TieOrder] and [Table.Rule]. If order does not have each class once, or w another number of weights, it is
// the zero Rule, which decides nothing.
func NewRule(w Weights, order []int) Rule {
	if w == nil {
		w = slices.Repeat(Weights{1}, len(order))
	}
	if len(w) != len(order) || !isOrder(order) {
		return Rule{}
	}
	return Rule{weights: w, order: order}
}

// Decide returns the winning class of votes (len k). If there are no votes, that is the class that wins all
// ties. It is -1 where votes are of another number of classes, and under the zero Rule.
func (r Rule) Decide(votes []uint32) int {
	if len(votes) != len(r.order) || len(votes) == 0 {
		return -1
	}
	winner, top := r.order[0], -1.0
	for _, c := range r.order {
		if s := r.weights[c] * float64(votes[c]); s > top {
			winner, top = c, s
		}
	}
	return winner
}

// TopTwo returns the winning class of votes (len k of 2 or more), the one that comes second, and how many times the
// weighted votes of the former are those of the latter, at least 1: +Inf if the second has none, or nobody has. It is
// -1, -1 and +Inf where votes are of another number of classes, or of one.
func (r Rule) TopTwo(votes []uint32) (first, second int, times float64) {
	first = r.Decide(votes)
	if first < 0 || len(votes) < 2 {
		return -1, -1, math.Inf(1)
	}
	second, runnerUp := -1, -1.0
	for _, c := range r.order {
		if s := r.weights[c] * float64(votes[c]); c != first && s > runnerUp {
			second, runnerUp = c, s
		}
	}
	if runnerUp == 0 {
		return first, second, math.Inf(1)
	}
	return first, second, r.weights[first] * float64(votes[first]) / runnerUp
}

// Prior returns the weights 1/share, the rule of O'Brien and Ishwaran (Pattern Recognition 90, 2019): a class
// wins if its share of the votes, relative to its share of the rows, is the largest. A class without rows gets
// the weight of the rarest one that has some.
func Prior(share []float64) Weights {
	if len(share) == 0 {
		return nil
	}
	rarest := 1.0
	for _, s := range share {
		if s > 0 {
			rarest = min(rarest, s)
		}
	}
	w := make(Weights, len(share))
	for c, s := range share {
		w[c] = 1 / max(s, rarest)
	}
	most := 0
	for c, s := range share {
		if s > share[most] || math.IsNaN(share[most]) {
			most = c
		}
	}
	return Scaled(w, most)
}

// Scaled returns w divided by the weight of class common, such as the first of [Table.TieOrder], so that this
// class has weight 1 and the others say how much more a vote for them counts. It is nil where there is no such class.
func Scaled(w Weights, common int) Weights {
	if common < 0 || common >= len(w) {
		return nil
	}
	scaled := make(Weights, len(w))
	for c := range w {
		scaled[c] = w[c] / w[common]
	}
	return scaled
}
