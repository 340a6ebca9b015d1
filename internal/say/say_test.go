package say

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/pragma"
)

// Each code has a sentence, and an explanation of what it means and what to do; and there is none of a code that is
// not.
func TestEveryCode(t *testing.T) {
	for _, code := range finding.Codes() {
		means, do := Explain(code)
		if sentences[code].say == nil || !strings.HasSuffix(means, ".") || !strings.HasSuffix(do, ".") {
			t.Errorf("%s: %q, %q", code, means, do)
		}
	}
	if len(sentences) != len(finding.Codes()) {
		t.Errorf("%d sentences of %d codes", len(sentences), len(finding.Codes()))
	}
	if got := (Voice{}).Short(&finding.Finding{Code: "of.later"}); got != "" {
		t.Errorf("of an unknown code: %q", got)
	}
}

func figure(name string, value float64) finding.Figure {
	return finding.Figure{Name: name, Value: value}
}

// The sentences about one result.
func TestShort(t *testing.T) {
	gain := func(code finding.Code, tuned, plain float64) finding.Finding {
		return finding.New(code, finding.Where{Rows: codes.NewRows}, figure("loss", tuned), figure("baseline_loss", plain), figure("loss_difference_standard_error", 0.02))
	}
	few := finding.New(codes.GainUnmeasured, finding.Where{Rows: codes.GivenRows}, figure("loss", 0.3), figure("baseline_loss", 0.4), figure("groups", 9), figure("effective_groups", 4.2))
	prior := finding.New(codes.BaselineWorse, finding.Where{}, figure("loss", 0.3), figure("baseline_loss", 0.33), figure("loss_difference", 0.03), figure("loss_difference_standard_error", 0.02))
	prior.Remedies = []finding.Remedy{{Do: codes.TakeWeights, Name: "prior"}}
	constant := finding.New(codes.ConstantBetter, finding.Where{Rows: codes.AllBlocks, Blocks: 2}, figure("constant_cost", 12), figure("cost", 40))
	constant.Classes = []string{"well"}
	two, cost := Voice{Classes: []string{"ill", "well"}, First: "ill"}, Voice{Measure: "cost", Classes: []string{"ill", "well"}, First: "ill", Costs: "the costs given here"}
	for _, tc := range []struct {
		voice Voice
		of    finding.Finding
		want  string
	}{
		{two, gain(codes.GainProved, 0.3, 0.4), "By the preference new rows are decided better than by the plain vote: the loss (pragma) falls from 0.4000 to 0.3000 (by 0.1000; two standard errors are 0.04)."},
		{two, gain(codes.GainNone, 0.3, 0.3), "By the preference tuning changes nothing on new rows: the loss (pragma) stays at 0.3000."},
		{two, gain(codes.GainNegative, 0.4, 0.3), "By the preference tuning does worse than the plain vote on new rows: the loss (pragma) goes from 0.3000 to 0.4000 (by 0.1000; two standard errors are 0.04)."},
		{two, gain(codes.GainInconclusive, 0.31, 0.3), "By the preference tuning does worse than the plain vote on new rows, but not beyond noise: the loss (pragma) goes from 0.3000 to 0.3100 (by 0.0100; two standard errors are 0.04)."},
		{Voice{Measure: "mcc", Fixed: true}, few, "By the measure you chose the loss (mcc) goes from 0.4000 to 0.3000 on these rows: 9 groups that tell as much as 4.2 of equal size are too few to say how sure that is."},
		{two, prior, "Weights by one over the share of each class (prior), which need no tuning, do worse than the tuned ones, but not beyond noise: the loss is 0.3300, not 0.3000 (two standard errors of the difference are 0.04)."},
		{cost, constant, `On rows of the 2 blocks together, by the costs given here, it costs less to decide none as "ill", 12, than to use the model, 40.`},
	} {
		if got := tc.voice.Short(&tc.of); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.of.Code, got, tc.want)
		}
	}
}

// The sentences about classes, probabilities, costs and promises.
func TestShortOfClasses(t *testing.T) {
	of := func(code finding.Code, figures ...finding.Figure) finding.Finding {
		f := finding.New(code, finding.Where{Rows: codes.GivenRows}, figures...)
		f.Classes = []string{"ill"}
		return f
	}
	ranged := func(name string, value, low, high float64, unit string) finding.Figure {
		return finding.Figure{Name: name, Class: "ill", Value: value, Unit: unit, Interval: &[2]float64{low, high}}
	}
	for _, tc := range []struct {
		of   finding.Finding
		want string
	}{
		{of(codes.FoldsUnstable, figure("recall", 0.5), figure("recall", 0.021), figure("recall", 0.4)), `The folds disagree: on the same votes their weights find from 2.1 to 50 of 100 rows of "ill", so these figures are those of no single model.`},
		{of(codes.AlarmsFlood, figure("alerts", 0.4), figure("precision", 0.2)), "40 of 100 rows are alarms, and most of them wrong."},
		{of(codes.PrecisionBelow, ranged("precision", 0.2, 0.1, 0.3, codes.Share), figure("x", 0.25)), "Fewer alarms are right than your x, 25 of 100, though the range reaches that: x is no floor, it says what finding all would be worth to you."},
		{of(codes.RecallBelow, ranged("recall", 0.2, 0.1, 0.3, codes.Share), figure("y", 0.5)), "Fewer are found than your y, 50 of 100: y is no floor, it says what alarms that are never wrong would be worth to you."},
		{of(codes.CalibrationOff, ranged("probability", 0.13, 0.1, 0.2, codes.Share), figure("next_below", 0.1), figure("rows", 443), figure("expected", 57), figure("came", 35)), `The probabilities of "ill" are too high at 10–20 % (443 rows: 57 expected, 35 came).`},
		{of(codes.CalibrationUninformed, figure("share", 0.057), figure("log_loss", 0.224), figure("log_loss_of_share", 0.2187)), `The probabilities of "ill" are no better than giving every row 5.7 %: log loss 0.2240 beside 0.2187.`},
		{of(codes.CostFewRows, figure("rows", 2), figure("part", 1)), "All of the cost is due to 2 rows: on other rows it may be quite different."},
		{of(codes.CostHangs, figure("amount", 100), figure("amount", 30), figure("left", -0.1)), "Without 2 rows (amount 100, 30) it would be the other way round."},
		{of(codes.CostHangs, figure("amount", 100), figure("left", 0.25)), "Most of the difference, 75.0 %, is due to 1 row (amount 100)."},
		{of(codes.PromiseBroken, ranged("recall_expected", 0.3, 0.2, 0.4, codes.Share), ranged("recall_found", 0.1, 0.05, 0.15, codes.Share)), `Recall of "ill" was expected to be 30 % (20–40), and is 10 % (5–15) on these rows: worse by more than chance.`},
		{of(codes.PromiseUnsure, ranged("loss_expected", 0.3, 0.2, 0.4, codes.Loss), ranged("loss_found", 0.45, 0.35, 0.55, codes.Loss)), `Loss of "ill" was expected to be 0.3000 (0.2000–0.4000), and is 0.4500 (0.3500–0.5500) on these rows: worse, but so few rows do not prove it.`},
		{of(codes.PromiseKept, ranged("recall_expected", 0.3, 0.2, 0.4, codes.Share), ranged("recall_found", 0.3, 0.2, 0.4, codes.Share)), `What was expected came true: recall of "ill".`},
	} {
		if got := (Voice{}).Short(&tc.of); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.of.Code, got, tc.want)
		}
	}
	weighed := of(codes.CalibrationOff, ranged("probability", 0.13, 0.1, 0.2, codes.Share), figure("rows", 4.5), figure("expected", 2), figure("came", 3))
	if got := (Voice{Weighed: true}).Short(&weighed); got != `The probabilities of "ill" are too low at 10–20 % (rows of weight 4.5: 2 expected, 3 came).` {
		t.Error(got)
	}
}

// What is required is said as it was written; block by block, and of few groups, it is said what that hides.
func TestConstraint(t *testing.T) {
	v := Voice{Classes: []string{"ill", "well"}, Floors: []pragma.Floor{{What: pragma.Alerts, Limit: 0.01, Typed: "100/10000"}}}
	recall := finding.Figure{Name: "recall", Class: "ill", Value: 0.8, Unit: codes.Share, Interval: &[2]float64{0.58, 0.92}}
	limit := func(at float64) finding.Figure { return finding.Figure{Name: "limit", Class: "ill", Value: at} }
	for _, tc := range []struct {
		of   finding.Finding
		want string
	}{
		{finding.New(codes.ConstraintUnsure, finding.Where{}, recall, limit(0.7)), "You require ill:recall>=0.7: on new rows it is 80 % (58–92), which is kept, but not surely: the range reaches below it."},
		{finding.New(codes.ConstraintKept, finding.Where{}, recall, limit(0.5), figure("groups", 9), figure("effective_groups", 9)), "You require ill:recall>=0.5: on new rows it is 80 % (58–92), which is kept, as far as 9 groups can tell."},
		{finding.New(codes.ConstraintBroken, finding.Where{Rows: codes.LatestBlock, Blocks: 3}, finding.Figure{Name: "alerts", Class: "ill", Value: 0.0123}, limit(0.01), figure("blocks_broken", 1)), "You require ill:alerts<=100/10000: on rows of the latest block it is 123/10000, which is not kept; of all 3 blocks 1 breaks it."},
	} {
		if got := v.Short(&tc.of); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.of.Code, got, tc.want)
		}
	}
}
