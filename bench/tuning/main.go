// Command tuning asks which way to choose vote weights does best on new rows. On the outer training
// parts of a cross-validation it makes tables of votes, has every way choose weights on them, and judges
// these on the votes of the outer test parts, all folds together.
//
//	go run ./tuning -seeds 3 german_credit.csv sick.csv
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/vote"
)

func main() {
	command.Run("tuning", run)
}

func run(ctx context.Context) error {
	s := study{}
	flag.IntVar(&s.seeds, "seeds", 3, "repeats of the cross-validation")
	flag.IntVar(&s.folds, "folds", 10, "outer folds")
	votes := flag.String("votes", "cv20,cv100,oob200,oob500", "where the votes come from, and the trees behind them")
	names := flag.String("ways", "", "the ways to try, separated by commas; none means all")
	asked := flag.String("preferences", "priority,moderate", "what is asked for, separated by commas: priority, moderate, or two, priority for the two rarest classes")
	write := flag.String("write", "", "CSV `FILE` to write with the out-of-bag votes of 500 trees on the one set named, for optimisers.py; nothing else is done")
	flag.StringVar(&s.log, "log", "", "CSV `FILE` for the loss of every way on every set")
	flag.Parse()
	if flag.NArg() == 0 || s.seeds < 1 {
		return fmt.Errorf("name CSV files with the label in a column class")
	}
	if *write != "" {
		return writeVotes(ctx, flag.Arg(0), *write)
	}
	var err error
	if s.votes, err = set.ParseVotes(*votes); err != nil {
		return err
	}
	if *names != "" {
		ways = slices.DeleteFunc(ways, func(w way) bool { return w.name != "plain" && !slices.Contains(strings.Split(*names, ","), w.name) })
	}
	s.preferences = slices.DeleteFunc(slices.Clone(preferences), func(p preference) bool { return !slices.Contains(strings.Split(*asked, ","), p.name) })
	if len(s.preferences) == 0 {
		return fmt.Errorf("-preferences %q: name priority, moderate or two", *asked)
	}
	for _, path := range flag.Args() {
		if err := s.set(ctx, path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	s.report(os.Stdout)
	return nil
}

// writeVotes writes the out-of-bag votes of 500 trees on the rows of a set.
func writeVotes(ctx context.Context, from, to string) error {
	frame, err := set.CSV(from)
	if err != nil {
		return err
	}
	_, table, err := forest.Grow(ctx, frame, forest.Config{Trees: 500, Seed: 1})
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if err := vote.WriteCSV(out, table, "class"); err != nil {
		return err
	}
	return out.Close()
}
