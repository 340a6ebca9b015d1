package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/internal/say"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// taken says how to decide by a rule that needs no tuning.
func (v *verdict) taken(rule string) string {
	return fmt.Sprintf(" To decide so, %s with %s.", v.weighing(), flagOf(finding.Remedy{Do: codes.TakeWeights, Name: rule}, v.classes))
}

// weighing names the verbs that take other weights: the votes that weights in the order of time are found by are in no file that tune reads.
func (v *verdict) weighing() string {
	if v.report.Blocks != nil {
		return "train"
	}
	return "train or tune"
}

// ruled are the rules that what is asked for compares, what tuning gains on the plain vote, and on which rows.
func (v *verdict) ruled() (rules *eval.Rules, gain *eval.Gain, on string) {
	rules, gain, where := v.subject().Rules()
	return rules, gain, v.voice().On(where)
}

// gains says what tuning gains on the plain vote, and where that is no more than weights have that need no tuning; first, if they are better; then why tuning moves little. It gives one advice at most. Foremost is
// what is to be known first.
func (v *verdict) gains() (foremost, others []string) {
	rated, unproven := v.rated(), v.unproven()
	return slices.Concat(rated[:1], unproven, v.besideWeights()), append(rated[1:], v.unmoved()...)
}

// rated is gains without why.
func (v *verdict) rated() []string {
	s, voice := v.subject(), v.voice()
	gain, o := assess.Gain(s), assess.Baseline(s)
	line, plain := v.gain()+v.alone(), ""
	if gain.Remedied(codes.TakeWeights) {
		flag := flagOf(gain.Remedies[0], v.classes)
		plain = " The plain vote may do as well: " + flag + "."
		if gain.Code == codes.GainNegative {
			plain = " For the plain vote " + v.weighing() + " with " + flag + "."
		}
	}
	switch {
	case v.untunedBetter() != nil && v.unproven() != nil: // which tells of them
		return []string{line}
	case o == nil && gain.Code == codes.GainNegative && v.whose == givenCosts:
		return []string{line}
	case o == nil:
		return []string{line + plain}
	}
	told, name := voice.Short(o), o.Remedies[0].Name
	gap, noise := o.Value("loss_difference"), assess.SureErrors*o.Value("loss_difference_standard_error")
	use := v.found("They find", o) + v.taken(name)
	if v.whose == givenCosts || v.rows != newRows && gap >= -noise { // the costs may be asked for, or chance of these rows would choose
		use = ""
	}
	switch {
	case gap < -noise:
		return []string{told + use, line}
	case o.Code == codes.BaselineBetter:
		return []string{line, told + use}
	case o.Code == codes.BaselineWorse:
		line, use = line+plain, ""
	case use != "": // nobody is sent to what may cost more
		use = v.found("They find", o) + fmt.Sprintf(" For them %s with %s.", v.weighing(), flagOf(o.Remedies[0], v.classes))
	}
	return []string{line, told + use}
}

// found goes on with what weights that need no tuning find.
func (v *verdict) found(they string, o *finding.Finding) string {
	if said := v.voice().Finds(o, they); said != "" {
		return " " + said
	}
	return ""
}

// unmoved says why tuning moves nothing, or little.
func (v *verdict) unmoved() []string {
	r, _, _ := v.ruled()
	if v.rows != newRows || v.given || v.had != nil || assess.Unproven(v.report.Warnings) != nil {
		return nil
	}
	uneven := func(w vote.Weights) bool { return slices.Min(w) < slices.Max(w) }
	next := ""
	switch {
	case v.weights == nil || uneven(v.weights) || len(v.floors) > 0:
	case v.others != nil:
		next = " To decide otherwise take one of the other choices below."
	default:
		next = " To decide otherwise say what must hold (--require)."
	}
	switch {
	case !assess.SameDecisions(&r.Plain, &r.Tuned) || v.weights == nil:
		return nil
	case uneven(v.weights) || slices.ContainsFunc(foldWeights(v.classes, v.report.WeightsByFold), uneven):
		return []string{"The weights are not equal, but decide no row otherwise."}
	case len(v.floors) > 0 && !v.unreached:
		return []string{"The plain vote already keeps what you require on the votes that weights are searched on, and there no others are proven to lose less."}
	}
	return []string{"On the votes that weights are searched on no others are proven to lose less." + next}
}

// edges says of which classes a weight outdoes all votes but one.
func (v *verdict) edges() []string {
	if v.rows != newRows || v.given || v.had != nil {
		return nil
	}
	return trainingWords(v.report.Warnings, anneal.ErrEdge)
}

// trainingWords are the warnings that wrap an error, each a sentence that says in how many trainings it holds where that is not in all.
func trainingWords(warnings []error, kind error) []string {
	var lines []string
	for _, w := range warnings {
		if !errors.Is(w, kind) {
			continue
		}
		var in *eval.TrainingWarning
		if errors.As(w, &in) && in.Times == in.Of {
			w = in.Warning
		}
		lines = append(lines, english.Capital(w.Error())+".")
	}
	return lines
}

// ruleFinding has what a rule finds of the classes that matter most.
func (v *verdict) ruleFinding(r *eval.Rule) *finding.Finding {
	f := &finding.Finding{}
	for _, c := range v.matter {
		name := v.classes[c]
		f.Classes, f.Figures = append(f.Classes, name), append(f.Figures, assess.ClassFigures(name, r.Classes[name])...)
	}
	return f
}

// keepers says which rule that needs no tuning keeps what is required where the tuned weights do not: surely, if there is one, else that of the least loss. Nobody is sent to one that gives up
// what is wanted.
func (v *verdict) keepers() []string {
	all := v.subject().Untuned(&v.report.Rules)
	switch {
	case !v.breaks(&v.report.Rules.Tuned):
		return nil
	case len(all) == 0:
		return []string{"Neither the plain vote nor weights that need no tuning keep it all."}
	}
	sure := func(o assess.Untuned) bool {
		return !slices.ContainsFunc(v.floors, func(f pragma.Floor) bool { return !v.surely(f, o.Rule) })
	}
	o, but, use := all[0], "", ""
	if at := slices.IndexFunc(all, sure); at >= 0 {
		o = all[at]
	} else {
		but = unsurely
	}
	few := slices.ContainsFunc(v.floors, func(f pragma.Floor) bool { return o.Rule.Classes[v.classes[f.Class]].Rows < effective.FewRows })
	dearer := v.gives(o.Rule)
	if v.discord == nil && !few && dearer == "" && (but == "" || v.rows == newRows) {
		if o.Name != "plain" { // which the tables have
			use = v.found("They find", v.ruleFinding(o.Rule))
		}
		use += v.taken(o.Name)
	}
	they := "Weights " + say.WeightsBy(o.Name) + " keep"
	if o.Name == "plain" {
		they = "The plain vote keeps"
	}
	return []string{fmt.Sprintf("%s what you require on %s%s%s.", they, v.on(), but, dearer) + use}
}

// gives says what a rule that loses more than the tuned weights gives up: the loss, and the recall or precision that falls most, of the classes that matter most; "" of one that loses no more.
func (v *verdict) gives(r *eval.Rule) string {
	tuned := &v.report.Rules.Tuned
	if !(v.loss(r) > v.loss(tuned)) {
		return ""
	}
	texts := lossTexts(v.measure, v.loss(r), v.loss(tuned), v.loss(&v.report.Rules.Plain))
	text, most := fmt.Sprintf("; then %s is %s, not %s", v.lossName(), texts[0], texts[1]), offer.NextTo
	fallen := ""
	for _, c := range v.matter {
		name := v.classes[c]
		is, was := r.Classes[name], tuned.Classes[name]
		for _, f := range []struct {
			name    string
			is, was *float64
		}{{"recall", is.Recall, was.Recall}, {"precision", is.Precision, was.Precision}} {
			if f.is != nil && f.was != nil && *f.was-*f.is > most {
				most, fallen = *f.was-*f.is, fmt.Sprintf(", and the %s of %q %s, not %s", f.name, name, percent(*f.is), percent(*f.was))
			}
		}
	}
	return text + fallen
}
