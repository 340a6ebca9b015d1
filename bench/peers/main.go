// Command peers measures our forest beside other programs' forests: time to fit, time to
// predict, memory, and what the votes are worth. Sides take turns on the same data, in a
// process each. It prints Markdown tables of all that lies in the file of results, and can put
// them into a page. Run it in the folder bench:
//
//	python3 peers/sets.py --real FOLDER   # once: makes the sets in ./data
//	go run ./peers                        # every set, every side that is installed
//	go run ./peers -sets letter -peers scikit-learn,ranger
//	go run ./peers -print -readme README.md
//
// What is the same for all sides: bootstrap, T trees of full depth, ⌊√p⌋ features tried at each
// node, the number of threads. The time to fit includes all preparation of the columns that a
// side does, and not the reading of the file. Our side counts its out-of-bag votes within that
// time and takes missing values; the others are asked for no out-of-bag error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/rfpragma/rfpragma/bench/page"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "peers:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == oursVerb {
		return ours(ctx, args[1:], stdout)
	}
	b := &bench{log: stderr, cores: runtime.NumCPU(), date: time.Now().Format(time.DateOnly)}
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&b.data, "data", "data", "folder of the sets that sets.py made")
	flags.StringVar(&b.python, "python", "python3", "interpreter that has the peers of Python")
	flags.StringVar(&b.rscript, "rscript", "Rscript", "Rscript that has the peers of R (R_LIBS names further libraries)")
	flags.IntVar(&b.seeds, "seeds", 5, "turns, each with a seed of its own")
	flags.IntVar(&b.trees, "trees", 100, "trees")
	flags.IntVar(&b.threads, "threads", 2, "threads")
	flags.DurationVar(&b.limit, "limit", 300*time.Second, "a peer that takes longer on a set is stopped and left out there")
	flags.DurationVar(&b.once, "slow-once", time.Minute, "a peer that fits and predicts longer than this has one turn only on that set")
	sets := flags.String("sets", strings.Join(names(plan), ","), "sets, by commas")
	peers := flags.String("peers", strings.Join(names(sides)[1:], ","), "peers, by commas")
	results := flags.String("results", "peers/results.csv", "file of raw results; the rows of the sets that are measured are replaced")
	readme := flags.String("readme", "", "also put the tables into this page, between its lines <!-- peers --> and <!-- /peers -->")
	printOnly := flags.Bool("print", false, "measure nothing, print the tables of the file of results")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected %q; name sets with -sets and peers with -peers, by commas", flags.Arg(0))
	}
	if min(b.seeds, b.trees, b.threads) < 1 {
		return errors.New("-seeds, -trees and -threads are at least 1")
	}
	if !*printOnly {
		chosen, err1 := choose(plan, *sets, "-sets")
		others, err2 := choose(sides[1:], *peers, "-peers")
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		if err := b.measureAll(ctx, chosen, others, *results); err != nil {
			return err
		}
	}
	return show(*results, *readme, stdout)
}

// show prints the tables of the file of results, and puts them into readme unless that is "".
func show(results, readme string, stdout io.Writer) error {
	runs, err := readRuns(results)
	if err != nil {
		return err
	}
	text, err := report(runs)
	if err != nil {
		return fmt.Errorf("%s: %w", results, err)
	}
	if readme != "" {
		if err := page.Put(readme, "peers", text); err != nil {
			return err
		}
	}
	_, err = io.WriteString(stdout, text)
	return err
}

// choose returns those of all that list names, in the order of all.
func choose[T named](all []T, list, flagName string) ([]T, error) {
	wanted := strings.Split(list, ",")
	if list == "" {
		wanted = nil
	}
	for _, w := range wanted {
		if !slices.Contains(names(all), w) {
			return nil, fmt.Errorf("%s: there is no %q; choose of %s", flagName, w, strings.Join(names(all), ","))
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(x T) bool { return !slices.Contains(wanted, x.title()) }), nil
}
