package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/offer"
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
	text := fmt.Sprintf("In the folds %d to %d of %s are enough for %q", least, most, english.Plural(trees, "vote"), classes[c])
	switch {
	case len(needs) == 1:
		text = fmt.Sprintf("%d of %s %s enough for %q", least, english.Plural(trees, "vote"), english.Verb(least, "is", "are"), classes[c])
	case least == most:
		text = fmt.Sprintf("In all folds %d of %s %s enough for %q", least, english.Plural(trees, "vote"), english.Verb(least, "is", "are"), classes[c])
	case len(needs) > 2:
		text += fmt.Sprintf(" (middle %d)", middle)
	}
	return []string{fmt.Sprintf("%s; the plain vote needs %d.", text, tables.Enough(vote.NewRule(nil, order), trees, c))}
}

// weightWords says what the weights mean for a forest of the given number of trees.
func weightWords(classes []string, w vote.Weights, order []int, trees int, prefs []pragma.Preference) []string {
	if len(classes) > 2 {
		return []string{"Now " + worthWords(classes, w) + "."}
	}
	c := pragma.MattersMore(order, prefs)
	if trees == 0 { // scores
		return nil
	}
	need, plain := tables.Enough(vote.NewRule(w, order), trees, c), tables.Enough(vote.NewRule(nil, order), trees, c)
	text := fmt.Sprintf("%d of %s %s now enough for %q; the plain vote needs %d.", need, english.Plural(trees, "vote"), english.Verb(need, "is", "are"), classes[c], plain)
	switch {
	case need == plain:
		text = fmt.Sprintf("%d of %s %s enough for %q, as in the plain vote.", need, english.Plural(trees, "vote"), english.Verb(need, "is", "are"), classes[c])
	case need > plain:
		text = fmt.Sprintf("%d of %s %s now needed for %q (the plain vote needs %d).", need, english.Plural(trees, "vote"), english.Verb(need, "is", "are"), classes[c], plain)
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
		return fmt.Sprintf("a vote counts most for %q (%s) and least for %q (%s)", classes[most], weightText(w[most]), classes[least], weightText(w[least]))
	}
	parts := make([]string, len(classes))
	for c, name := range classes {
		parts[c] = fmt.Sprintf("%s for %q", weightText(w[c]), name)
	}
	return "a vote counts " + strings.Join(parts, ", ")
}

// foldWeights returns the weights of each fold, by the numbers of the classes.
func foldWeights(classes []string, folds []eval.FoldWeights) []vote.Weights {
	all := make([]vote.Weights, len(folds))
	for f, fold := range folds {
		all[f] = make(vote.Weights, len(classes))
		for c, name := range classes {
			all[f][c] = fold.Weights[name]
		}
	}
	return all
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

// sameWords says of two classes what else the weights are called.
func sameWords(classes []string, w vote.Weights, c int) string {
	return fmt.Sprintf("That is the same as a threshold of %.3g on the share of %q.", w[1-c]/(w[c]+w[1-c]), classes[c])
}

// sharePriceWords says which price of a miss the weights imply where nothing is known of the votes but their shares.
func sharePriceWords(of *aim, w vote.Weights, m *vote.Confusion, c int) string {
	return "If shares are probabilities, " + of.priced(c, w[c]/w[1-c], m, w[c] == w[1-c]) + "."
}

// falseAlarms is what a miss is priced like.
func falseAlarms(n float64) string { return english.Plural(significant(n, 3), "false alarm") }

// Where more of a class may be meant to be found.
const (
	muchTheta  = 5    // its importance, or more
	mostRecall = 0.95 // its recall, or less
)

// wantsMore tells whether more of a class of which such a recall is known may be meant to be found: its recall is preferred to precision, and it is important.
func wantsMore(measure string, f pragma.Preference, recall *rfpragma.Observed) bool {
	return strings.HasPrefix(measure, "pragma") && f.Theta >= muchTheta && f.X < f.Y && recall != nil && recall.Rows >= effective.FewRows && recall.Value < mostRecall
}

// more says how to find more of class c, of two, where that may be meant and yet its votes count no more than in the plain vote; not beside a floor, as both might not be kept.
func (v *verdict) more(c int, w vote.Weights, recall *rfpragma.Observed) []string {
	if !wantsMore(v.measure, v.prefs[c], recall) || w[c] > w[1-c] || len(v.floors) > 0 {
		return nil
	}
	require := requireMore(v.classes, c, recall)
	if require == "" {
		return nil
	}
	return []string{fmt.Sprintf("If more of %q must be found, add %s.", v.classes[c], require)}
}

// more is the recall to ask for where more must be found than by such a recall: of those offered the least by which half of the rows are found that it misses, in whole points, or the largest that so many rows can make
// sure of; 0 where that is no more.
func more(recall *rfpragma.Observed) float64 {
	half, most := math.Floor(50*(1+recall.Value))/100, 0.0
	for _, offered := range offer.RecallsOffered {
		if offered > offer.Vouched(recall.Rows) {
			break
		}
		if most = offered; offered >= half {
			break
		}
	}
	if most <= recall.Value {
		return 0
	}
	return most
}

// requireMore asks for more of class c than is found where more may be meant to be; "" where the rows are too few to make sure of more.
func requireMore(classes []string, c int, found *rfpragma.Observed) string {
	limit := more(found)
	if limit == 0 {
		return ""
	}
	return "--require " + shellQuoted(pragma.Floor{Class: c, What: pragma.RecallFloor, Limit: limit}.Text(classes))
}

// evenly returns, where a model of several classes weighs all votes alike although some matter more, those that matter most, and the one of them of which least is found, with its recall, which is nil where that is not known, and by costs, as finding more costs more than these weights do.
func evenly(m *rfpragma.Model, of *aim) (most []int, least int, found *rfpragma.Observed) {
	r, prefs := &m.Provenance, of.prefs
	if len(prefs) < 3 || slices.Min(m.Weights) < slices.Max(m.Weights) || r.Choice != "" || len(r.Floors) > 0 || len(of.matter()) == 0 || r.Figures == nil {
		return nil, -1, nil
	}
	least = -1
	for _, c := range of.matter() {
		if prefs[c].Theta < prefs[of.matter()[0]].Theta {
			break
		}
		most = append(most, c)
		if recall := r.Figures[c].Recall; recall != nil && recall.Rows >= effective.FewRows && prefs[c].X < prefs[c].Y && of.loss.costs.Matrix == nil && (found == nil || recall.Value < found.Value) {
			least, found = c, recall
		}
	}
	return most, least, found
}

// evenWords says why a model of several classes weighs all votes alike although some matter more.
func evenWords(m *rfpragma.Model, prefs []pragma.Preference) []string {
	most, _, _ := evenly(m, aimOf(m, prefs))
	if most == nil {
		return nil
	}
	names := make([]string, len(most))
	for i, c := range most {
		names[i] = fmt.Sprintf("%q", m.Classes()[c])
	}
	return []string{fmt.Sprintf("That is so although %s %s more, as no other weights are proven to do better on the rows of the training.", joined(names), english.Verb(len(names), "matters", "matter"))}
}

// foundMore returns what to ask for where more may be meant to be found than by a model whose votes of a class that matters count no more than others, and of which class; "" where nothing is to be said.
func foundMore(m *rfpragma.Model, of *aim) (require string, class int) {
	r := &m.Provenance
	if len(of.classes) == 2 && r.Figures != nil {
		c, floors := of.matter()[0], of.required()
		if (&verdict{classes: of.classes, prefs: of.prefs, measure: r.Measure, floors: floors}).more(c, m.Weights, r.Figures[c].Recall) == nil {
			return "", c
		}
		return requireMore(of.classes, c, r.Figures[c].Recall), c
	}
	_, c, found := evenly(m, of)
	if found == nil {
		return "", c
	}
	return requireMore(of.classes, c, found), c
}

// rarer warns that less of class c is found than by the plain vote, although more may be meant to be, and says what to do; but not beside a floor, as both might
// not be kept.
func rarer(of *aim, c int, recall *rfpragma.Observed) []error {
	if !wantsMore(of.loss.name, of.prefs[c], recall) {
		return nil
	}
	text := fmt.Sprintf("less of %s is found than by the plain vote, a recall of %s, though you prefer its recall to its precision (x below y)", english.Quote(of.classes[c]), percent(recall.Value))
	if require := requireMore(of.classes, c, recall); require != "" && len(of.floors) == 0 {
		text += "; to find more add " + require
	}
	return []error{errors.New(text)}
}

// rarerInModel is rarer of a new model of two classes: fewer rows are found where more votes are needed.
func rarerInModel(m *rfpragma.Model) []error {
	prefs, err := m.Spec.Resolve(m.Classes())
	if r := &m.Provenance; err != nil || len(prefs) != 2 || r.Figures == nil || r.Choice == rfpragma.Given {
		return nil
	}
	order := m.Forest.TieOrder()
	c := pragma.MattersMore(order, prefs)
	need := func(w vote.Weights) int { return tables.Enough(vote.NewRule(w, order), m.Forest.Trees(), c) }
	if need(m.Weights) <= need(nil) {
		return nil
	}
	return rarer(aimOf(m, prefs), c, m.Provenance.Figures[c].Recall)
}

// modelShares is [sharesWords] of a model.
func modelShares(m *rfpragma.Model) string {
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
