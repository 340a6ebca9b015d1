package main

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/pragma"
)

// What a model costs stands beside what it costs to decide all rows alike, and comes first: of 200 rows, 20 of them ill. Of several classes it is the cheapest of these.
func TestSpent(t *testing.T) {
	plain, tuned := [][]float64{{8, 12}, {2, 178}}, [][]float64{{16, 4}, {24, 156}}
	for _, tc := range []struct {
		name   string
		cost   float64
		always map[string]float64
		change func(*verdict)
		want   string
	}{
		{"dearer than none", 44, map[string]float64{"ill": 180, "well": 30}, nil, `On new rows it costs less to decide none as "ill", 30, than to use the model, 44.`},
		{"dearer than all", 44, map[string]float64{"ill": 20, "well": 30}, nil, `On new rows it costs less to decide all as "ill", 20, than to use the model, 44.`},
		{"as dear", 30, map[string]float64{"ill": 180, "well": 30}, nil, `On new rows the model costs 30, to decide none as "ill" 30, all as "ill" 180: it saves nothing.`},
		{"cheaper", 20, map[string]float64{"ill": 180, "well": 30}, nil, `On new rows the model costs 20, to decide none as "ill" 30, all as "ill" 180: it saves 10, 0.0500 a row.`},
		{"no cents beside a hundred", 20, map[string]float64{"ill": 180, "well": 30.25}, nil, `On new rows the model costs 20, to decide none as "ill" 30, all as "ill" 180: it saves 10, 0.0512 a row.`},
		{"the second matters", 20, map[string]float64{"ill": 180, "well": 30}, func(v *verdict) { v.matter = []int{1} }, `On new rows the model costs 20, to decide none as "well" 180, all as "well" 30: it saves 10, 0.0500 a row.`},
		{"by costs that have a name", 20, map[string]float64{"ill": 180, "well": 30}, func(v *verdict) { v.whose = givenCosts }, `On new rows, by the costs given here, the model costs 20, to decide none`},
	} {
		got := spoken(plain, tuned, func(v *verdict) {
			v.measure, v.report.Rules.Tuned.Cost, v.report.Always = "cost", &tc.cost, tc.always
			if tc.change != nil {
				tc.change(v)
			}
			if first := v.words()[0]; !strings.HasPrefix(first, tc.want) {
				t.Errorf("%s: first comes %q", tc.name, first)
			}
		})
		if strings.Count(got, "decide none")+strings.Count(got, "decide all") != 1 {
			t.Errorf("%s: that is not said once\n%s", tc.name, got)
		}
	}
	cost := 44.0
	for all, want := range map[float64]string{ // by what all as the class cost: to find none of it breaks what is required
		180: `On new rows the model costs 44, to decide none as "ill" 20 (which breaks what you require), all as "ill" 180: it saves 136, 0.6800 a row.`,
		30:  `On new rows it costs less to decide all as "ill", 30, than to use the model, 44.`,
	} {
		got := spoken(plain, tuned, func(v *verdict) {
			v.measure, v.report.Rules.Tuned.Cost, v.report.Always = "cost", &cost, map[string]float64{"ill": all, "well": 20}
			v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.1}}
		})
		if !strings.Contains(got, want) {
			t.Errorf("a recall is required, and to decide all costs %v:\n%s", all, got)
		}
	}
	cost = 20
	v := &verdict{classes: []string{"a", "b", "c"}, rows: newRows, report: &eval.Report{Always: map[string]float64{"a": 50, "b": 30, "c": 40}}}
	v.report.Rules.Tuned = ruleOf(v.classes, [][]float64{{9, 1, 0}, {0, 10, 0}, {0, 0, 20}}, 0.1)
	v.report.Rules.Tuned.Cost = &cost
	if got, want := strings.Join(v.saves(), ""), `On new rows the model costs 20, to decide all as "b" 30, the cheapest without a model: it saves 10, 0.2500 a row.`; got != want {
		t.Errorf("of three classes: %s", got)
	}
}

// In the order of time that is told of all blocks together, and of the latest where that tells otherwise; by another loss the latest alone is no reason to do without the model.
func TestSpentInTime(t *testing.T) {
	classes := []string{"ill", "well"}
	rows := func(cost, ill, well float64) eval.Block {
		r := ruleOf(classes, [][]float64{{5, 5}, {5, 85}}, 0)
		return eval.Block{Cost: &cost, Always: map[string]float64{"ill": ill, "well": well}, Classes: r.Classes, Decided: confusionOf(classes, r.Confusion)}
	}
	for _, tc := range []struct {
		name        string
		blocks      [2]eval.Block
		want        string
		alternative bool
	}{
		{"both save", [2]eval.Block{rows(100, 900, 400), rows(200, 900, 250)}, `On rows of the 2 blocks together the model costs 300, to decide none as "ill" 650, all as "ill" 1800: it saves 350, 1.75 a row, in single blocks 0.50 to 3.00.`, true},
		{"the latest does not", [2]eval.Block{rows(100, 900, 400), rows(300, 900, 250)}, `On rows of the 2 blocks together the model costs 400, to decide none as "ill" 650, all as "ill" 1800: it saves 250, 1.25 a row, in single blocks -0.50 to 3.00. In the latest block alone it costs less to decide none as "ill", 250, than to use the model, 300.`, true},
		{"the latest alone does", [2]eval.Block{rows(900, 900, 400), rows(200, 900, 250)}, `On rows of the 2 blocks together it costs less to decide none as "ill", 650, than to use the model, 1100. In the latest block alone the model costs less, 200, than to decide none as "ill", 250.`, false},
		{"none does", [2]eval.Block{rows(900, 900, 400), rows(300, 900, 250)}, `On rows of the 2 blocks together it costs less to decide none as "ill", 650, than to use the model, 1200.`, false},
	} {
		a, b := tc.blocks[0], tc.blocks[1]
		all, r := rows(*a.Cost+*b.Cost, 1800, a.Always["well"]+b.Always["well"]), ruleOf(classes, [][]float64{{5, 5}, {5, 85}}, 0)
		twice := ruleOf(classes, [][]float64{{10, 10}, {10, 170}}, 0)
		all.Classes, r.Cost = twice.Classes, b.Cost
		report := &eval.Report{Blocks: []eval.Block{{}, a, b}, Together: &all, Always: b.Always, Rules: eval.Rules{Tuned: r}}
		v := &verdict{classes: classes, matter: []int{0}, measure: "cost", rows: newRows, report: report}
		if got := strings.Join(append(v.waste(), v.saves()...), "\n"); got != tc.want {
			t.Errorf("%s: %s", tc.name, got)
		}
		if assess.SpentOn(report).Wasted(classes) == tc.alternative {
			t.Errorf("%s: the model is a waste: %v", tc.name, tc.alternative)
		}
	}
	asked, _ := pragma.Spec{"ill": pragma.Priority()}.Measure(classes)
	for _, tc := range []struct {
		together [][]float64
		want     bool
	}{{[][]float64{{20, 0}, {0, 180}}, false}, {[][]float64{{2, 18}, {90, 90}}, true}} {
		r := ruleOf(classes, [][]float64{{1, 9}, {45, 45}}, 0)
		r.Pragma = asked.Loss(confusionOf(classes, r.Confusion))
		r.PragmaInterval = &[2]float64{r.Pragma - 0.01, r.Pragma + 0.01}
		report := &eval.Report{Blocks: make([]eval.Block, 3), Together: &eval.Block{Decided: confusionOf(classes, tc.together)}, Rules: eval.Rules{Tuned: r}}
		v := &verdict{classes: classes, matter: []int{0}, measure: "pragma", asked: asked, rows: newRows, report: report}
		if got := v.waste(); (got != nil) != tc.want {
			t.Errorf("together %v: %q", tc.together, got)
		}
	}
}
