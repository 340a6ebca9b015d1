package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/atomicfile"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// data are the sets, each with the columns whose numbers are categories.
var data = []struct {
	name        string
	categorical []string
}{
	{"german_credit", nil}, {"attrition", nil}, {"churn", []string{"area_code"}}, {"oil_spill", nil}, {"phoneme", nil}, {"pima", nil},
	{"breast_cancer_wisconsin", nil}, {"ionosphere", nil}, {"sick", nil}, {"pd_speech", nil}, {"mammography", nil}, {"spambase", nil},
	{"hypothyroid", nil}, {"ann_thyroid", nil}, {"glass", nil}, {"ecoli", nil}, {"autos", nil}, {"vehicle", nil}, {"satimage", nil},
	{"car", []string{"doors", "persons"}}, {"hpc_jobs", nil}, {"wine_quality_white", nil}, {"soybean", nil},
	{"magic_telescope", nil}, {"online_shoppers", []string{"OperatingSystems", "Browser", "Region", "TrafficType"}}, {"adult", nil},
	{"bank_marketing", nil}, {"car_claims_fraud", nil}, {"nursery", []string{"children"}}, {"covtype_20k", nil}, {"abalone", nil},
}

func all() []string {
	var names []string
	for _, d := range data {
		names = append(names, d.name)
	}
	return names
}

// goal is what is asked for: a preference for the rarest class that has 20 rows or more.
type goal struct {
	name string
	of   pragma.Preference
}

var goals = []goal{
	{"priority", pragma.Priority()},
	{"moderate", pragma.Preference{Theta: 5, X: 0.5, Y: 0.8}},
	{"neutral", pragma.Neutral()},
}

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
		frame, err := r.read(name)
		if err != nil {
			return err
		}
		for seed := range r.seeds {
			for _, g := range goals {
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

// read reads a set, or some rows of it that are drawn by their number alone.
func (r *runner) read(name string) (*dataset.Frame, error) {
	at := slices.Index(all(), name)
	if at < 0 {
		return nil, fmt.Errorf("no set is named %q; there are %v", name, all())
	}
	path := filepath.Join(r.data, name, name+".csv")
	if _, err := os.Stat(path); err != nil {
		path += ".gz"
	}
	frame, err := set.CSV(path, data[at].categorical...)
	if err != nil || frame.Rows() <= r.rows {
		return frame, err
	}
	rows := rand.New(rand.NewPCG(1, 1)).Perm(frame.Rows())[:r.rows]
	slices.Sort(rows)
	return frame.Take(rows), nil
}

// judge makes a model of each training part, and has it decide the rows of the test part.
func (r *runner) judge(ctx context.Context, frame *dataset.Frame, g goal, seed int) (outcome, error) {
	n := frame.Rows()
	o := outcome{Goal: g.name, Seed: seed, Classes: frame.Classes, Truth: frame.Truth,
		Decided: make([]int, n), Plain: make([]int, n), Right: make([]float64, n), Raw: make([]float64, n)}
	spec := g.spec(frame)
	of := r.deal(frame, seed)
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

// deal deals the rows of each class to the folds in turn, in an order by hash: so versions deal alike.
func (r *runner) deal(frame *dataset.Frame, seed int) []int {
	type keyed struct {
		row int
		key uint64
	}
	next, of := 0, make([]int, frame.Rows())
	for c := range frame.Classes {
		var rows []keyed
		for i, truth := range frame.Truth {
			if truth == c {
				h := fnv.New64a()
				fmt.Fprint(h, seed, " ", i)
				rows = append(rows, keyed{i, h.Sum64()})
			}
		}
		slices.SortFunc(rows, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		for _, row := range rows {
			of[row.row] = next % r.folds
			next++
		}
	}
	return of
}

// spec returns the preference for the rarest class of 20 rows or more.
func (g goal) spec(frame *dataset.Frame) pragma.Spec {
	rows, rarest := make([]int, len(frame.Classes)), -1
	for _, c := range frame.Truth {
		rows[c]++
	}
	for c, n := range rows {
		if n >= 20 && (rarest < 0 || n < rows[rarest]) {
			rarest = c
		}
	}
	return pragma.Spec{frame.Classes[rarest]: g.of}
}
