// Package say puts findings into English: one sentence for each code. It is the only place with prose about
// results. What may be done about a finding is not in the sentence, as each front end words it in its own terms:
// flags, fields of a request, buttons.
package say

import (
	"strings"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/pragma"
)

// Voice is what all sentences about a result take for known. The zero value speaks of weights tuned for a preference.
type Voice struct {
	Classes []string // all classes
	First   string   // name of the class that matters most; "" if none does
	Measure string   // name of the measure, as in pragma.Goal
	Amounts bool     // costs are by amount
	Fixed   bool     // the decisions are those of a model as it is, or of weights that were given
	Partly  bool     // some rows are left undecided, of which losses do not tell
}

// About returns the voice for results by a goal.
func About(g pragma.Goal) Voice {
	v := Voice{Classes: g.Classes, Measure: g.Name, Amounts: g.Costs.Amounts()}
	if matter := g.Matter(); len(matter) > 0 {
		v.First = g.Classes[matter[0]]
	}
	return v
}

// entry is what there is to say of a code.
type entry struct {
	say  func(v Voice, f *finding.Finding) string
	mean string // what it means, for docs/findings.md
	do   string // what to do
}

// Sentence returns a sentence that says what was found; "" for a code that this version does not know.
func (v Voice) Sentence(f *finding.Finding) string {
	if s, ok := sentences[f.Code]; ok {
		return s.say(v, f)
	}
	return ""
}

// Explain returns what a code means and what to do, in general, as docs/findings.md has it.
func Explain(code finding.Code) (means, do string) {
	s := sentences[code]
	return s.mean, s.do
}

// subject names what is judged.
func (v Voice) subject() string {
	if v.Fixed {
		return "The model"
	}
	return "Tuning"
}

// lossName names the loss in a sentence.
func (v Voice) lossName() string {
	switch {
	case v.Amounts && v.Partly:
		return "the cost of the decided rows"
	case v.Amounts:
		return "the cost of all rows"
	case v.Measure == offer.CostName && v.Partly:
		return "the cost per 1,000 decided rows"
	case v.Measure == offer.CostName:
		return "the cost per 1,000 rows"
	}
	return "the loss"
}

// scale is of how many rows a loss is told: a cost that is the same for all rows, of 1,000.
func (v Voice) scale() float64 {
	if v.Measure == offer.CostName && !v.Amounts {
		return 1000
	}
	return 1
}

// losses shows losses side by side.
func (v Voice) losses(losses ...float64) []string {
	if v.Measure != offer.CostName {
		return english.Amounts(losses...)
	}
	scaled := make([]float64, len(losses))
	for i, x := range losses {
		scaled[i] = v.scale() * x
	}
	return english.Sums(scaled...)
}

// AllAs says that all rows are decided as a class: of two that none is as the one that matters more.
func (v Voice) AllAs(class string) string {
	if len(v.Classes) == 2 && v.First != "" && class != v.First {
		return "none as " + quoted(v.First)
	}
	return "all as " + quoted(class)
}

// quoted puts a name into quotes.
func quoted(name string) string { return `"` + name + `"` }

// names lists names in quotes, of many only the first.
func names(list []string) string {
	out := make([]string, len(list))
	for i, name := range list {
		out[i] = quoted(name)
	}
	return english.First(out)
}

// errors2 goes on with two standard errors of a difference, by which it is told from noise.
func (v Voice) errors2(f *finding.Finding) string {
	se, ok := f.Figure("loss_difference_standard_error")
	if !ok {
		return ""
	}
	return " (two standard errors are " + english.Significant(2*v.scale()*se.Value, 2) + ")"
}

// groupsOf counts the groups that figures are of, and tells how many equal ones they come to where that is another
// number.
func groupsOf(f *finding.Finding) string {
	groups, effective := f.Value("groups"), f.Value("effective_groups")
	text := english.Plural(int(groups), "group")
	if equal := english.Significant(effective, 2); equal != english.Significant(groups, 2) {
		text += " that tell as much as " + equal + " of equal size"
	}
	return text
}

// percent shows a share.
func percent(share float64) string { return english.Rounded(english.Percent(share, 1)) }

// ranged shows a share and its interval, if it has one.
func ranged(g finding.Figure) string {
	if g.Interval == nil {
		return percent(g.Value)
	}
	value, ends := english.Within(g.Value, g.Interval[0], g.Interval[1], 0)
	return value + " % (" + ends + ")"
}

// sentence joins parts, and ends with a full stop.
func sentence(parts ...string) string { return strings.Join(parts, "") + "." }
