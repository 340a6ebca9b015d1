package view

import (
	"fmt"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/pragma"
)

// mostCosts is how many classes a table of costs has at most.
const mostCosts = 6

// ByDecision tells whether costs are not one number for each class: whether it matters what a row is taken for, or a
// right decision costs something.
func ByDecision(costs pragma.Costs) bool {
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
	switch each := ByDecision(costs); {
	case each && k > mostCosts:
		return []string{fmt.Sprintf("Each decision has a cost of its own: the JSON has all %d × %d.", k, k)}
	case each && k > 2:
		return []string{"What each decision costs is in the table of costs."}
	case each:
		lines := make([]string, k)
		for truth, name := range classes {
			lines[truth] = fmt.Sprintf("A row of %q costs %s as %q, %s as %q.", name, costText(costs, truth, 0), classes[0],
				costText(costs, truth, 1), classes[1])
		}
		return lines
	case k == 2:
		return []string{fmt.Sprintf("A missed %q costs %s, a false alarm %s.", classes[c], costText(costs, c, 1-c),
			costText(costs, 1-c, c))}
	}
	errors := make([]string, k)
	for truth, name := range classes {
		errors[truth] = fmt.Sprintf("%s for a row of %q", costText(costs, truth, (truth+1)%k), name)
	}
	return []string{"An error costs " + english.First(errors) + "."}
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
	return []string{fmt.Sprintf("No cost is given for %s: what is not named costs 1.", english.First(names))}
}

// costTable shows what each decision costs, where that takes more than a sentence; else it has no rows.
func costTable(classes []string, costs pragma.Costs) *layout.Grid {
	k := len(classes)
	if k < 3 || k > mostCosts || !ByDecision(costs) {
		return &layout.Grid{}
	}
	g := &layout.Grid{Head: append([]string{"actual, decided as"}, classes...)}
	for truth, name := range classes {
		cells := []string{name}
		for decision := range classes {
			cells = append(cells, costText(costs, truth, decision))
		}
		g.Add(cells...)
	}
	return g
}

// tunedCosts is what the rows cost in all, by how they are decided.
type tunedCosts struct {
	Tuned  float64            `json:"tuned"`  // under the weights
	Plain  float64            `json:"plain"`  // under the plain vote
	Cost   float64            `json:"cost"`   // by pragma.Costs.Weights
	Always map[string]float64 `json:"always"` // as this class, all of them
}
