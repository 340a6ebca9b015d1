package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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

// preferred tells whether there is a preference: one was given, or the measure comes from what all classes have without one.
func (a *aim) preferred() bool { return len(a.spec) > 0 || strings.HasPrefix(a.loss.name, "pragma") }

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

// show says in detail what was asked for: by a preference which outcomes are equally good, by costs the table of them.
func (a *aim) show(to *page) {
	if strings.HasPrefix(a.loss.name, "pragma") {
		showPreferences(to, a.classes, a.prefs, a.loss.name)
		return
	}
	to.table(costTable(a.classes, a.loss.costs))
}

// shares says how common the classes are: of two how common the one that matters is.
func (a *aim) shares() string {
	c := 0
	switch k := len(a.classes); {
	case k > mostShown:
		return fmt.Sprintf("%d classes", k)
	case k > 2:
		return classShares(a.classes, a.share)
	default:
		c = a.matter()[0]
	}
	return fmt.Sprintf("%s %s", rounded(percent(a.share[c]/portable.Total(a.share))), printable(strconv.Quote(a.classes[c])))
}
