package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Shares of all rows above which alarms are many, and a flood whatever is searched for.
const (
	many   = 0.25
	mostly = 0.5
)

// flooded says that alarms, such a share of all rows, are many and most of them wrong; "" where they are not.
func flooded(measure string, share, precision float64) string {
	least := mostly
	if strings.HasPrefix(measure, "pragma") {
		least = many
	}
	if share <= least || precision >= 0.5 {
		return ""
	}
	return fmt.Sprintf("%s of 100 rows are alarms, and most of them wrong", about(100*share))
}

// flood says that alarms are right less often than x would let expect, and how to have fewer where that is beyond chance, or where they are many and most of them wrong; unless they
// are limited already, or it costs less to decide all rows alike. Where a recall is required that is not kept it says no more than that they are many.
func (v *verdict) flood(c int) []string {
	tuned, x := v.report.Rules.Tuned.Classes[v.classes[c]], v.prefs[c].X
	if tuned.Precision == nil || v.limited(c, pragma.PrecisionFloor, pragma.FalseAlarms, pragma.Alerts) || v.measure == "cost" && v.waste() != nil {
		return nil
	}
	share, precision, interval := tuned.Predicted/v.all(), *tuned.Precision, tuned.PrecisionInterval
	if latest(v.report) != nil { // the figures that are told of the class
		if of := v.report.Later(v.classes[c], v.withheld.decidedIn); of.Alerts != nil && of.Precision != nil {
			share, precision, interval = of.Alerts.Value, of.Precision.Value, &of.Precision.Interval
		}
	}
	wrong := flooded(v.measure, share, precision)
	fewer := strings.HasPrefix(v.measure, "pragma") && less(precision, x) && v.prefs[c] != pragma.Neutral()
	below := fewer && interval[1] < x
	offered := slices.ContainsFunc(v.others, func(o alternative) bool { return o.Alerts < min(share, tuned.Predicted/v.judged()) })
	var lines []string
	switch {
	case below && share <= mostly: // which says as much
	case wrong == "" && !fewer:
		return nil
	case wrong != "" && offered:
		lines = []string{wrong + "; for fewer take one of the other choices below."}
	case wrong != "":
		lines = []string{wrong + "."}
	}
	if v.limited(c, pragma.RecallFloor) && v.breaks(&v.report.Rules.Tuned) {
		return lines
	}
	if fewer {
		lines = append(lines, fmt.Sprintf("Fewer alarms are right than your x, %s: x is no floor, it says what finding all would be worth to you.", reached(x, interval)))
	}
	if offered || v.unlike || wrong == "" && !below {
		return lines
	}
	return append(lines, v.fewer(c, share)...)
}

// less tells whether a share is below another one, also as both are written.
func less(a, b float64) bool { return a < b && ofHundred(a) != ofHundred(b) }

// reached names an answer of a preference that a share is below, and admits it where its interval is not.
func reached(answer float64, interval *[2]float64) string {
	text := fmt.Sprintf("%.3g of 100", 100*answer)
	if interval[1] >= answer {
		text += ", though the range reaches that"
	}
	return text
}

// fewer says how to have fewer alarms for class c, which are such a share of the rows.
func (v *verdict) fewer(c int, share float64) []string {
	var ways []string
	if curvable(v.measure, v.prefs) {
		ways = append(ways, "take --measure "+curved+", by which much recall does not make up for little precision")
	}
	require := func(f pragma.Floor) {
		text := "add --require " + shellQuoted(f.Text(v.classes))
		if v.rows != newRows && v.report.Votes != nil {
			recall, ok := v.reaching(f)
			if !ok {
				return
			}
			text += " (recall up to " + ofHundred(recall) + " % on these rows)"
		}
		ways = append(ways, text)
	}
	if budget := v.budget(c, 1e4*share); budget > 0 {
		require(pragma.Floor{Class: c, What: pragma.Alerts, Limit: budget / 1e4, Typed: fmt.Sprintf("%g/10000", budget)})
	}
	if x := v.prefs[c].X; strings.HasPrefix(v.measure, "pragma") && x > *v.report.Rules.Tuned.Classes[v.classes[c]].Precision && len(v.floors) == 0 {
		require(pragma.Floor{Class: c, What: pragma.PrecisionFloor, Limit: x})
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

// reaching returns the largest recall of the class of a floor that weights of it alone reach on the judged rows while they keep it, in whole percents aimed at; not ok where none keep it.
func (v *verdict) reaching(f pragma.Floor) (recall float64, ok bool) {
	recalls := make([]float64, 100)
	for i := range recalls {
		recalls[i] = float64(i+1) / 100
	}
	h := v.report.Votes.Compress()
	for _, weight := range weightsFor(h, v.weights, f.Class, recalls) {
		if m := h.Confuse(weight.of(v.weights, f.Class)); f.Missing(f.Of(m, v.withheld.decided())) == 0 {
			recall, _ = m.Recall(f.Class)
			ok = true
		}
	}
	return recall, ok
}

// budget returns how many alarms for class c in 10,000 rows to ask for instead of so many: half of them or, where a recall of c is required, no fewer than finding that takes on these votes and a tenth
// more, as other votes take others. It is 0 where that is hardly fewer, or where something else is required, beside which it might not be kept.
func (v *verdict) budget(c int, now float64) float64 {
	budget := firstDigit(now / 2)
	for _, f := range v.floors {
		if f.Class != c || f.What != pragma.RecallFloor {
			return 0
		}
		h, takes := v.report.Votes.Compress(), now
		for _, weight := range weightsFor(h, v.weights, c, []float64{f.Limit}) {
			m := h.Confuse(weight.of(v.weights, c))
			takes = 1.1e4 * m.Predicted(c) / m.Total() * v.withheld.decided()
		}
		budget = max(budget, threeDigits(takes))
	}
	if budget > 0.9*now {
		return 0
	}
	return budget
}

// misses says that of a class of which precision matters more less is found than y would let expect, and how to find more where that is beyond chance.
func (v *verdict) misses(c int) []string {
	tuned, f := v.report.Rules.Tuned.Classes[v.classes[c]], v.prefs[c]
	if tuned.Precision == nil || !strings.HasPrefix(v.measure, "pragma") || f.X <= f.Y || tuned.Recall == nil || !less(*tuned.Recall, f.Y) || v.limited(c, pragma.RecallFloor) {
		return nil
	}
	floor := pragma.Floor{Class: c, What: pragma.RecallFloor, Limit: f.Y}
	said := fmt.Sprintf("Fewer are found than your y, %s: y is no floor, it says what alarms that are never wrong would be worth to you.", reached(f.Y, tuned.RecallInterval))
	offered := slices.ContainsFunc(v.others, func(o alternative) bool { return o.Recall > *tuned.Recall })
	if below := tuned.RecallInterval[1] < f.Y; below && !offered && !v.unlike && len(v.floors) == 0 { // beside which another might not be kept
		said += fmt.Sprintf(" To find more %sadd --require %s.", v.again(), shellQuoted(floor.Text(v.classes)))
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
	return slices.ContainsFunc(v.floors, func(f pragma.Floor) bool { return f.Class == c && slices.Contains(figures, f.What) })
}

// firstDigit rounds n, above 0, down to its first digit.
func firstDigit(n float64) float64 {
	unit := 1.0
	for ; n >= 10; n /= 10 {
		unit *= 10
	}
	return max(1, math.Floor(n)) * unit
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
	rows := func(c int) float64 { return v.report.Rules.Tuned.Classes[v.classes[c]].Rows }
	var few []int
	var thetas portable.Sum
	for c, f := range v.prefs {
		if rows(c) > 0 {
			thetas.Add(f.Theta)
		}
		if rows(c) > 0 && rows(c) < eval.FewRows && f.Theta > 0 {
			few = append(few, c)
		}
	}
	slices.SortStableFunc(few, func(a, b int) int { return cmp.Compare(rows(a), rows(b)) })
	var lines []string
	for _, c := range few[:min(len(few), mostNamed)] {
		n := int(math.Round(rows(c)))
		line := fmt.Sprintf("Class %q has only %s: each that is found or missed moves its recall by %.0f points", v.classes[c], plural(n, "row"), min(100, 100/rows(c)))
		if n == 1 {
			line = fmt.Sprintf("Class %q has only 1 row, which says nothing of others", v.classes[c])
		}
		if part := lossText(v.prefs[c].Theta / thetas.Value() * v.missing(c)); v.measure == "pragma" && part != lossText(0) {
			line += fmt.Sprintf(", and %s of the loss is of this class", part)
			if recall := v.report.Rules.Tuned.Classes[v.classes[c]].Recall; recall != nil && *recall == 1 {
				line += ", all by false alarms"
			}
		}
		lines = append(lines, line+".")
	}
	return lines
}

// missing is what PRAGMA says of class c alone, as it is decided: 0 where it is perfect, 1 at worst.
func (v *verdict) missing(c int) float64 {
	tuned := v.report.Rules.Tuned.Classes[v.classes[c]]
	alpha, beta := v.prefs[c].AlphaBeta()
	loss := 1 + float64(alpha**tuned.Recall)
	if tuned.Precision != nil {
		loss += float64(beta * *tuned.Precision)
	}
	return loss
}

// fewGroups tells whether the rows are of so few groups that they say little of others.
func (v *verdict) fewGroups() bool { return vote.TooFew(v.report.EffectiveGroups) }

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
