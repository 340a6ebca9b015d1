package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
)

// flood says that alarms are right less often than x would let expect, and how to have fewer where that is beyond chance, or where they are many and most of them wrong; unless they
// are limited already, or it costs less to decide all rows alike. Where a recall is required that is not kept it says no more than that they are many.
func (v *verdict) flood(c int) []string {
	voice, lines := v.voice(), []string(nil)
	found := assess.Alarms(v.subject(), c)
	for i := range found {
		f := &found[i]
		if line := voice.Clause(f); f.Remedied(codes.OtherChoice) {
			lines = append(lines, line+"; for fewer take one of the other choices below.")
		} else {
			lines = append(lines, line+".")
		}
	}
	if found != nil {
		lines = append(lines, v.fewer(found[len(found)-1].Remedies)...)
	}
	return lines
}

// fewer says how to have fewer alarms.
func (v *verdict) fewer(remedies []finding.Remedy) []string {
	var ways []string
	for _, r := range remedies {
		switch r.Do {
		case codes.TakeMeasure:
			ways = append(ways, "take --measure "+r.Name+", by which much recall does not make up for little precision")
		case codes.Require:
			way := "add " + flagOf(r, v.classes)
			if r.Figures != nil {
				way += " (recall up to " + ofHundred(r.Figures[0].Value) + " % on these rows)"
			}
			ways = append(ways, way)
		}
	}
	if ways == nil {
		return nil
	}
	fewer := "For fewer alarms "
	if v.rows != newRows {
		fewer = "For fewer alarms, and less recall, "
	}
	return []string{fewer + v.again() + strings.Join(ways, ", or ") + "."}
}

// flagOf turns a remedy into a flag; "" where none does it.
func flagOf(r finding.Remedy, classes []string) string {
	switch r.Do {
	case codes.TakeWeights:
		return "--weights " + r.Name
	case codes.TakeMeasure:
		return "--measure " + r.Name
	case codes.Careful:
		return "--choice careful"
	case codes.Repeat:
		return "--repeats 5"
	case codes.IgnoreColumn:
		return csvtext.Flag("ignore", r.Column, "COL")
	case codes.Require:
		f := pragma.Floor{Class: slices.Index(classes, r.Class), What: pragma.Figure(r.Figure), Limit: r.Limit}
		if f.What == pragma.Alerts {
			f.Typed = significant(1e4*r.Limit, 12) + "/10000"
		}
		return "--require " + shellQuoted(f.Text(classes))
	}
	return ""
}

// misses says that of a class of which precision matters more less is found than y would let expect, and how to find more where that is beyond chance.
func (v *verdict) misses(c int) []string {
	f := assess.Misses(v.subject(), c)
	if f == nil {
		return nil
	}
	said := v.voice().Short(f)
	if f.Remedies != nil {
		said += fmt.Sprintf(" To find more %sadd %s.", v.again(), flagOf(f.Remedies[0], v.classes))
	}
	return []string{said}
}

// again says what to do first with a model that is judged as it is.
func (v *verdict) again() string {
	if v.rows == newRows {
		return ""
	}
	return "tune the model again: "
}

// limited tells whether one of the figures of class c is required to keep a limit.
func (v *verdict) limited(c int, figures ...pragma.Figure) bool {
	return v.subject().Limited(c, figures...)
}

// fewestMissed is how many missed rows can show a habit.
const fewestMissed = 3

// kin says of classes that matter most that most of their missed rows are taken for one class, which is not simply the most common one: that may be less
// bad than other errors, and a preference does not know it.
func (v *verdict) kin() []string {
	var lines []string
	if len(v.classes) < 3 || len(v.matter) > mostNamed || !strings.HasPrefix(v.measure, "pragma") {
		return nil
	}
	judged := v.report.Rules.Tuned.Classes
	common := slices.MaxFunc(v.classes, func(a, b string) int { return cmp.Compare(judged[a].Support, judged[b].Support) })
	for _, c := range v.matter {
		taken := slices.Clone(v.report.Rules.Tuned.Confusion[c])
		class := judged[v.classes[c]]
		missed := class.Support - taken[c]
		taken[c] = 0
		other := slices.Index(taken, slices.Max(taken))
		if class.Recall == nil || class.Rows*(1-*class.Recall) < fewestMissed || 2*taken[other] <= missed || v.classes[other] == common {
			continue
		}
		rows, of := about(taken[other]), english.Plural(about(missed), "row")
		text := fmt.Sprintf("Of the %s of %q that are missed %s %s taken for %q.", of, v.classes[c], rows, english.Verb(rows, "is", "are"), v.classes[other])
		if rows == about(missed) {
			text = fmt.Sprintf("All %s of %q that are missed are taken for %q.", of, v.classes[c], v.classes[other])
		}
		lines = append(lines, text+" By a preference that is no better than any other miss; if it is less bad to you, say so by --costs.")
	}
	return lines
}

// scarce says what a single row does to the recall of classes of a handful of rows, whatever these weigh, and how much of the loss is of each.
func (v *verdict) scarce() []string {
	var lines []string
	found := assess.Scarce(v.subject())
	for i := range found {
		lines = append(lines, v.voice().Short(&found[i]))
	}
	return lines
}

// groups counts the groups, and tells how many equal ones they come to where that is another number.
func (v *verdict) groups() string {
	text := english.Plural(v.report.Groups, "group")
	if equal := fmt.Sprintf("%.2g", v.report.EffectiveGroups); equal != fmt.Sprintf("%.2g", float64(v.report.Groups)) {
		text += fmt.Sprintf(" that tell as much as %s of equal size", equal)
	}
	return text
}

// fewestRanged is below what effective number of groups ranges say little: Student's t makes them more than one and a half times as wide as many groups would.
const fewestRanged = 5

// unsure says what to make of the ranges of a handful of groups.
func (v *verdict) unsure() []string {
	if n := v.report.EffectiveGroups; n == 0 || n > fewestRanged-1e-9 { // it is rounded
		return nil
	}
	line := fmt.Sprintf("With %s the ranges say little: take the figures as those of these groups", v.groups())
	if v.rows == newRows {
		line += ", or train on all but the last group and evaluate on that"
	}
	return []string{line + "."}
}
