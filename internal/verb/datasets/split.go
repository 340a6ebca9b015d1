package datasets

import (
	"errors"
	"fmt"
	"io"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/table"
	"github.com/rfpragma/rfpragma/internal/view"
)

// SplitCommand is the verb that keeps rows apart.
func SplitCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "split",
		Usage:     "keep rows apart, to judge a model by",
		ArgsUsage: "DATA",
		Description: `  rfpragma split data.csv -o old.csv,test.csv
  rfpragma split visits.csv --share 0.3 --group Month -o old.csv,test.csv
  rfpragma split visits.csv --time date -o before.csv,after.csv   the latest rows

Each class keeps its share. With --group the rows of a group stay together; with --time the rows
kept apart are the latest. The files are CSV with the cells as they stand in DATA, in its order.`,
		Flags: slices.Concat([]urfave.Flag{
			&urfave.GenericFlag{Name: "share", Value: shareOf(0.2), Category: "Data",
				Usage: "`SHARE` of the rows to keep apart, 0.2 or 20%"},
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Category: "Output",
				Usage: "`FILE`,FILE to write: of the other rows, and of those kept apart; required"},
		}, cli.Without(cli.DataFlags(), "weight", "id", "categorical", "positive"),
			cli.Without(cli.RunFlags(view.AllForms), "format")),
		Action: func(c *urfave.Context) error { return splitRows(p, c) },
	}
}

// shareOf is a share that a flag has unless another is given.
func shareOf(v float64) *cli.ShareValue {
	share := cli.ShareValue(v)
	return &share
}

func splitRows(p *cli.Program, c *urfave.Context) error {
	args, err := cli.Arguments(c, 1, 1)
	if err != nil {
		return err
	}
	if args[0] == "-" {
		return cli.Usagef("split reads its rows twice; name a file instead of -")
	}
	to, err := splitOutputs(p, c)
	if err != nil {
		return err
	}
	frame, err := p.ReadLabelled(c, args[0])
	if err != nil {
		return err
	}
	apart, err := dataset.HoldOut(frame, c.Float64("share"), c.Uint64("seed"))
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	if err := writeSplit(p, c, args[0], frame, apart, to); err != nil {
		return err
	}
	for side, name := range to {
		rows, ofClass := 0, make([]float64, len(frame.Classes))
		for i := range apart {
			if apart[i] == (side == 1) {
				rows++
				ofClass[frame.Truth[i]]++
			}
		}
		p.Say("%s: %s, %s.", p.Written(name), english.Plural(rows, "row"), view.ClassShares(frame.Classes, ofClass))
	}
	return nil
}

// splitOutputs returns the two files to write.
func splitOutputs(p *cli.Program, c *urfave.Context) ([]string, error) {
	text := c.String("output")
	if text == "" {
		return nil, cli.Usagef("--output is missing; name two files to write, such as -o train.csv,test.csv")
	}
	to, err := cli.Names("output", []string{text})
	if err != nil {
		return nil, err
	}
	if len(to) != 2 || slices.Contains(to, "-") {
		return nil, cli.Usagef("--output %s; name two files, of the other rows and of those kept apart, such as "+
			"-o train.csv,test.csv", english.Quote(text))
	}
	if cli.SamePath(to[0], to[1]) {
		return nil, cli.Usagef("--output names %s twice; name two files", english.Quote(to[0]))
	}
	return to, errors.Join(p.MayWriteTo(c, "output", to[0], cli.TableProduct),
		p.MayWriteTo(c, "output", to[1], cli.TableProduct))
}

// writeSplit copies the rows of a table, those of the frame that are apart into the second file.
func writeSplit(p *cli.Program, c *urfave.Context, path string, frame *dataset.Frame, apart []bool, to []string) error {
	o, err := p.DataOptions(c)
	if err != nil {
		return err
	}
	in, err := p.OpenTable(c, path, &o)
	if err != nil {
		return err
	}
	defer in.Close()
	return p.WriteTo(c.Context, to[0], func(kept io.Writer) error {
		return p.WriteTo(c.Context, to[1], func(test io.Writer) error {
			return table.Divide(c.Context, in.Source, frame.Number, apart, kept, test)
		})
	})
}
