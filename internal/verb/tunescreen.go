package verb

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/resultcsv"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

func showTuning(s *view.Tuning, c *urfave.Context, p *cli.Program, form string) error {
	t, r := s.Table, s.FirstScreen()
	weights := view.Weigh(s.Found.Weights, s.Found.Origins,
		func(c int) rfpragma.Interval { return rfpragma.Interval{Low: s.Found.Low[c], High: s.Found.High[c]} })
	switch form {
	case "json":
		out := s.Result(weights)
		out.Costs, out.Assessed, out.Remarks = s.TotalCosts(), view.Assessed{Findings: r.Findings}, p.Remarks(r.Words())
		if s.Trial == nil {
			out.Assessed = view.Assessed{Findings: append([]finding.Finding{}, assess.Guarantees(s.Guarantee,
				t.Classes)...)}
		}
		if err := p.WriteJSON(out); err != nil {
			return err
		}
	case "csv":
		if err := p.WriteCSV(resultcsv.Weights(t.Classes, weights)); err != nil {
			return err
		}
	}
	votes := fmt.Sprintf("votes of %s by up to %s", view.WeighedRows(tables.Stands(t), t.Weight), english.Plural(t.Trees,
		"tree"))
	if w := s.Withheld; w != nil && w.Rows > 0 {
		votes += fmt.Sprintf(", beside %s left to people", english.Plural(layout.Rows(w.Rows), "row"))
	}
	if s.Model != nil && t.Source == vote.OOB {
		votes = "out-of-bag " + votes
	}
	if t.Scores {
		votes = "scores of " + view.WeighedRows(tables.Stands(t), t.Weight)
	}
	to := p.Page(form).Call(t.Classes)
	if to.Silent() {
		return nil
	}
	to.Say(fmt.Sprintf("%s: %s, %s%s", s.Name, votes, view.ClassShares(t.Classes, view.ClassWeightsOf(t)),
		view.Unjudged(view.DescribeVotes(s.Name, t, s.Frame))))
	details := c.Bool("details")
	r.Show(to, details)
	if details || !view.Many(len(weights)) {
		to.Table(s.WeightTable(weights, details))
	}
	if s.Withheld != nil {
		to.Say(view.ReviewWords(s.Model, s.Prefs)...)
	} else {
		to.Say(view.WeightWords(t.Classes, s.Found.Weights, t.TieOrder(), t.Trees, s.Prefs)...)
	}
	to.Say(view.GuaranteeWords(s.Guarantee, t.Classes)...)
	if !details {
		return nil
	}
	s.Wanted().ShowCosts(to)
	view.ShowRules(to, s.Wanted(), s.Found.Weights, r.Subject.Report)
	to.Say(view.AlternativeWords(s.Others, s.Wanted(), "cross-validated on these votes")...)
	to.Table(view.AlternativeTable(s.Others, s.Wanted()))
	return nil
}
