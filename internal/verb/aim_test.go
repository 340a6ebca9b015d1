package verb

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Sums of costs and losses that stand side by side have as many decimals.
func TestTextsSideBySide(t *testing.T) {
	for _, tc := range []struct {
		show func(...float64) []string
		of   []float64
		want string
	}{
		{english.Sums, []float64{29, 100, 45}, "29 100 45"},
		{english.Sums, []float64{0, 0.1 + 0.7 + 0.2, 28.999999999999996}, "0 1 29"},
		{english.Sums, []float64{5.5, 100}, "6 100"},
		{english.Sums, []float64{100.6, 2000, 7}, "101 2000 7"},
		{english.Amounts, []float64{0.25, 1}, "0.2500 1.0000"},
		{english.Amounts, []float64{99, 100}, "99.00 100.00"},
		{english.Amounts, []float64{250, 100}, "250.00 100.00"},
		{english.Amounts, []float64{195.42, 98.8831}, "195.42 98.88"},
		{english.Sums, []float64{1303450, 20000, 9999, 0}, "1,303,450 20,000 9999 0"},
		{english.Sums, []float64{1303450.7, 999999.999}, "1,303,451 1,000,000"},
		{english.Sums, []float64{5.5, 7}, "5.50 7.00"},
		{english.Sums, []float64{0.0312, 0.25}, "0.0312 0.2500"},
		{english.Sums, []float64{11785.71, 11785.9}, "11,785.7 11,785.9"},
		{english.Sums, []float64{11785.71, 0.4}, "11,785.7 0.4"},
		{english.Sums, []float64{11785.71, 0, 1e-12}, "11,786 0 0"},
	} {
		if got := strings.Join(tc.show(tc.of...), " "); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.of, got, tc.want)
		}
	}
}
