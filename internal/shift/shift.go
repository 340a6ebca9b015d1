// Package shift tests without labels whether new rows are decided otherwise than those that a model was tuned on.
package shift

import (
	"math"

	"github.com/rfpragma/rfpragma"
)

// When a class is decided otherwise than in training: where rows of the same kind would have so many of its
// decisions, or so few, with no larger probability (that of five standard errors), and their share is at least so
// many times as large or as small. A little drift is for evaluate, which has labels to tell it by.
const (
	chance = 2.9e-7
	times  = 2.0
)

// Class is decided far more or less often than in training.
type Class struct {
	Class       int
	Rows        int     // decided as it
	Share, Then float64 // of all rows that are, and of those in training
}

// Classes returns the classes as which new rows are decided far more or less often than those that the model was
// tuned on. As has the rows decided as each class; nil where nothing is known to compare with.
func Classes(m *rfpragma.Model, as []int) []Class {
	rows := 0
	for _, n := range as {
		rows += n
	}
	figures := m.Provenance.Figures
	if rows == 0 || len(figures) != len(as) {
		return nil
	}
	var found []Class
	for c, f := range figures {
		if f.Share == nil || f.Recall == nil || f.Precision != nil && f.Precision.Value == 0 {
			continue // or some were decided as it, and no one knows how many
		}
		was := 0.0 // the share of the decisions for the class: its hits by their precision
		if f.Precision != nil {
			was = f.Share.Value * f.Recall.Value / f.Precision.Value
		}
		now, n, before := float64(as[c])/float64(rows), float64(rows), math.Round(f.Share.Rows)
		of, hits := n, float64(as[c])
		all := hits + math.Round(was*before)
		if now < was { // then as many others are too many
			hits, all = of-hits, of+before-all
		}
		if max(now, was) >= times*min(now, was) && atLeast(hits, of, all, of+before) < chance {
			found = append(found, Class{c, as[c], now, was})
		}
	}
	return found
}

// atLeast returns the probability that of the rows drawn, n of all N, at least so many are among the K marked ones
// (the hypergeometric distribution, as in Fisher's exact test). It sums from there on, as the terms fall where there
// are more than would be expected; elsewhere it returns 1.
func atLeast(hits, n, marked, all float64) float64 {
	if hits*all <= n*marked {
		return 1
	}
	choose := func(n, k float64) float64 {
		a, _ := math.Lgamma(n + 1)
		b, _ := math.Lgamma(k + 1)
		c, _ := math.Lgamma(n - k + 1)
		return a - b - c
	}
	term := math.Exp(choose(marked, hits) + choose(all-marked, n-hits) - choose(all, n))
	sum := 0.0
	for ; term > sum/1e9; hits++ {
		sum += term
		term *= (marked - hits) / (hits + 1) * ((n - hits) / (all - marked - n + hits + 1))
	}
	return sum
}
