package portable

import "math"

// Sum adds up numbers with twice their digits and rounds once, so that their order does not matter, unless more
// than some 50 bits lie between the largest and the last bit of the smallest (two-sum: Knuth, TAOCP 2, 4.2.2,
// theorem B). The zero value is 0.
type Sum struct{ high, low float64 }

// Add adds a number.
func (s *Sum) Add(x float64) {
	after := s.high + x
	part := after - s.high
	s.low += (s.high - (after - part)) + (x - part)
	s.high = after
}

// Value returns the sum of the numbers so far.
func (s *Sum) Value() float64 {
	if math.IsInf(s.high, 0) { // and then low is no number
		return s.high
	}
	return s.high + s.low
}

// Total returns the sum of numbers, as a [Sum] has it.
func Total(numbers []float64) float64 {
	var s Sum
	for _, x := range numbers {
		s.Add(x)
	}
	return s.Value()
}
