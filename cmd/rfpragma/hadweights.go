package main

import (
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// compared names what the weights are shown beside, the plain vote or, of a model, the weights that it had, and the weights, and has the matrix of the former.
func (s *shownTuning) compared() (from, to string, before *vote.Confusion) {
	from, to, before = "plain", "tuned", s.table.Confuse(nil)
	if s.was != nil {
		from, to, before = "before", "now", s.table.Confuse(s.was.Weights)
	}
	if s.trial == nil {
		to = s.aim().rule()
	}
	return from, to, before
}

// classFigures are what becomes of each class on these votes, with ranges where it is known how many rows there are.
func (s *shownTuning) classFigures(from, to string, before *vote.Confusion) *classFigures {
	f := &classFigures{unit: tables.Unit(weighedTable(s.table)), from: from, to: to}
	after := s.table.Confuse(s.found.Weights)
	figures, were := rfpragma.FiguresOf(s.table, s.found.Weights), []rfpragma.ClassFigures(nil)
	if s.fresh { // else both are of rows that the weights were tuned on
		if s.trial != nil {
			f.to += " (optimistic)"
		}
		were = rfpragma.FiguresOf(s.table, s.was.Weights)
	}
	for c, name := range s.table.Classes {
		f.lines = append(f.lines, classLine{name: name, of: rowsText(before.True(c)), before: s.classShown(c, before, were), after: s.classShown(c, after, figures)})
	}
	return f
}

// classShown is what becomes of class c by decisions, with ranges where figures have them.
func (s *shownTuning) classShown(c int, m *vote.Confusion, figures []rfpragma.ClassFigures) classShown {
	missed := rowsText(m.True(c) - m.Hits(c))
	if figures == nil {
		return classShown{shareText(m.Recall(c)), shareText(m.Precision(c)), missed}
	}
	return classShown{observedText(figures[c].Recall, s.aim().decimals(c)), observedText(figures[c].Precision, s.aim().decimals(c)), missed}
}

// backWords says what to do where the weights that the model had before do better on these votes than those that were found with care.
func (s *shownTuning) backWords() string {
	switch {
	case s.fresh && s.trial != nil, s.broken(s.was.Weights) != "", s.under(s.was.Weights) >= s.found.Loss: // the first is told by the verdict
		return ""
	case s.trial == nil:
		return " That is lower."
	}
	return " That is lower: a careful choice does not take the lowest loss on the votes at hand, which new rows seldom keep. In doubt keep the model as it was, or judge both on later rows with rfpragma evaluate."
}

// sameDecisions tells whether two models of the same trees, which differ in their weights, decide the same.
func sameDecisions(a, b *rfpragma.Model) bool {
	if len(a.Classes()) != 2 || a.Forest.Soft() {
		return slices.Equal(a.Weights, b.Weights)
	}
	need := func(m *rfpragma.Model) int {
		return tables.Enough(vote.NewRule(m.Weights, m.Forest.TieOrder()), m.Forest.Trees(), 0)
	}
	return need(a) == need(b)
}
