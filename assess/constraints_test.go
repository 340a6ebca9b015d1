package assess

import (
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand: 16 of 20 are found, with an interval from 0.58 on, and 40 of 200 rows are alarms.
func TestConstraint(t *testing.T) {
	for _, tc := range []struct {
		floor pragma.Floor
		want  finding.Code
		value float64
	}{
		{pragma.Floor{What: pragma.RecallFloor, Limit: 0.5}, codes.ConstraintKept, 0.8},
		{pragma.Floor{What: pragma.RecallFloor, Limit: 0.7}, codes.ConstraintUnsure, 0.8},
		{pragma.Floor{What: pragma.RecallFloor, Limit: 0.9}, codes.ConstraintBroken, 0.8},
		{pragma.Floor{What: pragma.Alerts, Limit: 0.2}, codes.ConstraintKept, 0.2},
		{pragma.Floor{What: pragma.Alerts, Limit: 0.1}, codes.ConstraintBroken, 0.2},
	} {
		f := constraint(subject(t, nil), tc.floor)
		if f == nil || f.Code != tc.want || f.Value(string(tc.floor.What)) != tc.value || f.Value("limit") != tc.floor.Limit {
			t.Errorf("%+v: %+v", tc.floor, f)
		}
	}
	kept, broken := vote.NewConfusion(classes), vote.NewConfusion(classes)
	kept.Add(0, 0, 1)
	broken.Add(0, 1, 1)
	late := subject(t, func(s *Subject) { s.Report.Blocks = []eval.Block{{}, {Decided: broken}, {Decided: kept}} })
	if f := constraint(late, pragma.Floor{What: pragma.RecallFloor, Limit: 0.5}); f.Value("blocks_broken") != 1 ||
		f.Where.Blocks != 2 {
		t.Errorf("%+v", f)
	}
	none := subject(t, func(s *Subject) { s.Report.Rules.Tuned = rule(0.3, []float64{0, 20}, []float64{0, 180}) })
	if f := constraint(none, pragma.Floor{What: pragma.PrecisionFloor, Limit: 0.5}); f != nil {
		t.Errorf("without alarms: %+v", f)
	}
}
