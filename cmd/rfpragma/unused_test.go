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
	full := []eval.TopListFigures{{Class: "ill", Rows: 80, Hits: 38, Recall: &recall, Precision: &precision}}
	costs := func(missed, alarm float64) pragma.Costs {
		return pragma.Costs{Matrix: [][]float64{{0, missed}, {alarm, 0}}}
	}
	const begins = "Of the 80 alarms that ill:alerts<=0.4 allows 50 are raised. To use them all"
	for _, tc := range []struct {
		limit float64
		full  []eval.TopListFigures
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
	top := func(rows, hits float64) []eval.TopListFigures {
		return []eval.TopListFigures{{Class: "well"}, {Class: "ill", Rows: rows, Hits: hits, Recall: &recall, Precision: &precision}}
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

// By hand: of 200 rows 50, 80 and 90 are alarms, where 80 are allowed. What is required of the latest block may be broken in those before it, which is told of.
func TestBrokenBlocks(t *testing.T) {
	classes := []string{"ill", "well"}
	block := func(alarms float64) eval.Block {
		return eval.Block{Decided: confusionOf(classes, [][]float64{{30, 10}, {alarms - 30, 190 - alarms}})}
	}
	for _, tc := range []struct {
		alarms []float64
		want   string
	}{
		{[]float64{80, 50}, "which is kept."},
		{[]float64{90, 80, 50}, "which is kept; of all 3 blocks 1 breaks it."},
		{[]float64{90, 90, 50}, "which is kept; of all 3 blocks 2 break it."},
		{[]float64{50}, "which is kept."},
		{[]float64{50, 90}, "and later rows are other ones; of all 2 blocks 1 breaks it."},
	} {
		v := verdict{classes: classes, floors: []pragma.Floor{{What: pragma.Alerts, Limit: 0.4}}, report: &eval.Report{Blocks: []eval.Block{{}}}, rows: newRows}
		for _, alarms := range tc.alarms {
			v.report.Blocks = append(v.report.Blocks, block(alarms))
		}
		latest := tc.alarms[len(tc.alarms)-1]
		v.report.Rules.Tuned = ruleOf(classes, [][]float64{{30, 10}, {latest - 30, 190 - latest}}, 0.3)
		kept, broken, _ := v.floorWords()
		if got := strings.Join(append(kept, broken...), " "); !strings.Contains(got, tc.want) {
			t.Errorf("%v: %s, want %s", tc.alarms, got, tc.want)
		}
	}
}
