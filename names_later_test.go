package rfpragma

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// sameVotes compares tables of votes, the second of renamed classes.
func (r renaming) sameVotes(t *testing.T, a, b *vote.Table) bool {
	t.Helper()
	for i := range a.Truth {
		if was := a.Votes(i); !slices.Equal(moved(r, was), b.Votes(i)) || a.WeightOf(i) != b.WeightOf(i) {
			t.Errorf("row %d: votes %v become %v by %v", i, was, b.Votes(i), r.to)
			return false
		}
	}
	return true
}

// sameOutOfBag compares the votes that two models were tuned on, where these are out of bag.
func (r renaming) sameOutOfBag(t *testing.T, a, b *Model, rows *dataset.Frame) bool {
	t.Helper()
	x, errX := a.OutOfBag(t.Context(), rows, 1)
	y, errY := b.OutOfBag(t.Context(), r.frame(rows), 1)
	if errX != nil || errY != nil {
		if errors.Is(errX, ErrConfig) && errors.Is(errY, ErrConfig) {
			return true
		}
		t.Errorf("out of bag: %v, renamed %v", errX, errY)
		return false
	}
	return r.sameVotes(t, x, y)
}

// sameLater compares what is made of two models after their training: votes out of bag, and, by turns, models for
// another prevalence, evaluations and importances.
func (r renaming) sameLater(t *testing.T, a, b *Model, rows *dataset.Frame, turn uint64) bool {
	t.Helper()
	if !r.sameOutOfBag(t, a, b, rows) {
		return false
	}
	switch turn % 3 {
	case 0:
		rng := rand.New(rand.NewPCG(turn, 1))
		var share []float64
		for range r.to {
			share = append(share, 0.05+rng.Float64())
		}
		x, errX := a.ForPrevalence(share)
		y, errY := b.ForPrevalence(moved(r, share))
		if errX == nil && errY == nil {
			return r.same(t, x, y, rows)
		}
		if !errors.Is(errX, ErrConfig) || !errors.Is(errY, ErrConfig) {
			t.Errorf("prevalence: %v, renamed %v", errX, errY)
		}
	case 1:
		votes, err := a.Votes(t.Context(), rows)
		if err != nil {
			t.Fatal(err)
		}
		others, err := b.Votes(t.Context(), r.frame(rows))
		if err != nil {
			t.Fatal(err)
		}
		s := anneal.Search{Seed: 1, Workers: 1, Steps: 300}
		x, errX := a.Evaluate(t.Context(), votes, s)
		y, errY := b.Evaluate(t.Context(), others, s)
		if errX == nil && errY == nil {
			return r.sameReport(t, x, y)
		}
		if !refused(errX) || !refused(errY) {
			t.Errorf("evaluation: %v, renamed %v", errX, errY)
		}
	default:
		x, errX := a.Importance(t.Context(), rows, 1, 1, nil)
		y, errY := b.Importance(t.Context(), r.frame(rows), 1, 1, nil)
		if (errX == nil) != (errY == nil) {
			t.Errorf("importance: %v, renamed %v", errX, errY)
			return false
		}
		if errX == nil {
			if strings.HasPrefix(x.Measure, "f:") { // which names a class
				x.Measure, y.Measure = "f", "f"
			}
			if !reflect.DeepEqual(x, y) {
				t.Errorf("by %v (-importance +of renamed rows)\n%s", r.to, cmp.Diff(x, y))
				return false
			}
		}
	}
	return !t.Failed()
}

// Votes and scores of other models, read from files whose columns bear other names and so come in another order.
func TestNamesOfForeignVotes(t *testing.T) {
	race.SkipFigures(t)
	tuned := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 80))
		k := pick(rng, 2, 3, 4, 5)
		r := renaming{to: rng.Perm(k)}
		for c := range k {
			r.was, r.names = append(r.was, fmt.Sprint("a", c)), append(r.names, fmt.Sprint("b", c))
		}
		x := foreignVotes(t, seed, r.was)
		y := foreignVotes(t, seed, renamedIn(r))
		if !r.sameVotes(t, x, y) {
			t.Fatalf("seed %d", seed)
		}
		w := wish{pragma.Spec{r.was[rng.IntN(k)]: pragma.Priority()}, Config{Search: anneal.Search{Seed: seed, Workers: 1,
			Steps: 300, Choice: pick(rng, anneal.Careful, anneal.Lowest)}}}
		measure := pick(rng, "", "gmean", "mcc", "balanced")
		first, second := w.measured(t, measure, r.was), r.wish(w).measured(t, measure, r.names)
		measures := [2]pragma.Measure{first.cfg.Measure, second.cfg.Measure}
		if measure == "" {
			var errX, errY error
			measures[0], errX = first.spec.Measure(x.Classes)
			measures[1], errY = second.spec.Measure(y.Classes)
			if errX != nil || errY != nil {
				t.Fatal(errX, errY)
			}
		}
		a, errA := w.cfg.Search.Weights(t.Context(), x, measures[0])
		b, errB := w.cfg.Search.Weights(t.Context(), y, measures[1])
		if errA != nil || errB != nil {
			t.Fatalf("seed %d: %v, renamed %v", seed, errA, errB)
		}
		if !slices.Equal(moved(r, a.Weights), b.Weights) || a.Loss != b.Loss || a.Plain != b.Plain || a.Lowest != b.Lowest {
			t.Fatalf("seed %d, measure %q: %+v becomes %+v by %v", seed, measure, a, b, r.to)
		}
		c := Config{Calibration: pick(rng, calib.Methods()...)}
		maps, _, errA := c.Calibrate(t.Context(), x)
		others, _, errB := c.Calibrate(t.Context(), y)
		if (errA == nil) != (errB == nil) {
			t.Fatalf("seed %d, %s: %v, renamed %v", seed, c.Calibration, errA, errB)
		}
		p, q := make([]float64, k), make([]float64, k)
		for i := range x.Truth {
			if errA != nil {
				break
			}
			Probabilities(maps, p, x.Votes(i), x.Unit())
			Probabilities(others, q, y.Votes(i), y.Unit())
			if !slices.Equal(moved(r, p), q) {
				t.Fatalf("seed %d, %s, row %d: probabilities %v become %v by %v", seed, c.Calibration, i, p, q, r.to)
			}
		}
		if !slices.Equal(a.Weights, slices.Repeat(vote.Weights{1}, k)) {
			tuned++
		}
	}
	if tuned < 20 {
		t.Errorf("weights other than 1 were found on only %d of 60 tables", tuned)
	}
}

// renamedIn returns the new name of each class, by its old place.
func renamedIn(r renaming) []string {
	names := make([]string, len(r.to))
	for c, to := range r.to {
		names[c] = r.names[to]
	}
	return names
}

// foreignVotes reads votes, or scores, for classes of these names, by seed with case weights or without and equally
// many rows of each.
func foreignVotes(t *testing.T, seed uint64, names []string) *vote.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 81))
	k := len(names)
	scores, weighed, even := rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
	head := append([]string{"class"}, names...)
	if weighed {
		head = append(head, "weight")
	}
	text := strings.Join(head, ",") + "\n"
	for i := range 150 {
		truth := i % k
		if !even {
			truth = min(rng.IntN(k), rng.IntN(k), rng.IntN(k))
		}
		cells := []string{names[truth]}
		for c := range k {
			v := rng.Float64()
			if c == truth {
				v += 0.6 * rng.Float64()
			}
			if scores {
				cells = append(cells, fmt.Sprintf("%.3f", v))
			} else {
				cells = append(cells, fmt.Sprintf("%.0f", 9*v))
			}
		}
		if weighed {
			cells = append(cells, fmt.Sprintf("%.2f", 0.1+rng.Float64()))
		}
		text += strings.Join(cells, ",") + "\n"
	}
	table, err := vote.ReadCSV(strings.NewReader(text), "votes.csv", vote.CSVOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Settings of the forest that are searched for.
func TestNamesAndTunedForests(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 82))
		k := pick(rng, 2, 3)
		f := named(rng, 120, k)
		r := newRenaming(f, []int{1, 2, 0}[:k])
		if k == 2 {
			r = newRenaming(f, []int{1, 0})
		}
		w := wish{nil, Config{Forest: forest.Config{Trees: 30, Seed: seed, Workers: 1}, TuneForest: TuneQuick,
			Search: anneal.Search{Workers: 1, Steps: 100}}}
		v := r.wish(w)
		a, b := mustFit(t, f, w.spec, w.cfg), mustFit(t, r.frame(f), v.spec, v.cfg)
		if !r.same(t, a, b, f) || !reflect.DeepEqual(a.Provenance.ForestChoice, b.Provenance.ForestChoice) {
			t.Fatalf("seed %d: %+v becomes %+v", seed, a.Provenance.ForestChoice, b.Provenance.ForestChoice)
		}
	}
}

// The law on public benchmark sets, of which large ones are judged on some hundred of their rows: with a class of
// priority, with none, and on every third cross-validated.
func TestNamesOfRealSets(t *testing.T) {
	for at, s := range publicSets(t) {
		t.Run(s.Name, func(t *testing.T) {
			f := s.read(t)
			const most = 300
			var rows []int
			for i := range min(f.Rows(), most) {
				rows = append(rows, i*f.Rows()/min(f.Rows(), most))
			}
			f = f.Take(rows)
			to := upTo(len(f.Classes))
			if slices.Reverse(to); at%2 == 1 && len(to) > 2 {
				to = rand.New(rand.NewPCG(uint64(at), 79)).Perm(len(to))
			}
			r := newRenaming(f, to)
			cfg := Config{
				Forest: forest.Config{Trees: 25, Seed: 1, Workers: 1, Criterion: []forest.Criterion{forest.Gini, forest.Entropy,
					forest.Hellinger, forest.Pragma}[at%4], Soft: at%5 == 0},
				Votes: vote.OOB, Search: anneal.Search{Seed: 1, Workers: 1, Steps: 300},
			}
			if len(to) > 4 {
				cfg.Search.Choice, cfg.Search.Method = anneal.Lowest, anneal.Coordinates
			}
			order := forestOrder(f)
			for _, spec := range []pragma.Spec{{f.Classes[order[len(order)-1]]: pragma.Priority()}, {}} {
				r.sameOnSet(t, wish{spec, cfg}, f, at%3 == 0)
			}
		})
	}
}

// forestOrder returns the classes that have rows, the most common first.
func forestOrder(f *dataset.Frame) []int {
	weights := f.ClassWeights()
	return slices.DeleteFunc(vote.TieOrder(weights, f.FirstRows()), func(c int) bool { return weights[c] == 0 })
}

// sameOnSet compares models of a set and of the set renamed, and their cross-validations if so asked.
func (r renaming) sameOnSet(t *testing.T, w wish, f *dataset.Frame, crossed bool) {
	t.Helper()
	v := r.wish(w)
	a, b := mustFit(t, f, w.spec, w.cfg), mustFit(t, r.frame(f), v.spec, v.cfg)
	if !r.same(t, a, b, f) || !r.sameOutOfBag(t, a, b, f) || !crossed {
		return
	}
	x, errX := CrossValidate(t.Context(), f, w.spec, w.cfg, eval.Config{Folds: 3})
	y, errY := CrossValidate(t.Context(), r.frame(f), v.spec, v.cfg, eval.Config{Folds: 3})
	if errX != nil || errY != nil {
		t.Fatal(errX, errY)
	}
	r.sameReport(t, x, y)
}
