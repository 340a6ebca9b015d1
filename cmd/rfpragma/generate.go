package main

import (
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
	case rows < 1 || rows > 100_000_000:
		return usagef("--rows %d; choose 1 to 100000000", rows)
	case classes != 2 && classes != 3:
		return usagef("--classes %d; choose 2 or 3", classes)
	}
	var frame *dataset.Frame
	switch args[0] {
	case "fraud":
		if c.IsSet("classes") {
			return usagef("--classes is for wave; fraud has two")
		}
		frame = dataset.Fraud(rows, c.Uint64("seed"))
	case "wave":
		frame = dataset.Wave(rows, classes, c.Uint64("seed"))
	default:
		return usagef("there is no example data %.64q; choose fraud or wave", args[0])
	}
	return p.writeTo(c.String("output"), func(w io.Writer) error { return dataset.WriteCSV(w, frame, "class") })
}

// apart refuses an output that is one of the inputs: writing it would destroy what is read.
func apart(output string, inputs ...string) error {
	to, err := os.Stat(output)
	if output == "-" || err != nil {
		return nil // nothing there to destroy
	}
	for _, input := range inputs {
		if from, err := os.Stat(input); err == nil && os.SameFile(from, to) && to.Mode().IsRegular() {
			return usagef("--output %.256q is the input %.256q; name another file", output, input)
		}
	}
	return nil
}

// writeTo writes to stdout for "-", else to a file, whole or not at all.
func (p *program) writeTo(path string, write func(io.Writer) error) error {
	switch path {
	case "-":
		return write(p.stdout)
	case "":
		return usagef("--output is empty; name a file, or - for stdout")
	}
	return atomicfile.Write(path, write)
}
