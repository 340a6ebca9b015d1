// Package portable has the few functions of package math that are not the same on all
// machines. Exp, Log and Log1p of the standard library are written in assembly for some
// processors, and then differ in the last bit even with the options of one processor. These
// are made of sums, products, quotients and square roots alone, each rounded as IEEE 754 wants
// it: every product that feeds a sum is converted, so that no compiler fuses the two.
//
// The method and the constants are those of FreeBSD's msun (e_exp.c, e_log.c), which come with
// this notice:
//
//	Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//	Developed at SunPro, a Sun Microsystems, Inc. business.
//	Permission to use, copy, modify, and distribute this software is freely granted,
//	provided that this notice is preserved.
package portable

import "math"

// The logarithm of 2 in two parts: multiples of the first by the exponent of a number are
// exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// Z95 is the standard normal quantile of two-sided 95 % intervals.
const Z95 = 1.959963984540054

// Exp returns e to the power x, within 1 ulp. It is 0 or +Inf where the result is too small or
// too large, and NaN for NaN.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 7.09782712893383973096e+02:
		return math.Inf(1)
	case x < -7.45133219101941108420e+02:
		return 0
	}
	// x = k·ln 2 + r with |r| ≤ ln 2 / 2, where r is kept as high − low.
	k := math.Round(math.Log2E * x)
	high, low := x-float64(k*ln2High), float64(k*ln2Low)
	r := high - low
	// c = r − t·P(t), t = r², after which e^r = 1 + r + r·c/(2−c).
	t := float64(r * r)
	p := float64(t*4.13813679705723846039e-08) - 1.65339022054652515390e-06
	p = float64(t*p) + 6.61375632143793436117e-05
	p = float64(t*p) - 2.77777777770155933842e-03
	p = float64(t*p) + 1.66666666666666657415e-01
	c := r - float64(t*p)
	y := 1 - ((low - float64(r*c)/(2-c)) - high)
	if k > -1022 && k < 1023 { // the result is no denormal: the exponent is a matter of bits
		return math.Float64frombits(math.Float64bits(y) + uint64(int64(k))<<52)
	}
	return math.Ldexp(y, int(k))
}

// Log returns the natural logarithm of x, within 1 ulp. It is -Inf for 0, and NaN below 0 and
// for NaN.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	// x = 2^k·(1+f) with √½ ≤ 1+f < √2.
	fraction, exponent := split(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	f, k := fraction-1, float64(exponent)
	// ln(1+f) = f − (f²/2 − s·(f²/2 + R)), with s = f/(2+f) and R = s²·P(s²).
	s := f / (2 + f)
	t := float64(s * s)
	p := float64(t*1.479819860511658591e-01) + 1.531383769920937332e-01
	p = float64(t*p) + 1.818357216161805012e-01
	p = float64(t*p) + 2.222219843214978396e-01
	p = float64(t*p) + 2.857142874366239149e-01
	p = float64(t*p) + 3.999999999940941908e-01
	p = float64(t*p) + 6.666666666666735130e-01
	rest := float64(t * p)
	half := float64(0.5 * f * f)
	return float64(k*ln2High) - ((half - (float64(s*(half+rest)) + float64(k*ln2Low))) - f)
}

// Log1p returns the natural logarithm of 1 + x, within 2 ulp also where x is close to 0. It is
// -Inf for -1, and NaN below that and for NaN.
func Log1p(x float64) float64 {
	u := 1 + x
	switch {
	case u == 1 || math.IsInf(u, 1):
		return x
	case u == 0:
		return math.Inf(-1)
	}
	return Log(u) + (x-(u-1))/u // what rounding took off u is small, and its logarithm linear
}

// Hypot returns √(x²+y²), which overflows only where the result does. It is NaN where x or y
// is, and +Inf where one of them is infinite and the other is a number.
func Hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	large, small := max(x, y), min(x, y)
	if large == 0 || !(large <= math.MaxFloat64) {
		return large
	}
	ratio := small / large
	return large * math.Sqrt(1+float64(ratio*ratio))
}

// split returns x > 0 as a fraction from ½ to 1 times a power of 2, as math.Frexp does.
func split(x float64) (fraction float64, exponent int) {
	const bias, mask = 1022, 1<<11 - 1
	b := math.Float64bits(x)
	if e := b >> 52; e > 0 {
		return math.Float64frombits(b&^(mask<<52) | bias<<52), int(e) - bias
	}
	return math.Frexp(x) // a denormal
}
