package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Where no gain could be proved that is told with what the decisions are worth, and how what was asked for is followed all the same.
func TestUnproven(t *testing.T) {
	same, other := [][]float64{{8, 12}, {2, 178}}, [][]float64{{9, 11}, {3, 177}}
	unproven := fmt.Errorf("votes count the same%w", anneal.ErrUnproven)
	in := func(times int) func(*verdict) {
		return func(v *verdict) {
			v.report.Warnings = []error{errors.New("few rows"), &eval.TrainingWarning{Warning: unproven, Times: times, Of: 3}}
		}
	}
	better := func(loss, noise float64) func(*verdict) {
		return func(v *verdict) {
			in(3)(v)
			cost := ruleOf(v.classes, [][]float64{{20, 0}, {24, 156}}, loss)
			cost.Gain = &eval.Gain{Loss: loss - 0.4, StandardError: noise}
			v.report.Rules.Cost, v.report.Rules.Tuned.Pragma = &cost, 0.4
		}
	}
	const same2 = `n 20 rows of "ill" no gain of tuning weights could be proved, so the decisions are those of the plain vote. To follow the preference all the same: --choice lowest, which follows chance, too; or ask for what must hold`
	for _, tc := range []struct {
		name, want string
		tuned      [][]float64
		change     func(*verdict)
	}{
		{"in all", "stays at 0.4000.\nO" + same2 + " (--require).", same, in(3)},
		{"in some", "stays at 0.4000.\nIn 2 of 3 trainings, o" + same2 + " (--require).", same, in(2)},
		{"of a search", "stays at 0.4000.\nO" + same2 + " (--require).", same, func(v *verdict) { v.report.Warnings = []error{unproven} }},
		{"in part", `could be proved, so the preference is followed only in part. To follow the preference all the same`, other, in(3)},
		{"in part, by costs", `could be proved, so your costs are followed only in part. To follow your costs all the same`, other, func(v *verdict) { in(3)(v); v.measure = "cost" }},
		{"in the order of time", `On these rows no gain of tuning weights could be proved`, same, func(v *verdict) { in(3)(v); v.report.Blocks = make([]eval.Block, 3) }},
		{"another choice finds more", "O" + same2 + `: --require 'ill:recall>=0.9' finds 90 % of "ill" here, and 20 % of the alarms are right.`, same, func(v *verdict) {
			in(3)(v)
			v.others = []alternative{
				{Class: "ill", Recall: 0.2, Precision: 0.9, Loss: 0.1, Require: []string{"ill:alerts<=0.1"}}, {Class: "ill", Recall: 0.9, Precision: 0.2, Loss: 0.2, Require: []string{"ill:recall>=0.9"}},
				{Class: "ill", Recall: 0.95, Precision: 0.1, Loss: 0.3, Require: []string{"ill:recall>=0.95"}},
			}
		}},
		{"weights by cost are better", "(--require).\n" + `Weights by cost alone, which need no tuning, do better here: the loss is 0.3000, not 0.4000. They find 100 of 100 rows of "ill", and 45 of 100 alarms are right. To decide so, train or tune with --weights cost.` + "\n", same, better(0.3, 0.01)},
		{"they are, perhaps", "do better here, though not beyond noise: the loss is 0.3000, not 0.4000.", same, better(0.3, 0.1)},
	} {
		got := spoken(same, tc.tuned, func(v *verdict) {
			if v.report.Gain = (&eval.Gain{}); assess.SameDecisions(&v.report.Rules.Plain, &v.report.Rules.Tuned) {
				v.report.Rules.Tuned.Pragma = 0.4
			}
			v.weights = vote.Weights{1, 1}
			tc.change(v)
		}) + "\n"
		if !strings.Contains(got, tc.want) || strings.Count(got, "need no tuning") > 1 {
			t.Errorf("%s: no %q in\n%s", tc.name, tc.want, got)
		}
	}
	for name, change := range map[string]func(*verdict){
		"of a model":        func(v *verdict) { v.rows = "these rows" },
		"of given weights":  func(v *verdict) { v.given = true },
		"of nothing to say": func(v *verdict) { v.report.Warnings = nil },
	} {
		if got := spoken(same, same, func(v *verdict) { in(3)(v); change(v) }); strings.Contains(got, "could be proved") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// Train tells it of the rows that were tuned on, and cannot know what other weights do.
func TestUnprovenInModel(t *testing.T) {
	prefs := []pragma.Preference{pragma.Priority(), pragma.Neutral(), pragma.Neutral()}
	m := &rfpragma.Model{Forest: &forest.Forest{Classes: []string{"a", "b", "c"}, Share: []float64{0.1, 0.2, 0.7}}, Weights: vote.Weights{1, 1, 1}}
	m.Provenance.Measure, m.Provenance.Figures = "pragma", make([]rfpragma.ClassFigures, 3)
	m.Provenance.Figures[0].Recall = &rfpragma.Observed{Value: 0.95, Rows: 82}
	if got := strings.Join(votedWords(m, prefs), " "); !strings.Contains(got, "no other weights are proven") {
		t.Errorf("without a warning: %s", got)
	}
	m.Warnings = []error{fmt.Errorf("votes count the same%w", anneal.ErrUnproven)}
	for _, tc := range []struct {
		weight float64
		want   string
	}{
		{1, `On 82 rows of "a" no gain of tuning weights could be proved, so the decisions are those of the plain vote. To follow the preference all the same: --choice lowest, which follows chance, too; or ask for what must hold (--require).`},
		{2, "could be proved, so all weights follow from one number, larger for classes that are worse to miss. To follow"},
	} {
		m.Weights[0] = tc.weight
		if got := strings.Join(votedWords(m, prefs), " "); !strings.Contains(got, tc.want) || strings.Contains(got, "no other weights are proven") {
			t.Errorf("no %q in\n%s", tc.want, got)
		}
	}
}
