package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Where tuning moves nothing, or little, it is said why, right after what became of the loss.
func TestUnmoved(t *testing.T) {
	same := [][]float64{{8, 12}, {2, 178}}
	for _, tc := range []struct {
		name, want string
		change     func(*verdict)
	}{
		{"no others", "stays at 0.4000.\nOn the votes that weights are searched on no others are proven to lose less.", func(*verdict) {}},
		{"what is required", "stays at 0.4000.\nThe plain vote already keeps what you require on the votes that weights are searched on, and there no others are proven to lose less.", func(v *verdict) {
			v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.3}}
		}},
		{"other weights", "stays at 0.4000.\nThe weights are not equal, but decide no row otherwise.", func(v *verdict) { v.weights = vote.Weights{1.01, 1} }},
		{"other weights in a fold", "The weights are not equal, but", func(v *verdict) {
			v.report.WeightsByFold = []eval.FoldWeights{{Weights: map[string]float64{"ill": 1, "well": 1.1}}}
		}},
		{"at the edge", "\nIn 1 of 3 trainings: one vote is enough", func(v *verdict) {
			v.report.Warnings = []error{&eval.TrainingWarning{Warning: fmt.Errorf("one vote is enough%w", anneal.ErrEdge), Times: 1, Of: 3}}
		}},
		{"a model", "stays at 0.4000.\n", func(v *verdict) { v.given = true }},
	} {
		got := spoken(same, same, func(v *verdict) {
			v.report.Rules.Tuned, v.report.Gain, v.weights = v.report.Rules.Plain, &eval.Gain{}, vote.Weights{1, 1}
			tc.change(v)
		}) + "\n"
		if !strings.Contains(got, tc.want) {
			t.Errorf("%s: no %q in\n%s", tc.name, tc.want, got)
		}
	}
}

// Weights that need no tuning are told of where tuning is no better than they are; where they are better, before all else. Those that break what is required are not.
func TestVerdictUntuned(t *testing.T) {
	plain, tuned := [][]float64{{8, 12}, {2, 178}}, [][]float64{{16, 4}, {24, 156}}
	const gain, alike = "By the preference new rows are decided better", ", which need no tuning, do worse than the tuned ones, but not beyond noise: the loss is "
	for _, tc := range []struct {
		name        string
		prior, cost float64 // losses; that of tuned is 0.3 and the standard error 0.02
		change      func(*verdict)
		want, not   string
	}{
		{"one", 0.33, 0.35, nil, "Weights by one over the share of each class (prior)" + alike + "0.3300, not 0.3000 (two standard errors of the difference are 0.04). They find 40 of 100 rows of \"ill\", and 80 of 100 alarms are right. For them train or tune with --weights prior.", "cost alone"},
		{"as good", 0.3, 0.35, nil, "Weights by one over the share of each class (prior), which need no tuning, do as well as the tuned ones: the loss is 0.3000. They find 40 of 100 rows of \"ill\", and 80 of 100 alarms are right. For them train or tune with --weights prior.", "cost alone"},
		{"both", 0.29, 0.33, nil, "Weights by one over the share of each class (prior), which need no tuning, do better than the tuned ones, but not beyond noise: the loss is 0.2900, not 0.3000 (two standard errors of the difference are 0.04). They find 40 of 100 rows of \"ill\", and 80 of 100 alarms are right. To decide so, train or tune with --weights prior.", "cost alone"},
		{"none", 0.35, 0.36, nil, "two standard errors are 0.04).\nWeights by one over the share of each class (prior), which need no tuning, do worse than the tuned ones: the loss is 0.3500, not 0.3000 (two standard errors of the difference are 0.04).", "--weights"},
		{"none, and no gain on the plain vote", 0.31, 0.36, func(v *verdict) { v.report.Gain.StandardError = 1 }, "two standard errors are 2). The plain vote may do as well: --weights plain.\nWeights by one over the share of each class (prior), which need no tuning, do worse than the tuned ones, but not beyond noise: the loss is 0.3100", "--weights prior"},
		{"better", 0.35, 0.25, nil, "Weights by cost alone, which need no tuning, do better than the tuned ones: the loss is 0.2500, not 0.3000 (two standard errors of the difference are 0.04). They find 40 of 100 rows of \"ill\", and 80 of 100 alarms are right. To decide so, train or tune with --weights cost.\n" + gain, alike},
		{"better by three rows", 0.2, 0.35, func(v *verdict) {
			v.asked, _ = pragma.ParseMeasure("accuracy", v.classes)
			v.report.Rules.Prior.Confusion = [][]float64{{19, 1}, {24, 156}}
		}, gain, "need"},
		{"alike, and better by three rows", 0.29, 0.35, func(v *verdict) {
			v.asked, _ = pragma.ParseMeasure("accuracy", v.classes)
			v.report.Rules.Prior.Confusion = [][]float64{{19, 1}, {24, 156}}
		}, "(prior), which need no tuning, do better than the tuned ones, but not beyond noise: the loss is 0.2900", "For them"},
		{"better by four rows", 0.2, 0.35, func(v *verdict) {
			v.asked, _ = pragma.ParseMeasure("accuracy", v.classes)
			v.report.Rules.Prior.Confusion = [][]float64{{20, 0}, {24, 156}}
		}, "(prior), which need no tuning, do better than the tuned ones: the loss is 0.2000, not 0.3000", alike},
		{"no gain on the plain vote", 0.3, 0.3, func(v *verdict) { v.report.Gain.StandardError = 1 }, "no gain beyond noise", alike},
		{"the model itself", 0.3, 0.35, func(v *verdict) { v.rows, v.report.Rules.Prior.Confusion = "these rows", tuned }, "these rows are decided better", "need"},
		{"what is required is broken", 0.35, 0.35, func(v *verdict) {
			v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.85}}
			v.report.Rules.Prior.Confusion = [][]float64{{18, 2}, {40, 140}}
		}, "Weights by one over the share of each class (prior) keep what you require on new rows, but not surely: the range reaches below it; then the loss is 0.3500, not 0.3000, and the recall of \"ill\" 40.0 %, not 80.0 %.\n", "which need"},
		{"what is required is broken, and kept at no price", 0.35, 0.28, func(v *verdict) {
			v.floors = []pragma.Floor{{Class: 1, What: pragma.RecallFloor, Limit: 0.9}}
			v.report.Rules.Prior.Confusion = [][]float64{{4, 16}, {2, 178}}
			v.report.Rules.Plain.Confusion = [][]float64{{8, 12}, {40, 140}}
		}, "Weights by cost alone keep what you require on new rows, but not surely: the range reaches below it. They find 40 of 100 rows of \"ill\", and 80 of 100 alarms are right. To decide so, train or tune with --weights cost.", "which need"},
		{"what is required is kept by the plain vote alone", 0.35, 0.35, func(v *verdict) {
			v.floors = []pragma.Floor{{Class: 0, What: pragma.Alerts, Limit: 0.1}}
			v.report.Rules.Prior.Confusion, v.report.Rules.Cost = tuned, nil
		}, "The plain vote keeps what you require on new rows; then the loss is 0.4000, not 0.3000, and the recall of \"ill\" 40.0 %, not 80.0 %.\n", "To decide so"},
		{"what is required is kept at a precision much lower", 0.35, 0.35, func(v *verdict) {
			v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.85}}
			of := ruleOf(v.classes, [][]float64{{18, 2}, {72, 108}}, 0.35)
			v.report.Rules.Prior, v.report.Rules.Cost = of, nil
		}, "(prior) keep what you require on new rows, but not surely: the range reaches below it; then the loss is 0.3500, not 0.3000, and the precision of \"ill\" 20.0 %, not 40.0 %.\n", "To decide so"},
		{"better by chance, no gain on the plain vote", 0.31, 0.29, func(v *verdict) { v.report.Gain.StandardError = 1 }, "Weights by cost alone, which need no tuning, do better than the tuned ones, but not beyond noise: the loss is 0.2900, not 0.3000 (two standard errors of the difference are 0.04). They find 40 of 100 rows of \"ill\", and 80 of 100 alarms are right. To decide so, train or tune with --weights cost.", "prior"},
		{"the plain vote is better too", 0.27, 0.2, func(v *verdict) { v.report.Rules.Plain.Pragma, v.report.Gain.Loss = 0.25, -0.05 }, "Weights by cost alone, which need no tuning, do better than the tuned ones: the loss is 0.2000, not 0.3000", "--weights p"},
		{"the plain vote is better than all", 0.27, 0.2, func(v *verdict) { v.report.Rules.Plain.Pragma, v.report.Gain.Loss = 0.15, -0.15 }, "For the plain vote train or tune with --weights plain.", "To decide so"},
		{"the folds disagree", 0.2, 0.2, func(v *verdict) {
			v.report.Rules.Plain.Pragma, v.discord = 0.1, &discord{class: "ill", found: []float64{2.1, 50, 1.4}, ways: "train on more rows"}
		}, "The folds disagree: on the same votes their weights find from 1.4 to 50 of 100 rows of \"ill\", so these figures are those of no single model; train on more rows.\n", "--weights"},
		{"the folds disagree, by costs", 0.27, 0.2, func(v *verdict) {
			v.measure, v.discord = "cost", &discord{class: "ill", found: []float64{2.1, 50, 1.4}, ways: "train on more rows"}
		}, "Weights by cost alone, which need no tuning and on which no folds disagree, do better than the tuned ones: the cost of a row is 0.2000, not 0.3000, 33.3 % less (two standard errors of the difference are 0.04). They find 40 of 100 rows of \"ill\", and 80 of 100 alarms are right. To decide so, train or tune with --weights cost.", "prior"},
		{"in the order of time, by costs", 0.27, 0.2, func(v *verdict) {
			tuned, plain, cost := ruleOf(v.classes, tuned, 0.5), ruleOf(v.classes, plain, 0.9), ruleOf(v.classes, plain, 0.4)
			plain.Gain, cost.Gain = &eval.Gain{Loss: 0.4, StandardError: 0.1}, &eval.Gain{Loss: -0.1, StandardError: 0.04}
			v.measure, v.report.Blocks = "cost", make([]eval.Block, 4)
			v.report.Together = &eval.Block{Rules: map[string]eval.Rule{"tuned": tuned, "plain": plain, "prior": plain, "cost": cost}}
		}, "Weights by cost alone, which need no tuning, do better than the tuned ones: the cost of a row is 0.4000, not 0.5000, 20.0 % less (two standard errors of the difference are 0.08). They find 40 of 100 rows of \"ill\", and 80 of 100 alarms are right. To decide so, train with --weights cost.\nBy your costs rows of the 3 blocks together are decided better than by the plain vote: the cost of a row falls from 0.9000 to 0.5000 (by 0.4000; two standard errors are 0.2).", "tune with"},
		{"a model", 0.33, 0.35, func(v *verdict) { v.given = true }, "(prior), which need no tuning, do worse than the model, but not beyond noise: the loss is 0.3300", "gainst the plain vote tuning"},
		{"better by chance on rows at hand", 0.29, 0.33, func(v *verdict) { v.rows = "these rows" }, "do better than the tuned ones, but not beyond noise: the loss is 0.2900, not 0.3000", "--weights"},
		{"what is required", 0.3, 0.2, func(v *verdict) { v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.75}} }, gain, "need"},
	} {
		got := spoken(plain, tuned, func(v *verdict) {
			r := &v.report.Rules
			prior, cost := ruleOf(v.classes, plain, tc.prior), ruleOf(v.classes, plain, tc.cost)
			prior.Gain, cost.Gain = &eval.Gain{Loss: tc.prior - 0.3, StandardError: 0.02}, &eval.Gain{Loss: tc.cost - 0.3, StandardError: 0.02}
			r.Prior, r.Cost = prior, &cost
			if tc.change != nil {
				tc.change(v)
			}
		})
		if !strings.Contains(got, tc.want) || strings.Contains(got, tc.not) {
			t.Errorf("%s: want %q, not %q\n%s", tc.name, tc.want, tc.not, got)
		}
	}
}

// Of a rule that needs no tuning and is recommended it is said what it finds, of a handful of rows by these, of each class that matters most unless all do. By hand: 18 of 20 are found, and 18 of 90 alarms right.
func TestFinds(t *testing.T) {
	finds := func(v *verdict, r *eval.Rule) string { return v.found("They find", v.ruleFinding(r)) }
	classes := []string{"ill", "well"}
	for _, tc := range []struct {
		name      string
		confusion [][]float64
		matter    []int
		want      string
	}{
		{"many", [][]float64{{18, 2}, {72, 108}}, []int{0}, ` They find 90 of 100 rows of "ill", and 20 of 100 alarms are right.`},
		{"a handful", [][]float64{{3, 2}, {4, 191}}, []int{0}, ` They find 3 of 5 rows of "ill", and 3 of 7 alarms are right.`},
		{"none", [][]float64{{0, 20}, {0, 180}}, []int{0}, ` They find none of "ill".`},
		{"both matter", [][]float64{{18, 2}, {72, 108}}, []int{0, 1}, ""},
	} {
		rule := ruleOf(classes, tc.confusion, 0.3)
		if got := finds(&verdict{classes: classes, matter: tc.matter}, &rule); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	three := []string{"ill", "worse", "well"}
	rule := ruleOf(three, [][]float64{{18, 2, 0}, {0, 10, 10}, {2, 8, 150}}, 0.3)
	if got, want := finds(&verdict{classes: three, matter: []int{0, 1}}, &rule), ` They find 90 of 100 rows of "ill", and 90 of 100 alarms for it are right; 50 of 100 rows of "worse", and 50 of 100 alarms for it are right.`; got != want {
		t.Errorf("two of three classes: %q, want %q", got, want)
	}
	none := ruleOf(classes, [][]float64{{0, 0}, {4, 191}}, 0.3)
	none.Classes["ill"] = eval.Class{}
	if got := finds(&verdict{classes: classes, matter: []int{0}}, &none); got != "" {
		t.Errorf("of no rows %q", got)
	}
}

// What a verdict tells is not told beside it on the same screen, nor once more on a page; other warnings are.
func TestInVerdict(t *testing.T) {
	in := func(w error) error { return &eval.TrainingWarning{Warning: w, Times: 1, Of: 3} }
	for _, tc := range []struct {
		warning error
		want    bool
	}{
		{in(anneal.ErrUnproven), true}, {in(anneal.ErrEdge), true}, {dataset.ErrDrift, true}, {driftTold{errors.New("recall")}, true}, {errFewBlocks, true},
		{in(errors.New("few rows")), false}, {dataset.ErrIgnored, false}, {in(anneal.ErrFloors), false},
	} {
		if inVerdict(tc.warning) != tc.want {
			t.Errorf("%v: %v", tc.warning, !tc.want)
		}
	}
}
