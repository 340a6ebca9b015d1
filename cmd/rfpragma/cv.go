package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func (p *program) cvCommand() *cli.Command {
	return &cli.Command{
		Name:      "cv",
		Usage:     "say by nested cross-validation what to expect on new rows",
		ArgsUsage: "[DATA.csv]",
		Description: `  rfpragma cv
  rfpragma cv data.csv --prefer 'ill:theta=10,x=0.2,y=0.6' --trees 200 --folds 5
` + preferHelp,
		Flags: slices.Concat(dataFlags(), preferFlags(), forestFlags(), fitFlags(), []cli.Flag{
			&cli.IntFlag{Name: "folds", Value: 10, Category: "Cross-validation", Usage: "number of `FOLDS`"},
			&cli.IntFlag{Name: "repeats", Value: 1, Category: "Cross-validation", Usage: "`TIMES` to do it all, with other folds"},
			&cli.StringFlag{Name: "folds-from", Category: "Cross-validation", Usage: "CSV `FILE` (row,fold) with the folds to use"},
			&cli.StringFlag{Name: "folds-to", Category: "Cross-validation", Usage: "CSV `FILE` to write the folds of the first repeat to"},
		}, runFlags("table, json, csv")),
		Action: p.cv,
	}
}

// The built-in example: its size, and what somebody might want there.
const (
	exampleRows   = 6000
	examplePrefer = "fraud:theta=10,x=0.2,y=0.6"
)

func (p *program) cv(c *cli.Context) error {
	job, err := p.cvJob(c)
	if err != nil {
		return err
	}
	if to := c.String("folds-to"); to != "" {
		inputs := append(c.Args().Slice(), c.String("prefer-file"), c.String("costs"))
		if err := apart("folds-to", to, inputs...); err != nil {
			return err
		}
		if err := job.writeFolds(to); err != nil {
			return err
		}
	}
	progress := p.progress("fold")
	job.eval.Progress = progress.show
	report, err := eval.CrossValidate(c.Context, job.frame, job.learn, job.eval)
	progress.end()
	if errors.Is(err, eval.ErrNoLabels) {
		return fmt.Errorf("%s: %w: outside of each fold all rows are of a single class; choose other folds, or get more rows", job.name, err)
	}
	if err != nil {
		return err
	}
	report.Warnings = slices.Concat(job.spec.Warnings(job.frame.Classes, eval.Shares(job.frame)), job.scarce(), report.Warnings)
	p.warn(report.Warnings)
	return p.showCV(job, report)
}

// cvJob is all that a cross-validation needs, checked before the first tree is grown.
type cvJob struct {
	frame  *dataset.Frame
	name   string
	format string
	spec   pragma.Spec
	prefs  []pragma.Preference // by class
	pragma pragma.Measure
	loss   loss // what the weights are searched for
	fit    rfpragma.Config
	eval   eval.Config
}

func (p *program) cvJob(c *cli.Context) (*cvJob, error) {
	p.quiet = c.Bool("quiet")
	job := &cvJob{}
	var err error
	if job.format, err = format(c, "table", "json", "csv"); err != nil {
		return nil, err
	}
	if err := job.read(p, c); err != nil {
		return nil, err
	}
	if job.fit, err = p.fitConfig(c, job.frame); err != nil {
		return nil, err
	}
	if err := job.folds(c); err != nil {
		return nil, err
	}
	if job.spec, err = job.preference(p, c); err != nil {
		return nil, err
	}
	if job.prefs, err = job.spec.Resolve(job.frame.Classes); err != nil {
		return nil, err
	}
	if job.pragma, err = job.spec.Measure(job.frame.Classes); err != nil {
		return nil, err
	}
	if job.loss, err = p.loss(c, job.pragma, job.frame.Classes); err != nil {
		return nil, err
	}
	job.fit.Measure = job.loss.measure
	job.eval.Pragma, job.eval.Priority, job.eval.Tune = job.pragma, priority(job.prefs), tuner(job.fit)
	if job.loss.name != "pragma" {
		job.eval.Loss = job.fit.Measure
	}
	job.introduce(p, c)
	return job, nil
}

// introduce tells of what was not asked for, once all that was asked for can be done.
func (job *cvJob) introduce(p *program, c *cli.Context) {
	if c.Args().Len() == 0 {
		p.say("No data is named: this is the built-in example, %d made-up card payments, 2 in 100 of them fraud.", exampleRows)
		if ownPreference(c) {
			p.say("And this is its preference: --prefer '%s'", examplePrefer)
		}
	}
	if job.fit.Votes == vote.Train {
		p.say("Votes by trees on their own training rows are nearly always right: weights tuned on them are as good as random. Use --votes train only to see that.")
	}
}

// read takes the file, or the built-in example when none is named.
func (job *cvJob) read(p *program, c *cli.Context) error {
	args, err := arguments(c, 0, 1)
	if err != nil {
		return err
	}
	if len(args) == 1 {
		job.name = called(args[0])
		job.frame, err = p.readLabelled(c, args[0])
		return err
	}
	for _, flag := range []string{"target", "positive", "categorical", "ignore", "id", "weight", "group"} {
		if c.IsSet(flag) {
			return usagef("--%s is about a file, and none is named; write rfpragma cv DATA.csv --%s ...", flag, flag)
		}
	}
	job.name = "fraud (built-in example)"
	job.frame = dataset.Fraud(exampleRows, c.Uint64("seed"))
	return nil
}

// preference is that of the flags, or that of the example.
func (job *cvJob) preference(p *program, c *cli.Context) (pragma.Spec, error) {
	if ownPreference(c) {
		return pragma.ParseSpec(examplePrefer)
	}
	return p.preference(c, job.frame.Classes, job.frame.ClassWeights())
}

// ownPreference reports whether the example is taken with the preference that comes with it.
func ownPreference(c *cli.Context) bool {
	return c.Args().Len() == 0 && !c.IsSet("prefer") && !c.IsSet("prefer-file")
}

// folds reads how the rows are parted.
func (job *cvJob) folds(c *cli.Context) error {
	job.eval = eval.Config{
		Folds: c.Int("folds"), Repeats: c.Int("repeats"), Seed: c.Uint64("seed"), Raw: raw(len(job.frame.Classes)),
	}
	switch {
	case job.eval.Folds < 2 || job.eval.Folds > job.frame.Rows():
		return usagef("--folds %d; choose 2 to the number of rows, %d", job.eval.Folds, job.frame.Rows())
	case job.eval.Repeats < 1:
		return usagef("--repeats %d; choose 1 or more", job.eval.Repeats)
	}
	from := c.String("folds-from")
	if from == "" {
		return nil
	}
	if job.eval.Repeats > 1 {
		return usagef("--repeats %d draws other folds each time, and --folds-from gives them; give one", job.eval.Repeats)
	}
	in, err := openFile(c.Context, from)
	if err != nil {
		return err
	}
	defer in.Close()
	job.eval.FoldOf, err = readFolds(in, from, job.frame.Rows())
	return err
}

// learn fits a model on a training part.
func (job *cvJob) learn(ctx context.Context, train *dataset.Frame, seed uint64) (eval.Classifier, []error, error) {
	cfg := job.fit
	cfg.Forest.Seed, cfg.Search.Seed = seed, seed
	m, err := rfpragma.Fit(ctx, train, job.spec, cfg)
	if errors.Is(err, forest.ErrTrain) && singleClass(train) {
		note := errors.New("the rows outside of a fold are of a single class, so no forest can judge the fold; choose fewer with --folds, or get more rows of the rare class")
		return mute(eval.Shares(train)), []error{note}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return fitted{m, cfg.Forest.Workers}, m.Warnings, nil
}

// singleClass reports whether all rows that count are of one class.
func singleClass(f *dataset.Frame) bool {
	counting := 0
	for _, w := range f.ClassWeights() {
		if w > 0 {
			counting++
		}
	}
	return counting == 1
}

// fitted is a model that votes with a given number of workers.
type fitted struct {
	*rfpragma.Model
	workers int
}

// Votes is that of the forest.
func (f fitted) Votes(ctx context.Context, frame *dataset.Frame) (*vote.Table, error) {
	return f.Forest.Votes(ctx, frame, f.workers)
}

// mute stands for the forest that cannot be grown on rows of a single class: it leaves all
// rows without votes, so that they are not judged. It holds the shares of the classes.
type mute []float64

// Votes returns a table without votes.
func (m mute) Votes(_ context.Context, f *dataset.Frame) (*vote.Table, error) {
	return &vote.Table{
		Classes: f.Classes, Truth: f.Truth, Weight: f.Weight, Share: m,
		Counts: make([]uint32, f.Rows()*len(m)), Source: vote.Holdout,
	}, nil
}

// VoteWeights returns nil: there are none to tell of.
func (m mute) VoteWeights() vote.Weights { return nil }

// Probabilities is never asked, as no row has a vote.
func (m mute) Probabilities(dst []float64, _ []uint32) { copy(dst, m) }

// scarce warns of the classes that have fewer rows than there are folds.
func (job *cvJob) scarce() []error {
	var warnings []error
	folds := job.settings().Folds
	for _, c := range describe(job.name, job.frame).Classes {
		if c.Rows < folds {
			warnings = append(warnings, fmt.Errorf("class %.64q is absent from some of the %d folds, as it has %s: its figures rest on the others; choose fewer with --folds", c.Label, folds, rowCount(c.Rows)))
		}
	}
	return warnings
}

// tuner fits weights and maps on any votes, as the fit of a model does.
func tuner(cfg rfpragma.Config) eval.Tuner {
	return func(ctx context.Context, t *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
		found, err := cfg.Tune(ctx, t, cfg.Measure)
		if err != nil {
			return nil, nil, err
		}
		maps, _, err := cfg.Calibrate(t)
		return found.Weights, func(dst []float64, votes []uint32) { rfpragma.Probabilities(maps, dst, votes) }, err
	}
}

// raw gives the smoothed shares of the votes as probabilities.
func raw(k int) func(dst []float64, votes []uint32) {
	maps := rfpragma.Uncalibrated(k)
	return func(dst []float64, votes []uint32) { rfpragma.Probabilities(maps, dst, votes) }
}

// priority marks the classes of the largest importance; nil when all are equal.
func priority(prefs []pragma.Preference) []bool {
	top, low := prefs[0].Theta, prefs[0].Theta
	for _, f := range prefs {
		top, low = max(top, f.Theta), min(low, f.Theta)
	}
	if top == low {
		return nil
	}
	marks := make([]bool, len(prefs))
	for c, f := range prefs {
		marks[c] = f.Theta == top
	}
	return marks
}
