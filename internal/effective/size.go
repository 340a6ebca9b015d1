// Package effective has effective numbers: of how many equal, independent rows weighed or grouped rows tell as much.
package effective

import "math"

// Size computes the effective number of rows from their case weights: (Σw)²/Σw², which is the number of rows if
// all weigh the same. The zero value has no rows. Source: Kish, Survey Sampling (1965), 11.7.
type Size struct {
	// in units of 2^exp and of its square: so no unit of the weights is too large or too small to be squared
	weight, squares float64
	exp             int
}

// Add adds rows of the summed weight Σw, of which a row weighs Σw²/Σw: w and w for a single row, see
// the RowWeights of a table of votes. Weight 0 adds nothing.
func (k *Size) Add(weight, row float64) {
	if !(weight > 0) {
		return
	}
	if _, exp := math.Frexp(weight); k.weight == 0 || exp > k.exp {
		down := k.exp - exp
		k.weight, k.squares, k.exp = math.Ldexp(k.weight, down), math.Ldexp(k.squares, 2*down), exp
	}
	w := math.Ldexp(weight, -k.exp)
	k.weight += w
	k.squares += float64(w * math.Ldexp(row, -k.exp))
}

// Summed returns what was added, as of one: the summed weight, and what a row weighs.
func (k *Size) Summed() (weight, row float64) {
	return math.Ldexp(k.weight, k.exp), math.Ldexp(k.squares/k.weight, k.exp)
}

// Rows returns the effective number of rows, 0 if there are none.
func (k *Size) Rows() float64 {
	if k.weight == 0 {
		return 0
	}
	return k.weight / k.squares * k.weight
}
