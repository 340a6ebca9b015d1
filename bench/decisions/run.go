package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
	"github.com/rfpragma/rfpragma/vote"
)

// outcome is what became of the rows of a set under a goal and a seed. The order of the rows is that of the file.
type outcome struct {
	Set, Goal string
	Seed      int
	Classes   []string
	Truth     []int
	Decided   []int     // under the weights of the model
	Plain     []int     // by the plain vote
	Right     []float64 // calibrated probability of the true class
	Raw       []float64 // likewise without maps
	Seconds   float64   // of all trainings
}

type runner struct {
	data               string
	seeds, folds, rows int
	config             rfpragma.Config
}

func (r *runner) run(ctx context.Context, sets []string, to string) error {
	var outcomes []outcome
	for _, name := range sets {
		frame, err := set.Public(r.data, name, r.rows)
		if err != nil {
			return err
		}
		for seed := range r.seeds {
			for _, g := range set.Goals {
				o, err := r.judge(ctx, frame, g, seed)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				o.Set = name
				outcomes = append(outcomes, o)
			}
		}
		fmt.Fprintln(os.Stderr, name)
		if err := atomicfile.Write(to, func(w io.Writer) error { return json.NewEncoder(w).Encode(outcomes) }); err != nil {
			return err
		}
	}
	return nil
}

// judge makes a model of each training part, and has it decide the rows of the test part.
func (r *runner) judge(ctx context.Context, frame *dataset.Frame, g set.Goal, seed int) (outcome, error) {
	n := frame.Rows()
	o := outcome{Goal: g.Name, Seed: seed, Classes: frame.Classes, Truth: frame.Truth,
		Decided: make([]int, n), Plain: make([]int, n), Right: make([]float64, n), Raw: make([]float64, n)}
	spec, err := g.Spec(frame)
	if err != nil {
		return o, err
	}
	of := set.Deal(frame, r.folds, seed)
	for fold := range r.folds {
		in, out := dataset.SplitFold(of, fold)
		c := r.config
		c.Forest.Seed, c.Search.Seed = uint64(1000*seed+fold), uint64(1000*seed+fold)
		start := time.Now()
		m, err := rfpragma.Fit(ctx, frame.Take(in), spec, c)
		if err != nil {
			return o, err
		}
		o.Seconds += time.Since(start).Seconds()
		votes, err := m.Votes(ctx, frame.Take(out))
		if err != nil {
			return o, err
		}
		k := len(frame.Classes)
		plain, p := make([]float64, k), make([]float64, k)
		for i, row := range out {
			v := votes.Votes(i)
			o.Decided[row] = m.Decide(v)
			for c := range plain {
				plain[c] = float64(v[c])
			}
			o.Plain[row] = slices.Index(plain, slices.Max(plain))
			m.Probabilities(p, v)
			o.Right[row] = p[frame.Truth[row]]
			total := float64(vote.Total(v)) / m.Forest.Unit()
			o.Raw[row] = (plain[frame.Truth[row]]/m.Forest.Unit() + 1/float64(k)) / (total + 1)
		}
	}
	return o, nil
}
