package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func (p *program) tuneCommand() *cli.Command {
	return &cli.Command{
		Name:      "tune",
		Usage:     "find vote weights for the votes of any model",
		ArgsUsage: "VOTES.csv, or MODEL.rfp DATA.csv",
		Description: `  rfpragma tune votes.csv --prefer ill
  rfpragma tune votes.csv --prefer 'ill:theta=10,x=0.2,y=0.6' --format json
  rfpragma tune votes.csv --prefer ill --cutoff ill=0.2       judge this, search nothing
  rfpragma tune model.rfp later.csv --prefer ill -o new.rfp   other weights, the same trees

VOTES.csv has a column with the true class and one for each class, named as the class is,
with the number of votes for it by trees that have not seen the row, or a score of any
model from 0 on, such as a probability:

  class,ill,well
  ill,12,8
  well,1,19

R:      forest <- randomForest(x, y, norm.votes = FALSE)
        write.csv(data.frame(class = y, forest$votes), "votes.csv", row.names = FALSE)
Python: p = cross_val_predict(model, X, y, cv=10, method="predict_proba")
        pandas.DataFrame(p, columns=numpy.unique(y)).assign(**{"class": y}).to_csv(
            "votes.csv", index=False)
` + preferHelp,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "target", DefaultText: "class, or as in training", Category: "Data", Usage: "`COLUMN` of the labels"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output", Usage: "model `FILE` to write, of a model with these weights"},
		}, newDataFlags(), preferFlags(), searchFlags(), givenFlags(), runFlags("table, json, csv")),
		Action: p.tune,
	}
}

// tuning is what is tuned: votes, and the model they are of, if it is one of ours.
type tuning struct {
	table *vote.Table
	model *rfpragma.Model
	name  string // of the votes or rows, for people
}

func (p *program) tune(c *cli.Context) error {
	p.quiet = c.Bool("quiet")
	form, err := format(c, "table", "json", "csv")
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
	if err := checkOutput(to, args); err != nil {
		return err
	}
	in, err := p.toTune(c, args, workers)
	if err != nil {
		return err
	}
	t := in.table
	s, err := search(c, workers, t.Classes)
	if err != nil {
		return err
	}
	var spec pragma.Spec
	if in.model != nil && !c.IsSet("prefer") && !c.IsSet("prefer-file") {
		spec = in.model.Spec
	} else if spec, err = p.preference(c, t.Classes, classWeightsOf(t)); err != nil {
		return err
	}
	prefs, err := spec.Resolve(t.Classes)
	if err != nil {
		return err
	}
	usual, err := spec.Measure(t.Classes)
	if err != nil {
		return err
	}
	l, err := p.loss(c, usual, t.Classes)
	if err != nil {
		return err
	}
	w, err := given(c, t.Classes)
	if err != nil {
		return err
	}
	found, trial, err := tuned(c.Context, s, t, l.measure, w)
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	found.Warnings = append(spec.Warnings(t.Classes, t.Share), found.Warnings...)
	p.warn(found.Warnings)
	if to != "" {
		m, err := in.model.Retuned(t, found, spec, rfpragma.Config{Search: s, Measure: l.measure, MeasureName: l.name, Costs: l.costs})
		if err != nil {
			return err
		}
		if err := toFile(c.Context, to, func() error { return m.Save(to) }); err != nil {
			return err
		}
		p.say("Model with these weights written to %s.", to)
	}
	return p.showTuned(t, found, trial, prefs, in.name, l.name, form)
}

// checkOutput refuses a model file that cannot be written.
func checkOutput(to string, args []string) error {
	switch {
	case to == "":
		return nil
	case len(args) < 2:
		return usagef("--output is for a model; give MODEL.rfp before the rows to tune it on")
	case to == "-":
		return usagef("--output -: a model is no text for stdout; name a file, such as -o model.rfp")
	}
	if err := atomicfile.Check(to); err != nil {
		return err
	}
	return apart("output", to, args[1])
}

// toTune reads a file of votes, or a model and labelled rows that it has not seen.
func (p *program) toTune(c *cli.Context, args []string, workers int) (in tuning, err error) {
	in.name = called(args[len(args)-1])
	if len(args) == 1 {
		if c.IsSet("missing") {
			return in, usagef("--missing is for the rows of a model; where there is no vote, write 0")
		}
		in.table, err = p.readVotes(c, args[0])
		return in, err
	}
	if in.model, err = load(c.Context, args[0]); err != nil {
		return in, err
	}
	frame, err := p.readFor(c, in.model, args[1])
	if err != nil {
		return in, err
	}
	if in.model.TrainedOn(frame) {
		return in, fmt.Errorf("%s: %w: these are the rows that the model was trained on; give others", in.name, anneal.ErrTrain)
	}
	p.warn(frame.Warnings)
	in.table, err = in.model.Forest.Votes(c.Context, frame, workers)
	return in, err
}

// tuned searches for weights and tries the search on the votes, or judges those that are given.
func tuned(ctx context.Context, s anneal.Search, t *vote.Table, m pragma.Measure, w vote.Weights) (anneal.Result, *anneal.Trial, error) {
	if w != nil {
		r, err := s.Judge(ctx, t, m, w)
		return r, nil, err
	}
	found, err := s.Weights(ctx, t, m)
	if err != nil {
		return found, nil, err
	}
	trial, err := s.Try(ctx, t, m)
	return found, &trial, err
}

func (p *program) readVotes(c *cli.Context, path string) (*vote.Table, error) {
	o, err := p.options(c)
	if err != nil {
		return nil, err
	}
	in, err := p.open(c.Context, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	t, err := vote.ReadCSV(in, in.name, vote.CSVOptions{Target: o.Target, Weight: o.Weight, ID: o.ID, Ignore: o.Ignore, Comma: o.Comma})
	if err == nil && t.Share == nil {
		err = fmt.Errorf("%s: no row has a label; fill column %.64q, or name another one with --target", in.name, cmp.Or(o.Target, "class"))
	}
	return t, err
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

// tuneResult is what tune writes as JSON.
type tuneResult struct {
	SchemaVersion int                       `json:"schema_version"`
	Command       string                    `json:"command"`
	Name          string                    `json:"name"`
	Rows          int                       `json:"rows"`
	Unvoted       int                       `json:"unvoted"`
	Trees         int                       `json:"trees"`
	Measure       string                    `json:"measure"`
	Preferences   map[string]preferenceInfo `json:"preferences"`
	Method        string                    `json:"method"`
	Loss          float64                   `json:"loss"`
	Plain         float64                   `json:"plain"`
	Lowest        *float64                  `json:"lowest,omitempty"`   // the lowest loss found, which chance takes part in; not of weights that were given
	Agreed        int                       `json:"agreed,omitempty"`   // so many searches found it,
	Of            int                       `json:"of,omitempty"`       // of so many
	Expected      *expected                 `json:"expected,omitempty"` // on new rows; not of weights that were given
	Classes       []tunedClass              `json:"classes"`
	Confusion     [][]float64               `json:"confusion"`       // under the weights
	PlainMatrix   [][]float64               `json:"confusion_plain"` // under the plain vote
	Warnings      []string                  `json:"warnings"`
	Words         []string                  `json:"words"`
}

// expected is what to expect on new rows, by cross-validation of the search on the votes.
type expected struct {
	Loss          float64 `json:"loss"`
	Plain         float64 `json:"plain"`
	StandardError float64 `json:"standard_error"` // of the difference
}

type tunedClass struct {
	Label   string            `json:"label"`
	Rows    float64           `json:"rows"`
	Weight  float64           `json:"weight"`
	Plateau rfpragma.Interval `json:"plateau"` // weights that decide these votes just as well
	Cutoff  float64           `json:"cutoff"`  // 1/weight, summing to 1: the cutoff of R's randomForest
}

func (p *program) showTuned(t *vote.Table, found anneal.Result, trial *anneal.Trial, prefs []pragma.Preference, name, measure, form string) error {
	words := weightWords(t.Classes, found.Weights, t.Share, t.Trees, prefs)
	if len(t.Classes) == 2 {
		words = append(words, sameWords(t.Classes, found.Weights, mattersMore(t.Share, prefs)))
	}
	words = append(words, fmt.Sprintf("On these votes %s.", lossWords(measure, found.Plain, found.Loss)+lowestWords(found)))
	if trial != nil {
		words = append(words, trialWords(measure, *trial))
	}
	classes := tunedClasses(t, found)
	tuned, plain := t.Confuse(found.Weights), t.Confuse(nil)
	switch form {
	case "json":
		var expect *expected
		var lowest *float64
		if trial != nil {
			expect, lowest = &expected{trial.Loss, trial.Plain, trial.Error}, &found.Lowest
		}
		out := tuneResult{
			Expected: expect, Lowest: lowest, Agreed: found.Agreed, Of: found.Of,
			SchemaVersion: schemaVersion, Command: "tune", Name: name, Rows: t.Rows(), Unvoted: t.Unvoted(), Trees: t.Trees,
			Measure: measure, Preferences: preferences(t.Classes, prefs), Method: found.Method.String(), Loss: found.Loss, Plain: found.Plain,
			Classes: classes, Confusion: tuned.Rows(), PlainMatrix: plain.Rows(), Warnings: []string{}, Words: words,
		}
		for _, w := range found.Warnings {
			out.Warnings = append(out.Warnings, w.Error())
		}
		return p.writeJSON(out)
	case "csv":
		var records [][]string
		for _, c := range classes {
			records = append(records, []string{c.Label, number(c.Weight), number(c.Plateau.Low), number(c.Plateau.High), number(c.Cutoff)})
		}
		return p.writeCSV([]string{"class", "weight", "low", "high", "cutoff"}, records)
	}
	votes := fmt.Sprintf("votes of %d rows by up to %d trees", t.Rows(), t.Trees)
	if t.Scores {
		votes = "scores of " + rowCount(t.Rows())
	}
	fmt.Fprintf(p.stdout, "%s: %s, %s\n", name, votes, classShares(t.Classes, classWeightsOf(t)))
	showPreferences(p.stdout, t.Classes, prefs)
	fmt.Fprintln(p.stdout)
	g := &grid{head: []string{"class", "weight", "as good from", "to", "cutoff", "recall plain", "tuned", "precision plain", "tuned"}}
	for i, c := range classes {
		g.add(c.Label, weightText(c.Weight), weightText(c.Plateau.Low), weightText(c.Plateau.High), fmt.Sprintf("%.3g", c.Cutoff),
			shareText(plain.Recall(i)), shareText(tuned.Recall(i)), shareText(plain.Precision(i)), shareText(tuned.Precision(i)))
	}
	g.write(p.stdout)
	fmt.Fprintln(p.stdout)
	showWords(p.stdout, words)
	return nil
}

func tunedClasses(t *vote.Table, found anneal.Result) []tunedClass {
	rows, sum := classWeightsOf(t), 0.0
	for _, w := range found.Weights {
		sum += 1 / w
	}
	out := make([]tunedClass, len(t.Classes))
	for c, name := range t.Classes {
		w := found.Weights[c]
		out[c] = tunedClass{name, rows[c], w, rfpragma.Interval{Low: found.Low[c], High: found.High[c]}, 1 / w / sum}
	}
	return out
}

// shareText shows a share that may not exist.
func shareText(x float64, ok bool) string {
	if !ok || math.IsNaN(x) {
		return "n/a"
	}
	return percent(x)
}
