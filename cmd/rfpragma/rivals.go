package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/eval"
)

// rival is a way to weigh votes that needs no tuning and decides as well as tuning does, but for noise, or better.
type rival struct {
	name   string // as --weights takes it
	by     string
	rule   *eval.Rule
	better bool // than tuning beyond noise
}

// taken says how to decide by a rule that needs no tuning.
func taken(rules ...string) string {
	return " To decide so, train or tune with --weights " + strings.Join(rules, " or --weights ") + "."
}

// rivals are told of; those that are not better beyond noise where tuning gains on the plain vote, or where they lose less.
func (v *verdict) rivals() (all []rival) {
	r, plain := &v.report.Rules, v.report.Gain
	for _, other := range []struct {
		name, by string
		rule     *eval.Rule
	}{{"cost", "by cost alone", r.Cost}, {"prior", "by one over the share of each class (prior)", &r.Prior}} {
		itself := v.rows != newRows && other.rule != nil && sameConfusion(other.rule, &r.Tuned) // of a model that is judged as it is
		if other.rule == nil || other.rule.Gain == nil || v.breaks(other.rule) || itself {
			continue
		}
		gain, sure := other.rule.Gain.Loss, sureErrors*other.rule.Gain.StandardError
		if gain < 0 || gain <= sure && plain != nil && plain.Loss > sureErrors*plain.StandardError {
			all = append(all, rival{other.name, other.by, other.rule, gain < -sure})
		}
	}
	return all
}

// gains says what tuning gains on the plain vote, and where that is no more than weights have that need no tuning; first, if they are better.
func (v *verdict) gains() []string {
	var better, alike, names []string
	for _, r := range v.rivals() {
		loss := lossText(v.loss(r.rule))
		if r.better {
			better = append(better, fmt.Sprintf("Weights %s, which need no tuning, do better than the tuned ones: the loss is %s, not %s (two standard errors of the difference are %.2g).",
				r.by, loss, lossText(v.loss(&v.report.Rules.Tuned)), sureErrors*r.rule.Gain.StandardError)+taken(r.name))
			continue
		}
		alike, names = append(alike, r.by+" "+loss), append(names, r.name)
	}
	lines := append(better, v.gain())
	if alike != nil {
		lines = append(lines, fmt.Sprintf("Beyond noise tuning does no better than weights that need none: %s.", strings.Join(alike, ", "))+taken(names...))
	}
	return lines
}

// keepers says which rules that need no tuning keep what is required where the tuned weights do not.
func (v *verdict) keepers() []string {
	r := &v.report.Rules
	if !v.breaks(&r.Tuned) {
		return nil
	}
	var names []string
	for _, n := range rulesOf(r) {
		if n.rule != &r.Tuned && n.rule != &r.Optimistic && n.rule.Confusion != nil && !v.breaks(n.rule) {
			names = append(names, n.name)
		}
	}
	if names == nil {
		return nil
	}
	return []string{fmt.Sprintf("What you require is kept on %s by %s.", v.rows, strings.Join(names, " and ")) + taken(names...)}
}

// plainly says how to decide by the plain vote, or that it breaks what is required.
func (v *verdict) plainly() string {
	if v.breaks(&v.report.Rules.Plain) {
		return " The plain vote breaks what you require."
	}
	return " For the plain vote train or tune with --weights plain."
}

// sameConfusion tells whether two rules decide alike, as far as their matrices tell.
func sameConfusion(a, b *eval.Rule) bool {
	return slices.EqualFunc(a.Confusion, b.Confusion, slices.Equal[[]float64])
}
