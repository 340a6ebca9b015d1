package say

import (
	"fmt"
	"math"
	"strconv"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/offer"
)

// gain says what tuning gains on the plain vote, by the loss that was asked for.
func (v Voice) gain(f *finding.Finding) string {
	texts := v.losses(f.Value("loss"), f.Value("baseline_loss"))
	losses := fmt.Sprintf("%s is %s instead of %s", v.lossName(), texts[0], texts[1])
	switch f.Code {
	case codes.GainNone:
		if v.Fixed {
			return fmt.Sprintf("The model does as well as the plain vote: %s is %s.", v.lossName(), texts[0])
		}
		return fmt.Sprintf("Tuning changes nothing: %s stays %s.", v.lossName(), texts[0])
	case codes.GainUnmeasured:
		return fmt.Sprintf("Beside the plain vote %s; %s are too few to say how sure that is.", losses, groupsOf(f))
	case codes.GainNegative:
		return sentence(v.subject(), " does worse than the plain vote: ", losses, v.errors2(f))
	case codes.GainInconclusive:
		return sentence(v.subject(), " does not beat the plain vote beyond noise: ", losses, v.errors2(f))
	}
	return sentence(v.subject(), " beats the plain vote: ", losses, v.errors2(f))
}

// unproven says that what was asked for is followed only in part.
func (v Voice) unproven(f *finding.Finding) string {
	in := ""
	if f.Where.Times < f.Where.Of {
		in = fmt.Sprintf(" in %d of %d trainings", f.Where.Times, f.Where.Of)
	}
	if rows, ok := f.Figure("rows"); ok {
		return fmt.Sprintf("%q has too few rows (%s) to prove the gain of a weight of its own%s, so what you asked for is "+
			"followed only in part.", rows.Class, english.Significant(rows.Value, 12), in)
	}
	return "The rows prove no gain of weights of their own" + in + ", so what you asked for is followed only in part."
}

// retuned sets new weights beside those that a model has.
func (v Voice) retuned(f *finding.Finding) string {
	texts := v.losses(f.Value("loss"), f.Value("baseline_loss"))
	losses := fmt.Sprintf("cross-validated on these rows %s is %s instead of %s", v.lossName(), texts[0], texts[1])
	switch f.Code {
	case codes.RetuneUnmeasured:
		return fmt.Sprintf("With the new weights %s; %s are too few to say how sure that is.", losses, groupsOf(f))
	case codes.RetuneBetter:
		return sentence("The new weights do better than those of the model: ", losses, v.errors2(f))
	case codes.RetuneWorse:
		return sentence("The new weights do worse than those of the model: ", losses, v.errors2(f))
	}
	return sentence("The new weights do not beat those of the model beyond noise: ", losses, v.errors2(f))
}

// plainBreaks says that the plain vote is no way out.
func (v Voice) plainBreaks(*finding.Finding) string {
	return "The plain vote would break what you require."
}

// weightsBy names weights that need no tuning.
var weightsBy = map[string]string{"plain": "The plain vote", "cost": "Weights by cost alone",
	"prior": "Weights by one over the share of a class (prior)"}

// baseline sets weights that need no tuning beside the tuned ones.
func (v Voice) baseline(f *finding.Finding) string {
	texts := v.losses(f.Value("baseline_loss"), f.Value("loss"))
	do := map[finding.Code]string{codes.BaselineBetter: "do better than",
		codes.BaselineEqual: "do as well, but for noise, as",
		codes.BaselineWorse: "do worse than"}[f.Code]
	gap, se := f.Value("loss_difference"), f.Value("loss_difference_standard_error")
	if f.Code != codes.BaselineEqual && math.Abs(gap) <= 2*se {
		do = "do " + map[bool]string{true: "better", false: "worse"}[f.Code == codes.BaselineBetter] +
			", but not beyond noise, than"
	}
	if gap == 0 && f.Code != codes.BaselineEqual {
		do = "do as well as"
	}
	than := "the tuned ones"
	if v.Fixed {
		than = "those of the model"
	}
	name := "Weights that need no tuning"
	if len(f.Remedies) > 0 {
		name = weightsBy[f.Remedies[0].Name]
	}
	return fmt.Sprintf("%s %s %s: %s is %s instead of %s%s.", name, do, than, v.lossName(), texts[0], texts[1],
		v.errors2(f))
}

// constant sets the model beside deciding all rows alike.
func (v Voice) constant(f *finding.Finding) string {
	as, constant, model := v.AllAs(f.Classes[0]), f.Value("constant_loss"), f.Value("loss")
	name, texts := "the loss", english.Amounts(constant, model)
	if cost, ok := f.Figure("constant_cost"); ok {
		texts, name = english.Sums(cost.Value, f.Value("cost")), Voice{Amounts: true, Partly: v.Partly}.lossName()
		if rows := f.Value("rows"); rows > 0 && !v.Amounts {
			texts, name = v.losses(cost.Value/rows, f.Value("cost")/rows), v.lossName()
		}
	}
	switch f.Code {
	case codes.ConstantUnsure:
		return fmt.Sprintf("No model is as good, but for noise: to decide %s %s is %s, with the model %s.", as, name,
			texts[0], texts[1])
	case codes.ConstantBetter:
		return fmt.Sprintf("No model is better: to decide %s %s is %s, with the model %s.", as, name, texts[0], texts[1])
	}
	return fmt.Sprintf("Without a model, %s, %s is %s instead of %s.", as, name, texts[0], texts[1])
}

// unstable says that weights of folds disagree.
func (v Voice) unstable(f *finding.Finding) string {
	low, high := ends(f.Figures)
	return fmt.Sprintf("The folds disagree: their weights find from %s to %s of 100 rows of %q. No single model has "+
		"these figures.",
		english.About(100*low), english.About(100*high), f.Classes[0])
}

// spread says how far the alarms of the folds go apart.
func (v Voice) spread(f *finding.Finding) string {
	low, high := ends(f.Figures)
	return fmt.Sprintf("Trainings differ: plan for %s to %s for %q per 1,000 rows.", english.About(1000*low),
		english.Plural(english.About(1000*high), "alarm"), f.Classes[0])
}

// ends returns the least and the largest of figures.
func ends(figures []finding.Figure) (low, high float64) {
	low, high = figures[0].Value, figures[0].Value
	for _, g := range figures {
		low, high = min(low, g.Value), max(high, g.Value)
	}
	return low, high
}

// flood says that alarms are many and most of them wrong.
func (v Voice) flood(f *finding.Finding) string {
	line := fmt.Sprintf("%s of 100 rows are alarms for %q, and most of them are wrong",
		english.About(100*f.Value("alerts")), f.Classes[0])
	if v.Measure == offer.CostName {
		line += ": your costs ask for that"
	}
	return line + "."
}

// unused says that a limit of alarms is not used up.
func (v Voice) unused(f *finding.Finding) string {
	return fmt.Sprintf("You allow %s for %q per 1,000 rows; %s are raised.",
		english.Plural(english.About(1000*f.Value("limit")), "alarm"), f.Classes[0], english.About(1000*f.Value("alerts")))
}

// precisionBelow says that x is no limit.
func (v Voice) precisionBelow(f *finding.Finding) string {
	return fmt.Sprintf("Fewer alarms for %q are right than your x of %s: x is no limit, it says what finding all is "+
		"worth to you.",
		f.Classes[0], percent(f.Value("x")))
}

// recallBelow says that y is no limit.
func (v Voice) recallBelow(f *finding.Finding) string {
	return fmt.Sprintf("Less of %q is found than your y of %s: y is no limit, it says what alarms that are never wrong "+
		"are worth to you.",
		f.Classes[0], percent(f.Value("y")))
}

// chance says that a class is found no better than at random.
func (v Voice) chance(f *finding.Finding) string {
	precision, _ := f.Figure("precision")
	return fmt.Sprintf("%q is found no better than by chance: %s of its alarms are right, at random %s.",
		f.Classes[0], ranged(precision), percent(f.Value("share")))
}

// scarce says what a single row does to the recall of a class of a handful of rows.
func (v Voice) scarce(f *finding.Finding) string {
	rows := f.Value("rows")
	n := int(math.Round(rows))
	if v.Partly && n > 1 {
		return fmt.Sprintf("Only %s of %q are decided: few to judge by.", english.Plural(strconv.Itoa(n), "row"),
			f.Classes[0])
	}
	if n == 1 {
		return fmt.Sprintf("Class %q has only 1 row, which says nothing of others.", f.Classes[0])
	}
	return fmt.Sprintf("Class %q has only %s: each moves its recall by %.0f points.",
		f.Classes[0], english.Plural(strconv.Itoa(n), "row"), min(100, 100/rows))
}

// never says as which classes no row is decided.
func (v Voice) never(f *finding.Finding) string {
	return "No row is decided as " + names(f.Classes) + "."
}

// costOfFew says that the cost is due to few rows.
func (v Voice) costOfFew(f *finding.Finding) string {
	return fmt.Sprintf("%s of the cost is due to %s: on other rows it may be quite different.", percent(f.Value("part")),
		english.Plural(english.About(f.Value("rows")), "row"))
}

// hangs says that a difference in cost hangs on few rows.
func (v Voice) hangs(f *finding.Finding) string {
	n := 0
	for _, g := range f.Figures {
		if g.Name == "amount" {
			n++
		}
	}
	if left := f.Value("left"); left >= 0 {
		return fmt.Sprintf("%s of what the model saves is due to %s.", percent(1-left), english.Plural(n, "row"))
	}
	return fmt.Sprintf("What the model saves is due to %s: without %s it would be the other way round.",
		english.Plural(n, "row"), english.Verb(n, "it", "them"))
}

// Limited says what a limit of alarms costs: 1,000 rows cost so much with it, and without it, with so many alarms.
func (v Voice) Limited(with, without, alerts float64) string {
	texts := english.Sums(without, with)
	return fmt.Sprintf("Without your limit %s would be %s instead of %s, with %s per 1,000 rows.", v.lossName(), texts[0],
		texts[1], english.Plural(english.About(1000*alerts), "alarm"))
}
