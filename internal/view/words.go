package view

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/risk"
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

// ClassShares lists the classes with their rows, and of many the rarest.
func ClassShares(classes []string, weights []float64) string {
	sum := portable.Total(weights)
	parts := make([]string, 0, len(classes))
	rarest := 0
	for c, name := range classes {
		parts = append(parts, fmt.Sprintf("%q %s (%s)", name, layout.Count(weights[c]),
			english.Rounded(english.Percent(weights[c]/sum, 1))))
		if weights[c] < weights[rarest] {
			rarest = c
		}
	}
	if len(classes) > mostShown {
		return layout.Printable(fmt.Sprintf("%d classes, the rarest %s", len(classes), parts[rarest]))
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

// FloorText shows a value of the figure of a floor in the form of its limit.
func FloorText(f pragma.Floor, value float64) string {
	if strings.Contains(f.Typed, "/") {
		return offer.FigureText(f, value)
	}
	return english.Beside(value, f.Limit, 1)
}

// BagText is what bag reads.
func BagText(c forest.Config, classes []string) string {
	var parts []string
	for class, rows := range c.ClassRows {
		if rows > 0 {
			parts = append(parts, fmt.Sprintf("%s=%v", classes[class], rows))
		}
	}
	if parts == nil {
		return string(c.Bag)
	}
	return string(c.Bag) + ":" + strings.Join(parts, ",")
}

// VotesWords says where votes come from, and how many of the rows are without one.
func VotesWords(source vote.Source, unvoted int) string {
	text := votesOf(source)
	if unvoted > 0 {
		text += fmt.Sprintf(" (%s without one)", english.Plural(unvoted, "row"))
	}
	return text
}

// titled is the table as the page of a report shows it.
func titled(g *layout.Grid, title string) report.Table {
	t := report.Table{Title: title, Head: append([]string{}, g.Head...), Rows: [][]string{}} // null is no list
	for _, cells := range g.Rows {
		line := make([]string, len(cells))
		for i, cell := range cells {
			line[i] = layout.Printable(strings.TrimSpace(cell))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// Fact is a line of a record, of any value.
func Fact(name string, value any) report.Fact {
	return report.Fact{Name: name, Value: layout.Printable(fmt.Sprint(value))}
}

// Assessed are in JSON what was found.
type Assessed struct {
	Findings []finding.Finding `json:"findings"` // what was found, the gravest first: docs/findings.md explains each code
}

// AllForms are the forms of a result: for people on a terminal, for programs, for a document.
const AllForms = "table, json, csv, markdown"

// SchemaVersion is the version of all JSON output. It changes when a field changes its
// meaning or goes; new fields may come at any time.
const SchemaVersion = 1

// Heading begins each result.
type Heading struct {
	SchemaVersion int    `json:"schema_version"` // of this page; see Above
	Command       string `json:"command"`        // the verb
}

// Remarks end the results that have something to say.
type Remarks struct {
	Warnings []string `json:"warnings"` // what one should know although the work went on
	Words    []string `json:"words"`    // the result in plain words, sentence by sentence
}

// Refused tells whether a warning says that train may refuse to make a model: no weights reach what is required, or
// most trainings have too few rows to be sure of it.
func Refused(warning error) bool {
	var in *eval.TrainingWarning
	most := !errors.As(warning, &in) || 2*in.Times > in.Of
	return errors.Is(warning, anneal.ErrFloors) || errors.Is(warning, risk.ErrUnsure) && most
}

// TunedOn says where the votes come from that a model was tuned on.
func TunedOn(source vote.Source) string {
	switch source {
	case vote.OOB:
		return "out of bag in training"
	case vote.Holdout:
		return "on the rows it was tuned on"
	case vote.Forward:
		return "in training, later rows judged by earlier ones"
	}
	return "in cross-validation within training"
}
