package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func (p *program) tuneCommand() *cli.Command {
	return &cli.Command{
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
` + preferHelp,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "target", DefaultText: "class, or as in training", Category: "Data", Usage: "`COLUMN` of the labels"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output", Usage: "model `FILE` to write, of a model with these weights"},
			positiveFlag(), mergeFlag(), acceptBest(), groupFlag(), topFlag(), detailsFlag(),
		}, newDataFlags(), preferFlags(), searchFlags(), weightFlags(), runFlags(allForms)),
		Action: p.tune,
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

func (p *program) tune(c *cli.Context) error {
	form, err := resultForm(c)
	if err != nil {
		return err
	}
	args, err := arguments(c, 1, 2)
	if err != nil {
		return err
	}
	workers, err := p.threads(c)
	if err != nil {
		return err
	}
	to := c.String("output")
	if err := p.checkOutput(c, args); err != nil {
		return err
	}
	if err := p.checkTune(c, workers); err != nil {
		return err
	}
	in, err := p.toTune(c, args, workers)
	if err != nil {
		return err
	}
	t := in.table
	if t.Source == vote.OOB { // as in training
		t = tables.Predictive(t.Condense())
	}
	w, err := p.tuningWish(c, in, workers)
	if err != nil {
		return err
	}
	top, err := p.tops(c, in, &w)
	if err != nil {
		return err
	}
	shown, retuned, err := in.tuned(c, t, &w)
	if err != nil {
		return err
	}
	shown.top = top
	if err := shown.compare(w.search); err != nil {
		return err
	}
	if err := shown.offer(c.Context, w.search); err != nil {
		return err
	}
	found := &shown.found
	found.Warnings = slices.Concat(w.spec.Warnings(t.Classes, t.Share), shown.aim().turned(), found.Warnings)
	p.warn(untold(found.Warnings))
	shown.model = retuned
	if m := shown.model; to != "" {
		was, err := p.replace(c.Context, m, to)
		if err != nil {
			return err
		}
		p.say("Model with these weights written to %s%s.", to, was)
	}
	return shown.show(c, p, form)
}

// tuned searches weights for the votes, or judges those that were given. It returns the model with these weights as well, if there is one.
func (in *tuning) tuned(c *cli.Context, t *vote.Table, w *tuningWish) (*shownTuning, *rfpragma.Model, error) {
	staked, err := w.loss.costs.Stakes(in.labelled(t))
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
		found, err = searched(c.Context, &cfg, t, staked, w.loss.measure)
	}
	var trial *anneal.Trial
	if err == nil && w.weights == nil && !slices.ContainsFunc(found.Warnings, func(w error) bool { return errors.Is(w, anneal.ErrFloors) }) {
		var expected anneal.Trial
		expected, err = w.search.Expect(c.Context, staked, w.loss.measure, found)
		trial = &expected
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", in.name, offerBest(err))
	}
	return &shownTuning{
		name: in.name, was: in.model, fresh: in.fresh, table: t, frame: in.frame, staked: staked, loss: w.loss, spec: w.spec, prefs: w.prefs,
		floors: w.search.Floors, choice: w.search.Choice, found: found, trial: trial,
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
func (p *program) checkTune(c *cli.Context, workers int) error {
	if _, err := search(c, workers, nil); err != nil {
		return err
	}
	return p.checkWish(c)
}

// tuningWish is what is to become of votes.
type tuningWish struct {
	search  anneal.Search
	spec    pragma.Spec
	prefs   []pragma.Preference // by class
	loss    loss
	weights func(*vote.Table) vote.Weights // to judge instead of searching, or nil
}

func (w *tuningWish) config() rfpragma.Config {
	cfg := rfpragma.Config{Search: w.search, Weights: w.weights}
	w.loss.into(&cfg)
	return cfg
}

// tuningWish reads it from the flags, and from the model where they do not say.
func (p *program) tuningWish(c *cli.Context, in tuning, workers int) (w tuningWish, err error) {
	classes := in.table.Classes
	if w.search, err = search(c, workers, classes); err != nil {
		return w, err
	}
	if w.spec, err = p.tuningSpec(c, in); err != nil {
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
	if w.loss, err = p.lossFor(c, in.model, w.spec, classes, w.search.Floors); err != nil {
		return w, err
	}
	if w.weights, err = given(c, classes, w.loss.costs); err != nil {
		return w, err
	}
	if !c.IsSet("require") && len(w.search.Floors) > 0 {
		p.keepFloors(in.model, &w)
	}
	return w, nil
}

// tops judges lists of the likeliest rows, by their votes.
func (p *program) tops(c *cli.Context, in tuning, w *tuningWish) ([]eval.TopListFigures, error) {
	lists, err := p.readLists(c, &aim{classes: in.table.Classes, share: in.table.Share, ties: in.table.Ties, prefs: w.prefs})
	if err != nil {
		return nil, err
	}
	top, err := eval.Top(in.table, lists)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	p.warn(longLists(lists, top))
	return top, nil
}

// keepFloors says that a model keeps what was required of it, where it does.
func (p *program) keepFloors(m *rfpragma.Model, w *tuningWish) {
	floors := strings.Join(m.Provenance.Floors, "; ")
	if w.loss.costs.Amounts() {
		w.search.Floors = nil
		p.warn([]error{fmt.Errorf("the model was to keep %s; that is dropped, as costs by amount count what is at stake and not rows", floors)})
		return
	}
	p.say("What was required of the model still is: %s. Another --require takes its place; --require none drops it.", floors)
}

// tuningSpec reads what is wanted: of a model what it was tuned for, unless the flags say otherwise.
func (p *program) tuningSpec(c *cli.Context, in tuning) (pragma.Spec, error) {
	if in.model != nil && !preferred(c) && !measured(c) && (len(in.model.Spec) > 0 || !c.IsSet("measure")) {
		return in.model.Spec, nil
	}
	return p.preference(c, in.table.Classes, classWeightsOf(in.table), in.table.TieOrder())
}

// checkOutput refuses a model file that cannot be written.
func (p *program) checkOutput(c *cli.Context, args []string) error {
	switch to := c.String("output"); {
	case to == "":
		return nil
	case len(args) < 2:
		return usagef("--output is for a model; give MODEL.rfp before the rows to tune it on")
	case to == "-":
		return usagef("--output -: a model is no text for stdout; name a file, such as -o model.rfp")
	}
	return p.mayWrite(c, "output", modelProduct)
}

// toTune reads a file of votes, or a model and labelled rows: ones that it has not seen, or those of its training, for which it votes out of bag.
func (p *program) toTune(c *cli.Context, args []string, workers int) (in tuning, err error) {
	in.name = called(args[len(args)-1])
	if len(args) == 1 {
		if c.IsSet("missing") {
			return in, usagef("--missing is for the rows of a model; where there is no vote, write 0")
		}
		if in.table, err = p.readVotes(c, args[0]); err != nil {
			err = fmt.Errorf("%w%s", err, withModel(c))
		}
		return in, err
	}
	if err = p.ownClasses(); err != nil {
		return in, err
	}
	var from modelOrigin
	if in.model, from, err = loadFirst(c, args); err != nil {
		return in, err
	}
	if c.Command.Name == "tune" {
		if err := noWeights(in.model, "tune"); err != nil {
			return in, err
		}
	}
	if in.frame, err = p.readFor(c, in.model, args[1]); err != nil {
		return in, err
	}
	p.warn(in.frame.Warnings)
	if in.model.TrainedOn(in.frame) {
		in.frame = in.frame.Labelled()
		in.table, err = in.model.OutOfBag(c.Context, in.frame, workers)
		if errors.Is(err, rfpragma.ErrConfig) { // the file does not hold the votes
			return in, in.refused(c, from)
		}
		if err != nil {
			return in, fmt.Errorf("%s: %w", in.name, err)
		}
		_, text := in.frame.Ordered() // as in training, but for columns that were left out there
		for _, words := range orderedWords(in.model.Provenance.Ordered, &in.model.Provenance.Reading, in.model.Forest.Schema) {
			p.warn([]error{fmt.Errorf("%s: %s", in.name, cmp.Or(text, words))})
		}
		return in, nil
	}
	k, err := in.model.Overlap(in.frame)
	if err != nil {
		return in, err
	}
	if k.Most() {
		return in, fmt.Errorf("%s: %s in the training, and votes of trees on rows that they know by heart say nothing of new ones; "+
			"give all rows of the training, whose out-of-bag votes are taken, or rows that came later", in.name, knownWords(k, in.model.Classes()))
	}
	p.warn(append(known(k, in.model.Classes(), in.name), ungrouped(c, in.model, in.frame, in.name)...))
	tuned, _ := in.model.FittedOn(in.frame)
	in.fresh = !tuned
	in.table, err = in.model.Forest.Votes(c.Context, in.frame, workers)
	return in, err
}

// refused says how a model gets other weights or maps by the rows of its training, where its file does not hold the votes that these are found by.
func (in *tuning) refused(c *cli.Context, from modelOrigin) error {
	prefs, err := in.model.Spec.Resolve(in.model.Classes())
	if err != nil {
		return err
	}
	rows := modelRows{model: in.model, from: from, aim: aimOf(in.model, prefs), costsFile: c.String("costs"), frame: in.frame}
	again := rows.refitting(c)
	return usagef("%s: the model was trained on these very rows; for what is wanted now train it again: %s%s; or give labelled rows that it has not seen, as its file does not hold the votes that it was fitted on",
		in.name, again, rows.costsHint(again))
}

// searched searches for weights, or judges those that are given. Where no weights reach what is required, it returns the best, if it may.
func searched(ctx context.Context, cfg *rfpragma.Config, t, staked *vote.Table, m pragma.Measure) (found anneal.Result, err error) {
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

// withModel says how a verb takes rows that are no votes or scores, as no column is named as a class is; "" where one is.
func withModel(c *cli.Context) string {
	line := lineOf(c)
	classes, columns := line.classes(c.Context), line.columns(c.Context)
	if classes == nil || slices.ContainsFunc(classes, func(class string) bool { return slices.Contains(columns, class) }) {
		return ""
	}
	return fmt.Sprintf("; if these are rows of data, a model comes first: rfpragma %s MODEL.rfp %s", c.Command.Name, quoted(c.Args().First()))
}

func (p *program) readVotes(c *cli.Context, path string) (*vote.Table, error) {
	if form, err := formOf(c.String("input-format"), path); err != nil || form != "" && form != csvTable && form != tsvTable {
		if err == nil {
			err = usagef("%s: a table of votes is CSV and not %s; convert it, or correct --input-format", called(path), form)
		}
		return nil, err
	}
	o, err := p.options(c)
	if err != nil {
		return nil, err
	}
	in, err := p.open(c.Context, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	buffered := bufio.NewReader(in)
	if start, _ := buffered.Peek(len(kindVotes)); string(start) == kindVotes {
		if o.Group != "" {
			return nil, usagef("--group: %s is what rfpragma tally counted, which knows no groups; leave it out", in.name)
		}
		t, err := rfpragma.ReadTally(buffered, in.name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.name, err)
		}
		if err := usable(t, in.name); err != nil {
			return nil, err
		}
		return mergeVotes(t.Table(), o, in.name)
	}
	if err := noTable(c, buffered, in.name); err != nil {
		return nil, err
	}
	rows := rowVotes(buffered, &o)
	t, err := vote.ReadCSV(rows, in.name, vote.CSVOptions{Target: o.Target, Weight: o.Weight, Group: o.Group, Amount: o.Amount, ID: o.ID, Ignore: o.Ignore, Comma: o.Comma, Decimal: o.Decimal, Found: p.separated(in.name)})
	if err == nil && t.Share == nil {
		err = fmt.Errorf("%s: no row has a label; fill column %s, or name another one with --target", in.name, english.Quote(cmp.Or(o.Target, "class")))
	}
	if err != nil {
		return nil, err
	}
	return mergeVotes(t, o, in.name)
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
				return nil, usagef("--merge-labels: %s: %v", name, nearest.Unknown("class", label, t.Classes))
			}
			names[at] = class
		}
	}
	if o.Positive != "" && !slices.Contains(names, o.Positive) {
		return nil, usagef("--positive: %s: %v", name, nearest.Unknown("class", o.Positive, names))
	}
	for c, class := range names {
		if o.Positive != "" && class != o.Positive {
			names[c] = csvtext.RestOf(o.Positive)
		}
	}
	if t = t.Merge(names); len(t.Classes) < 2 {
		return nil, usagef("--merge-labels: %s: all classes have become %s; leave two at least", name, english.Quote(t.Classes[0]))
	}
	return t, nil
}

// ownClasses refuses flags that merge classes, where a model has its own.
func (p *program) ownClasses() error {
	for _, flag := range []string{"positive", "merge-labels"} {
		if _, typed := p.typed[flag]; typed {
			return usagef("--%s: a model has its classes; leave it out", flag)
		}
	}
	return nil
}

func classWeightsOf(t *vote.Table) []float64 {
	rows := make([]float64, len(t.Classes))
	for i, c := range t.Truth {
		if c >= 0 {
			rows[c] += t.WeightOf(i)
		}
	}
	return rows
}

// describeVotes describes the rows that votes are of, and the frame where they come from one.
func describeVotes(name string, t *vote.Table, f *dataset.Frame) dataInfo {
	d := dataInfo{Name: name, Rows: tables.Stands(t), Classes: make([]classInfo, len(t.Classes)), Unknown: []unknownInfo{}}
	if f != nil {
		d.Unknown = unknownClasses(f)
	}
	for c, w := range classWeightsOf(t) {
		d.Classes[c] = classInfo{Label: t.Classes[c], Weight: w}
	}
	for i, c := range t.Truth {
		if c >= 0 {
			d.Classes[c].Rows += t.TimesOf(i)
		} else if f == nil || f.UnknownLabels == nil || f.UnknownLabels[i] == "" {
			d.Unlabelled += t.TimesOf(i)
		}
	}
	return d
}

// weighedTable tells whether rows have case weights, beside how many rows each stands for.
func weighedTable(t *vote.Table) bool {
	for i := range t.Rows() {
		if t.WeightOf(i) != float64(t.TimesOf(i)) {
			return true
		}
	}
	return false
}
