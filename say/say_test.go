package say

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/finding"
)

// Each code has a sentence, and an explanation of what it means and what to do; and there is none of a code that is not.
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
		return finding.New(code, finding.Where{Rows: finding.NewRows}, figure("loss", tuned), figure("baseline_loss", plain), figure("loss_difference_standard_error", 0.02))
	}
	few := finding.New(finding.GainUnmeasured, finding.Where{Rows: finding.GivenRows}, figure("loss", 0.3), figure("baseline_loss", 0.4), figure("groups", 9), figure("effective_groups", 4.2))
	prior := finding.New(finding.BaselineWorse, finding.Where{}, figure("loss", 0.3), figure("baseline_loss", 0.33), figure("loss_difference", 0.03), figure("loss_difference_standard_error", 0.02))
	prior.Remedies = []finding.Remedy{{Do: finding.TakeWeights, Name: "prior"}}
	constant := finding.New(finding.ConstantBetter, finding.Where{Rows: finding.AllBlocks, Blocks: 2}, figure("constant_cost", 12), figure("cost", 40))
	constant.Classes = []string{"well"}
	two, cost := Voice{Classes: []string{"ill", "well"}, First: "ill"}, Voice{Measure: "cost", Classes: []string{"ill", "well"}, First: "ill", Costs: "the costs given here"}
	for _, tc := range []struct {
		voice Voice
		of    finding.Finding
		want  string
	}{
		{two, gain(finding.GainProved, 0.3, 0.4), "By the preference new rows are decided better than by the plain vote: the loss (pragma) falls from 0.4000 to 0.3000 (by 0.1000; two standard errors are 0.04)."},
		{two, gain(finding.GainNone, 0.3, 0.3), "By the preference tuning changes nothing on new rows: the loss (pragma) stays at 0.3000."},
		{two, gain(finding.GainNegative, 0.4, 0.3), "By the preference tuning does worse than the plain vote on new rows: the loss (pragma) goes from 0.3000 to 0.4000 (by 0.1000; two standard errors are 0.04)."},
		{two, gain(finding.GainInconclusive, 0.31, 0.3), "By the preference tuning does worse than the plain vote on new rows, but not beyond noise: the loss (pragma) goes from 0.3000 to 0.3100 (by 0.0100; two standard errors are 0.04)."},
		{Voice{Measure: "mcc", Fixed: true}, few, "By the measure you chose the loss (mcc) goes from 0.4000 to 0.3000 on these rows: 9 groups that tell as much as 4.2 of equal size are too few to say how sure that is."},
		{two, prior, "Weights by one over the share of each class (prior), which need no tuning, do worse than the tuned ones, but not beyond noise: the loss is 0.3300, not 0.3000 (two standard errors of the difference are 0.04)."},
		{cost, constant, `On rows of the 2 blocks together, by the costs given here, it costs less to decide none as "ill", 12, than to use the model, 40.`},
	} {
		if got := tc.voice.Short(&tc.of); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.of.Code, got, tc.want)
		}
	}
}
