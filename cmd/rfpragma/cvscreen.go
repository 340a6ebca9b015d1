package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/tradeoff"
)

// result is what cv finds.
func (job *cvJob) result(report *eval.Report) *result {
	r := &result{
		title: "EXPECT ON NEW ROWS", aim: job.aim, points: job.others, lists: listTexts(job.frame.Classes, job.eval.Top), fixed: job.aim.byCost || job.fit.Weights != nil,
		subject: &assess.Subject{
			Goal: job.aim.goal(), Report: report, Decided: job.withheld.decided(), DecidedIn: job.withheld.decidedIn,
			Weights: job.weights(report), Frame: job.frame, Dealt: job.eval.FoldOf != nil,
		},
	}
	if job.blocks != nil {
		r.title = "EXPECT ON LATER ROWS"
	}
	var also []finding.Finding
	if f := job.byHeart.finding(len(report.Judged())); f != nil {
		also = append(also, *f)
	}
	return r.found(also...)
}

// listTexts are lists as they were asked for.
func listTexts(classes []string, lists []eval.TopList) []string {
	var out []string
	for _, l := range lists {
		out = append(out, listText(classes[l.Class], l))
	}
	return out
}

func (p *program) showCV(c *cli.Context, job *cvJob, to *page, report *eval.Report) error {
	r, err := job.result(report), error(nil)
	switch job.format {
	case "json":
		err = p.writeJSON(cvResult{
			heading: heading{schemaVersion, "cv"}, Data: describe(job.name, job.frame), SHA256: rfpragma.Fingerprint(job.frame),
			Settings: job.settings(), Report: *report, Withheld: job.withheld, Later: laterShares(report, job.withheld), LaterCost: eval.ForecastCost(report.Judged()),
			Alternatives: job.others, Limit: job.limit, findings: findings{r.findings}, remarks: p.remarks(r.words()),
		})
	case "csv":
		err = p.rulesCSV(job.frame.Classes, report, nil, nil, nil)
	}
	if err != nil || to.silent() {
		return err
	}
	details := c.Bool("details")
	r.show(to, details)
	if details {
		job.details(to, report)
	}
	return nil
}

// details writes all that the first screen leaves out.
func (job *cvJob) details(to *page, report *eval.Report) {
	to.say(mergedWords(job.frame)...)
	to.say(job.blockWords(false)...)
	if chosen := job.chosen.words(); chosen != "" {
		to.say(chosen)
	}
	if !job.aim.byCost {
		to.say(foldWords(job.frame.Classes, counted(report), job.aim.order(), job.settings().Trees, job.aim.prefs)...)
	}
	job.aim.show(to)
	to.say(job.withheld.heading(job.frame.Weight != nil)...)
	to.table(job.withheld.table(tables.Unit(job.frame.Weight != nil)))
	showRules(to, job.aim, job.weights(report), report)
	for _, g := range []*grid{job.blockTable(report), job.moneyByTime(report), job.listTable(report)} {
		if latest(report) != nil {
			g.title = "Block by block"
		}
		to.table(g)
	}
	to.say(alternativeWords(job.others, job.aim, job.ways(report))...)
	to.table(alternativeTable(job.others, job.aim))
}

// drawCV writes the page and the pictures, where they are asked for.
func (p *program) drawCV(c *cli.Context, job *cvJob, report *eval.Report) error {
	file := c.String("report")
	if file == "" && c.String("figures") == "" {
		return nil
	}
	page, err := job.report(c.Context, report)
	if err != nil {
		return err
	}
	return p.writeReport(c, file, "html", job.name, page)
}

// offer finds what else the votes allow.
func (job *cvJob) offer(ctx context.Context, report *eval.Report) (err error) {
	if slices.ContainsFunc(report.Warnings, unreached) || job.aim.loss.costs.Amounts() || job.aim.byCost { // beside which nothing can be required
		return nil
	}
	try, cost, classes := job.replay, report.Rules.Tuned.Cost, report.Rules.Tuned.Classes
	if all := report.Together; all != nil { // what rows cost is told of those of all blocks
		try, cost, classes = job.replayAll, all.Cost, all.Classes
	}
	if job.limit, err = tradeoff.LimitOf(ctx, try, job.aim.asks(nil), cost, classes); err != nil {
		return err
	}
	tried := tradeoff.Points(tradeoff.Voted{
		Table: report.Votes, Weights: job.weights(report), Tuned: &report.Rules.Tuned, Later: job.blocks != nil, Decided: job.withheld.decided(),
	}, job.aim.most(), job.fit.Search.Floors)
	job.others, err = tradeoff.Promised(ctx, job.replay, &report.Rules.Tuned, job.aim.asks(report), tried)
	for i := range job.others {
		job.others[i].Alerts *= job.withheld.decided()
	}
	if job.limit != nil {
		decided := job.withheld.decided()
		if report.Together != nil {
			decided = job.withheld.decidedIn(report.Together)
		}
		job.limit.Alerts, job.limit.More = job.limit.Alerts*decided, job.limit.More*decided
	}
	return err
}

// introduced says what is cross-validated, and how.
func (job *cvJob) introduced(to *page) {
	s := job.settings()
	times := ""
	if s.Repeats > 1 {
		times = fmt.Sprintf(" × %d", s.Repeats)
	}
	to.say(fmt.Sprintf("%s: %s, %s; nested cross-validation, %s%s, %s", job.name, weighedRows(job.frame.Rows(), job.frame.Weight),
		job.aim.shares(), job.foldsText(), times, english.Plural(s.Trees, "tree")))
}
