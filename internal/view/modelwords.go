package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// Weighed is the weight of a class, and what else it is called.
type Weighed struct {
	Weight  float64           `json:"weight"`  // multiplies the votes; only ratios count
	Plateau rfpragma.Interval `json:"plateau"` // weights that decide the votes it was tuned on just as well
	Cutoff  float64           `json:"cutoff"`  // 1/weight, summing to 1: the cutoff of R's randomForest
	// Origin is own, shrunk (own, less than half of it kept), shared (follows from one number of all classes) or one;
	// not of two classes, nor where weights were given or are 1 each.
	Origin string `json:"origin,omitempty"`
}

// Weigh returns the weights of classes and their plateaus in all words.
func Weigh(w vote.Weights, origins []anneal.Origin, plateau func(c int) rfpragma.Interval) []Weighed {
	var sum portable.Sum
	for _, v := range w {
		sum.Add(1 / v)
	}
	out := make([]Weighed, len(w))
	for c, v := range w {
		out[c] = Weighed{Weight: v, Plateau: plateau(c), Cutoff: 1 / v / sum.Value()}
		if slices.ContainsFunc(origins, func(o anneal.Origin) bool { return o != anneal.One }) {
			out[c].Origin = origins[c].String()
		}
	}
	return out
}

// text shows the weight, and where it comes from unless it is its own.
func (w Weighed) text() string { return layout.Weight(w.Weight) + originText(w.Origin) }

// originText says in a word where a weight comes from that is not its own.
func originText(origin string) string {
	if origin == anneal.Shared.String() || origin == anneal.Shrunk.String() {
		return " (" + origin + ")"
	}
	return ""
}

// WeightTable shows the weights of a model, how far each could move, and what became of the classes under them, if
// that is known.
func WeightTable(m *rfpragma.Model) *layout.Grid {
	g := &layout.Grid{Head: []string{"class", "share", "vote weight", "same loss with"}}
	if m.Provenance.ByCost { // which goes by no weights
		g.Head = g.Head[:2]
	}
	columns := len(g.Head)
	figures := m.Provenance.Figures
	if figures != nil {
		from := string(m.Provenance.Votes)
		if m.Provenance.Votes == vote.Forward {
			from = "in training"
		}
		g.Head = append(g.Head, "recall "+from, "precision "+from)
	}
	for c, w := range ModelWeights(m) {
		cells := []string{m.Classes()[c], english.Percent(m.Forest.Share[c], 1), w.text(), layout.Plateau(w.Plateau)}[:columns]
		if figures != nil {
			cells = append(cells, observedText(figures[c].Recall, 0), observedText(figures[c].Precision, 0))
		}
		g.Add(cells...)
	}
	return g
}

// ModelWeights are those of a model.
func ModelWeights(m *rfpragma.Model) []Weighed {
	return Weigh(m.Weights, m.Provenance.Origins, func(c int) rfpragma.Interval { return m.Provenance.Plateau[c] })
}

// SettingWords names the settings of a forest that are searched.
func SettingWords(f forest.Config) string {
	leaf := ""
	if f.MinLeaf > 1 {
		leaf = fmt.Sprintf(", leaves of %d rows", f.MinLeaf)
	}
	return fmt.Sprintf("mtry %d%s%s", f.Mtry, leaf, GrowthWords(f))
}

// ChoiceWords say which settings of the forest were chosen, and what that gained; "" where they were given.
func ChoiceWords(m *rfpragma.Model) string {
	r := &m.Provenance
	how := r.ForestChoice
	switch {
	case how == nil:
		return ""
	case how.Kept:
		return fmt.Sprintf("Of %d settings of the forest none was proven better than the given one.", how.Settings)
	}
	f := r.Growth()
	return fmt.Sprintf("Forest chosen of %d settings: %s; held-out log loss %s instead of %s, %s %s instead of %s.",
		how.Settings, SettingWords(f),
		english.Amounts(how.LogLoss)[0], english.Amounts(how.GivenLogLoss)[0], r.Measure, english.Amounts(how.Loss)[0], english.Amounts(how.GivenLoss)[0])
}

// ChosenForests counts the settings that the trainings of a cross-validation chose.
type ChosenForests struct {
	Times map[string]int
	All   int
}

// chosenWords say how often which settings were chosen; "" where none were.
func (f *ChosenForests) chosenWords() string {
	if f.All == 0 {
		return ""
	}
	var names []string
	for name := range f.Times {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(f.Times[b], f.Times[a]), cmp.Compare(a, b)) })
	const most = 3
	var shown []string
	for i, name := range names {
		if i == most && len(names) > most+1 {
			shown = append(shown, fmt.Sprintf("%d others", len(names)-most))
			break
		}
		shown = append(shown, fmt.Sprintf("%s (%d)", name, f.Times[name]))
	}
	return fmt.Sprintf("Forests chosen in %s: %s.", english.Plural(f.All, "training"), strings.Join(shown, "; "))
}
