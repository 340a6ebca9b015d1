package verb

import (
	"cmp"
	"context"
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/resultcsv"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// drift compares votes for the rows with those that the model was tuned on. It is nil where nothing can be compared,
// which is an error if drift was to be told.
func drift(in *view.ModelRows, c *urfave.Context) (*rfpragma.Comparison, error) {
	found := in.Model.Drift(in.Votes)
	in.WithoutShares(found)
	if tuned, _ := in.Model.FittedOn(in.Frame); tuned || found == nil {
		switch {
		case !c.Bool("fail-on-drift"):
			return nil, nil
		case tuned:
			return nil, cli.Usagef("--fail-on-drift: the model was tuned on these very rows; give rows that came later")
		}
		return nil, cli.Usagef("--fail-on-drift: the model remembers nothing to compare with; train or tune it anew, and " +
			"not on train votes")
	}
	found.Drift = in.Expected.Unforeseen(found.Drift)
	return found, nil
}

func judge(p *cli.Program, c *urfave.Context, in *view.ModelRows) error {
	report, err := evaluated(p, c, in, anneal.Search{Seed: c.Uint64("seed"), Workers: in.Workers})
	if err != nil {
		return err
	}
	in.ComparePromise(report)
	found, err := drift(in, c)
	if err != nil {
		return err
	}
	if in.By, err = slicesOf(c, in); err != nil {
		return err
	}
	r := in.Result(report, found)
	switch in.Form {
	case "json":
		if found == nil {
			found = &rfpragma.Comparison{}
		}
		data := view.Describe(in.Name, in.Frame)
		data.Unknown = in.Unknown
		err = p.WriteJSON(evaluateResult{
			Heading: view.Heading{SchemaVersion: view.SchemaVersion, Command: "evaluate"}, Model: in.From, Data: data,
			Rules: report.Rules, Probabilities: report.Probabilities,
			Agreement: report.Agreement, Gain: report.Gain, Top: report.Top, Withheld: in.Withheld, By: in.By,
			Unvoted: report.Unvoted,
			Always:  report.Always, Drift: found.Drift, Columns: view.ColumnDrifts(in.Frame.Warnings), Better: found.Better,
			Steady:   found.NoDrift,
			Expected: in.Expected, Costs: in.Paid(), AskedInfo: in.Goal.Info(), Assessed: view.Assessed{Findings: r.Findings},
			Remarks: p.Remarks(r.Words()),
		})
	case "csv":
		err = p.WriteCSV(resultcsv.Rules(in.Goal.Classes, report, in.Money, found, in.Expected))
	}
	if to := p.Page(in.Form).Call(in.Frame.Classes); err == nil && !to.Silent() {
		in.Show(to, r, c.Bool("details"))
	}
	return cmp.Or(err, failOnDrift(c, in, found))
}

// failOnDrift is the end of a verb that has shown all else: it counts the figures that are worse than in training, or
// than cv promised.
func failOnDrift(c *urfave.Context, in *view.ModelRows, found *rfpragma.Comparison) error {
	if !c.Bool("fail-on-drift") {
		return nil
	}
	n := len(in.Expected.Unpromised(found.Drift)) + in.Expected.Failed()
	if n == 0 {
		return nil
	}
	return cli.DriftError{Err: fmt.Errorf("%s: drift shows in %s, and --fail-on-drift is set", in.Name,
		english.Plural(n, "figure"))}
}

// inMoney judges what the model decides of rows with these votes by the costs given; nil where none are. Nothing is
// searched for: what could be had by weights for these costs is told by those that need no tuning.
func inMoney(in *view.ModelRows, ctx context.Context, votes *vote.Table) (*eval.Report, error) {
	if in.Costs.Measure == nil {
		return nil, nil
	}
	m := in.Model
	asIs := func(context.Context, *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
		return m.Weights, m.Probabilities, nil
	}
	return eval.Evaluate(ctx, votes, m, eval.Config{Pragma: in.Costs.Measure, Loss: in.Costs.Measure,
		Costs: in.Costs.Costs, Raw: m.Probabilities, Tune: asIs})
}
