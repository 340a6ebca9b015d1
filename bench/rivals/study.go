package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
)

const (
	outerFolds = 5 // each is judged by what has seen the others alone
	innerFolds = 5 // of a training part, for thresholds, weights and maps of the rivals
	threads    = 2 // of every side
)

// study is how to measure.
type study struct {
	data, python string
	script       string // what the interpreter runs
	seed, rows   int
	cores        int
	date         string
	trees        int // of our forests; 0 means the default
	log          io.Writer
}

// problem is a set with its folds, which are the same for all sides.
type problem struct {
	name  string
	frame *dataset.Frame
	rare  int     // index of the class that the goals prefer
	outer []int   // by row
	inner [][]int // by outer fold and row; -1 for the rows of the test part
	ask   []pragma.Measure
}

// verdict is what a side says of all rows of a set, each by what has not seen it.
type verdict struct {
	decided []int     // len n
	prob    []float64 // calibrated, n·k
	seconds float64   // to fit, in all outer folds, with all that thresholds, weights and maps need
}

// measureAll measures the sets and keeps the results in the file, in place of older ones of these sets.
func (s *study) measureAll(ctx context.Context, setNames []string, wanted []side, file string) error {
	if err := s.check(setNames); err != nil {
		return err
	}
	lines, err := readResults(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	there, versions, err := s.present(ctx, wanted)
	if err != nil {
		return err
	}
	for _, name := range setNames {
		p, err := s.problem(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		measured, err := s.measure(ctx, p, there, versions)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		lines = slices.DeleteFunc(lines, func(r result) bool { return r.Set == name })
		lines = append(lines, measured...)
		if err := writeResults(file, lines); err != nil {
			return err
		}
	}
	return nil
}

// problem reads a set and deals its folds.
func (s *study) problem(name string) (*problem, error) {
	frame, err := set.Public(s.data, name, s.rows)
	if err != nil {
		return nil, err
	}
	rare, err := set.Rarest(frame)
	if err != nil {
		return nil, err
	}
	p := &problem{name: name, frame: frame, rare: rare, outer: set.Deal(frame, outerFolds, s.seed)}
	for fold := range outerFolds {
		train, _ := dataset.SplitFold(p.outer, fold)
		inner := slices.Repeat([]int{-1}, frame.Rows())
		for i, part := range set.Deal(frame.Take(train), innerFolds, 1000*s.seed+fold) {
			inner[train[i]] = part
		}
		p.inner = append(p.inner, inner)
	}
	for _, g := range set.Goals {
		m, err := pragma.Spec{frame.Classes[rare]: g.Of}.Measure(frame.Classes)
		if err != nil {
			return nil, err
		}
		p.ask = append(p.ask, m)
	}
	return p, nil
}

// measure has all sides take a set, the first of them ours. A rival that fails is left out of the set.
func (s *study) measure(ctx context.Context, p *problem, there []side, versions map[string]string) ([]result, error) {
	var lines []result
	var first []verdict
	for _, side := range there {
		start := time.Now()
		var verdicts []verdict
		var err error
		if side.install == "" {
			verdicts, err = s.ours(ctx, p, side.name == usTuned)
		} else {
			verdicts, err = s.rival(ctx, p, side.name)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && side.install == "":
			return nil, fmt.Errorf("%s: %w", side.name, err)
		case err != nil:
			fmt.Fprintf(s.log, "%s: %s is left out: %v\n", p.name, side.name, err)
			continue
		}
		if first == nil {
			first = verdicts
		}
		for g, v := range verdicts {
			r := s.line(p, side.name, versions[side.name], set.Goals[g].Name)
			if err := r.judge(p, p.ask[g], v, first[g]); err != nil {
				return nil, fmt.Errorf("%s: %w", side.name, err)
			}
			lines = append(lines, r)
		}
		fmt.Fprintf(s.log, "%s, %s: %.1f s\n", p.name, side.name, time.Since(start).Seconds())
	}
	return lines, nil
}

// ours has our models decide the rows, by goal.
func (s *study) ours(ctx context.Context, p *problem, tuned bool) ([]verdict, error) {
	n, k := p.frame.Rows(), len(p.frame.Classes)
	var verdicts []verdict
	for _, g := range set.Goals {
		v := verdict{decided: make([]int, n), prob: make([]float64, n*k)}
		for fold := range outerFolds {
			in, out := dataset.SplitFold(p.outer, fold)
			c := rfpragma.Config{}
			c.Forest.Trees, c.Forest.Workers, c.Search.Workers = s.trees, threads, threads
			c.Forest.Seed, c.Search.Seed = uint64(1000*s.seed+fold), uint64(1000*s.seed+fold)
			if tuned {
				c.TuneForest = rfpragma.TuneFull
			}
			start := time.Now()
			m, err := rfpragma.Fit(ctx, p.frame.Take(in), pragma.Spec{p.frame.Classes[p.rare]: g.Of}, c)
			if err != nil {
				return nil, err
			}
			v.seconds += time.Since(start).Seconds()
			votes, err := m.Votes(ctx, p.frame.Take(out))
			if err != nil {
				return nil, err
			}
			for i, row := range out {
				v.decided[row] = m.Decide(votes.Votes(i))
				m.Probabilities(v.prob[row*k:row*k+k], votes.Votes(i))
			}
		}
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}
