package shapley

import (
	"math"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// rule is Gauss and Legendre's for the mean of a polynomial over [0, 1]: of n points exact up to degree 2n-1.
type rule struct {
	at     []float64 // in (0, 1)
	weight []float64 // they sum up to 1
	rest   []float64 // 1/(1-at)
}

// newRule returns the rule of n points.
func newRule(n int) rule {
	r := rule{make([]float64, n), make([]float64, n), make([]float64, n)}
	for i := range n {
		// The roots of Legendre's polynomial lie near the cosines of (i+¾)/(n+½)·π; Newton's method finds them.
		x := cos((float64(i) + 0.75) / (float64(n) + 0.5) * math.Pi)
		slope := 0.0
		for range 8 { // from there it takes five steps at most
			var value float64
			value, slope = legendre(n, x)
			x -= value / slope
		}
		_, slope = legendre(n, x)
		r.at[i] = (1 - x) / 2
		r.weight[i] = 1 / (float64((1-x)*(1+x)) * float64(slope*slope))
		r.rest[i] = 2 / (1 + x)
	}
	return r
}

// legendre returns the value and the slope of Legendre's polynomial of degree n >= 1 at x.
func legendre(n int, x float64) (value, slope float64) {
	before, value := 1.0, x
	for d := 2.0; d <= float64(n); d++ {
		before, value = value, (float64((2*d-1)*x)*value-float64((d-1)*before))/d
	}
	return value, float64(n) * (float64(x*value) - before) / (float64(x*x) - 1)
}

// cos is the cosine of an angle from 0 to π.
func cos(angle float64) float64 {
	if angle > math.Pi/2 {
		return -portable.Sin(angle - math.Pi/2)
	}
	return portable.Sin(math.Pi/2 - angle)
}
