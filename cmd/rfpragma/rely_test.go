package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
)

// Of 600 rows 60 are ill: the groups are those of a slope below 1. By hand: 3 standard errors are told, and the group that is off by most of its own, 0.03/√(0.02·0.98/400) = 4.3 of the low ones and
// 0.1605/√(0.2325·0.7675/125) = 4.2 of the high ones, unless it has a handful of rows, or chance explains it, or it is the other way off. Of few rows it is told how many.
func TestMiscalibrated(t *testing.T) {
	low := calib.Bin{Low: 0, High: 0.1, Count: 400, Rows: 400, Mean: 0.02, Share: 0.05, ShareLow: 0.03, ShareHigh: 0.08}
	high := calib.Bin{Low: 0.17, High: 0.93, Count: 125, Rows: 125, Mean: 0.2325, Share: 0.072, ShareLow: 0.04, ShareHigh: 0.13}
	handful := calib.Bin{Count: 9, Rows: 9, Mean: 0.9, Share: 0, ShareHigh: 0.3}
	chance := calib.Bin{Count: 20, Rows: 20, Mean: 0.6, Share: 0.4, ShareLow: 0.2, ShareHigh: 0.62}
	slight := calib.Bin{Count: 1e6, Rows: 1e6, Mean: 0.2, Share: 0.195, ShareLow: 0.194, ShareHigh: 0.196}
	const gain = " At best another map lowers the Brier score of 0.0510 by 0.0012."
	const mend = gain + " A map fitted to recent labelled rows, such as these, may mend that: rfpragma calibrate MODEL ROWS -o NEW. No decision changes, nor how rows rank; judge it on later rows."
	unknown := calib.Estimate{Value: math.NaN(), SE: math.NaN()}
	for _, tc := range []struct {
		name             string
		slope, intercept calib.Estimate
		bins             []calib.Bin
		groups           float64
		want             string
	}{
		{"too sure", calib.Estimate{Value: 0.58, SE: 0.06}, calib.Estimate{Value: -0.06, SE: 0.09}, []calib.Bin{low, high, handful, chance, {}}, 0,
			`By more than chance the probabilities of "ill" are too sure, the low ones too low: of the 400 rows with probabilities of 0–10 % (mean 2 %), 5 % are "ill".` + mend},
		{"by the high ones", calib.Estimate{Value: 0.58, SE: 0.06}, calib.Estimate{Value: -0.06, SE: 0.09}, []calib.Bin{high, chance}, 0, `are too sure, the high ones too high: of the 125 rows with probabilities of 17–93 % (mean 23 %), 9 (7.2 %) are "ill".` + mend},
		{"not sure enough, which these are not", calib.Estimate{Value: 1.6, SE: 0.1}, calib.Estimate{Value: -0.06, SE: 0.09}, []calib.Bin{low, high}, 0, ""},
		{"not sure enough", calib.Estimate{Value: 1.6, SE: 0.1}, calib.Estimate{Value: -0.06, SE: 0.09}, []calib.Bin{{Low: 0.5, High: 0.5, Count: 90, Rows: 90, Mean: 0.5, Share: 0.8, ShareLow: 0.7, ShareHigh: 0.87}}, 0,
			`By more than chance the probabilities of "ill" are not sure enough, the high ones too low: of the 90 rows with a probability of 50 %, 80 % are "ill".`},
		{"too high", unknown, calib.Estimate{Value: -1, SE: 0.1}, []calib.Bin{low, high}, 0, `By more than chance the probabilities of "ill" are too high: of the 125 rows`},
		{"too high by all", unknown, calib.Estimate{Value: -1, SE: 0.1}, []calib.Bin{{Low: 0.3, High: 0.4, Count: 26, Rows: 26, Mean: 0.34, ShareHigh: 0.13}}, 0, `of the 26 rows with probabilities of 30–40 % (mean 34 %), none is "ill".`},
		{"one of few", unknown, calib.Estimate{Value: -1, SE: 0.1}, []calib.Bin{{Low: 0.3, High: 0.4, Count: 13, Rows: 13, Mean: 0.34, Share: 1. / 13, ShareHigh: 0.3}}, 0, `of the 13 rows with probabilities of 30–40 % (mean 34 %), 1 (7.7 %) is "ill".`},
		{"too low", calib.Estimate{Value: 0.9, SE: 0.1}, calib.Estimate{Value: 1, SE: 0.1}, []calib.Bin{low, high}, 0, `By more than chance the probabilities of "ill" are too low: of the 400 rows`},
		{"by chance", calib.Estimate{Value: 0.58, SE: 0.15}, calib.Estimate{Value: -0.2, SE: 0.09}, []calib.Bin{low, high}, 0, ""},
		{"of 60 groups", calib.Estimate{Value: 0.58, SE: 0.06}, calib.Estimate{Value: -0.06, SE: 0.09}, []calib.Bin{low, high}, 60, ""}, // 0.06·√10 = 0.19
		{"of as many groups", calib.Estimate{Value: 0.58, SE: 0.06}, calib.Estimate{Value: -0.06, SE: 0.09}, []calib.Bin{low, high}, 600, "of the 400 rows"},
		{"next to nothing", calib.Estimate{Value: 0.97, SE: 0.001}, calib.Estimate{Value: 0, SE: 0.001}, []calib.Bin{slight}, 0, ""},
		{"nothing known", unknown, unknown, []calib.Bin{low, high}, 0, ""},
	} {
		r := &eval.Report{EffectiveGroups: tc.groups, Probabilities: map[string]eval.Judged{"ill": {Calibrated: &eval.Judgement{
			Figures: calib.Report{Rows: 600, Share: 0.1, Brier: calib.CORP{Score: 0.051, MCB: 0.0012}, Slope: tc.slope, Intercept: tc.intercept}, Bins: tc.bins,
		}}}}
		v := &verdict{classes: []string{"ill", "well"}, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, report: r, remaps: true}
		got := strings.Join(v.miscalibrated(), "\n")
		if !strings.Contains(got, tc.want) || tc.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// Probabilities that are right as a whole may be off in a part of the rows. By hand: the errors of the first two groups are 0.05/√(0.10·0.90/400) = 3.3 (by the share found) and 0.05/√(0.15·0.85/400) = 2.8;
// two such pairs have 4 groups and squares of 38, and chance passes 16.3 as often as it makes 3 standard errors; one pair of 200 rows has 9.4, and chance passes 11.8.
func TestOffInPart(t *testing.T) {
	bin := func(mean, share, rows float64) calib.Bin {
		low, high := calib.Wilson(share*rows, rows, calib.Z95)
		return calib.Bin{Low: mean, High: mean, Count: rows, Rows: rows, Mean: mean, Share: share, ShareLow: low, ShareHigh: high}
	}
	low, high := bin(0.05, 0.10, 400), bin(0.15, 0.10, 400)
	for _, tc := range []struct {
		name   string
		bins   []calib.Bin
		groups float64
		want   string
	}{
		{"off", []calib.Bin{low, low, high, high}, 0, `By more than chance the probabilities of "ill" are too low in a part of the rows: of the 400 rows with a probability of 5 %, 10 % are "ill".`},
		{"too high", []calib.Bin{bin(0.15, 0.08, 400), bin(0.08, 0.081, 400)}, 0, "are too high in a part of the rows: of the 400 rows with a probability of 15 %, 8 % are"},
		{"by chance", []calib.Bin{bin(0.05, 0.10, 200), bin(0.15, 0.10, 200)}, 0, ""},
		{"of few rows that are ill", []calib.Bin{bin(0.001, 0.01, 400), bin(0.1, 0.1, 400)}, 0, ""}, // 4 and not 0.4
		{"of groups that are alike", []calib.Bin{low, low, high, high}, 160, ""},
		{"one group", []calib.Bin{low}, 0, ""},
		{"none", nil, 0, ""},
	} {
		r := &eval.Report{EffectiveGroups: tc.groups, Blocks: []eval.Block{{}}, Probabilities: map[string]eval.Judged{"ill": {Calibrated: &eval.Judgement{
			Figures: calib.Report{Rows: 1600, Share: 0.1, Slope: calib.Estimate{Value: 1, SE: 0.1}, Intercept: calib.Estimate{SE: 0.1}}, Quantiles: tc.bins,
		}}}}
		v := &verdict{classes: []string{"ill", "well"}, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, report: r}
		if got := strings.Join(v.miscalibrated(), "\n"); !strings.Contains(got, tc.want) || tc.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// A new map is advised where it can help: not of few rows of the class, nor where the map is of these rows, or the model judged for another prevalence.
func TestMending(t *testing.T) {
	high := calib.Bin{Count: 125, Rows: 125, Mean: 0.2325, Share: 0.072, ShareLow: 0.04, ShareHigh: 0.13}
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

// Who keeps the rows between the ends that are told has those that are counted, and none of the groups beside.
func TestProbabilitiesOf(t *testing.T) {
	grid := []calib.Bin{{Low: 0, High: 0.1}, {Low: 0.1, High: 0.2}, {Low: 0.2, High: 0.3}, {Low: 0.3, High: 0.4}}
	ranks := []calib.Bin{{Low: 0.000213, High: 0.0926175}, {Low: 0.0926176, High: 0.0926176}, {Low: 0.0931, High: 0.164992}, {Low: 0.164993, High: 0.9164, Mean: 0.19}}
	for _, tc := range []struct {
		table []calib.Bin
		at    int
		want  string
	}{
		{grid, 0, "probabilities of 0–10 % (mean 0 %)"},
		{grid, 2, "probabilities of 20–30 % (mean 0 %)"},
		{ranks, 0, "probabilities of 0.02130–9.26175 % (mean 0 %)"},
		{ranks, 1, "a probability of 9.26176 %"},
		{[]calib.Bin{{Low: 0, High: 0.000111}, {Low: 0.000434901, High: 0.000434901}, {Low: 0.000436, High: 0.1}}, 1, "a probability of 0.043 %"},
		{[]calib.Bin{{Low: 0, High: 0.000111}, {Low: 0.000434901, High: 0.000434901}, {Low: 0.000433, High: 0.1}}, 1, "a probability of 0.0435 %"},
		{ranks, 2, "probabilities of 9.3100–16.4992 % (mean 0 %)"},
		{ranks, 3, "probabilities of 16.4993–91.6400 % (mean 19 %)"},
		{[]calib.Bin{{Low: 0.02, High: 0.1611}, {Low: 0.164993, High: 0.9164, Mean: 0.19}}, 1, "probabilities of 16.4–91.7 % (mean 19 %)"},
	} {
		if got := probabilitiesOf(tc.table, tc.at); got != tc.want {
			t.Errorf("group %d of %v has %q, want %q", tc.at, tc.table, got, tc.want)
		}
	}
}

// Both ends of a range have as many decimals.
func TestProbabilitiesOfAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		ends := make([]float64, 6)
		for i := range ends {
			ends[i] = rng.Float64() * math.Pow10(-rng.IntN(4))
		}
		slices.Sort(ends)
		table := []calib.Bin{{Low: ends[0], High: ends[1]}, {Low: ends[2], High: ends[3]}, {Low: ends[4], High: ends[5]}}
		text := probabilitiesOf(table, rng.IntN(3))
		low, high, _ := strings.Cut(strings.TrimPrefix(text, "probabilities of "), "–")
		if decimalsOf(low) != decimalsOf(high) {
			t.Fatalf("%v: %s", ends, text)
		}
	}
}

// What to do about it before there is a model is another matter.
func TestMiscalibratedOnNewRows(t *testing.T) {
	high := calib.Bin{Count: 125, Rows: 125, Mean: 0.2325, Share: 0.072, ShareLow: 0.04, ShareHigh: 0.13}
	r := &eval.Report{Probabilities: map[string]eval.Judged{"ill": {Calibrated: &eval.Judgement{
		Figures: calib.Report{Rows: 600, Share: 0.1, Brier: calib.CORP{Score: 0.051, MCB: 0.0012}, Slope: calib.Estimate{Value: 0.58, SE: 0.06}}, Bins: []calib.Bin{high},
	}}}}
	v := &verdict{classes: []string{"ill", "well"}, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, report: r, rows: newRows}
	if got := strings.Join(v.miscalibrated(), "\n"); !strings.HasSuffix(got, ` 9 (7.2 %) are "ill". At best another map lowers the Brier score of 0.0510 by 0.0012. Do not take them at their word; another map (--calibrate) may do better.`) {
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
