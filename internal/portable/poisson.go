package portable

import (
	"math"
	"math/rand/v2"
)

// Poisson draws a variate of the Poisson distribution: by the product of uniform ones (Knuth, TAOCP 2, 3.4.1), for
// a large mean by the normal distribution, which is the sum of twelve uniform ones. (Those of libraries take
// logarithms that are not the same on all machines.)
func Poisson(rng *rand.Rand, mean float64) float64 {
	if mean > 64 {
		normal := -6.0
		for range 12 {
			normal += float64(rng.Float64())
		}
		return max(0, math.Round(mean+float64(math.Sqrt(mean)*normal)))
	}
	n, limit := 0.0, Exp(-mean)
	for p := rng.Float64(); p > limit; p *= rng.Float64() {
		n++
	}
	return n
}
