package layout

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/english"
)

// What rounds to zero has no sign, wherever it is shown.
func TestFixed(t *testing.T) {
	for _, tc := range []struct {
		x      float64
		digits int
		want   string
	}{{-0.00001, 4, "0.0000"}, {-0.0001, 4, "-0.0001"}, {math.Copysign(0, -1), 0, "0"}, {-10, 0, "-10"}, {-0.4, 0, "0"},
		{0.25, 2, "0.25"}, {math.Inf(-1), 2, "-Inf"}} {
		if got := english.Fixed(tc.x, tc.digits); got != tc.want {
			t.Errorf("%g to %d digits: %s, want %s", tc.x, tc.digits, got, tc.want)
		}
	}
}

// Where a weight is as good as within its range is said in words, and where there is no range, too.
func TestPlateauText(t *testing.T) {
	for _, tc := range []struct {
		low, high float64
		want      string
	}{{0, math.Inf(1), "any"}, {0, 2.5, "up to 2.5"}, {2.5, math.Inf(1), "from 2.5"}, {2.5, 4, "2.5 to 4"},
		{6.0801, 6.0829, "no other"}} {
		if got := Plateau(rfpragma.Interval{Low: tc.low, High: tc.high}); got != tc.want {
			t.Errorf("%g to %g: %s, want %s", tc.low, tc.high, got, tc.want)
		}
	}
}

// An interval without width says nothing.
func TestLossInterval(t *testing.T) {
	for _, tc := range []struct {
		interval *[2]float64
		want     string
	}{{nil, ""}, {&[2]float64{0, 0.0002}, ""}, {&[2]float64{0.25, 0.5}, "0.250–0.500"}, {&[2]float64{10, 250.25},
		"10.00–250.25"}} {
		if got := LossInterval(tc.interval); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.interval, got, tc.want)
		}
	}
}
