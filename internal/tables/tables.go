// Package tables has what is computed from tables of votes and of data, for other packages of this module.
package tables

import (
	"math"

	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// EffectiveRows returns, by class, the effective number of the rows that can be judged, see [Size]. A row that stands
// for several is taken as rows of equal weight.
func EffectiveRows(t *vote.Table) []float64 {
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
func MixedWeights(t *vote.Table) bool {
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

// Stands returns how many rows the rows of t stand for altogether.
func Stands(t *vote.Table) int {
	if t.Times == nil {
		return t.Rows()
	}
	n := 0
	for _, m := range t.Times {
		n += m
	}
	return n
}

// MeanAmounts returns the mean amount of the rows of each class, 0 for a class without rows; nil if there are
// no amounts.
func MeanAmounts(t *vote.Table) []float64 {
	if t.Amount == nil {
		return nil
	}
	means, rows := make([]float64, len(t.Classes)), make([]float64, len(t.Classes))
	for i, c := range t.Truth {
		if c >= 0 {
			means[c] += float64(t.Amount[i] * t.WeightOf(i))
			rows[c] += t.WeightOf(i)
		}
	}
	for c, n := range rows {
		if n > 0 {
			means[c] /= n
		}
	}
	return means
}

// ClassRows returns the rows of each class, summed by their weights.
func ClassRows(t *vote.Table) []float64 {
	sums := make([]portable.Sum, len(t.Classes))
	for i, c := range t.Truth {
		if c >= 0 {
			sums[c].Add(t.WeightOf(i))
		}
	}
	rows := make([]float64, len(sums))
	for c := range sums {
		rows[c] = sums[c].Value()
	}
	return rows
}
