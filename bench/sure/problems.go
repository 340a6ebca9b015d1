package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// problem is where rows come from, and the class that constraints are of.
type problem struct {
	name string
	draw func(n int, seed uint64) *dataset.Frame // nil of a public set
}

const mostRows = 50_000 // of a public set

// problems are six made-up sets and six public ones.
func problems(public bool) []problem {
	all := []problem{
		{"fraud", dataset.Fraud},
		{"fraud that hides", func(n int, seed uint64) *dataset.Frame { return dataset.DriftedFraud(n, seed, 0.5) }},
		{"wave, 2 classes", func(n int, seed uint64) *dataset.Frame { return dataset.Wave(n, 2, seed) }},
		{"wave, 3 classes", func(n int, seed uint64) *dataset.Frame { return dataset.Wave(n, 3, seed) }},
		{"clouds, 2 classes", func(n int, seed uint64) *dataset.Frame { return clouds(n, []float64{0.1, 0.9}, seed) }},
		{"clouds, 5 classes", func(n int, seed uint64) *dataset.Frame {
			return clouds(n, []float64{0.08, 0.12, 0.2, 0.25, 0.35}, seed)
		}},
	}
	if public {
		for _, name := range []string{"mammography", "adult", "bank_marketing", "magic_telescope", "satimage", "nursery"} {
			all = append(all, problem{name: name})
		}
	}
	return all
}

// clouds draws rows of classes of these shares: normal in eight columns, around a point for each class.
func clouds(n int, share []float64, seed uint64) *dataset.Frame {
	rng := rand.New(rand.NewPCG(seed, 0xc10d))
	where := rand.New(rand.NewPCG(7, 7)) // the same for all seeds
	centre := make([][8]float64, len(share))
	f := &dataset.Frame{Reading: dataset.Reading{Target: "class"}, Truth: make([]int, n)}
	for c := range centre {
		f.Classes = append(f.Classes, strconv.Itoa(c+1))
		for j := range centre[c] {
			centre[c][j] = 0.7 * where.NormFloat64()
		}
	}
	for j := range centre[0] {
		f.Columns = append(f.Columns, dataset.Column{Field: dataset.Field{Name: fmt.Sprint("x", j+1)}, Values: make([]float64, n)})
	}
	for i := range n {
		u, c := rng.Float64(), 0
		for c < len(share)-1 && u >= share[c] {
			u -= share[c]
			c++
		}
		f.Truth[i] = c
		for j := range f.Columns {
			f.Columns[j].Values[i] = centre[c][j] + rng.NormFloat64()
		}
	}
	return f
}

// read reads a public set, once.
func (s *study) read(p problem) (err error) {
	if s.public = nil; p.draw == nil {
		s.public, err = set.Public(s.data, p.name, mostRows)
	}
	return err
}

// rows are those to grow a forest on, and those that are as good as new.
func (s *study) rows(p problem, n, most int, seed uint64) (train, pool *dataset.Frame) {
	if p.draw != nil {
		return p.draw(n, 2*seed+1), p.draw(most, 2*seed+2)
	}
	all := s.public
	order := rand.New(rand.NewPCG(seed, 11)).Perm(all.Rows())
	rest := order[n:]
	rest = rest[:min(len(rest), most)]
	slices.Sort(rest)
	return all.Take(order[:n]), all.Take(rest)
}

// constraint is what is required, with the loss that pulls against it.
type constraint struct {
	floor   pragma.Floor
	measure pragma.Measure
	other   func(m *vote.Confusion) float64 // the figure that it costs
}

// constraints of class c: a recall, a precision that is well above its share of the rows, and a false positive rate.
func constraints(c int, share float64) []constraint {
	recall := func(m *vote.Confusion) float64 { v, _ := m.Recall(c); return v }
	precision := func(m *vote.Confusion) float64 { v, _ := m.Precision(c); return v }
	alerts := pragma.Func(func(m *vote.Confusion) float64 { v, _ := m.Alerts(c); return v })
	missed := pragma.Func(func(m *vote.Confusion) float64 { return 1 - recall(m) })
	limit := 0.3
	if share > 0.05 {
		limit = 0.6
	}
	if share > 0.25 {
		limit = 0.85
	}
	return []constraint{
		{pragma.Floor{Class: c, What: pragma.RecallFloor, Limit: 0.7}, alerts, precision},
		{pragma.Floor{Class: c, What: pragma.PrecisionFloor, Limit: limit}, missed, recall},
		{pragma.Floor{Class: c, What: pragma.FalseAlarms, Limit: 0.05}, missed, recall},
	}
}
