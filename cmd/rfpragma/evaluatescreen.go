package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/tables"
)

// result is what evaluate finds: of the rows, of drift since the training, and of what cv promised.
func (in *modelRows) result(report *eval.Report, drift *rfpragma.Comparison) *result {
	m := in.model
	_, mapped := m.FittedOn(in.frame)
	var columns []string
	for _, d := range columnDrifts(in.frame.Warnings) {
		if !in.lacks.answers(d) {
			columns = append(columns, d.Column)
		}
	}
	r := &result{
		title: "ON THESE ROWS", aim: in.aim, promise: in.expected, lists: listTexts(m.Classes(), in.lists), fixed: true,
		subject: &assess.Subject{
			Goal: in.aim.goal(), Report: report, Rows: codes.GivenRows, Decided: in.withheld.decided(), DecidedIn: in.withheld.decidedIn,
			Weights: m.Weights, Unlike: columns != nil, Remaps: m.Provenance.Prevalence == nil && !mapped && columns == nil,
		},
	}
	where := r.subject.Where()
	return r.found(slices.Concat(assess.Drift(where, drift, columns), assess.Promises(where, in.expected.promises()))...)
}

// drift compares votes for the rows with those that the model was tuned on. It is nil where nothing can be compared,
// which is an error if drift was to be told.
func (in *modelRows) drift(c *cli.Context) (*rfpragma.Comparison, error) {
	found := in.model.Drift(in.votes)
	in.withoutShares(found)
	if tuned, _ := in.model.FittedOn(in.frame); tuned || found == nil {
		switch {
		case !c.Bool("fail-on-drift"):
			return nil, nil
		case tuned:
			return nil, usagef("--fail-on-drift: the model was tuned on these very rows; give rows that came later")
		}
		return nil, usagef("--fail-on-drift: the model remembers nothing to compare with; train or tune it anew, and not on train votes")
	}
	found.Drift = in.expected.unforeseen(found.Drift)
	return found, nil
}

func (p *program) judge(c *cli.Context, in *modelRows) error {
	report, err := p.evaluated(c, in, anneal.Search{Seed: c.Uint64("seed"), Workers: in.workers})
	if err != nil {
		return err
	}
	in.compare(report)
	found, err := in.drift(c)
	if err != nil {
		return err
	}
	r := in.result(report, found)
	switch in.form {
	case "json":
		if found == nil {
			found = &rfpragma.Comparison{}
		}
		data := describe(in.name, in.frame)
		data.Unknown = in.unknown
		err = p.writeJSON(evaluateResult{
			heading: heading{schemaVersion, "evaluate"}, Model: in.from, Data: data, Rules: report.Rules, Probabilities: report.Probabilities,
			Agreement: report.Agreement, Gain: report.Gain, Top: report.Top, Withheld: in.withheld, Unvoted: report.Unvoted, Always: report.Always, Drift: found.Drift, Columns: columnDrifts(in.frame.Warnings), Better: found.Better, Steady: found.NoDrift,
			Expected: in.expected, Costs: in.paid(), askedInfo: in.aim.info(), findings: findings{r.findings}, remarks: p.remarks(r.words()),
		})
	case "csv":
		err = p.rulesCSV(in.aim.classes, report, in.money, found, in.expected)
	}
	if to := p.page(in.form).call(in.frame.Classes); err == nil && !to.silent() {
		in.show(to, r, c.Bool("details"))
	}
	return cmp.Or(err, failOnDrift(c, in, found))
}

// about says what was judged.
func (in *modelRows) about() string {
	return fmt.Sprintf("%s: %s, %s%s", in.name, weighedRows(in.frame.Rows(), in.frame.Weight), in.known(), unjudged(describe(in.name, in.frame)))
}

// show writes how a model did on labelled rows.
func (in *modelRows) show(to *page, r *result, details bool) {
	to.say(in.about())
	r.show(to, details)
	to.table(in.expected.lists())
	to.table(in.moneyTable())
	if !details {
		return
	}
	to.say(slices.Concat(mergedWords(in.frame), in.withheld.heading(in.frame.Weight != nil))...)
	to.table(in.withheld.table(tables.Unit(in.frame.Weight != nil)))
	in.aim.show(to)
	to.say(in.costsWords()...)
	to.table(in.costTable())
	to.table(in.expected.table())
	showRules(to, in.aim, in.model.Weights, r.subject.Report)
}

// failOnDrift is the end of a verb that has shown all else: it counts the figures that are worse than in training, or
// than cv promised.
func failOnDrift(c *cli.Context, in *modelRows, found *rfpragma.Comparison) error {
	if !c.Bool("fail-on-drift") {
		return nil
	}
	n := len(in.expected.unpromised(found.Drift)) + in.expected.failed()
	if n == 0 {
		return nil
	}
	return driftError{fmt.Errorf("%s: drift shows in %d %s, and --fail-on-drift is set", in.name, n, strings.TrimSuffix("figures", map[bool]string{true: "s"}[n == 1]))}
}
