package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/risk"
	"github.com/rfpragma/rfpragma/vote"
)

const (
	confidence = 0.95
	trainRows  = 2000    // that a forest is grown on
	keptRows   = 2000    // of a sample to test on
	poolRows   = 100_000 // that samples are drawn from and decisions are judged on
	judgeRows  = 20_000  // that decisions of a forest grown anew are judged on
)

// study is how to measure.
type study struct {
	data, python          string
	draws, forests, trees int
	log                   io.Writer
	public                *dataset.Frame // the set that is measured, if it is a public one
}

// tally is what came of a way to promise.
type tally struct {
	draws, sure, broken int     // how often it was tried, gave weights, and these break the constraint
	other               float64 // sum of the figure that the constraint costs, where it gave weights
}

// add judges the decisions of a draw; m is nil where nothing is sure.
func (t *tally) add(c constraint, m *vote.Confusion) {
	t.draws++
	if m == nil {
		return
	}
	t.sure++
	t.other += c.other(m)
	if c.floor.Missing(m) > 0 {
		t.broken++
	}
}

// line is a constraint of a set.
type line struct {
	set, constraint            string
	pool                       int
	searched, apart, oob, them tally // weights searched without a promise, rows kept apart, out-of-bag votes, mapie
}

// measure measures a set.
func (s *study) measure(ctx context.Context, p problem) ([]line, error) {
	start := time.Now()
	if err := s.read(p); err != nil {
		return nil, err
	}
	train, pool := s.rows(p, trainRows, poolRows, 1)
	class, err := set.Rarest(train)
	if err != nil {
		return nil, err
	}
	grown, oob, err := forest.Grow(ctx, train, forest.Config{Trees: s.trees, Seed: 1})
	if err != nil {
		return nil, err
	}
	votes, err := grown.Votes(ctx, pool, 0)
	if err != nil {
		return nil, err
	}
	samples := s.samples(votes.Rows())
	var lines []line
	all := constraints(class, oob.Share[class])
	for _, c := range all {
		l := line{set: p.name, constraint: c.floor.Text(train.Classes), pool: votes.Rows()}
		if err := s.keptApart(ctx, c, oob, votes, samples, &l); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	if len(train.Classes) == 2 && s.python != "" {
		if err := s.mapie(ctx, votes, class, all, samples, lines); err != nil {
			return nil, err
		}
	}
	if err := s.outOfBag(ctx, p, class, all, lines); err != nil {
		return nil, err
	}
	fmt.Fprintf(s.log, "%s: %.0f s\n", p.name, time.Since(start).Seconds())
	return lines, nil
}

// samples draws rows to test on with replacement, so that the pool is the population that they come from.
func (s *study) samples(pool int) [][]int {
	rng := rand.New(rand.NewPCG(5, 5))
	out := make([][]int, s.draws)
	for i := range out {
		out[i] = make([]int, keptRows)
		for j := range out[i] {
			out[i][j] = rng.IntN(pool)
		}
	}
	return out
}

// pathOn lays the path of a constraint on votes, and returns what a search without a promise finds, too.
func pathOn(ctx context.Context, c constraint, votes *vote.Table) (risk.Control, []vote.Weights, vote.Weights, error) {
	control := risk.Control{Confidence: confidence, Floors: []pragma.Floor{c.floor}}
	search := anneal.Search{Floors: control.Floors, Choice: anneal.Lowest, Workers: 1}
	if len(votes.Classes) > 2 { // quick, as there are thousands of searches
		search.Method, search.Starts = anneal.Coordinates, 2
	}
	under, err := search.Weights(ctx, votes, c.measure)
	if err != nil && !errors.Is(err, anneal.ErrFloors) {
		return control, nil, nil, err
	}
	search.Floors = nil
	free, err := search.Weights(ctx, votes, c.measure)
	if err != nil {
		return control, nil, nil, err
	}
	path, err := control.Path(ctx, votes, search, c.measure, under.Weights, free.Weights)
	return control, path, under.Weights, err
}

// keptApart tests on all samples.
func (s *study) keptApart(ctx context.Context, c constraint, oob, pool *vote.Table, samples [][]int, l *line) error {
	control, path, searched, err := pathOn(ctx, c, oob)
	if err != nil {
		return err
	}
	l.searched.add(c, pool.Confuse(searched))
	judged := make([]*vote.Confusion, len(path)) // of the pool, when it is needed
	for _, rows := range samples {
		found, err := control.Test(ctx, path, pool.Take(rows))
		if errors.Is(err, risk.ErrUnsure) {
			l.apart.add(c, nil)
			continue
		}
		if err != nil {
			return err
		}
		at := found.Passed - 1
		if judged[at] == nil {
			judged[at] = pool.Confuse(found.Weights)
		}
		l.apart.add(c, judged[at])
	}
	return nil
}

// outOfBag grows forests on other rows each and tests on their out-of-bag votes.
func (s *study) outOfBag(ctx context.Context, p problem, class int, all []constraint, lines []line) error {
	made := make([][]*vote.Confusion, s.forests)
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(2)
	for i := range made {
		group.Go(func() (err error) {
			made[i], err = s.oneForest(inner, p, all, uint64(i)+2)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, found := range made {
		for j := range all {
			lines[j].oob.add(all[j], found[j])
		}
	}
	return nil
}

// oneForest returns by constraint how the weights that are sure by out-of-bag votes decide other rows; nil where none
// are.
func (s *study) oneForest(ctx context.Context, p problem, all []constraint, seed uint64) ([]*vote.Confusion, error) {
	train, judge := s.rows(p, trainRows, judgeRows, seed)
	grown, oob, err := forest.Grow(ctx, train, forest.Config{Trees: s.trees, Seed: seed, Workers: 1})
	if err != nil {
		return nil, err
	}
	votes, err := grown.Votes(ctx, judge, 1)
	if err != nil {
		return nil, err
	}
	oob = tables.Predictive(oob.Condense())
	out := make([]*vote.Confusion, len(all))
	for j, c := range all {
		control, path, _, err := pathOn(ctx, c, oob)
		if err != nil {
			return nil, err
		}
		found, err := control.Test(ctx, path, oob)
		if errors.Is(err, risk.ErrUnsure) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[j] = votes.Confuse(found.Weights)
	}
	return out, nil
}
