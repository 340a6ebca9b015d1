package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

type study struct {
	seeds, folds       int
	votes              []set.Votes
	export, peers, log string
	records            []record
}

// raw is the way that all others are compared with: the shares of the votes, smoothed.
const raw = "none"

// record is how a way did on a set: means over the rows and seeds.
type record struct {
	set, votes, way string
	classes         int
	logLoss, brier  score
}

// score is a mean loss, and its difference from that of raw with its standard error, over the rows.
type score struct{ loss, gain, se float64 }

// probs are the probabilities that a way gives the rows of a set, row-major.
type probs map[string][]float64

func (s *study) set(ctx context.Context, path string) error {
	frame, err := set.CSV(path)
	if err != nil {
		return err
	}
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	if s.export != "" {
		return s.write(frame, name)
	}
	for _, v := range s.votes {
		var all []probs
		for seed := range s.seeds {
			p, err := s.once(ctx, frame, v, seed)
			if err != nil {
				return err
			}
			if s.peers != "" {
				if err := s.read(p, name, seed, frame); err != nil {
					return err
				}
			}
			all = append(all, p)
		}
		s.judge(name, v, frame, all)
	}
	fmt.Fprintln(os.Stderr, name)
	return s.save()
}

// once returns the probabilities of all ways on the rows of frame, each by models that have not seen it.
func (s *study) once(ctx context.Context, frame *dataset.Frame, v set.Votes, seed int) (probs, error) {
	foldOf, err := dataset.Folds(frame, s.folds, uint64(seed))
	if err != nil {
		return nil, err
	}
	k, ways := len(frame.Classes), waysOf()
	out := probs{}
	for _, w := range ways {
		out[string(w)] = make([]float64, frame.Rows()*k)
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for fold := range s.folds {
		group.Go(func() error {
			train, test := dataset.SplitFold(foldOf, fold)
			return fitAll(inner, v.Config(uint64(1000*seed+fold)), frame.Take(train), frame.Take(test), ways, func(w calib.Method, i int) []float64 {
				return out[string(w)][test[i]*k : test[i]*k+k]
			})
		})
	}
	return out, group.Wait()
}

// waysOf returns the methods there are, none first.
func waysOf() []calib.Method {
	ways := []calib.Method{calib.None, ensemble}
	for _, m := range calib.Methods() {
		if m != calib.None {
			ways = append(ways, m)
		}
	}
	return ways
}

// fitAll fits all maps on train and writes what they say of the rows of test.
func fitAll(ctx context.Context, cfg rfpragma.Config, train, test *dataset.Frame, ways []calib.Method, to func(w calib.Method, i int) []float64) error {
	grown, table, _, err := cfg.HeldOut(ctx, train)
	if err != nil {
		return err
	}
	votes, err := grown.Votes(ctx, test, 1)
	if err != nil {
		return err
	}
	if err := fitEnsemble(ctx, cfg, train, test, to); err != nil {
		return err
	}
	for _, w := range ways {
		if w == ensemble {
			continue
		}
		cfg.Calibration = w
		maps, _, err := cfg.Calibrate(ctx, table)
		if err != nil {
			return fmt.Errorf("%s: %w", w, err)
		}
		for i := range votes.Rows() {
			rfpragma.Probabilities(maps, to(w, i), votes.Votes(i), votes.Unit())
		}
	}
	return nil
}

// ensemble is the way of five forests, each grown without a fold and mapped by the votes on it; their probabilities are averaged.
const (
	ensemble = "auto, five forests"
	folds    = 5
)

func fitEnsemble(ctx context.Context, cfg rfpragma.Config, train, test *dataset.Frame, to func(w calib.Method, i int) []float64) error {
	foldOf, err := dataset.Folds(train, folds, cfg.Forest.Seed)
	if err != nil {
		return err
	}
	cfg.Calibration = calib.Auto
	prob := make([]float64, len(train.Classes))
	for fold := range folds {
		inside, outside := dataset.SplitFold(foldOf, fold)
		f := cfg.Forest
		f.Seed = cfg.Forest.Seed<<8 + uint64(fold) + 1
		grown, _, err := forest.Grow(ctx, train.Take(inside), f)
		if err != nil {
			return err
		}
		held, err := grown.Votes(ctx, train.Take(outside), 1)
		if err != nil {
			return err
		}
		maps, _, err := cfg.Calibrate(ctx, held)
		if err != nil {
			return err
		}
		votes, err := grown.Votes(ctx, test, 1)
		if err != nil {
			return err
		}
		for i := range votes.Rows() {
			rfpragma.Probabilities(maps, prob, votes.Votes(i), votes.Unit())
			for c, p := range prob {
				to(ensemble, i)[c] += p / folds
			}
		}
	}
	return nil
}

// judge compares the ways, by the log loss and the Brier score of each row. The standard error of a difference is that of its
// mean over the rows, where a row has the mean over the seeds.
func (s *study) judge(name string, v set.Votes, frame *dataset.Frame, all []probs) {
	n, k := frame.Rows(), len(frame.Classes)
	losses := func(way string, loss func(p []float64, truth int) float64) []float64 {
		rows := make([]float64, n)
		for _, p := range all {
			for i, truth := range frame.Truth {
				rows[i] += loss(p[way][i*k:i*k+k], truth) / float64(len(all))
			}
		}
		return rows
	}
	compare := func(way string, loss func(p []float64, truth int) float64) score {
		with, without := losses(way, loss), losses(raw, loss)
		sum, gain, squares := 0.0, 0.0, 0.0
		for i := range with {
			d := without[i] - with[i]
			sum, gain, squares = sum+with[i], gain+d, squares+d*d
		}
		gain /= float64(n)
		return score{sum / float64(n), gain, math.Sqrt(max(0, squares/float64(n)-gain*gain) / float64(n))}
	}
	var ways []string
	for way := range all[0] {
		ways = append(ways, way)
	}
	slices.Sort(ways)
	for _, way := range ways {
		s.records = append(s.records, record{name, v.String(), way, k, compare(way, logLoss), compare(way, brier)})
	}
}

func logLoss(p []float64, truth int) float64 {
	return calib.LogLoss(p, []int{truth}, nil, len(p))
}

func brier(p []float64, truth int) float64 { return calib.Brier(p, []int{truth}, nil, len(p)) }
