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

	sets "github.com/rfpragma/rfpragma/bench/set"
)

// bench is how to measure.
type bench struct {
	data, python, rscript string
	seeds, trees, threads int
	limit, once           time.Duration
	cores                 int
	date                  string
	log                   io.Writer

	self    string // this program
	scratch string // a folder that is removed at the end
}

// measureAll measures the sets and keeps their results in the file, in place of older ones.
func (b *bench) measureAll(ctx context.Context, chosen []set, peers []side, file string) (err error) {
	if b.self, err = os.Executable(); err != nil {
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
	turns := []side{sides[0]}
	for _, s := range peers {
		t, err := b.ask(ctx, time.Minute, s)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			fmt.Fprintf(b.log, "%s is left out, it does not start; to install it: %s\n\t%v\n", s.name, s.install, err)
		default:
			fmt.Fprintln(b.log, s.name, t.Version)
			turns = append(turns, s)
		}
	}
	for _, on := range chosen {
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

// measureSet lets the sides take turns on a set, and hands each result to keep.
func (b *bench) measureSet(ctx context.Context, on set, turns []side, keep func(result) error) error {
	j, err := b.judge(on)
	if err != nil {
		return err
	}
	over := map[string]bool{} // sides that have no further turn here
	for seed := range b.seeds {
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
			over[s.name] = s.name != us && (slow || r.Status != ok)
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
	told, err := b.ask(ctx, b.limit, s, filepath.Join(b.data, on.name), strconv.Itoa(b.trees), strconv.Itoa(b.threads), strconv.Itoa(seed), votes, model)
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
		return r, os.Remove(votes)
	case ctx.Err() != nil:
		return result{}, ctx.Err()
	case s.name == us:
		return result{}, fmt.Errorf("%s: %w", us, err)
	}
	r.told = nothingTold()
	r.Status = "failed"
	if errors.Is(err, errSlow) {
		r.Status = fmt.Sprintf("over %.0f s", b.limit.Seconds())
	} else {
		fmt.Fprintf(b.log, "%s, %s: %v\n", on.name, s.name, err)
	}
	return r, nil
}

// judge returns the judge of a set.
func (b *bench) judge(s set) (*judge, error) {
	stem := filepath.Join(b.data, s.name)
	train, err := sets.Labels(stem + ".train.y.npy")
	if err != nil {
		return nil, err
	}
	truth, err := sets.Labels(stem + ".test.y.npy")
	if err != nil {
		return nil, err
	}
	rows, features, err := sets.Shape(stem + ".train.X.npy")
	if err != nil {
		return nil, err
	}
	if rows != len(train) {
		return nil, fmt.Errorf("%s has %d rows and %d labels; make the set anew with sets.py", stem+".train", rows, len(train))
	}
	j, err := newJudge(train, truth)
	if err != nil {
		return nil, err
	}
	j.features = features
	return j, nil
}
