package say

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
)

// gain says what tuning gains on the plain vote, by the loss that was asked for.
func (v Voice) gain(f *finding.Finding) string {
	by, on, name := v.By(), v.On(f.Where), v.LossTold()
	tuned, plain := f.Value("loss"), f.Value("baseline_loss")
	texts, noise := v.Losses(plain, tuned), ""
	if se, ok := f.Figure("loss_difference_standard_error"); ok {
		noise = fmt.Sprintf(" (by %s; two standard errors are %s)", english.Gap(texts[0], texts[1]),
			english.Significant(sureErrors*se.Value, 2))
	}
	from := fmt.Sprintf("from %s to %s%s", texts[0], texts[1], noise)
	if cost, ok := f.Figure("cost"); ok {
		sums := english.Sums(f.Value("baseline_cost"), cost.Value)
		from += fmt.Sprintf(", that of all rows from %s to %s", sums[0], sums[1])
	}
	went, itself := name+" goes "+from, v.Itself("tuning")
	switch f.Code {
	case codes.GainNone:
		return fmt.Sprintf("By %s %s changes nothing on %s: %s stays at %s.", by, itself, on, name, texts[0])
	case codes.GainUnmeasured:
		return fmt.Sprintf("By %s %s on %s: %s %s too few to say how sure that is.", by, went, on, GroupsOf(f),
			english.Verb(int(f.Value("groups")), "is", "are"))
	case codes.GainNegative:
		return fmt.Sprintf("By %s %s does worse than the plain vote on %s: %s.", by, itself, on, went)
	case codes.GainInconclusive:
		if !(tuned < plain) {
			return fmt.Sprintf("By %s %s does worse than the plain vote on %s, but not beyond noise: %s.", by, itself, on, went)
		}
		return fmt.Sprintf("By %s no gain beyond noise shows on %s: %s.", by, on, went)
	}
	return fmt.Sprintf("By %s %s are decided better than by the plain vote: %s falls %s.", by, on, name, from)
}

// retuned sets new weights beside those that a model has.
func (v Voice) retuned(f *finding.Finding) string {
	texts := v.Losses(f.Value("loss"), f.Value("baseline_loss"), f.Value("plain_loss"))
	losses := fmt.Sprintf("%s is %s by the new ones, cross-validated on these rows, %s by those of the model, and %s by the plain vote", v.LossTold(), texts[0], texts[1], texts[2])
	line := "By " + v.By()
	switch f.Code {
	case codes.RetuneUnmeasured:
		return fmt.Sprintf("%s %s: %s %s too few to say how sure that is.", line, losses, GroupsOf(f),
			english.Verb(int(f.Value("groups")), "is", "are"))
	case codes.RetuneBetter:
		line += " the new weights do better than those that the model has"
	case codes.RetuneWorse:
		line += " the new weights do worse than those that the model has"
	default:
		line += " no difference beyond noise shows between the new weights and those that the model has"
	}
	return fmt.Sprintf("%s: %s (two standard errors of the first difference are %s).", line, losses,
		english.Significant(sureErrors*f.Value("loss_difference_standard_error"), 2))
}

// plainBreaks says that the plain vote is no way out.
func (v Voice) plainBreaks(*finding.Finding) string { return "The plain vote breaks what you require." }

// Groups counts groups, and tells how many equal ones they come to where that is another number.
func Groups(groups int, effective float64) string {
	text := english.Plural(groups, "group")
	if equal := fmt.Sprintf("%.2g", effective); equal != fmt.Sprintf("%.2g", float64(groups)) {
		text += fmt.Sprintf(" that tell as much as %s of equal size", equal)
	}
	return text
}

// GroupsOf is Groups of a finding.
func GroupsOf(f *finding.Finding) string {
	return Groups(int(f.Value("groups")), f.Value("effective_groups"))
}

// weightsBy says how weights that need no tuning are made.
var weightsBy = map[string]string{"plain": "the plain vote", "cost": "by cost alone",
	"prior": "by one over the share of each class (prior)"}

// WeightsBy says how weights of a name are made that need no tuning: plain, cost or prior.
func WeightsBy(name string) string { return weightsBy[name] }

// nextTo is by what share a cost must be lower before it is told.
const nextTo = 0.02

// baseline sets weights that need no tuning beside the tuned ones.
func (v Voice) baseline(f *finding.Finding) string {
	base, tuned := f.Value("baseline_loss"), f.Value("loss")
	texts := v.Losses(base, tuned, f.Value("plain_loss"))
	gap, noise := f.Value("loss_difference"), sureErrors*f.Value("loss_difference_standard_error")
	begin, which := "Weights", "which need no tuning"
	if v.Costs != "" {
		begin = "By " + v.Costs + " weights"
	}
	if v.Unstable {
		which += " and on which no folds disagree"
	}
	weights := func(do, unsure string) string {
		return fmt.Sprintf("%s %s, %s, do %s %s%s: %s is %s", begin, WeightsBy(f.Remedies[0].Name), which, do,
			v.Itself("the tuned ones"), unsure, v.LossName(), texts[0])
	}
	if less := 1 - base/tuned; v.Measure == "cost" && less > nextTo {
		texts[1] += ", " + english.Percent(less, 1) + " less"
	}
	unsure := ", but not beyond noise"
	if gap < -noise || f.Code == codes.BaselineWorse && gap > noise {
		unsure = ""
	}
	instead := fmt.Sprintf(", not %s (two standard errors of the difference are %s).", texts[1],
		english.Significant(noise, 2))
	switch {
	case f.Code == codes.BaselineBetter:
		return weights("better than", unsure) + instead
	case texts[0] == texts[1]:
		return weights("as well as", "") + "."
	}
	return weights("worse than", unsure) + instead
}

// Finds says what weights that need no tuning find of the classes that matter most, up to three, and how many
// alarms are right; "" where nothing of that is known.
func (v Voice) Finds(f *finding.Finding, they string) string {
	const most = 3
	if len(f.Classes) > most || len(f.Classes) == len(v.Classes) {
		return ""
	}
	of := func(share, rows float64) string {
		if rows < english.Few {
			return english.OfRows(share, rows)
		}
		return english.OfHundred(share) + " of 100"
	}
	figure := func(name, class string) *float64 {
		for _, g := range f.Figures {
			if g.Name == name && g.Class == class {
				return &g.Value
			}
		}
		return nil
	}
	var texts []string
	for _, name := range f.Classes {
		recall, precision := figure("recall", name), figure("precision", name)
		switch {
		case recall == nil:
		case precision == nil:
			texts = append(texts, fmt.Sprintf("none of %q", name))
		default:
			right := "are right"
			if len(f.Classes) > 1 {
				right = "for it are right"
			}
			texts = append(texts, fmt.Sprintf("%s rows of %q, and %s alarms %s", of(*recall, *figure("rows", name)), name,
				of(*precision, *figure("alarms", name)), right))
		}
	}
	if texts == nil {
		return ""
	}
	return fmt.Sprintf("%s %s.", they, strings.Join(texts, "; "))
}

// constant sets the model beside deciding all rows alike.
func (v Voice) constant(f *finding.Finding) string {
	as, model := f.Classes[0], f.Value("cost")
	if constant, ok := f.Figure("constant_cost"); ok {
		sums := english.Sums(constant.Value, model)
		if f.Code == codes.ConstantBetter {
			return fmt.Sprintf("On %s it costs less to decide %s, %s, than to use the model, %s.", v.OnAll(f.Where),
				v.AllAs(as), sums[0], sums[1])
		}
		return fmt.Sprintf("On %s the model costs %s, to decide %s %s.", v.OnAll(f.Where), sums[1], v.AllAs(as), sums[0])
	}
	losses := english.Amounts(f.Value("constant_loss"), f.Value("loss"))
	if f.Code == codes.ConstantBetter {
		return fmt.Sprintf("On %s by %s it is better to decide all as %q, a loss of %s, than to use the model, %s.",
			v.On(f.Where), v.By(), as, losses[0], losses[1])
	}
	losses = v.Losses(f.Value("constant_loss"), cmp.Or(f.Value("plain_loss"), f.Value("loss")), f.Value("loss"))
	return fmt.Sprintf("Without a model, %s, it is %s.", v.AllAs(as), losses[0])
}
