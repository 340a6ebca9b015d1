// Command peers measures our forest beside other programs' forests: time to fit, time to
// predict, memory, and what the votes and decisions are worth. Sides take turns on the same
// data, in a process each. It prints Markdown tables of all that lies in the files of results,
// and can put them into a page. It installs nothing: of a peer that is absent it says how to get
// it. Run it in the folder bench:
//
//	python3 peers/sets.py --real FOLDER   # once: makes the sets in ./data
//	go run ./peers                        # every table, every set, every side that is installed
//	go run ./peers -table forests -sets letter -peers scikit-learn,ranger
//	go run ./peers -table rare
//	go run ./peers -print -readme README.md
//
// What is the same for all sides: bootstrap, T trees of full depth, ⌊√p⌋ features tried at each
// node, the number of threads. The time to fit includes all preparation of the columns that a
// side does, and all it does to choose weights, thresholds and maps, and not the reading of the
// file. Our side counts its out-of-bag votes within that time and takes missing values; the
// others are asked for no out-of-bag error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/bench/page"
)

func main() {
	command.Run("peers", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
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
	flags.StringVar(&b.foreign, "foreign", "foreign", "folder of the module that has the peers of Go")
	of := flags.String("table", strings.Join(names(tables), ","), "tables, by commas")
	sets := flags.String("sets", "", "sets, by commas; all of the tables unless given")
	peers := flags.String("peers", "", `peers, by commas; all of the tables unless given, "none" for ours alone`)
	results := flags.String("results", "peers", "folder of the files of raw results; the rows of the sets that are measured are replaced")
	readme := flags.String("readme", "", "also put the tables into this page, between its lines <!-- peers --> and <!-- /peers -->, and so on")
	printOnly := flags.Bool("print", false, "measure nothing, print the tables of the files of results")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected %q; name sets with -sets and peers with -peers, by commas", flags.Arg(0))
	}
	if min(b.seeds, b.trees, b.threads) < 1 {
		return errors.New("-seeds, -trees and -threads are at least 1")
	}
	chosen, err := choose(*of, *sets, *peers)
	if err != nil {
		return err
	}
	for _, t := range chosen {
		file := filepath.Join(*results, t.file)
		if !*printOnly {
			if err := b.measureAll(ctx, t, file); err != nil {
				return err
			}
		}
		if err := show(whole(t), file, *readme, stdout); err != nil {
			return err
		}
	}
	return nil
}

// whole returns the table with all its sets and sides: what was measured before is shown too.
func whole(t table) table {
	return tables[slices.Index(names(tables), t.name)]
}

// show prints the tables of the file of results, and puts them into readme unless that is "".
func show(t table, results, readme string, stdout io.Writer) error {
	runs, err := readRuns(results)
	if err != nil {
		return err
	}
	text, err := t.report(t, runs)
	if err != nil {
		return fmt.Errorf("%s: %w", results, err)
	}
	if readme != "" {
		if err := page.Put(readme, t.mark, text); err != nil {
			return err
		}
	}
	_, err = io.WriteString(stdout, text)
	return err
}

// choose returns the tables of that list, with the sets and the peers that the other lists
// name; "" is all of them. A table without any of the sets is left out.
func choose(of, sets, peers string) ([]table, error) {
	chosen, err := pick(tables, of, "-table", tables)
	if err != nil {
		return nil, err
	}
	var allSets []set
	allPeers := []side{{name: "none"}}
	for _, t := range chosen {
		allSets, allPeers = append(allSets, t.sets...), append(allPeers, t.peers()...)
	}
	for i := range chosen {
		t := &chosen[i]
		chosenSets, err1 := pick(t.sets, sets, "-sets", allSets)
		others, err2 := pick(t.peers(), peers, "-peers", allPeers)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		t.sets = chosenSets
		ours := slices.DeleteFunc(slices.Clone(t.sides), func(s side) bool { return !s.ours() })
		t.sides = append(ours, others...)
	}
	return slices.DeleteFunc(chosen, func(t table) bool { return len(t.sets) == 0 }), nil
}

// pick returns those of some that list names, in the order of some; all of them if it is "".
// What is not even among all is an error.
func pick[T named](some []T, list, flagName string, all []T) ([]T, error) {
	if list == "" {
		return slices.Clone(some), nil
	}
	wanted := strings.Split(list, ",")
	for _, w := range wanted {
		if !slices.Contains(names(all), w) {
			return nil, fmt.Errorf("%s: there is no %q; choose of %s", flagName, w, strings.Join(names(all), ","))
		}
	}
	return slices.DeleteFunc(slices.Clone(some), func(x T) bool { return !slices.Contains(wanted, x.title()) }), nil
}
