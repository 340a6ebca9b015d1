package verb

import (
	"context"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/layout"
	pagedata "github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/resultcsv"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/tradeoff"
)

func showCV(p *cli.Program, c *urfave.Context, job *view.CVJob, to *layout.Page, report *eval.Report) error {
	r, err := job.Result(report), error(nil)
	switch job.Format {
	case "json":
		err = p.WriteJSON(view.CVResult{
			Heading: view.Heading{SchemaVersion: view.SchemaVersion, Command: "cv"}, Data: view.Describe(job.Name, job.Frame),
			SHA256:   rfpragma.Fingerprint(job.Frame),
			Settings: job.ShownSettings(), Report: *report, Withheld: job.Withheld, By: job.By, Later: view.LaterShares(report,
				job.Withheld),
			LaterCost:    eval.ForecastCost(report.Judged()),
			Alternatives: job.Others, Limit: job.Limit, Assessed: view.Assessed{Findings: r.Findings},
			Remarks: p.Remarks(r.Words()),
		})
	case "csv":
		err = p.WriteCSV(resultcsv.Rules(job.Frame.Classes, report, nil, nil, nil))
	}
	if err != nil || to.Silent() {
		return err
	}
	details := c.Bool("details")
	r.Show(to, details)
	job.ShowSlices(to)
	if details {
		job.ShowDetails(to, report, r)
	}
	p.Next(to, cli.AfterCV(job, c, report, r.Findings))
	return nil
}

// drawCV writes the page and the pictures, where they are asked for.
func drawCV(p *cli.Program, c *urfave.Context, job *view.CVJob, report *eval.Report) error {
	file := c.String("report")
	if file == "" && c.String("figures") == "" {
		return nil
	}
	page, err := pagedata.New(c.Context, job.ReportInput(report))
	if err != nil {
		return err
	}
	job.FillPage(page, report)
	page.Next, page.Take.Flag = cli.AfterCV(job, c, report, page.Findings), weightsFlag
	return writeReport(p, c, file, "html", job.Name, page)
}

// offerOthers finds what else the votes allow.
func offerOthers(job *view.CVJob, ctx context.Context, report *eval.Report) (err error) {
	// beside which nothing can be required
	if slices.ContainsFunc(report.Warnings, view.Refused) || job.Goal.Loss.Costs.Amounts() || job.Goal.ByCost {
		return nil
	}
	judged := slices.DeleteFunc(slices.Clone(job.Voted), func(f view.VotedFold) bool { return !f.Tells })
	folds, cost, classes := judged, report.Rules.Tuned.Cost, report.Rules.Tuned.Classes
	if all := report.Together; all != nil { // what rows cost is told of those of all blocks
		folds, cost, classes = job.Voted, all.Cost, all.Classes
	}
	if job.Limit, err = tradeoff.LimitOf(ctx, replay(job, folds), job.Goal.Asks(nil), cost, classes); err != nil {
		return err
	}
	tried := tradeoff.Points(tradeoff.Voted{
		Table: report.Votes, Weights: job.MedianWeights(report), Tuned: &report.Rules.Tuned, Later: job.Blocks != nil,
		Decided: job.Withheld.Decided(),
	}, job.Goal.Most(), job.Fit.Search.Floors)
	job.Others, err = tradeoff.Promised(ctx, replay(job, judged), &report.Rules.Tuned, job.Goal.Asks(report), tried)
	for i := range job.Others {
		job.Others[i].Alerts *= job.Withheld.Decided()
	}
	if job.Limit != nil {
		decided := job.Withheld.Decided()
		if report.Together != nil {
			decided = job.Withheld.DecidedIn(report.Together)
		}
		job.Limit.Alerts, job.Limit.More = job.Limit.Alerts*decided, job.Limit.More*decided
	}
	return err
}
