// Package direction tells scores that run the other way, or say nothing.
package direction

import (
	"math"
	"slices"
)

// Verdict is what scores say of a class.
type Verdict uint8

// The verdicts.
const (
	Fine     Verdict = iota // they rise with the class, or chance may have it so
	Constant                // they are the same for every row
	Reversed                // rows of the class have lower ones than others
)

// beyondChance is by how many standard deviations rows of a class rank below others that is no chance.
const beyondChance = 4

// Of judges the scores of a class: hit says which rows are of it, and rows how many each stands for (nil means 1 each).
// It returns the area under the ROC curve as well, NaN where it has none. Reversed are scores whose area lies below one
// half by more than four standard deviations of Mann and Whitney (Ann. Math. Statist. 18, 1947), ties counted.
func Of(score []float64, hit []bool, rows []float64) (v Verdict, area float64) {
	order := make([]int, 0, len(score))
	of := func(i int) float64 {
		if rows == nil {
			return 1
		}
		return rows[i]
	}
	in, out := 0.0, 0.0
	for i := range score {
		switch n := of(i); {
		case n <= 0:
			continue
		case hit[i]:
			in += n
		default:
			out += n
		}
		order = append(order, i)
	}
	if in == 0 || out == 0 {
		return Fine, math.NaN()
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case score[a] < score[b]:
			return -1
		case score[a] > score[b]:
			return 1
		}
		return a - b
	})
	below, won, ties := 0.0, 0.0, 0.0
	for from := 0; from < len(order); {
		to, hits, misses := from, 0.0, 0.0
		for ; to < len(order) && score[order[to]] == score[order[from]]; to++ {
			if n := of(order[to]); hit[order[to]] {
				hits += n
			} else {
				misses += n
			}
		}
		won += float64(hits * (below + misses/2))
		below += misses
		same := hits + misses
		ties += float64(same * same * same)
		if from == 0 && to == len(order) {
			return Constant, 0.5
		}
		from = to
	}
	n := in + out
	area = won / float64(in*out)
	deviation := math.Sqrt(max(0, float64(n*n*n)-ties) / float64(12*n*n*in*out))
	if 0.5-area > beyondChance*deviation {
		return Reversed, area
	}
	return Fine, area
}
