package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
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
	if m.Provenance.Review != nil { // beside which they are of no use, as they count all rows as decided
		figures = nil
	}
	if figures != nil {
		from := string(m.Provenance.Votes)
		if m.Provenance.Votes == vote.Forward {
			from = "in training"
		}
		g.Head = append(g.Head, "recall "+from, "precision "+from)
	}
	for c, w := range ModelWeights(m) {
		share := "" // not known of a forest of another program
		if m.Provenance.Rows > 0 {
			share = english.Percent(m.Forest.Share[c], 1)
		}
		cells := []string{m.Classes()[c], share, w.text(),
			layout.Plateau(w.Plateau)}[:columns]
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

// settingWords names the settings of a forest that are searched.
func settingWords(f forest.Config) string {
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
	name, texts := tunedLosses(r, how.Loss, how.GivenLoss)
	logs := english.Amounts(how.LogLoss, how.GivenLogLoss)
	return fmt.Sprintf("Forest chosen of %d settings: %s; held-out log loss %s instead of %s, %s %s instead of %s.",
		how.Settings, settingWords(r.Growth()), logs[0], logs[1], strings.TrimPrefix(name, "the "), texts[0], texts[1])
}

// ChosenForests counts the settings that the trainings of a cross-validation chose.
type ChosenForests struct {
	times map[string]int // by their words
	all   int
}

// Add counts the settings that one training chose.
func (f *ChosenForests) Add(settings forest.Config) {
	if f.times == nil {
		f.times = map[string]int{}
	}
	f.times[settingWords(settings)]++
	f.all++
}

// chosenWords say how often which settings were chosen; "" where none were.
func (f *ChosenForests) chosenWords() string {
	if f.all == 0 {
		return ""
	}
	var names []string
	for name := range f.times {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(f.times[b], f.times[a]), cmp.Compare(a, b)) })
	const most = 3
	var shown []string
	for i, name := range names {
		if i == most && len(names) > most+1 {
			shown = append(shown, fmt.Sprintf("%d others", len(names)-most))
			break
		}
		shown = append(shown, fmt.Sprintf("%s (%d)", name, f.times[name]))
	}
	return fmt.Sprintf("Forests chosen in %s: %s.", english.Plural(f.all, "training"), strings.Join(shown, "; "))
}

// foldWords says what the weights of the folds mean, of two classes, for a forest of the given number of trees.
func foldWords(classes []string, folds []eval.FoldWeights, order []int, trees int, prefs []pragma.Preference) []string {
	if len(classes) > 2 { // the table has the weights
		return nil
	}
	c := pragma.MattersMore(order, prefs)
	needs := make([]int, len(folds))
	for i, f := range folds {
		needs[i] = tables.Enough(vote.NewRule(vote.Weights{f.Weights[classes[0]], f.Weights[classes[1]]}, order), trees, c)
	}
	slices.Sort(needs)
	least, middle, most := needs[0], needs[len(needs)/2], needs[len(needs)-1]
	text := fmt.Sprintf("In the folds %d to %d of %s are enough for %q", least, most, english.Plural(trees, "vote"),
		classes[c])
	switch {
	case len(needs) == 1:
		text = fmt.Sprintf("%d of %s %s enough for %q", least, english.Plural(trees, "vote"), english.Verb(least, "is",
			"are"), classes[c])
	case least == most:
		text = fmt.Sprintf("In all folds %d of %s %s enough for %q", least, english.Plural(trees, "vote"), english.Verb(least,
			"is", "are"), classes[c])
	case len(needs) > 2:
		text += fmt.Sprintf(" (middle %d)", middle)
	}
	return []string{fmt.Sprintf("%s; the plain vote needs %d.", text, tables.Enough(vote.NewRule(nil, order), trees, c))}
}

// WeightWords says what the weights of two classes mean for a forest of the given number of trees.
func WeightWords(classes []string, w vote.Weights, order []int, trees int, prefs []pragma.Preference) []string {
	if len(classes) > 2 || trees == 0 { // the table has the weights; scores are no votes
		return nil
	}
	c := pragma.MattersMore(order, prefs)
	need, plain := tables.Enough(vote.NewRule(w, order), trees, c), tables.Enough(vote.NewRule(nil, order), trees, c)
	text := fmt.Sprintf("%d of %s %s now enough for %q; the plain vote needs %d.", need, english.Plural(trees, "vote"),
		english.Verb(need, "is", "are"), classes[c], plain)
	switch {
	case need == plain:
		text = fmt.Sprintf("%d of %s %s enough for %q, as in the plain vote.", need, english.Plural(trees, "vote"),
			english.Verb(need, "is", "are"), classes[c])
	case need > plain:
		text = fmt.Sprintf("%d of %s %s now needed for %q (the plain vote needs %d).", need, english.Plural(trees, "vote"),
			english.Verb(need, "is", "are"), classes[c], plain)
	}
	return []string{text}
}

// medianWeights returns the median of each class's weight over the folds, of an even number
// the geometric mean of the middle two.
func medianWeights(classes []string, folds []eval.FoldWeights) vote.Weights {
	w := make(vote.Weights, len(classes))
	for c, name := range classes {
		weights := make([]float64, len(folds))
		for i, f := range folds {
			weights[i] = f.Weights[name]
		}
		slices.Sort(weights)
		w[c] = math.Sqrt(weights[len(weights)/2]) * math.Sqrt(weights[(len(weights)-1)/2])
	}
	return w
}

// mostOrigin is where the weight of a class comes from in more than half of the folds; "" where it differs.
func mostOrigin(folds []eval.FoldWeights, class string) string {
	times := map[string]int{}
	for _, f := range folds {
		origin := f.Origins[class]
		if times[origin]++; 2*times[origin] > len(folds) {
			return origin
		}
	}
	return ""
}

// ModelShares is [sharesWords] of a model.
func ModelShares(m *rfpragma.Model) string {
	shares := sharesWords(calib.Method(m.Provenance.Calibration), m.Maps)
	if shares != "" && m.Provenance.Prevalence != nil {
		return sharesAsCommon
	}
	return shares
}

// sharesAsCommon is said of shares of votes that are multiplied by how common the classes are.
const sharesAsCommon = "the shares of the votes, with the classes as common as they are"

// sharesWords says what the probabilities are where no map is fitted; "" where one is.
func sharesWords(method calib.Method, maps calib.Set) string {
	switch {
	case method != calib.None:
		return ""
	case slices.ContainsFunc(maps.Maps, func(m calib.Map) bool { return m != calib.Identity{} }): // of balanced bags
		return sharesAsCommon
	}
	return "the shares of the votes as they are"
}

// observedText shows a share with its interval, in whole percents.
func observedText(o *rfpragma.Observed, decimals int) string {
	if o == nil {
		return "n/a"
	}
	interval := o.Interval()
	return layout.Within(&o.Value, &interval, decimals)
}
