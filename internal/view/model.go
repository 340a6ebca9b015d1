package view

import (
	"fmt"
	"sort"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/say"
	"github.com/rfpragma/rfpragma/vote"
)

// ImportanceTable shows the features, the one that matters most first.
func ImportanceTable(out *rfpragma.Importance) *layout.Grid {
	g := &layout.Grid{Head: []string{"feature", "loss rises by", "votes right fall by", "impurity"}}
	for _, f := range out.Features {
		g.Add(f.Name, english.Fixed(f.Loss, 4)+" ± "+english.Fixed(f.LossError, 4), english.Fixed(100*f.Accuracy, 2)+" ± "+
			english.Fixed(100*f.AccuracyError,
				2)+
			" %", english.Percent(f.Impurity, 1))
	}
	return g
}

// ImportanceWords says what the figures are.
func ImportanceWords(out *rfpragma.Importance) []string {
	return []string{fmt.Sprintf("Each feature was permuted %s; ± is the standard error of that chance alone. Impurity is "+
		"its part in what the splits gained.", english.Plural(out.Repeats, "time"))}
}

// forwardWords say how later rows are judged by earlier ones within a training.
func forwardWords(r *rfpragma.Provenance) []string {
	if r.Votes != vote.Forward {
		return nil
	}
	return []string{fmt.Sprintf("Weights and probabilities are fitted as the model will be used: %s in the order of %s, "+
		"each judged by trees of the rows before it alone. The first %s %s not judged; the trees of the model are grown on "+
		"all rows.",
		english.Plural(r.Folds, "block"), english.Quote(r.Reading.Time), english.Plural(r.Unvoted, "row"),
		english.Verb(r.Unvoted, "is", "are"))}
}

// ForestWords say what the trees of a model are, and how they were grown.
func ForestWords(m *rfpragma.Model) string {
	r := &m.Provenance
	trees := fmt.Sprintf("%s (%s)", english.Plural(m.Forest.Trees(), "tree"), english.Plural(m.Forest.Nodes(), "node"))
	if r.Origin != "" {
		return trees + " of " + layout.Printable(r.Origin)
	}
	return fmt.Sprintf("%s, mtry %d, smallest leaf %d, bag %s%s", trees, r.Mtry, r.MinLeaf, BagText(r.Growth(),
		m.Classes()), GrowthWords(r.Growth()))
}

// votesOfAll is how many votes the trees of a model have; 0 where they give shares.
func votesOfAll(m *rfpragma.Model) int {
	if m.Forest.Scored() {
		return 0
	}
	return m.Forest.Trees()
}

// ModelWords say how a model decides, and what is known of how well.
func ModelWords(m *rfpragma.Model, of *Goal) []string {
	r := &m.Provenance
	var lines []string
	switch {
	case r.Review != nil:
		lines = ReviewWords(m, of.Prefs)
	case !r.ByCost:
		lines = WeightWords(m.Classes(), m.Weights, m.Forest.TieOrder(), votesOfAll(m), of.Prefs)
	}
	lines = append(lines, GuaranteeWords(r.Guarantee, m.Classes())...)
	lines = append(lines, forwardWords(r)...)
	if r.Origin != "" && r.Votes == vote.External {
		return append(lines, "It decides as the program does that grew the trees. Tune it for what you prefer, on rows that "+
			"they have not seen.")
	}
	if r.Review != nil { // of which the loss does not tell
		return append(lines, "rfpragma cv says what to expect.")
	}
	if r.Loss == nil {
		return append(lines, fmt.Sprintf("No row had %s to tune on.", votesOf(r.Votes)))
	}
	name, texts := tunedLosses(r, *r.Loss, *r.Plain)
	cv := "cv"
	if r.Votes == vote.Forward {
		cv += " in the order of " + english.Quote(r.Reading.Time)
	}
	text := fmt.Sprintf("%s is %s on the %s that the weights were searched on, and %s by the plain vote: rfpragma %s "+
		"says what to expect of new rows.", english.Capital(name), texts[0], votesOf(r.Votes), texts[1], cv)
	if r.Choice == rfpragma.Given {
		text = fmt.Sprintf("The weights were given, not searched for. On %s %s is %s, by the plain vote %s.",
			votesOf(r.Votes), name, texts[0], texts[1])
	}
	return append(lines, text)
}

// ReviewWords say which rows are left to people, and how many that are.
func ReviewWords(m *rfpragma.Model, prefs []pragma.Preference) []string {
	r := m.Provenance.Review
	if trees := votesOfAll(m); trees > 0 && len(m.Classes()) == 2 {
		c := pragma.MattersMore(m.Forest.TieOrder(), prefs)
		votes := make([]uint32, 2)
		from := func(is func(closely bool, class int) bool) int {
			return sort.Search(trees, func(n int) bool {
				votes[c], votes[1-c] = uint32(n), uint32(trees-n) //nolint:gosec // trees are counted by uint32
				return is(m.Close(votes), m.Decide(votes))
			})
		}
		people := from(func(closely bool, class int) bool { return closely || class == c })
		alarm := from(func(closely bool, class int) bool { return !closely && class == c })
		return []string{fmt.Sprintf("%q from %d of %s on; from %d on left to people, %s of the rows it was tuned on. The "+
			"plain vote needs %d.", m.Classes()[c], alarm, english.Plural(trees, "vote"), people,
			english.Percent(r.Reviewed, 1), tables.Enough(vote.NewRule(nil, m.Forest.TieOrder()), trees, c))}
	}
	which := ""
	if r.Class != "" {
		which = ", one of them " + english.Quote(r.Class) + ","
	}
	return []string{fmt.Sprintf("Rows are left to people where the largest weighted vote is less than %s times the "+
		"second largest%s: %s of the rows it was tuned on.", english.Significant(r.Margin, 3), which,
		english.Percent(r.Reviewed, 1))}
}

// GuaranteeWords say how surely what is required holds on new rows.
func GuaranteeWords(g *rfpragma.Guarantee, classes []string) []string {
	var lines []string
	for _, f := range assess.Guarantees(g, classes) {
		lines = append(lines, say.Voice{Classes: classes}.Sentence(&f))
	}
	return lines
}

// tunedLosses names the loss that a model was tuned by, and shows losses by it.
func tunedLosses(r *rfpragma.Provenance, losses ...float64) (name string, texts []string) {
	label, show := lossUnit(r.Measure, r.CostsOf().Amounts())
	switch {
	case r.Measure == "cost":
		return "the " + label, show(losses...)
	case r.Measure == "accuracy":
		return "the number of " + label, show(losses...)
	case strings.HasPrefix(r.Measure, "pragma"):
		return "the loss", english.Amounts(losses...)
	}
	return "the loss by " + r.Measure, english.Amounts(losses...)
}
