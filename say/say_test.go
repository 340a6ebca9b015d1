package say

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
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
	if got := (Voice{}).Sentence(&finding.Finding{Code: "of.later"}); got != "" {
		t.Errorf("of an unknown code: %q", got)
	}
}

func figure(name string, value float64) finding.Figure {
	return finding.Figure{Name: name, Value: value, Class: "ill"}
}

// made is a finding of a class with these figures.
func made(code finding.Code, figures ...finding.Figure) finding.Finding {
	f := finding.New(code, finding.Where{Rows: codes.NewRows}, figures...)
	f.Classes, f.Columns = []string{"ill"}, []string{"month"}
	if strings.HasPrefix(string(code), "constraint.") || strings.HasPrefix(string(code), "guarantee.") {
		f.Columns = nil // of all rows
	}
	return f
}

// north is a finding about a group of the rows.
func north(f finding.Finding) finding.Finding {
	f.Columns, f.Part = []string{"region"}, "north"
	return f
}

// with gives a finding a remedy.
func with(f finding.Finding, r finding.Remedy) finding.Finding {
	f.Remedies = []finding.Remedy{r}
	return f
}

// The sentences about one result.
func TestShort(t *testing.T) {
	two := Voice{Classes: []string{"ill", "well"}, First: "ill"}
	cost, model := two, two
	cost.Measure, model.Fixed = "cost", true
	gain := func(code finding.Code, tuned, plain float64) finding.Finding {
		return made(code, figure("loss", tuned), figure("baseline_loss", plain), figure("loss_difference_standard_error",
			0.02))
	}
	ends := func(f finding.Figure, low, high float64) finding.Figure {
		f.Interval = &[2]float64{low, high}
		return f
	}
	prior := with(made(codes.BaselineWorse, figure("loss", 0.3), figure("baseline_loss", 0.33), figure("loss_difference",
		0.03),
		figure("loss_difference_standard_error", 0.02)), finding.Remedy{Do: codes.TakeWeights, Name: "prior"})
	unproven := made(codes.GainUnproven, figure("rows", 40))
	unproven.Where.Times, unproven.Where.Of = 3, 10
	constant := made(codes.ConstantBetter, figure("constant_cost", 12), figure("cost", 40))
	constant.Classes = []string{"well"}
	partly := cost
	partly.Partly = true
	for _, tc := range []struct {
		voice Voice
		of    finding.Finding
		want  string
	}{
		{two, gain(codes.GainProved, 0.3, 0.4),
			"Tuning beats the plain vote: the loss is 0.3000 instead of 0.4000 (two standard errors are 0.04)."},
		{model, gain(codes.GainNegative, 0.4, 0.3),
			"The model does worse than the plain vote: the loss is 0.4000 instead of 0.3000 (two standard errors are 0.04)."},
		{cost, gain(codes.GainInconclusive, 3, 4),
			"Tuning does not beat the plain vote beyond noise: the cost per 1,000 rows is 3000 instead of 4000 (two standard errors " +
				"are 40)."},
		{two, gain(codes.GainNone, 0.3, 0.3), "Tuning changes nothing: the loss stays 0.3000."},
		{two, made(codes.GainUnmeasured, figure("loss", 0.3), figure("baseline_loss", 0.4), figure("groups", 9),
			figure("effective_groups", 4.2)),
			"Beside the plain vote the loss is 0.3000 instead of 0.4000; 9 groups that tell as much as 4.2 of equal size are " +
				"too few to say how sure that is."},
		{two, unproven, `"ill" has too few rows (40) to prove the gain of a weight of its own in 3 of 10 trainings, so what you asked for is followed only in part.`},
		{two, gain(codes.RetuneBetter, 0.3, 0.4),
			"The new weights do better than those of the model: cross-validated on these rows the loss is 0.3000 instead of " +
				"0.4000 (two standard errors are 0.04)."},
		{two, prior, "Weights by one over the share of a class (prior) do worse, but not beyond noise, than the tuned " +
			"ones: the loss is 0.3300 instead of 0.3000 (two standard errors are 0.04)."},
		{cost, constant, `No model is better: to decide none as "ill" the cost of all rows is 12, with the model 40.`},
		{two, made(codes.ConstantWorse, figure("constant_loss", 0.5), figure("loss", 0.3)),
			`Without a model, all as "ill", the loss is 0.5000 instead of 0.3000.`},
		{two, made(codes.FoldsUnstable, figure("recall", 0.2), figure("recall", 0.6)),
			`The folds disagree: their weights find from 20 to 60 of 100 rows of "ill". No single model has these figures.`},
		{two, made(codes.FoldsSpread, figure("alerts", 0.047), figure("alerts", 0.067)),
			`Trainings differ: plan for 47 to 67 alarms for "ill" per 1,000 rows.`},
		{two, made(codes.AlarmsFlood, figure("alerts", 0.6)),
			`60 of 100 rows are alarms for "ill", and most of them are wrong.`},
		{two, made(codes.AlarmsUnused, figure("alerts", 0.2), figure("limit", 0.5)),
			`You allow 500 alarms for "ill" per 1,000 rows; 200 are raised.`},
		{two, made(codes.PrecisionBelow, figure("precision", 0.1), figure("x", 0.2)),
			`Fewer alarms for "ill" are right than your x of 20 %: x is no limit, it says what finding all is worth to you.`},
		{two, made(codes.RecallBelow, figure("recall", 0.1), figure("y", 0.2)),
			`Less of "ill" is found than your y of 20 %: y is no limit, it says what alarms that are never wrong are worth to you.`},
		{two, made(codes.ClassChance, ends(figure("precision", 0.125), 0.05, 0.26), figure("share", 0.1)),
			`"ill" is found no better than by chance: 12 % (5–26) of its alarms are right, at random 10 %.`},
		{partly, made(codes.ClassFewRows, figure("rows", 12)), `Only 12 rows of "ill" are decided: few to judge by.`},
		{partly, gain(codes.GainProved, 0.3, 0.4), "Tuning beats the plain vote: the cost per 1,000 decided rows is 300 " +
			"instead of 400 (two standard errors are 40)."},
		{two, made(codes.GuaranteeMissing, figure("rows", 268), finding.Figure{Name: "needed", Class: "ill", Value: 299}),
			`The rows are too few to be sure of all that you require: it takes at least 299 rows of "ill", and there are 268.`},
		{two, made(codes.ClassFewRows, figure("rows", 12)),
			`Class "ill" has only 12 rows: each moves its recall by 8 points.`},
		{two, made(codes.ClassNever), `No row is decided as "ill".`},
		{two, made(codes.ConstraintBroken, ends(figure("recall", 0.9), 0.85, 0.94), figure("limit", 0.95)),
			`You require at least 95 % of "ill" found; it is 90 % (85–94): not kept.`},
		{two, made(codes.ConstraintKept, figure("alerts", 0.0119), figure("limit", 0.012)),
			`You require at most 12 alarms for "ill" per 1,000 rows; it is 11.9: kept.`},
		{two, north(made(codes.ConstraintBroken, ends(figure("recall", 0.9), 0.85, 0.94), figure("limit", 0.95))),
			`You require at least 95 % of "ill" found where "region" is "north"; it is 90 % (85–94): not kept.`},
		{two, north(made(codes.ConstraintFewRows, figure("rows", 12))),
			`You require something where "region" is "north", and only 12 rows of "ill" tell of it: it may be kept by chance.`},
		{two, north(made(codes.ConstraintFewRows, finding.Figure{Name: "rows", Value: 1})),
			`You require something where "region" is "north", and only 1 row tells of it: it may be kept by chance.`},
		{two, made(codes.ConstraintUnreachable), "No weights reach all that you require."},
		{two, made(codes.GuaranteeKept, figure("recall", 0.88), figure("recall_limit", 0.8), figure("confidence", 0.95),
			finding.Figure{Name: "counted", Value: 120, Unit: codes.Rows}),
			`With 95 % confidence new rows keep what you require, at least 80 % of "ill" found: it is 88 % on 120 rows of "ill" kept apart.`},
		{two, made(codes.GuaranteeApproximate, figure("cost", 0.41), figure("cost_limit", 0.5), figure("confidence", 0.9),
			finding.Figure{Name: "counted", Value: 2000, Unit: codes.Groups}),
			`With about 90 % confidence new rows keep what you require, a cost of at most 0.5 for a row in the mean: it is 0.41 on 2000 groups, but ` +
				`on votes that weights are searched on.`},
		{two, made(codes.GuaranteeMissing, figure("precision_limit", 0.8), figure("confidence", 0.95),
			finding.Figure{Name: "counted", Unit: codes.Rows}, figure("tested", 200), figure("needed", 1234)),
			`Not sure with 95 % confidence: at least 80 % of the alarms for "ill" right; no row tells of it; it takes ` +
				`about 1200 rows to test on in place of 200 rows.`},
		{two, made(codes.ReviewZone, figure("reviewed", 0.0204), figure("recall_helped", 0.9)),
			`20.4 rows of 1,000 are close, and left to people; with them 90 % of "ill" is found, if they are right.`},
		{two, made(codes.ReviewZone, figure("reviewed", 0.02)), "20 rows of 1,000 are close, and left to people."},
		{two, made(codes.EstimateFigures, ends(figure("recall", 0.8), 0.7, 0.9), figure("alerts", 0.1),
			finding.Figure{Name: "cost", Value: 1.5, Unit: codes.Cost, Interval: &[2]float64{1, 2}}),
			`Without labels, by the probabilities: recall of "ill" 80 % (70–90) and the cost per 1,000 rows 1500 (1000–2000).`},
		{two, made(codes.EstimateFigures),
			"Without labels nothing can be said of the classes that matter: no row is likely to be of them."},
		{two, made(codes.EstimateShares, ends(figure("share", 0.2), 0.1, 0.3)),
			`The votes spread as where classes have other shares, "ill" 20 % (10–30); or rows are of other kinds. Labels of some rows would tell.`},
		{two, made(codes.EstimateVoid),
			`Without labels no figures can be told: "month" is not as in training, more than shares of the classes explain.`},
		{two, north(made(codes.EstimateGap, figure("recall", 0.6), figure("recall_others", 0.8))),
			`By the probabilities, of "ill" 60 % is found where "region" is "north", and 80 % elsewhere: more than chance.`},
		{two, finding.Finding{Code: codes.EstimateVoid}, "Without labels no figures can be told: the votes spread as no shares of " +
			"the classes explain, so the rows are of another kind."},
		{two, made(codes.EstimateKept, ends(figure("recall_expected", 0.8), 0.7, 0.9), figure("recall_found", 0.75)),
			`As estimated, labels say: recall of "ill" 75 %, estimated 80 % (70–90).`},
		{two, made(codes.EstimateMissed, ends(figure("recall_expected", 0.8), 0.7, 0.9), figure("recall_found", 0.5)),
			`Other than estimated, labels say: recall of "ill" 50 %, estimated 80 % (70–90).`},
		{two, finding.Finding{Code: codes.SliceGap, Columns: []string{"region"}, Part: "north", Figures: []finding.Figure{
			{Name: "recall", Class: "ill", Value: 0.5}, {Name: "recall_others", Value: 0.81}}},
			`Of "ill" 50 % is found where "region" is "north", and 81 % elsewhere: more than chance.`},
		{two, finding.Finding{Code: codes.SliceGap, Columns: []string{"region"}, Part: "north", Figures: []finding.Figure{
			{Name: "precision", Class: "ill", Value: 0.5}, {Name: "precision_others", Value: 0.81}}},
			`Of the alarms for "ill" 50 % are right where "region" is "north", and 81 % elsewhere: more than chance.`},
		{two, made(codes.GuaranteeMissing), "The rows are too few to be sure of all that you require."},
		{two, made(codes.CostFewRows, figure("part", 0.9), figure("rows", 2)),
			"90 % of the cost is due to 2 rows: on other rows it may be quite different."},
		{two, made(codes.CostHangs, figure("amount", 900), figure("left", 0.3)),
			"70 % of what the model saves is due to 1 row."},
		{two, made(codes.RowsOrdered), `The rows are in the order of "month": if that is time, expect less on later rows.`},
		{two, made(codes.ColumnLeaks), `"month" tells the class nearly alone: is that known when a row is to be decided?`},
		{two, made(codes.ColumnMemorised, figure("area_without", 0.8), figure("area", 0.7)),
			`The trees learn "month" by heart: without it the ROC-AUC of "ill" on later rows is 0.80 instead of 0.70.`},
		{two, made(codes.DriftColumns), `"month" is not as in training: look there first.`},
		{two, made(codes.DriftWorse, figure("recall", 0.5), figure("recall_was", 0.8)),
			`Worse than in training by more than chance: recall of "ill" 50 % (was 80 %).`},
		{two, made(codes.DriftNone, figure("recall", 0), figure("precision", 0)), "No drift shows in recall and precision."},
		{two, made(codes.PromiseBroken, ends(figure("recall_expected", 0.9), 0.85, 0.94), ends(figure("recall_found", 0.5),
			0.4, 0.6)),
			`Recall of "ill" is 50 % (40–60), cv promised 90 % (85–94): worse by more than chance.`},
		{two, made(codes.CalibrationReversed, figure("area", 0.3)),
			`Rows of "ill" have lower probabilities of it than other rows (ROC-AUC 0.300): are the labels swapped?`},
	} {
		if got := tc.voice.Sentence(&tc.of); got != tc.want {
			t.Errorf("%s:\n%s, want\n%s", tc.of.Code, got, tc.want)
		}
	}
}
