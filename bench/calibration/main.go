// Command calibration asks which maps from votes to probabilities do best on new rows. On the outer training parts of a cross-validation it grows a
// forest, fits every map on its held-out votes, and judges the probabilities of the rows of the outer test parts, beside those of
// other programs on the same parts.
//
//	go run ./calibration german_credit.csv sick.csv
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/bench/set"
)

func main() {
	command.Run("calibration", run)
}

func run(ctx context.Context) error {
	s := study{}
	flag.IntVar(&s.seeds, "seeds", 3, "repeats of the cross-validation")
	flag.IntVar(&s.folds, "folds", 10, "outer folds")
	votes := flag.String("votes", "oob500", "where the votes come from, and the trees behind them, such as oob500,cv20")
	flag.StringVar(&s.export, "export", "", "`FOLDER` to write the sets to, with their outer folds, for peers.py; nothing else is done")
	flag.StringVar(&s.peers, "peers", "", "`FOLDER` where peers.py has left its probabilities")
	flag.StringVar(&s.log, "log", "", "CSV `FILE` for the losses of every way on every set")
	scores := flag.String("speed", "", "`FILE` of scores to time fits on, for speed.py; nothing else is done")
	flag.Parse()
	if *scores != "" {
		return speed(*scores, os.Stdin, os.Stdout)
	}
	if flag.NArg() == 0 || s.seeds < 1 {
		return fmt.Errorf("name CSV files with the label in a column class")
	}
	var err error
	if s.votes, err = set.ParseVotes(*votes); err != nil {
		return err
	}
	for _, path := range flag.Args() {
		if err := s.set(ctx, path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if s.export == "" {
		s.report(os.Stdout)
	}
	return nil
}
