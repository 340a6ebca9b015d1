package verb

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/table"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func tuneCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "tune",
		Usage:     "find vote weights for a saved model, or for the votes of any other",
		ArgsUsage: "VOTES.csv, or MODEL.rfp DATA",
		Description: `  rfpragma tune votes.csv --prefer ill
  rfpragma tune votes.csv --prefer 'ill:theta=10,x=0.2,y=0.6' --format json
  rfpragma tune votes.csv --prefer ill --cutoff ill=0.2       judge this, search nothing
  rfpragma tune votes.csv --prefer ill --top ill=1%           what the likeliest 1 % are worth
  rfpragma tune model.rfp later.csv --prefer ill -o new.rfp   other weights, the same trees
  rfpragma tune model.rfp data.csv --prefer ill -o new.rfp    likewise, by out-of-bag votes

VOTES.csv has a column with the true class and one for each class, named as the class is,
with the number of votes for it by trees that have not seen the row, or a score of any
model from 0 on, such as a probability:

  class,ill,well
  ill,12,8
  well,1,19

What rfpragma tally counts is read too, and lines that stand for several rows, by a column count:

  SELECT class, ill, well, count(*) AS count FROM votes GROUP BY class, ill, well

R:      forest <- randomForest(x, y, norm.votes = FALSE)
        write.csv(data.frame(class = y, forest$votes, check.names = FALSE), "votes.csv")
Python: p = cross_val_predict(model, X, y, cv=10, method="predict_proba")
        pandas.DataFrame(p, columns=numpy.unique(y)).assign(**{"class": y}).to_csv(
            "votes.csv", index=False)
` + cli.PreferHelp,
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "target", DefaultText: "class, or as in training", Category: "Data",
				Usage: "`COLUMN` of the labels"},
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output",
				Usage: "model `FILE` to write, of a model with these weights"},
			cli.PositiveFlag(), cli.MergeFlag(), cli.AcceptBest(), cli.GroupFlag(), cli.TopFlag(), cli.DetailsFlag(),
		}, cli.NewDataFlags(), cli.PreferFlags(), cli.SearchFlags(), cli.WeightFlags(), cli.RunFlags(view.AllForms)),
		Action: func(c *urfave.Context) error { return tune(p, c) },
	}
}

// tuning is what is tuned: votes, and the model they are of, if it is one of ours.
type tuning struct {
	table *vote.Table
	model *rfpragma.Model
	name  string         // of the votes or rows, for people
	frame *dataset.Frame // the rows, of a model
	fresh bool           // neither the trees nor the weights of the model have seen them
}

func tune(p *cli.Program, c *urfave.Context) error {
	form, err := cli.ResultForm(c)
	if err != nil {
		return err
	}
	args, err := cli.Arguments(c, 1, 2)
	if err != nil {
		return err
	}
	workers, err := p.Threads(c)
	if err != nil {
		return err
	}
	to := c.String("output")
	if err := checkOutput(p, c, args); err != nil {
		return err
	}
	if err := checkTune(p, c, workers); err != nil {
		return err
	}
	in, err := toTune(p, c, args, workers)
	if err != nil {
		return err
	}
	t := in.table
	if t.Source == vote.OOB { // as in training
		t = tables.Predictive(t.Condense())
	}
	w, err := readTuningWish(p, c, in, workers)
	if err != nil {
		return err
	}
	top, err := readTops(p, c, in, &w)
	if err != nil {
		return err
	}
	shown, retuned, err := in.tuneVotes(c, t, &w)
	if err != nil {
		return err
	}
	shown.Top = top
	if err := shown.Compare(w.search); err != nil {
		return err
	}
	if err := shown.Offer(c.Context, w.search); err != nil {
		return err
	}
	found := &shown.Found
	found.Warnings = slices.Concat(tableDirections(in.name, in.table), w.spec.Warnings(t.Classes, t.Share),
		shown.Aim().Turned(), found.Warnings)
	p.Warn(cli.Untold(found.Warnings))
	shown.Model = retuned
	if m := shown.Model; to != "" {
		was, err := p.Replace(c.Context, m, to)
		if err != nil {
			return err
		}
		p.Say("Model with these weights written to %s%s.", to, was)
	}
	return showTuning(shown, c, p, form)
}

// tuneVotes searches weights for the votes, or judges those that were given. It returns the model with these weights
// as well, if there is one.
func (in *tuning) tuneVotes(c *urfave.Context, t *vote.Table, w *tuningWish) (*view.ShownTuning, *rfpragma.Model,
	error) {
	staked, err := w.loss.Costs.Stakes(in.labelled(t))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", in.name, err)
	}
	cfg := w.config()
	cfg.AcceptBest = c.Bool("accept-best")
	var model *rfpragma.Model
	var found anneal.Result
	if in.model != nil {
		cfg.Tuned = func(_ *vote.Table, result anneal.Result) { found = result }
		model, err = in.model.Retune(c.Context, in.frame, t, w.spec, cfg)
	} else {
		found, err = searched(c.Context, &cfg, t, staked, w.loss.Measure)
	}
	var trial *anneal.Trial
	if err == nil && w.weights == nil && !slices.ContainsFunc(found.Warnings, func(w error) bool {
		return errors.Is(w,
			anneal.ErrFloors)
	}) {
		var expected anneal.Trial
		expected, err = w.search.Expect(c.Context, staked, w.loss.Measure, found)
		trial = &expected
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", in.name, cli.OfferBest(err))
	}
	return &view.ShownTuning{
		Name: in.name, Was: in.model, Fresh: in.fresh, Table: t, Frame: in.frame, Staked: staked, Loss: w.loss, Spec: w.spec,
		Prefs:  w.prefs,
		Floors: w.search.Floors, Choice: w.search.Choice, Found: found, Trial: trial,
	}, model, nil
}

// labelled is a table of its votes without the rows of no known class, where the reading of a frame has told of them.
func (in *tuning) labelled(t *vote.Table) *vote.Table {
	if in.frame == nil || !slices.Contains(t.Truth, -1) {
		return t
	}
	var rows []int
	for i, class := range t.Truth {
		if class >= 0 {
			rows = append(rows, i)
		}
	}
	return t.Take(rows)
}

// checkTune refuses, before long reading, what needs no data to be told.
func checkTune(p *cli.Program, c *urfave.Context, workers int) error {
	if _, err := cli.Search(c, workers, nil); err != nil {
		return err
	}
	return p.CheckWish(c)
}

// tuningWish is what is to become of votes.
type tuningWish struct {
	search  anneal.Search
	spec    pragma.Spec
	prefs   []pragma.Preference // by class
	loss    view.Loss
	weights func(*vote.Table) vote.Weights // to judge instead of searching, or nil
}

func (w *tuningWish) config() rfpragma.Config {
	cfg := rfpragma.Config{Search: w.search, Weights: w.weights}
	cli.Into(w.loss, &cfg)
	return cfg
}

// readTuningWish reads it from the flags, and from the model where they do not say.
func readTuningWish(p *cli.Program, c *urfave.Context, in tuning, workers int) (w tuningWish, err error) {
	classes := in.table.Classes
	if w.search, err = cli.Search(c, workers, classes); err != nil {
		return w, err
	}
	if w.spec, err = tuningSpec(p, c, in); err != nil {
		return w, err
	}
	if w.prefs, err = w.spec.Resolve(classes); err != nil {
		return w, err
	}
	if in.model != nil && !c.IsSet("require") {
		if w.search.Floors, err = in.model.Floors(); err != nil {
			return w, err
		}
	}
	if w.loss, err = p.LossFor(c, in.model, w.spec, classes, w.search.Floors); err != nil {
		return w, err
	}
	if w.weights, err = cli.Given(c, classes, w.loss.Costs); err != nil {
		return w, err
	}
	if !c.IsSet("require") && len(w.search.Floors) > 0 {
		keepFloors(p, in.model, &w)
	}
	return w, nil
}

// readTops judges lists of the likeliest rows, by their votes.
func readTops(p *cli.Program, c *urfave.Context, in tuning, w *tuningWish) ([]eval.TopListFigures, error) {
	lists, err := p.ReadLists(c, &view.Aim{Classes: in.table.Classes, Share: in.table.Share, Ties: in.table.Ties,
		Prefs: w.prefs})
	if err != nil {
		return nil, err
	}
	top, err := eval.Top(in.table, lists)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	p.Warn(view.LongLists(lists, top))
	return top, nil
}

// keepFloors says that a model keeps what was required of it, where it does.
func keepFloors(p *cli.Program, m *rfpragma.Model, w *tuningWish) {
	floors := strings.Join(m.Provenance.Floors, "; ")
	if w.loss.Costs.Amounts() {
		w.search.Floors = nil
		p.Warn([]error{fmt.Errorf("the model was to keep %s; that is dropped, as costs by amount count what is at stake "+
			"and not rows", floors)})
		return
	}
	p.Say("What was required of the model still is: %s. Another --require takes its place; --require none drops it.",
		floors)
}

// tuningSpec reads what is wanted: of a model what it was tuned for, unless the flags say otherwise.
func tuningSpec(p *cli.Program, c *urfave.Context, in tuning) (pragma.Spec, error) {
	if in.model != nil && !cli.Preferred(c) && !cli.Measured(c) && (len(in.model.Spec) > 0 || !c.IsSet("measure")) {
		return in.model.Spec, nil
	}
	return p.Preference(c, in.table.Classes, view.ClassWeightsOf(in.table), in.table.TieOrder())
}

// checkOutput refuses a model file that cannot be written.
func checkOutput(p *cli.Program, c *urfave.Context, args []string) error {
	switch to := c.String("output"); {
	case to == "":
		return nil
	case len(args) < 2:
		return cli.Usagef("--output is for a model; give MODEL.rfp before the rows to tune it on")
	case to == "-":
		return cli.Usagef("--output -: a model is no text for stdout; name a file, such as -o model.rfp")
	}
	return p.MayWrite(c, "output", cli.ModelProduct)
}

// toTune reads a file of votes, or a model and labelled rows: ones that it has not seen, or those of its training,
// for which it votes out of bag.
func toTune(p *cli.Program, c *urfave.Context, args []string, workers int) (in tuning, err error) {
	in.name = cli.Called(args[len(args)-1])
	if len(args) == 1 {
		if c.IsSet("missing") {
			return in, cli.Usagef("--missing is for the rows of a model; where there is no vote, write 0")
		}
		if in.table, err = readVotes(p, c, args[0]); err != nil {
			err = fmt.Errorf("%w%s", err, withModel(c))
		}
		return in, err
	}
	if err = ownClasses(p); err != nil {
		return in, err
	}
	var from view.ModelOrigin
	if in.model, from, err = cli.LoadFirst(c, args); err != nil {
		return in, err
	}
	if c.Command.Name == "tune" {
		if err := cli.NoWeights(in.model, "tune"); err != nil {
			return in, err
		}
	}
	if in.frame, err = readFor(p, c, in.model, args[1]); err != nil {
		return in, err
	}
	p.Warn(in.frame.Warnings)
	if in.model.TrainedOn(in.frame) {
		in.frame = in.frame.Labelled()
		in.table, err = in.model.OutOfBag(c.Context, in.frame, workers)
		if errors.Is(err, rfpragma.ErrConfig) { // the file does not hold the votes
			return in, in.refuseRetuning(c, from)
		}
		if err != nil {
			return in, fmt.Errorf("%s: %w", in.name, err)
		}
		_, text := in.frame.Ordered() // as in training, but for columns that were left out there
		for _, words := range view.OrderedWords(in.model.Provenance.Ordered, &in.model.Provenance.Reading,
			in.model.Forest.Schema) {
			p.Warn([]error{fmt.Errorf("%s: %s", in.name, cmp.Or(text, words))})
		}
		return in, nil
	}
	k, err := in.model.Overlap(in.frame)
	if err != nil {
		return in, err
	}
	if k.Most() {
		return in, fmt.Errorf("%s: %s in the training, and votes of trees on rows that they know by heart say nothing of "+
			"new ones; "+
			"give all rows of the training, whose out-of-bag votes are taken, or rows that came later", in.name,
			view.KnownWords(k, in.model.Classes()))
	}
	p.Warn(append(view.Known(k, in.model.Classes(), in.name), cli.Ungrouped(c, in.model, in.frame, in.name)...))
	tuned, _ := in.model.FittedOn(in.frame)
	in.fresh = !tuned
	in.table, err = in.model.Forest.Votes(c.Context, in.frame, workers)
	return in, err
}

// refuseRetuning says how a model gets other weights or maps by the rows of its training, where its file does not
// hold the votes that these are found by.
func (in *tuning) refuseRetuning(c *urfave.Context, from view.ModelOrigin) error {
	prefs, err := in.model.Spec.Resolve(in.model.Classes())
	if err != nil {
		return err
	}
	rows := view.ModelRows{Model: in.model, From: from, Aim: view.AimOf(in.model, prefs), CostsFile: c.String("costs"),
		Frame: in.frame}
	again := refittingCommand(&rows, c)
	return cli.Usagef("%s: the model was trained on these very rows; for what is wanted now train it again: %s%s; or "+
		"give labelled rows that it has not seen, as its file does not hold the votes that it was fitted on",
		in.name, again, rows.CostsHint(again))
}

// searched searches for weights, or judges those that are given. Where no weights reach what is required, it returns
// the best, if it may.
func searched(ctx context.Context, cfg *rfpragma.Config, t, staked *vote.Table, m pragma.Measure) (found anneal.Result,
	err error) {
	if cfg.Weights != nil {
		found, err = cfg.Search.Judge(ctx, staked, m, cfg.Weights(t))
	} else {
		found, err = cfg.Search.Weights(ctx, staked, m)
	}
	if errors.Is(err, anneal.ErrFloors) && cfg.AcceptBest {
		found.Warnings, err = append(found.Warnings, err), nil
	}
	return found, err
}

// withModel says how a verb takes rows that are no votes or scores, as no column is named as a class is; "" where
// one is.
func withModel(c *urfave.Context) string {
	line := cli.LineOf(c)
	classes, columns := line.Classes(c.Context), line.Columns(c.Context)
	if classes == nil || slices.ContainsFunc(classes, func(class string) bool { return slices.Contains(columns, class) }) {
		return ""
	}
	return fmt.Sprintf("; if these are rows of data, a model comes first: rfpragma %s MODEL.rfp %s", c.Command.Name,
		view.Quoted(c.Args().First()))
}

func readVotes(p *cli.Program, c *urfave.Context, path string) (*vote.Table, error) {
	if form, err := cli.FormOf(c.String("input-format"), path); err != nil || form != "" && form != table.CSVTable &&
		form != table.TsvTable {
		if err == nil {
			err = cli.Usagef("%s: a table of votes is CSV and not %s; convert it, or correct --input-format", cli.Called(path),
				form)
		}
		return nil, err
	}
	o, err := p.Options(c)
	if err != nil {
		return nil, err
	}
	in, err := p.Open(c.Context, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	buffered := bufio.NewReader(in)
	if start, _ := buffered.Peek(len(view.KindVotes)); string(start) == view.KindVotes {
		if o.Group != "" {
			return nil, cli.Usagef("--group: %s is what rfpragma tally counted, which knows no groups; leave it out", in.Name)
		}
		t, err := rfpragma.ReadTally(buffered, in.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.Name, err)
		}
		if err := cli.Usable(t, in.Name); err != nil {
			return nil, err
		}
		return mergeVotes(t.Table(), o, in.Name)
	}
	if err := cli.NoTable(c, buffered, in.Name); err != nil {
		return nil, err
	}
	rows := table.RowVotes(buffered, &o)
	t, err := vote.ReadCSV(rows, in.Name, vote.CSVOptions{Target: o.Target, Weight: o.Weight, Group: o.Group,
		Amount: o.Amount, ID: o.ID, Ignore: o.Ignore, Comma: o.Comma, Decimal: o.Decimal, Found: p.Separated(in.Name)})
	if err == nil && t.Share == nil {
		err = fmt.Errorf("%s: no row has a label; fill column %s, or name another one with --target", in.Name,
			english.Quote(cmp.Or(o.Target, "class")))
	}
	if err != nil {
		return nil, err
	}
	return mergeVotes(t, o, in.Name)
}

// mergeVotes merges classes as --merge-labels and --positive have it.
func mergeVotes(t *vote.Table, o dataset.Options, name string) (*vote.Table, error) {
	if o.Merge == nil && o.Positive == "" {
		return t, nil
	}
	names := slices.Clone(t.Classes)
	for _, class := range slices.Sorted(maps.Keys(o.Merge)) {
		for _, label := range o.Merge[class] {
			at := slices.Index(t.Classes, label)
			if at < 0 {
				return nil, cli.Usagef("--merge-labels: %s: %v", name, nearest.Unknown("class", label, t.Classes))
			}
			names[at] = class
		}
	}
	if o.Positive != "" && !slices.Contains(names, o.Positive) {
		return nil, cli.Usagef("--positive: %s: %v", name, nearest.Unknown("class", o.Positive, names))
	}
	for c, class := range names {
		if o.Positive != "" && class != o.Positive {
			names[c] = csvtext.RestOf(o.Positive)
		}
	}
	if t = t.Merge(names); len(t.Classes) < 2 {
		return nil, cli.Usagef("--merge-labels: %s: all classes have become %s; leave two at least", name,
			english.Quote(t.Classes[0]))
	}
	return t, nil
}

// ownClasses refuses flags that merge classes, where a model has its own.
func ownClasses(p *cli.Program) error {
	for _, flag := range []string{"positive", "merge-labels"} {
		if _, typed := p.Typed[flag]; typed {
			return cli.Usagef("--%s: a model has its classes; leave it out", flag)
		}
	}
	return nil
}
