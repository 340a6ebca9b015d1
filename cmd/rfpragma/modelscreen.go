package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/vote"
)

// showModel shows a model: how it was grown, if it is not new what was asked for, its classes and their weights.
func (p *program) showModel(c *cli.Context, to *page, m *rfpragma.Model, form string) error {
	prefs, err := m.Spec.Resolve(m.Classes())
	if err != nil {
		return err
	}
	words := modelWords(m, aimOf(m, prefs))
	switch form {
	case "json":
		err = p.writeJSON(describeModel(m, prefs, p.remarks(words), c.Command.Name))
	case "csv":
		err = p.weightsCSV(m.Classes(), modelWeights(m))
	}
	if err != nil || to.silent() {
		return err
	}
	r := m.Provenance
	to.say(fmt.Sprintf("%s (%s), mtry %d, bag %s%s, seed %d, grown on %s with %s",
		english.Plural(m.Forest.Trees(), "tree"), english.Plural(m.Forest.Nodes(), "node"), r.Mtry, bagText(r.Growth(), m.Classes()), growthWords(r.Growth()), r.Seed,
		english.Plural(r.Rows, "row"), english.Plural(len(m.Forest.Schema), "feature")))
	if chosen := choiceWords(m); chosen != "" {
		to.say(chosen)
	}
	if c.Command.Name != "train" {
		to.say(aimOf(m, prefs).request()...)
	}
	to.table(weightTable(m))
	to.say(words...)
	return nil
}

// modelWords say how a model decides, and what is known of how well.
func modelWords(m *rfpragma.Model, of *aim) []string {
	r := &m.Provenance
	var lines []string
	if !r.ByCost {
		lines = weightWords(m.Classes(), m.Weights, m.Forest.TieOrder(), m.Forest.Trees(), of.prefs)
	}
	lines = append(lines, forwardWords(r)...)
	if r.Loss == nil {
		return append(lines, fmt.Sprintf("No row had %s to tune on.", votesOf(r.Votes)))
	}
	texts := lossTexts(r.Measure, *r.Loss, *r.Plain)
	cv := "cv"
	if r.Votes == vote.Forward {
		cv += " " + csvtext.Flag("time", r.Reading.Time, "COL")
	}
	text := fmt.Sprintf("On the %s it was tuned on %s is %s, by the plain vote %s. That is optimistic: rfpragma %s says what to expect.", votesOf(r.Votes), lossWord(r.Measure), texts[0], texts[1], cv)
	if r.Choice == rfpragma.Given {
		text = fmt.Sprintf("The weights were given, not searched for. On %s %s is %s, by the plain vote %s.", votesOf(r.Votes), lossWord(r.Measure), texts[0], texts[1])
	}
	return append(lines, text)
}

// lossWord names the loss by a measure.
func lossWord(measure string) string {
	switch {
	case measure == "cost":
		return "the cost of a row"
	case strings.HasPrefix(measure, "pragma"):
		return "the loss"
	}
	return "the loss by " + measure
}
