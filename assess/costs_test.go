package assess

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand: a missed ill row costs 50 and a false alarm 1.
func TestCostOfFew(t *testing.T) {
	for _, tc := range []struct {
		name       string
		confusion  [][]float64
		rows, part float64 // 0 for none
	}{
		{"one of two missed rows is most of 60", [][]float64{{19, 1}, {10, 170}}, 1, 50. / 60},
		{"two missed rows and 20 alarms", [][]float64{{18, 2}, {20, 160}}, 2, 100. / 120},
		{"as many by alarms", [][]float64{{18, 2}, {100, 80}}, 0, 0},
		{"nothing but one", [][]float64{{19, 1}, {0, 180}}, 1, 1},
		{"four missed rows", [][]float64{{15, 5}, {0, 180}}, 0, 0},
		{"no cost", [][]float64{{20, 0}, {0, 180}}, 0, 0},
	} {
		f := costOfFew(subject(t, func(s *Subject) {
			s.Report.Rules.Tuned, s.Goal.Costs = rule(0.3, tc.confusion...), pragma.Costs{Matrix: [][]float64{{0, 50}, {1, 0}}}
		}))
		switch {
		case f == nil && tc.rows == 0:
		case f == nil || f.Code != codes.CostFewRows || f.Value("rows") != tc.rows ||
			math.Abs(f.Value("part")-tc.part) > 1e-12:
			t.Errorf("%s: %+v, want %v rows, %v", tc.name, f, tc.rows, tc.part)
		}
	}
	if f := costOfFew(subject(t, nil)); f != nil {
		t.Errorf("without costs: %+v", f)
	}
}

// By hand: the model finds the ill rows of these amounts, each of which a false alarm of 10 buys.
func TestHang(t *testing.T) {
	of := func(amounts ...float64) *Subject {
		return subject(t, func(s *Subject) {
			votes := &vote.Table{Classes: classes, Trees: 1, Source: vote.CV, Share: []float64{0.5, 0.5}}
			for _, a := range amounts {
				votes.Truth, votes.Counts, votes.Amount = append(votes.Truth, 0, 1), append(votes.Counts, 0, 1, 0, 1),
					append(votes.Amount, a, 1)
				s.Report.Decided = append(s.Report.Decided, 0, 0)
			}
			s.Report.Votes, s.Goal.Costs = votes, pragma.Costs{Matrix: [][]float64{{0, 1}, {10, 0}}, ByAmount: []bool{true,
				false}}
		})
	}
	well := func([]uint32) int { return 1 }
	// 96 are saved, and -4 without the first
	if f := hang(of(100, 12, 12, 12), well); f == nil || f.Code != codes.CostHangs || math.Abs(f.Value("left")+
		4./96) > 1e-12 || f.Value("amount") != 100 {
		t.Errorf("%+v", f)
	}
	// 150, and 50 without the first
	if f := hang(of(100, 30, 30, 30), well); f == nil || math.Abs(f.Value("left")-50./150) > 1e-12 {
		t.Errorf("%+v", f)
	}
	if f := hang(of(30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30), well); f != nil {
		t.Errorf("of equal rows: %+v", f)
	}
}
