// Command criteria asks whether the criterion by which trees are split matters to decisions on a rare class. In a
// cross-validation it grows a forest by each criterion on the same rows, tunes weights and fits maps on its out-of-bag votes, and judges
// decisions and probabilities on the test parts, all folds together, beside those of Gini.
//
//	go run ./criteria -seeds 3 german_credit.csv sick.csv
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/rfpragma/rfpragma/bench/command"
)

func main() {
	command.Run("criteria", run)
}

func run(ctx context.Context) error {
	s := study{}
	flag.IntVar(&s.seeds, "seeds", 3, "repeats of the cross-validation")
	flag.IntVar(&s.folds, "folds", 10, "folds")
	flag.IntVar(&s.trees, "trees", 200, "trees of each forest")
	flag.StringVar(&s.log, "log", "", "CSV `FILE` for the figures of every criterion on every set")
	flag.Parse()
	if flag.NArg() == 0 || s.seeds < 1 {
		return fmt.Errorf("name CSV files with the label in a column class")
	}
	defer s.report(os.Stdout) // of what there is, if it is stopped
	for _, path := range flag.Args() {
		if err := s.set(ctx, path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}
