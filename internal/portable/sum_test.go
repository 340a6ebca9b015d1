package portable

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Sums of numbers in any order are the exact sum, rounded once, by the big numbers of the standard library.
func TestSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for range 10_000 {
		values := make([]float64, 1+rng.IntN(30))
		exact := new(big.Float).SetPrec(2000)
		for i := range values {
			values[i] = rng.NormFloat64() * math.Ldexp(1, rng.IntN(20))
			exact.Add(exact, big.NewFloat(values[i]))
		}
		want, _ := exact.Float64()
		rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		var got Sum
		for _, v := range values {
			got.Add(v)
		}
		if got.Value() != want {
			t.Fatalf("%v: the sum %v, want %v", values, got.Value(), want)
		}
	}
	var s Sum
	s.Add(1)
	s.Add(math.Inf(-1))
	if s.Add(2); !math.IsInf(s.Value(), -1) {
		t.Errorf("with -Inf the sum is %v", s.Value())
	}
}

// By hand: 1 + 2^-53 is 1 in a float64, and 1 + 2·2^-53 is not.
func TestTotal(t *testing.T) {
	const bit = 0x1p-53
	for _, numbers := range [][]float64{{1, bit, bit}, {bit, 1, bit}, {bit, bit, 1}} {
		if got := Total(numbers); got != 1+2*bit {
			t.Errorf("the sum of %v is %v", numbers, got)
		}
	}
	if got := Total(nil); got != 0 {
		t.Errorf("the sum of nothing is %v", got)
	}
}
