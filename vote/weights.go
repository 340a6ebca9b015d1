package vote

import (
	"slices"
	"sort"

	"github.com/rfpragma/rfpragma/internal/portable"
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
// [Table.TieOrder] and [Table.Rule].
func NewRule(w Weights, order []int) Rule {
	if w == nil {
		w = slices.Repeat(Weights{1}, len(order))
	}
	return Rule{weights: w, order: order}
}

// Decide returns the winning class of votes (len k). If there are no votes, that is the class that wins all
// ties.
func (r Rule) Decide(votes []uint32) int {
	winner, top := r.order[0], -1.0
	for _, c := range r.order {
		if s := r.weights[c] * float64(votes[c]); s > top {
			winner, top = c, s
		}
	}
	return winner
}

// Enough returns with how many votes, at least, out of trees class c of two wins; trees+1 if even all do not
// suffice.
func (r Rule) Enough(trees, c int) int {
	votes := make([]uint32, 2)
	return 1 + sort.Search(trees, func(i int) bool { // more votes never lose: a file may speak of billions
		votes[c], votes[1-c] = uint32(i+1), uint32(trees-i-1)
		return r.Decide(votes) == c
	})
}

// Shares writes into dst the weighted share of the votes for each class, w_c·v_c over the sum of all: what [Rule]
// compares. They sum to 1, the largest is that of the class that is decided, and without votes each is 0. W (nil
// means 1 each), dst and votes have length k.
func (w Weights) Shares(dst []float64, votes []uint32) {
	largest := 1.0
	if w != nil {
		largest = slices.Max(w) // so that no product is too large
	}
	for c, v := range votes {
		dst[c] = float64(v)
		if w != nil {
			dst[c] *= w[c] / largest
		}
	}
	sum := portable.Total(dst) // however the classes are listed
	if sum == 0 {
		return
	}
	for c := range dst {
		dst[c] /= sum
	}
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
	return w.Scaled(slices.Index(share, slices.Max(share)))
}

// Scaled returns w divided by the weight of class common, such as the first of [Table.TieOrder], so that this
// class has weight 1 and the others say how much more a vote for them counts.
func (w Weights) Scaled(common int) Weights {
	scaled := make(Weights, len(w))
	for c := range w {
		scaled[c] = w[c] / w[common]
	}
	return scaled
}
