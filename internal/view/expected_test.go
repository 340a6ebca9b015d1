package view

import (
	"testing"

	"github.com/rfpragma/rfpragma/internal/layout"
)

// A figure is judged by the range that the reader sees: within it, in its worst tenth, beyond it, and beyond it with
// a range of its own that reaches into it. So many decimals are shown that this is seen.
func TestJudged(t *testing.T) {
	for _, tc := range []struct {
		figure          string
		found, low, end float64
		want, shown     string
	}{
		{"recall", 0.30, 0.20, 0.40, "as expected", "30 % (20–40)"},
		{"recall", 0.1690, 0.12, 0.23, "perhaps lower", "16.9 % (12.0–23.0)"}, // 17 would look as if it were in 17–47
		{"recall", 0.1698, 0.12, 0.23, "at the lower end", "17 % (12–23)"},
		{"recall", 0.21, 0.18, 0.24, "as expected", "21 % (18–24)"},
		{"recall", 0.10, 0.05, 0.16, "lower", "10 % (5–16)"},
		{"recall", 0.475, 0.40, 0.55, "perhaps higher", "48 % (40–55)"},
		{"recall", 0.60, 0.50, 0.70, "higher", "60 % (50–70)"},
		{"recall", 0.466, 0.40, 0.55, "as expected", "47 % (40–55)"},
		{"loss", 0.465, 0.40, 0.55, "at the upper end", ""},
		{"loss", 0.17, 0.10, 0.25, "as expected", ""},
		{"alerts", 0.17, 0.10, 0.25, "as expected", ""},
	} {
		f := promisedFigure{Figure: tc.figure, Found: &tc.found, FoundInterval: &[2]float64{tc.low, tc.end},
			ExpectedInterval: &[2]float64{0.1697, 0.47}}
		f.judge()
		if f.Verdict != tc.want {
			t.Errorf("%s %v: %s, want %s", tc.figure, tc.found, f.Verdict, tc.want)
		}
		if got := layout.Within(f.Found, f.FoundInterval, f.decimals()); tc.shown != "" && got != tc.shown {
			t.Errorf("%v: %s, want %s", tc.found, got, tc.shown)
		}
	}
	f := promisedFigure{Figure: "recall", Found: new(float64)}
	if f.judge(); f.Verdict != "" || f.decimals() != 0 {
		t.Errorf("without a range: %+v", f)
	}
}
