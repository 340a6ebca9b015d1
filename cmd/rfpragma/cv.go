package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func (p *program) cvCommand() *cli.Command {
	return &cli.Command{
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
` + preferHelp,
		Flags: slices.Concat(dataFlags(), preferFlags(), forestFlags(), fitFlags(), []cli.Flag{
			decideFlag(),
			&cli.IntFlag{Name: "folds", Value: 10, Category: "Cross-validation", Usage: "number of `FOLDS`, or with --time of later blocks"},
			&cli.IntFlag{Name: "repeats", Value: 1, Category: "Cross-validation", Usage: "`TIMES` to do it all, with other folds"},
			&cli.StringFlag{Name: "folds-from", Category: "Cross-validation", Usage: "CSV `FILE` (row,fold) of folds to use; rows without a label are not counted"},
			&cli.StringFlag{Name: "folds-to", Category: "Cross-validation", Usage: "CSV `FILE` to write the folds of the first repeat to, in that form"},
			&cli.StringFlag{Name: "report", Category: "Output", Usage: "HTML `FILE` to write a page with charts to"},
			figuresFlag(), topFlag(), withholdFlag(), decisionsFlag(), resultFlag(), detailsFlag(),
		}, runFlags(allForms)),
		Action: p.kept(p.cv),
	}
}

// The built-in example: its size, by which two standard errors of what tuning gains are less than 0.04, and what somebody might want there.
const (
	exampleRows   = 20000
	examplePrefer = "fraud:theta=10,x=0.2,y=0.6"
)

func (p *program) cv(c *cli.Context) error {
	for _, file := range []struct{ flag, of string }{{"report", "page"}, {"folds-to", "folds"}} {
		if c.String(file.flag) == "-" {
			return usagef("--%s -: the result of cv goes to stdout; name a file for the %s", file.flag, file.of)
		}
	}
	if err := p.drawable(c, "report", pageProduct); err != nil {
		return err
	}
	if err := p.mayWrite(c, "folds-to", tableProduct); err != nil {
		return err
	}
	job, err := p.cvJob(c)
	if err != nil {
		return err
	}
	if to := c.String("folds-to"); to != "" {
		if err := p.toFile(c.Context, to, func() error { return job.writeFolds(to) }); err != nil {
			return err
		}
	}
	to := p.page(job.format).call(job.frame.Classes)
	succeeded := p.before(to, func() { job.introduced(to) })
	fits := job.settings().Folds * job.eval.Repeats
	progress := p.growing(&job.fit, job.frame, job.forests())
	job.eval.Progress = progress.parts("fold")
	job.eval.Progress(0, fits)
	job.keepVotes()
	job.fit.Chosen = job.chosen.add
	report, err := rfpragma.CrossValidate(c.Context, job.frame, job.aim.spec, job.fit, job.eval)
	progress.end()
	if job.withheld != nil {
		job.withheld.end(job.eval.Repeats)
	}
	if errors.Is(err, eval.ErrNoLabels) && job.withheld != nil && job.withheld.Rows > 0 {
		return noneDecided(job.name)
	}
	if errors.Is(err, eval.ErrNoLabels) {
		return fmt.Errorf("%s: %w: outside of each fold all rows are of a single class; choose other folds, or get more rows", job.name, err)
	}
	if err != nil {
		return err
	}
	succeeded()
	if err := job.offer(c.Context, report); err != nil {
		return err
	}
	if job.byHeart, err = p.learntByHeart(c.Context, job, report); err != nil {
		return err
	}
	report.Warnings = slices.Concat(job.aim.spec.Warnings(job.frame.Classes, eval.Shares(job.frame)), lateWarnings(report.Warnings), job.blocksWarning(), longLists(job.eval.Top, report.Top))
	p.warn(untold(report.Warnings))
	if err := p.writeDecisions(c, job.rows, job.name); err != nil {
		return err
	}
	if err := p.drawCV(c, job, report); err != nil {
		return err
	}
	if err := p.showCV(c, job, to, report); err != nil {
		return err
	}
	p.next(to, job.training(c, report))
	return nil
}

// forests is how many of them the trainings grow: in the order of time the early ones may have fewer blocks within.
func (job *cvJob) forests() int {
	if job.blocks == nil {
		return job.settings().Folds * job.eval.Repeats * job.fit.Forests(job.frame)
	}
	bare, n := *job.frame, 0
	bare.Columns = nil
	var before []int
	for _, block := range job.blocks[:len(job.blocks)-1] {
		before = append(before, block.Rows...)
		n += job.fit.Forests(bare.Take(slices.Sorted(slices.Values(before))))
	}
	return n * job.eval.Repeats
}

// cvJob is all that a cross-validation needs, checked before the first tree is grown.
type cvJob struct {
	frame   *dataset.Frame
	name    string
	format  string
	aim     *aim // what is asked for
	fit     rfpragma.Config
	eval    eval.Config
	rows    *decisions      // or nil, where nobody asks for them
	chosen  chosenForests   // with --tune-forest
	fewer   string          // says that there are fewer folds than usual
	blocks  []dataset.Block // of rows in the order of time, of which the first is not judged; nil for folds
	voted   []votedFold
	others  []alternative
	limit   *limitCost
	byHeart *byHeart // columns that are better left out; nil where nothing can tell

	withheld *withheldInfo // rows that are left undecided, which are in no figure; nil without --withhold
}

func (p *program) cvJob(c *cli.Context) (*cvJob, error) {
	job := &cvJob{}
	var err error
	if job.format, err = resultForm(c); err != nil {
		return nil, err
	}
	if err := job.check(p, c); err != nil {
		return nil, err
	}
	if err := job.read(p, c); err != nil {
		return nil, err
	}
	if job.fit, err = p.fitConfig(c, job.frame); err != nil {
		return nil, err
	}
	if !c.Args().Present() && !c.IsSet("tune-forest") { // the example is there to be seen at once
		job.fit.TuneForest = rfpragma.TuneOff
	}
	if err := job.deal(c); err != nil {
		return nil, err
	}
	if err := job.hold(); err != nil {
		return nil, err
	}
	if err := job.withhold(c); err != nil {
		return nil, err
	}
	if c.Bool("ask") { // what about?
		job.introduce(p, c)
	}
	if job.aim, err = job.wish(p, c); err != nil {
		return nil, err
	}
	job.fit.Measure, job.fit.MeasureName, job.fit.Costs = job.aim.loss.measure, job.aim.loss.name, job.aim.loss.costs
	job.fit.ByCost = job.aim.byCost
	if job.eval.Top, err = p.readLists(c, job.aim); err != nil {
		return nil, err
	}
	p.warn(untold(job.frame.Warnings))
	if !c.Bool("ask") {
		job.introduce(p, c)
	}
	p.warn(job.aim.turned())
	return job, nil
}

// check refuses, before long reading, what needs no data to be told.
func (job *cvJob) check(p *program, c *cli.Context) error {
	if _, err := arguments(c, 0, 1); err != nil {
		return err
	}
	if _, err := p.fitConfig(c, &dataset.Frame{}); err != nil {
		return err
	}
	if err := p.checkWish(c); err != nil {
		return err
	}
	var err error
	if job.rows, err = p.decisions(c); err != nil {
		return err
	}
	return job.folds(c)
}

// hold has the decisions of all rows kept, each from the fold that holds it, of the first repeat.
func (job *cvJob) hold() error {
	if job.rows == nil {
		return nil
	}
	job.eval.HeldOut = func(h eval.HeldOut) {
		if h.Repeat == 0 {
			job.rows.hold(h.Fold+1, h.Rows, h.Votes, func(i int) int { return h.Decided[i] }, h.Probabilities)
		}
	}
	return job.rows.of(job.frame, job.frame.Reading.ID, job.name)
}

// introduce tells of what was not asked for, once all that was asked for can be done.
func (job *cvJob) introduce(p *program, c *cli.Context) {
	if c.Args().Len() == 0 {
		p.say("No file is named: this is the built-in example, %s made-up card payments, 2 in 100 of them fraud. Name a file to judge your own: rfpragma cv FILE", grouped(exampleRows))
		if ownPreference(c) {
			p.say("And this is its preference: --prefer '%s'", examplePrefer)
		}
	}
	if job.fewer != "" {
		p.say("%s", job.fewer)
	}
	if job.fit.Votes == vote.Train {
		p.say("Votes by trees on their own training rows are nearly always right: weights tuned on them are as good as random. Use --votes train only to see that.")
	}
}

// read takes the file, or the built-in example when none is named.
func (job *cvJob) read(p *program, c *cli.Context) (err error) {
	if path := c.Args().First(); c.Args().Present() {
		job.name = called(path)
		job.frame, err = p.readLabelled(c, path)
		return err
	}
	for _, flag := range []string{"target", "positive", "merge-labels", "categorical", "ignore", "id", "weight", "group", "time"} {
		if c.IsSet(flag) {
			return usagef("--%s is about a file, and none is named; write rfpragma cv FILE", flag)
		}
	}
	job.name = "fraud (built-in example)"
	job.frame = dataset.Fraud(exampleRows, c.Uint64("seed"))
	return nil
}

// wish reads what is asked for.
func (job *cvJob) wish(p *program, c *cli.Context) (*aim, error) {
	classes := job.frame.Classes
	of := &aim{classes: classes, share: job.frame.ClassWeights(), ties: tieOrder(job.frame), floors: floorTexts(job.fit.Search.Floors, classes), withheld: job.withheld}
	var err error
	if of.spec, err = job.preference(p, c); err != nil {
		return nil, err
	}
	if of.prefs, err = of.spec.Resolve(classes); err != nil {
		return nil, err
	}
	if of.byCost, err = byCost(c); err != nil {
		return nil, err
	}
	of.loss, err = p.loss(c, of.spec, classes, job.fit.Search.Floors)
	return of, err
}

// preference is that of the flags, or that of the example.
func (job *cvJob) preference(p *program, c *cli.Context) (pragma.Spec, error) {
	if ownPreference(c) {
		return pragma.ParseSpec(examplePrefer)
	}
	return p.preference(c, job.frame.Classes, job.frame.ClassWeights(), tieOrder(job.frame))
}

// ownPreference reports whether the example is taken with the preference that comes with it.
func ownPreference(c *cli.Context) bool {
	return c.Args().Len() == 0 && !preferred(c) && !measured(c)
}

// mostRepeats is the limit of --repeats: where it is reached, no further one would change a figure.
const mostRepeats = 1000

// folds reads into how many parts the rows are dealt.
func (job *cvJob) folds(c *cli.Context) error {
	job.eval = eval.Config{Folds: c.Int("folds"), Repeats: c.Int("repeats"), Seed: c.Uint64("seed")}
	from, time := c.String("folds-from"), c.String("time") != ""
	switch {
	case time && c.String("group") != "":
		return eitherTimeOrGroup()
	case time && from != "":
		return usagef("--time makes the folds, and --folds-from gives them; leave one out")
	case job.eval.Folds < 1 || job.eval.Folds == 1 && !time:
		return usagef("--folds %d; choose 2 or more", job.eval.Folds)
	case job.eval.Repeats < 1 || job.eval.Repeats > mostRepeats:
		return usagef("--repeats %d; choose 1 to %d", job.eval.Repeats, mostRepeats)
	case !c.IsSet("folds-from"):
		return nil
	case job.eval.Repeats > 1:
		return usagef("--repeats %d draws other folds each time, and --folds-from gives them; give one", job.eval.Repeats)
	}
	return findable("folds-from", from)
}

// deal reads how the rows are dealt, once they are known.
func (job *cvJob) deal(c *cli.Context) error {
	from := c.String("folds-from")
	switch {
	case job.frame.Time != nil:
		return job.block(c)
	case from == "":
		return job.limitFolds(c)
	}
	in, err := openFile(c.Context, from)
	if err != nil {
		return err
	}
	defer in.Close()
	if job.eval.FoldOf, err = readFolds(in, from, job.frame.Rows()); err == nil {
		job.eval.Folds = slices.Max(job.eval.FoldOf) + 1
	}
	return err
}

// mostFoldsOf is into how many folds a frame can be dealt, and of what each has one at least.
func mostFoldsOf(frame *dataset.Frame) (most int, of string) {
	if frame.Group != nil {
		return frame.MostFolds(), "group"
	}
	return frame.MostFolds(), "row"
}

// fewerFolds is the error for more folds than there are rows, or groups.
func fewerFolds(flag string, folds int, of string, most int) error {
	return usagef("--%s %d is more than there are %ss, %d; choose --%[1]s %[4]d or fewer", flag, folds, of, most)
}

// limitFolds holds the number of folds against that of the rows, or groups.
func (job *cvJob) limitFolds(c *cli.Context) error {
	most, of := mostFoldsOf(job.frame)
	switch {
	case job.eval.Folds <= most || most < 2:
	case c.IsSet("folds"):
		return fewerFolds("folds", job.eval.Folds, of, most)
	default:
		job.fewer = fmt.Sprintf("There are only %s: %s, not the usual %d.", english.Plural(most, of), foldsMade(most), job.eval.Folds)
		job.eval.Folds = most
	}
	return nil
}
