package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

type study struct {
	data                string
	seeds, folds, trees int
	affine              bool
	records             []record
}

// record is what the decisions of each way cost on a problem.
type record struct {
	problem  string
	rows, k  int
	ways     []string
	cost     []float64 // by way, mean of a row
	more, se []float64 // by way, that less the cost of the first, and the standard error over the rows
	same     []float64 // by way, share of the rows that the first decides alike
}

// job is the training part of a fold and the votes for its test part.
type job struct {
	ctx    context.Context
	cfg    rfpragma.Config
	costs  pragma.Costs
	by     pragma.Measure
	tuneOn *vote.Table
	test   *vote.Table
}

// way decides the rows of the test part.
type way struct {
	name   string
	decide func(j *job) ([]int, error)
}

// ways are compared; the first is what the others stand beside.
var ways = []way{
	{"tuned weights", (*job).tuned},
	{"plain vote", func(j *job) ([]int, error) { return j.under(nil), nil }},
	{"weights by cost", func(j *job) ([]int, error) { return j.under(j.costs.Weights(tables.MeanAmounts(j.tuneOn))), nil }},
	{"expected cost, calibrated", func(j *job) ([]int, error) { return j.expected(calib.Auto) }},
	{"expected cost, shares", func(j *job) ([]int, error) { return j.expected(calib.None) }},
}

// under returns the decisions under weights.
func (j *job) under(w vote.Weights) []int {
	rule := j.test.Rule(w)
	out := make([]int, j.test.Rows())
	for i := range out {
		out[i] = rule.Decide(j.test.Votes(i))
	}
	return out
}

func (j *job) tuned() ([]int, error) {
	found, err := j.cfg.Tune(j.ctx, j.tuneOn, j.by)
	return j.under(found.Weights), err
}

// expected returns the decisions of least expected cost under the maps of a method.
func (j *job) expected(method calib.Method) ([]int, error) {
	cfg := j.cfg
	cfg.Calibration = method
	maps, _, err := cfg.Calibrate(j.ctx, j.tuneOn)
	if err != nil {
		return nil, err
	}
	k := len(j.test.Classes)
	order, p, out := j.test.TieOrder(), make([]float64, k), make([]int, j.test.Rows())
	for i := range out {
		rfpragma.Probabilities(maps, p, j.test.Votes(i), j.test.Unit())
		out[i] = j.costs.Decide(p, amountOf(j.test, i), order)
	}
	return out, nil
}

func amountOf(t *vote.Table, i int) float64 {
	if t.Amount == nil {
		return 1
	}
	return t.Amount[i]
}

// paid is what a decision on row i costs.
func paid(costs pragma.Costs, f *dataset.Frame, i, decision int) float64 {
	cost := costs.Matrix[f.Truth[i]][decision]
	if costs.ByAmount != nil && costs.ByAmount[f.Truth[i]] {
		cost *= f.Amount[i]
	}
	return cost
}

// problem judges all ways on the problem of that name.
func (s *study) problem(ctx context.Context, name string) error {
	at := slices.IndexFunc(problems, func(p problem) bool { return p.name == name })
	if at < 0 {
		return fmt.Errorf("there is no such problem")
	}
	frame, costs, err := problems[at].read(s.data)
	if err != nil {
		return err
	}
	compared := ways
	if s.affine {
		compared = searches
	}
	sums := make([][]float64, len(compared)) // by way and row, over the seeds
	r := record{problem: name, rows: frame.Rows(), k: len(frame.Classes), same: make([]float64, len(compared))}
	for w := range sums {
		r.ways, sums[w] = append(r.ways, compared[w].name), make([]float64, frame.Rows())
	}
	for seed := range s.seeds {
		decided, err := s.cross(ctx, frame, costs, compared, uint64(seed))
		if err != nil {
			return err
		}
		for w, decisions := range decided {
			for i, d := range decisions {
				sums[w][i] += paid(costs, frame, i, d) / float64(s.seeds)
				if d == decided[0][i] {
					r.same[w] += 1 / float64(frame.Rows()*s.seeds)
				}
			}
		}
	}
	for w := range sums {
		more := make([]float64, frame.Rows())
		for i := range more {
			more[i] = sums[w][i] - sums[0][i]
		}
		mean, sd := stat.MeanStdDev(more, nil)
		r.cost, r.more, r.se = append(r.cost, stat.Mean(sums[w], nil)), append(r.more, mean), append(r.se, sd/math.Sqrt(float64(len(more))))
	}
	s.records = append(s.records, r)
	fmt.Fprintln(os.Stderr, name)
	return nil
}

// cross has every row decided each way by what was fitted on the other folds.
func (s *study) cross(ctx context.Context, frame *dataset.Frame, costs pragma.Costs, compared []way, seed uint64) ([][]int, error) {
	foldOf, err := dataset.Folds(frame, s.folds, seed)
	if err != nil {
		return nil, err
	}
	by, err := costs.Measure()
	if err != nil {
		return nil, err
	}
	decided := make([][]int, len(compared))
	for w := range decided {
		decided[w] = make([]int, frame.Rows())
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(1)
	for fold := range s.folds {
		group.Go(func() error {
			inside, outside := dataset.SplitFold(foldOf, fold)
			j := &job{ctx: inner, cfg: set.Votes{Trees: s.trees}.Config(1000*seed + uint64(fold)), costs: costs, by: by}
			j.cfg.Search.Seed, j.cfg.Search.Workers, j.cfg.Costs = seed, 1, costs
			grown, table, _, err := j.cfg.HeldOut(inner, frame.Take(inside))
			if err != nil {
				return err
			}
			j.tuneOn = table
			if j.test, err = grown.Votes(inner, frame.Take(outside), 1); err != nil {
				return err
			}
			for w, way := range compared {
				decisions, err := way.decide(j)
				if err != nil {
					return err
				}
				for i, row := range outside {
					decided[w][row] = decisions[i]
				}
			}
			return nil
		})
	}
	return decided, group.Wait()
}
