package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/english"
)

// steadyWords says in what no drift shows, which recall would, of the classes that matter most or of all where they are few, and of which classes nothing can be said; the rest is in the JSON.
// It leaves out what cv promised, of which another sentence tells.
func (in *modelRows) steadyWords(found *rfpragma.Comparison) string {
	m, of := in.model, in.aim
	figures := slices.DeleteFunc(slices.Clone(found.Figures), in.expected.judges)
	if at := slices.Index(figures, "share"); at >= 0 {
		figures[at] = "how often each class occurs"
	}
	none, blind := "No drift shows in "+joined(figures), in.blindWords(found)
	if len(figures) == 0 {
		return strings.TrimPrefix(blind, " ")
	}
	told := m.Classes()
	if matter := of.matter(); 0 < len(matter) && len(matter) <= mostNamed {
		told = nil
		for _, c := range matter {
			told = append(told, m.Classes()[c])
		}
	}
	var would []string
	for _, name := range told {
		if s := steady(found, name, "recall"); s != nil && !isBlind(found, name) && !in.expected.judges("recall") {
			would = append(would, wouldShow(s))
		}
	}
	switch {
	case len(told) > mostNamed:
		none += fmt.Sprintf(": these are what they were %s, but for chance.", tunedOn(m.Provenance.Votes))
	case would == nil:
		none += "."
	default:
		none += fmt.Sprintf(". %s, recall of %s.", english.Capital(tunedOn(m.Provenance.Votes)), strings.Join(would, "; of "))
	}
	return none + blind
}

// steady returns a figure of a class in which no drift shows, nil where there is none.
func steady(found *rfpragma.Comparison, class, figure string) *rfpragma.Unchanged {
	at := slices.IndexFunc(found.NoDrift, func(s rfpragma.Unchanged) bool { return s.Class == class && s.Figure == figure })
	if at < 0 {
		return nil
	}
	return &found.NoDrift[at]
}

// isBlind tells whether a class has so few rows that neither its recall nor its ranking could fall by more than chance.
func isBlind(found *rfpragma.Comparison, class string) bool {
	recall, ranking := steady(found, class, "recall"), steady(found, class, "ranking")
	return recall != nil && recall.Was.Value > 0 && recall.Below == 0 && (ranking == nil || ranking.Below == 0)
}

// blindWords says of which classes nothing can be said, as a drift could not show and cv promised nothing; "" where there are none.
func (in *modelRows) blindWords(found *rfpragma.Comparison) string {
	var names []string
	for _, name := range in.model.Classes() {
		if isBlind(found, name) && in.expected.promise(name, "recall") == nil {
			names = append(names, fmt.Sprintf("%q (%s)", name, english.Plural(about(steady(found, name, "recall").Is.Rows), "row")))
		}
	}
	if names == nil {
		return ""
	}
	return " Of " + few(names) + " nothing can be said: so few rows show no drift."
}

// wouldShow says which recall of a class, of what it was, would be a drift on these rows.
func wouldShow(s *rfpragma.Unchanged) string {
	was := fmt.Sprintf("%q was %s", s.Class, percent(s.Was.Value))
	switch {
	case s.Was.Value == 0: // and cannot fall
		return was
	case s.Below == 0:
		return was + " (too few rows here for any fall to show)"
	}
	return was + fmt.Sprintf(" (below %s here would be drift)", rounded(english.Percent(s.Below, 1)))
}
