package shift

import (
	"math"
	"testing"
)

// The figures are those of R 4.2: phyper(hits-1, marked, all-marked, n, lower.tail = FALSE).
func TestAtLeast(t *testing.T) {
	for _, tc := range []struct{ hits, n, marked, all, want float64 }{
		{1, 1, 81, 1001, 0.0809190809191},
		{7, 7, 87, 1007, 2.86393344652e-08},
		{16, 100, 96, 1100, 0.00932327067466},
		{1000, 1000, 1920, 2000, 1.59516618501e-25},
		{5, 100, 100, 1100, 1}, // no more than expected
	} {
		if got := atLeast(tc.hits, tc.n, tc.marked, tc.all); math.Abs(got-tc.want) > 1e-6*tc.want {
			t.Errorf("%v of %v, marked %v of %v: %v, want %v", tc.hits, tc.n, tc.marked, tc.all, got, tc.want)
		}
	}
}
