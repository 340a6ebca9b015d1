package verb

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/scores"
	"github.com/rfpragma/rfpragma/internal/table"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// readScores reads labelled scores.
func readScores(p *cli.Program, c *urfave.Context, path string) (*dataset.Frame, error) {
	o, err := p.DataOptions(c)
	if err != nil {
		return nil, err
	}
	if o.Target == "" {
		o.Target = "class"
	}
	o.Positive = ""
	in, err := p.OpenInput(c.Context, path)
	if err != nil {
		return nil, err
	}
	buffered := bufio.NewReader(in.Reader)
	if votes, err := readCounted(buffered, in.Name); votes != nil || err != nil {
		if err = errors.Join(err, in.Close()); err != nil {
			return nil, err
		}
		return scores.Spread(scores.FrameOf(votes), in.Name)
	}
	in.Reader = table.RowVotes(buffered, &o)
	return readScoreRows(p, c, in, o)
}

// readScoreRows reads a table of scores, one row for each that a line stands for.
func readScoreRows(p *cli.Program, c *urfave.Context, in *table.Source, o dataset.Options) (*dataset.Frame, error) {
	t, err := p.OpenIn(c, in, &o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	frame, err := dataset.Read(t.Source, o)
	if err != nil {
		return nil, err
	}
	return scores.Spread(frame, in.Name)
}

// readSingle reads a single column of scores, which are shares of one class.
func readSingle(p *cli.Program, c *urfave.Context, in *table.Source, o dataset.Options) (*vote.Table, error) {
	positive := o.Positive
	if positive == "" {
		spec, _, err := p.ReadSpec(c)
		if err != nil {
			return nil, err
		}
		for class := range spec {
			if len(spec) == 1 && class != pragma.Others {
				positive = class
			}
		}
	}
	o.Positive = ""
	frame, err := readScoreRows(p, c, in, o)
	if err != nil {
		return nil, err
	}
	t, err := scores.Votes(frame, positive, in.Name)
	if of := cli.RequiredSlices(c); err == nil && len(of) > 0 {
		if err = tables.CheckSlices(frame, of); err == nil {
			t, err = tables.Slice(t, frame, of)
		}
	}
	return t, err
}

// withModel says how a verb takes rows that are no votes or scores, as no column is named as a class is; "" where
// one is.
func withModel(c *urfave.Context) string {
	line := cli.LineOf(c)
	classes, columns := line.TableClasses(c.Context), line.TableColumns(c.Context)
	if classes == nil || slices.ContainsFunc(classes, func(class string) bool { return slices.Contains(columns, class) }) {
		return ""
	}
	return fmt.Sprintf("; if these are rows of data, a model comes first: rfpragma %s MODEL.rfp %s", c.Command.Name,
		csvtext.Quoted(c.Args().First()))
}

// readCounted reads what rfpragma tally counted; nil where the file is something else.
func readCounted(in *bufio.Reader, name string) (*vote.Table, error) {
	if start, _ := in.Peek(len(cli.KindVotes)); string(start) != cli.KindVotes {
		return nil, nil
	}
	t, err := rfpragma.ReadTally(in, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t.Table(), usable(t, name)
}

// readVotes reads a table of votes or scores.
func readVotes(p *cli.Program, c *urfave.Context, path string) (*vote.Table, error) {
	if form, err := cli.FormOf(c.String("input-format"), path); err != nil || form != "" && form != table.CSVTable &&
		form != table.TsvTable {
		if err == nil {
			err = cli.Usagef("%s: a table of votes is CSV and not %s; convert it, or correct --input-format",
				cli.InputName(path),
				form)
		}
		return nil, err
	}
	o, err := p.DataOptions(c)
	if err != nil {
		return nil, err
	}
	in, err := p.OpenInput(c.Context, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	buffered := bufio.NewReaderSize(in.Reader, table.HeadBytes)
	switch t, err := readCounted(buffered, in.Name); {
	case err != nil:
		return nil, err
	case t != nil && o.Group != "":
		return nil, cli.Usagef("--group: %s is what rfpragma tally counted, which knows no groups; leave it out", in.Name)
	case t != nil:
		return scores.Merge(t, o, in.Name)
	}
	if err := cli.NoTable(c, buffered, in.Name); err != nil {
		return nil, err
	}
	if head, _ := buffered.Peek(table.HeadBytes); scores.IsSingle(head, &o) {
		in.Reader = buffered
		return readSingle(p, c, in, o)
	}
	rows := table.RowVotes(buffered, &o)
	t, err := vote.ReadCSV(rows, in.Name, vote.CSVOptions{Target: o.Target, Weight: o.Weight, Group: o.Group,
		Amount: o.Amount, ID: o.ID, Ignore: o.Ignore, Slices: cli.RequiredSlices(c), Comma: o.Comma, Decimal: o.Decimal,
		Found: p.SaySeparator(in.Name)})
	if err == nil && t.Share == nil {
		err = fmt.Errorf("%s: no row has a label; fill column %s, or name another one with --target", in.Name,
			english.Quote(cmp.Or(o.Target, "class")))
	}
	if err == nil {
		t, err = scores.Merge(t, o, in.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("%w%s", err, withModel(c))
	}
	return t, nil
}

// usable refuses votes that say nothing about all of the rows, or about new ones.
func usable(votes *rfpragma.Tally, name string) error {
	if err := votes.Whole(); err != nil {
		return err
	}
	if votes.TrainedOn() {
		return errTrainedOn(name)
	}
	return nil
}

// errTrainedOn refuses votes for the rows that a model was trained on.
func errTrainedOn(name string) error {
	return fmt.Errorf("%s: %w: these are votes for the rows that the model was trained on; count those for others, or "+
		"with the trees of grow", cmp.Or(name, "the votes"), anneal.ErrTrain)
}
