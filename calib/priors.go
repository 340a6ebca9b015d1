package calib

import (
	"fmt"
	"math"
	"slices"
)

// UndoSampling fills dst with the probabilities prob, corrected for having been fitted on a sample of the rows:
// kept[c] is the share of the rows of class c that were kept; only their ratios matter. So p'_c is proportional
// to p_c/kept_c. For two classes, and a share β kept of the rows of class 0, that is p' = β·p/(β·p − p + 1) for
// class 1.
//
// Shapes: dst, prob and kept have the same length k ≥ 2; dst may be prob. Errors: a share that is not above 0
// and finite; those of [ChangePriors], of which this is a special case. Source: Dal Pozzolo, Caelen, Johnson
// and Bontempi, IEEE SSCI 2015.
func UndoSampling(dst, prob, kept []float64) error {
	for c, s := range kept {
		if !(s > 0) || math.IsInf(s, 1) {
			return fmt.Errorf("calibration: the share of the rows of class %d that were kept is %g; correct it to a finite "+
				"number above 0", c, s)
		}
	}
	return ChangePriors(dst, prob, kept, slices.Repeat([]float64{1}, len(kept)))
}

// ChangePriors fills dst with the probabilities prob, converted from a population with the class shares from to
// one with the class shares to: p'_c is proportional to p_c·to_c/from_c. That is valid if rows of one class
// look alike in both. Only ratios count; to may hold zeros.
//
// Shapes: dst, prob, from and to have the same length k ≥ 2; dst may be prob. Errors: lengths that differ; a
// probability that is negative or not finite; a share in from that is not above 0 and finite, or in to that is
// negative or not finite; no class for which both the probability and the new share are above 0. Source:
// Saerens, Latinne and Decaestecker, Neural Computation 14 (2002) 21-41.
func ChangePriors(dst, prob, from, to []float64) error {
	k := len(prob)
	if k < 2 || len(dst) != k || len(from) != k || len(to) != k {
		return fmt.Errorf("calibration: %d probabilities to fill, %d given, %d shares of before and %d of after; give "+
			"equally many, 2 or more", len(dst), k, len(from), len(to))
	}
	most := 0.0
	for c, s := range to {
		switch {
		case !(s >= 0) || math.IsInf(s, 1):
			return fmt.Errorf("calibration: the new share of class %d is %g; correct it to a finite number, 0 or more", c, s)
		case !(from[c] > 0) || math.IsInf(from[c], 1):
			return fmt.Errorf("calibration: the old share of class %d is %g; correct it to a finite number above 0", c, from[c])
		}
		most = max(most, s/from[c])
	}
	if !(most > 0) || math.IsInf(most, 1) {
		return fmt.Errorf("calibration: the new shares of the classes are all 0, or too far from the old ones; correct them")
	}
	var all sum // rounded once, whatever the order of the classes
	for c, p := range prob {
		if !(p >= 0) || math.IsInf(p, 1) {
			return fmt.Errorf("calibration: probability %d is %g; correct it to a number in [0, 1]", c, p)
		}
		all.add(float64(p * (to[c] / from[c] / most)))
	}
	sum := all.value()
	if !(sum > 0) || math.IsInf(sum, 1) {
		return fmt.Errorf("calibration: only classes of new share 0 have a probability; give the others one, or a share")
	}
	for c, p := range prob {
		dst[c] = p * (to[c] / from[c] / most) / sum
	}
	return nil
}
