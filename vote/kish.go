package vote

import (
	"math"

	"github.com/rfpragma/rfpragma/internal/effective"
)

// RowWeights returns, for each row of t.Compress(), what a row merged into it weighs: Σw²/Σw, the mean of their
// weights, each counted as often as it weighs. A row of t that stands for several is taken as rows of equal
// weight.
func (t *Table) RowWeights() []float64 {
	if !t.shaped() {
		return nil
	}
	h := t.histogram()
	sums, rests := make([]float64, h.cellCount()), make([]float64, h.cellCount())
	for i, votes := range t.Judged() {
		w := t.WeightOf(i)
		if !(w > 0) {
			continue
		}
		c := h.cell(key{votes: votes, truth: t.Truth[i]})
		part := w / (h.sums[c] + h.rests[c]) // first, as w² need not be a number
		sum, rest := twoSum(sums[c], float64(part*(w/float64(t.TimesOf(i)))))
		sums[c] = sum
		rests[c] += rest
	}
	out := make([]float64, 0, len(sums))
	for _, c := range h.order(t.TieOrder()) {
		out = append(out, sums[c]+rests[c])
	}
	return out
}

// Numbers returns, by class, the effective number of the rows that can be judged, see [Size]. A row that stands
// for several is taken as rows of equal weight.
func (t *Table) Numbers() []float64 {
	by := make([]effective.Size, len(t.Classes))
	for i := range t.Judged() {
		by[t.Truth[i]].Add(t.WeightOf(i), t.WeightOf(i)/float64(t.TimesOf(i)))
	}
	out := make([]float64, len(by))
	for c := range by {
		out[c] = by[c].Rows()
	}
	return out
}

// MixedWeights reports whether t has merged rows and rows of different weights, so that the weights of the single
// rows are not known, see [Table.Condense].
func (t *Table) MixedWeights() bool {
	if t.Weight == nil {
		return false
	}
	merged, low, high := false, math.Inf(1), 0.0
	for i, w := range t.Weight {
		if w > 0 {
			each := w / float64(t.TimesOf(i))
			merged, low, high = merged || t.TimesOf(i) > 1, min(low, each), max(high, each)
		}
	}
	return merged && high-low > 1e-9*high // sums are rounded
}
