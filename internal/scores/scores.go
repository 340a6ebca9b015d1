// Package scores makes shares of the scores of any model, for maps to probabilities.
package scores

import (
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// Share divides the scores of a row (len k, from 0 on, not all 0) by their sum; whole votes are smoothed, see
// [calib.Smooth].
func Share(row []float64, votes bool) {
	unit := 1.0
	if !votes {
		unit = slices.Max(row) // the sum of the largest numbers is none
	}
	for c := range row {
		row[c] /= unit
	}
	sum := portable.Total(row)
	for c, v := range row {
		if votes {
			row[c] = calib.Smooth(v, sum)
		} else {
			row[c] = v / sum
		}
	}
}

// certain is the share below which a share counts as 0.
const certain = 1e-9

// Smooth smooths shares some of which are 0 or 1. That no tree of a few hundred voted for a class does not make it
// impossible, and maps that take logarithms would have it so. It returns the number of trees that it took: the one that
// the smallest share above 0 tells, but no larger than that of the rows, which cannot tell apart what is rarer and what
// never happens. Where no share is 0 or 1, as of most models that are no forests, all stay as they are, and it
// returns 0.
func Smooth(shares []float64, rows int) (trees int) {
	least, sure := 1.0, false
	for _, v := range shares {
		if v < certain {
			sure = true
		} else {
			least = min(least, v)
		}
	}
	if !sure {
		return 0
	}
	trees = int(min(math.Round(1/least), float64(rows)))
	SmoothAs(shares, trees)
	return trees
}

// SmoothAs smooths shares as those of so many trees; of 0 they stay as they are.
func SmoothAs(shares []float64, trees int) {
	for i, v := range shares {
		if t := float64(trees); t > 0 {
			shares[i] = calib.Smooth(float64(v*t), t)
		}
	}
}

// Relative returns weights as parts of the mean of those above 0, nil of nil: a map is shrunk by the number of rows, not
// by the unit of their weights.
func Relative(weights []float64) []float64 {
	if weights == nil {
		return nil
	}
	mean, n := 0.0, 0.0
	for _, w := range weights {
		if w > 0 {
			n++
			mean += (w - mean) / n
		}
	}
	out := make([]float64, len(weights))
	for i, w := range weights {
		out[i] = w / mean
	}
	return out
}
