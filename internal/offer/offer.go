// Package offer has what the choice of other operating points takes for offered: shares to find, and the weights
// that find them.
package offer

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/pragma"
)

// StrictRecall is the strictest recall that a verb tells to ask for: more is hardly ever kept.
const StrictRecall = 0.99

// Vouched returns the recall that so many rows of a class make sure of, if all of them are found.
func Vouched(rows float64) float64 {
	n := math.Round(rows)
	low, _ := calib.Wilson(n, n, calib.Z95)
	return low
}

// RecallsOffered are the shares of a class to find that are told of, but for those next to what the tuned weights
// find. Less than half of it is for who can look at few rows: where most alarms are right anyway that is no choice.
var RecallsOffered = []float64{0.1, 0.25, 0.5, 0.8, 0.9, 0.95, StrictRecall}

// NextTo is how near to each other two recalls are so that one is enough, unless the alarms are apart.
const NextTo = 0.02

// Also adds floors to those that are required: of two limits of one figure of a class the stricter one stays.
func Also(required []pragma.Floor, more ...pragma.Floor) []pragma.Floor {
	out := slices.Clone(required)
	for _, f := range more {
		i := slices.IndexFunc(out, func(g pragma.Floor) bool {
			return g.Class == f.Class && g.What == f.What && g.Slice == f.Slice
		})
		atMost := f.What == pragma.Alerts || f.What == pragma.FalseAlarms
		switch {
		case i < 0:
			out = append(out, f)
		case atMost && f.Limit < out[i].Limit, !atMost && f.Limit > out[i].Limit:
			out[i] = f
		}
	}
	return out
}

// Budget limits the decisions for class c to a share of all, in 1,000 and a little rounded up.
func Budget(c int, share float64) pragma.Floor {
	rows := ThreeDigits(1e4*share) / 10
	return pragma.Floor{Class: c, What: pragma.Alerts, Limit: rows / 1000, Typed: fmt.Sprintf("%g/1000", rows)}
}

// lucky is up to how many times the share of the class a precision is hardly more than that of alarms at random.
const lucky = 1.1

// AtRandom tells whether alarms for a class are hardly right more often than at random, as where nearly all rows
// are. Share is that of the class.
func AtRandom(precision, share float64) bool { return precision <= lucky*share }

// Apart tells whether a figure is another one: a quarter higher or more.
func Apart(a, b float64) bool { return max(a, b) > 1.25*min(a, b) }

// ThreeDigits rounds n, above 0, up to its first three digits.
func ThreeDigits(n float64) float64 {
	unit := math.Pow10(max(0, int(math.Log10(n))-2))
	return math.Ceil(n/unit-1e-9) * unit // of a number that is as round but for an error of rounding
}

// FirstDigit rounds n, above 0, down to its first digit.
func FirstDigit(n float64) float64 {
	unit := 1.0
	for ; n >= 10; n /= 10 {
		unit *= 10
	}
	return max(1, math.Floor(n)) * unit
}
