package calib

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
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
	groups := make([]group, 0, len(score))
	err := eachGroup(score, hit, weight, unit, func(g group) { groups = append(groups, g) })
	if err != nil {
		return nil, err
	}
	return groups, nil
}

// eachGroup is pool without the memory: it passes the groups on one by one. What is made of them is worth nothing
// where there is an error.
func eachGroup(score []float64, hit []bool, weight []float64, unit bool, use func(group)) error {
	if err := checkRows(score, hit, weight, unit); err != nil {
		return err
	}
	if len(score) > math.MaxInt32 {
		return fmt.Errorf("calibration: %d rows; give at most %d, those of equal score summed up", len(score), math.MaxInt32)
	}
	rows := make([]keyed, 0, len(score))
	for i, s := range score {
		if weight == nil || weight[i] != 0 {
			k := keyed{keyOf(s), uint32(i) << 1}
			if hit[i] {
				k.row |= 1
			}
			rows = append(rows, k)
		}
	}
	if len(rows) == 0 {
		return errNoWeight
	}
	hits, misses := merge(sortKeys(rows), weight, use)
	if hits == 0 || misses == 0 {
		return ErrOneClass
	}
	return checkTotal(hits + misses)
}

func checkTotal(weight float64) error {
	if weight > maxWeight {
		return fmt.Errorf("calibration: the weights sum to %.3g, more than %g; divide all by one number, so that they sum "+
			"to about the number of rows", weight, maxWeight)
	}
	return nil
}

// keyed is a row with all that is needed of it in its place: its score as a whole number in the order of the
// scores, and twice its index, plus 1 for a hit.
type keyed struct {
	key uint64
	row uint32
}

// keyOf returns a whole number that is in the order of v: the bits of a number are, those of negative ones
// inverted. Minus zero is zero.
func keyOf(v float64) uint64 {
	b := math.Float64bits(v + 0)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// score undoes keyOf.
func (k keyed) score() float64 {
	return math.Float64frombits(k.key ^ (uint64(int64(^k.key)>>63) | 1<<63))
}

// merge adds up the rows of equal score, which are in its order, and returns the weight of all hits and of all
// misses. Weights within a score are sorted, because the rounding of a sum depends on its order.
func merge(rows []keyed, weight []float64, use func(group)) (hits, misses float64) {
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[to].key == rows[from].key {
			to++
		}
		run, g := rows[from:to], group{score: rows[from].score()}
		if weight != nil && len(run) > 1 {
			slices.SortFunc(run, func(a, b keyed) int { return cmp.Compare(weight[a.row>>1], weight[b.row>>1]) })
		}
		for _, r := range run {
			w := 1.0
			if weight != nil {
				w = weight[r.row>>1]
			}
			if r.row&1 == 1 {
				g.hit += w
			} else {
				g.miss += w
			}
		}
		hits += g.hit
		misses += g.miss
		use(g)
		from = to
	}
	return hits, misses
}

// both does the work of both halves at once.
func both(work func(half int)) {
	var other sync.WaitGroup
	other.Go(func() { work(1) })
	work(0)
	other.Wait()
}

// sortKeys sorts rows by their keys: by the upper half of the bits digit by digit (radix sort), and where these are
// equal as usual.
func sortKeys(rows []keyed) []keyed {
	const width, size, lowest = 11, 1 << 11, 31
	byKey := func(a, b keyed) int { return cmp.Compare(a.key, b.key) }
	if len(rows) < size || slices.IsSortedFunc(rows, byKey) {
		slices.SortFunc(rows, byKey)
		return rows
	}
	spare := make([]keyed, len(rows))
	halves := [2][]keyed{rows[:len(rows)/2], rows[len(rows)/2:]}
	for shift := lowest; shift < 64; shift += width {
		var next [2][size]int32 // by half and digit: first how many, then where the next one goes
		both(func(h int) {
			for _, r := range halves[h] {
				next[h][r.key>>shift%size]++
			}
		})
		sum := int32(0)
		for d := range size {
			for h := range next {
				next[h][d], sum = sum, sum+next[h][d]
			}
		}
		both(func(h int) {
			for _, r := range halves[h] {
				at := &next[h][r.key>>shift%size]
				spare[*at] = r
				*at++
			}
		})
		rows, spare = spare, rows
		halves = [2][]keyed{rows[:len(rows)/2], rows[len(rows)/2:]}
	}
	for from := 0; from < len(rows); {
		to, same := from+1, true
		for to < len(rows) && rows[to].key>>lowest == rows[from].key>>lowest {
			same = same && rows[to].key == rows[from].key
			to++
		}
		if !same {
			slices.SortFunc(rows[from:to], byKey)
		}
		from = to
	}
	return rows
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
		return fmt.Errorf("calibration: %d scores, %d labels and %d weights; give equally many (nil weights mean 1 each)",
			len(score), len(hit), len(weight))
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
			return fmt.Errorf("calibration: score %d is %g, outside [0, 1]; for scores that are not shares use the method %s "+
				"or %s", i, s, PlattRaw, IsotonicLinear)
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
