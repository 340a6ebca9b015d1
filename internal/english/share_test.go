package english

import (
	"math"
	"strings"
	"testing"
)

func TestPercent(t *testing.T) {
	for _, tc := range []struct {
		share    float64
		decimals int
		want     string
	}{
		{0, 1, "0 %"}, {1, 1, "100 %"}, {0.123, 1, "12.3 %"}, {0.123, 0, "12 %"}, {0.996, 0, "99.6 %"}, {0.002, 0, "0.2 %"},
		{1.0 / 2514, 1, "0.04 %"}, {1 - 1.0/2514, 1, "99.96 %"}, {2.0 / 30000, 1, "0.007 %"}, {0.00049, 1, "0.05 %"},
		{0.0006, 1, "0.06 %"}, {0.001, 1, "0.1 %"}, {0.999, 1, "99.9 %"}, {0.99, 0, "99 %"},
		{1e-7, 1, "< 0.001 %"}, {1 - 1e-7, 1, "> 99.999 %"}, {1 - 1e-16, 0, "> 99.999 %"}, {math.NaN(), 1, "n/a"},
		{0.2, 1, "20.0 %"}, {0.9999, 1, "99.99 %"},
	} {
		if got := Percent(tc.share, tc.decimals); got != tc.want {
			t.Errorf("Percent(%v, %d) = %q, want %q", tc.share, tc.decimals, got, tc.want)
		}
	}
}

func TestWithin(t *testing.T) {
	for _, tc := range []struct {
		share, low, high float64
		decimals         int
		value, ends      string
	}{
		{0.81, 0.744, 0.866, 0, "81", "74–87"}, {0.81, 0.744, 0.866, 1, "81.0", "74.4–86.6"}, {0, 0, 0.79, 0, "0", "0–79"},
		{1, 0.95, 1, 0, "100", "95–100"},
		{0.9996, 0.9984, 0.9999, 0, "99.96", "99.84–99.99"}, {0.9996, 0.9984, 1, 0, "99.96", "99.84–100"},
		{0.996, 0.9955, 0.9963, 0, "99.60", "99.55–99.63"}, {0.004, 0.0001, 0.008, 0, "0.4", "0–0.8"},
		{0.075, 0.064, 0.087, 0, "7.5", "6.4–8.7"}, {0.0996, 0.05, 0.15, 0, "10.0", "5.0–15.0"}, {0, 0, 0.004, 0, "0", "0–1"},
		{1, 0.9985, 0.9999, 0, "100", "99–100"},
		{0.9825, 0.9808, 0.9841, 0, "98.2", "98.1–98.4"}, {0.992, 0.992, 0.992, 0, "99.2", "99.2–99.2"}, {0, 0, 0, 0, "0",
			"0–0"}, {1, 1, 1, 0, "100", "100–100"}, {1 - 1e-7, 0.9999, 1, 0, "> 99.999", "99.990–100"},
	} {
		if value, ends := Within(tc.share, tc.low, tc.high, tc.decimals); value != tc.value || ends != tc.ends {
			t.Errorf("Within(%v, %v, %v, %d) = %q, %q, want %q, %q", tc.share, tc.low, tc.high, tc.decimals, value, ends,
				tc.value, tc.ends)
		}
	}
}

// Different amounts do not look alike, unless an error of rounding parts them.
func TestAmounts(t *testing.T) {
	for _, tc := range []struct {
		values []float64
		want   string
	}{
		{[]float64{0.5}, "0.5000"}, {[]float64{0.5, 0.5}, "0.5000 0.5000"}, {[]float64{12345.678, 2}, "12,345.68 2.00"},
		{[]float64{-0.00001}, "0.0000"},
		{[]float64{0.01092, 0.01094}, "0.01092 0.01094"}, {[]float64{0.1, 0.30001, 0.30002}, "0.10000 0.30001 0.30002"},
		{[]float64{100.001, 100.002}, "100.001 100.002"},
		{[]float64{0.1 + 0.2, 0.3}, "0.3000 0.3000"}, {[]float64{1e-12, 2e-12}, "0.00000000 0.00000000"},
	} {
		if got := strings.Join(Amounts(tc.values...), " "); got != tc.want {
			t.Errorf("Amounts(%v) = %q, want %q", tc.values, got, tc.want)
		}
	}
}

func TestValues(t *testing.T) {
	for _, tc := range []struct {
		values []float64
		want   string
	}{
		{[]float64{-0.78441482, 31.508443, -0.092654892}, "-0.7844 31.51 -0.09265"},
		{[]float64{1, 455, 54}, "1 455 54"},
		{[]float64{0.005, 530, 1.4}, "0.005 530 1.4"},
		{[]float64{0, 103442.37, 65535}, "0 103442 65535"},
		{[]float64{9999.96, 12345678901}, "10000 12345678901"},
		{[]float64{0.12342, 0.12344, 7.25}, "0.12342 0.12344 7.25"}, // else the first two would look alike
		{[]float64{2.5, 2.5}, "2.5 2.5"},
		{[]float64{0.000012345678, -1e300, 1e16}, "1.235e-05 -1e+300 1e+16"},
		{nil, ""},
	} {
		if got := strings.Join(Values(tc.values...), " "); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.values, got, tc.want)
		}
	}
}
