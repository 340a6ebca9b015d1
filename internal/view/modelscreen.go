package view

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/layout"
)

// ModelWords say how a model decides, and what is known of how well.
func ModelWords(m *rfpragma.Model, of *Aim) []string {
	r := &m.Provenance
	var lines []string
	if !r.ByCost {
		lines = WeightWords(m.Classes(), m.Weights, m.Forest.TieOrder(), m.Forest.Trees(), of.Prefs)
	}
	lines = append(lines, forwardWords(r)...)
	if r.Loss == nil {
		return append(lines, fmt.Sprintf("No row had %s to tune on.", votesOf(r.Votes)))
	}
	texts := layout.Losses(r.Measure, *r.Loss, *r.Plain)
	text := fmt.Sprintf("On the %s it was tuned on %s is %s, by the plain vote %s. That is optimistic: rfpragma cv says "+
		"what to expect.", votesOf(r.Votes), lossWord(r.Measure), texts[0], texts[1])
	if r.Choice == rfpragma.Given {
		text = fmt.Sprintf("The weights were given, not searched for. On %s %s is %s, by the plain vote %s.",
			votesOf(r.Votes), lossWord(r.Measure), texts[0], texts[1])
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
