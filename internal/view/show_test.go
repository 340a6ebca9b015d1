package view

import (
	"math"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
)

// What rounds to zero has no sign, wherever it is shown.
func TestFixed(t *testing.T) {
	for _, tc := range []struct {
		x      float64
		digits int
		want   string
	}{{-0.00001, 4, "0.0000"}, {-0.0001, 4, "-0.0001"}, {math.Copysign(0, -1), 0, "0"}, {-10, 0, "-10"}, {-0.4, 0, "0"},
		{0.25, 2, "0.25"}, {math.Inf(-1), 2, "-Inf"}} {
		if got := english.Fixed(tc.x, tc.digits); got != tc.want {
			t.Errorf("%g to %d digits: %s, want %s", tc.x, tc.digits, got, tc.want)
		}
	}
}

// Where a weight is as good as within its range is said in words, and where there is no range, too.
func TestPlateauText(t *testing.T) {
	for _, tc := range []struct {
		low, high float64
		want      string
	}{{0, math.Inf(1), "any"}, {0, 2.5, "up to 2.5"}, {2.5, math.Inf(1), "from 2.5"}, {2.5, 4, "2.5 to 4"},
		{6.0801, 6.0829, "no other"}} {
		if got := plateauText(rfpragma.Interval{Low: tc.low, High: tc.high}); got != tc.want {
			t.Errorf("%g to %g: %s, want %s", tc.low, tc.high, got, tc.want)
		}
	}
}

// A ROC area that is not 1 is not shown as 1, nor an interval as none.
func TestUnderOne(t *testing.T) {
	for _, tc := range []struct {
		x    float64
		want string
	}{{1, "1.0000"}, {0.99996, "> 0.9999"}, {0.99994, "0.9999"}, {0.5, "0.5000"}} {
		if got := underOne(tc.x, 4); got != tc.want {
			t.Errorf("underOne(%v) = %q, want %q", tc.x, got, tc.want)
		}
	}
	all := map[string]eval.Judged{"A": {Calibrated: &eval.Judgement{Figures: calib.Report{AUC: 0.99999, AUCSE: 1e-6,
		AveragePrecision: 0.99998}}}}
	table := probabilityTable([]string{"A"}, all, "raw")
	if row := strings.Join(table.Rows[0], " "); !strings.Contains(row, "> 0.9999 ±0.0001 > 0.9999") {
		t.Errorf("the table says %q", row)
	}
}
