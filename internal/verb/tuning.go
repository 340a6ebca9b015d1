package verb

import (
	"cmp"
	"errors"
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/cli/hints"
	"github.com/rfpragma/rfpragma/internal/retune"
	"github.com/rfpragma/rfpragma/internal/view"
)

// toTune reads a file of votes, or a model and labelled rows: ones that it has not seen, or those of its training,
// for which it votes out of bag.
func toTune(p *cli.Program, c *urfave.Context, args []string, workers int) (in *retune.Votes, err error) {
	in = &retune.Votes{Name: cli.InputName(args[len(args)-1])}
	if len(args) == 1 {
		if c.IsSet("missing") {
			return in, cli.Usagef("--missing is for the rows of a model; where there is no vote, write 0")
		}
		in.Table, err = readVotes(p, c, args[0])
		return in, err
	}
	if err = ownClasses(p); err != nil {
		return in, err
	}
	var from view.ModelOrigin
	if in.Model, from, err = cli.LoadFirst(c, args); err != nil {
		return in, err
	}
	if c.Command.Name != "calibrate" {
		if err := cli.NoWeights(in.Model, c.Command.Name); err != nil {
			return in, err
		}
	}
	if in.Frame, err = readFor(p, c, in.Model, args[1]); err != nil {
		return in, err
	}
	p.Warn(in.Frame.Warnings)
	if in.Model.TrainedOn(in.Frame) {
		in.Frame = in.Frame.Labelled()
		in.Table, err = in.Model.OutOfBag(c.Context, in.Frame, workers)
		if errors.Is(err, rfpragma.ErrConfig) { // the file does not hold the votes
			return in, refuseRetuning(in, c, from)
		}
		if err != nil {
			return in, fmt.Errorf("%s: %w", in.Name, err)
		}
		_, text := in.Frame.Ordered() // as in training, but for columns that were left out there
		for _, words := range hints.Ordered(in.Model.Provenance.Ordered, &in.Model.Provenance.Reading,
			in.Model.Forest.Schema) {
			p.Warn([]error{fmt.Errorf("%s: %s", in.Name, cmp.Or(text, words))})
		}
		return in, nil
	}
	k, err := in.Model.Overlap(in.Frame)
	if err != nil {
		return in, err
	}
	if k.Most() {
		return in, fmt.Errorf("%s: %s in the training, and votes of trees on rows that they know by heart say nothing of "+
			"new ones; "+
			"give %s", in.Name, overlapWords(k, in.Model.Classes()), tunableRows(in.Model))
	}
	p.Warn(append(overlapWarnings(k, in.Model.Classes(), in.Name), cli.Ungrouped(c, in.Model, in.Frame, in.Name)...))
	tuned, _ := in.Model.FittedOn(in.Frame)
	in.Fresh = !tuned
	in.Table, err = in.Model.Forest.Votes(c.Context, in.Frame, workers)
	return in, err
}

// tunableRows are rows that a model may be tuned on.
func tunableRows(m *rfpragma.Model) string {
	if g := m.Provenance.Guarantee; g != nil && g.Apart { // the others of its training are known to nobody
		return "rows that came later, as a part of those of its training was kept apart"
	}
	return "all rows of the training, whose out-of-bag votes are taken, or rows that came later"
}

// refuseRetuning says how a model gets other weights or maps by the rows of its training, where its file does not
// hold the votes that these are found by.
func refuseRetuning(in *retune.Votes, c *urfave.Context, from view.ModelOrigin) error {
	prefs, err := in.Model.Spec.Resolve(in.Model.Classes())
	if err != nil {
		return err
	}
	rows := view.ModelRows{Model: in.Model, From: from, Goal: view.GoalOf(in.Model, prefs), CostsFile: c.String("costs"),
		Frame: in.Frame}
	again := hints.Refitting(&rows, c)
	return cli.Usagef("%s: the model was trained on these very rows; for what is wanted now train it again: %s%s; or "+
		"give labelled rows that it has not seen, as its file does not hold the votes that it was fitted on",
		in.Name, again, hints.Costs(&rows, again))
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
