package main

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
)

// By hand: 50 of 200 rows are alarms. A limit that allows a third more, or hardly more than nothing, is used well; of any other it is told how to use it, whatever the reason.
// A list of 80 with 38 of the 40 costs 2·10 + 42, where 30 found and 20 false alarms cost 10·10 + 20.
func TestUnused(t *testing.T) {
	recall, precision, cost := 0.95, 0.475, 120.0
	full := []eval.Listed{{Class: "ill", Rows: 80, Hits: 38, Recall: &recall, Precision: &precision}}
	costs := func(missed, alarm float64) pragma.Costs {
		return pragma.Costs{Matrix: [][]float64{{0, missed}, {alarm, 0}}}
	}
	const begins = "Of the 80 alarms that ill:alerts<=0.4 allows 50 are raised. To use them all"
	for _, tc := range []struct {
		limit float64
		full  []eval.Listed
		costs pragma.Costs
		want  string
	}{
		{0.4, nil, pragma.Costs{}, begins + ` look into the likeliest rows: predict --top ill=40%.`},
		{0.4, full, pragma.Costs{}, begins + ` look into the likeliest rows: predict --top ill=40%. It would find 95 of 100 rows of "ill", with 48 of 100 alarms right.`},
		{0.4, full, costs(10, 1), begins + ` look into the likeliest rows: predict --top ill=40%. It would find 95 of 100 rows of "ill", with 48 of 100 alarms right, and save 58: all rows would cost 62, not 120.`},
		{0.4, full, costs(10, 3), begins + ` look into the likeliest rows: predict --top ill=40%. It would find 95 of 100 rows of "ill", with 48 of 100 alarms right, but save nothing: all rows would cost 146, not 120.`},
		{0.33, full, pragma.Costs{}, ""},
		{0.2, full, pragma.Costs{}, ""}, // which is broken
	} {
		v := verdict{classes: []string{"ill", "well"}, floors: []pragma.Floor{{What: pragma.Alerts, Limit: tc.limit}}, report: &eval.Report{}, rows: newRows, full: tc.full, costs: tc.costs}
		v.report.Rules.Tuned = ruleOf(v.classes, [][]float64{{30, 10}, {20, 140}}, 0.3)
		v.report.Rules.Tuned.Cost = &cost
		_, _, advice := v.floorWords()
		got := strings.Join(advice, " ")
		if !strings.Contains(got, tc.want) || strings.Contains(got, "allows") != (tc.want != "") {
			t.Errorf("%+v: %s", tc, got)
		}
	}
	// In the order of time two blocks together: 38 of 40 and 22 of 60, on lists of 80 and 70; 40·10 + 90·1, where now they cost 600.
	cost = 600
	top := func(rows, hits float64) []eval.Listed {
		return []eval.Listed{{Class: "well"}, {Class: "ill", Rows: rows, Hits: hits, Recall: &recall, Precision: &precision}}
	}
	report := &eval.Report{Top: top(80, 38), Blocks: []eval.Block{{}, {Top: top(70, 22)}, {Top: top(80, 38)}},
		Together: &eval.Block{Cost: &cost, Classes: map[string]eval.Class{"ill": {Support: 100}, "well": {Support: 300}}}}
	report.Rules.Tuned = ruleOf([]string{"ill", "well"}, [][]float64{{30, 10}, {20, 140}}, 0.3)
	v := verdict{classes: []string{"ill", "well"}, floors: []pragma.Floor{{What: pragma.Alerts, Limit: 0.4}}, report: report, rows: newRows, full: setApart(report, 1), costs: costs(10, 1)}
	_, _, advice := v.floorWords()
	if got, want := strings.Join(advice, " "), `On rows of the 2 blocks together it would find 60 of 100 rows of "ill", with 40 of 100 alarms right, and save 110: all rows would cost 490, not 600.`; !strings.Contains(got, want) {
		t.Errorf("in the order of time: %s", got)
	}
	if len(report.Blocks[1].Top) != 1 || len(report.Top) != 1 {
		t.Error("the lists are not apart")
	}
	few := verdict{classes: []string{"ill", "well"}, floors: []pragma.Floor{{What: pragma.Alerts, Limit: 0.4}}, report: &eval.Report{}, rows: newRows}
	few.report.Rules.Tuned = ruleOf(few.classes, [][]float64{{2, 1}, {1, 16}}, 0.3)
	if kept, _, advice := few.floorWords(); len(kept) != 1 || advice != nil {
		t.Errorf("a handful of alarms: %q, %q", kept, advice)
	}
}
