package view

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// foldWords says what the weights of the folds mean for a forest of the given number of trees.
func foldWords(classes []string, folds []eval.FoldWeights, order []int, trees int, prefs []pragma.Preference) []string {
	if len(classes) > 2 && len(folds) == 1 {
		return []string{english.Capital(worthWords(classes, medianWeights(classes, folds))) + "."}
	}
	if len(classes) > 2 {
		return []string{"In the middle of the folds " + worthWords(classes, medianWeights(classes, folds)) + "."}
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

// WeightWords says what the weights mean for a forest of the given number of trees.
func WeightWords(classes []string, w vote.Weights, order []int, trees int, prefs []pragma.Preference) []string {
	if len(classes) > 2 {
		return []string{"Now " + worthWords(classes, w) + "."}
	}
	c := pragma.MattersMore(order, prefs)
	if trees == 0 { // scores
		return nil
	}
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

// worthWords says what a vote for each class is worth, of many classes the ends.
func worthWords(classes []string, w vote.Weights) string {
	const all = 4
	least, most := 0, 0
	for c := range w {
		if w[c] < w[least] {
			least = c
		}
		if w[c] > w[most] {
			most = c
		}
	}
	switch {
	case w[least] == w[most]:
		return "the votes for all classes count the same, as in the plain vote"
	case len(classes) > all:
		return fmt.Sprintf("a vote counts most for %q (%s) and least for %q (%s)", classes[most], layout.Weight(w[most]),
			classes[least], layout.Weight(w[least]))
	}
	parts := make([]string, len(classes))
	for c, name := range classes {
		parts[c] = fmt.Sprintf("%s for %q", layout.Weight(w[c]), name)
	}
	return "a vote counts " + strings.Join(parts, ", ")
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

// Where more of a class may be meant to be found.
const (
	mostRecall = 0.95 // its recall, or less
)

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
