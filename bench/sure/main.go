// Command sure asks whether what is promised with 95 % confidence holds on new rows in 95 of 100 samples, and what that
// costs. It prints Markdown tables, and can put them into a page. Run it in the folder bench:
//
//	go run ./sure -data FOLDER -python VENV/bin/python        all of it, some 20 minutes on two cores
//	go run ./sure -data FOLDER -draws 100 -forests 10         in two minutes
//
// The interpreter needs mapie (python3 -m pip install mapie); without -python it is left out.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/bench/page"
)

func main() {
	command.Run("sure", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s := &study{log: stderr}
	flags := flag.NewFlagSet("sure", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.data, "data", "", "`FOLDER` of sets, each in NAME/NAME.csv or NAME/NAME.csv.gz; without it only made-up sets")
	flags.StringVar(&s.python, "python", "", "interpreter that has mapie")
	flags.IntVar(&s.draws, "draws", 1000, "samples to test on")
	flags.IntVar(&s.forests, "forests", 100, "forests whose out-of-bag votes are tested on")
	flags.IntVar(&s.trees, "trees", 200, "trees of each")
	readme := flags.String("readme", "", "also put the tables into this page, between its lines <!-- sure --> and <!-- /sure -->")
	labels := flags.Bool("labels", false, "instead ask whether figures that are estimated without labels come true")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected %q", flags.Arg(0))
	}
	if *labels {
		return s.labels(ctx, stdout, *readme)
	}
	var lines []line
	for _, p := range problems(s.data != "") {
		found, err := s.measure(ctx, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		lines = append(lines, found...)
	}
	text := report(lines, s)
	if _, err := io.WriteString(stdout, text); err != nil || *readme == "" {
		return err
	}
	return page.Put(*readme, "sure", text)
}

// labels asks about figures without labels.
func (s *study) labels(ctx context.Context, stdout io.Writer, readme string) error {
	var all []labelled
	for _, p := range problems(s.data != "") {
		found, err := s.withoutLabels(ctx, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Fprintf(s.log, "%s: done\n", p.name)
		all = append(all, found)
	}
	text := reportLabels(all)
	if _, err := io.WriteString(stdout, text); err != nil || readme == "" {
		return err
	}
	return page.Put(readme, "labels", text)
}
