package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// bank says where the votes come from.
type bank struct {
	trees int
	cv    bool
}

func (b bank) String() string {
	if b.cv {
		return fmt.Sprintf("cv%d", b.trees)
	}
	return fmt.Sprintf("oob%d", b.trees)
}

type study struct {
	seeds, folds int
	banks        []bank
	log          string
	records      []record
}

// record is how a way did on a set: the loss on new rows, that of plain votes, and the standard
// error of their difference, means over the seeds.
type record struct {
	set, bank, preference, way string
	loss, plain, se            float64
}

// preferences are what is asked for: of the rarest class that has enough rows.
var preferences = []struct {
	name string
	spec pragma.Preference
}{
	{"priority", pragma.Priority()},
	{"moderate", pragma.Preference{Theta: 5, X: 0.5, Y: 0.8}},
}

// set judges all ways on a set.
func (s *study) set(ctx context.Context, path string) error {
	frame, err := set.CSV(path)
	if err != nil {
		return err
	}
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	for _, b := range s.banks {
		if err := s.bank(ctx, name, frame, b); err != nil {
			return err
		}
	}
	return nil
}

func (s *study) bank(ctx context.Context, name string, frame *dataset.Frame, b bank) error {
	rare := rarest(frame)
	sums := map[[2]int][3]float64{} // by preference and way: loss, plain, se
	for seed := range s.seeds {
		tables := make([]*vote.Table, s.folds) // of the test parts
		chosen := make([][][]vote.Weights, s.folds)
		foldOf, err := dataset.Folds(frame, s.folds, uint64(seed))
		if err != nil {
			return err
		}
		var group sync.WaitGroup
		limit := make(chan struct{}, 2)
		errs := make([]error, s.folds)
		for fold := range s.folds {
			group.Go(func() {
				limit <- struct{}{}
				defer func() { <-limit }()
				inside, outside := dataset.SplitFold(foldOf, fold)
				tables[fold], chosen[fold], errs[fold] = b.fold(ctx, frame.Take(inside), frame.Take(outside), rare, uint64(1000*seed+fold))
			})
		}
		group.Wait()
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		pooled := &vote.Table{Classes: frame.Classes, Source: vote.CV, Truth: []int{}, Counts: []uint32{}}
		for _, t := range tables {
			pooled.Append(t)
		}
		for p := range preferences {
			m := measure(p, frame.Classes, rare)
			var plain []int
			for w := range ways {
				var decided []int
				for fold, t := range tables {
					rule := vote.NewRule(chosen[fold][p][w], t.Share, len(t.Classes))
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
	for p := range preferences {
		for w := range ways {
			if ways[w].binary && len(frame.Classes) > 2 {
				continue
			}
			sum := sums[[2]int{p, w}]
			s.records = append(s.records, record{name, b.String(), preferences[p].name, ways[w].name, sum[0] / n, sum[1] / n, sum[2] / n})
		}
	}
	fmt.Fprintln(os.Stderr, name, b)
	return s.save()
}

// fold returns the votes on the test part, and the weights chosen by preference and way.
func (b bank) fold(ctx context.Context, train, test *dataset.Frame, rare int, seed uint64) (*vote.Table, [][]vote.Weights, error) {
	cfg := rfpragma.Config{Forest: forest.Config{Trees: b.trees, Seed: seed, Workers: 1}, Votes: vote.OOB}
	if b.cv {
		cfg.Votes = vote.CV
	}
	f, table, _, err := cfg.HeldOut(ctx, train)
	if err != nil {
		return nil, nil, err
	}
	votes, err := f.Votes(ctx, test, 1)
	if err != nil {
		return nil, nil, err
	}
	var all [][]vote.Weights
	for p := range preferences {
		j := &job{ctx: ctx, table: table, measure: measure(p, train.Classes, rare), seed: seed}
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

func measure(p int, classes []string, rare int) pragma.Measure {
	m, err := pragma.Spec{classes[rare]: preferences[p].spec}.Measure(classes)
	if err != nil {
		panic(err) // the preferences are sound
	}
	return m
}

// rarest returns the rarest class of at least 20 rows.
func rarest(f *dataset.Frame) int {
	rows := make([]int, len(f.Classes))
	for _, c := range f.Truth {
		rows[c]++
	}
	best := -1
	for c, n := range rows {
		if n >= 20 && (best < 0 || n < rows[best]) {
			best = c
		}
	}
	return best
}

func (s *study) save() error {
	if s.log == "" {
		return nil
	}
	f, err := os.Create(s.log)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	_ = w.Write([]string{"set", "votes", "preference", "way", "loss", "plain", "se"})
	for _, r := range s.records {
		_ = w.Write([]string{r.set, r.bank, r.preference, r.way, fmt.Sprint(r.loss), fmt.Sprint(r.plain), fmt.Sprint(r.se)})
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return f.Close()
}

// report prints by votes, preference and way: the mean loss over the sets, how often it is better and worse than plain
// votes by more than a standard error, and the worst of that.
func (s *study) report(out io.Writer) {
	fmt.Fprintln(out, "| votes | preference | way | sets | mean loss | lower by > 1 se | higher by > 1 se | worst, se |\n|---|---|---|---|---|---|---|---|")
	for _, b := range s.banks {
		for _, p := range preferences {
			for _, w := range ways {
				n, sum, lower, higher, worst := 0, 0.0, 0, 0, 0.0
				for _, r := range s.records {
					if r.bank != b.String() || r.preference != p.name || r.way != w.name {
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
				fmt.Fprintf(out, "| %s | %s | %s | %d | %.4f | %d | %d | %.1f |\n", b, p.name, w.name, n, sum/float64(n), lower, higher, worst)
			}
		}
	}
}
