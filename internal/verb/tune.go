package verb

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/scores"
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
  rfpragma tune votes.csv --prefer 'ill:theta=10,x=0.2,y=0.6' -o weights.json
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

Of two classes a single column of shares from 0 to 1 will do, which rise with the class --positive
or --prefer. What rfpragma tally counts is read too, and lines that stand for several rows, by a
column count:

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
				Usage: "`FILE` to write: a model with these weights, or the result of votes"},
			cli.PositiveFlag(), cli.MergeFlag(), cli.AcceptBest(), cli.GroupFlag(), cli.TopFlag(), cli.DetailsFlag(),
		}, cli.NewDataFlags(), cli.PreferFlags(), cli.SearchFlags(), cli.SureFlags(), cli.ReviewFlags(),
			cli.WeightFlags(), cli.RunFlags(view.AllForms)),
		Action: func(c *urfave.Context) error {
			act := func(c *urfave.Context) error { return tune(p, c) }
			if to := c.String("output"); c.Args().Len() == 1 && to != "" && !strings.EqualFold(filepath.Ext(to), ".rfp") {
				act = p.KeepResult(act)
			}
			return act(c)
		},
	}
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
	to := ""
	if len(args) == 2 { // else it names the result
		to = c.String("output")
	}
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
	if err := compareRules(shown, w.search); err != nil {
		return err
	}
	if err := findPoints(shown, c.Context, w.search); err != nil {
		return err
	}
	found := &shown.Found
	found.Warnings = slices.Concat(scores.OfTable(in.name, in.table), w.spec.Warnings(t.Classes, t.Share),
		shown.Wanted().Turned(), found.Warnings)
	p.Warn(cli.WithoutFindings(found.Warnings))
	shown.Model = retuned
	if m := shown.Model; to != "" {
		was, err := p.SaveModel(c.Context, m, to)
		if err != nil {
			return err
		}
		p.Say("Model with these weights written to %s%s.", to, was)
	}
	return showTuning(shown, c, p, form)
}

// tuneVotes searches weights for the votes, or judges those that were given. It returns the model with these weights
// as well, if there is one.
func (in *tuning) tuneVotes(c *urfave.Context, t *vote.Table, w *tuningWish) (*view.Tuning, *rfpragma.Model,
	error) {
	staked, err := w.loss.Costs.Stakes(in.labelled(t))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", in.name, err)
	}
	cfg := w.config()
	cfg.AcceptBest = c.Bool("accept-best")
	var model *rfpragma.Model
	var found anneal.Result
	var guarantee *rfpragma.Guarantee
	if in.model != nil {
		cfg.Tuned = func(_ *vote.Table, result anneal.Result) { found = result }
		model, err = in.model.Retune(c.Context, in.frame, t, w.spec, cfg)
	} else if cfg.Sure != (rfpragma.Sure{}) {
		found, guarantee, err = cfg.TuneSurely(c.Context, t, w.loss.Measure)
	} else {
		found, err = searched(c.Context, &cfg, t, staked, w.loss.Measure)
	}
	if model != nil {
		guarantee = model.Provenance.Guarantee
		t, staked = decidedBy(model, t), decidedBy(model, staked)
	}
	var trial *anneal.Trial
	if err == nil && w.weights == nil && guarantee == nil && cfg.Review == (rfpragma.Review{}) &&
		!slices.ContainsFunc(found.Warnings, func(w error) bool {
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
	return &view.Tuning{
		Typed: cli.Typed,
		Name:  in.name, Was: in.model, Fresh: in.fresh, Table: t, Frame: in.frame, Staked: staked, Loss: w.loss, Spec: w.spec,
		Prefs:  w.prefs,
		Floors: w.search.Floors, Choice: w.search.Choice, Found: found, Trial: trial, Guarantee: guarantee,
	}, model, nil
}

// decidedBy is a table without the rows that a model leaves to people.
func decidedBy(m *rfpragma.Model, t *vote.Table) *vote.Table {
	if m.Provenance.Review == nil {
		return t
	}
	var rows []int
	for i := range t.Truth {
		if !m.Close(t.Votes(i)) {
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
	if _, err := cli.ReadSure(c); err != nil {
		return err
	}
	review, err := cli.ReadReview(c, nil)
	if err == nil && review != (rfpragma.Review{}) && c.Args().Len() < 2 {
		err = cli.Usagef("--review and --review-cost are for a model, which keeps what is to be looked at; give MODEL.rfp " +
			"before the rows to tune it on")
	}
	if err != nil {
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
	sure    rfpragma.Sure
	review  rfpragma.Review
}

func (w *tuningWish) config() rfpragma.Config {
	cfg := rfpragma.Config{Search: w.search, Weights: w.weights, Sure: w.sure, Review: w.review}
	cli.SetLoss(w.loss, &cfg)
	return cfg
}

// readTuningWish reads it from the flags, and from the model where they do not say.
func readTuningWish(p *cli.Program, c *urfave.Context, in tuning, workers int) (w tuningWish, err error) {
	classes := in.table.Classes
	if w.search, err = cli.Search(c, workers, classes); err != nil {
		return w, err
	}
	if w.sure, err = cli.ReadSure(c); err != nil {
		return w, err
	}
	if w.review, err = cli.ReadReview(c, classes); err != nil {
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
	if w.weights, err = cli.GivenWeights(c, classes, w.loss.Costs); err != nil {
		return w, err
	}
	if !c.IsSet("require") && len(w.search.Floors) > 0 {
		keepFloors(p, in.model, &w)
	}
	if in.model != nil {
		keepPromises(p, c, in.model, &w)
	}
	return w, nil
}

// readTops judges lists of the likeliest rows, by their votes.
func readTops(p *cli.Program, c *urfave.Context, in tuning, w *tuningWish) ([]eval.TopListFigures, error) {
	lists, err := p.ReadLists(c, &view.Goal{Classes: in.table.Classes, Share: in.table.Share, Ties: in.table.Ties,
		Prefs: w.prefs})
	if err != nil {
		return nil, err
	}
	top, err := eval.Top(in.table, lists)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	p.Warn(longListWarnings(lists, top))
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

// keepPromises has rows left to people as the model leaves them, unless something else is said, and says where the new
// weights are no longer sure.
func keepPromises(p *cli.Program, c *urfave.Context, m *rfpragma.Model, w *tuningWish) {
	if r := m.Provenance.Review; r != nil && w.review == (rfpragma.Review{}) && w.weights == nil {
		w.review = rfpragma.Review{Share: r.Share, Cost: r.Cost, Class: r.Class}
		if r.Cost > 0 && w.loss.Name != "cost" {
			w.review.Cost, w.review.Share = 0, r.Reviewed
		}
	}
	if g := m.Provenance.Guarantee; g != nil && g.Sure && !c.IsSet("sure") {
		p.Warn([]error{errors.New("the model was made sure of what is required of it, and new weights are not; add --sure")})
	}
}

// tuningSpec reads what is wanted: of a model what it was tuned for, unless the flags say otherwise.
func tuningSpec(p *cli.Program, c *urfave.Context, in tuning) (pragma.Spec, error) {
	if in.model != nil && !cli.Preferred(c) && !cli.Measured(c) && (len(in.model.Spec) > 0 || !c.IsSet("measure")) {
		return in.model.Spec, nil
	}
	return p.ReadPreference(c, in.table.Classes, view.ClassWeightsOf(in.table), in.table.TieOrder())
}

// checkOutput refuses a model file that cannot be written.
func checkOutput(p *cli.Program, c *urfave.Context, args []string) error {
	switch to := c.String("output"); {
	case to == "":
		return nil
	case len(args) < 2 && strings.EqualFold(filepath.Ext(to), ".rfp"):
		return cli.Usagef("--output %.256q: votes make no model; give MODEL.rfp before the rows to tune it on, or write the "+
			"weights with -o weights.json", to)
	case len(args) < 2:
		return nil
	}
	return modelOutput(p, c)
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
