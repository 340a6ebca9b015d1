// Command decide asks what decides more cheaply where errors have costs: vote weights that are searched for, or the
// least expected cost of each row under calibrated probabilities. In a cross-validation it grows forests, tunes weights
// and fits maps on their out-of-bag votes, and adds up what the decisions on the test parts cost. With -affine it asks,
// of three and more classes, whether a number added to the weighted votes of each class helps a search.
//
//	go run ./decide -data FOLDER -seeds 3
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/rfpragma/rfpragma/bench/command"
)

func main() {
	command.Run("decide", run)
}

func run(ctx context.Context) error {
	s := study{}
	flag.StringVar(&s.data, "data", ".", "`FOLDER` with a folder of each set: hpc_jobs/hpc_jobs.csv")
	flag.IntVar(&s.seeds, "seeds", 3, "repeats of the cross-validation")
	flag.IntVar(&s.folds, "folds", 5, "folds")
	flag.IntVar(&s.trees, "trees", 300, "trees of each forest")
	flag.BoolVar(&s.affine, "affine", false, "compare searches with and without an added number instead")
	flag.Parse()
	names := flag.Args()
	if len(names) == 0 {
		for _, p := range problems {
			names = append(names, p.name)
		}
	}
	defer s.report(os.Stdout) // of what there is, if it is stopped
	for _, name := range names {
		if err := s.problem(ctx, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
