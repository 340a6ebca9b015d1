package main

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/say"
	"github.com/rfpragma/rfpragma/pragma"
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

// subject is the same as a judgement takes it.
func (v *verdict) subject() *assess.Subject {
	s := &assess.Subject{
		Goal:   pragma.Goal{Classes: v.classes, Preferences: v.prefs, Name: v.measure, Measure: v.asked, Costs: v.costs, Floors: v.floors},
		Report: v.report, Matter: append([]int{}, v.matter...), Decided: v.withheld.decided(), Other: v.whose != "", Had: v.had, Unstable: v.discord != nil,
	}
	s.DecidedIn, s.Weights, s.Unlike, s.Remaps = v.withheld.decidedIn, v.weights, v.unlike, v.remaps
	for _, o := range v.others {
		s.Offered = append(s.Offered, assess.Offer{Recall: o.Recall, Alerts: o.Alerts})
	}
	if v.discord != nil {
		s.FoldWeights = v.discord.weights
	}
	switch {
	case v.mixed:
		s.Rows = codes.MixedRows
	case v.rows != newRows:
		s.Rows = codes.GivenRows
	}
	return s
}

// findings are in JSON what the words say.
type findings struct {
	Findings []finding.Finding `json:"findings"` // what was found, the gravest first: docs/findings.md explains each code
}

// assessed is what a judgement finds.
func (v *verdict) assessed() findings {
	s := v.subject()
	if v.report.Votes != nil {
		s.Goal.Order = v.report.Votes.TieOrder()
	}
	s.Shown = shownClasses(v.classes, v.prefs, v.report.Probabilities)
	all := slices.Concat([]finding.Finding{}, assess.Findings(s), assess.Promises(s.Where(), v.promises), v.also)
	finding.Sort(all)
	return findings{all}
}

// voice says what sentences take for known.
func (v *verdict) voice() say.Voice {
	out := say.Voice{Classes: v.classes, Measure: v.measure, Amounts: v.costs.Amounts(), Costs: v.whose, Floors: v.floors, Weighed: v.report != nil && v.report.Weighed, Fixed: v.given, Unstable: v.discord != nil}
	if len(v.matter) > 0 {
		out.First = v.classes[v.matter[0]]
	}
	return out
}

// gain says what tuning gains on the plain vote, by the loss that was asked for.
func (v *verdict) gain() string {
	s, voice := v.subject(), v.voice()
	line := voice.Short(assess.Gain(s))
	if v.had != nil {
		return line + v.keep(s)
	}
	if f := assess.PlainBreaks(s); f != nil {
		line += " " + voice.Short(f)
	}
	return line
}

// keep goes on with whether to keep the weights that a model has.
func (v *verdict) keep(s *assess.Subject) string {
	code := assess.Gain(s).Code
	switch broken, new := s.Breaks(v.had), s.Breaks(&v.report.Rules.Tuned); {
	case code == codes.RetuneUnmeasured:
		return ""
	case broken && new:
		return " Both break what you require."
	case broken:
		return " Those of the model break what you require."
	case new:
		return " Those of the model keep what you require, the new ones do not: keep the model as it is."
	case code == codes.RetuneBetter:
		return ""
	}
	return " Keep the model as it is."
}

// lossName names the loss in a sentence.
func (v *verdict) lossName() string { return v.voice().LossName() }

// by names what was asked for.
func (v *verdict) by() string { return v.voice().By() }

// itself names what is judged: so where weights were searched for, else the model.
func (v *verdict) itself(tuning string) string { return v.voice().Itself(tuning) }

// untuned names the weights that need no tuning and are told of beside the tuned ones: plain where the plain vote does better, else cost or prior; "" where none are.
func (v *verdict) untuned() string {
	s := v.subject()
	if o := assess.Baseline(s); o != nil {
		return o.Remedies[0].Name
	}
	if gain := assess.Gain(s); gain.Code == codes.GainNegative && gain.Remedied(codes.TakeWeights) {
		return "plain"
	}
	return ""
}

// sureErrors is how many standard errors a difference must have to be told as one.
const sureErrors = assess.SureErrors

// worse tells whether a loss has risen by more than chance in the rows would make it, as far as that is known.
func worse(plain, tuned float64, g *eval.Gain) bool { return assess.Worse(plain, tuned, g) }

// loss is that of a rule by the measure that was asked for.
func (v *verdict) loss(r *eval.Rule) float64 { return assess.Loss(r) }

// optimism says what the figures would be if nobody had taken care, where they would be better.
func (v *verdict) optimism() []string {
	loss, tuned := v.loss(&v.report.Rules.Optimistic), v.loss(&v.report.Rules.Tuned)
	if !(loss < tuned) {
		return nil
	}
	return []string{fmt.Sprintf("Tuned and judged on the same votes (optimistic) %s would be %s; do not count on that.", v.lossName(), lossTexts(v.measure, loss, tuned, v.loss(&v.report.Rules.Plain))[0])}
}
