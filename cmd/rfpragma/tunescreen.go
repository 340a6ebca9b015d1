package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// result is what tune finds: by a cross-validation of the search on the votes, or of weights that were given.
func (s *shownTuning) judgement() *result {
	r := &result{
		title: "EXPECT ON NEW ROWS", aim: s.aim(), points: s.others, fixed: s.trial == nil,
		subject: &assess.Subject{Goal: s.aim().goal(), Report: s.judged(), Weights: s.found.Weights},
	}
	if s.searched() {
		r.subject.FoldWeights = append(slices.Clone(s.trial.Weights), s.found.Weights)
	}
	if s.was != nil && s.table.Source == vote.OOB && s.was.Provenance.Reading.Time != "" {
		r.subject.Rows = codes.MixedRows
	}
	if s.fresh && s.trial != nil {
		had := s.fixed(s.was.Weights, s.kept)
		r.subject.Had = &had
	}
	return r.found()
}

func (s *shownTuning) show(c *cli.Context, p *program, form string) error {
	t, r := s.table, s.judgement()
	weights := weigh(s.found.Weights, s.found.Origins, func(c int) rfpragma.Interval { return rfpragma.Interval{Low: s.found.Low[c], High: s.found.High[c]} })
	switch form {
	case "json":
		out := s.result(weights)
		out.Costs, out.findings, out.remarks = s.costs(), findings{r.findings}, p.remarks(r.words())
		if s.trial == nil {
			out.findings = findings{[]finding.Finding{}}
		}
		return p.writeJSON(out)
	case "csv":
		return p.weightsCSV(t.Classes, weights)
	}
	votes := fmt.Sprintf("votes of %s by up to %s", weighedRows(tables.Stands(t), t.Weight), english.Plural(t.Trees, "tree"))
	if s.model != nil && t.Source == vote.OOB {
		votes = "out-of-bag " + votes
	}
	if t.Scores {
		votes = "scores of " + weighedRows(tables.Stands(t), t.Weight)
	}
	to := p.page(form).call(t.Classes)
	to.say(fmt.Sprintf("%s: %s, %s%s", s.name, votes, classShares(t.Classes, classWeightsOf(t)), unjudged(describeVotes(s.name, t, s.frame))))
	details := c.Bool("details")
	r.show(to, details)
	to.table(s.weightTable(weights))
	to.say(weightWords(t.Classes, s.found.Weights, t.TieOrder(), t.Trees, s.prefs)...)
	if !details {
		return nil
	}
	s.aim().show(to)
	showRules(to, s.aim(), s.found.Weights, r.subject.Report)
	to.say(alternativeWords(s.others, s.aim(), "cross-validated on these votes")...)
	to.table(alternativeTable(s.others, s.aim()))
	return nil
}
