package view

import (
	"fmt"

	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/tables"
)

// Result is what cv finds.
func (job *CVJob) Result(report *eval.Report) *result {
	r := &result{
		title: "EXPECT ON NEW ROWS", aim: job.Aim, points: job.Others, lists: listTexts(job.Frame.Classes, job.Eval.Top),
		fixed: job.Aim.ByCost || job.Fit.Weights != nil,
		Subject: &assess.Subject{
			Goal: job.Aim.goal(), Report: report, Decided: job.Withheld.Decided(), DecidedIn: job.Withheld.DecidedIn,
			Weights: job.Weights(report), Frame: job.Frame, Dealt: job.Eval.FoldOf != nil,
		},
	}
	if job.Blocks != nil {
		r.title = "EXPECT ON LATER ROWS"
	}
	var also []finding.Finding
	if f := memorisedFinding(job.Memorised, len(report.Judged())); f != nil {
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

// Details writes all that the first screen leaves out.
func (job *CVJob) Details(to *layout.Page, report *eval.Report) {
	to.Say(MergedWords(job.Frame)...)
	to.Say(job.blockWords(false)...)
	if chosen := job.Chosen.chosenWords(); chosen != "" {
		to.Say(chosen)
	}
	if !job.Aim.ByCost {
		to.Say(foldWords(job.Frame.Classes, counted(report), job.Aim.order(), job.Settings().Trees, job.Aim.Prefs)...)
	}
	job.Aim.Show(to)
	to.Say(withheldWords(job.Withheld, job.Frame.Weight != nil)...)
	to.Table(WithheldTable(job.Withheld, tables.Unit(job.Frame.Weight != nil)))
	ShowRules(to, job.Aim, job.Weights(report), report)
	for _, g := range []*layout.Grid{job.blockTable(report), job.moneyByTime(report), job.listTable(report)} {
		if latest(report) != nil {
			g.Title = "Block by block"
		}
		to.Table(g)
	}
	to.Say(AlternativeWords(job.Others, job.Aim, job.ways(report))...)
	to.Table(AlternativeTable(job.Others, job.Aim))
}

// Introduced says what is cross-validated, and how.
func (job *CVJob) Introduced(to *layout.Page) {
	s := job.Settings()
	times := ""
	if s.Repeats > 1 {
		times = fmt.Sprintf(" × %d", s.Repeats)
	}
	to.Say(fmt.Sprintf("%s: %s, %s; nested cross-validation, %s%s, %s", job.Name, WeighedRows(job.Frame.Rows(),
		job.Frame.Weight),
		job.Aim.shares(), job.foldsText(), times, english.Plural(s.Trees, "tree")))
}
