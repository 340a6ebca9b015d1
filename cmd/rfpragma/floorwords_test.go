package main

import (
	"slices"
	"strings"
	"testing"

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
