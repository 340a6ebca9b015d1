// Command paper repeats the experiments of Thomas, Jouve and Nicoloyannis, "Mesure non symétrique pour
// l'évaluation de modèles" (EGC 2007), the paper that PRAGMA is from: its tables 1, 2 and 4, with the figures
// it prints beside ours, its figures 1 to 4, and one of an annealing.
//
//	go run ./paper -data FOLDER
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/bench/page"
)

func main() {
	command.Run("paper", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

// settings are the flags of the command.
type settings struct {
	data   string // folder with the sets, as NAME/NAME.csv
	seeds  int
	out    string // folder for the figures
	readme string
}

func run(ctx context.Context, args []string, out, talk io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("paper", flag.ContinueOnError)
	flags.SetOutput(talk)
	flags.StringVar(&s.data, "data", os.Getenv("RFPRAGMA_DATA"), "`FOLDER` with the public sets, as NAME/NAME.csv; see \"Tests on real data\" of the README above")
	flags.IntVar(&s.seeds, "seeds", 10, "repeats of each cross-validation, with other folds and trees")
	flags.StringVar(&s.out, "out", "figures", "`FOLDER` for the figures, as PNG and SVG")
	flags.StringVar(&s.readme, "readme", "", "Markdown `FILE` to put the tables into, between <!-- paper --> and <!-- /paper -->")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("there is no argument %q; name the folder of the sets with -data", flags.Arg(0))
	case s.seeds < 1:
		return fmt.Errorf("-seeds %d; one repeat is the least", s.seeds)
	case s.data == "":
		return fmt.Errorf("no folder of sets; name it with -data or RFPRAGMA_DATA")
	}
	results := make(map[string]result)
	for _, e := range experiments {
		var done atomic.Int64
		r, err := e.run(ctx, s.data, s.seeds, func() {
			fmt.Fprintf(talk, "%s: repeat %d of %d\n", e.title, done.Add(1), s.seeds)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", e.title, err)
		}
		results[e.title] = r
	}
	text := report(results, s.seeds)
	fmt.Fprint(out, text)
	if s.readme != "" {
		if err := page.Put(s.readme, "paper", text); err != nil {
			return err
		}
	}
	if err := drawAll(ctx, s.data, s.out, results); err != nil {
		return err
	}
	fmt.Fprintf(talk, "the figures are in %s\n", filepath.Clean(s.out))
	return nil
}
