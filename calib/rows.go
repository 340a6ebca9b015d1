package calib

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// group stands for all rows of one score.
type group struct {
	score     float64
	hit, miss float64 // summed weight of the rows of the class, and of all others
}

// maxWeight bounds the sum of the weights, which stands for a number of rows: beyond it a
// float64 no longer counts one by one, and smoothed targets are 0 and 1.
const maxWeight = 1e15

// pool checks the rows and returns them as groups of equal score, in the order of the score,
// in O(n log n). Rows of weight 0 are left out, before their score is looked at. The groups
// are bit-equal for any order of the rows. The weights of hits and misses, summed over all
// groups, are both positive, and at most maxWeight together. With unit, scores outside [0, 1] are an error.
func pool(score []float64, hit []bool, weight []float64, unit bool) ([]group, error) {
	if err := checkRows(score, hit, weight, unit); err != nil {
		return nil, err
	}
	rows := make([]group, 0, len(score))
	for i, s := range score {
		w := weightOf(weight, i)
		if w == 0 {
			continue
		}
		if s == 0 {
			s = 0 // minus zero is the same score
		}
		if hit[i] {
			rows = append(rows, group{s, w, 0})
		} else {
			rows = append(rows, group{s, 0, w})
		}
	}
	if len(rows) == 0 {
		return nil, errNoWeight
	}
	groups := merge(rows)
	hits, misses := totals(groups)
	switch {
	case hits == 0 || misses == 0:
		return nil, ErrOneClass
	}
	return groups, checkTotal(hits + misses)
}

func checkTotal(weight float64) error {
	if weight > maxWeight {
		return fmt.Errorf("calibration: the weights sum to %.3g, more than %g; divide all by one number, so that they sum to about the number of rows", weight, maxWeight)
	}
	return nil
}

// merge sorts rows and adds up those of equal score, in place. The weights within a score
// are sorted too, because the rounding of a sum depends on its order.
func merge(rows []group) []group {
	slices.SortFunc(rows, func(a, b group) int {
		if c := cmp.Compare(a.score, b.score); c != 0 {
			return c
		}
		if c := cmp.Compare(a.hit, b.hit); c != 0 {
			return c
		}
		return cmp.Compare(a.miss, b.miss)
	})
	last := 0
	for _, r := range rows[1:] {
		if r.score == rows[last].score {
			rows[last].hit += r.hit
			rows[last].miss += r.miss
			continue
		}
		last++
		rows[last] = r
	}
	return rows[:last+1]
}

// totals returns the weight of all hits and of all misses.
func totals(groups []group) (hits, misses float64) {
	for _, g := range groups {
		hits += g.hit
		misses += g.miss
	}
	return hits, misses
}

func checkRows(score []float64, hit []bool, weight []float64, unit bool) error {
	if len(hit) != len(score) || (weight != nil && len(weight) != len(score)) {
		return fmt.Errorf("calibration: %d scores, %d labels and %d weights; give equally many (nil weights mean 1 each)", len(score), len(hit), len(weight))
	}
	if len(score) == 0 {
		return errNoRows
	}
	for i, s := range score {
		w := weightOf(weight, i)
		switch {
		case !(w >= 0) || math.IsInf(w, 0):
			return fmt.Errorf("calibration: weight %d is %g; correct it to a finite number, 0 or more", i, w)
		case w == 0:
		case !finite(s):
			return fmt.Errorf("calibration: score %d is %g; correct it to a finite number, or leave the row out", i, s)
		case unit && (s < 0 || s > 1):
			return fmt.Errorf("calibration: score %d is %g, outside [0, 1]; for scores that are not shares use the method %s or %s", i, s, PlattRaw, IsotonicLinear)
		}
	}
	return nil
}

func weightOf(weight []float64, i int) float64 {
	if weight == nil {
		return 1
	}
	return weight[i]
}
