package english

import (
	"math"
	"testing"
)

func TestPercent(t *testing.T) {
	for _, tc := range []struct {
		share    float64
		decimals int
		want     string
	}{
		{0, 1, "0 %"}, {1, 1, "100 %"}, {0.123, 1, "12.3 %"}, {0.123, 0, "12 %"}, {0.996, 0, "99.6 %"}, {0.002, 0, "0.2 %"},
		{1.0 / 2514, 1, "0.04 %"}, {1 - 1.0/2514, 1, "99.96 %"}, {2.0 / 30000, 1, "0.007 %"}, {0.00049, 1, "0.05 %"}, {0.0006, 1, "0.06 %"}, {0.001, 1, "0.1 %"}, {0.999, 1, "99.9 %"}, {0.99, 0, "99 %"},
		{1e-7, 1, "< 0.001 %"}, {1 - 1e-7, 1, "> 99.999 %"}, {1 - 1e-16, 0, "> 99.999 %"}, {math.NaN(), 1, "n/a"}, {0.2, 1, "20.0 %"}, {0.9999, 1, "99.99 %"},
	} {
		if got := Percent(tc.share, tc.decimals); got != tc.want {
			t.Errorf("Percent(%v, %d) = %q, want %q", tc.share, tc.decimals, got, tc.want)
		}
	}
}

func TestRange(t *testing.T) {
	for _, tc := range []struct {
		low, high   float64
		whole, fine string
	}{
		{0.744, 0.866, "74–87", "74–87"}, {0, 0.79, "0–79", "0–79"}, {0.95, 1, "95–100", "95–100"}, {0.9985, 0.9999, "99–100", "99–100"}, {0.0001, 0.004, "0–1", "0–1"},
		{0.9808, 0.9841, "98–98", "98.1–98.4"}, {0.992, 0.992, "99–99", "99–99"}, {0, 0, "0–0", "0–0"}, {1, 1, "100–100", "100–100"},
	} {
		if got := Range(tc.low, tc.high); got != tc.whole {
			t.Errorf("Range(%v, %v) = %q, want %q", tc.low, tc.high, got, tc.whole)
		}
		if got := PercentRange(tc.low, tc.high); got != tc.fine {
			t.Errorf("PercentRange(%v, %v) = %q, want %q", tc.low, tc.high, got, tc.fine)
		}
	}
}
