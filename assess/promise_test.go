package assess

import (
	"testing"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// What is found is set beside the range of 0.2 to 0.4 that was promised, of which the worst tenth ends at 0.22, of
// a loss at 0.38.
func TestOutcome(t *testing.T) {
	for _, tc := range []struct {
		figure           string
		found, low, high float64
		want             Outcome
		code             finding.Code
	}{
		{"recall", 0.3, 0.25, 0.35, Within, codes.PromiseKept},
		{"recall", 0.21, 0.15, 0.3, WorstTenth, codes.PromiseKept},
		{"loss", 0.21, 0.15, 0.3, Within, codes.PromiseKept},
		{"loss", 0.39, 0.3, 0.5, WorstTenth, codes.PromiseKept},
		{"alerts", 0.21, 0.15, 0.3, Within, ""},
		{"recall", 0.1, 0.05, 0.25, PerhapsLower, codes.PromiseUnsure},
		{"recall", 0.1, 0.05, 0.15, Lower, codes.PromiseBroken},
		{"recall", 0.5, 0.45, 0.55, Higher, codes.PromiseKept},
		{"recall", 0.45, 0.35, 0.55, PerhapsHigher, codes.PromiseKept},
		{"loss", 0.5, 0.45, 0.55, Higher, codes.PromiseBroken},
		{"loss", 0.45, 0.35, 0.55, PerhapsHigher, codes.PromiseUnsure},
		{"loss", 0.1, 0.05, 0.15, Lower, codes.PromiseKept},
		{"alerts", 0.5, 0.45, 0.55, Higher, ""},
	} {
		p := Promise{Figure: tc.figure, Expected: 0.3, ExpectedInterval: &[2]float64{0.2, 0.4}, Found: tc.found,
			FoundInterval: &[2]float64{tc.low, tc.high}}
		if got := p.Outcome(); got != tc.want {
			t.Errorf("%s %v: %v, want %v", tc.figure, tc.found, got, tc.want)
		}
		got := Promises(finding.Where{Rows: codes.GivenRows}, []Promise{p})
		if tc.code == "" && got != nil || tc.code != "" && (len(got) != 1 || got[0].Code != tc.code || got[0].Value(tc.figure+
			"_found") != tc.found) {
			t.Errorf("%s %v: %+v", tc.figure, tc.found, got)
		}
	}
	if got := (&Promise{}).Outcome(); got != Unjudged {
		t.Errorf("nothing known: %v", got)
	}
	kept := Promise{Figure: "recall", ExpectedInterval: &[2]float64{0.2, 0.4}, Found: 0.3, FoundInterval: &[2]float64{0.25,
		0.35}}
	broken := kept
	broken.Found, broken.FoundInterval, broken.Class = 0.1, &[2]float64{0.05, 0.15}, "ill"
	if got := Promises(finding.Where{}, []Promise{kept, broken}); len(got) != 1 || got[0].Code != codes.PromiseBroken ||
		got[0].Classes[0] != "ill" {
		t.Errorf("one of two: %+v", got)
	}
}
