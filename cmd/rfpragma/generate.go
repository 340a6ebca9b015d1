package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
)

func (p *program) generateCommand() *cli.Command {
	return &cli.Command{
		Name:      "generate",
		Usage:     "write seeded example data",
		ArgsUsage: "fraud|wave",
		Description: `  rfpragma generate fraud --rows 2000 -o fraud.csv
  rfpragma generate wave --classes 2 --seed 7 > wave.csv`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "rows", Value: 5000, Category: "Data", Usage: "number of `ROWS`"},
			&cli.IntFlag{Name: "classes", Value: 3, Category: "Data", Usage: "`CLASSES` of wave, 2 or 3"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Category: "Run", Usage: "`NUMBER` that all chance comes from"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Category: "Output", Usage: "`FILE` to write; - is stdout"},
		},
		Action: p.generate,
	}
}

func (p *program) generate(c *cli.Context) error {
	args, err := arguments(c, 1, 1)
	if err != nil {
		return err
	}
	rows, classes := c.Int("rows"), c.Int("classes")
	switch {
	case rows < 1:
		return usagef("--rows %d; choose 1 to %d", rows, mostRows)
	case rows > mostRows:
		return &dataset.LimitError{Text: fmt.Sprintf("--rows %d; the limit is %d rows", rows, mostRows)}
	case classes != 2 && classes != 3:
		return usagef("--classes %d; choose 2 or 3", classes)
	}
	var draw func() *dataset.Frame
	switch args[0] {
	case "fraud":
		if c.IsSet("classes") {
			return usagef("--classes is for wave; fraud has two")
		}
		draw = func() *dataset.Frame { return dataset.Fraud(rows, c.Uint64("seed")) }
	case "wave":
		draw = func() *dataset.Frame { return dataset.Wave(rows, classes, c.Uint64("seed")) }
	default:
		return usagef("there is no example data %.64q; choose fraud or wave", args[0])
	}
	frame, err := await(c.Context, func() (*dataset.Frame, error) { return draw(), nil })
	if err != nil {
		return err
	}
	for class, weight := range frame.ClassWeights() {
		if weight == 0 {
			p.warn([]error{fmt.Errorf("class %q has no row; ask for more with --rows, or take another --seed", frame.Classes[class])})
		}
	}
	return p.writeTo(c.Context, c.String("output"), func(w io.Writer) error { return dataset.WriteCSV(w, frame, "class") })
}

// mostRows is as many rows as are made: they are held in memory.
const mostRows = 10_000_000

// apart refuses an output, of the named flag, that is one of the inputs: writing it would
// destroy what is read.
func apart(flag, output string, inputs ...string) error {
	to, err := os.Stat(output)
	if output == "-" || err != nil {
		return nil // nothing there to destroy
	}
	for _, input := range inputs {
		if from, err := os.Stat(input); err == nil && os.SameFile(from, to) && to.Mode().IsRegular() {
			return usagef("--%s %.256q is the input %.256q; name another file", flag, output, input)
		}
	}
	return nil
}

// writeTo writes to stdout for "-", else to a file, whole or not at all, as long as ctx lasts.
func (p *program) writeTo(ctx context.Context, path string, write func(io.Writer) error) error {
	heeded := func(w io.Writer) error { return write(&heedful{ctx, w}) }
	switch path {
	case "-":
		return heeded(p.stdout)
	case "":
		return usagef("--output is empty; name a file, or - for stdout")
	}
	return atomicfile.Write(path, heeded)
}
