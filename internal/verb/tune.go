package verb

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/retune"
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
  rfpragma tune model.rfp data.csv --prefer ill -o new.rfp    by out-of-bag votes (from 200 trees)

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
	in, w, err := readTuning(p, c, args, workers)
	if err != nil {
		return err
	}
	t := in.Searched()
	top, err := readTops(p, c, in, w)
	if err != nil {
		return err
	}
	shown, retuned, err := tuneVotes(c, in, t, w)
	if err != nil {
		return err
	}
	shown.Top = top
	if err := retune.Points(c.Context, shown, w.Search); err != nil {
		return err
	}
	found := &shown.Found
	found.Warnings = slices.Concat(scores.OfTable(in.Name, in.Table), w.Spec.Warnings(t.Classes, t.Share),
		shown.Wanted().Turned(), found.Warnings)
	p.Warn(cli.WithoutFindings(found.Warnings))
	shown.Model = retuned
	if m := shown.Model; to != "" {
		was, err := p.SaveModel(c.Context, m, to)
		if err != nil {
			return err
		}
		err = showTuning(shown, c, p, form)
		p.Say("Model with these weights written to %s%s.", to, was)
		return err
	}
	return showTuning(shown, c, p, form)
}

// tuneVotes searches weights for the votes, or judges those that were given, and says what to expect of them. It
// returns the model with these weights as well, if there is one.
func tuneVotes(c *urfave.Context, in *retune.Votes, t *vote.Table, w *retune.Wish) (s *view.Tuning, m *rfpragma.Model,
	err error) {
	if in.Model != nil {
		s, m, err = in.FindModel(c.Context, t, w)
	} else {
		s, err = in.Find(c.Context, t, w)
	}
	if err == nil {
		err = in.Expect(c.Context, s, w)
	}
	return s, m, cli.OfferBest(err)
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

// readTuning reads votes and what is wanted of them, once what needs neither is checked.
func readTuning(p *cli.Program, c *urfave.Context, args []string, workers int) (in *retune.Votes, w *retune.Wish,
	err error) {
	if err := cmp.Or(checkOutput(p, c, args), checkTune(p, c, workers)); err != nil {
		return nil, nil, err
	}
	if in, err = toTune(p, c, args, workers); err != nil {
		return nil, nil, err
	}
	w, err = readTuningWish(p, c, in, workers)
	return in, w, err
}

// readTuningWish reads it from the flags, and from the model where they do not say.
func readTuningWish(p *cli.Program, c *urfave.Context, in *retune.Votes, workers int) (w *retune.Wish,
	err error) {
	classes := in.Table.Classes
	w = &retune.Wish{AcceptBest: c.Bool("accept-best"), Typed: cli.Typed}
	if w.Search, err = cli.Search(c, workers, classes); err != nil {
		return w, err
	}
	if w.Sure, err = cli.ReadSure(c); err != nil {
		return w, err
	}
	if w.Review, err = cli.ReadReview(c, classes); err != nil {
		return w, err
	}
	if w.Spec, err = tuningSpec(p, c, in); err != nil {
		return w, err
	}
	if w.Prefs, err = w.Spec.Resolve(classes); err != nil {
		return w, err
	}
	if in.Model != nil && !c.IsSet("require") {
		if w.Search.Floors, err = in.Model.Floors(); err != nil {
			return w, err
		}
	}
	if w.Loss, err = p.LossFor(c, in.Model, w.Spec, classes, w.Search.Floors); err != nil {
		return w, err
	}
	if w.Weights, err = cli.GivenWeights(c, classes, w.Loss.Costs); err != nil {
		return w, err
	}
	if !c.IsSet("require") && len(w.Search.Floors) > 0 {
		keepFloors(p, in.Model, w)
	}
	if in.Model != nil {
		keepPromises(p, c, in.Model, w)
	}
	if in.Frame != nil {
		of := pragma.Slices(w.Search.Floors)
		if err := tables.CheckSlices(in.Frame, of); err != nil {
			return w, cli.Usagef("%s: --require: %w", in.Name, err)
		}
		in.Table, err = tables.Slice(in.Table, in.Frame, of)
	}
	return w, err
}

// readTops judges lists of the likeliest rows, by their votes.
func readTops(p *cli.Program, c *urfave.Context, in *retune.Votes, w *retune.Wish) ([]eval.TopListFigures, error) {
	lists, err := p.ReadLists(c, &view.Goal{Classes: in.Table.Classes, Share: in.Table.Share, Ties: in.Table.Ties,
		Prefs: w.Prefs})
	if err != nil {
		return nil, err
	}
	top, err := eval.Top(in.Table, lists)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	p.Warn(longListWarnings(lists, top))
	return top, nil
}

// keepFloors says that a model keeps what was required of it, where it does.
func keepFloors(p *cli.Program, m *rfpragma.Model, w *retune.Wish) {
	floors := strings.Join(m.Provenance.Floors, "; ")
	if w.Loss.Costs.Amounts() {
		w.Search.Floors = nil
		p.Warn([]error{fmt.Errorf("the model was to keep %s; that is dropped, as costs by amount count what is at stake "+
			"and not rows", floors)})
		return
	}
	p.Say("What was required of the model still is: %s. Another --require takes its place; --require none drops it.",
		floors)
}

// keepPromises has rows left to people as the model leaves them, unless something else is said, and says where the new
// weights are no longer sure.
func keepPromises(p *cli.Program, c *urfave.Context, m *rfpragma.Model, w *retune.Wish) {
	if r := m.Provenance.Review; r != nil && w.Review == (rfpragma.Review{}) && w.Weights == nil {
		w.Review = rfpragma.Review{Share: r.Share, Cost: r.Cost, Class: r.Class}
		if r.Cost > 0 && w.Loss.Name != "cost" {
			w.Review.Cost, w.Review.Share = 0, r.Reviewed
		}
	}
	if g := m.Provenance.Guarantee; g != nil && g.Sure && !c.IsSet("sure") {
		p.Warn([]error{errors.New("the model was made sure of what is required of it, and new weights are not; add --sure")})
	}
}

// tuningSpec reads what is wanted: of a model what it was tuned for, unless the flags say otherwise.
func tuningSpec(p *cli.Program, c *urfave.Context, in *retune.Votes) (pragma.Spec, error) {
	if in.Model != nil && !cli.Preferred(c) && !cli.Measured(c) && (len(in.Model.Spec) > 0 || !c.IsSet("measure")) {
		return in.Model.Spec, nil
	}
	return p.ReadPreference(c, in.Table.Classes, view.ClassWeightsOf(in.Table), in.Table.TieOrder())
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
