package vote

import "math"

// Kish computes the effective number of rows from their case weights: (Σw)²/Σw², which is the number of rows if
// all weigh the same. The zero value has no rows. Source: Kish, Survey Sampling (1965), 11.7.
type Kish struct {
	weight, squares float64 // in units of 2^exp and of its square: so no unit of the weights is too large or too small to be squared
	exp             int
}

// Add adds rows of the summed weight Σw, of which a row weighs Σw²/Σw: w and w for a single row, see
// [Table.RowWeights]. Weight 0 adds nothing.
func (k *Kish) Add(weight, row float64) {
	if !(weight > 0) {
		return
	}
	if _, exp := math.Frexp(weight); k.weight == 0 || exp > k.exp {
		down := k.exp - exp
		k.weight, k.squares, k.exp = math.Ldexp(k.weight, down), math.Ldexp(k.squares, 2*down), exp
	}
	w := math.Ldexp(weight, -k.exp)
	k.weight += w
	k.squares += float64(w * math.Ldexp(row, -k.exp))
}

// summed returns what was added, as of one: the summed weight, and what a row weighs.
func (k *Kish) summed() (weight, row float64) {
	return math.Ldexp(k.weight, k.exp), math.Ldexp(k.squares/k.weight, k.exp)
}

// Rows returns the effective number of rows, 0 if there are none.
func (k *Kish) Rows() float64 {
	if k.weight == 0 {
		return 0
	}
	return k.weight / k.squares * k.weight
}

// RowWeights returns, for each row of t.Compress(), what a row merged into it weighs: Σw²/Σw, the mean of their
// weights, each counted as often as it weighs. A row of t that stands for several is taken as rows of equal
// weight.
func (t *Table) RowWeights() []float64 {
	h := t.Histogram()
	sums, rests := make([]float64, h.Cells()), make([]float64, h.Cells())
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

// Numbers returns, by class, the effective number of the rows that can be judged, see [Kish]. A row that stands
// for several is taken as rows of equal weight.
func (t *Table) Numbers() []float64 {
	by := make([]Kish, len(t.Classes))
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
