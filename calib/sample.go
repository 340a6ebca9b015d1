package calib

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNoRows says that there is nothing to judge by.
var ErrNoRows = errors.New("judging: there are no rows of known class and positive weight; give some")

// Sample holds the probabilities that were given for a class, and what came of them, summed up by distinct
// probability. All that this package computes of the probabilities for one class against the others comes from
// a sample: the figures in a [Report] and the tables for diagrams.
//
// Weights enter in two ways. Means, shares and areas are over the weight: a row of weight 0 is as if removed,
// one of weight 2 as if given twice. Intervals, standard errors and tests, which depend on the number of rows,
// use the effective number (Σw)²/Σw² over the weights w of the rows concerned (Kish, Survey Sampling, 1965). It
// does not depend on the unit of the weights, and is the number of rows if all weigh the same.
//
// Neither the order of the rows, nor whether they are given one by one or summed up, changes a bit of anything,
// unless more than some 100 bits lie between the largest weight and the last bit of the smallest. The sums over
// distinct probabilities are taken in their order.
type Sample struct {
	cells    []cell // by increasing probability
	all      cell   // their sum
	exponent int    // weights are in units of 2^exponent
}

// cell stands for all rows of one probability.
type cell struct {
	prob                  float64
	hit, miss             float64 // summed weight of the rows of the class, and of all others
	hitSquare, missSquare float64 // sum of their squared weights
}

func (c cell) weight() float64 { return c.hit + c.miss }

// rows returns the effective number of rows.
func (c cell) rows() float64 { return effective(c.weight(), c.hitSquare+c.missSquare) }

// NewSample sums up rows, in O(n log n).
//
// Shapes: prob, hit, weight and square have the same length n; nil weight means 1 each. An
// entry may stand for several rows of equal probability and class: its weight is then the sum
// of theirs, and square the sum of their squared weights. Nil square means that each entry is
// one row. So where entries count rows of weight 1, give the counts twice:
// NewSample(prob, hit, count, count).
// Units:  prob is a probability, in [0, 1].
// Errors: lengths that differ; a weight that is not finite or negative; for entries of
// positive weight, a probability that is NaN or outside [0, 1], and a square that is not
// finite, not positive, or as of more than 1e15 rows (all naming the index); a sum of weights
// above 1e15; [ErrNoRows].
func NewSample(prob []float64, hit []bool, weight, square []float64) (*Sample, error) {
	if err := checkSample(prob, hit, weight, square); err != nil {
		return nil, err
	}
	largest := 0.0
	for i := range prob {
		largest = max(largest, weightOf(weight, i))
	}
	if largest == 0 {
		return nil, ErrNoRows
	}
	// A power of two changes no digit, and keeps squares from being too large or too small.
	_, exponent := math.Frexp(largest)
	cells := make([]cell, 0, len(prob))
	for i, p := range prob {
		w := math.Ldexp(weightOf(weight, i), -exponent)
		if w == 0 {
			continue
		}
		c, squared := cell{prob: p + 0}, float64(w*w) // + 0 takes the sign off a minus zero
		if square != nil {
			squared = math.Ldexp(square[i], -2*exponent)
		}
		if hit[i] {
			c.hit, c.hitSquare = w, squared
		} else {
			c.miss, c.missSquare = w, squared
		}
		cells = append(cells, c)
	}
	s := &Sample{cells: mergeCells(cells), exponent: exponent}
	s.all = add(s.cells)
	if total := s.unscaled(s.all.weight()); !(total <= maxWeight) {
		return nil, fmt.Errorf("judging: the weights sum to %.3g, more than %g; divide all by one number, so that they sum "+
			"to about the number of rows", total, maxWeight)
	}
	return s, nil
}

func checkSample(prob []float64, hit []bool, weight, square []float64) error {
	n := len(prob)
	if len(hit) != n || (weight != nil && len(weight) != n) || (square != nil && len(square) != n) {
		return fmt.Errorf("judging: %d probabilities, %d labels, %d weights and %d squares; give equally many (nil weights "+
			"mean 1 each, nil squares one row each)", n, len(hit), len(weight), len(square))
	}
	for i, p := range prob {
		w := weightOf(weight, i)
		switch {
		case !(w >= 0) || math.IsInf(w, 0):
			return fmt.Errorf("judging: weight %d is %g; correct it to a finite number, 0 or more", i, w)
		case w == 0:
		case !(p >= 0 && p <= 1):
			return fmt.Errorf("judging: probability %d is %g; correct it to one in [0, 1], map it first if it is a score, or "+
				"leave the row out", i, p)
		case square != nil && (!(square[i] > 0) || math.IsInf(square[i], 0)):
			return fmt.Errorf("judging: square %d is %g; correct it to the sum of the squared weights of the rows that the "+
				"entry stands for", i, square[i])
		case square != nil && w/(square[i]/w) > maxWeight:
			return fmt.Errorf("judging: square %d is %g where the weight is %g, as of more than %g rows; correct it to the "+
				"sum of their squared weights", i, square[i], w, maxWeight)
		}
	}
	return nil
}

// mergeCells sorts cells and adds up those of equal probability, in place.
func mergeCells(cells []cell) []cell {
	slices.SortFunc(cells, func(a, b cell) int {
		// Those of equal probability are sorted too: the rounding of a sum depends on its order.
		if a.prob != b.prob {
			return cmp.Compare(a.prob, b.prob)
		}
		return cmp.Or(cmp.Compare(a.hit, b.hit), cmp.Compare(a.miss, b.miss),
			cmp.Compare(a.hitSquare, b.hitSquare), cmp.Compare(a.missSquare, b.missSquare))
	})
	n := 0
	for from := 0; from < len(cells); n++ {
		to := from + 1
		for to < len(cells) && cells[to].prob == cells[from].prob {
			to++
		}
		c := cells[from]
		if to > from+1 {
			c = add(cells[from:to])
			c.prob = cells[from].prob
		}
		cells[n], from = c, to
	}
	return slices.Clip(cells[:n])
}

// add sums up the weights of cells, and their squares.
func add(cells []cell) cell {
	var hit, miss, hitSquare, missSquare sum
	for _, c := range cells {
		hit.add(c.hit)
		miss.add(c.miss)
		hitSquare.add(c.hitSquare)
		missSquare.add(c.missSquare)
	}
	return cell{hit: hit.value(), miss: miss.value(), hitSquare: hitSquare.value(), missSquare: missSquare.value()}
}

// unscaled returns a weight in the units it was given in.
func (s *Sample) unscaled(weight float64) float64 { return math.Ldexp(weight, s.exponent) }

// effective returns the number of rows of equal weight that tell as much as rows of this
// weight and sum of squared weights. Weights too small to be squared, beside the largest, are
// as one row.
func effective(weight, square float64) float64 {
	if !(square > 0) {
		return 1
	}
	return weight / (square / weight)
}

// sum adds with twice the digits of a float64 (two-sum: Knuth, TAOCP 2, 4.2.2, theorem B).
type sum struct{ high, low float64 }

func (s *sum) add(x float64) {
	after := s.high + x
	part := after - s.high
	s.low += (s.high - (after - part)) + (x - part)
	s.high = after
}

func (s *sum) value() float64 { return s.high + s.low }
