package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand: where a row counts by its amount, tuning finds a row of 900 that the plain vote misses and one of 50, and raises a false alarm of 10: it saves 940, of which 900 are 95.7 %. If it misses the row
// of 900 instead, it loses 860 only for that. Two rows of 400 and 300 are most of 850.
func TestHangs(t *testing.T) {
	for _, tc := range []struct {
		name            string
		amounts         []float64
		truth, decided  []int
		repeats, wanted int
		want            string
	}{
		{"one row", []float64{900, 50, 10, 5}, []int{0, 0, 1, 1}, []int{0, 0, 0, 1}, 1, 1, "Most of the difference, 95.7 %, is due to 1 row (amount 900)."},
		{"it turns", []float64{900, 50, 10, 5}, []int{1, 0, 1, 1}, []int{0, 0, 1, 1}, 1, 1, "Without 1 row (amount 900) it would be the other way round."},
		{"two rows", []float64{400, 300, 100, 50}, []int{0, 0, 0, 0}, []int{0, 0, 0, 0}, 1, 1, "Most of the difference, 82.4 %, is due to 2 rows (amount 400, 300)."},
		{"many rows", []float64{9, 9, 9, 9, 9, 9, 9, 9}, []int{0, 0, 0, 0, 0, 0, 0, 0}, []int{0, 0, 0, 0, 0, 0, 0, 0}, 1, 0, ""},
		{"nothing", []float64{900, 50}, []int{0, 1}, []int{1, 1}, 1, 0, ""},
		{"repeats", []float64{900, 50, 10, 5}, []int{0, 0, 1, 1}, []int{0, 0, 0, 1}, 2, 0, ""},
	} {
		n := len(tc.amounts)
		votes := &vote.Table{Classes: []string{"ill", "well"}, Trees: 10, Source: vote.CV, Share: []float64{0.1, 0.9}, Truth: tc.truth, Amount: tc.amounts, Counts: slices.Repeat([]uint32{3, 7}, n)}
		v := &verdict{classes: votes.Classes, costs: pragma.Costs{Matrix: [][]float64{{0, 1}, {1, 0}}, ByAmount: []bool{true, true}},
			report: &eval.Report{Votes: votes, Decided: tc.decided, WeightsByFold: []eval.FoldWeights{{Repeat: tc.repeats}}}}
		if got := v.hangs(); len(got) != tc.wanted || strings.Join(got, "") != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
		if v.costs.ByAmount = nil; v.hangs() != nil {
			t.Errorf("%s: without amounts: %q", tc.name, v.hangs())
		}
	}
}

// By hand: a missed row costs 100, a false alarm 1. One missed row is all of a cost of 100, of 110 it is 90.9 %, of 130 76.9 %, and of 210 less than half. Two
// missed rows are all of 200, of three two are no four fifths, and of four no three are; of many false alarms few rows are next to nothing.
func TestDue(t *testing.T) {
	for _, tc := range []struct {
		name           string
		missed, alarms float64
		change         func(*verdict)
		want           string
	}{
		{"all", 1, 0, nil, "All of the cost is due to 1 row: on other rows it may be quite different."},
		{"nearly all", 1, 10, nil, "90.9 % of the cost is due to 1 row: on other rows it may be quite different."},
		{"most", 1, 30, nil, "76.9 % of the cost is due to 1 row: on other rows it may be quite different."},
		{"less than half", 1, 110, nil, ""},
		{"two", 2, 0, nil, "All of the cost is due to 2 rows: on other rows it may be quite different."},
		{"three", 3, 5, nil, "98.4 % of the cost is due to 3 rows: on other rows it may be quite different."},
		{"four", 4, 0, nil, ""},
		{"false alarms", 0, 30, nil, ""},
		{"nothing", 0, 0, nil, ""},
		{"of weights", 1, 0, func(v *verdict) { v.report.Weighed = true }, ""},
		{"by amount", 1, 0, func(v *verdict) { v.costs.ByAmount = []bool{true, false} }, ""},
		{"no costs", 1, 0, func(v *verdict) { v.costs = pragma.Costs{} }, ""},
	} {
		got := spoken([][]float64{{8, 12}, {2, 178}}, [][]float64{{20 - tc.missed, tc.missed}, {tc.alarms, 180 - tc.alarms}}, func(v *verdict) {
			v.measure, v.costs = "cost", pragma.Costs{Matrix: [][]float64{{0, 100}, {1, 0}}}
			if tc.change != nil {
				tc.change(v)
			}
		})
		if strings.Contains(got, "cost is due") != (tc.want != "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: no %q alone in\n%s", tc.name, tc.want, got)
		}
	}
}

// By hand: of 200 rows 20 are ill. If all are decided so, recall is 1 and precision 0.1: 1 − 0.9 − 0.1·0.1 = 0.09 by the priority setting, and 1 of those that are well; (10·0.09 + 1)/11 = 0.1727.
func TestAlike(t *testing.T) {
	for _, tc := range []struct {
		name   string
		loss   float64
		change func(*verdict)
		want   string
	}{
		{"less", 0.3, nil, `On new rows by the preference it is better to decide all as "ill", a loss of 0.1727, than to use the model, 0.3000.`},
		{"less, but for noise", 0.2, nil, ""},
		{"more", 0.1, nil, ""},
		{"of weights that disagree", 0.3, func(v *verdict) { v.discord = &discord{class: "ill", found: []float64{1, 50}} }, ""},
		{"where noise is not known", 0.3, func(v *verdict) { v.report.Rules.Tuned.PragmaInterval = nil }, ""},
		{"required", 0.3, func(v *verdict) { v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.5}} }, ""},
		{"of a measure that is not known", 0.3, func(v *verdict) { v.asked = nil }, ""},
		{"by accuracy", 0.3, func(v *verdict) {
			v.measure, v.report.Rules.Tuned.Loss = "accuracy", &v.report.Rules.Tuned.Pragma
			v.asked, _ = pragma.ParseMeasure("accuracy", v.classes)
		}, `On new rows by the measure you chose it is better to decide all as "well", a loss of 0.1000, than to use the model, 0.3000.`},
	} {
		got := spoken([][]float64{{8, 12}, {2, 178}}, [][]float64{{16, 4}, {24, 156}}, func(v *verdict) {
			v.report.Rules.Tuned.Pragma, v.report.Rules.Tuned.PragmaInterval = tc.loss, &[2]float64{tc.loss - 0.05, tc.loss + 0.05}
			v.asked, _ = pragma.Spec{"ill": pragma.Priority()}.Measure(v.classes)
			if tc.change != nil {
				tc.change(v)
			}
		})
		if strings.Contains(got, "to decide all as") != (tc.want != "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: no %q alone in\n%s", tc.name, tc.want, got)
		}
	}
}

// By hand: 40 of 200 rows are decided as ill, 16 rightly. Where that many are from a probability of 50 % on, a false alarm costs as much as a missed row, and 16 − 24 is less than nothing; from 30 % on it
// costs 3/7 of one.
func TestWorthless(t *testing.T) {
	for _, tc := range []struct {
		name string
		from float64
		of   func(*verdict)
		want string
	}{
		{"less than none", 0.5, nil, `Against no alarms at all these pay on new rows only if a missed "ill" costs you more than 1.5 false alarms.`},
		{"none is right", 0.5, func(v *verdict) { v.report.Rules.Tuned.Confusion = [][]float64{{0, 20}, {24, 156}} }, `On new rows no alarm for "ill" is right, so they pay at no price.`},
		{"more than none", 0.3, nil, ""},
		{"less than none, but for noise", 0.45, nil, ""},
		{"less than none on rows that are judged", 0.45, func(v *verdict) { v.rows = "these rows" }, `Against no alarms at all these pay on these rows only if a missed "ill" costs you more than 1.5 false alarms.`},
		{"by costs, of which more is known", 0.5, func(v *verdict) { v.costs.Matrix = [][]float64{{0, 1}, {1, 0}} }, ""},
		{"of weights that disagree", 0.5, func(v *verdict) { v.discord = &discord{class: "ill", found: []float64{1, 50}} }, ""},
	} {
		got := spoken([][]float64{{8, 12}, {2, 178}}, [][]float64{{16, 4}, {24, 156}}, func(v *verdict) {
			v.report.Votes = &vote.Table{Classes: v.classes}
			v.report.Rules.Tuned.Classes["ill"].PrecisionInterval[0], v.report.Rules.Tuned.Classes["ill"].PrecisionInterval[1] = 0.32, 0.48
			v.report.Probabilities = map[string]eval.Judged{"ill": {Calibrated: &eval.Judgement{Decisions: []calib.Benefit{{Threshold: tc.from, Decided: 0.2}, {Threshold: 0.9, Decided: 0.01}}}}}
			if tc.of != nil {
				tc.of(v)
			}
		})
		if strings.Contains(got, "pay") != (tc.want != "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: no %q alone in\n%s", tc.name, tc.want, got)
		}
	}
}

// A class that no --cost names has the cost 1, which is said; of all that are named, nothing is.
func TestUncosted(t *testing.T) {
	inFolder(t, map[string]string{"votes.csv": "class,ill,well\n" + strings.Repeat("ill,6,4\nwell,3,7\nwell,1,9\n", 40)})
	const said = `No --cost names "well": what is not named costs 1.`
	for line, want := range map[string]bool{"--cost ill=30": true, "--cost ill=30,well=1": false, "--cost well=2 --cost ill=30": false} {
		if got := must(t, "tune votes.csv "+line).stdout; strings.Contains(got, said) != want {
			t.Errorf("%s: said: %v, want %v\n%s", line, !want, want, got)
		}
	}
}

// Where several classes are dear to miss, one number for each says that taking one for another is as bad, and a table says otherwise.
func TestCostsOfKind(t *testing.T) {
	classes := []string{"bearing", "none", "valve"}
	const said = `So taking "bearing" for "valve" costs 20000 as well; where it should cost less, give a table with --costs.`
	for text, want := range map[string]bool{"bearing=20000,valve=20000,none=150": true, "bearing=20000,valve=150,none=150": false, "bearing=2,valve=2,none=2": false} {
		costs, err := pragma.ParseCosts(strings.Split(text, ","), classes)
		if err != nil {
			t.Fatal(err)
		}
		if got := costWords(classes, costs, 0); slices.Contains(got, said) != want {
			t.Errorf("%s: %q, said: %v, want %v", text, got, !want, want)
		}
	}
}

// Where it costs less to decide all rows alike no rule is advised that costs more than that, and no number of alarms is regretted.
func TestWasteful(t *testing.T) {
	plain, tuned := [][]float64{{8, 12}, {2, 178}}, [][]float64{{16, 4}, {124, 56}}
	for cost, want := range map[float64]bool{35: false, 25: true} {
		got := spoken(plain, tuned, func(v *verdict) {
			dear, rule := 44.0, ruleOf(v.classes, tuned, 0.1)
			rule.Cost, rule.Gain = &cost, &eval.Gain{Loss: -0.2, StandardError: 0.01}
			v.measure, v.report.Rules.Tuned.Cost, v.report.Rules.Cost, v.report.Always = "cost", &dear, &rule, map[string]float64{"ill": 180, "well": 30}
		})
		if strings.Contains(got, "--weights cost") != want || strings.Contains(got, "rows are alarms") {
			t.Errorf("cost alone at %v: advised: %v, want %v\n%s", cost, !want, want, got)
		}
	}
}

// That the model does worse than none is said before all else: first of the words, and beside large figures first of what to know before they are relied on.
func TestWasteIsFirst(t *testing.T) {
	const said = `On new rows by the preference it is better to decide all as "ill"`
	for _, beside := range []bool{false, true} {
		var words, limits []string
		got := spoken([][]float64{{8, 12}, {2, 178}}, [][]float64{{16, 4}, {24, 156}}, func(v *verdict) {
			v.beside, v.report.Weighed = beside, true
			v.report.Rules.Tuned.Pragma, v.report.Rules.Tuned.PragmaInterval = 0.3, &[2]float64{0.25, 0.35}
			v.asked, _ = pragma.Spec{"ill": pragma.Priority()}.Measure(v.classes)
			words = v.words()
			limits, _ = v.limits()
		})
		if strings.HasPrefix(words[0], said) == beside || strings.Contains(got, said) == beside {
			t.Errorf("beside figures: %v, %q stands elsewhere in\n%s", beside, said, got)
		}
		if first := len(limits) > 0 && strings.HasPrefix(limits[0], said); first != beside {
			t.Errorf("beside figures: %v, limits begin with %q", beside, limits)
		}
	}
}
