package main

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/paired"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// job is a table of votes to choose weights on. What several ways need is computed once.
type job struct {
	ctx     context.Context
	table   *vote.Table
	measure pragma.Measure
	seed    uint64
	lowest  vote.Weights
	parts   []part
	bagged  []vote.Weights
	err     error
}

// part is a part of the rows of a table, and the weights of the lowest loss on the others.
type part struct {
	rows    []int
	weights vote.Weights
}

// way chooses weights.
type way struct {
	name   string
	binary bool // for two classes only
	choose func(j *job) vote.Weights
}

var ways = []way{
	{"plain", false, func(j *job) vote.Weights { return ones(j.table) }},
	{"prior", false, func(j *job) vote.Weights { return vote.Prior(j.table.Share) }},
	{"lowest", false, func(j *job) vote.Weights { return j.search(j.table, j.measure, anneal.Lowest) }},
	{"careful", false, func(j *job) vote.Weights { return j.search(j.table, j.measure, anneal.Careful) }},
	{"out of bag as they are", false, func(j *job) vote.Weights {
		t := *j.table
		t.Source = vote.External // so that they are not carried over to all trees
		return j.search(&t, j.measure, anneal.Careful)
	}},
	{"bagged", false, func(j *job) vote.Weights { return j.median() }},
	{"bagged, guarded", false, func(j *job) vote.Weights { return j.guard(j.median(), 0.5) }},
	{"bagged, stay", false, func(j *job) vote.Weights { return j.stay(j.median(), 1) }},
	{"bagged, near", false, func(j *job) vote.Weights { return j.near(j.median(), 0.5) }},
	{"power", false, func(j *job) vote.Weights { return j.shrunk(j.low(), 0) }},
	{"kappa", true, func(j *job) vote.Weights { return j.search(j.table, pragma.Kappa, anneal.Lowest) }},
	{"grid", true, (*job).grid},
}

func power(w vote.Weights, p float64) vote.Weights {
	out := slices.Clone(w)
	for c := range out {
		out[c] = math.Pow(w[c], p)
	}
	return out
}

func ones(t *vote.Table) vote.Weights { return slices.Repeat(vote.Weights{1}, len(t.Classes)) }

func (j *job) search(t *vote.Table, m pragma.Measure, choice anneal.Choice) vote.Weights {
	s := anneal.Search{Seed: j.seed, Workers: 1, Choice: choice}
	if len(t.Classes) > 3 { // quicker than the default, and nearly as low
		s.Method, s.Starts = anneal.Coordinates, 2
	}
	r, err := s.Weights(j.ctx, t, m)
	if err != nil {
		return ones(t) // a part of a single class: nothing to choose
	}
	return r.Weights
}

func (j *job) low() vote.Weights {
	if j.lowest == nil {
		j.lowest = j.search(j.table, j.measure, anneal.Lowest)
	}
	return j.lowest
}

// folds returns ten parts.
func (j *job) folds() []part {
	if j.parts != nil {
		return j.parts
	}
	const k = 10
	of, err := dataset.Folds(&dataset.Frame{Classes: j.table.Classes, Truth: j.table.Truth}, k, j.seed)
	if err != nil {
		j.err = err
		return nil
	}
	for f := range k {
		inside, outside := dataset.SplitFold(of, f)
		j.parts = append(j.parts, part{outside, j.search(j.table.Take(inside), j.measure, anneal.Lowest)})
	}
	return j.parts
}

// median returns by class the median of the logarithms of the weights of resamples.
func (j *job) median() vote.Weights {
	if j.bagged == nil {
		rng := rand.New(rand.NewPCG(j.seed, 99))
		for range 20 {
			t := *j.table
			t.Weight = make([]float64, t.Rows())
			for range t.Rows() {
				t.Weight[rng.IntN(t.Rows())]++
			}
			j.bagged = append(j.bagged, vote.Scaled(j.search(&t, j.measure, anneal.Lowest), t.TieOrder()[0]))
		}
	}
	out := ones(j.table)
	for c := range out {
		var logs []float64
		for _, w := range j.bagged {
			logs = append(logs, math.Log(w[c]))
		}
		slices.Sort(logs)
		out[c] = math.Exp((logs[len(logs)/2] + logs[(len(logs)-1)/2]) / 2)
	}
	return out
}

// under returns the decisions under w.
func (j *job) under(w vote.Weights) []int {
	d := make([]int, j.table.Rows())
	rule := j.table.Rule(w)
	for i := range d {
		d[i] = rule.Decide(j.table.Votes(i))
	}
	return d
}

// near returns the lowest power of w whose loss on the table is within so many standard errors of that of w.
func (j *job) near(w vote.Weights, errors float64) vote.Weights {
	full := j.under(w)
	best := j.loss(full)
	for i := range 8 {
		v := power(w, float64(i)/8)
		d := j.under(v)
		if j.loss(d)-best <= errors*standardError(j.table, d, full, j.measure, j.seed) {
			return v
		}
	}
	return w
}

// stay returns w if it gains so many standard errors on the table itself, else ones.
func (j *job) stay(w vote.Weights, errors float64) vote.Weights {
	plain, tuned := j.under(ones(j.table)), j.under(w)
	if gain := j.loss(plain) - j.loss(tuned); gain > 0 && gain >= errors*standardError(j.table, plain, tuned, j.measure, j.seed) {
		return w
	}
	return ones(j.table)
}

// decided returns the decisions on the rows of all parts under the weights of each to the power p.
func (j *job) decided(p float64) []int {
	d := make([]int, j.table.Rows())
	for _, part := range j.folds() {
		w := ones(j.table)
		for c := range w {
			w[c] = math.Pow(part.weights[c], p)
		}
		rule := j.table.Rule(w)
		for _, i := range part.rows {
			d[i] = rule.Decide(j.table.Votes(i))
		}
	}
	return d
}

func (j *job) loss(decided []int) float64 { return lossOf(j.table, decided, j.measure) }

func lossOf(t *vote.Table, decided []int, m pragma.Measure) float64 {
	c := vote.NewConfusion(t.Classes)
	for i := range t.Judged() {
		c.Add(t.Truth[i], decided[i], 1)
	}
	return m.Loss(c)
}

// guard returns w if the weights of the parts gain more than so many standard errors on the rows left
// out, else 1 each.
func (j *job) guard(w vote.Weights, errors float64) vote.Weights {
	plain, tuned := j.decided(0), j.decided(1)
	gain := j.loss(plain) - j.loss(tuned)
	if gain >= errors*standardError(j.table, plain, tuned, j.measure, j.seed) {
		return w
	}
	return ones(j.table)
}

// shrunk returns w to the power that does best on the rows left out: of those within so many standard errors
// of the best, the lowest.
func (j *job) shrunk(w vote.Weights, errors float64) vote.Weights {
	powers := []float64{0, 0.25, 0.5, 0.75, 1}
	best, at := math.Inf(1), 0
	var all [][]int
	for i, p := range powers {
		all = append(all, j.decided(p))
		if l := j.loss(all[i]); l < best {
			best, at = l, i
		}
	}
	for i := range at {
		if j.loss(all[i])-best <= errors*standardError(j.table, all[i], all[at], j.measure, j.seed) {
			at = i
			break
		}
	}
	out := ones(j.table)
	for c := range out {
		out[c] = math.Pow(w[c], powers[at])
	}
	return out
}

// grid is scikit-learn's TunedThresholdClassifierCV: of 100 thresholds the one with the best mean over 5 folds.
func (j *job) grid() vote.Weights {
	of, err := dataset.Folds(&dataset.Frame{Classes: j.table.Classes, Truth: j.table.Truth}, 5, j.seed)
	if err != nil {
		j.err = err
		return ones(j.table)
	}
	var parts []*vote.Table
	for f := range 5 {
		_, rows := dataset.SplitFold(of, f)
		parts = append(parts, j.table.Take(rows))
	}
	best, out := math.Inf(1), ones(j.table)
	for i := range 100 {
		threshold := (float64(i) + 0.5) / 100 // of the share of the second class
		w, sum := vote.Weights{threshold, 1 - threshold}, 0.0
		for _, p := range parts {
			sum += j.measure.Loss(p.Confuse(w))
		}
		if sum < best {
			best, out = sum, w
		}
	}
	return out
}

// standardError returns that of the difference of the losses of two ways to decide the same rows, by 200 resamples.
func standardError(t *vote.Table, a, b []int, m pragma.Measure, seed uint64) float64 {
	pair := paired.New(t.Classes, nil)
	for i := range t.Judged() {
		pair.Add(t.Truth[i], a[i], b[i], 1, 1)
	}
	var gains []float64
	pair.Resample(rand.New(rand.NewPCG(seed, 7)), 200, func(a, b *vote.Confusion) { gains = append(gains, m.Loss(a)-m.Loss(b)) })
	return stat.PopStdDev(gains, nil)
}
