package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// ruleOf is a rule that decides rows as the matrix says.
func ruleOf(classes []string, confusion [][]float64, loss float64) eval.Rule {
	r := eval.Rule{Confusion: confusion, Pragma: loss, Classes: map[string]eval.Class{}}
	hits, rows := 0.0, 0.0
	for c, name := range classes {
		var class eval.Class
		for d := range classes {
			class.Support += confusion[c][d]
			class.Predicted += confusion[d][c]
		}
		class.Rows = class.Support
		hits, rows = hits+confusion[c][c], rows+class.Support
		recall, precision := confusion[c][c]/class.Support, confusion[c][c]/class.Predicted
		class.Recall, class.RecallInterval = &recall, &[2]float64{0, 1}
		if class.Predicted > 0 {
			class.Precision, class.PrecisionInterval = &precision, &[2]float64{0, 1}
		}
		r.Classes[name] = class
	}
	r.Means.Priority = &eval.Mean{Recall: 0.5, Precision: 0.25}
	r.Accuracy = hits / rows
	return r
}

// spoken is what is said of 200 rows, 20 of them ill.
func spoken(plain, tuned [][]float64, change func(*verdict)) string {
	classes := []string{"ill", "well"}
	report := &eval.Report{Agreement: 0.9, Moved: 0.1, Gain: &eval.Gain{Loss: 0.1, StandardError: 0.02}}
	report.Rules.Plain, report.Rules.Tuned = ruleOf(classes, plain, 0.4), ruleOf(classes, tuned, 0.3)
	v := &verdict{classes: classes, matter: []int{0}, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, measure: "pragma", rows: newRows, report: report}
	if change != nil {
		change(v)
	}
	return strings.Join(append(v.details(), v.words()...), "\n")
}

// On a page what is required and not kept stands first of what to know before the figures are relied on, and nowhere else.
func TestBrokenBeside(t *testing.T) {
	for _, tc := range []struct {
		limit float64
		first bool
	}{{0.9, true}, {0.5, false}} {
		var broken, limits []string
		said := spoken([][]float64{{8, 12}, {2, 178}}, [][]float64{{16, 4}, {24, 156}}, func(v *verdict) {
			v.beside, v.floors = true, []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: tc.limit}}
			broken, limits = v.limits()
		})
		const words = "You require ill:recall>="
		if first := len(broken) == 2 && strings.HasPrefix(broken[0], words) && broken[1] == "Neither the plain vote nor weights that need no tuning keep it all."; first != tc.first || strings.Contains(said, words) == tc.first || !strings.HasPrefix(limits[0], `Class "ill" has only 20 rows`) {
			t.Errorf("recall of at least %g: first %q, then %q, in short %q", tc.limit, broken, limits, said)
		}
	}
}

// By hand: plain finds 8 of 20 ill with 2 false alarms, tuned 16 with 24. So of 100 alarms 16/40 are right, 10,000 rows raise 40/200
// of them (plain 10/200), and 8 more are found for 22 more false alarms, 2.75 for each.
func TestVerdict(t *testing.T) {
	plain, tuned := [][]float64{{8, 12}, {2, 178}}, [][]float64{{16, 4}, {24, 156}}
	of := func(f func(*eval.Report)) func(*verdict) { return func(v *verdict) { f(v.report) } }
	beside := func(gain, noise float64) func(*verdict) { // weights of a model that decide as the plain vote does
		return func(v *verdict) {
			had := ruleOf(v.classes, plain, 0.3+gain)
			had.Gain, v.had = &eval.Gain{Loss: gain, StandardError: noise}, &had
		}
	}
	for _, tc := range []struct {
		name         string
		plain, tuned [][]float64
		change       func(*verdict)
		want         string
	}{
		{"found", plain, tuned, nil, `On new rows 80 of 100 rows of "ill" are found (0–100), by the plain vote 40: that is recall.`},
		{"found with past and future mixed", plain, tuned, func(v *verdict) { v.mixed = true }, `On rows with past and future mixed 80 of 100 rows of "ill" are found (0–100), by the plain vote 40`},
		{"found here", plain, tuned, func(v *verdict) { v.rows = "these rows" }, `On these rows 80 of 100 rows of "ill" are found (0–100), by the plain vote 40`},
		{"right", plain, tuned, nil, `Of 100 alarms for "ill" 40 are right (0–100), at random 10, by the plain vote 80: that is precision.`},
		{"right, plain never", [][]float64{{0, 20}, {0, 180}}, tuned, nil, `Of 100 alarms for "ill" 40 are right (0–100), at random 10, no alarm comes from the plain vote: that is precision.`},
		{"alarms", plain, tuned, nil, `10,000 such rows raise about 2000 alarms for "ill", by the plain vote 500.`},
		{"more for more", plain, tuned, nil, `Against the plain vote tuning finds 8 more of "ill", for 22 more false alarms: 2.8 for each.`},
		{"more for nothing", plain, [][]float64{{9, 11}, {2, 178}}, nil, `Against the plain vote tuning finds 1 more of "ill", without more false alarms.`},
		{"one more alarm", plain, [][]float64{{9, 11}, {3, 177}}, nil, `Against the plain vote tuning finds 1 more of "ill", for 1 more false alarm: 1 for each.`},
		{"fewer", tuned, plain, nil, `Against the plain vote tuning spares 22 false alarms for "ill", and finds 8 fewer of it.`},
		{"never", plain, [][]float64{{0, 20}, {0, 180}}, nil, `No row is decided as "ill".`},
		{"better", plain, tuned, nil, `By the preference new rows are decided better than by the plain vote: the loss (pragma) falls from 0.4000 to 0.3000 (by 0.1000; two standard errors are 0.04).`},
		{"noise", plain, tuned, of(func(r *eval.Report) { r.Gain.StandardError = 0.2 }), `By the preference no gain beyond noise shows on new rows: the loss (pragma) goes from 0.4000 to 0.3000 (by 0.1000; two standard errors are 0.4).`},
		{"worse", plain, tuned, of(func(r *eval.Report) { r.Rules.Tuned.Pragma = 0.5 }), `By the preference tuning does worse than the plain vote on new rows: the loss (pragma) goes from 0.4000 to 0.5000 (by 0.1000; two standard errors are 0.04). For the plain vote train or tune with --weights plain.`},
		{"worse, but it keeps what is required", plain, tuned, func(v *verdict) {
			v.report.Rules.Tuned.Pragma, v.floors = 0.5, []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.75}}
		}, `By the preference tuning does worse than the plain vote on new rows: the loss (pragma) goes from 0.4000 to 0.5000 (by 0.1000; two standard errors are 0.04). The plain vote breaks what you require.`},
		{"worse within noise", plain, tuned, of(func(r *eval.Report) { r.Rules.Tuned.Pragma = 0.41 }), `By the preference tuning does worse than the plain vote on new rows, but not beyond noise: the loss (pragma) goes from 0.4000 to 0.4100 (by 0.0100; two standard errors are 0.04).`},
		{"worse, noise unknown", plain, tuned, of(func(r *eval.Report) { r.Rules.Tuned.Pragma, r.Gain = 0.41, nil }), `By the preference tuning does worse than the plain vote on new rows: the loss (pragma) goes from 0.4000 to 0.4100. For the plain vote train or tune with --weights plain.`},
		{"the same", plain, tuned, of(func(r *eval.Report) { r.Rules.Tuned.Pragma = 0.4 }), `By the preference tuning changes nothing on new rows: the loss (pragma) stays at 0.4000.`},
		{"another surface", plain, tuned, func(v *verdict) { v.measure = curved }, `By the preference new rows are decided better than by the plain vote: the loss falls from 0.4000 to 0.3000 (by 0.1000; two standard errors are 0.04).`},
		{"another measure", plain, tuned, func(v *verdict) {
			before, after := 7.0, 6.0
			v.measure, v.report.Rules.Plain.Loss, v.report.Rules.Tuned.Loss, v.report.Gain = "cost", &before, &after, nil
		}, `By your costs new rows are decided better than by the plain vote: the cost of a row falls from 7 to 6.`},
		{"money of all rows, too", plain, tuned, func(v *verdict) {
			before, after, all, now := 211.05, 98.8831, 422100.0, 197766.2
			r := &v.report.Rules
			v.measure, r.Plain.Loss, r.Tuned.Loss, r.Plain.Cost, r.Tuned.Cost = "cost", &before, &after, &all, &now
		}, `By your costs new rows are decided better than by the plain vote: the cost of a row falls from 211 to 99 (by 112; two standard errors are 0.04), that of all rows from 422,100 to 197,766.`},
		{"better than what the model has", plain, tuned, beside(0.06, 0.02), `By the preference the new weights do better than those that the model has: the loss (pragma) is 0.3000 by the new ones, cross-validated on these rows, 0.3600 by those of the model, and 0.4000 by the plain vote (two standard errors of the first difference are 0.04).`},
		{"no better than what the model has", plain, tuned, beside(0.03, 0.02), `By the preference no difference beyond noise shows between the new weights and those that the model has: the loss (pragma) is 0.3000 by the new ones, cross-validated on these rows, 0.3300 by those of the model, and 0.4000 by the plain vote (two standard errors of the first difference are 0.04). Keep the model as it is.`},
		{"worse than what the model has", plain, tuned, beside(-0.06, 0.02), `By the preference the new weights do worse than those that the model has: the loss (pragma) is 0.3000 by the new ones, cross-validated on these rows, 0.2400 by those of the model, and 0.4000 by the plain vote (two standard errors of the first difference are 0.04). Keep the model as it is.`},
		{"what the model has breaks what is required", plain, tuned, func(v *verdict) {
			beside(-0.06, 0.02)(v)
			v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.75}}
		}, `By the preference the new weights do worse than those that the model has: the loss (pragma) is 0.3000 by the new ones, cross-validated on these rows, 0.2400 by those of the model, and 0.4000 by the plain vote (two standard errors of the first difference are 0.04). Those of the model break what you require.`},
		{"what the model has keeps what is required", plain, tuned, func(v *verdict) {
			beside(0.06, 0.02)(v)
			v.floors = []pragma.Floor{{Class: 0, What: pragma.Alerts, Limit: 0.1}}
		}, `By the preference the new weights do better than those that the model has: the loss (pragma) is 0.3000 by the new ones, cross-validated on these rows, 0.3600 by those of the model, and 0.4000 by the plain vote (two standard errors of the first difference are 0.04). Those of the model keep what you require, the new ones do not: keep the model as it is.`},
		{"traded against what the model has", plain, tuned, beside(0.06, 0.02), `Against the weights of the model tuning finds 8 more of "ill", for 22 more false alarms: 2.8 for each.`},
		{"kept", plain, tuned, func(v *verdict) { v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.75}} }, `You require ill:recall>=0.75: on new rows it is 80 % (0–100), which is kept, but not surely: the range reaches below it.`},
		{"surely kept", plain, tuned, func(v *verdict) {
			v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0}}
		}, `You require ill:recall>=0: on new rows it is 80 % (0–100), which is kept.`},
		{"alarms kept", plain, tuned, func(v *verdict) { v.floors = []pragma.Floor{{Class: 0, What: pragma.FalseAlarms, Limit: 0.2}} }, `You require ill:fpr<=0.2: on new rows it is 13.3 %, which is kept.`},
		{"as printed", plain, tuned, of(func(r *eval.Report) { r.Rules.Plain.Pragma, r.Rules.Tuned.Pragma = 0.062351, 0.030649 }), `By the preference no gain beyond noise shows on new rows: the loss (pragma) goes from 0.0624 to 0.0306 (by 0.0318; two standard errors are 0.04).`},
		{"large, as printed", plain, tuned, of(func(r *eval.Report) { r.Rules.Plain.Pragma, r.Rules.Tuned.Pragma = 200.004, 100.006 }), `By the preference new rows are decided better than by the plain vote: the loss (pragma) falls from 200.00 to 100.01 (by 99.99; two standard errors are 0.04).`},
		{"few groups", plain, tuned, of(func(r *eval.Report) { r.Groups, r.EffectiveGroups, r.Gain = 3, 3, nil }), `By the preference the loss (pragma) goes from 0.4000 to 0.3000 on new rows: 3 groups are too few to say how sure that is.`},
		{"few groups, what to make of them", plain, tuned, of(func(r *eval.Report) { r.Groups, r.EffectiveGroups, r.Gain = 3, 3, nil }), `With 3 groups the ranges say little: take the figures as those of these groups, or train on all but the last group and evaluate on that.`},
		{"few groups here", plain, tuned, func(v *verdict) { v.report.Groups, v.report.EffectiveGroups, v.rows = 3, 3, "these rows" }, `With 3 groups the ranges say little: take the figures as those of these groups.`},
		{"many groups, of which a few have most rows", plain, tuned, of(func(r *eval.Report) { r.Groups, r.EffectiveGroups, r.Gain = 40, 3.14, nil }), `By the preference the loss (pragma) goes from 0.4000 to 0.3000 on new rows: 40 groups that tell as much as 3.1 of equal size are too few to say how sure that is.`},
		{"kept of few groups", plain, tuned, func(v *verdict) {
			v.report.Groups, v.report.EffectiveGroups, v.floors = 3, 3, []pragma.Floor{{Class: 0, What: pragma.FalseAlarms, Limit: 0.2}}
		}, `You require ill:fpr<=0.2: on new rows it is 13.3 %, which is kept, as far as 3 groups can tell.`},
		{"not kept", plain, tuned, func(v *verdict) { v.floors = []pragma.Floor{{Class: 0, What: pragma.Alerts, Limit: 0.1}} }, `You require ill:alerts<=0.1: on new rows it is 20 %, which is not kept; ask for fewer than you can bear`},
		{"not kept, as typed", plain, tuned, func(v *verdict) {
			v.floors = []pragma.Floor{{Class: 0, What: pragma.Alerts, Limit: 0.005, Typed: "50/10000"}}
		}, `You require ill:alerts<=50/10000: on new rows it is 2000/10000, which is not kept; ask for fewer than you can bear`},
		{"not kept by later rows", plain, tuned, func(v *verdict) {
			v.floors, v.report.Blocks = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.9, Typed: "90%"}}, make([]eval.Block, 3)
			*v.report.Rules.Tuned.Classes["ill"].RecallInterval = [2]float64{0.6, 0.89}
		}, `You require ill:recall>=90%: on rows of the latest block it is 80 % (60–89), which is not kept: it is reached on the rows before the block, and later rows are other ones.`},
		{"not the likeliest", plain, tuned, nil, `10.0 % of the rows are decided as "ill" although "well" is likelier: missing one is worse, as you said.`},
		{"not the likeliest, by cost", plain, tuned, func(v *verdict) { v.measure = "cost" }, `10.0 % of the rows are decided as "ill" although "well" is likelier: missing one is worse, as you said.`},
		{"not the likeliest, by another measure", plain, tuned, func(v *verdict) { v.measure = "f1" }, `10.0 % of the rows are decided as "ill" although "well" is likelier: by the measure you chose that is worth it.`},
		{"not the likeliest, fewer", tuned, plain, nil, `10.0 % of the rows are decided as "well" although "ill" is likelier: by the preference that is worth it.`},
		{"not the likeliest, of the latest block", plain, tuned, of(func(r *eval.Report) { r.Blocks = make([]eval.Block, 3) }), `10.0 % of the rows of the latest block are decided as "ill" although`},
		{"votes and probabilities disagree", plain, plain, of(func(r *eval.Report) { r.Moved = 0 }), `On 10.0 % of the rows votes and probabilities disagree about the likeliest class.`},
		{"few alarms of the plain vote", [][]float64{{2, 18}, {0, 180}}, tuned, nil, `Of 100 alarms for "ill" 40 are right (0–100), at random 10, by the plain vote 2 of 2: that is precision.`},
		{"never as the other", plain, [][]float64{{20, 0}, {180, 0}}, nil, `No row is decided as "well".`},
		{"cannot be stricter", plain, tuned, func(v *verdict) { v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 1}} }, `You require ill:recall>=1: on new rows it is 80 % (0–100), which is not kept.`},
		{"what so many rows tell at most", plain, tuned, func(v *verdict) { v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 1}} }, `20 rows of "ill" are too few to make sure of 100 % by any limit: to find all of them would prove no more than 83.8 %.`},
		{"cannot be stricter of alarms", plain, tuned, func(v *verdict) { v.floors = []pragma.Floor{{Class: 0, What: pragma.FalseAlarms}} }, `You require ill:fpr<=0: on new rows it is 13.3 %, which is not kept; no stricter limit can be asked for`},
		{"kept, and more than so many rows tell", plain, [][]float64{{18, 2}, {24, 156}}, func(v *verdict) { v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.84}} }, `You require ill:recall>=0.84: on new rows it is 90 % (0–100), which is kept, but not surely: the range reaches below it.`},
		{"a stricter limit than so many rows tell", plain, [][]float64{{18, 2}, {24, 156}}, func(v *verdict) { v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.84}} }, `20 rows of "ill" are too few to make sure of 84 % by any limit: to find all of them would prove no more than 83.8 %. A stricter limit leaves more room all the same, such as ill:recall>=0.99.`},
		{"looks like what is required", plain, tuned, func(v *verdict) {
			recall := 0.796
			of := v.report.Rules.Tuned.Classes["ill"]
			of.Recall = &recall
			v.report.Rules.Tuned.Classes["ill"] = of
			v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.8}}
		}, `On new rows 79.6 of 100 rows of "ill" are found (0–100)`},
		{"not even on the votes", plain, tuned, func(v *verdict) {
			v.floors, v.unreached = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.9}}, true
		}, `You require ill:recall>=0.9: on new rows it is 80 % (0–100), which is not kept: not all weights that were searched for reach it on their own votes.`},
	} {
		if got := spoken(tc.plain, tc.tuned, tc.change); !strings.Contains("\n"+got+"\n", "\n"+tc.want) {
			t.Errorf("%s: no %q in\n%s", tc.name, tc.want, got)
		}
	}
	if got := spoken(plain, tuned, of(func(r *eval.Report) { r.Moved = 0.091 })); strings.Contains(got, "disagree about the likeliest") {
		t.Errorf("of 0.9 %% of the rows it is told that votes and probabilities disagree:\n%s", got)
	}
	if got := spoken(plain, tuned, of(func(r *eval.Report) { r.Groups, r.EffectiveGroups = 5, 5 })); strings.Contains(got, "the ranges say little") {
		t.Errorf("of 5 groups ranges say little:\n%s", got)
	}
}

// Only optimistic weights that keep what tuned ones break may cost more than these: then that is said.
func TestDearer(t *testing.T) {
	kept, broken := [][]float64{{16, 4}, {24, 156}}, [][]float64{{8, 12}, {2, 178}}
	for _, tc := range []struct {
		tuned, optimistic [][]float64
		want              string
	}{{broken, kept, ", as that keeps what you require, and tuned does not"}, {broken, broken, ""}, {kept, kept, ""}} {
		var got string
		spoken(broken, tc.tuned, func(v *verdict) {
			v.floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.75}}
			v.report.Rules.Optimistic = ruleOf(v.classes, tc.optimistic, 0.35)
			got = v.dearer()
		})
		if got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// What stands beside the words, as large figures, is not said again, and the words are few: what a reader may do about alarms, and of several
// classes what is traded, is among the details.
func TestVerdictBesideFigures(t *testing.T) {
	classes, wary := []string{"ill", "hurt", "well"}, pragma.Preference{Theta: 10, X: 0.6, Y: 0.9}
	for matter := 1; matter <= 2; matter++ {
		prefs := append(slices.Repeat([]pragma.Preference{wary}, matter), slices.Repeat([]pragma.Preference{pragma.Neutral()}, 3-matter)...)
		report := &eval.Report{Agreement: 1, Votes: &vote.Table{Classes: classes, Truth: []int{0, 2}, Counts: []uint32{1, 0, 0, 0, 0, 1}}}
		report.Rules.Plain = ruleOf(classes, [][]float64{{8, 0, 12}, {0, 8, 12}, {2, 2, 176}}, 0.4)
		report.Rules.Tuned = ruleOf(classes, [][]float64{{16, 0, 4}, {0, 16, 4}, {24, 24, 132}}, 0.3)
		for _, class := range report.Rules.Tuned.Classes {
			class.PrecisionInterval[1] = 0.5
		}
		v := verdict{classes: classes, matter: pragma.PriorityClasses(prefs), prefs: prefs, measure: "pragma", floors: []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.75}}, rows: newRows, report: report, weights: vote.Weights{1, 1, 1}, beside: true}
		words, details := strings.Join(v.words(), "\n"), strings.Join(v.details(), "\n")
		for _, tc := range []struct {
			text           string
			words, details bool
		}{
			{"that is recall", false, false},
			{`alarms for "ill", by the plain vote`, true, false},
			{"You require ill:recall>=0.75", true, false},
			{"the loss (pragma) falls", true, false},
			{`tuning finds 8 more of "ill"`, matter == 1, matter == 2},
			{"x is no floor", true, false},
			{"For fewer alarms", false, true},
		} {
			if strings.Contains(words, tc.text) != tc.words || strings.Contains(details, tc.text) != tc.details {
				t.Errorf("%d classes matter: %q is to be in the words: %v, in the details: %v; the words are\n%s\nthe details\n%s", matter, tc.text, tc.words, tc.details, words, details)
			}
		}
	}
}

// Of many classes that matter, and where all matter alike, the mean is told.
func TestVerdictOfMany(t *testing.T) {
	classes, matrix := []string{"a", "b", "c", "d", "e"}, make([][]float64, 5)
	for c := range matrix {
		matrix[c] = []float64{1, 1, 1, 1, 1}
	}
	report := &eval.Report{Agreement: 1}
	report.Rules.Plain, report.Rules.Tuned = ruleOf(classes, matrix, 0.4), ruleOf(classes, matrix, 0.3)
	for _, tc := range []struct {
		most int // so many classes matter most
		want string
	}{
		{5, "On new rows 20.0 % of all rows are decided rightly, by the plain vote 20.0 %."},
		{4, "On new rows 50.0 % of the rows of the 4 classes that matter most are found, by the plain vote 50.0 %. Their mean precision, weighted by their rows, is 25.0 %, by the plain vote 25.0 %."},
		{3, `Of 5 rows of "a" 1 is found (0–100 of 100 on new rows), by the plain vote 1: that is recall.`},
		{3, `Of 5 rows of "c" 1 is found (0–100 of 100 on new rows), by the plain vote 1.`},
	} {
		prefs := slices.Repeat([]pragma.Preference{pragma.Neutral()}, 5)
		for c := range tc.most {
			prefs[c] = pragma.Priority()
		}
		v := verdict{classes: classes, matter: pragma.PriorityClasses(prefs), prefs: prefs, measure: "pragma", rows: newRows, report: report}
		if got := strings.Join(v.words(), "\n"); !strings.Contains(got, tc.want) {
			t.Errorf("%d classes matter most: no %q in\n%s", tc.most, tc.want, got)
		}
	}
}

// Alarms are whole ones, however few.
func TestInTenThousand(t *testing.T) {
	for share, want := range map[float64]string{0: "0", 0.00004: "<1", 0.00041: "4", 0.00096: "10", 0.1931: "1931"} {
		if got := english.InTenThousand(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
}

// Few rows are told as rows, but not where their weight alone is small; and what is near to none or all does not look like it.
func TestShareWords(t *testing.T) {
	class := func(recall, support, rows float64) eval.Class {
		all := [2]float64{0.2, 1}
		return eval.Class{Recall: &recall, RecallInterval: &all, Precision: &recall, PrecisionInterval: &all, Support: support, Predicted: support, Rows: rows}
	}
	for _, tc := range []struct {
		class eval.Class
		want  []string
	}{
		{class(0.5, 2, 2), []string{
			`Of 2 rows of "ill" 1 is found (20–100 of 100 on other rows), by the plain vote 1: that is recall.`,
			`Of 2 alarms for "ill" 1 is right (20–100 of 100 on other rows), at random 25 of 100, by the plain vote 1 of 2: that is precision.`}},
		{class(0, 12, 12), []string{
			`On these rows 0 of 100 rows of "ill" are found (20–100), by the plain vote 0: that is recall.`,
			`Of 12 alarms for "ill" none is right (20–100 of 100 on other rows), at random 25 of 100, by the plain vote none of 12: that is precision.`}},
		{class(0.5, 2, 2000), []string{
			`On these rows 50 of 100 rows of "ill" are found (20–100), by the plain vote 1 of 2: that is recall.`,
			`Of 100 alarms for "ill" 50 are right (20–100), at random 25, by the plain vote 1 of 2: that is precision.`}},
		{class(0.9996, 2500, 2500), []string{
			`On these rows 99.96 of 100 rows of "ill" are found (20.00–100), by the plain vote 99.96: that is recall.`,
			`Of 100 alarms for "ill" 99.96 are right (20.00–100), at random 25, by the plain vote 99.96: that is precision.`}},
		{class(0.01, 2500, 2500), []string{
			`On these rows 1.0 of 100 rows of "ill" are found (20.0–100), by the plain vote 1: that is recall.`,
			`Of 100 alarms for "ill" 1.0 are right (20.0–100), at random 25, by the plain vote 1: that is precision.`}},
	} {
		all := eval.Rule{Classes: map[string]eval.Class{"ill": tc.class, "well": {Support: 3 * tc.class.Support}}}
		v := &verdict{classes: []string{"ill", "well"}, rows: "these rows", report: &eval.Report{Rules: eval.Rules{Plain: all, Tuned: all}}}
		if got := v.shareWords(0); !slices.Equal(got, tc.want) {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// A figure does not look like the limit that it misses.
func TestBeside(t *testing.T) {
	for _, tc := range []struct {
		share, limit float64
		want         string
	}{{0.14949, 0.15, "14.9 %"}, {0.14996, 0.15, "14.996 %"}, {0.15, 0.15, "15 %"}, {0.8, 0.75, "80 %"}, {0.2154, 0.2, "21.5 %"}, {1, 0.9, "100 %"}} {
		if got := beside(tc.share, tc.limit, 1); got != tc.want {
			t.Errorf("%v beside %v is %s, want %s", tc.share, tc.limit, got, tc.want)
		}
	}
}

// The outcomes that a preference declares equal, worked by hand.
func TestShowPreferences(t *testing.T) {
	classes := []string{"ill", "well"}
	for _, tc := range []struct {
		spec, measure, want string
	}{
		{"ill:theta=10,x=0.2,y=0.6", "pragma", "| ill | 10 | 100 % at 20 % | 80 % at 60 % | 60 % at 100 % | 2 of precision |"},
		{"*:theta=1,x=0.5,y=0.5", "pragma", "| ill, well | 1 | 100 % at 50 % | 75 % at 75 % | 50 % at 100 % | 1 of precision |"},
		{"ill", "pragma:s=-1", "| ill | 10 | 100 % at 10 % | 90 % at 100 % |"},
		{"ill", "f1", "PRAGMA is told beside it; by this preference these outcomes"},
	} {
		spec, err := pragma.ParseSpec(tc.spec)
		if err != nil {
			t.Fatal(err)
		}
		prefs, err := spec.Resolve(classes)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		to := &page{w: &out, markdown: true}
		showPreferences(to, classes, prefs, tc.measure)
		if got := out.String(); !strings.Contains(got, tc.want) {
			t.Errorf("%s for %s: no %q in\n%s", tc.spec, tc.measure, tc.want, got)
		}
	}
}

// Many classes are listed in one way. What matters most comes first, and those of which nothing special is wanted are the others.
func TestManyClasses(t *testing.T) {
	letters := strings.Split("abcdefgh", "")
	if got := few(letters); got != "a, b, c, d, e, f and 2 more" {
		t.Errorf("few of eight: %s", got)
	}
	if got := few(letters[:7]); got != "a, b, c, d, e, f, g" {
		t.Errorf("few of seven: %s", got)
	}
	for _, tc := range []struct {
		letters, spec string
		want          []string
	}{
		{"abcdefgh", "b", []string{"b", "a, c, d, e, f, g, h"}},
		{"abcdefgh", "a;b;c;d", []string{"a, b, c, d", "e, f, g, h"}},
		{"abcdefgh", "b:theta=2,x=0.1,y=0.9;c", []string{"c", "b", "a, d, e, f, g, h"}},
		{"abcdefghijkl", "b", []string{"b", "the other 11 classes"}},
		{"abcdefghijkl", "b:theta=0,x=0,y=0", []string{"a|c|d|and 8 more", "b"}}, // the last are not the others
		{"abcdefghijkl", "*:theta=1,x=0.5,y=0.5", []string{"all 12 classes"}},
		{"abcdefghijkl", "a;b;c;d;e;f;g;h;i", []string{"a|b|c|and 6 more", "j, k, l"}}, // most matter most
	} {
		letters := strings.Split(tc.letters, "")
		parsed, err := pragma.ParseSpec(tc.spec)
		if err != nil {
			t.Fatal(err)
		}
		prefs, err := parsed.Resolve(letters)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range distinct(letters, prefs) {
			got = append(got, strings.Join(w.called(), "|"))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.spec, got, tc.want)
		}
	}
}

// What a vote is worth, of few classes each, of many the ends.
func TestWorthWords(t *testing.T) {
	for _, tc := range []struct {
		weights vote.Weights
		want    string
	}{
		{vote.Weights{1, 2, 1}, `a vote counts 1 for "a", 2 for "b", 1 for "c"`},
		{vote.Weights{1, 2, 1, 0.5, 1}, `a vote counts most for "b" (2) and least for "d" (0.5)`},
		{vote.Weights{3, 3, 3}, `the votes for all classes count the same, as in the plain vote`},
	} {
		if got := worthWords([]string{"a", "b", "c", "d", "e"}[:len(tc.weights)], tc.weights); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.weights, got, tc.want)
		}
	}
}

// Where some trainings do not reach what is required, it is said in how many, as train may not either.
func TestRefusedWords(t *testing.T) {
	want := "But in 1 of 3 trainings here no weights reach all that you require on the votes they are searched on: train then makes no model (exit code 7), unless you add --accept-best."
	floors := &eval.TrainingWarning{Warning: fmt.Errorf("%w: recall", anneal.ErrFloors), Times: 1, Of: 3}
	if got := refusedWords([]error{&eval.TrainingWarning{Warning: errors.New("few rows"), Times: 3, Of: 3}, floors}); !slices.Equal(got, []string{want}) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := refusedWords([]error{errors.New("few rows")}); got != nil {
		t.Errorf("%q where all is reached", got)
	}
}
