package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

func load(path string) ([]outcome, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []outcome
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// pair are two outcomes of the same rows: losses, and log losses.
type pair struct {
	before, after, plain        float64 // PRAGMA
	gain, gainPlain             float64 // standard errors of before−after and of plain−after
	logBefore, logAfter, logRaw float64
	logGain, logGainRaw         float64 // standard errors of logBefore−logAfter and of logRaw−logAfter
	secondsBefore, secondsAfter float64
}

// compareFiles prints by set and goal what two runs say, means over their seeds.
func compareFiles(w io.Writer, older, newer string) error {
	a, err := load(older)
	if err != nil {
		return err
	}
	b, err := load(newer)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "| set | goal | plain | before | after | after − before, se | after − plain, se | log loss raw | before | after | after − before, se | after − raw, se | time |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	var pairs []pair
	var bySet [][2]float64 // mean over the goals: of the losses, and of the log losses
	for _, name := range set.PublicNames() {
		var sums [2]float64
		found := 0
		for _, g := range set.Goals {
			is := func(o outcome) bool { return o.Set == name && o.Goal == g.Name }
			p, ok, err := paired(only(a, is), only(b, is), g)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			found++
			pairs = append(pairs, p)
			sums[0] += p.after - p.before
			sums[1] += p.logAfter - p.logBefore
			fmt.Fprintf(w, "| %s | %s | %.4f | %.4f | %.4f | %+.1f | %+.1f | %.4f | %.4f | %.4f | %+.1f | %+.1f | %.1f |\n", name, g.Name,
				p.plain, p.before, p.after, errors(p.after-p.before, p.gain), errors(p.after-p.plain, p.gainPlain),
				p.logRaw, p.logBefore, p.logAfter, errors(p.logAfter-p.logBefore, p.logGain), errors(p.logAfter-p.logRaw, p.logGainRaw), p.secondsAfter/p.secondsBefore)
		}
		if found > 0 {
			bySet = append(bySet, [2]float64{sums[0] / float64(found), sums[1] / float64(found)})
		}
	}
	summary(w, pairs, bySet)
	return nil
}

func only(all []outcome, is func(outcome) bool) []outcome {
	var some []outcome
	for _, o := range all {
		if is(o) {
			some = append(some, o)
		}
	}
	return some
}

// errors is a difference in standard errors.
func errors(difference, standardError float64) float64 {
	if difference == 0 {
		return 0
	}
	return difference / max(standardError, 1e-12)
}

// paired compares outcomes seed by seed. Standard errors are of the means over the seeds, by resampling rows.
func paired(a, b []outcome, g set.Goal) (p pair, ok bool, err error) {
	n := min(len(a), len(b))
	if n == 0 {
		return p, false, nil
	}
	gains, plains := make([]float64, 400), make([]float64, 400)
	rows := len(a[0].Truth)
	logs := [3][]float64{make([]float64, rows), make([]float64, rows), make([]float64, rows)} // by row: raw, before, after
	for s := range n {
		x, y := a[s], b[s]
		if !slices.Equal(x.Classes, y.Classes) || !slices.Equal(x.Truth, y.Truth) || x.Seed != y.Seed {
			return p, false, fmt.Errorf("%s: the files are not of the same rows", x.Set)
		}
		spec, err := g.Spec(&dataset.Frame{Classes: x.Classes, Truth: x.Truth})
		if err != nil {
			return p, false, err
		}
		m, err := spec.Measure(x.Classes)
		if err != nil {
			return p, false, err
		}
		each := 1 / float64(n)
		rng := rand.New(rand.NewPCG(7, 7)) // the same resamples of rows for all seeds
		weights := make([]float64, rows)
		for r := range len(gains) + 1 {
			for i := range weights {
				weights[i] = 1
			}
			if r > 0 {
				clear(weights)
				for range rows {
					weights[rng.IntN(rows)]++
				}
			}
			plain, before, after := m.Loss(counted(x, y.Plain, weights)), m.Loss(counted(x, x.Decided, weights)), m.Loss(counted(x, y.Decided, weights))
			if r == 0 {
				p.plain, p.before, p.after = p.plain+each*plain, p.before+each*before, p.after+each*after
				continue
			}
			gains[r-1] += each * (before - after)
			plains[r-1] += each * (plain - after)
		}
		for i := range rows {
			for j, q := range []float64{y.Raw[i], x.Right[i], y.Right[i]} {
				logs[j][i] -= each * math.Log(max(q, 1e-15))
			}
		}
		p.secondsBefore, p.secondsAfter = p.secondsBefore+x.Seconds, p.secondsAfter+y.Seconds
	}
	p.gain, p.gainPlain = stat.PopStdDev(gains, nil), stat.PopStdDev(plains, nil)
	p.logRaw, p.logBefore, p.logAfter = stat.Mean(logs[0], nil), stat.Mean(logs[1], nil), stat.Mean(logs[2], nil)
	difference := func(a, b []float64) float64 {
		d := make([]float64, rows)
		for i := range d {
			d[i] = a[i] - b[i]
		}
		return stat.StdErr(stat.StdDev(d, nil), float64(rows))
	}
	p.logGain, p.logGainRaw = difference(logs[1], logs[2]), difference(logs[0], logs[2])
	return p, true, nil
}

func counted(o outcome, decided []int, weights []float64) *vote.Confusion {
	m := vote.NewConfusion(o.Classes)
	for i, truth := range o.Truth {
		m.Add(truth, decided[i], weights[i])
	}
	return m
}

func summary(w io.Writer, pairs []pair, bySet [][2]float64) {
	column := func(f func(pair) float64) []float64 {
		var out []float64
		for _, p := range pairs {
			out = append(out, f(p))
		}
		return out
	}
	mean := func(f func(pair) float64) float64 { return stat.Mean(column(f), nil) }
	over := func(f func(pair) float64) (n int) {
		for _, v := range column(f) {
			if v > 2 {
				n++
			}
		}
		return n
	}
	ofSets := func(j int) (mean, se float64) {
		var d []float64
		for _, s := range bySet {
			d = append(d, s[j])
		}
		return stat.Mean(d, nil), stat.StdErr(stat.StdDev(d, nil), float64(len(d)))
	}
	fmt.Fprintf(w, "\n%d sets, %d cases.\n\n", len(bySet), len(pairs))
	fmt.Fprintln(w, "| | plain, raw | before | after | difference | se over sets | se within sets | worse than before by > 2 se | worse than plain, raw by > 2 se |\n|---|---|---|---|---|---|---|---|---|")
	within := func(f func(pair) float64) float64 {
		sum := 0.0
		for _, v := range column(f) {
			sum += v * v
		}
		return math.Sqrt(sum) / float64(len(pairs))
	}
	d, se := ofSets(0)
	fmt.Fprintf(w, "| PRAGMA | %.4f | %.4f | %.4f | %+.4f | %.4f | %.4f | %d | %d |\n", mean(func(p pair) float64 { return p.plain }), mean(func(p pair) float64 { return p.before }), mean(func(p pair) float64 { return p.after }), d, se,
		within(func(p pair) float64 { return p.gain }),
		over(func(p pair) float64 { return errors(p.after-p.before, p.gain) }), over(func(p pair) float64 { return errors(p.after-p.plain, p.gainPlain) }))
	d, se = ofSets(1)
	fmt.Fprintf(w, "| log loss | %.4f | %.4f | %.4f | %+.4f | %.4f | %.4f | %d | %d |\n", mean(func(p pair) float64 { return p.logRaw }), mean(func(p pair) float64 { return p.logBefore }), mean(func(p pair) float64 { return p.logAfter }), d, se,
		within(func(p pair) float64 { return p.logGain }),
		over(func(p pair) float64 { return errors(p.logAfter-p.logBefore, p.logGain) }), over(func(p pair) float64 { return errors(p.logAfter-p.logRaw, p.logGainRaw) }))
}
