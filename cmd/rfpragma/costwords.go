package main

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
)

// mostCosts is how many classes a table of costs has at most.
const mostCosts = 6

// byDecision tells whether costs are not one number for each class: whether it matters what a row is taken for, or a right decision costs something.
func byDecision(costs pragma.Costs) bool {
	for truth, row := range costs.Matrix {
		wrong := (truth + 1) % len(row)
		for decision, v := range row {
			if decision == truth && v != 0 || decision != truth && v != row[wrong] {
				return true
			}
		}
	}
	return false
}

// costText shows what a decision costs.
func costText(costs pragma.Costs, truth, decision int) string {
	v := costs.Matrix[truth][decision]
	switch {
	case v == 0 || costs.ByAmount == nil || !costs.ByAmount[truth]:
		return fmt.Sprint(v)
	case v == 1:
		return "its amount"
	}
	return fmt.Sprintf("%v of its amount", v)
}

// costWords says what errors cost; of two classes it tells of missing class c, of more it may leave that to the table.
func costWords(classes []string, costs pragma.Costs, c int) []string {
	k := len(classes)
	switch each := byDecision(costs); {
	case each && k > mostCosts:
		return []string{fmt.Sprintf("Each decision has a cost of its own: the JSON has all %d × %d.", k, k)}
	case each && k > 2:
		return []string{"What each decision costs is in the table of costs."}
	case each:
		lines := make([]string, k)
		for truth, name := range classes {
			lines[truth] = fmt.Sprintf("A row of %q costs %s as %q, %s as %q.", name, costText(costs, truth, 0), classes[0], costText(costs, truth, 1), classes[1])
		}
		return lines
	case k == 2:
		return []string{fmt.Sprintf("A missed %q costs %s, a false alarm %s.", classes[c], costText(costs, c, 1-c), costText(costs, 1-c, c))}
	}
	errors := make([]string, k)
	for truth, name := range classes {
		errors[truth] = fmt.Sprintf("%s for a row of %q", costText(costs, truth, (truth+1)%k), name)
	}
	lines := []string{"An error costs " + few(errors) + "."}
	if c := pragma.Dear(costs.Weights(nil)); len(c) > 1 && !costs.Amounts() {
		lines = append(lines, fmt.Sprintf("So taking %q for %q costs %s as well; where it should cost less, give a table with --costs.", classes[c[0]], classes[c[1]], costText(costs, c[0], c[1])))
	}
	return lines
}

// uncostedWords say what is taken for the cost of classes that no --cost names.
func uncostedWords(classes []string) []string {
	if len(classes) == 0 {
		return nil
	}
	names := make([]string, len(classes))
	for c, name := range classes {
		names[c] = fmt.Sprintf("%q", name)
	}
	return []string{fmt.Sprintf("No --cost names %s: what is not named costs 1.", few(names))}
}

// costTable shows what each decision costs, where that takes more than a sentence; else it has no rows.
func costTable(classes []string, costs pragma.Costs) *grid {
	k := len(classes)
	if k < 3 || k > mostCosts || !byDecision(costs) {
		return &grid{}
	}
	g := &grid{head: append([]string{"actual, decided as"}, classes...)}
	for truth, name := range classes {
		cells := []string{name}
		for decision := range classes {
			cells = append(cells, costText(costs, truth, decision))
		}
		g.add(cells...)
	}
	return g
}

// worthless says of two classes, where no costs are asked for and the alarms are worth less than none at all at the price that their probabilities stand for, of new rows beyond noise, from which price on they are worth more.
func (v *verdict) worthless() []string {
	if len(v.classes) != 2 || v.costs.Matrix != nil || v.priced || v.report.Votes == nil || v.discord != nil {
		return nil
	}
	c, tuned := v.matter[0], &v.report.Rules.Tuned
	at, _, _ := report.NetBenefit(v.report, v.costs, c)
	class := tuned.Classes[v.classes[c]]
	if class.PrecisionInterval == nil {
		return nil
	}
	right := class.PrecisionInterval[1]
	if v.rows != newRows { // of which it is said as it is, and not of others
		right = *class.Precision
	}
	if !(right < at) {
		return nil
	}
	hits := tuned.Confusion[c][c]
	if hits == 0 {
		return []string{fmt.Sprintf("On %s no alarm for %q is right, so they pay at no price.", v.on(), v.classes[c])}
	}
	return []string{fmt.Sprintf("Against no alarms at all these pay on %s only if a missed %q costs you more than %s.", v.on(), v.classes[c], falseAlarms(tuned.Confusion[1-c][c]/hits))}
}

// due says that more than half of what the rows cost is due to one of them, or nearly all to few, where it is.
func (v *verdict) due() []string {
	f := assess.CostOfFew(v.subject())
	if f == nil {
		return nil
	}
	return []string{v.voice().Short(f)}
}

// hangs says that what tuning gains or loses on the plain vote hangs on few rows, where it does.
func (v *verdict) hangs() []string {
	if v.report.Votes == nil || v.report.Together != nil { // whose sums are of more rows than there are votes of
		return nil
	}
	t := v.report.Votes
	plain := t.Rule(nil)
	if said := v.hang(plain.Decide); said != "" {
		return []string{strings.TrimSpace(said)}
	}
	return nil
}

// hang says that the difference in cost between the model and other decisions of the judged rows hangs on few of them; "" where it does not.
func (v *verdict) hang(other func(votes []uint32) int) string {
	f := assess.Hang(v.subject(), other)
	if f == nil {
		return ""
	}
	return " " + v.voice().Short(f)
}

// tunedCosts is what the rows cost in all, by how they are decided.
type tunedCosts struct {
	Tuned  float64            `json:"tuned"`  // under the weights
	Plain  float64            `json:"plain"`  // under the plain vote
	Cost   float64            `json:"cost"`   // by pragma.Costs.Weights
	Always map[string]float64 `json:"always"` // as this class, all of them
}

// costs is nil where the measure is no cost.
func (s *shownTuning) costs() *tunedCosts {
	of := s.loss.costs
	if of.Matrix == nil {
		return nil
	}
	plain := s.staked.Confuse(nil)
	return &tunedCosts{
		Tuned: of.Total(s.staked.Confuse(s.found.Weights)), Plain: of.Total(plain),
		Cost: of.Total(s.staked.Confuse(of.Weights(tables.MeanAmounts(s.table)))), Always: of.Always(plain),
	}
}

// words say what the rows cost, and what it costs to decide them alike where v knows nothing of that.
func (c *tunedCosts) words(v *verdict) []string {
	all, before := []float64{c.Tuned, c.Plain, c.Cost}, ""
	if v.had != nil {
		all = append(all, *v.had.Cost)
	}
	sums := english.Sums(all...)
	if v.had != nil {
		before = fmt.Sprintf(" %s under those that the model has,", sums[3])
	}
	lines := []string{fmt.Sprintf("These rows cost %s in all under these weights,%s %s under the plain vote, %s under weights by cost alone.", sums[0], before, sums[1], sums[2])}
	if v.report.Always == nil { // else the verdict says it
		lines = append(lines, alwaysWords(v.classes, c.Always))
	}
	return lines
}

// lossText shows a loss of these rows as it is shown beside that of the plain vote.
func (s *shownTuning) lossText(loss float64) string {
	return lossTexts(s.loss.name, loss, s.found.Plain)[0]
}
