package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// bench is how to measure.
type bench struct {
	data, python, rscript string
	foreign               string // folder of the module of the Go peers
	seeds, trees, threads int
	limit, once           time.Duration
	cores                 int
	date                  string
	log                   io.Writer

	self    string // this program
	scratch string // a folder that is removed at the end
}

// measureAll measures the sets of t and keeps their results in the file, in place of older ones.
func (b *bench) measureAll(ctx context.Context, t table, file string) (err error) {
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	if b.data, err = filepath.Abs(b.data); err != nil { // not every side runs in this folder
		return err
	}
	if b.scratch, err = os.MkdirTemp("", "peers-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.scratch)) }()
	runs, err := readRuns(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	turns, err := b.present(ctx, t.sides)
	if err != nil {
		return err
	}
	for _, on := range t.sets {
		runs = slices.DeleteFunc(runs, func(r result) bool { return r.Set == on.name })
		if err := b.measureSet(ctx, on, turns, func(r result) error {
			runs = append(runs, r)
			return writeRuns(file, runs)
		}); err != nil {
			return fmt.Errorf("%s: %w", on.name, err)
		}
	}
	return nil
}

// present returns those of the sides that start, and says of the others how to install them.
func (b *bench) present(ctx context.Context, sides []side) ([]side, error) {
	var there []side
	starts := map[string]error{} // by program, which may have several settings
	for _, s := range sides {
		if s.runs == byUs {
			there = append(there, s)
			continue
		}
		program := programOf(s.name)
		if _, asked := starts[program]; !asked {
			t, err := b.ask(ctx, time.Minute, s)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if starts[program] = err; err != nil {
				fmt.Fprintf(b.log, "%s is left out, it does not start; to install it: %s\n\t%v\n", program, s.install, err)
			} else {
				fmt.Fprintln(b.log, program, t.Version)
			}
		}
		if starts[program] == nil {
			there = append(there, s)
		}
	}
	return there, nil
}

// measureSet lets the sides take turns on a set, and hands each result to keep.
func (b *bench) measureSet(ctx context.Context, on set, turns []side, keep func(result) error) error {
	over := map[string]bool{} // sides that have no further turn here
	for seed := range b.seeds {
		j, err := newSetJudge(b.stem(on, seed+1))
		if err != nil {
			return err
		}
		for _, s := range turns {
			if over[s.name] {
				continue
			}
			r, err := b.turn(ctx, on, s, j, seed+1)
			if err != nil {
				return err
			}
			if err := keep(r); err != nil {
				return err
			}
			slow := float64(r.FitS+r.PredictS) > b.once.Seconds()
			over[s.name] = s.runs != byUs && (slow || r.Status != ok)
			fmt.Fprintf(b.log, "%s, seed %d, %s\n", on.name, r.Seed, r)
		}
	}
	return nil
}

// turn measures a side once. A side that fails or is too slow is a result too, but ours.
func (b *bench) turn(ctx context.Context, on set, s side, j *judge, seed int) (result, error) {
	votes, model := filepath.Join(b.scratch, "votes"), ""
	if on.model {
		model = filepath.Join(b.scratch, "model")
	}
	told, err := b.ask(ctx, b.limit, s, b.stem(on, seed), strconv.Itoa(b.trees), strconv.Itoa(b.threads), strconv.Itoa(seed), votes, model)
	r := result{
		Date: b.date, Set: on.name, Rows: j.rows, Features: j.features, Classes: j.classes, Tests: len(j.truth),
		Side: s.name, Cores: b.cores, Threads: b.threads, Trees: b.trees, Seed: seed, Status: ok,
		told: told, score: nothingScored(),
	}
	if err == nil {
		r.score, err = j.scoreFile(votes)
	}
	switch {
	case err == nil:
		return r, removeBoth(votes)
	case ctx.Err() != nil:
		return result{}, ctx.Err()
	case s.runs == byUs:
		return result{}, fmt.Errorf("%s: %w", s.name, err)
	}
	_ = removeBoth(votes) // of what a side that failed may have left
	r.told = nothingTold()
	r.Status = "failed"
	if errors.Is(err, errSlow) {
		r.Status = fmt.Sprintf("over %.0f s", b.limit.Seconds())
	} else {
		fmt.Fprintf(b.log, "%s, %s: %v\n", on.name, s.name, err)
	}
	return r, nil
}

// stem returns what the names of the files of a set begin with.
func (b *bench) stem(on set, seed int) string {
	stem := filepath.Join(b.data, on.name)
	if on.folds {
		stem += "." + strconv.Itoa(seed)
	}
	return stem
}

// removeBoth removes the files of votes and decisions, of which the second need not be there.
func removeBoth(votes string) error {
	return errors.Join(os.Remove(votes), os.RemoveAll(votes+decided))
}
