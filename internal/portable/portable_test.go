package portable

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// apart returns how many numbers lie between a and b, in steps; 0 where both are NaN.
func apart(a, b float64) uint64 {
	if math.IsNaN(a) || math.IsNaN(b) {
		if math.IsNaN(a) && math.IsNaN(b) {
			return 0
		}
		return math.MaxUint64
	}
	place := func(x float64) int64 { // equal steps from one number to the next, through 0
		if bits := int64(math.Float64bits(x)); bits >= 0 {
			return bits
		}
		return -int64(math.Float64bits(-x))
	}
	d := place(a) - place(b)
	return uint64(max(d, -d))
}

var (
	edges = []float64{
		0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, math.Pi, math.E, math.Ln2, math.Ln2 / 2, -math.Ln2 / 2, math.Sqrt2,
		math.Sqrt2 / 2,
		5e-324, -5e-324, 1e-310, 0x1p-1022, -0x1p-1022, 0x1p-54, 0x1p-53, -0x1p-53, 0x1p-52, 0x1p-29, 0x1p-28, 1e-15,
		1 - 1e-15, 1 + 1e-15,
		0x1p53, 0x1p53 + 2, 1e300, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(),
		709.7, 709.782712893384, 709.7827128933841, 710, -708.3, -708.4, -745.1, -745.133219101941, -745.1332191019412, -746,
	}
	functions = []struct {
		name      string
		ours, std func(float64) float64
		low, high float64 // where most arguments lie
		golden    uint64
	}{
		{"Exp", Exp, exp, -746, 710, 0xd1f4476ca0bc1617},
		{"Log", Log, log, 0, 20, 0x25a4a17d1b276bce},
		{"Log1p", Log1p, math.Log1p, -1, 20, 0xe643533a07a64b05},
	}
)

// exp is that of the standard library, which on some processors is +Inf from 709.44 on.
func exp(x float64) float64 {
	if x > 709 && x < 710 {
		return exact(x)
	}
	return math.Exp(x)
}

// log is that of the standard library, which on some processors takes a subnormal number for a
// normal one.
func log(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p60) - 60*math.Ln2
	}
	return math.Log(x)
}

// exact returns the number nearest to e to the power x, by the series in 200 bits.
func exact(x float64) float64 {
	const halvings = 20
	part := new(big.Float).SetPrec(200).SetFloat64(math.Ldexp(x, -halvings))
	term, sum := new(big.Float).SetPrec(200).SetInt64(1), new(big.Float).SetPrec(200).SetInt64(1)
	for i := range int64(40) {
		term.Mul(term, part)
		term.Quo(term, new(big.Float).SetInt64(i+1))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	v, _ := sum.Float64()
	return v
}

func TestExpIsWithinOneUlp(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 31))
	for range 3000 {
		x := -746 + 1456*rng.Float64()
		if got, want := Exp(x), exact(x); apart(got, want) > 1 {
			t.Errorf("Exp(%v) = %v, %d steps from %v", x, got, apart(got, want), want)
		}
	}
}

// Of a logarithm, the exponential of which must lie within half a step, and 1 ulp more.
func TestLogIsWithinOneUlp(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 31))
	for range 3000 {
		x := 0.5 + rng.Float64()
		y := Log(x)
		below, above := exact(math.Nextafter(y, -9)), exact(math.Nextafter(y, 9))
		if !(below <= x && x <= above) {
			t.Errorf("Log(%v) = %v, and yet %v and %v are the exponentials of its neighbours", x, y, below, above)
		}
	}
}

func TestAgainstMath(t *testing.T) {
	for _, f := range functions {
		check := func(x float64) {
			t.Helper()
			got, want := f.ours(x), f.std(x)
			if math.IsNaN(got) && math.IsNaN(want) {
				return
			}
			if apart(got, want) > 2 || got == 0 && math.Signbit(got) != math.Signbit(want) {
				t.Errorf("%s(%v) = %v, %d steps from %v", f.name, x, got, apart(got, want), want)
			}
		}
		for _, x := range edges {
			for _, near := range []float64{x, math.Nextafter(x, -10), math.Nextafter(x, 10)} {
				check(near)
			}
		}
		rng := rand.New(rand.NewPCG(1, 31))
		for range 50_000 {
			check(math.Float64frombits(rng.Uint64()))                       // any number at all, NaN too
			check(f.low + (f.high-f.low)*rng.Float64())                     // where most arguments lie
			check(rng.NormFloat64())                                        // about 0
			check(1 + (rng.Float64()-0.5)/float64(uint64(1)<<rng.IntN(53))) // about 1, where logarithms cancel
			check((rng.Float64() - 0.5) / float64(uint64(1)<<rng.IntN(62))) // close to 0
			check(math.Float64frombits(rng.Uint64() >> 12))                 // subnormal
		}
	}
}

// What a logarithm and an exponential are for, whatever the library says.
func TestLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 31))
	for range 100_000 {
		x := 1400*rng.Float64() - 700
		if back := Log(Exp(x)); math.Abs(back-x) > 4e-16*max(1, math.Abs(x)) {
			t.Fatalf("Log(Exp(%v)) = %v", x, back)
		}
		if y := math.Nextafter(x, 800); Exp(y) < Exp(x) {
			t.Fatalf("Exp falls from %v on", x)
		}
		if y := math.Nextafter(Exp(x), math.Inf(1)); Log(y) < Log(Exp(x)) {
			t.Fatalf("Log falls from %v on", y)
		}
	}
	for k := -1074; k < 1024; k++ { // by hand: whole powers of 2 leave nothing to the polynomial
		if got, want := Log(math.Ldexp(1, k)), float64(k)*math.Ln2; apart(got, want) > 1 {
			t.Errorf("Log(2^%d) = %v, want %v", k, got, want)
		}
	}
}

func TestHypot(t *testing.T) {
	for _, x := range edges {
		for _, y := range edges {
			got, want := Hypot(x, y), math.Hypot(x, y)
			if math.IsNaN(x) != math.IsNaN(y) { // C has +Inf for an infinity and NaN
				want = math.NaN()
			}
			if apart(got, want) > 2 {
				t.Errorf("Hypot(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
	if got := Hypot(-3, 4); got != 5 {
		t.Errorf("Hypot(-3, 4) = %v, want 5", got)
	}
}

// The bits that every machine must give. The values are those of this package, which
// [TestAgainstMath] holds against the standard library.
func TestGolden(t *testing.T) {
	for _, f := range functions {
		sum, rng := uint64(14695981039346656037), rand.New(rand.NewPCG(3, 31))
		for range 20_000 {
			x := f.low + float64((f.high-f.low)*rng.Float64())
			for range 8 {
				sum = (sum ^ math.Float64bits(f.ours(x))) * 1099511628211
				x /= 16
			}
		}
		if sum != f.golden {
			t.Errorf("%s: the bits of 160,000 values sum up to %#x, want %#x", f.name, sum, f.golden)
		}
	}
}
