package view

import (
	"testing"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Large numbers are written out.
func TestSignificant(t *testing.T) {
	for _, tc := range []struct {
		n       float64
		figures int
		want    string
	}{{3000, 3, "3000"}, {18948.89, 2, "19000"}, {0.0405, 2, "0.041"}, {0.04, 2, "0.04"}, {123.4, 3, "123"},
		{5.55, 2, "5.5"}, {2e12, 2, "2e+12"}, {0, 2, "0"}} {
		if got := english.Significant(tc.n, tc.figures); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.n, got, tc.want)
		}
	}
}
