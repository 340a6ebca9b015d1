package verb

import (
	"context"
	"errors"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/cli/hints"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func cvCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "cv",
		Usage:     "say by nested cross-validation what to expect on new rows",
		ArgsUsage: "[DATA]",
		Description: `  rfpragma cv                                                the built-in example
  rfpragma cv data.csv --prefer ill
  rfpragma cv data.csv --prefer 'ill:theta=10,x=0.2,y=0.6' --trees 200 --folds 5
  rfpragma cv data.csv --prefer ill --top ill=1%             and what the likeliest 1 % are worth
  rfpragma cv data.csv --prefer ill --decisions rows.csv     and which rows are decided wrongly
  rfpragma cv data.csv --prefer ill --withhold               and rows that lack most left undecided
  rfpragma cv visits.csv --prefer ill --time date            and later rows judged by earlier ones
  rfpragma cv visits.csv --prefer ill --time Year,Month      the same, by two columns
  rfpragma cv data.csv --prefer ill -o cv.json               and keep it for evaluate --expected
` + cli.PreferHelp,

		Flags: slices.Concat(cli.DataFlags(), cli.PreferFlags(), cli.ForestFlags(), cli.FitFlags(), []urfave.Flag{
			cli.DecideFlag(),
			&urfave.IntFlag{Name: "folds", Value: 10, Category: "Cross-validation",
				Usage: "number of `FOLDS`, or with --time of later blocks"},
			&urfave.IntFlag{Name: "repeats", Value: 1, Category: "Cross-validation",
				Usage: "`TIMES` to do it all, with other folds"},
			&urfave.StringFlag{Name: "folds-from", Category: "Cross-validation",
				Usage: "CSV `FILE` (row,fold) of folds to use; rows without a label are not counted"},
			&urfave.StringFlag{Name: "folds-to", Category: "Cross-validation",
				Usage: "CSV `FILE` to write the folds of the first repeat to, in that form"},
			&urfave.StringFlag{Name: "report", Category: "Output", Usage: "HTML `FILE` to write a page with charts to"},
			figuresFlag(), cli.TopFlag(), cli.WithholdFlag(), cli.ByFlag(), decisionsFlag(), cli.EscapeFlag(),
			cli.ResultFlag(), cli.DetailsFlag(),
		}, cli.RunFlags(view.AllForms)),
		Action: p.KeepResult(func(c *urfave.Context) error { return cv(p, c) }),
	}
}

// The built-in example: its size, by which two standard errors of what tuning gains are less than 0.04, trees that are
// enough for out-of-bag votes and grow in a few seconds, and what somebody might want there.
const (
	exampleRows   = 20000
	exampleTrees  = 200
	examplePrefer = "fraud:theta=10,x=0.2,y=0.6"
)

func cv(p *cli.Program, c *urfave.Context) error {
	for _, file := range []struct{ flag, of string }{{"report", "page"}, {"folds-to", "folds"}} {
		if c.String(file.flag) == "-" {
			return cli.Usagef("--%s -: the result of cv goes to stdout; name a file for the %s", file.flag, file.of)
		}
	}
	if err := drawable(p, c, "report", cli.PageProduct); err != nil {
		return err
	}
	if err := p.MayWrite(c, "folds-to", cli.TableProduct); err != nil {
		return err
	}
	job, err := newCVJob(p, c)
	if err != nil {
		return err
	}
	if to := c.String("folds-to"); to != "" {
		if err := p.ToFile(c.Context, to, func() error { return writeFolds(job, to) }); err != nil {
			return err
		}
	}
	to := p.Page(job.Format).Call(job.Frame.Classes)
	succeeded := p.BeforeWork(to, func() { job.Introduced(to) })
	fits := job.ShownSettings().Folds * job.Eval.Repeats
	progress := growing(p, &job.Fit, job.Frame, forestsGrown(job))
	job.Eval.Progress = progress.Parts("fold")
	job.Eval.Progress(0, fits)
	keepVotes(job)
	by, err := slicesCV(job, c)
	if err != nil {
		return err
	}
	job.Fit.Chosen = func(settings forest.Config, _ rfpragma.ForestChoice) { job.Chosen.Add(settings) }
	report, err := crossValidated(c.Context, job)
	progress.End()
	if err != nil {
		return err
	}
	succeeded()
	if job.By, err = by.judged(job.Eval.Repeats); err != nil {
		return err
	}
	if err := offerOthers(job, c.Context, report); err != nil {
		return err
	}
	if job.Memorised, err = memorisedColumns(p, c.Context, job, report); err != nil {
		return err
	}
	report.Warnings = slices.Concat(job.Goal.Spec.Warnings(job.Frame.Classes, eval.Shares(job.Frame)),
		hints.EarlyBlocks(report.Warnings), hints.OfFewBlocks(job), longListWarnings(job.Eval.Top, report.Top))
	p.Warn(cli.WithoutFindings(report.Warnings))
	if err := writeDecisions(p, c, job.Rows, job.Name); err != nil {
		return err
	}
	if err := drawCV(p, c, job, report); err != nil {
		return err
	}
	return showCV(p, c, job, to, report)
}

// crossValidated judges the folds.
func crossValidated(ctx context.Context, job *view.CVJob) (*eval.Report, error) {
	report, err := rfpragma.CrossValidate(ctx, job.Frame, job.Goal.Spec, job.Fit, job.Eval)
	if job.Withheld != nil {
		job.Withheld.End(job.Eval.Repeats)
	}
	if errors.Is(err, eval.ErrNoLabels) && job.Withheld != nil && job.Withheld.Rows > 0 {
		return nil, noneDecided(job.Name)
	}
	if errors.Is(err, eval.ErrNoLabels) {
		return nil, fmt.Errorf("%s: %w: outside of each fold all rows are of a single class; choose other folds, or get "+
			"more rows", job.Name, err)
	}
	return report, err
}

// forestsGrown is how many of them the trainings grow: in the order of time the early ones may have fewer blocks
// within.
func forestsGrown(job *view.CVJob) int {
	if job.Blocks == nil {
		return job.ShownSettings().Folds * job.Eval.Repeats * job.Fit.Forests(job.Frame)
	}
	bare, n := *job.Frame, 0
	bare.Columns = nil
	var before []int
	for _, block := range job.Blocks[:len(job.Blocks)-1] {
		before = append(before, block.Rows...)
		n += job.Fit.Forests(bare.Take(slices.Sorted(slices.Values(before))))
	}
	return n * job.Eval.Repeats
}

func newCVJob(p *cli.Program, c *urfave.Context) (*view.CVJob, error) {
	job := &view.CVJob{}
	var err error
	if job.Format, err = cli.ResultForm(c); err != nil {
		return nil, err
	}
	if err := checkCV(job, p, c); err != nil {
		return nil, err
	}
	if err := readCVData(job, p, c); err != nil {
		return nil, err
	}
	if job.Fit, err = p.FitConfig(c, job.Frame); err != nil {
		return nil, err
	}
	if !c.Args().Present() { // the example is there to be seen at once
		if !c.IsSet("trees") {
			job.Fit.Forest.Trees = exampleTrees
		}
		if !c.IsSet("tune-forest") {
			job.Fit.TuneForest = rfpragma.TuneOff
		}
	}
	if err := dealFolds(job, c); err != nil {
		return nil, err
	}
	if err := holdCV(job); err != nil {
		return nil, err
	}
	if err := withholdCV(job, c); err != nil {
		return nil, err
	}
	if c.Bool("ask") { // what about?
		introduceCV(job, p, c)
	}
	if job.Goal, err = readCVWish(job, p, c); err != nil {
		return nil, err
	}
	job.Fit.Measure, job.Fit.MeasureName, job.Fit.Costs = job.Goal.Loss.Measure, job.Goal.Loss.Name, job.Goal.Loss.Costs
	job.Fit.ByCost = job.Goal.ByCost
	if job.Eval.Top, err = p.ReadLists(c, job.Goal); err != nil {
		return nil, err
	}
	p.Warn(cli.WithoutFindings(job.Frame.Warnings))
	if !c.Bool("ask") {
		introduceCV(job, p, c)
	}
	p.Warn(job.Goal.Turned())
	return job, nil
}

// checkCV refuses, before long reading, what needs no data to be told.
func checkCV(job *view.CVJob, p *cli.Program, c *urfave.Context) error {
	if _, err := cli.Arguments(c, 0, 1); err != nil {
		return err
	}
	if _, err := p.FitConfig(c, &dataset.Frame{}); err != nil {
		return err
	}
	if err := p.CheckWish(c); err != nil {
		return err
	}
	var err error
	if job.Rows, err = readDecisions(p, c); err != nil {
		return err
	}
	return readFoldCount(job, c)
}

// holdCV has the decisions of all rows kept, each from the fold that holds it, of the first repeat.
func holdCV(job *view.CVJob) error {
	if job.Rows == nil {
		return nil
	}
	job.Eval.HeldOut = func(h eval.HeldOut) {
		if h.Repeat == 0 {
			holdRows(job.Rows, h.Fold+1, h.Rows, h.Votes, func(i int) int { return h.Decided[i] }, h.Probabilities)
		}
	}
	return nameRows(job.Rows, job.Frame, job.Frame.Reading.ID, job.Name)
}

// introduceCV tells of what was not asked for, once all that was asked for can be done.
func introduceCV(job *view.CVJob, p *cli.Program, c *urfave.Context) {
	if c.Args().Len() == 0 {
		p.Say("No file is named: this is the built-in example, %s made-up card payments, 2 in 100 of them fraud. Name a "+
			"file to judge your own: rfpragma cv FILE", cli.Grouped(exampleRows))
		if ownPreference(c) {
			p.Say("And this is its preference: --prefer '%s'", examplePrefer)
		}
	}
	if job.Fewer != "" {
		p.Say("%s", job.Fewer)
	}
	if job.Fit.Votes == vote.Train {
		p.Say("Votes by trees on their own training rows are nearly always right: weights tuned on them are as good as " +
			"random. Use --votes train only to see that.")
	}
}

// readCVData takes the file, or the built-in example when none is named.
func readCVData(job *view.CVJob, p *cli.Program, c *urfave.Context) (err error) {
	if path := c.Args().First(); c.Args().Present() {
		job.Name = cli.InputName(path)
		job.Frame, err = p.ReadLabelled(c, path)
		return err
	}
	for _, flag := range []string{"target", "positive", "merge-labels", "categorical", "number", "ignore", "id",
		"weight", "group", "time"} {
		if c.IsSet(flag) {
			return cli.Usagef("--%s is about a file, and none is named; write rfpragma cv FILE", flag)
		}
	}
	job.Name = "fraud (built-in example)"
	job.Frame = dataset.Fraud(exampleRows, c.Uint64("seed"))
	return nil
}

// readCVWish reads what is asked for.
func readCVWish(job *view.CVJob, p *cli.Program, c *urfave.Context) (*view.Goal, error) {
	classes := job.Frame.Classes
	of := &view.Goal{Typed: cli.Typed, Classes: classes, Share: job.Frame.ClassWeights(), Ties: view.TieOrder(job.Frame),
		Floors: view.FloorTexts(job.Fit.Search.Floors, classes), Withheld: job.Withheld, Sure: job.Fit.Sure,
		Review: job.Fit.Review}
	var err error
	if of.Spec, err = cvPreference(job, p, c); err != nil {
		return nil, err
	}
	if of.Prefs, err = of.Spec.Resolve(classes); err != nil {
		return nil, err
	}
	if of.ByCost, err = cli.DecidesByCost(c); err != nil {
		return nil, err
	}
	of.Loss, err = p.ReadLoss(c, of.Spec, classes, job.Fit.Search.Floors)
	return of, err
}

// cvPreference is that of the flags, or that of the example.
func cvPreference(job *view.CVJob, p *cli.Program, c *urfave.Context) (pragma.Spec, error) {
	if ownPreference(c) {
		return pragma.ParseSpec(examplePrefer)
	}
	return p.ReadPreference(c, job.Frame.Classes, job.Frame.ClassWeights(), view.TieOrder(job.Frame))
}

// ownPreference reports whether the example is taken with the preference that comes with it.
func ownPreference(c *urfave.Context) bool {
	return c.Args().Len() == 0 && !cli.Preferred(c) && !cli.Measured(c)
}
