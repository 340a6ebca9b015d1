package datasets

import (
	"fmt"
	"io"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/table"
)

// GenerateCommand is that of generate.
func GenerateCommand(p *cli.Program) *urfave.Command {
	return &urfave.Command{
		Name:      "generate",
		Usage:     "write seeded example data",
		ArgsUsage: "fraud|wave",
		Description: `  rfpragma generate fraud --rows 2000 -o fraud.csv
  rfpragma generate fraud --seed 2 --drift 0.5 -o later.csv
  rfpragma generate wave --classes 2 --seed 7 > wave.csv

fraud are card payments, 2 in 100 of them fraud, with missing cells and categories; wave are the
noisy waveforms of Breiman et al. (1984), 21 numbers and classes that overlap. All is made up.`,
		Flags: []urfave.Flag{
			&urfave.IntFlag{Name: "rows", Value: 5000, Category: "Data", Usage: "number of `ROWS`"},
			&urfave.IntFlag{Name: "classes", Value: 3, Category: "Data", Usage: "`CLASSES` of wave, 2 or 3"},
			&urfave.GenericFlag{Name: "drift", Value: new(cli.ShareValue), Category: "Data",
				Usage: "`SHARE` by which thieves look more like customers, 0 to 1"},
			&urfave.Uint64Flag{Name: "seed", Value: 1, Category: "Run", Usage: "`NUMBER` that all chance comes from"},
			&urfave.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Category: "Output",
				Usage: "`FILE` to write; - is stdout"},
		},
		Action: func(c *urfave.Context) error { return generate(p, c) },
	}
}

func generate(p *cli.Program, c *urfave.Context) error {
	args, err := cli.Arguments(c, 1, 1)
	if err != nil {
		return err
	}
	rows, classes, drift := c.Int("rows"), c.Int("classes"), c.Float64("drift")
	switch {
	case rows < 1:
		return cli.Usagef("--rows %d; choose 1 to %d", rows, mostRows)
	case rows > mostRows:
		return &dataset.LimitError{Text: fmt.Sprintf("--rows %d; the limit is %d rows", rows, mostRows)}
	case classes != 2 && classes != 3:
		return cli.Usagef("--classes %d; choose 2 or 3", classes)
	case !(drift >= 0 && drift <= 1):
		return cli.Usagef("--drift %v; choose 0, as in training, to 1", drift)
	}
	var draw func() *dataset.Frame
	switch args[0] {
	case "fraud":
		if p.IsTyped("classes") {
			return cli.Usagef("--classes is for wave; fraud has two")
		}
		draw = func() *dataset.Frame { return dataset.DriftedFraud(rows, c.Uint64("seed"), drift) }
	case "wave":
		if p.IsTyped("drift") {
			return cli.Usagef("--drift is for fraud; wave has none")
		}
		draw = func() *dataset.Frame { return dataset.Wave(rows, classes, c.Uint64("seed")) }
	default:
		return cli.Usagef("there is no example data %s; choose fraud or wave", english.Quote(args[0]))
	}
	if err := p.MayWrite(c, "output", cli.TableProduct); err != nil {
		return err
	}
	frame, err := table.Await(c.Context, func() (*dataset.Frame, error) { return draw(), nil })
	if err != nil {
		return err
	}
	for class, weight := range frame.ClassWeights() {
		if weight == 0 {
			p.Warn([]error{fmt.Errorf("class %q has no row; ask for more with --rows, or take another --seed",
				frame.Classes[class])})
		}
	}
	to := c.String("output")
	err = p.WriteTo(c.Context, to, func(w io.Writer) error { return dataset.WriteCSV(w, frame, "class") })
	if err == nil && to != "-" {
		p.Say("%s made%s.", english.Plural(frame.Rows(), "row"), p.AndWritten(to))
	}
	return err
}

// mostRows is as many rows as are made: they are held in memory.
const mostRows = 10_000_000
