package rarest

import "testing"

// By hand.
func TestClass(t *testing.T) {
	for _, c := range []struct {
		rows  []float64
		order []int
		want  int
		least float64
	}{
		{[]float64{900, 100, 60}, []int{0, 1, 2}, 2, 50},
		{[]float64{900, 100, 49}, []int{0, 1, 2}, 1, 50}, // too few to tune for, and others have enough
		{[]float64{900, 11, 9}, []int{0, 1, 2}, 1, 10},   // likewise to judge by
		{[]float64{900, 60, 60}, []int{0, 2, 1}, 1, 50},  // the last of equals in the order of ties
		{[]float64{5, 1}, []int{0, 1}, 1, 0},             // there is no better
		{[]float64{5, 0}, []int{0, 1}, 0, 0},             // there is no other
		{[]float64{100, 900, 0}, []int{1, 0, 2}, 0, 50},  // a class without rows is none
		{[]float64{100, 100}, []int{1, 0}, 0, 50},        // of equals the first in the order is the common one
		{[]float64{70, 100, 100}, []int{2, 1, 0}, 0, 50},
	} {
		if got, least := Class(c.rows, c.order); got != c.want || least != c.least {
			t.Errorf("of %v the class %d of %g rows, want %d of %g", c.rows, got, least, c.want, c.least)
		}
	}
}
