package view

import (
	"fmt"

	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
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
