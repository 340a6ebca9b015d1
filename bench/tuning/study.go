package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

type study struct {
	seeds, folds int
	votes        []set.Votes
	preferences  []preference
	log          string
	records      []record
}

// record is how a way did on a set: the loss on new rows, that of plain votes, and the standard
// error of their difference, means over the seeds.
type record struct {
	set, votes, preference, way string
	loss, plain, se             float64
}

// preference is what is asked for of the rarest classes that have enough rows.
type preference struct {
	name    string
	of      pragma.Preference
	classes int // how many
}

var preferences = []preference{
	{"priority", pragma.Priority(), 1},
	{"moderate", pragma.Preference{Theta: 5, X: 0.5, Y: 0.8}, 1},
	{"two", pragma.Priority(), 2},
}

// set judges all ways on a set.
func (s *study) set(ctx context.Context, path string) error {
	frame, err := set.CSV(path)
	if err != nil {
		return err
	}
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	for _, v := range s.votes {
		if err := s.of(ctx, name, frame, v); err != nil {
			return err
		}
	}
	return nil
}

// of judges all ways on votes of a set.
func (s *study) of(ctx context.Context, name string, frame *dataset.Frame, v set.Votes) error {
	var measures []pragma.Measure
	for _, p := range s.preferences {
		m, err := p.measure(frame)
		if err != nil {
			return err
		}
		measures = append(measures, m)
	}
	sums := map[[2]int][3]float64{} // by preference and way: loss, plain, se
	for seed := range s.seeds {
		tables, chosen, err := s.split(ctx, frame, v, seed, measures)
		if err != nil {
			return err
		}
		pooled := &vote.Table{Classes: frame.Classes, Source: vote.CV, Truth: []int{}, Counts: []uint32{}}
		for _, t := range tables {
			if err := pooled.Append(t); err != nil {
				return err
			}
		}
		for p, m := range measures {
			var plain []int
			for w := range ways {
				var decided []int
				for fold, t := range tables {
					rule := t.Rule(chosen[fold][p][w])
					for i := range t.Rows() {
						decided = append(decided, rule.Decide(t.Votes(i)))
					}
				}
				if w == 0 {
					plain = decided
				}
				sum := sums[[2]int{p, w}]
				sum[0] += lossOf(pooled, decided, m)
				sum[1] += lossOf(pooled, plain, m)
				sum[2] += standardError(pooled, plain, decided, m, 1)
				sums[[2]int{p, w}] = sum
			}
		}
	}
	n := float64(s.seeds)
	for p := range s.preferences {
		for w := range ways {
			if ways[w].binary && len(frame.Classes) > 2 {
				continue
			}
			sum := sums[[2]int{p, w}]
			s.records = append(s.records, record{name, v.String(), s.preferences[p].name, ways[w].name, sum[0] / n, sum[1] / n,
				sum[2] / n})
		}
	}
	fmt.Fprintln(os.Stderr, name, v)
	return s.save()
}

// split deals the rows into folds, and returns by fold what chosenOn does: the votes on it, and the weights chosen
// without it.
func (s *study) split(ctx context.Context, frame *dataset.Frame, v set.Votes, seed int, measures []pragma.Measure) (
	[]*vote.Table, [][][]vote.Weights, error) {
	foldOf, err := dataset.Folds(frame, s.folds, uint64(seed))
	if err != nil {
		return nil, nil, err
	}
	tables, chosen := make([]*vote.Table, s.folds), make([][][]vote.Weights, s.folds)
	var group sync.WaitGroup
	limit := make(chan struct{}, 2)
	errs := make([]error, s.folds)
	for fold := range s.folds {
		group.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			inside, outside := dataset.SplitFold(foldOf, fold)
			tables[fold], chosen[fold], errs[fold] = chosenOn(ctx, v.Config(uint64(1000*seed+fold)), frame.Take(inside),
				frame.Take(outside), measures)
		})
	}
	group.Wait()
	return tables, chosen, cmp.Or(errs...)
}

// chosenOn returns the votes on the test part, and the weights chosen on those of the training part by preference
// and way.
func chosenOn(ctx context.Context, cfg rfpragma.Config, train, test *dataset.Frame, measures []pragma.Measure) (
	*vote.Table, [][]vote.Weights, error) {
	f, table, _, err := cfg.HeldOut(ctx, train)
	if err != nil {
		return nil, nil, err
	}
	votes, err := f.Votes(ctx, test, 1)
	if err != nil {
		return nil, nil, err
	}
	var all [][]vote.Weights
	for _, m := range measures {
		j := &job{ctx: ctx, table: table, measure: m, seed: cfg.Forest.Seed}
		var of []vote.Weights
		for _, w := range ways {
			if w.binary && len(train.Classes) > 2 {
				of = append(of, ones(table))
			} else {
				of = append(of, w.choose(j))
			}
			if j.err != nil {
				return nil, nil, j.err
			}
		}
		all = append(all, of)
	}
	return votes, all, nil
}

// measure returns the measure of p on a frame: p for the rarest of its classes of at least 20 rows.
func (p preference) measure(f *dataset.Frame) (pragma.Measure, error) {
	rows := make([]int, len(f.Classes))
	for _, c := range f.Truth {
		rows[c]++
	}
	var order []int
	for c, n := range rows {
		if n >= 20 {
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rows[a], rows[b]) })
	spec := pragma.Spec{}
	for _, c := range order[:min(p.classes, len(order))] {
		spec[f.Classes[c]] = p.of
	}
	return spec.Measure(f.Classes)
}

func (s *study) save() error {
	if s.log == "" {
		return nil
	}
	lines := [][]string{{"set", "votes", "preference", "way", "loss", "plain", "se"}}
	for _, r := range s.records {
		lines = append(lines, []string{r.set, r.votes, r.preference, r.way, fmt.Sprint(r.loss), fmt.Sprint(r.plain),
			fmt.Sprint(r.se)})
	}
	return set.WriteCSV(s.log, lines)
}

// report prints by votes, preference and way: the mean loss over the sets, how often it is better and worse than plain
// votes by more than a standard error, and the worst of that.
func (s *study) report(out io.Writer) {
	fmt.Fprintln(out, "| votes | preference | way | sets | mean loss | lower by > 1 se | higher by > 1 se | worst, se "+
		"|\n|---|---|---|---|---|---|---|---|")
	for _, v := range s.votes {
		for _, p := range s.preferences {
			for _, w := range ways {
				n, sum, lower, higher, worst := 0, 0.0, 0, 0, 0.0
				for _, r := range s.records {
					if r.votes != v.String() || r.preference != p.name || r.way != w.name {
						continue
					}
					n++
					sum += r.loss
					d := (r.loss - r.plain) / max(r.se, 1e-9)
					if math.Abs(r.loss-r.plain) < 1e-12 {
						d = 0
					}
					if d < -1 {
						lower++
					}
					if d > 1 {
						higher++
					}
					worst = max(worst, d)
				}
				fmt.Fprintf(out, "| %s | %s | %s | %d | %.4f | %d | %d | %.1f |\n", v, p.name, w.name, n, sum/float64(n), lower,
					higher, worst)
			}
		}
	}
}
