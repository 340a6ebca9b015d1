package offer

import (
	"cmp"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/vote"
)

// Needed is the least weight of a class, but for a billionth, under which such a share of its rows is found.
type Needed struct {
	Recall float64 // the share that was asked for
	Least  float64 // the weight
}

// Of returns w with it for class c.
func (n Needed) Of(w vote.Weights, c int) vote.Weights {
	with := slices.Clone(w)
	with[c] = n.Least
	return with
}

// WeightsFor returns the weights of class c under which these shares of its rows, which rise, are found, beside the
// weights w of the other classes. What is found under none is left out.
func WeightsFor(h *vote.Table, w vote.Weights, c int, recalls []float64) []Needed {
	type row struct{ turns, weight float64 }
	var rows []row
	all := 0.0
	for i, votes := range h.Judged() {
		if h.Truth[i] != c {
			continue
		}
		others := 0.0
		for d, v := range votes {
			if d != c {
				others = max(others, w[d]*float64(v))
			}
		}
		rows, all = append(rows, row{others / float64(votes[c]), h.WeightOf(i)}), all+h.WeightOf(i)
	}
	if rows == nil {
		return nil
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.turns, b.turns) })
	var out []Needed
	at, found := -1, 0.0
	for _, recall := range recalls {
		for at < 0 || found < recall*all*(1-1e-12) && at+1 < len(rows) {
			at++
			found += rows[at].weight
		}
		if math.IsInf(rows[at].turns, 1) {
			break
		}
		out = append(out, Needed{recall, max(rows[at].turns*(1+1e-9), math.SmallestNonzeroFloat32)})
	}
	return out
}
