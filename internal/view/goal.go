package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/say"
	"github.com/rfpragma/rfpragma/tradeoff"
	"github.com/rfpragma/rfpragma/vote"
)

// Goal is what was asked for.
type Goal struct {
	Classes []string
	Share   []float64   // of the classes among the rows, or their rows
	Ties    []int       // the order in which they win ties; nil if that follows from the shares
	Spec    pragma.Spec // empty where nothing is preferred
	Prefs   []pragma.Preference
	Loss    Loss     // what the weights are searched for
	Floors  []string // as --require takes them
	Given   bool     // weights are, and not searched for
	ByCost  bool     // rows are decided by expected cost, and not by weights
	Sure    rfpragma.Sure
	Review  rfpragma.Review // which rows are left to people
	Typed   Typed

	Withheld *abstain.WithheldInfo // rows that are left undecided; nil without --withhold
}

// order returns the classes as they win ties, the most common first.
func (a *Goal) order() []int {
	return (&vote.Table{Classes: a.Classes, Share: a.Share, Ties: a.Ties}).TieOrder()
}

// TieOrder returns the order of the classes of a frame.
func TieOrder(f *dataset.Frame) []int { return vote.TieOrder(f.ClassWeights(), f.FirstRows()) }

// Matter returns the classes that matter most, the first before others: those of priority, else those of which
// something is required, else those that are clearly dearer to miss than the cheapest. Of two that matter alike it
// is the rarer, of more none.
func (a *Goal) Matter() []int {
	g := a.pragmaGoal()
	return g.Matter()
}

// pragmaGoal is the same as one value.
func (a *Goal) pragmaGoal() pragma.Goal {
	return pragma.Goal{Classes: a.Classes, Order: a.order(), Preferences: a.Prefs, Name: a.Loss.Name,
		Measure: a.Loss.Measure, Costs: a.Loss.Costs, Floors: a.required()}
}

// Most is matter, or the first of it alone where it matters more than the next: by what it costs to miss, where
// something does, as beside costs no preference decides.
func (a *Goal) Most() []int {
	matter, costs := a.Matter(), a.Loss.Costs
	if len(matter) < 2 {
		return matter
	}
	more := func(first, next int) bool { return a.Prefs[first].Theta > a.Prefs[next].Theta }
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

// classesTold names the classes of which a table has figures that most readers need of few classes: those that
// matter most, else all, unless these are many.
func (a *Goal) classesTold() []string {
	matter := a.Matter()
	if matter == nil && len(a.Classes) <= mostShown {
		return a.Classes
	}
	var names []string
	for _, c := range matter[:min(len(matter), mostShown)] {
		names = append(names, a.Classes[c])
	}
	return names
}

// ruleName is what tables call the rule of the model: tuned, given where its weights were not searched for, or expected
// where it decides by expected cost.
func (a *Goal) ruleName() string {
	switch {
	case a.Given:
		return "given"
	case a.ByCost:
		return "expected"
	}
	return "tuned"
}

// GoalOf is what a model was tuned for.
func GoalOf(m *rfpragma.Model, prefs []pragma.Preference) *Goal {
	r := m.Provenance
	measure, _ := m.Measure() // nil of one that no file can hold
	return &Goal{Classes: m.Classes(), Share: m.Forest.Share, Ties: m.Forest.Ties, Spec: m.Spec, Prefs: prefs,
		Loss: Loss{Name: r.Measure, Measure: measure, Costs: r.CostsOf()}, Floors: r.Floors,
		Given: r.Choice == rfpragma.Given, ByCost: r.ByCost, Sure: sureOf(r.Guarantee), Review: reviewOf(r.Review)}
}

// sureOf is how surely what is required of a model was made to hold.
func sureOf(g *rfpragma.Guarantee) rfpragma.Sure {
	if g == nil || !g.Sure {
		return rfpragma.Sure{}
	}
	return rfpragma.Sure{Confidence: g.Confidence}
}

// reviewOf is which rows of a model are left to people.
func reviewOf(r *rfpragma.Reviewing) rfpragma.Review {
	if r == nil {
		return rfpragma.Review{}
	}
	return rfpragma.Review{Share: r.Share, Cost: r.Cost, Class: r.Class}
}

// preferred tells whether there is a preference: one was given, or the measure comes from what all classes have
// without one.
func (a *Goal) preferred() bool { return len(a.Spec) > 0 || strings.HasPrefix(a.Loss.Name, "pragma") }

// costs says what errors cost.
func (a *Goal) costs() []string {
	missed := 0 // the class that errors are told of
	if len(a.Prefs) == 2 {
		missed = pragma.MattersMore(a.order(), a.Prefs)
	}
	return append(costWords(a.Classes, a.Loss.Costs, missed), uncostedWords(a.Loss.Unnamed)...)
}

// recordFacts are what was asked for in the record of a page.
func (a *Goal) recordFacts() []report.Fact {
	var facts []report.Fact
	if a.preferred() {
		facts = append(facts, Fact("Preference", cmp.Or(a.Spec.String(), "none")))
	}
	switch {
	case len(a.Loss.Costs.Matrix) > 0:
		facts = append(facts, Fact("Costs", strings.Join(a.costs(), " ")))
	case a.Loss.Name != "pragma":
		facts = append(facts, Fact("Measure", a.Loss.Name))
	}
	return append(facts, Fact("Required", cmp.Or(strings.Join(a.Floors, "; "), "nothing")))
}

// required is what comes before the loss.
func (a *Goal) required() []pragma.Floor {
	var floors []pragma.Floor
	for _, text := range a.Floors {
		if f, err := pragma.ParseFloor(text, a.Classes); err == nil { // they are texts of floors
			floors = append(floors, f)
		}
	}
	return floors
}

// limit is what is required of a figure of class c of all rows; nil where nothing is.
func (a *Goal) limit(c int, what pragma.Figure) *pragma.Floor {
	for _, f := range a.required() {
		if f.OfAll() && f.Class == c && f.What == what {
			return &f
		}
	}
	return nil
}

// FloorTexts are floors as --require takes them.
func FloorTexts(floors []pragma.Floor, classes []string) []string {
	return offer.FloorTexts(floors, classes)
}

// AskedInfo is in JSON what was asked for beside a preference.
type AskedInfo struct {
	// of each decision, a line for each true class; where the measure is a cost
	CostMatrix [][]float64 `json:"cost_matrix,omitempty"`
	// by true class, whether its costs are for each unit of the amount of the row
	CostByAmount []bool `json:"cost_by_amount,omitempty"`
	// whether rows are decided by their least expected cost, and not by vote weights
	ByCost   bool     `json:"by_cost,omitempty"`
	Required []string `json:"require,omitempty"` // what comes before the loss, as --require takes it
}

// Info is what JSON tells of it.
func (a *Goal) Info() AskedInfo {
	return AskedInfo{a.Loss.Costs.Matrix, a.Loss.Costs.ByAmount, a.ByCost, a.Floors}
}

// nearlyAll is the share from which a class has nearly all rows.
const nearlyAll = 0.8

// Turned warns where the class that matters most has nearly all rows: a preference or costs may be turned round.
func (a *Goal) Turned() []error {
	most := a.order()[0]
	share, costs := a.Share[most]/portable.Total(a.Share), a.Loss.Costs
	matters := slices.Equal(pragma.PriorityClasses(a.Prefs), []int{most})
	if len(costs.Matrix) == 2 && !costs.Amounts() {
		matters = costs.Matrix[most][1-most] > costs.Matrix[1-most][most]
	}
	if !matters || share < nearlyAll {
		return nil
	}
	return []error{fmt.Errorf("class %s matters most, and is the most common (%s of the rows): is it what you look for?",
		english.Quote(a.Classes[most]), english.Rounded(english.Percent(share, 1)))}
}

// ShowCosts shows the table of what each decision costs, where it takes one.
func (a *Goal) ShowCosts(to *layout.Page) { to.Table(costTable(a.Classes, a.Loss.Costs)) }

// shares says how common the classes are: of two how common the one that matters is.
func (a *Goal) shares() string {
	c := 0
	switch k := len(a.Classes); {
	case k > mostShown:
		return fmt.Sprintf("%d classes", k)
	case k > 2:
		return ClassShares(a.Classes, a.Share)
	default:
		c = a.Matter()[0]
	}
	return fmt.Sprintf("%s %s", english.Rounded(english.Percent(a.Share[c]/portable.Total(a.Share), 1)),
		layout.Printable(strconv.Quote(a.Classes[c])))
}

// Loss is what the weights are searched for.
type Loss struct {
	Name    string
	Measure pragma.Measure
	Costs   pragma.Costs // behind the measure "cost"
	Chosen  bool         // by --measure, or when the model was tuned
	Unnamed []string     // classes that no --cost names
}

// Follows tells whether the measure of a model is the one that follows from its preference and what is required, and
// was not chosen.
func Follows(m *rfpragma.Model) (bool, error) {
	had, err := m.Floors()
	if err != nil {
		return false, err
	}
	_, usual, err := m.Spec.Default(m.Classes(), had)
	return m.Provenance.Measure == usual && !m.Provenance.Chosen, err
}

// Typed says how a front end asks for what may be done, in its own terms; the zero value asks for nothing.
type Typed struct {
	Remedy  func(r finding.Remedy, classes []string) string // "" where nothing does it
	Point   func(o *tradeoff.Point) []string                // what asks for an operating point, part by part
	Details string                                          // what shows the findings that are left out
}

func (t *Typed) remedy(r finding.Remedy, classes []string) string {
	if t.Remedy == nil {
		return ""
	}
	return t.Remedy(r, classes)
}

func (t *Typed) point(o *tradeoff.Point) []string {
	if t.Point == nil {
		return o.Require
	}
	return t.Point(o)
}

// Asks is what was asked for, as other choices stand beside it; of rows that were judged.
func (a *Goal) Asks(report *eval.Report) *tradeoff.Asked {
	of := &tradeoff.Asked{Goal: a.pragmaGoal(), Spec: a.Spec, Chosen: a.Loss.Chosen}
	if report == nil {
		return of
	}
	if s, kept := assess.SpentHere(report), (&assess.Subject{Goal: of.Goal}).AlikeKept(&report.Rules.Tuned); s.Wasted(
		kept) {
		cost := s.Always[s.Cheapest(kept)]
		of.Constant = &cost
	}
	return of
}

// Preferences are those of the classes, none where nothing is preferred.
func (a *Goal) Preferences() map[string]PreferenceInfo {
	info := make(map[string]PreferenceInfo, len(a.Classes))
	for c, name := range a.Classes {
		if a.preferred() {
			alpha, beta := a.Prefs[c].AlphaBeta()
			info[name] = PreferenceInfo{a.Prefs[c], alpha, beta}
		}
	}
	return info
}

// decimals is how many the figures of a class have at least that stand in the table of classes with an interval: of
// the other one of two, whose recall is the specificity, one, as the false positive rate is mostly below 10 %.
func (a *Goal) decimals(c int) int {
	if len(a.Classes) == 2 && c != a.Matter()[0] {
		return 1
	}
	return 0
}

// mostShown is how many classes the table of probabilities has at most; all are in the JSON.
const mostShown = 8

// Many tells whether classes are so many that they take the room of a screen.
func Many(classes int) bool { return classes > mostShown }

// Request says in a line or two what was asked for, in the terms of who asked.
func (a *Goal) Request() []string {
	var parts []string
	costs := a.Loss.Costs.Matrix != nil
	switch {
	case costs:
		c := 0
		if len(a.Classes) == 2 {
			c = pragma.MattersMore(a.order(), a.Prefs)
		}
		for _, text := range costWords(a.Classes, a.Loss.Costs, c) {
			parts = append(parts, uncapitalised(strings.TrimSuffix(text, ".")))
		}
	case a.fewErrors():
	case !strings.HasPrefix(a.Loss.Name, "pragma"):
		parts = append(parts, "the lowest loss by "+a.Loss.Name)
	default:
		parts = append(parts, a.wished()...)
	}
	for _, f := range a.required() {
		parts = append(parts, (say.Voice{Classes: a.Classes}).Required(f))
	}
	if a.Sure.MaxCost > 0 {
		parts = append(parts, fmt.Sprintf("a cost per 1,000 rows of at most %s", english.Sums(1000 * a.Sure.MaxCost)[0]))
	}
	if a.Sure.Confidence > 0 {
		parts[len(parts)-1] += ", with " + english.Rounded(english.Percent(a.Sure.Confidence, 1)) + " confidence"
	}
	if a.fewErrors() {
		parts[len(parts)-1] += ", with as few errors as possible"
	}
	if r := a.Review; r.Share > 0 {
		near := ""
		if r.Class != "" {
			near = fmt.Sprintf(" that may be %q", r.Class)
		}
		parts = append(parts, fmt.Sprintf("at most %s of 1,000 rows%s left to people", layout.PerThousand(r.Share)[0], near))
	}
	if a.Review.Cost > 0 {
		parts = append(parts, "to have a row looked at costs "+english.Significant(a.Review.Cost, 6))
	}
	if a.ByCost {
		parts = append(parts, "each row decided by its least expected cost")
	}
	return []string{"You asked: " + strings.Join(parts, "; ") + "."}
}

// fewErrors tells whether the loss follows from floors of recall alone, see [pragma.Spec.Default].
func (a *Goal) fewErrors() bool {
	return a.Loss.Name == "accuracy" && !a.Loss.Chosen && len(a.required()) > 0
}

// uncapitalised begins a text with a small letter, as it stands within a sentence.
func uncapitalised(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// wished says what is preferred: of the plainest preference that a class matters most.
func (a *Goal) wished() []string {
	var parts []string
	for _, w := range distinct(a.Classes, a.Prefs) {
		if w.Preference == (pragma.Preference{}) || w.Preference == pragma.Neutral() {
			continue
		}
		names := make([]string, len(w.classes))
		for i, name := range w.classes {
			names[i] = strconv.Quote(name)
		}
		parts = append(parts, fmt.Sprintf("%s %s %g times; finding all with %s of alarms right is worth finding %s with "+
			"all right",
			english.First(names), english.Verb(len(names), "counts", "count"), w.Theta, english.Rounded(english.Percent(w.X, 1)),
			english.Rounded(english.Percent(w.Y, 1))))
	}
	if parts == nil {
		return []string{"all classes alike"}
	}
	return parts
}

// Alone tells whether vote weights alone decide, so that others may be taken: not the expected cost, no test makes sure
// of anything, and no row is left to people.
func (a *Goal) Alone() bool {
	return !a.ByCost && a.Sure == rfpragma.Sure{} && a.Review == rfpragma.Review{}
}

// digits is with how many decimals a share of class c is shown at least, so that it does not look like a limit that it
// is not.
func (a *Goal) digits(c int, what pragma.Figure, share float64) int {
	if f := a.limit(c, what); f != nil {
		return max(1, layout.Decimals(english.Beside(share, f.Limit, 0)))
	}
	return 0
}

// Likely returns the class that a list is most likely wanted of: the one that matters most, else the rarest; and why.
func (a *Goal) Likely() (class, why string) {
	if matter := a.Matter(); len(matter) > 0 {
		class = a.Classes[matter[0]]
		return class, fmt.Sprintf(" (%s matters most)", english.Quote(class))
	}
	order := a.order()
	return a.Classes[order[len(order)-1]], ""
}
