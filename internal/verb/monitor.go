package verb

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/shift"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/internal/watching"
)

func monitorCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "monitor",
		Usage:     "say how a saved model does on new rows before their labels come",
		ArgsUsage: "MODEL.rfp DATA",
		Description: `  rfpragma monitor model.rfp new.csv
  rfpragma monitor model.rfp new.csv --window 500      each 500 rows apart
  rfpragma monitor model.rfp new.csv --by kind         each value of a column, such as a day
  rfpragma monitor model.rfp new.csv --by kind --state seen.json   with what earlier runs saw
  rfpragma monitor model.rfp new.csv --fail-on-drift   for a scheduled job: exit code 8

Recall, precision, alarms and cost that the calibrated probabilities imply, with a 95 % band for
what the labels of these very rows will say. The band also holds other shares of the classes, as far
as the votes do not contradict them. Where columns or votes differ in another way, nothing is
estimated, as probabilities then mean little. Where the rows have labels, what these say stands
beside; for a window that --state knows, labels may come later. Gaps between the values of --by that
are beyond chance are cautions. --window 7d --time COLUMN watches each week apart.`,
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "target", DefaultText: "as in training", Category: "Data",
				Usage: "`COLUMN` of the labels, if there are some"},
			&urfave.StringFlag{Name: "window", Category: "Output", DefaultText: "all rows",
				Usage: "`ROWS` watched apart, or a span: 12h, 7d, 2w, month"},
			&urfave.StringFlag{Name: "time", Category: "Data", DefaultText: "as in training",
				Usage: "`COLUMN` of the times, for --window"},
			cli.ByFlag(),
			&urfave.StringFlag{Name: "state", Category: "Output", DefaultText: "none",
				Usage: "JSON `FILE` that keeps what was seen, from run to run"},
			cli.DriftFlag(), cli.ResultFlag(),
		}, cli.NewDataFlags(), cli.RunFlags("table, json, markdown")),
		Action: p.KeepResult(func(c *urfave.Context) error { return monitor(p, c) }),
	}
}

// monitorResult is what monitor writes as JSON.
type monitorResult struct {
	view.Heading
	Model view.ModelOrigin `json:"model"` // the file whose decisions are watched
	Name  string           `json:"name"`  // of the rows
	// what all rows are estimated to have, also those of earlier runs, and what labels say
	All     view.Window    `json:"all"`
	Windows []*view.Window `json:"windows,omitempty"` // likewise, in the order of their coming
	view.Assessed
	view.Remarks
}

func monitor(p *cli.Program, c *urfave.Context) error {
	form, err := cli.Format(c, "table", "json", "markdown")
	if err != nil {
		return err
	}
	args, err := cli.Arguments(c, 2, 2)
	if err != nil {
		return err
	}
	m, from, err := cli.LoadFirst(c, args)
	if err != nil {
		return err
	}
	_, of, err := modelFor(c, m)
	if err != nil {
		return err
	}
	job := &watching.Watch{Model: m, By: c.String("by")}
	when, err := readWindow(c, job)
	if err != nil {
		return err
	}
	to := c.String("state")
	if job.State, err = watching.Read(to, from.SHA256); errors.Is(err, watching.ErrOther) {
		return cli.Usagef("--state %s %w; name another file", english.Quote(to), err)
	} else if err != nil {
		return err
	}
	workers, err := p.Threads(c)
	if err != nil {
		return err
	}
	rows, err := openMonitored(p, c, m, args[1], when)
	if err != nil {
		return cli.NamingBy(c, err)
	}
	defer rows.Close()
	if err := rows.EachBlock(func(f *dataset.Frame) error { return job.Add(c.Context, f, workers) }); err != nil {
		return cli.NamingBy(c, err)
	}
	if rows.Done == 0 {
		return cli.NoRows(rows.Source.Name())
	}
	p.Warn(byImportance(m, rows.Warnings()))
	if err := decidedOtherwise(m, job.As); err != nil && m.Provenance.Reading.Weight == "" {
		p.Warn([]error{err})
	}
	result, err := job.Judged(of, view.ColumnDrifts(rows.Warnings()))
	if err != nil {
		return err
	}
	if to != "" {
		if err := p.WriteTo(c.Context, to, func(w io.Writer) error {
			return json.NewEncoder(w).Encode(job.State)
		}); err != nil {
			return err
		}
	}
	found := result.Judgements()
	if form == "json" {
		err = p.WriteJSON(monitorResult{Heading: view.Heading{SchemaVersion: view.SchemaVersion, Command: "monitor"},
			Model: from, Name: rows.Source.Name(), All: result.All, Windows: result.Windows,
			Assessed: view.Assessed{Findings: found}, Remarks: p.Remarks(result.Sentences(found))})
	} else {
		to := p.Page(form)
		to.Say(fmt.Sprintf("%s: %s, judged by their probabilities.", rows.Source.Name(), english.Plural(rows.Done, "row")))
		result.Show(to, found)
	}
	if err == nil && c.Bool("fail-on-drift") {
		err = drifted(m, job.As, found, rows.Source.Name())
	}
	return err
}

// readWindow reads --window, and returns the column of the times that a span needs, "" of other windows.
func readWindow(c *urfave.Context, job *watching.Watch) (when string, err error) {
	if !c.IsSet("window") {
		if c.IsSet("time") {
			return "", cli.Usagef("--time is for a --window of time, such as --window 7d; give that, too")
		}
		return "", nil
	}
	if c.IsSet("by") {
		return "", cli.Usagef("--window parts rows by their number or time, and --by by a column; give one")
	}
	if job.Size, job.Span, err = watching.ParseWindow(c.String("window")); err != nil {
		return "", cli.Usagef("--window %w", err)
	}
	if job.Span == (watching.Span{}) {
		return "", nil
	}
	when = cmp.Or(c.String("time"), job.Model.Provenance.Reading.Time)
	if when == "" {
		return "", cli.Usagef("--window %s needs the column that says when a row was; name it with --time",
			c.String("window"))
	}
	job.When = when
	return when, nil
}

// openMonitored opens rows that may have labels, and have their times in a column, unless that is "".
func openMonitored(p *cli.Program, c *urfave.Context, m *rfpragma.Model, path, when string) (*cli.Rows, error) {
	o, err := p.DataOptions(c)
	if err != nil {
		return nil, err
	}
	if o.Time = ""; when != "" {
		o.Per = when
	}
	reading := m.Provenance.Reading
	if o.Target == "" && reading.Target != "" && path != "-" { // which is read once
		in, err := p.OpenTable(c, path, &o)
		if err != nil {
			return nil, err
		}
		if slices.Contains(in.Source.Columns(), reading.Target) && !slices.Contains(o.Ignore, reading.Target) {
			o.Target = reading.Target
		}
		if err := in.Close(); err != nil {
			return nil, err
		}
	}
	o.Schema, o.Classes, o.Positive, o.Merge = m.Forest.Schema, m.Classes(), reading.Positive, reading.Merge
	o.Missing = append(o.Missing, reading.Missing...)
	if m.Provenance.ByCost && m.Provenance.CostsOf().Amounts() {
		o.Amount = reading.Amount
	}
	return p.OpenRows(c, path, o, reading, "weight")
}

// drifted is the end where drift shows, or an estimate did not come true.
func drifted(m *rfpragma.Model, as []int, found []finding.Finding, name string) error {
	for _, f := range found {
		if f.Code == codes.EstimateVoid || f.Code == codes.EstimateShares || f.Code == codes.EstimateMissed {
			return cli.DriftError{Err: fmt.Errorf("%s: %s, and --fail-on-drift is set", name, f.Code)}
		}
	}
	if len(shift.Classes(m, as)) > 0 && m.Provenance.Reading.Weight == "" {
		return cli.DriftError{Err: fmt.Errorf("%s: alarms are far more or fewer than in training, and --fail-on-drift is set",
			name)}
	}
	return nil
}
