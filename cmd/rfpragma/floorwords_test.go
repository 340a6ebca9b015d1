package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand, with [votesFor]: 0.975 of 40 rows and one more are all of them, and one has no vote. Where all rows have the same votes any more of them are all rows.
func TestExhausted(t *testing.T) {
	for _, tc := range []struct {
		limit float64
		alike bool
		label string // that all missed rows have
		want  string
	}{
		{0.9, false, "cold", `which is not kept: all rows that are not found have the label "cold" in the file.`},
		{0.975, false, "", `which is not kept; to ask for more does not help, as too many rows of "ill" have no vote for it.`},
		{0.9, true, "", `which is not kept; to ask for more hardly helps, as to find so many takes 10000 alarms in 10,000 rows.`},
		{0.9, false, "", "which is not kept; ask for more than you need"},
	} {
		got := spoken([][]float64{{8, 32}, {2, 158}}, [][]float64{{30, 10}, {24, 136}}, func(v *verdict) {
			v.floors, v.report.Votes, v.weights = []pragma.Floor{{What: pragma.RecallFloor, Limit: tc.limit}}, votesFor(), vote.Weights{1, 1}
			v.missed = []string{tc.label, ""}
			if tc.alike {
				v.report.Votes.Counts = slices.Repeat([]uint32{25, 75}, 200)
			}
		})
		if !strings.Contains(got, tc.want) {
			t.Errorf("%+v: not so in\n%s", tc, got)
		}
	}
}

// By hand: 50 of 200 rows are alarms. A limit that allows a third more, or hardly more than nothing, is used well; one that weights searched on these rows would not use either is no lack.
func TestUnused(t *testing.T) {
	for _, tc := range []struct {
		limit float64
		best  float64 // alarms that weights of these very rows raise
		top   []eval.Listed
		want  string
	}{
		{0.4, 80, nil, `Of the 80 alarms that this allows 50 are raised. To use them all look into the likeliest rows: predict --top ill=40%; the same flag here says what that is worth.`},
		{0.4, 80, []eval.Listed{{Class: "well"}}, `predict --top ill=40%; the same flag here`},
		{0.4, 80, []eval.Listed{{Class: "ill"}}, `predict --top ill=40%.`},
		{0.4, 60, nil, ""},
		{0.33, 66, nil, ""},
		{0.2, 40, nil, ""}, // which is broken
	} {
		v := verdict{classes: []string{"ill", "well"}, floors: []pragma.Floor{{What: pragma.Alerts, Limit: tc.limit}}, report: &eval.Report{Top: tc.top}, rows: newRows}
		v.report.Rules.Tuned = ruleOf(v.classes, [][]float64{{30, 10}, {20, 140}}, 0.3)
		v.report.Rules.Optimistic = ruleOf(v.classes, [][]float64{{35, 5}, {tc.best - 35, 195 - tc.best}}, 0.3)
		kept, broken := v.floorWords()
		got := strings.Join(append(kept, broken...), " ")
		if !strings.Contains(got, tc.want) || strings.Contains(got, "allows") != (tc.want != "") {
			t.Errorf("%+v: %s", tc, got)
		}
	}
	few := verdict{classes: []string{"ill", "well"}, floors: []pragma.Floor{{What: pragma.Alerts, Limit: 0.4}}, report: &eval.Report{}, rows: newRows}
	few.report.Rules.Tuned = ruleOf(few.classes, [][]float64{{2, 1}, {1, 16}}, 0.3)
	few.report.Rules.Optimistic = ruleOf(few.classes, [][]float64{{3, 0}, {5, 12}}, 0.3)
	if kept, _ := few.floorWords(); len(kept) != 1 {
		t.Errorf("a handful of alarms: %q", kept)
	}
}
