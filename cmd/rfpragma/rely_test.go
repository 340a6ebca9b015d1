package main

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
)

// A new map is advised where it can help: not of few rows of the class, nor where the map is of these rows, or the model judged for another prevalence.
func TestMending(t *testing.T) {
	high := calib.Bin{Low: 0.17, High: 0.93, Count: 125, Rows: 125, Mean: 0.2325, Share: 0.072}
	for _, tc := range []struct {
		name   string
		rows   float64
		remaps bool
		want   string
	}{
		{"may help", 300, true, "judge it on later rows."},
		{"29 ill", 290, true, "Do not take them at their word."},
		{"cannot help", 300, false, "Do not take them at their word."},
	} {
		r := &eval.Report{Probabilities: map[string]eval.Judged{"ill": {Calibrated: &eval.Judgement{
			Figures: calib.Report{Rows: tc.rows, Share: 0.1, Brier: calib.CORP{Score: 0.051, MCB: 0.0012}, Slope: calib.Estimate{Value: 0.58, SE: 0.06}}, Bins: []calib.Bin{high},
		}}}}
		v := &verdict{classes: []string{"ill", "well"}, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, report: r, remaps: tc.remaps}
		if got := strings.Join(v.miscalibrated(), "\n"); !strings.HasSuffix(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// What to do about it before there is a model is another matter.
func TestMiscalibratedOnNewRows(t *testing.T) {
	high := calib.Bin{Low: 0.17, High: 0.93, Count: 125, Rows: 125, Mean: 0.2325, Share: 0.072}
	r := &eval.Report{Probabilities: map[string]eval.Judged{"ill": {Calibrated: &eval.Judgement{
		Figures: calib.Report{Rows: 600, Share: 0.1, Brier: calib.CORP{Score: 0.051, MCB: 0.0012}, Slope: calib.Estimate{Value: 0.58, SE: 0.06}}, Bins: []calib.Bin{high},
	}}}}
	v := &verdict{classes: []string{"ill", "well"}, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, report: r, rows: newRows}
	if got := strings.Join(v.miscalibrated(), "\n"); got != `The probabilities of "ill" are too high at 17–93 % (125 rows: 29 expected, 9 came). Do not take them at their word; another map (--calibrate) may do better.` {
		t.Error(got)
	}
}

// A share of 5.7 % given to every row has a Brier score of 0.057·0.943 = 0.0538.
func TestUninformed(t *testing.T) {
	for _, tc := range []struct {
		name           string
		share          float64
		brier, logLoss float64
		want           string
	}{
		{"by both", 0.057, 0.055, 0.224, `The probabilities of "ill" are no better than giving every row 5.7 %: Brier score 0.0550 beside 0.0538, log loss 0.2240 beside 0.2187.`},
		{"by one", 0.057, 0.05, 0.224, `The probabilities of "ill" are no better than giving every row 5.7 %: log loss 0.2240 beside 0.2187.`},
		{"better", 0.057, 0.05, 0.2, ""},
		{"none of the class", 0, 0, 0, ""},
		{"all of the class", 1, 0, 0, ""},
	} {
		r := &eval.Report{Probabilities: map[string]eval.Judged{"ill": {Calibrated: &eval.Judgement{Figures: calib.Report{
			Share: tc.share, Brier: calib.CORP{Score: tc.brier, UNC: 0.0538}, LogLoss: calib.CORP{Score: tc.logLoss, UNC: 0.2187},
		}}}}}
		v := &verdict{classes: []string{"ill", "well"}, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, report: r}
		if got := strings.Join(v.uninformed(), "\n"); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// By hand: of 200 rows 60 have 20 votes of 100 and more for "ill", 20 of each class but these 20 have 25; under the weights of one fold 20 votes are enough, of another
// 30. So 40 rows are alarms, or 10: 2000 and 500 of 10,000.
func TestUnranged(t *testing.T) {
	fold := func(ill float64) eval.FoldWeights {
		return eval.FoldWeights{Weights: map[string]float64{"ill": ill, "well": 1}}
	}
	said := `The ranges leave out the luck of folds and trees: by the weights of one fold or another 10,000 such rows raise 500 to 2000 alarms for "ill".`
	for _, tc := range []struct {
		name   string
		folds  []eval.FoldWeights
		redraw bool
		change func(*verdict)
		want   string
	}{
		{"apart", []eval.FoldWeights{fold(4.01), fold(2.35)}, false, nil, said},
		{"other folds", []eval.FoldWeights{fold(2.35), fold(4.01)}, true, nil, said + " --repeats 5 shows more of it."},
		{"alike", []eval.FoldWeights{fold(2.35), fold(2.35)}, true, nil, ""},
		{"next to alike", []eval.FoldWeights{fold(2.35), fold(2.25)}, true, nil, ""}, // 30 votes, or 31
		{"one", []eval.FoldWeights{fold(4.01)}, true, nil, ""},
		{"told already", []eval.FoldWeights{fold(4.01), fold(2.35)}, true, func(v *verdict) { v.discord = &discord{} }, ""},
		{"nothing matters", []eval.FoldWeights{fold(4.01), fold(2.35)}, true, func(v *verdict) { v.matter = nil }, ""},
	} {
		v := &verdict{classes: []string{"ill", "well"}, matter: []int{0}, report: &eval.Report{Votes: votesFor()}}
		if tc.change != nil {
			tc.change(v)
		}
		if got := strings.Join(v.unranged(tc.folds, tc.redraw), "\n"); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// Of a map that leaves less than half of the different probabilities it is told what that costs.
func TestTieWords(t *testing.T) {
	raw := calib.Report{Distinct: 166, AUC: 0.7498, AveragePrecision: 0.1383}
	of := func(distinct int) map[string]eval.Judged {
		return map[string]eval.Judged{"ill": {Raw: &eval.Judgement{Figures: raw}, Calibrated: &eval.Judgement{Figures: calib.Report{Distinct: distinct, AUC: 0.7487, AveragePrecision: 0.1383}}}}
	}
	const want = `The map gives rows of different votes the same probability of "ill": of 166 different probabilities 43 are left. The ROC area goes from 0.7498 to 0.7487, the area under precision and recall stays at 0.1383.`
	if got := tieWords([]string{"ill"}, of(43)); len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := tieWords([]string{"ill"}, of(84)); got != nil {
		t.Errorf("%q where half are left", got)
	}
}

// A loss that rises does so as it is written, and one that differs by an error of rounding alone is the same.
func TestLossWords(t *testing.T) {
	for _, tc := range []struct {
		plain, tuned float64
		want         string
	}{
		{0.01092, 0.01094, "the loss (pragma) rises from 0.01092 by the plain vote to 0.01094"},
		{0.4, 0.3, "the loss (pragma) falls from 0.4000 by the plain vote to 0.3000"},
		{0.1 + 0.2, 0.3, "the loss (pragma) is 0.3000, as by the plain vote"},
	} {
		if got := lossWords("pragma", tc.plain, tc.tuned); got != tc.want {
			t.Errorf("%s, want %s", got, tc.want)
		}
	}
}
