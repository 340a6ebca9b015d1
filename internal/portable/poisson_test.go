package portable

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The mean and the variance of Poisson variates are their parameter; below 64 they are exact,
// the probability of 0 is that of the formula.
func TestPoisson(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 63))
	for _, mean := range []float64{0.1, 1, 10, 63, 65, 1000} {
		const n = 20_000
		sum, squares, zeros := 0.0, 0.0, 0.0
		for range n {
			v := Poisson(rng, mean)
			sum, squares = sum+v, squares+v*v
			if v == 0 {
				zeros++
			}
		}
		m := sum / n
		if se := math.Sqrt(mean / n); math.Abs(m-mean) > 4*se {
			t.Errorf("mean %v of variates of mean %v", m, mean)
		}
		if v := squares/n - m*m; math.Abs(v/mean-1) > 0.06 {
			t.Errorf("variance %v of variates of mean %v", v, mean)
		}
		if p := math.Exp(-mean); math.Abs(zeros/n-p) > 4*math.Sqrt(p/n)+1e-9 {
			t.Errorf("%v of the variates of mean %v are 0, want %v", zeros/n, mean, p)
		}
	}
}
