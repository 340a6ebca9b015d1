package verb

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/cli/hints"
	"github.com/rfpragma/rfpragma/internal/dateparts"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/predictions"
)

func predictCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "predict",
		Usage:     "decide new rows with a saved model",
		ArgsUsage: "MODEL.rfp DATA",
		Description: `  rfpragma predict model.rfp new.csv -o decisions.csv
  rfpragma predict model.rfp new.csv --top ill=20 --id customer -o first.csv
  rfpragma predict model.rfp new.csv --reasons 3 -o decisions.csv   why each row is decided so
  rfpragma predict model.rfp new.csv --change 2 -o decisions.csv   what would decide it otherwise
  rfpragma predict model.rfp new.csv --shap ill --background train.csv -o parts.csv
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
writes "undecided" instead, for somebody to look at it. In JSON other rows have no "lacks". A model
trained with --review leaves close rows undecided, too; "because" says which of both it is.

With --reasons N also the N cells without which the votes for the decision, or with --top those
for CLASS, fall most: TSH=9.2 (+212 ill) says that 212 fewer trees would vote ill if TSH alone were
missing. --reasons ill=N names what speaks for ill, also where a row is decided otherwise. Deciding
takes up to 20 times as long, however many columns there are.

With --change N the smallest change of at most N cells (1 to 3) with which the row would be decided
otherwise, or with --change ok=N as ok: spent=1000 instead of 2310. Columns of --keep do not change.
With --shap ill also parts of the votes for ill (SHAP values): base_ill is the mean share of the
votes in the rows of --background, and shap_COLUMN what a cell adds to it; they sum up to the share
of the votes. --shap ill=log-odds splits the log odds of the probability.`,
		Flags: slices.Concat([]urfave.Flag{
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Category: "Output",
				Usage: "`FILE` to write: .csv, .xlsx or .json (lines); - is stdout"},
			&urfave.BoolFlag{Name: "strict", DisableDefaultText: true, Category: "Data",
				Usage: "refuse columns the model does not know, or writes otherwise"},
			&urfave.StringFlag{Name: "top", Category: "Output",
				Usage: "`CLASS=N` or CLASS=1%: only so many rows, the likeliest to be CLASS first"},
			&urfave.BoolFlag{Name: "shares", DisableDefaultText: true, Category: "Output",
				Usage: "write the weighted shares of the votes, share_CLASS"},
			cli.EscapeFlag(), cli.PerFlag(), cli.WithholdFlag(), cli.ScoreFlag(), prevalenceFlag(),
			cli.DriftFlag(),
		}, cli.WhyFlags(), slices.DeleteFunc(cli.NewDataFlags(), func(f urfave.Flag) bool {
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
	job, err := readPredictJob(p, c, args, form)
	if err != nil {
		return err
	}
	rows := job.rows
	defer rows.Close()
	err = p.WriteTo(c.Context, c.String("output"), func(w io.Writer) error {
		if err := job.writeRows(c.Context, w); err != nil {
			return err
		}
		return p.WarnUnlessMisfit(rows.Warnings())
	})
	rows.Progress.End()
	if err != nil {
		return err
	}
	tellPredicted(p, job, cli.InputName(args[1]), c.String("output"))
	return otherRows(p, c, job)
}

// readPredictJob reads the model, and opens the rows.
func readPredictJob(p *cli.Program, c *urfave.Context, args []string, form predictions.RowForm) (*predictJob, error) {
	was, _, err := cli.LoadFirst(c, args)
	if err != nil {
		return nil, err
	}
	m, of, err := modelFor(c, was)
	if err != nil {
		return nil, err
	}
	best, err := p.ReadTop(c, of)
	if err != nil {
		return nil, err
	}
	if form.Why, err = p.ReadWhy(c, m, of, best); err != nil {
		return nil, err
	}
	o, err := p.DataOptions(c)
	if err != nil {
		return nil, err
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
		return nil, err
	}
	form.Classes, form.ID, form.Open, form.Per = m.Classes(), rows.O.ID, best != nil, dateparts.PerColumns(o.Per,
		rows.Source.Columns())
	form.Shares = c.Bool("shares")
	job := &predictJob{model: m, rows: rows, form: form, of: of, top: best, as: make([]int, len(form.Classes)),
		held: make([]int, len(form.Classes)), unlikely: make([]int, len(form.Classes)), lacks: abstain.NewLacking(m),
		twice: predictions.NewRepeats(predictions.MostIDs)}
	job.form.Lacks = job.lacks.Possible()
	if err := cli.Withhold(job.lacks, c); err != nil {
		return nil, errors.Join(err, rows.Close())
	}
	job.form.Withhold = job.lacks.Withheld
	if m.Provenance.Review != nil {
		job.form.Because = true
		if err := cli.CheckReviewed(m.Classes()); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
	}
	if job.form.Scores, err = cli.ReadScore(c); err == nil && job.form.Scores && !m.Scored() {
		err = cli.Usagef("--score fpr: the model keeps no ranks of its training rows; train it with --score fpr")
	}
	if err != nil {
		return nil, errors.Join(err, rows.Close())
	}
	if m != was && best == nil {
		job.was, job.wasAs = was, make([]int, len(form.Classes))
	}
	if err := cli.CheckColumns(&job.form, rows.Source.Name()); err != nil {
		return nil, errors.Join(err, rows.Close())
	}
	return job, nil
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
			if job.withheld() > 0 && c.Bool("withhold") {
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

// tellPredicted says what was done with the rows of a file, which are written to another.
func tellPredicted(p *cli.Program, job *predictJob, file, output string) {
	rows, labels := job.rows, job.model.Provenance.Reading.Target
	name := rows.Source.Name()
	p.Warn(slices.Concat(firstColumns(name, byImportance(job.model, slices.DeleteFunc(rows.Warnings(),
		job.lacks.Answers))), job.lacks.Warnings(name), job.twice.Warnings(name, rows.O.ID, rows.Done)))
	if rows.Done == 0 {
		p.Warn([]error{cli.NoRows(name)})
	}
	later := ""
	if job.top == nil && rows.Done > 0 {
		later = hints.InTime(job.model, job.model.Provenance.Votes, "The rows of the training",
			"more errors on later rows")
	}
	p.Say("%s decided%s%s.%s%s", english.Plural(rows.Done-job.withheld(), "row"), job.words(p.AndWritten(output)),
		job.heldWords(), job.unlikelyWords(), later)
	if job.form.JSON && strings.EqualFold(filepath.Ext(output), ".json") { // where a single value may be expected
		p.Say("%s has an object for each row, a line each (JSON lines).", output)
	}
	if slices.Contains(rows.Left, labels) {
		p.Say("predict ignores the labels in column %s. To see how many decisions are right run rfpragma evaluate, or "+
			"rfpragma cv if these are rows of the training.", english.Quote(labels))
	}
	if job.top != nil {
		if text := job.top.Expects(hints.TimeFlag(job.model)); text != "" {
			p.Say("%s%s", text, hints.FewerTimes(job.model))
		}
	}
	for _, words := range job.form.Why.Words(job.model) {
		if !job.form.JSON {
			p.Say("%s", words)
		}
	}
	if job.top != nil && rows.O.ID == "" {
		p.Say("%s", countedWords(file))
	}
}
