package assess

import (
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/pragma"
)

// By hand: of 20 ill rows 16 are found and 16 of 40 alarms are right. With θ = 10 of 11, α = -0.9 and β = -0.1 (x =
// 0.1, y = 0.9 to scale) the part of the loss that is of ill is 10/11 of 1 + α·0.8 + β·0.4.
func TestScarce(t *testing.T) {
	s := subject(t, nil)
	alpha, beta := s.Goal.Preferences[0].AlphaBeta()
	got := scarce(s)
	if len(got) != 1 || got[0].Code != codes.ClassFewRows || got[0].Classes[0] != "ill" || got[0].Value("rows") != 20 ||
		math.Abs(got[0].Value("part")-10./11*(1+alpha*0.8+beta*0.4)) > 1e-12 {
		t.Errorf("%+v", got)
	}
	s.Goal.Preferences[0].Theta = 0
	if got := scarce(s); got != nil {
		t.Errorf("a class that does not matter: %+v", got)
	}
	s.Goal.Preferences[0] = pragma.Priority()
	s.Goal.Name = "mcc"
	if _, ok := scarce(s)[0].Figure("part"); ok {
		t.Error("by another measure a part of the loss is told")
	}
}

func TestNever(t *testing.T) {
	s := subject(t, func(s *Subject) { s.Report.Rules.Tuned = rule(0.3, []float64{0, 20}, []float64{0, 180}) })
	if f := never(s); f == nil || f.Code != codes.ClassNever || !slices.Equal(f.Classes, []string{"ill"}) {
		t.Errorf("%+v", f)
	}
	if f := never(s, 0); f != nil {
		t.Errorf("told elsewhere: %+v", f)
	}
	if f := never(subject(t, nil)); f != nil {
		t.Errorf("%+v", f)
	}
}

// Where most rows are alarms precision is near the share of the class, whoever decides: 53 of 54 ill rows found with 76
// false alarms among 100 others are no chance (Fisher's exact test, one-sided: 0.0001), 45 with 84 are. Of 4 rows
// nothing can be said.
func TestChanceOfMostRows(t *testing.T) {
	for _, tc := range []struct {
		ill, well []float64
		want      bool
	}{
		{[]float64{53, 1}, []float64{76, 24}, false},
		{[]float64{45, 9}, []float64{84, 16}, true},
		{[]float64{1, 3}, []float64{30, 70}, false},
	} {
		f := chance(subject(t, func(s *Subject) { s.Report.Rules.Tuned = rule(0.3, tc.ill, tc.well) }), 0)
		if (f != nil) != tc.want {
			t.Errorf("of %v and %v: %+v", tc.ill, tc.well, f)
		}
	}
}
