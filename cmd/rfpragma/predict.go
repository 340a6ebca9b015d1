package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

func (p *program) predictCommand() *cli.Command {
	return &cli.Command{
		Name:      "predict",
		Usage:     "decide new rows with a saved model",
		ArgsUsage: "MODEL.rfp DATA",
		Description: `  rfpragma predict model.rfp new.csv -o decisions.csv
  cat new.csv | rfpragma predict model.rfp - --id customer > decisions.csv

For each row: its number (or --id), the decision, probability_CLASS and votes_CLASS of each
class. Columns are matched by name; a column of labels is ignored; the words that meant a
missing cell in training still do.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Category: "Output", Usage: "`FILE` to write; - is stdout"},
			&cli.BoolFlag{Name: "strict", DisableDefaultText: true, Category: "Data", Usage: "refuse columns the model does not know"},
			list(cli.StringSliceFlag{Name: "prevalence", Category: "Output", Usage: "`CLASS=SHARE` in the population, if not as in training (a=0.002)"}),
		}, slices.DeleteFunc(newDataFlags(), func(f cli.Flag) bool { return f.Names()[0] == "weight" }), outputFlags("csv, json")),
		Action: p.predict,
	}
}

func (p *program) predict(c *cli.Context) error {
	p.quiet = c.Bool("quiet")
	form, err := format(c, "csv", "json")
	if err != nil {
		return err
	}
	workers, err := p.threads(c)
	if err != nil {
		return err
	}
	args, err := arguments(c, 2, 2)
	if err != nil {
		return err
	}
	m, err := load(c.Context, args[0])
	if err != nil {
		return err
	}
	if m, err = forPrevalence(c, m); err != nil {
		return err
	}
	o, err := p.options(c)
	if err != nil {
		return err
	}
	o.Schema, o.Strict = m.Forest.Schema, c.Bool("strict")
	was := m.Provenance.Reading
	o.Missing = append(o.Missing, was.Missing...)
	if o.Target = ""; !o.Strict && was.Target != "" && o.ID != was.Target {
		// The labels of rows that have them are no feature: nothing to warn about.
		o.Ignore = append(o.Ignore, was.Target)
	}
	if err := apart("output", c.String("output"), args...); err != nil {
		return err
	}
	in, err := p.openTable(c, args[1], &o)
	if err != nil {
		return err
	}
	defer in.Close()
	rows, err := dataset.NewSourceReader(in.source, o)
	if err != nil {
		return err
	}
	job := &predictJob{model: m, rows: rows, id: o.ID, workers: workers}
	if sizeOf(args[1]) == 0 { // else it is shown how far the file is read
		job.progress = p.progress("rows")
	}
	if taken := append(job.head()[1:], "probabilities", "votes"); slices.Contains(taken, o.ID) {
		return usagef("--id %.64q is also the name of a column of the output; rename it in %s", o.ID, in.source.Name())
	}
	err = p.writeTo(c.Context, c.String("output"), func(w io.Writer) error { return job.write(c.Context, w, form) })
	job.progress.end()
	if err == nil {
		p.warn(rows.Warnings())
		p.say("%s decided.", rowCount(job.done))
	}
	return err
}

// forPrevalence returns the model for the prevalence that is asked for. Classes that are not named share what is left as in training.
func forPrevalence(c *cli.Context, m *rfpragma.Model) (*rfpragma.Model, error) {
	if !c.IsSet("prevalence") {
		return m, nil
	}
	share, err := byClass("prevalence", c.StringSlice("prevalence"), m.Classes(), math.NaN())
	if err != nil {
		return nil, err
	}
	named, others := 0.0, 0.0
	for c, s := range share {
		if math.IsNaN(s) {
			others += m.Forest.Share[c]
		} else {
			named += s
		}
	}
	if others > 0 && !(named < 1) || others == 0 && math.Abs(named-1) > 1e-6 {
		return nil, usagef("--prevalence: the shares add up to %.6g; those of all classes are 1, and of some less", named)
	}
	for c, s := range share {
		if math.IsNaN(s) {
			share[c] = m.Forest.Share[c] / others * (1 - named)
		}
	}
	return m.ForPrevalence(share)
}

// predictJob streams rows through a model, block by block.
type predictJob struct {
	model    *rfpragma.Model
	rows     *dataset.Reader
	id       string
	workers  int
	progress *progress
	done     int
}

// predictRows is the number of rows that are read and decided together.
const predictRows = 8192

func (j *predictJob) write(ctx context.Context, w io.Writer, form string) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	out := j.csvLines(buffered)
	if form == "json" {
		out = j.jsonLines(buffered)
	} else if err := csv.NewWriter(buffered).WriteAll([][]string{j.head()}); err != nil {
		return err
	}
	for {
		frame, err := j.rows.Next(predictRows)
		if errors.Is(err, io.EOF) {
			return buffered.Flush()
		}
		if err != nil {
			return err
		}
		table, err := j.model.Forest.Votes(ctx, frame, j.workers)
		if err != nil {
			return err
		}
		if err := j.block(frame, table, out); err != nil {
			return err
		}
	}
}

// decided is the prediction of a row.
type decided struct {
	row   string // number of the row, from 1, or its id
	class string
	prob  []float64
	votes []float64 // in whole votes
}

func (j *predictJob) block(frame *dataset.Frame, table *vote.Table, out func(decided) error) error {
	prob, whole := make([]float64, len(table.Classes)), make([]float64, len(table.Classes))
	for i := range table.Rows() {
		j.done++
		votes := table.Votes(i)
		j.model.Probabilities(prob, votes)
		d := decided{strconv.Itoa(j.done), j.model.Classes()[j.model.Decide(votes)], prob, whole}
		for c, v := range votes {
			whole[c] = float64(v) / table.Unit()
		}
		if frame.ID != nil {
			d.row = frame.ID[i]
		}
		if err := out(d); err != nil {
			return err
		}
	}
	if j.progress != nil {
		j.progress.show(j.done, 0)
	}
	return nil
}

// rowName is the name of the first column.
func (j *predictJob) rowName() string {
	if j.id != "" {
		return j.id
	}
	return "row"
}

// head is the first line of the CSV.
func (j *predictJob) head() []string {
	head := []string{j.rowName(), "decision"}
	for _, c := range j.model.Classes() {
		head = append(head, "probability_"+c)
	}
	for _, c := range j.model.Classes() {
		head = append(head, "votes_"+c)
	}
	return head
}

func (j *predictJob) csvLines(w io.Writer) func(decided) error {
	out := csv.NewWriter(w)
	var cells []string
	return func(d decided) error {
		cells = append(cells[:0], d.row, d.class)
		for _, x := range d.prob {
			cells = append(cells, number(x))
		}
		for _, v := range d.votes {
			cells = append(cells, count(v))
		}
		if err := out.Write(cells); err != nil {
			return err
		}
		out.Flush()
		return out.Error()
	}
}

// jsonLines writes an object a line.
func (j *predictJob) jsonLines(w io.Writer) func(decided) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return func(d decided) error {
		prob, votes := map[string]float64{}, map[string]float64{}
		for c, name := range j.model.Classes() {
			prob[name], votes[name] = d.prob[c], d.votes[c]
		}
		var row any = d.row
		if j.id == "" {
			row = json.Number(d.row)
		}
		return enc.Encode(map[string]any{j.rowName(): row, "decision": d.class, "probabilities": prob, "votes": votes})
	}
}
