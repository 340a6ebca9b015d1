package verb

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/scores"
	"github.com/rfpragma/rfpragma/internal/table"
	"github.com/rfpragma/rfpragma/internal/view"
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
	votes, err := cli.ReadTally(c, path)
	if err != nil {
		return nil, err
	}
	if votes != nil {
		return scores.Spread(scores.FrameOf(votes), path)
	}
	in, err := p.OpenInput(c.Context, path)
	if err != nil {
		return nil, err
	}
	in.Reader = table.RowVotes(in.Reader, &o)
	t, err := p.OpenIn(c, in, &o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	frame, err := dataset.Read(t.Source, o)
	if err != nil {
		return nil, err
	}
	return scores.Spread(frame, cli.Called(path))
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
		view.Quoted(c.Args().First()))
}

func readVotes(p *cli.Program, c *urfave.Context, path string) (*vote.Table, error) {
	if form, err := cli.FormOf(c.String("input-format"), path); err != nil || form != "" && form != table.CSVTable &&
		form != table.TsvTable {
		if err == nil {
			err = cli.Usagef("%s: a table of votes is CSV and not %s; convert it, or correct --input-format", cli.Called(path),
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
	buffered := bufio.NewReader(in)
	if start, _ := buffered.Peek(len(view.KindVotes)); string(start) == view.KindVotes {
		if o.Group != "" {
			return nil, cli.Usagef("--group: %s is what rfpragma tally counted, which knows no groups; leave it out", in.Name)
		}
		t, err := rfpragma.ReadTally(buffered, in.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.Name, err)
		}
		if err := cli.Usable(t, in.Name); err != nil {
			return nil, err
		}
		return scores.Merge(t.Table(), o, in.Name)
	}
	if err := cli.NoTable(c, buffered, in.Name); err != nil {
		return nil, err
	}
	rows := table.RowVotes(buffered, &o)
	t, err := vote.ReadCSV(rows, in.Name, vote.CSVOptions{Target: o.Target, Weight: o.Weight, Group: o.Group,
		Amount: o.Amount, ID: o.ID, Ignore: o.Ignore, Comma: o.Comma, Decimal: o.Decimal, Found: p.Separated(in.Name)})
	if err == nil && t.Share == nil {
		err = fmt.Errorf("%s: no row has a label; fill column %s, or name another one with --target", in.Name,
			english.Quote(cmp.Or(o.Target, "class")))
	}
	if err != nil {
		return nil, err
	}
	return scores.Merge(t, o, in.Name)
}
