package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/say"
)

// notProven says that no gain was proved and what became of the decisions, and how what was asked for is followed all the same.
func notProven(where, on, so, asked, require string) string {
	return english.Capital(strings.TrimPrefix(fmt.Sprintf("%s, on %s no gain of tuning weights could be proved, so %s. To follow %s all the same: --choice lowest, which follows chance, too; or ask for what must hold%s.", where, on, so, asked, require), ", "))
}

// unproven says of new rows that what was asked for has not changed the decisions, or only in part, and what to do: to take weights that do better without tuning, to have what was asked for
// followed all the same, or to ask for what must hold, as the best of the other choices does.
func (v *verdict) unproven() []string {
	w := assess.Unproven(v.report.Warnings)
	if w == nil || v.rows != newRows || v.given || v.had != nil {
		return nil
	}
	where, so := "", v.by()+" is followed only in part"
	var in *eval.TrainingWarning
	if errors.As(w, &in) && in.Times < in.Of {
		where = in.Where()
	}
	r, _, _ := v.ruled()
	if v.measure == "cost" {
		so = v.by() + " are followed only in part"
	}
	if assess.SameDecisions(&r.Plain, &r.Tuned) {
		so = "the decisions are those of the plain vote"
	}
	on := "these rows"
	if c := v.fewest(); c >= 0 && v.report.Blocks == nil {
		name := v.classes[c]
		on = fmt.Sprintf("%s of %q", english.Plural(about(v.report.Rules.Tuned.Classes[name].Rows), "row"), name)
	}
	lines := []string{notProven(where, on, so, v.by(), v.holding())}
	if o := v.untunedBetter(); o != nil {
		texts, what := lossTexts(v.measure, o.Value("baseline_loss"), o.Value("loss"), o.Value("plain_loss")), v.lossName()
		if cost, ok := o.Figure("cost"); ok {
			texts, what = english.Sums(o.Value("baseline_cost"), cost.Value), "the cost of all rows"
		}
		noise, name := "", o.Remedies[0].Name
		if o.Value("loss_difference") >= -assess.SureErrors*o.Value("loss_difference_standard_error") {
			noise = ", though not beyond noise"
		}
		lines = append(lines, fmt.Sprintf("Weights %s, which need no tuning, do better here%s: %s is %s, not %s.%s%s", say.WeightsBy(name), noise, what, texts[0], texts[1], v.found("They find", o), v.taken(name)))
	}
	return lines
}

// fewest is the class of fewest rows of those that matter, or -1 where none does.
func (v *verdict) fewest() int {
	least := -1
	for _, c := range v.matter {
		if rows := v.report.Rules.Tuned.Classes; least < 0 || rows[v.classes[c]].Rows < rows[v.classes[least]].Rows {
			least = c
		}
	}
	return least
}

// holding goes on with what to ask for: what finds more at the least loss, of the other choices.
func (v *verdict) holding() string {
	var best *alternative
	for i := range v.others {
		o := &v.others[i]
		if now := v.report.Rules.Tuned.Classes[o.Class].Recall; now != nil && o.Recall > *now && (best == nil || o.Loss < best.Loss) {
			best = o
		}
	}
	if best == nil {
		return " (--require)"
	}
	return fmt.Sprintf(": %s finds %s of %q here, and %s of the alarms are right", strings.Join(flagsOf(best), " "), rounded(percent(best.Recall)), best.Class, rounded(percent(best.Precision)))
}

// untunedBetter are the weights that need no tuning and do better than tuning that is not proven to pay; nil where none do.
func (v *verdict) untunedBetter() *finding.Finding {
	if o := assess.Baseline(v.subject()); o != nil && o.Code == codes.BaselineBetter {
		return o
	}
	return nil
}

// unprovenInModel says the same of a new model.
func unprovenInModel(m *rfpragma.Model, of *aim) []string {
	if assess.Unproven(m.Warnings) == nil {
		return nil
	}
	v := &verdict{measure: m.Provenance.Measure}
	so := "all weights follow from one number, larger for classes that are worse to miss"
	if slices.Min(m.Weights) == slices.Max(m.Weights) {
		so = "the decisions are those of the plain vote"
	}
	on, least := "these rows", 0.0
	for _, c := range of.matter() {
		if m.Provenance.Figures == nil || m.Provenance.Figures[c].Recall == nil {
			continue
		}
		if n := m.Provenance.Figures[c].Recall.Rows; least == 0 || n < least {
			on, least = fmt.Sprintf("%s of %q", english.Plural(about(n), "row"), of.classes[c]), n
		}
	}
	return []string{notProven("", on, so, v.by(), " (--require)")}
}
