package verb

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/cli/hints"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// tuning is what is tuned: votes, and the model they are of, if it is one of ours.
type tuning struct {
	table *vote.Table
	model *rfpragma.Model
	name  string         // of the votes or rows, for people
	frame *dataset.Frame // the rows, of a model
	fresh bool           // neither the trees nor the weights of the model have seen them
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

// toTune reads a file of votes, or a model and labelled rows: ones that it has not seen, or those of its training,
// for which it votes out of bag.
func toTune(p *cli.Program, c *urfave.Context, args []string, workers int) (in tuning, err error) {
	in.name = cli.InputName(args[len(args)-1])
	if len(args) == 1 {
		if c.IsSet("missing") {
			return in, cli.Usagef("--missing is for the rows of a model; where there is no vote, write 0")
		}
		in.table, err = readVotes(p, c, args[0])
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
		for _, words := range hints.Ordered(in.model.Provenance.Ordered, &in.model.Provenance.Reading,
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
			overlapWords(k, in.model.Classes()))
	}
	p.Warn(append(overlapWarnings(k, in.model.Classes(), in.name), cli.Ungrouped(c, in.model, in.frame, in.name)...))
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
	rows := view.ModelRows{Model: in.model, From: from, Goal: view.GoalOf(in.model, prefs), CostsFile: c.String("costs"),
		Frame: in.frame}
	again := hints.Refitting(&rows, c)
	return cli.Usagef("%s: the model was trained on these very rows; for what is wanted now train it again: %s%s; or "+
		"give labelled rows that it has not seen, as its file does not hold the votes that it was fitted on",
		in.name, again, hints.Costs(&rows, again))
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
