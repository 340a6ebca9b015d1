package verb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/dateparts"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

func predictCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "predict",
		Usage:     "decide new rows with a saved model",
		ArgsUsage: "MODEL.rfp DATA",
		Description: `  rfpragma predict model.rfp new.csv -o decisions.csv
  rfpragma predict model.rfp new.csv --top ill=20 --id customer -o first.csv
  rfpragma predict model.rfp new.csv --reasons 3 -o decisions.csv   why each row is decided so
  rfpragma predict model.rfp new.csv --withhold -o decisions.csv   no decision that rests on little
  cat new.csv | rfpragma predict model.rfp - --id customer > decisions.csv
  rfpragma predict model.rfp new.csv -o decisions.csv --fail-on-drift   exit code 8 where rows are
                                     decided far otherwise than in training, or a column differs

For each row: its number (or --id), the decision, probability_CLASS and votes_CLASS of each class;
with --shares also share_CLASS, its weighted share of the votes, by which the row is decided.
With --top also its place on the list (rank); --per Year,Month makes a list for each month. Columns
are matched by name; where letter case, blanks, hyphens or underscores differ, a warning tells of
it; a column of labels is ignored (evaluate --decisions writes it beside the decision); the words
that meant a missing cell in training still do. Probabilities have six digits; those near 1 have
enough that 1 - p has six, too. With --format json, or -o FILE.json, .jsonl or .ndjson: an object
for each row, a line each, with all digits.

Where a row lacks most of what the model decides by, "lacks" names the columns that it lacks, the
weightiest first: their cell is missing, or its value is far from every value of training. The
decision then rests on the little that is left, however sure its probability looks; --withhold
writes "undecided" instead, for somebody to look at it. In JSON other rows have no "lacks".

With --reasons N also the N cells without which the votes for the decision, or with --top those
for CLASS, fall most: TSH=9.2 (-212) says that 212 fewer trees would vote so if TSH alone were
missing. --reasons ill=N names what speaks for ill, also where a row is decided otherwise. Deciding
takes up to 20 times as long, however many columns there are.`,
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Category: "Output",
				Usage: "`FILE` to write: .csv, or .json for JSON lines; - is stdout"},
			&urfave.BoolFlag{Name: "strict", DisableDefaultText: true, Category: "Data",
				Usage: "refuse columns the model does not know, or writes otherwise"},
			&urfave.StringFlag{Name: "top", Category: "Output",
				Usage: "`CLASS=N` or CLASS=1%: only so many rows, the likeliest to be CLASS first"},
			&urfave.BoolFlag{Name: "shares", DisableDefaultText: true, Category: "Output",
				Usage: "write the weighted shares of the votes, share_CLASS"},
			cli.PerFlag(), cli.ReasonsFlag(), cli.WithholdFlag(), prevalenceFlag(), cli.DriftFlag(),
		}, slices.DeleteFunc(cli.NewDataFlags(), func(f urfave.Flag) bool {
			return f.Names()[0] == "weight" ||
				f.Names()[0] == "drop-unlabelled"
		}), cli.OutputFlags("csv, json")),
		Action: func(c *urfave.Context) error { return predict(p, c) },
	}
}

func predict(p *cli.Program, c *urfave.Context) error {
	form, err := p.RowForm(c)
	if err != nil {
		return err
	}
	args, err := cli.Arguments(c, 2, 2)
	if err != nil {
		return err
	}
	was, _, err := cli.LoadFirst(c, args)
	if err != nil {
		return err
	}
	m, of, err := modelFor(c, was)
	if err != nil {
		return err
	}
	best, err := p.ReadTop(c, of)
	if err != nil {
		return err
	}
	if form.Reasons, err = cli.ReadReasons(c, of, best); err != nil {
		return err
	}
	o, err := p.Options(c)
	if err != nil {
		return err
	}
	o.Schema, o.Target, o.Strict = m.Forest.Schema, "", c.Bool("strict")
	reading := m.Provenance.Reading
	o.Missing = append(o.Missing, reading.Missing...)
	o.Per = c.String("per")
	if m.Provenance.ByCost && m.Provenance.CostsOf().Amounts() {
		o.Amount = reading.Amount
	}
	rows, err := p.OpenRows(c, args[1], o, reading, "id")
	if err != nil {
		return err
	}
	defer rows.Close()
	form.Classes, form.ID, form.Open, form.Per = m.Classes(), rows.O.ID, best != nil, dateparts.PerColumns(o.Per,
		rows.Source.Columns())
	form.Shares = c.Bool("shares")
	job := &predictJob{model: m, rows: rows, form: form, of: of, top: best, as: make([]int, len(form.Classes)),
		held: make([]int, len(form.Classes)), unlikely: make([]int, len(form.Classes)), lacks: abstain.NewLacking(m),
		twice: predictions.NewRepeats(predictions.MostIDs)}
	job.form.Lacks = job.lacks.Possible()
	if err := cli.Withhold(job.lacks, c); err != nil {
		return err
	}
	job.form.Withhold = job.lacks.Withheld
	if m != was && best == nil {
		job.was, job.wasAs = was, make([]int, len(form.Classes))
	}
	if err := cli.Check(&job.form, rows.Source.Name()); err != nil {
		return err
	}
	err = p.WriteTo(c.Context, c.String("output"), func(w io.Writer) error {
		if err := job.writeRows(c.Context, w); err != nil {
			return err
		}
		return p.Misfit(rows.Warnings())
	})
	rows.Progress.End()
	if err != nil {
		return err
	}
	tellPredicted(p, job, cli.Called(args[1]), c.String("output"))
	return otherRows(p, c, job)
}

// otherRows warns of rows that are decided otherwise than those of the training, and ends with what --fail-on-drift
// asks for.
func otherRows(p *cli.Program, c *urfave.Context, job *predictJob) error {
	found := slices.ContainsFunc(job.rows.Warnings(), func(w error) bool { return errors.Is(w, dataset.ErrDrift) })
	// a list has no decisions, a prevalence other ones, and weights other shares
	if job.top == nil && !c.IsSet("prevalence") && job.model.Provenance.Reading.Weight == "" {
		all := slices.Clone(job.as)
		for c, n := range job.held {
			all[c] += n
		}
		if err := decidedOtherwise(job.model, all); err != nil {
			if job.withheld() > 0 {
				err = fmt.Errorf("without --withhold, %w", err)
			}
			p.Warn([]error{err})
			found = true
		}
	}
	if !found || !c.Bool("fail-on-drift") {
		return nil
	}
	return cli.DriftError{Err: fmt.Errorf(
		"%s: these rows are not like those of the training, as the warnings say, and --fail-on-drift is set",
		job.rows.Source.Name())}
}

// prevalenceFlag is that of the verbs that ask a model as if the classes were as common as elsewhere.
func prevalenceFlag() urfave.Flag {
	return cli.List(urfave.StringSliceFlag{Name: "prevalence", Category: "Output",
		Usage: "`CLASS=SHARE` in the population, if not as in training (a=0.002)"})
}

// modelFor returns the model for the prevalence that is asked for, and what it was tuned for.
func modelFor(c *urfave.Context, m *rfpragma.Model) (*rfpragma.Model, *view.Goal, error) {
	m, err := forPrevalence(c, m)
	if err != nil {
		return nil, nil, err
	}
	prefs, err := m.Spec.Resolve(m.Classes())
	if err != nil {
		return nil, nil, err
	}
	of := view.GoalOf(m, prefs)
	of.Typed = cli.Typed
	return m, of, nil
}

// forPrevalence returns the model for the prevalence that is asked for. Classes that are not named share what is
// left as in training.
func forPrevalence(c *urfave.Context, m *rfpragma.Model) (*rfpragma.Model, error) {
	if !c.IsSet("prevalence") {
		return m, nil
	}
	share, err := cli.ByClass("prevalence", c.StringSlice("prevalence"), m.Classes(), math.NaN())
	if err != nil {
		return nil, err
	}
	var ofNamed, ofOthers portable.Sum
	for c, s := range share {
		if class := m.Classes()[c]; s > 1 && s < 100 {
			return nil, cli.Usagef("--prevalence %.64s=%v looks like a percentage; write %.64[1]s=%.6[3]g or %.64[1]s=%[2]v%%",
				class, s, s/100)
		}
		if math.IsNaN(s) {
			ofOthers.Add(m.Forest.Share[c])
		} else {
			ofNamed.Add(s)
		}
	}
	named, others := ofNamed.Value(), ofOthers.Value()
	if others > 0 && !(named < 1) || others == 0 && math.Abs(named-1) > 1e-6 {
		return nil, cli.Usagef("--prevalence: the shares add up to %.6g; those of all classes are 1, and of some less", named)
	}
	for c, s := range share {
		if math.IsNaN(s) {
			share[c] = m.Forest.Share[c] / others * (1 - named)
		}
	}
	return m.ForPrevalence(share)
}

// predictJob streams rows through a model.
type predictJob struct {
	model *rfpragma.Model
	rows  *cli.Rows
	form  predictions.RowForm
	top   *predictions.Top // or nil, for all rows
	as    []int            // by class, how many rows are decided as it
	held  []int            // by class, how many rows would be, but for --withhold
	lacks *abstain.Lacking
	twice *predictions.Repeats
	of    *view.Goal      // what the model was tuned for
	was   *rfpragma.Model // without --prevalence; nil where that is the model, or for a list
	wasAs []int           // by class, how many rows that decides as it

	unlikely []int // by class, how many rows are decided as it though another class has a larger probability
}

// writeRows decides all rows. Blocks are read, decided and put into words at the same time; only the
// numbers of the rows wait until the blocks come together again.
func (j *predictJob) writeRows(ctx context.Context, w io.Writer) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	j.form.Begin(buffered)
	err := dataset.Stream(j.rows.Reader,
		func(frame *dataset.Frame, out *predictions.DecidedLines) error {
			table, err := j.model.Forest.Votes(ctx, frame, 1)
			if err == nil {
				err = j.decideRows(ctx, frame, table, out)
			}
			return err
		},
		func(frame *dataset.Frame, out *predictions.DecidedLines) error {
			for i := range out.Ends {
				number := j.rows.Done + i + 1
				if j.top != nil {
					if j.form.Withholds(out.Lacking[i]) {
						continue
					}
					per := ""
					if frame.Per != nil {
						per = frame.Per[i]
					}
					j.top.Offer(out, i, number, per)
				} else if _, err := buffered.Write(out.Line(buffered.AvailableBuffer(), i, number)); err != nil {
					return err
				}
			}
			for c, n := range out.As {
				j.as[c] += n
			}
			for c, n := range out.Held {
				j.held[c] += n
			}
			for c, n := range out.WasAs {
				j.wasAs[c] += n
			}
			for c, n := range out.Unlikely {
				j.unlikely[c] += n
			}
			j.lacks.Add(frame, out.Lacking, j.rows.Done)
			j.twice.Add(frame.ID, j.rows.Done)
			j.rows.Add(len(out.Ends))
			return nil
		})
	if err != nil {
		return err
	}
	end := j.form.Ending()
	for b := range j.top.InOrder {
		for place, r := range b.Likeliest(j.top.List) {
			reasons, err := j.form.Reasons.Of(ctx, j.model, r.Cells, j.top.Name)
			if err != nil {
				return err
			}
			line := slices.Insert(r.Line, r.Place, strconv.AppendInt(nil, int64(place+1), 10)...)
			_, _ = buffered.Write(end(line, reasons)) // an error comes again below
		}
	}
	return buffered.Flush()
}

// decideRows puts the decisions for a block into words. For a list there are reasons only once it is known which
// rows are on it.
func (j *predictJob) decideRows(ctx context.Context, frame *dataset.Frame, table *vote.Table,
	out *predictions.DecidedLines) (
	err error) {
	out.Clear()
	out.As, out.Held, out.WasAs, out.Unlikely = make([]int, len(j.as)), make([]int, len(j.held)),
		make([]int, len(j.wasAs)), make([]int, len(j.as))
	if out.Lacking, err = j.lacks.In(frame); err != nil {
		return err
	}
	line := j.form.Lines()
	cells := func(i int) []float64 {
		x := make([]float64, len(frame.Columns))
		frame.Row(x, i)
		return x
	}
	if j.top != nil && j.form.Reasons.Most > 0 {
		out.Cells = cells
	}
	shares := make([]float64, len(j.form.Classes))
	predictions.DecideRows(table, predictions.Deciding(j.model, table), j.model.Probabilities,
		func(i int, d predictions.Decided) {
			if frame.ID != nil {
				d.ID = frame.ID[i]
			}
			if frame.Per != nil {
				d.Per = frame.Per[i]
			}
			if j.form.Shares {
				tables.Shares(j.model.Weights, shares, table.Votes(i))
				d.Shares = shares
			}
			d.Lacks = out.Lacking[i]
			if j.top == nil && j.form.Reasons.Most > 0 && err == nil {
				d.Reasons, err = j.form.Reasons.Of(ctx, j.model, cells(i), j.form.Classes[d.Class])
			}
			line(out, d)
			switch {
			case d.Class < 0:
			case j.form.Withholds(d.Lacks):
				out.Held[d.Class]++
			default:
				out.As[d.Class]++
				if slices.Max(d.Prob) > d.Prob[d.Class] {
					out.Unlikely[d.Class]++
				}
				if j.was != nil {
					out.WasAs[predictions.Deciding(j.was, table)(i)]++
				}
			}
			if j.top != nil {
				of := j.top.List.Class
				out.Ranks = append(out.Ranks, predictions.Rank{Prob: d.Prob[of], Votes: d.Votes[of], Decided: d.Class == of})
			}
		})
	return err
}
