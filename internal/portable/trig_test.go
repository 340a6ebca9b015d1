package portable

import (
	"math"
	"testing"
)

// Those of package math are the yardstick, the arcsine of which is itself off by 2e-15 near 1, as it subtracts x²
// from 1.
func TestTrig(t *testing.T) {
	for i := range 10001 {
		u := float64(i) / 10000
		if got, want := Sin(u*math.Pi/2), math.Sin(u*math.Pi/2); math.Abs(got-want) > 1e-15 {
			t.Errorf("the sine of %v is %v, want %v", u*math.Pi/2, got, want)
		}
		if got, want := Asin(u), math.Asin(u); math.Abs(got-want) > 3e-15 {
			t.Errorf("the arcsine of %v is %v, want %v", u, got, want)
		}
	}
}
