package report_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
)

func TestSays(t *testing.T) {
	r := made(t, input(t, []string{"well", "ill"}, 400))
	says := r.Classes[1].Charts.Says
	for _, tc := range []struct{ got, want string }{
		{says.Moves, `Tuning takes the recall of "ill" from`},
		{says.Moves, "Points on the same grey line are equally good by the preference."},
		{says.Votes, `Half of the rows of "ill" have at least`},
		{says.Votes, "of 30 votes. 99 of 100 rows of other classes have fewer than"},
		{says.Sweep, "A higher weight finds more of \"ill\", and raises more false alarms."},
		{says.Reliability, `lies on the dashed line. The probabilities of "ill" are too low at `},
		{says.Reliability, ` came). Of all rows 25 % are "ill"; the mean probability is `},
		{says.Curve, "right ones lie on the dashed line. The Brier score is"},
		{says.ROC, `Of a row of "ill" and one of another class`},
		{says.PR, "rows ranked by chance would have"},
		{says.PR, "Points on the same grey line are equally good by the preference."},
		{says.Benefit, `rows of "ill" found per 100 rows, less a price for each false alarm. The price rises to the right: 1/9 of a row found where you decide from a probability of 10 % on, a whole one from 50 % on. The tuned rule decides for it from about `},
		{says.Benefit, ` To see it in money run rfpragma cv with --cost ill=… --cost well=….`},
	} {
		if !strings.Contains(tc.got, tc.want) {
			t.Errorf("%q does not say %q", tc.got, tc.want)
		}
	}
}

// The weights of a page in the order of time are those of the latest block, which the bars of the folds are drawn
// at, too; where all folds have found 1 there is nothing to be drawn.
func TestSaysOfFolds(t *testing.T) {
	in := input(t, []string{"well", "ill"}, 400)
	in.Eval.WeightsByFold = []eval.FoldWeights{{Repeat: 1, Fold: 1, Weights: map[string]float64{"well": 1, "ill": 2}}}
	for _, tc := range []struct {
		blocks []eval.Block
		want   string
	}{{nil, "the middle of the weights that the folds have found"}, {make([]eval.Block, 3),
		"the weight of the latest block"}} {
		in.Eval.Blocks = tc.blocks
		r := made(t, in)
		if html := page(t, r); !strings.Contains(html, `id="chart-folds"`) || !strings.Contains(html, "the bar "+tc.want+
			".") {
			t.Errorf("no bar at %s in the chart of the folds", tc.want)
		}
	}
	in.Eval.WeightsByFold[0].Weights["ill"] = 1
	if html := page(t, made(t, in)); strings.Contains(html, `id="chart-folds"`) {
		t.Error("weights of 1 are drawn")
	}
}

// What the chart says of groups that are off is what is said of them elsewhere.
func TestSaysOfGroups(t *testing.T) {
	in := input(t, []string{"well", "ill"}, 400)
	right := calib.Bin{Low: 0, High: 0.1, Count: 300, Rows: 300, Mean: 0.05, Share: 0.05}
	large := calib.Bin{Low: 0.2, High: 0.3, Count: 80, Rows: 80, Mean: 0.25, Share: 0.5}
	for _, tc := range []struct {
		bins []calib.Bin
		want string
	}{
		{[]calib.Bin{right, large}, `Where that is right the dot lies on the dashed line. The probabilities of "ill" are too low at 20–30 % (20 expected, 40 came). Of all rows`},
		{[]calib.Bin{large}, `The probabilities of "ill" are too low at 20–30 %`},
		{[]calib.Bin{right, right}, "Apart from chance, all groups lie on it. Of all rows"},
		{[]calib.Bin{right}, "All rows have nearly the same probability. Of all rows"},
	} {
		judged := in.Eval.Probabilities["ill"]
		judged.Calibrated.Bins, judged.Calibrated.Quantiles = tc.bins, nil
		judged.Calibrated.Figures.Slope, judged.Calibrated.Figures.Intercept = calib.Estimate{}, calib.Estimate{}
		judged.Calibrated.Figures.Slope.Value = 1
		in.Eval.Probabilities["ill"] = judged
		if says := made(t, in).Classes[1].Charts.Says.Reliability; !strings.Contains(says, tc.want) {
			t.Errorf("%q does not say %q", says, tc.want)
		}
	}
}

// The weights that were as good in training may have no end, and precision need not be.
func TestSaysOfEnds(t *testing.T) {
	in := input(t, []string{"well", "ill"}, 400)
	for _, tc := range []struct {
		trained [2]float64
		want    string
	}{
		{[2]float64{0, math.Inf(1)}, " Shaded weights did as well in training."},
		{[2]float64{0, 2}, " Shaded weights did as well in training."},
		{[2]float64{1.4999, 1.5001}, "false alarms."},
		{[2]float64{1, 2}, " Shaded weights did as well in training."},
		{[2]float64{1.5, 1.51}, "false alarms."},
	} {
		in.Trained = [][2]float64{tc.trained, tc.trained}
		if says := made(t, in).Classes[1].Charts.Says.Sweep; !strings.HasSuffix(says, tc.want) {
			t.Errorf("%q does not say %q", says, tc.want)
		}
	}
	half, same := 0.5, in.Eval.Rules.Tuned.Classes["ill"]
	same.Recall, same.Precision = &half, nil
	in.Eval.Rules.Plain.Classes["ill"], in.Eval.Rules.Tuned.Classes["ill"] = same, same
	want := `Tuning leaves the recall of "ill" at 50 % and its precision at n/a. Precision is n/a where no row is decided as it.`
	if says := made(t, in).Classes[1].Charts.Says.Moves; !strings.HasPrefix(says, want) {
		t.Errorf("%q does not begin with %q", says, want)
	}
}

// Beside the precision of a handful of rows, which says next to nothing, no other is set.
func TestMovesOfAHandful(t *testing.T) {
	for rows, want := range map[float64]string{
		1:  `; its precision is 67 %. The plain vote decides 1 row as "ill", too few to compare.`,
		9:  `; its precision is 67 %. The plain vote decides 9 rows as "ill", too few to compare.`,
		10: "its precision from 100 % to 67 %.",
	} {
		in := input(t, []string{"well", "ill"}, 400)
		plain, tuned := in.Eval.Rules.Plain.Classes["ill"], in.Eval.Rules.Tuned.Classes["ill"]
		all, two3 := 1.0, 2.0/3
		plain.Precision, plain.Predicted, tuned.Precision = &all, rows, &two3
		in.Eval.Rules.Plain.Classes["ill"], in.Eval.Rules.Tuned.Classes["ill"] = plain, tuned
		if moves := made(t, in).Classes[1].Charts.Says.Moves; !strings.Contains(moves, want) {
			t.Errorf("%q does not say %q", moves, want)
		}
	}
}

// What a chart draws is told where it is drawn: arrows from hollow dots, dashed ones of few rows, and hollow dots
// without an arrow.
func TestMovesTellWhatIsDrawn(t *testing.T) {
	const arrows, dashed, alone = "Arrows lead from the plain vote, a hollow dot, to the tuned rule.",
		"Dashed ones are of classes of fewer than 30 rows.",
		"A hollow dot without an arrow is a class of fewer than 30 rows that stays where it is."
	for _, tc := range []struct {
		well, ill   float64 // rows
		still, none bool    // whether ill stays where it is, and whether nothing is left to move
		want, not   []string
	}{
		{300, 100, false, false, []string{arrows}, []string{dashed, alone}},
		{300, 20, false, false, []string{arrows + " " + dashed}, []string{alone}},
		{300, 20, true, false, []string{arrows, alone}, []string{dashed}},
		{300, 100, true, true, nil, []string{arrows, dashed, alone}},
	} {
		in := input(t, []string{"well", "ill"}, 400)
		plain, tuned := in.Eval.Rules.Plain.Classes, in.Eval.Rules.Tuned.Classes
		for name, rows := range map[string]float64{"well": tc.well, "ill": tc.ill} {
			was, is := plain[name], tuned[name]
			if tc.none || tc.still && name == "ill" {
				is = was
			}
			was.Rows, is.Rows = rows, rows
			plain[name], tuned[name] = was, is
		}
		says := made(t, in).Classes[1].Charts.Says.Moves
		for _, want := range tc.want {
			if !strings.Contains(says, want) {
				t.Errorf("%+v: %q does not say %q", tc, says, want)
			}
		}
		for _, not := range tc.not {
			if strings.Contains(says, not) {
				t.Errorf("%+v: %q says %q", tc, says, not)
			}
		}
	}
}

// A name that a shell would not take as it is stands in no command, and costs of more than two classes are no line.
func TestMoneySays(t *testing.T) {
	const said = " To see it in money run rfpragma cv with "
	for _, tc := range []struct {
		classes []string
		want    string
	}{
		{[]string{"0", "fraud"}, said + "--cost fraud=… --cost 0=…."},
		{[]string{"0", "a fraud"}, said + "--cost CLASS=… for each class."},
		{[]string{"a", "b", "c"}, said + "--cost CLASS=… for each class."},
	} {
		classes := made(t, input(t, tc.classes, 400)).Classes
		if says := classes[len(classes)-1].Charts.Says.Benefit; !strings.HasSuffix(says, tc.want) {
			t.Errorf("%q does not end with %q", says, tc.want)
		}
	}
}

// What the map takes from the ROC area is told where it shows in the digits that are told.
func TestSaysOfTies(t *testing.T) {
	for before, want := range map[float64]bool{0.7474: false, 0.7574: true} {
		in := input(t, []string{"a", "b"}, 200)
		for name, judged := range in.Eval.Probabilities {
			raw := *judged.Calibrated
			raw.Figures.Distinct, raw.Figures.AUC = 178, before
			judged.Raw = &raw
			now := *judged.Calibrated
			now.Figures.Distinct, now.Figures.AUC = 43, 0.7472
			judged.Calibrated = &now
			in.Eval.Probabilities[name] = judged
		}
		r := made(t, in)
		if text := r.Classes[r.First].Charts.Says.ROC; strings.Contains(text,
			"The map gives many rows the same probability") != want {
			t.Errorf("from %v: %q", before, text)
		}
	}
}
