package pragma

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/vote"
)

// Goal is what is wanted of decisions, as one value.
type Goal struct {
	Classes     []string     // by their index
	Order       []int        // the classes as they win ties, the most common first, see vote.TieOrder
	Preferences []Preference // by class
	Name        string       // of the measure, as [Spec.ParseMeasure] reads it, or cost
	Measure     Measure      // what is least where decisions are best; nil if it is not known
	Costs       Costs        // behind the measure called cost; without a matrix there are none
	Floors      []Floor      // what must hold before the loss counts
}

// Goal returns the goal of a preference under floors, with the measure that follows from them, see [Spec.Default].
// Order is by class index the order in which classes win ties, see vote.TieOrder. Errors: those of [Spec.Resolve] and
// [Spec.Default]; a class with the preference [Find] before [Spec.For] was told its share.
func (s Spec) Goal(classes []string, order []int, floors ...Floor) (Goal, error) {
	g := Goal{Classes: classes, Order: order, Floors: floors}
	var err error
	if g.Preferences, err = s.Resolve(classes); err != nil {
		return g, err
	}
	for c, p := range g.Preferences {
		if p.from == open {
			return g, &SpecError{Err: fmt.Errorf("class %s is to be found, and what that asks for follows from its share of "+
				"the rows; take the Spec that For returns", english.Quote(classes[c]))}
		}
	}
	g.Measure, g.Name, err = s.Default(classes, floors)
	return g, err
}

// mostNamed is how many classes that matter most can be told of one by one.
const mostNamed = 3

// Matter returns the classes that matter most, the first before others: those of priority, or else those of which
// something is required, or else those that cost clearly more to miss than the cheapest. Of two that matter alike it
// is the one of which something is required, or else the rarer, of more none.
func (g *Goal) Matter() []int {
	if len(g.Preferences) == 2 {
		if g.Preferences[0].Theta == g.Preferences[1].Theta && len(g.Floors) > 0 &&
			!slices.ContainsFunc(g.Floors, func(f Floor) bool { return f.Class != g.Floors[0].Class }) {
			return []int{g.Floors[0].Class}
		}
		if c := MattersMore(g.Order, g.Preferences); c >= 0 {
			return []int{c}
		}
		return nil
	}
	if priority := PriorityClasses(g.Preferences); priority != nil {
		return priority
	}
	var out []int
	for _, f := range g.Floors {
		if !slices.Contains(out, f.Class) {
			out = append(out, f.Class)
		}
	}
	switch {
	case len(out) > mostNamed:
		return nil
	case out != nil || len(g.Costs.Matrix) == 0 || g.Costs.Amounts():
		return out
	}
	return dear(g.Costs.Weights(nil))
}

// MattersMore returns the class of two that is more important, of equals the rarer. Order is as in [Goal]. It is -1 if
// these are not two.
func MattersMore(order []int, prefs []Preference) int {
	switch {
	case len(order) != 2 || len(prefs) != 2:
		return -1
	case prefs[1].Theta > prefs[0].Theta:
		return 1
	case prefs[1].Theta < prefs[0].Theta:
		return 0
	}
	return order[1]
}

// dear returns the classes of which an error costs at least twice as much in the mean as of the cheapest, the dearest
// first; none if more than three do. Costs are those of [Costs.Weights].
func dear(costs vote.Weights) []int {
	var out []int
	for c, cost := range costs {
		if cost >= 2*slices.Min(costs) {
			out = append(out, c)
		}
	}
	if len(out) > mostNamed {
		return nil
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(costs[b], costs[a]) })
	return out
}

// Broken tells whether decisions break what is required. Decided is the share of all rows that they are of, 1 unless
// others are left undecided: a limit of alerts is a share of all rows.
func (g *Goal) Broken(m *vote.Confusion, decided float64) bool {
	return slices.ContainsFunc(g.Floors, func(f Floor) bool { return f.Missing(f.Of(m, decided)) > 0 })
}

// Of returns the decisions that a floor is of, given those of such a share of the rows, see [Goal.Broken]. How many
// rows of a slice are undecided is not known: alerts of a slice are a share of its decided rows, which is no less.
func (f Floor) Of(m *vote.Confusion, decided float64) *vote.Confusion {
	if m == nil || f.What != Alerts || !f.OfAll() || decided == 1 || len(m.Classes) == 0 {
		return m
	}
	all, other := vote.NewConfusion(m.Classes), (f.Class+1)%len(m.Classes)
	for truth, row := range m.Rows() {
		for decision, n := range row {
			all.Add(truth, decision, n)
		}
	}
	all.Add(other, other, float64(m.Total()*(1/decided-1)))
	return all
}
