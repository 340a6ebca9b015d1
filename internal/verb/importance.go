package verb

import (
	"cmp"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/cli/hints"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/resultcsv"
	"github.com/rfpragma/rfpragma/internal/view"
)

func importanceCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "importance",
		Usage:     "say what a saved model owes to each feature",
		ArgsUsage: "MODEL.rfp DATA",
		Description: `  rfpragma importance model.rfp train.csv
  rfpragma importance model.rfp train.csv --repeats 20 --format csv

DATA is that of the training. Each feature in turn is permuted among its rows, and the
trees that have not seen a row vote on it again. The result says how many fewer of their votes are
right, and by how much the loss of the decisions rises. A feature that tells nothing has about 0,
in the loss a little more, as the weights were tuned on votes like these. Features that tell the
same hide each other.`,
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "target", DefaultText: "as in training", Category: "Data", Usage: "`COLUMN` of the labels"},
			&urfave.IntFlag{Name: "repeats", Value: 5, Category: "Run", Usage: "`TIMES` to permute each feature"},
			cli.ResultFlag(),
		}, cli.NewDataFlags(), cli.OutputFlags(view.AllForms)),
		Action: p.KeepResult(func(c *urfave.Context) error { return importance(p, c) }),
	}
}

func importance(p *cli.Program, c *urfave.Context) error {
	if times := c.Int("repeats"); times < 1 || times > mostRepeats {
		return cli.Usagef("--repeats %d; choose 1 to %d", times, mostRepeats)
	}
	in, err := modelAndRows(p, c, view.AllForms)
	if err != nil {
		return err
	}
	m := in.Model
	p.Warn(in.Frame.Warnings)
	frame := in.Frame.Labelled() // no other was trained on
	if _, err := m.Measure(); err != nil {
		p.Warn([]error{err})
	}
	progress := p.Progress("permutations")
	progress.Job = fmt.Sprintf("Permuting %s %s on %s", cli.Plural(len(frame.Columns), "feature"),
		cli.Plural(c.Int("repeats"), "time"), cli.Plural(frame.Rows(), "row"))
	out, err := m.Importance(c.Context, frame, c.Int("repeats"), in.Workers, progress.Show)
	progress.End()
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	slices.SortStableFunc(out.Features, func(a, b rfpragma.FeatureImportance) int {
		return cmp.Or(cmp.Compare(b.Loss, a.Loss), cmp.Compare(b.Accuracy, a.Accuracy))
	})
	words, by := view.ImportanceWords(out), ""
	words = append(words, hints.Memorised(m.Provenance.Ordered, &m.Provenance.Reading, m.Forest.Schema)...)
	if floors := m.Provenance.Floors; len(floors) > 0 {
		by = " by weights tuned without " + english.First(floors) + ", not by those saved"
		words = append(words, fmt.Sprintf(
			"The losses are those under weights tuned without %s: under weights that keep it at a loss, whatever breaks it "+
				"would look like a gain.", english.First(floors)))
	}
	switch in.Form {
	case "json":
		err = p.WriteJSON(importanceResult{view.Heading{SchemaVersion: view.SchemaVersion, Command: "importance"},
			view.Describe(in.Name, frame), m.Forest.Trees(), *out, p.Remarks(words)})
	case "csv":
		err = p.WriteCSV(resultcsv.Importance(out))
	}
	to := p.Page(in.Form)
	if err != nil || to.Silent() {
		return err
	}
	to.Say(fmt.Sprintf("%s: %s, %s; %s of the out-of-bag votes are right, the loss (%s) is %.4f%s",
		in.Name, english.Plural(frame.Rows(), "row"), english.Plural(m.Forest.Trees(), "tree"), english.Percent(out.Accuracy,
			1),
		out.Measure, out.Loss, by))
	to.Table(view.ImportanceTable(out))
	to.Say(words...)
	return nil
}

// importanceResult is what importance writes as JSON, the features by falling loss.
type importanceResult struct {
	view.Heading
	Data  view.DataInfo `json:"data"`  // the rows
	Trees int           `json:"trees"` // number of trees
	rfpragma.Importance
	view.Remarks
}
