package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// trade says which errors of class c tuning trades for which.
func (v *verdict) trade(c int) []string {
	plain, tuned, against := v.report.Rules.Plain, v.report.Rules.Tuned, "the plain vote"
	if v.had != nil {
		plain, against = *v.had, "the weights of the model"
	}
	found := tuned.Confusion[c][c] - plain.Confusion[c][c]
	var more portable.Sum
	for t := range v.classes {
		if t != c {
			more.Add(tuned.Confusion[t][c] - plain.Confusion[t][c])
		}
	}
	alarms := more.Value()
	name, in := v.classes[c], ""
	if latest(v.report) != nil {
		in = " in " + judgedRows(v.report)
	}
	switch {
	case v.report.Rules.Tuned.Classes[name].Precision == nil: // no row is decided as it
		return nil
	case found > 0 && alarms > 0:
		each := fmt.Sprintf(": %s for each", significant(alarms/found, 2))
		if v.priced { // which is the price to go by
			each = ""
		}
		return []string{fmt.Sprintf("Against %s %s finds %s more of %q%s, for %s%s.", against, v.itself("tuning"), about(found), name, in, english.Plural(about(alarms), "more false alarm"), each)}
	case found > 0:
		return []string{fmt.Sprintf("Against %s %s finds %s more of %q%s, without more false alarms.", against, v.itself("tuning"), about(found), name, in)}
	case found < 0 && alarms < 0:
		return []string{fmt.Sprintf("Against %s %s spares %s for %q%s, and finds %s fewer of it.", against, v.itself("tuning"), english.Plural(about(-alarms), "false alarm"), name, in, about(-found))}
	}
	return nil
}

// gain says what tuning gains on the plain vote, by the loss that was asked for.
func (v *verdict) gain() string {
	if v.had != nil {
		return v.newer()
	}
	r, g, on := v.ruled()
	by := v.by()
	plain, tuned, noise := v.loss(&r.Plain), v.loss(&r.Tuned), ""
	texts := lossTexts(v.measure, plain, tuned)
	if g != nil {
		noise = fmt.Sprintf(" (by %s; two standard errors are %s)", gapText(texts[0], texts[1]), significant(sureErrors*g.StandardError, 2))
	}
	from := fmt.Sprintf("from %s to %s%s", texts[0], texts[1], noise)
	if r.Plain.Cost != nil && r.Tuned.Cost != nil && !v.costs.Amounts() {
		sums := english.Sums(*r.Plain.Cost, *r.Tuned.Cost)
		from += fmt.Sprintf(", that of all rows from %s to %s", sums[0], sums[1])
	}
	name := v.lossTold()
	went := name + " goes " + from
	switch {
	case texts[0] == texts[1]:
		return fmt.Sprintf("By %s %s changes nothing on %s: %s stays at %s.", by, v.itself("tuning"), on, name, texts[0])
	case v.fewGroups():
		return fmt.Sprintf("By %s %s on %s: %s %s too few to say how sure that is.", by, went, on, v.groups(), english.Verb(v.report.Groups, "is", "are"))
	case worse(plain, tuned, g):
		line := fmt.Sprintf("By %s %s does worse than the plain vote on %s: %s.", by, v.itself("tuning"), on, went)
		if v.breaks(&r.Plain) {
			line += " The plain vote breaks what you require."
		}
		return line
	case !(tuned < plain):
		return fmt.Sprintf("By %s %s does worse than the plain vote on %s, but not beyond noise: %s.", by, v.itself("tuning"), on, went)
	case g != nil && plain-tuned <= sureErrors*g.StandardError:
		return fmt.Sprintf("By %s no gain beyond noise shows on %s: %s.", by, on, went)
	}
	return fmt.Sprintf("By %s %s are decided better than by the plain vote: %s falls %s.", by, on, name, from)
}

// lossName names the loss in a sentence.
func (v *verdict) lossName() string {
	if v.measure == "cost" {
		return "the " + lossName(loss{name: v.measure, costs: v.costs})
	}
	return "the loss"
}

// lossTold is lossName with the measure, but for a surface of the preference, which is named where it is said what was asked for.
func (v *verdict) lossTold() string {
	if v.measure == "cost" || strings.HasPrefix(v.measure, shaped) {
		return v.lossName()
	}
	return v.lossName() + " (" + v.measure + ")"
}

// by names what was asked for.
func (v *verdict) by() string {
	switch {
	case strings.HasPrefix(v.measure, "pragma"):
		return "the preference"
	case v.measure == "cost":
		return cmp.Or(v.whose, "your costs")
	}
	return "the measure you chose"
}

// itself names what is judged: so where weights were searched for, else the model.
func (v *verdict) itself(tuning string) string {
	switch {
	case !v.given:
		return tuning
	case tuning == "Tuning":
		return "The model"
	}
	return "the model"
}

// loss is that of a rule by the measure that was asked for.
func (v *verdict) loss(r *eval.Rule) float64 {
	if r.Loss != nil {
		return *r.Loss
	}
	return r.Pragma
}

// sureErrors is how many standard errors a difference must have to be told as one.
const sureErrors = 2

// worse tells whether a loss has risen by more than chance in the rows would make it, as far as that is known.
func worse(plain, tuned float64, g *eval.Gain) bool {
	return tuned > plain && (g == nil || tuned-plain > sureErrors*g.StandardError)
}

// optimism says what the figures would be if nobody had taken care, where they would be better.
func (v *verdict) optimism() []string {
	loss, tuned := v.loss(&v.report.Rules.Optimistic), v.loss(&v.report.Rules.Tuned)
	if !(loss < tuned) {
		return nil
	}
	return []string{fmt.Sprintf("Tuned and judged on the same votes (optimistic) %s would be %s; do not count on that.", v.lossName(), lossTexts(v.measure, loss, tuned, v.loss(&v.report.Rules.Plain))[0])}
}
