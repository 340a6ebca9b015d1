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

// By hand: in the group 6 of 10 are found, and 20 of 100 rows are alarms; all rows keep what the group breaks.
func TestConstraintOfGroup(t *testing.T) {
	north := vote.Slice{Column: "region", Value: "north"}
	s := subject(t, func(s *Subject) {
		recall, in := 0.6, [2]float64{0.3, 0.8}
		s.Report.Rules.Tuned.Slices = []eval.RuleSlice{{Column: "region", Confusion: [][]float64{{6, 4}, {14, 76}},
			Slice: eval.Slice{Name: "north", Rows: 100, Classes: map[string]eval.Class{classes[0]: {Recall: &recall,
				RecallInterval: &in, Support: 10}}}}}
	})
	for _, tc := range []struct {
		floor pragma.Floor
		want  finding.Code
		value float64
		rows  float64 // that tell of it, where they are few
	}{
		{pragma.Floor{What: pragma.RecallFloor, Limit: 0.7}, codes.ConstraintBroken, 0.6, 10},
		{pragma.Floor{What: pragma.RecallFloor, Limit: 0.5}, codes.ConstraintUnsure, 0.6, 10},
		{pragma.Floor{What: pragma.RecallFloor, Limit: 0.2}, codes.ConstraintKept, 0.6, 10},
		{pragma.Floor{What: pragma.Alerts, Limit: 0.1}, codes.ConstraintBroken, 0.2, 0},
		{pragma.Floor{What: pragma.FalseAlarms, Limit: 0.2}, codes.ConstraintKept, 14.0 / 90, 0},
	} {
		tc.floor.Slice = north
		f, few := constraint(s, tc.floor), fewInSlice(s, tc.floor)
		if f == nil || f.Code != tc.want || f.Figures[0].Value != tc.value || f.Columns[0] != "region" || f.Part != "north" {
			t.Errorf("%+v: %+v", tc.floor, f)
		}
		if (few != nil) != (tc.rows > 0) || few != nil && (few.Code != codes.ConstraintFewRows || few.Value("rows") != tc.rows) {
			t.Errorf("%+v: %+v", tc.floor, few)
		}
	}
	tc := pragma.Floor{What: pragma.RecallFloor, Limit: 0.7, Slice: vote.Slice{Column: "region", Value: "west"}}
	if f := constraint(s, tc); f != nil {
		t.Errorf("of a group that is not known: %+v", f)
	}
}
