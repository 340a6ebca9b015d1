package verb

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/shift"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

func monitorCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "monitor",
		Usage:     "say how a saved model does on new rows before their labels come",
		ArgsUsage: "MODEL.rfp DATA",
		Description: `  rfpragma monitor model.rfp new.csv
  rfpragma monitor model.rfp new.csv --window 500      each 500 rows apart
  rfpragma monitor model.rfp new.csv --by kind         each value of a column, such as a day
  rfpragma monitor model.rfp new.csv --by kind --state seen.json   goes on with what earlier runs saw
  rfpragma monitor model.rfp new.csv --fail-on-drift   for a scheduled job: exit code 8

Recall, precision, alarms and cost that the calibrated probabilities imply, with a 95 % band for what
the labels of these very rows will say. The band also holds other shares of the classes, as far as the
votes do not contradict them. Where columns or votes differ in another way, nothing is estimated, as
probabilities then mean little. Where the rows have labels, what these say stands beside; for a window
that --state knows, labels may come later.`,
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "target", DefaultText: "as in training", Category: "Data",
				Usage: "`COLUMN` of the labels, if there are some"},
			&urfave.IntFlag{Name: "window", Category: "Output", DefaultText: "all rows", Usage: "`ROWS` that are watched apart"},
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

// monitorState is what is kept from run to run.
type monitorState struct {
	Model   string         `json:"model_sha256"`
	Rows    int            `json:"rows"` // number of rows seen
	Windows []*view.Window `json:"windows"`
}

// monitoring watches rows.
type monitoring struct {
	model  *rfpragma.Model
	rows   *cli.Rows
	before monitorState
	size   int // rows of a window; 0 for all
	named  map[string]*view.Window
	seen   []*view.Window // of this run, in the order of their coming
	as     []int          // by class, how many rows are decided as it
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
	job := &monitoring{model: m, size: c.Int("window"), named: map[string]*view.Window{}, as: make([]int, len(m.Classes()))}
	switch {
	case c.IsSet("window") && job.size < 1:
		return cli.Usagef("--window %d; give a number of rows, 1 or more", job.size)
	case c.IsSet("window") && c.IsSet("by"):
		return cli.Usagef("--window parts rows by their number, and --by by a column; give one")
	}
	if job.before, err = readState(c.String("state"), from.SHA256); err != nil {
		return err
	}
	workers, err := p.Threads(c)
	if err != nil {
		return err
	}
	if job.rows, err = openMonitored(p, c, m, args[1]); err != nil {
		return cli.NamingBy(c, err)
	}
	defer job.rows.Close()
	if err := job.rows.EachBlock(func(f *dataset.Frame) error { return job.add(c, f, workers) }); err != nil {
		return cli.NamingBy(c, err)
	}
	if job.rows.Done == 0 {
		return cli.NoRows(job.rows.Source.Name())
	}
	p.Warn(byImportance(m, job.rows.Warnings()))
	if err := decidedOtherwise(m, job.as); err != nil && m.Provenance.Reading.Weight == "" {
		p.Warn([]error{err})
	}
	result, err := job.judged(of)
	if err != nil {
		return err
	}
	if to := c.String("state"); to != "" {
		if err := job.write(p, c, to, from.SHA256); err != nil {
			return err
		}
	}
	found := result.Findings()
	if form == "json" {
		err = p.WriteJSON(monitorResult{Heading: view.Heading{SchemaVersion: view.SchemaVersion, Command: "monitor"},
			Model: from, Name: job.rows.Source.Name(), All: result.All, Windows: result.Windows,
			Assessed: view.Assessed{Findings: found}, Remarks: p.Remarks(result.Words(found))})
	} else {
		to := p.Page(form)
		to.Say(fmt.Sprintf("%s: %s, judged by their probabilities.", job.rows.Source.Name(), english.Plural(job.rows.Done, "row")))
		result.Show(to, found)
	}
	if err == nil && c.Bool("fail-on-drift") {
		err = job.drifted(result)
	}
	return err
}

// openMonitored opens rows that may have labels.
func openMonitored(p *cli.Program, c *urfave.Context, m *rfpragma.Model, path string) (*cli.Rows, error) {
	o, err := p.DataOptions(c)
	if err != nil {
		return nil, err
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

// add watches a block of rows.
func (j *monitoring) add(c *urfave.Context, f *dataset.Frame, workers int) error {
	votes, err := j.model.Forest.Votes(c.Context, f, workers)
	if err != nil {
		return err
	}
	decide := predictions.Deciding(j.model, votes)
	parts, order := map[string][]int{}, []string{}
	for i := range votes.Rows() {
		name := ""
		switch {
		case f.Per != nil:
			name = f.Per[i]
		case j.size > 0:
			first := (j.before.Rows + j.rows.Done + i) / j.size * j.size
			name = fmt.Sprintf("rows %d-%d", first+1, first+j.size)
		}
		if parts[name] == nil {
			order = append(order, name)
		}
		parts[name] = append(parts[name], i)
		if d := decide(i); d >= 0 {
			j.as[d]++
		}
	}
	for _, name := range order {
		part := votes.Take(parts[name])
		w := &view.Window{Name: name}
		if w.Sums, err = j.model.Watch(part); err != nil {
			return err
		}
		w.Labels = labelsOf(j.model, part)
		to := j.named[name]
		if to == nil {
			to = &view.Window{Name: name}
			j.named[name] = to
			j.seen = append(j.seen, to)
		}
		to.Add(w)
	}
	return nil
}

// labelsOf counts how rows of each class are decided; nil unless all have labels.
func labelsOf(m *rfpragma.Model, votes *vote.Table) [][]float64 {
	k, decide := len(m.Classes()), predictions.Deciding(m, votes)
	out := make([][]float64, k)
	for t := range out {
		out[t] = make([]float64, k)
	}
	for i, truth := range votes.Truth {
		if truth < 0 {
			return nil
		}
		if !m.Close(votes.Votes(i)) {
			out[truth][decide(i)] += votes.WeightOf(i)
		}
	}
	if len(votes.Truth) == 0 {
		return nil
	}
	return out
}

// judged estimates all windows, with those of earlier runs.
func (j *monitoring) judged(of *view.Goal) (*view.Monitored, error) {
	out := &view.Monitored{Goal: of}
	columns := view.ColumnDrifts(j.rows.Warnings())
	windows := j.before.Windows
	for _, w := range j.seen {
		w.Columns = columns
		at := slices.IndexFunc(windows, func(o *view.Window) bool { return o.Name == w.Name })
		switch {
		case at < 0:
			windows = append(windows, w)
		case w.Labels != nil && windows[at].Labels == nil && windows[at].Sums.Rows == w.Sums.Rows: // labels of these rows came
			windows[at].Labels = w.Labels
		default:
			windows[at].Add(w)
		}
	}
	for _, w := range windows {
		var err error
		if w.Estimates, err = j.model.Estimate(w.Sums, w.Columns); err != nil {
			return nil, err
		}
		out.All.Add(w)
	}
	if j.before.Windows = windows; len(windows) > 1 || windows[0].Name != "" {
		out.Windows = windows
	}
	var err error
	out.All.Estimates, err = j.model.Estimate(out.All.Sums, out.All.Columns)
	return out, err
}

// drifted is the end where drift shows, or an estimate did not come true.
func (j *monitoring) drifted(m *view.Monitored) error {
	for _, f := range m.Findings() {
		if f.Code == codes.EstimateVoid || f.Code == codes.EstimateShares || f.Code == codes.EstimateMissed {
			return cli.DriftError{Err: fmt.Errorf("%s: %s, and --fail-on-drift is set", j.rows.Source.Name(), f.Code)}
		}
	}
	if len(shift.Classes(j.model, j.as)) > 0 && j.model.Provenance.Reading.Weight == "" {
		return cli.DriftError{Err: fmt.Errorf("%s: alarms are far more or fewer than in training, and --fail-on-drift is set",
			j.rows.Source.Name())}
	}
	return nil
}

// readState reads what earlier runs saw; nothing where there is no file yet.
func readState(path, model string) (monitorState, error) {
	state := monitorState{Model: model}
	if path == "" {
		return state, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return state, nil
	}
	if err != nil {
		return state, err
	}
	if err := json.Unmarshal(text, &state); err != nil {
		return state, fmt.Errorf("%s is no state of monitor: %w; name another file", path, err)
	}
	if state.Model != model {
		return state, cli.Usagef("--state %s is of another model; name another file", english.Quote(path))
	}
	if slices.ContainsFunc(state.Windows, func(w *view.Window) bool { return w == nil || w.Sums == nil }) {
		return state, fmt.Errorf("%s is no state of monitor: a window has no sums; name another file", path)
	}
	return state, nil
}

// write keeps what was seen.
func (j *monitoring) write(p *cli.Program, c *urfave.Context, path, model string) error {
	state := monitorState{Model: model, Rows: j.before.Rows + j.rows.Done, Windows: j.before.Windows}
	return p.WriteTo(c.Context, path, func(w io.Writer) error { return json.NewEncoder(w).Encode(state) })
}
