package assess

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand: of 200 rows 80 are alarms, 16 of them right: 0.4 of all and a precision of 0.2, whose interval ends at 0.30.
func TestAlarms(t *testing.T) {
	flood := func(change func(*Subject)) *Subject {
		return subject(t, func(s *Subject) {
			s.Report.Rules.Tuned = rule(0.3, []float64{16, 4}, []float64{64, 116})
			s.Goal.Preferences[0] = pragma.Preference{Theta: 10, X: 0.15, Y: 0.9}
			if change != nil {
				change(s)
			}
		})
	}
	x := func(x float64) func(*Subject) { return func(s *Subject) { s.Goal.Preferences[0].X = x } }
	for _, tc := range []struct {
		name   string
		change func(*Subject)
		want   []finding.Code
		do     []string // remedies of the last
	}{
		{"a flood", nil, []finding.Code{codes.AlarmsFlood}, []string{codes.TakeMeasure, codes.Require}},
		{"below x, perhaps", x(0.25), []finding.Code{codes.AlarmsFlood, codes.PrecisionBelow}, []string{codes.TakeMeasure,
			codes.Require, codes.Require}},
		{"below x beyond chance, which says as much", x(0.5), []finding.Code{codes.PrecisionBelow},
			[]string{codes.TakeMeasure, codes.Require, codes.Require}},
		{"by another measure, of which half are a flood", func(s *Subject) { s.Goal.Name = "mcc" }, nil, nil},
		{"fewer are on offer", func(s *Subject) { s.Offered = []Offer{{Recall: 0.5, Alerts: 0.2}} },
			[]finding.Code{codes.AlarmsFlood}, []string{codes.OtherChoice}},
		{"alarms are limited", func(s *Subject) {
			s.Goal.Floors = []pragma.Floor{{Class: 0, What: pragma.Alerts, Limit: 0.5}}
		}, nil, nil},
		{"a recall is required and not kept", func(s *Subject) {
			s.Goal.Floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.9}}
		}, []finding.Code{codes.AlarmsFlood}, nil},
		{"columns are not as in training", func(s *Subject) { s.Unlike = true }, []finding.Code{codes.AlarmsFlood}, nil},
		{"an x of 0, which a curved surface cannot have", x(0), []finding.Code{codes.AlarmsFlood}, []string{codes.Require}},
	} {
		got := alarms(flood(tc.change), 0)
		if len(got) != len(tc.want) {
			t.Errorf("%s: %+v", tc.name, got)
			continue
		}
		for i := range got {
			if got[i].Code != tc.want[i] || got[i].Value("precision") != 0.2 {
				t.Errorf("%s: %+v", tc.name, got[i])
			}
		}
		var do []string
		if len(got) > 0 {
			for _, r := range got[len(got)-1].Remedies {
				do = append(do, r.Do)
			}
		}
		if len(do) != len(tc.do) {
			t.Errorf("%s: remedies %v, want %v", tc.name, do, tc.do)
		}
	}
	f := alarms(flood(nil), 0)[0]
	if f.Value("alerts") != 0.4 || f.Remedies[1].Limit != 0.2 || f.Remedies[1].Figure != "alerts" { // half of them
		t.Errorf("%+v", f)
	}
}

// By hand: 8 of 20 are found, a recall of 0.4 whose interval ends at 0.61.
func TestMisses(t *testing.T) {
	miss := func(y float64, change func(*Subject)) *finding.Finding {
		return misses(subject(t, func(s *Subject) {
			s.Report.Rules.Tuned = rule(0.3, []float64{8, 12}, []float64{2, 178})
			s.Goal.Preferences[0] = pragma.Preference{Theta: 10, X: 0.9, Y: y}
			if change != nil {
				change(s)
			}
		}), 0)
	}
	if f := miss(0.7, nil); f == nil || f.Code != codes.RecallBelow || f.Value("recall") != 0.4 ||
		!remedied(f, codes.Require) || f.Remedies[0].Limit != 0.7 {
		t.Errorf("beyond chance: %+v", f)
	}
	if f := miss(0.5, nil); f == nil || f.Remedies != nil {
		t.Errorf("within chance: %+v", f)
	}
	if f := miss(0.3, nil); f != nil {
		t.Errorf("more is found: %+v", f)
	}
	if f := miss(0.7, func(s *Subject) { s.Goal.Preferences[0].X = 0.1 }); f != nil {
		t.Errorf("recall matters more: %+v", f)
	}
}

// A share is below another only if it is told so: 0.2004 and 0.2 are 20 of 100 both.
func TestLess(t *testing.T) {
	for _, tc := range []struct {
		a, b float64
		want bool
	}{{0.2, 0.2004, false}, {0.2, 0.21, true}, {0.21, 0.2, false}, {0.05, 0.051, true}, {0.05, 0.0501, false},
		{0.9996, 1, true}, {0, 0.0004, true}} {
		if got := less(tc.a, tc.b); got != tc.want {
			t.Errorf("%v below %v: %v", tc.a, tc.b, got)
		}
	}
}

// votes are 10 ill rows with 1 to 10 votes of 10 for ill, and 10 well ones without.
func votes() *vote.Table {
	t := &vote.Table{Classes: classes, Trees: 10, Source: vote.CV, Share: []float64{0.5, 0.5}}
	for n := range uint32(10) {
		t.Truth, t.Counts = append(t.Truth, 0, 1), append(t.Counts, n+1, 9-n, 0, 10)
	}
	return t
}

// By hand: with a weight of 4.01 for ill 2 votes of 10 are more than 8, so 9 of 10 are found, and with 1 the 6 of 5
// votes or more, as ill wins a tie.
func TestFolds(t *testing.T) {
	of := func(first, second float64) *Subject {
		return subject(t, func(s *Subject) {
			s.Report.Votes = votes()
			for f, w := range []float64{first, second} {
				s.Report.WeightsByFold = append(s.Report.WeightsByFold, eval.FoldWeights{Repeat: 1, Fold: f + 1,
					Weights: map[string]float64{"ill": w, "well": 1}})
			}
		})
	}
	f := folds(of(4.01, 1))
	if f == nil || f.Code != codes.FoldsUnstable || f.Classes[0] != "ill" || len(f.Figures) != 2 ||
		f.Figures[0].Value != 0.9 || math.Abs(f.Figures[1].Value-0.6) > 1e-12 || remedied(f, codes.TakeMeasure) {
		t.Errorf("%+v", f)
	}
	if f := folds(of(1.6, 1)); f != nil { // 4 votes of 10 are enough, or 5
		t.Errorf("%+v", f)
	}
	if f := folds(of(4.01, 0.1)); f == nil || !remedied(f, codes.TakeMeasure) { // that find one row in ten
		t.Errorf("%+v", f)
	}
	late := of(4.01, 1)
	late.Report.Blocks = make([]eval.Block, 3)
	if f := folds(late); f != nil {
		t.Errorf("the first fold judges an early block: %+v", f)
	}
	found := map[finding.Code]bool{}
	for _, f := range Findings(of(4.01, 1)) {
		found[f.Code] = true
	}
	if !found[codes.FoldsUnstable] || found[codes.GainInconclusive] {
		t.Errorf("%v", found)
	}
}
