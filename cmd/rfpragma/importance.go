package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/english"
)

func (p *program) importanceCommand() *cli.Command {
	return &cli.Command{
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
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "target", DefaultText: "as in training", Category: "Data", Usage: "`COLUMN` of the labels"},
			&cli.IntFlag{Name: "repeats", Value: 5, Category: "Run", Usage: "`TIMES` to permute each feature"},
			resultFlag(),
		}, newDataFlags(), outputFlags(allForms)),
		Action: p.kept(p.importance),
	}
}

func (p *program) importance(c *cli.Context) error {
	if times := c.Int("repeats"); times < 1 || times > mostRepeats {
		return usagef("--repeats %d; choose 1 to %d", times, mostRepeats)
	}
	in, err := p.modelAndRows(c, allForms)
	if err != nil {
		return err
	}
	m := in.model
	p.warn(in.frame.Warnings)
	frame := in.frame.Labelled() // no other was trained on
	if _, err := m.Measure(); err != nil {
		p.warn([]error{err})
	}
	progress := p.progress("permutations")
	progress.job = fmt.Sprintf("Permuting %s %s on %s", plural(len(frame.Columns), "feature"), plural(c.Int("repeats"), "time"), plural(frame.Rows(), "row"))
	out, err := m.Importance(c.Context, frame, c.Int("repeats"), in.workers, progress.show)
	progress.end()
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	slices.SortStableFunc(out.Features, func(a, b rfpragma.FeatureImportance) int {
		return cmp.Or(cmp.Compare(b.Loss, a.Loss), cmp.Compare(b.Accuracy, a.Accuracy))
	})
	words, by := importanceWords(out), ""
	words = append(words, byHeartWords(m.Provenance.Ordered, &m.Provenance.Reading, m.Forest.Schema)...)
	if floors := m.Provenance.Floors; len(floors) > 0 {
		by = " by weights tuned without " + few(floors) + ", not by those saved"
		words = append(words, fmt.Sprintf("The losses are those under weights tuned without %s: under weights that keep it at a loss, whatever breaks it would look like a gain.", few(floors)))
	}
	switch in.form {
	case "json":
		err = p.writeJSON(importanceResult{heading{schemaVersion, "importance"}, describe(in.name, frame), m.Forest.Trees(), *out, p.remarks(words)})
	case "csv":
		err = p.importanceCSV(out)
	}
	to := p.page(in.form)
	if err != nil || to.silent() {
		return err
	}
	to.say(fmt.Sprintf("%s: %s, %s; %s of the out-of-bag votes are right, the loss (%s) is %.4f%s",
		in.name, english.Plural(frame.Rows(), "row"), english.Plural(m.Forest.Trees(), "tree"), percent(out.Accuracy), out.Measure, out.Loss, by))
	to.table(importanceTable(out))
	to.say(words...)
	return nil
}

// importanceResult is what importance writes as JSON, the features by falling loss.
type importanceResult struct {
	heading
	Data  dataInfo `json:"data"`  // the rows
	Trees int      `json:"trees"` // number of trees
	rfpragma.Importance
	remarks
}

func importanceTable(out *rfpragma.Importance) *grid {
	g := &grid{head: []string{"feature", "loss rises by", "votes right fall by", "impurity"}}
	for _, f := range out.Features {
		g.add(f.Name, fixed(f.Loss, 4)+" ± "+fixed(f.LossError, 4), fixed(100*f.Accuracy, 2)+" ± "+fixed(100*f.AccuracyError, 2)+" %", percent(f.Impurity))
	}
	return g
}

// importanceWords says what the figures are.
func importanceWords(out *rfpragma.Importance) []string {
	times := fmt.Sprintf("%d times; ± is the standard error of that chance alone: other rows would change more, so small figures say little", out.Repeats)
	if out.Repeats == 1 {
		times = "once"
	}
	return []string{fmt.Sprintf("Each feature was permuted %s. Impurity is its part in what the splits gained.", times)}
}

func (p *program) importanceCSV(out *rfpragma.Importance) error {
	var records [][]string
	for _, f := range out.Features {
		records = append(records, []string{f.Name, number(f.Loss), number(f.LossError), number(f.Accuracy), number(f.AccuracyError), number(f.Impurity)})
	}
	return p.writeCSV([]string{"feature", "loss_rise", "loss_rise_error", "accuracy_fall", "accuracy_fall_error", "impurity"}, records)
}
