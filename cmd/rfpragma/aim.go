package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// aim is what was asked for.
type aim struct {
	classes []string
	share   []float64   // of the classes among the rows, or their rows
	ties    []int       // the order in which they win ties; nil if that follows from the shares
	spec    pragma.Spec // empty where nothing is preferred
	prefs   []pragma.Preference
	loss    loss     // what the weights are searched for
	floors  []string // as --require takes them
	given   bool     // weights are, and not searched for
	byCost  bool     // rows are decided by expected cost, and not by weights

	withheld *withheldInfo // rows that are left undecided; nil without --withhold
}

// order returns the classes as they win ties, the most common first.
func (a *aim) order() []int {
	return (&vote.Table{Classes: a.classes, Share: a.share, Ties: a.ties}).TieOrder()
}

// tieOrder returns the order of the classes of a frame.
func tieOrder(f *dataset.Frame) []int { return vote.TieOrder(f.ClassWeights(), f.FirstRows()) }

// matter returns the classes that matter most, the first before others: those of priority, else those of which something is required, else those that are
// clearly dearer to miss than the cheapest. Of two that matter alike it is the rarer, of more none.
func (a *aim) matter() []int {
	g := a.goal()
	return g.Matter()
}

// goal is the same as one value.
func (a *aim) goal() pragma.Goal {
	return pragma.Goal{Classes: a.classes, Order: a.order(), Preferences: a.prefs, Name: a.loss.name, Measure: a.loss.measure, Costs: a.loss.costs, Floors: a.required()}
}

// most is matter, or the first of it alone where it matters more than the next: by what it costs to miss, where something does, as beside costs no preference decides.
func (a *aim) most() []int {
	matter, costs := a.matter(), a.loss.costs
	if len(matter) < 2 {
		return matter
	}
	more := func(first, next int) bool { return a.prefs[first].Theta > a.prefs[next].Theta }
	if len(costs.Matrix) > 0 && !costs.Amounts() && len(a.required()) == 0 {
		weights := costs.Weights(nil)
		matter = slices.Clone(matter)
		slices.SortStableFunc(matter, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
		more = func(first, next int) bool { return weights[first] > weights[next] }
	}
	if more(matter[0], matter[1]) {
		return matter[:1]
	}
	return matter
}

// told names the classes of which a table has figures that most readers need of few classes: those that matter most, else all, unless these are many.
func (a *aim) told() []string {
	matter := a.matter()
	if matter == nil && len(a.classes) <= mostShown {
		return a.classes
	}
	var names []string
	for _, c := range matter[:min(len(matter), mostShown)] {
		names = append(names, a.classes[c])
	}
	return names
}

// rule is what tables call the rule of the model: tuned, given where its weights were not searched for, or expected where it decides by expected cost.
func (a *aim) rule() string {
	switch {
	case a.given:
		return "given"
	case a.byCost:
		return "expected"
	}
	return "tuned"
}

// aimOf is what a model was tuned for.
func aimOf(m *rfpragma.Model, prefs []pragma.Preference) *aim {
	r := m.Provenance
	measure, _ := m.Measure() // nil of one that no file can hold
	return &aim{classes: m.Classes(), share: m.Forest.Share, ties: m.Forest.Ties, spec: m.Spec, prefs: prefs, loss: loss{name: r.Measure, measure: measure, costs: r.CostsOf()}, floors: r.Floors, given: r.Choice == rfpragma.Given, byCost: r.ByCost}
}

// show says on the page what was asked for; a preference if the measure comes from it, or PRAGMA is told beside another.
func (a *aim) show(to *page, beside bool) {
	if byPreference := strings.HasPrefix(a.loss.name, "pragma"); byPreference || beside && a.preferred() {
		to.say(a.sought()...)
		showPreferences(to, a.classes, a.prefs, a.loss.name)
		to.say(a.requires()...)
		return
	}
	table := costTable(a.classes, a.loss.costs)
	if len(table.rows) == 0 {
		to.say(a.words()...)
		return
	}
	to.say(a.sought()...)
	to.table(table)
	to.say(a.requires()...)
}

// preferred tells whether there is a preference: one was given, or the measure comes from what all classes have without one.
func (a *aim) preferred() bool { return len(a.spec) > 0 || strings.HasPrefix(a.loss.name, "pragma") }

// words say the same without the preference.
func (a *aim) words() []string { return append(append([]string{}, a.sought()...), a.requires()...) }

// sought says what the weights are searched for, or judged by, instead of a preference.
func (a *aim) sought() []string {
	what, cost := "The weights are searched for", "the lowest cost"
	switch {
	case a.byCost:
		what, cost = "Each row is decided by", "its least expected cost"
	case a.given:
		what, cost = "The weights are given, and judged by", "what decisions cost"
	}
	switch {
	case strings.HasPrefix(a.loss.name, "pragma"):
		return nil
	case len(a.loss.costs.Matrix) == 0:
		return []string{fmt.Sprintf("%s the measure %s.", what, a.loss.name)}
	}
	lines := a.costs()
	lines[0] = fmt.Sprintf("%s %s. %s", what, cost, lines[0])
	return lines
}

// costs says what errors cost.
func (a *aim) costs() []string {
	missed := 0 // the class that errors are told of
	if len(a.prefs) == 2 {
		missed = pragma.MattersMore(a.order(), a.prefs)
	}
	return append(costWords(a.classes, a.loss.costs, missed), uncostedWords(a.loss.unnamed)...)
}

// facts are what was asked for in the record of a page.
func (a *aim) facts() []report.Fact {
	var facts []report.Fact
	if a.preferred() {
		facts = append(facts, fact("Preference", cmp.Or(a.spec.String(), "none")))
	}
	switch {
	case len(a.loss.costs.Matrix) > 0:
		facts = append(facts, fact("Costs", strings.Join(a.costs(), " ")))
	case a.loss.name != "pragma":
		facts = append(facts, fact("Measure", a.loss.name))
	}
	return append(facts, fact("Required", cmp.Or(strings.Join(a.floors, "; "), "nothing")))
}

// requires says what comes before the loss, and by which surface that follows from the preference where it is not the plane.
func (a *aim) requires() []string {
	var said []string
	if len(a.floors) > 0 {
		said = append(said, "First of all you require "+strings.Join(a.floors, "; ")+".")
	}
	if len(a.floors) > 0 && a.loss.name == curved && !a.given {
		said = append(said, "Within that your x and y still count.")
	}
	if said = append(said, a.surface()...); said == nil {
		return nil
	}
	return []string{strings.Join(said, " ")}
}

// surface names the loss where it follows from the preference by another surface than the plane.
func (a *aim) surface() []string {
	if !strings.HasPrefix(a.loss.name, shaped) {
		return nil
	}
	if a.loss.name == curved && len(a.floors) > 0 {
		return []string{"The loss is by harmonic means (" + curved + "), so that the limit is used: compare it with no other."}
	}
	return []string{"The loss here is " + a.loss.name + ": compare it only with losses of that name."}
}

// curved is the measure beside limits of alarms, see [pragma.Spec.Default].
const curved = shaped + "s=-1"

// shaped begins the names of the measures by other surfaces than the plane.
const shaped = "pragma:"

// required is what comes before the loss.
func (a *aim) required() []pragma.Floor {
	var floors []pragma.Floor
	for _, text := range a.floors {
		if f, err := pragma.ParseFloor(text, a.classes); err == nil { // they are texts of floors
			floors = append(floors, f)
		}
	}
	return floors
}

// floorTexts are floors as --require takes them.
func floorTexts(floors []pragma.Floor, classes []string) []string {
	return offer.FloorTexts(floors, classes)
}

// askedInfo is in JSON what was asked for beside a preference.
type askedInfo struct {
	CostMatrix   [][]float64 `json:"cost_matrix,omitempty"`    // of each decision, a line for each true class; where the measure is a cost
	CostByAmount []bool      `json:"cost_by_amount,omitempty"` // by true class, whether its costs are for each unit of the amount of the row
	ByCost       bool        `json:"by_cost,omitempty"`        // whether rows are decided by their least expected cost, and not by vote weights
	Required     []string    `json:"require,omitempty"`        // what comes before the loss, as --require takes it
}

func (a *aim) info() askedInfo {
	return askedInfo{a.loss.costs.Matrix, a.loss.costs.ByAmount, a.byCost, a.floors}
}

// priced says what missing class c, of two, is priced like by decisions of that outcome, and that it is near what an error was said to cost; where it is far from that, or nothing was said, that
// it comes from what is required.
func (a *aim) priced(c int, price float64, m *vote.Confusion, plain bool) string {
	if plain {
		return fmt.Sprintf("the plain vote happens to price a missed %q like %s", a.classes[c], falseAlarms(price))
	}
	text := fmt.Sprintf("a missed %q is priced like %s", a.classes[c], falseAlarms(price))
	said, ok := a.asked(c)
	for _, f := range a.required() {
		fewer := (f.What == pragma.RecallFloor) != (f.Class == c) // of the rows are to be decided as c
		switch {
		case m == nil || !tight(f, m):
		case !ok && len(a.loss.costs.Matrix) == 0:
			return text + ", a price that comes from what you require"
		case ok && apart(price, said) && fewer == (price < said):
			return text + fmt.Sprintf(", and not %s, because of what you require", significant(said, 3))
		}
	}
	if ok && !apart(price, said) && significant(price, 3) != significant(said, 3) {
		text += fmt.Sprintf(", near the %s that you asked for", significant(said, 3))
	}
	return text
}

// asked is how many false alarms missing class c, of two, was said to cost; not ok where it was not, or where each row has a cost of its own.
func (a *aim) asked(c int) (price float64, ok bool) {
	costs := a.loss.costs.Matrix
	if len(costs) != 2 || a.loss.costs.Amounts() {
		return 0, false
	}
	price = (costs[c][1-c] - costs[c][c]) / (costs[1-c][c] - costs[1-c][1-c])
	return price, price > 0 && !math.IsInf(price, 1)
}

// apart tells whether a price is another one: a quarter higher or more.
func apart(a, b float64) bool { return offer.Apart(a, b) }

// tight tells whether a figure is within a tenth of its limit, or beyond.
func tight(f pragma.Floor, m *vote.Confusion) bool {
	v, ok := f.Value(m)
	if f.What == pragma.Alerts || f.What == pragma.FalseAlarms {
		return ok && v >= 0.9*f.Limit
	}
	return ok && v <= 1.1*f.Limit
}

// observed is what a model of two classes made of the votes that it was tuned on, nil where that is not known.
func observed(m *rfpragma.Model) *vote.Confusion {
	figures := m.Provenance.Figures
	if len(figures) != 2 {
		return nil
	}
	out := vote.NewConfusion(m.Classes())
	for c, f := range figures {
		if f.Share == nil || f.Recall == nil {
			return nil
		}
		hits := f.Share.Value * f.Recall.Value
		out.Add(c, c, hits)
		out.Add(c, 1-c, f.Share.Value-hits)
	}
	return out
}

// nearlyAll is the share from which a class has nearly all rows.
const nearlyAll = 0.8

// turned warns where the class that matters most has nearly all rows: a preference or costs may be turned round.
func (a *aim) turned() []error {
	most := a.order()[0]
	share, costs := a.share[most]/portable.Total(a.share), a.loss.costs
	matters := slices.Equal(pragma.PriorityClasses(a.prefs), []int{most})
	if len(costs.Matrix) == 2 && !costs.Amounts() {
		matters = costs.Matrix[most][1-most] > costs.Matrix[1-most][most]
	}
	if !matters || share < nearlyAll {
		return nil
	}
	return []error{fmt.Errorf("class %s matters most, and is the most common (%s of the rows): is it what you look for?", english.Quote(a.classes[most]), rounded(percent(share)))}
}
