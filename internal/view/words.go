package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/inspected"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// WeighedRows is the number of rows, and what they weigh if that is another.
func WeighedRows(rows int, weights []float64) string {
	sum := portable.Total(weights)
	if len(weights) == 0 || sum == float64(rows) {
		return english.Plural(rows, "row")
	}
	return fmt.Sprintf("%s of weight %.6g", english.Plural(rows, "row"), sum)
}

// ClassShares lists the classes with their rows.
func ClassShares(classes []string, weights []float64) string {
	sum := portable.Total(weights)
	parts := make([]string, 0, len(classes))
	for c, name := range classes {
		parts = append(parts, fmt.Sprintf("%q %s (%s)", name, layout.Count(weights[c]), english.Rounded(english.Percent(weights[c]/sum, 1))))
	}
	return layout.Printable(fmt.Sprintf("%s: %s", english.Plural(len(classes), "class"), english.First(parts)))
}

// PopulationWords names a population by the shares of its classes.
func PopulationWords(classes []string, shares []float64) string {
	parts := make([]string, len(classes))
	for c, share := range shares {
		parts[c] = fmt.Sprintf("%s of %q", layout.Percentage(share), classes[c])
	}
	return "a population with " + english.First(parts)
}

// GrowthWords says in what trees are not grown as usual.
func GrowthWords(c forest.Config) string {
	text := ""
	for _, w := range []struct {
		unusual bool
		words   string
	}{
		{c.NoReplacement, fmt.Sprintf("without replacement, fraction %g", c.Resolved(1).Fraction)},
		{!c.NoReplacement && c.Resolved(1).Fraction != 1, fmt.Sprintf("fraction %g", c.Fraction)},
		{c.Resolved(1).Criterion != forest.Gini, string(c.Criterion)},
		{c.RandomCuts, "random cuts"},
		{c.Resolved(1).SubsetLevels != (forest.Config{}).Resolved(1).SubsetLevels, fmt.Sprintf("subsets of up to %s",
			english.Plural(c.SubsetLevels, "level"))},
		{c.MaxLeaves > 0, fmt.Sprintf("at most %d leaves", c.MaxLeaves)},
		{c.Soft, "soft votes"},
	} {
		if w.unusual {
			text += ", " + w.words
		}
	}
	return text
}

// votesOf names votes by where they come from.
func votesOf(source vote.Source) string {
	switch source {
	case vote.OOB:
		return "out-of-bag votes"
	case vote.CV:
		return "cross-validated votes"
	case vote.Forward:
		return "votes for later rows"
	case vote.Holdout:
		return "votes for other rows"
	}
	return "votes by trees on their own training rows"
}

// namelessWords says how a class gets a name, where two are called by numbers.
func namelessWords(v *dataset.Overview, preferred string) []string {
	if len(v.Classes) != 2 || slices.ContainsFunc(v.Classes, func(c dataset.ClassRows) bool {
		_,
			err := csvtext.Number(c.Label)
		return err != nil
	}) {
		return nil
	}
	return []string{fmt.Sprintf("The classes are called by numbers. If %q is fraud, say, write --merge-labels %s "+
		"--prefer fraud: then results speak of fraud.", preferred, csvtext.Quote("fraud="+preferred, "NAME=LABEL"))}
}

// CandidatesWords says which columns may hold the labels of rows that have none by name.
func CandidatesWords(v *dataset.Overview) string {
	candidates := v.Candidates
	if HoldsDecisions(v) {
		return "These are decisions, as rfpragma predict writes them, and no rows to be decided. To look at those, inspect " +
			"the file that was decided; what the decisions are worth rfpragma evaluate says, of rows with labels."
	}
	if len(candidates) == 0 {
		return unlabelledWords + "No column looks like the labels; where one holds them, name it with --target."
	}
	quoted := make([]string, len(candidates))
	for i, name := range candidates {
		quoted[i] = english.Quote(name)
	}
	return unlabelledWords + "Where a column holds them, which may be " + strings.Join(quoted, " or ") +
		", name it with --target."
}

// HoldsDecisions tells that a table without labels has the columns that predict writes, see [RowForm.head].
func HoldsDecisions(v *dataset.Overview) bool {
	decision, probabilities := false, 0
	for _, column := range v.Columns {
		decision = decision || column.Name == "decision"
		if strings.HasPrefix(column.Name, "probability_") {
			probabilities++
		}
	}
	return decision && probabilities > 1
}

// unlabelledWords says where rows go that need no labels.
const unlabelledWords = "Rows to be decided need no labels: they go to rfpragma predict, with a model. "

// Conditional tells whether a finding is of a number that a person must know the meaning of before it is taken for a
// missing cell.
func Conditional(v *dataset.Overview, f *dataset.Finding) bool {
	return f.Sort == inspected.Missing && slices.ContainsFunc(v.Columns,
		func(c dataset.Profile) bool { return c.Kind == dataset.Numeric && slices.Contains(f.Columns, c.Name) })
}
