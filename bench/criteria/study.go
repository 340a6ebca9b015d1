package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/paired"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

type study struct {
	seeds, folds, trees int
	log                 string
	records             []record
}

// criteria are what is compared, the first being what the others are compared with.
var criteria = []forest.Criterion{forest.Gini, forest.Entropy, forest.Hellinger, forest.OffCentred, forest.Pragma}

// preferences are what is asked for: of the rarest class that has enough rows. All other classes are neutral.
var preferences = []struct {
	name string
	pragma.Preference
}{
	{"priority", pragma.Priority()},
	{"moderate", pragma.Preference{Theta: 5, X: 0.5, Y: 0.8}},
}

// figures are what is judged: the PRAGMA of the plain vote and under tuned weights, and the log loss of calibrated probabilities.
const figures = 3

// record is how a criterion did on a set for a preference, means over the seeds.
type record struct {
	set, preference string
	criterion       forest.Criterion
	classes         int
	loss, more, se  [figures]float64 // more is the difference from Gini, se its standard error over the rows
	time, nodes     float64          // to grow, as a multiple of Gini's; of a tree
}

// trial is how a criterion did for a preference on the rows of a set in one cross-validation.
type trial struct {
	spec    pragma.Spec
	measure pragma.Measure
	decided [2][]int  // by row: by the plain vote, by tuned weights
	logLoss []float64 // by row
	seconds []float64 // to grow, by fold
	nodes   []float64 // of a tree, by fold
}

// set judges all criteria on a set.
func (s *study) set(ctx context.Context, path string) error {
	frame, err := set.CSV(path)
	if err != nil {
		return err
	}
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	records := make([]record, len(preferences)*len(criteria))
	for seed := range s.seeds {
		var gini []*trial
		for i, criterion := range criteria {
			trials, err := s.cross(ctx, frame, criterion, uint64(seed))
			if err != nil {
				return err
			}
			if i == 0 {
				gini = trials
			}
			for p, t := range trials {
				r := &records[p*len(criteria)+i]
				r.set, r.preference, r.criterion, r.classes = name, preferences[p].name, criterion, len(frame.Classes)
				r.add(frame, t, gini[p], 1/float64(s.seeds))
			}
		}
	}
	s.records = append(s.records, records...)
	fmt.Fprintln(os.Stderr, name)
	return s.save()
}

// cross has every row judged by a forest that has not seen it, for each preference.
func (s *study) cross(ctx context.Context, frame *dataset.Frame, criterion forest.Criterion, seed uint64) ([]*trial, error) {
	foldOf, err := dataset.Folds(frame, s.folds, seed)
	if err != nil {
		return nil, err
	}
	var trials []*trial
	n, rare := frame.Rows(), frame.Classes[rarest(frame)]
	for _, p := range preferences {
		t := &trial{
			spec: pragma.Spec{rare: p.Preference}, decided: [2][]int{make([]int, n), make([]int, n)},
			logLoss: make([]float64, n), seconds: make([]float64, s.folds), nodes: make([]float64, s.folds),
		}
		if t.measure, err = t.spec.Measure(frame.Classes); err != nil {
			return nil, err
		}
		trials = append(trials, t)
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for fold := range s.folds {
		cfg := set.Votes{Trees: s.trees}.Config(1000*seed + uint64(fold))
		cfg.Forest.Criterion, cfg.Search.Seed, cfg.Search.Workers = criterion, seed, 1
		if len(frame.Classes) > 3 { // quicker than the default, and nearly as low
			cfg.Search.Method, cfg.Search.Starts = anneal.Coordinates, 2
		}
		group.Go(func() error {
			inside, outside := dataset.SplitFold(foldOf, fold)
			return judge(inner, cfg, frame.Take(inside), frame.Take(outside), outside, fold, trials)
		})
	}
	return trials, group.Wait()
}

// judge notes what forests grown on train say of test, whose rows are those numbers of the set.
func judge(ctx context.Context, cfg rfpragma.Config, train, test *dataset.Frame, rows []int, fold int, trials []*trial) error {
	var grown *forest.Forest
	var oob, votes *vote.Table
	for i, t := range trials {
		if i == 0 || cfg.Forest.Criterion == forest.Pragma { // the others know no preference
			own, err := cfg.Preferring(t.spec, train.Classes)
			if err != nil {
				return err
			}
			start := time.Now()
			if grown, oob, err = forest.Grow(ctx, train, own.Forest); err != nil {
				return err
			}
			t.seconds[fold] = time.Since(start).Seconds()
			if votes, err = grown.Votes(ctx, test, 1); err != nil {
				return err
			}
		} else {
			t.seconds[fold] = trials[0].seconds[fold]
		}
		t.nodes[fold] = float64(grown.Nodes()) / float64(grown.Trees())
		found, err := cfg.Tune(ctx, oob, t.measure)
		if err != nil {
			return err
		}
		maps, _, err := cfg.Calibrate(ctx, oob)
		if err != nil {
			return err
		}
		t.note(votes, found.Weights, maps, rows)
	}
	return nil
}

// note notes the decisions and probabilities that follow from votes on rows of the given numbers.
func (t *trial) note(votes *vote.Table, w vote.Weights, maps calib.Set, rows []int) {
	k := len(votes.Classes)
	plain, tuned, p := votes.Rule(nil), votes.Rule(w), make([]float64, k)
	for i, row := range rows {
		t.decided[0][row], t.decided[1][row] = plain.Decide(votes.Votes(i)), tuned.Decide(votes.Votes(i))
		rfpragma.Probabilities(maps, p, votes.Votes(i), votes.Unit())
		t.logLoss[row] = calib.LogLoss(p, []int{votes.Truth[i]}, nil, k)
	}
}

// add adds a trial beside that of Gini, with the given weight.
func (r *record) add(frame *dataset.Frame, t, gini *trial, weight float64) {
	for f := range t.decided {
		pair := paired.New(frame.Classes, nil)
		for i, truth := range frame.Truth {
			pair.Add(truth, gini.decided[f][i], t.decided[f][i], 1, 1)
		}
		r.compare(f, weight, t.measure, pair)
	}
	more := make([]float64, frame.Rows())
	for i, loss := range t.logLoss {
		more[i] = loss - gini.logLoss[i]
	}
	mean, spread := stat.PopMeanStdDev(more, nil)
	r.loss[2] += weight * stat.Mean(t.logLoss, nil)
	r.more[2] += weight * mean
	r.se[2] += weight * stat.StdErr(spread, float64(frame.Rows()))
	r.time += weight * stat.Mean(t.seconds, nil) / stat.Mean(gini.seconds, nil)
	r.nodes += weight * stat.Mean(t.nodes, nil)
}

// compare adds a figure of decisions; its standard error is by 200 resamples of the rows.
func (r *record) compare(figure int, weight float64, m pragma.Measure, pair *paired.Decisions) {
	a, b := pair.Confusions()
	r.loss[figure] += weight * m.Loss(b)
	r.more[figure] += weight * (m.Loss(b) - m.Loss(a))
	var more []float64
	pair.Resample(rand.New(rand.NewPCG(1, 7)), 200, func(a, b *vote.Confusion) { more = append(more, m.Loss(b)-m.Loss(a)) })
	r.se[figure] += weight * stat.PopStdDev(more, nil)
}

// rarest returns the rarest class of at least 20 rows.
func rarest(f *dataset.Frame) int {
	best, rows := -1, f.ClassWeights()
	for c, n := range rows {
		if n >= 20 && (best < 0 || n < rows[best]) {
			best = c
		}
	}
	return max(best, 0)
}
