package portable

import "math"

// Sin returns the sine of x, from 0 to π/2: its power series, off by less than 1e-15.
func Sin(x float64) float64 {
	square, sum := float64(x*x), 1.0
	for n := 22.0; n > 1; n -= 2 { // 1 - x²/6·(1 - x²/20·(...
		sum = 1 - float64(square*sum)/(n*(n+1))
	}
	return x * sum
}

// Asin returns the arcsine of x, from 0 to 1: its power series, at ((1-x)/2)^½ where x is above ½; off by less than
// 1e-15.
func Asin(x float64) float64 {
	if x > 0.5 {
		return math.Pi/2 - float64(2*Asin(math.Sqrt((1-x)/2)))
	}
	square, sum := float64(x*x), 1.0
	for n := 59.0; n > 0; n -= 2 { // 1 + x²·1·1/(2·3)·(1 + x²·3·3/(4·5)·(...
		sum = 1 + float64(float64(square*sum)*float64(n*n))/((n+1)*(n+2))
	}
	return x * sum
}
