package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

const (
	newRows   = 2000   // of a sample that figures are estimated on
	drawnFrom = 20_000 // rows that it is drawn from
)

// shifts are the ways in which new rows differ from those of training.
var shifts = []string{"none", "classes", "rows", "unit"}

// inBand counts the runs of a set under a shift.
type inBand struct {
	runs, void   int
	figures, hit [2]int     // recall and precision: how many are estimated, and how many are within their interval
	width, off   [2]float64 // of the intervals, and of the estimates from what the labels say, summed up
	reasons      []string   // why runs are void
}

// labelled is what came of a set, by shift.
type labelled struct {
	set string
	by  []inBand
}

// withoutLabels estimates figures of samples of new rows, with a forest of its own for each.
func (s *study) withoutLabels(ctx context.Context, p problem) (labelled, error) {
	out := labelled{set: p.name, by: make([]inBand, len(shifts))}
	if err := s.read(p); err != nil {
		return out, err
	}
	runs := make([][]inBand, s.forests)
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(2)
	for i := range runs {
		group.Go(func() (err error) {
			runs[i], err = s.oneRun(inner, p, uint64(i)+2)
			return err
		})
	}
	err := group.Wait()
	for _, run := range runs {
		for i := range run {
			out.by[i].add(run[i])
		}
	}
	return out, err
}

// add adds runs up.
func (b *inBand) add(o inBand) {
	b.runs, b.void, b.reasons = b.runs+o.runs, b.void+o.void, append(b.reasons, o.reasons...)
	for i := range b.figures {
		b.figures[i] += o.figures[i]
		b.hit[i] += o.hit[i]
		b.width[i] += o.width[i]
		b.off[i] += o.off[i]
	}
}

// oneRun trains a model and judges its estimates under each shift.
func (s *study) oneRun(ctx context.Context, p problem, seed uint64) ([]inBand, error) {
	train, pool := s.rows(p, trainRows, drawnFrom, seed)
	class, err := set.Rarest(train)
	if err != nil {
		return nil, err
	}
	m, err := rfpragma.Fit(ctx, train, pragma.Spec{train.Classes[class]: {Theta: 10, X: 0.2, Y: 0.6}}, rfpragma.Config{
		Forest: forest.Config{Trees: s.trees, Seed: seed, Workers: 1}, TuneForest: rfpragma.TuneOff})
	if err != nil {
		return nil, err
	}
	out := make([]inBand, len(shifts))
	for i, shift := range shifts {
		rows := drawn(m, pool, shift, class, seed)
		if rows == nil {
			continue
		}
		votes, err := m.Forest.Votes(ctx, rows, 1)
		if err != nil {
			return nil, err
		}
		w, err := m.Watch(votes)
		if err != nil {
			return nil, err
		}
		e, err := m.Estimate(w, driftOf(m, rows))
		if err != nil {
			return nil, err
		}
		out[i].judge(e, votes.Confuse(m.Weights), class)
	}
	return out, nil
}

// judge compares estimates with what the labels say.
func (b *inBand) judge(e *eval.Estimates, truth *vote.Confusion, class int) {
	b.runs++
	if e.Void {
		b.void++
		why := "votes"
		if e.Columns != nil {
			why = "columns"
		}
		b.reasons = append(b.reasons, why)
		return
	}
	of := e.Classes[class]
	recall, known := truth.Recall(class)
	precision, alarmed := truth.Precision(class)
	for i, f := range []struct {
		is    float64
		known bool
		band  *eval.Forecast
	}{{recall, known, of.Recall}, {precision, alarmed, of.Precision}} {
		if !f.known || f.band == nil {
			continue
		}
		b.figures[i]++
		b.width[i] += f.band.Interval[1] - f.band.Interval[0]
		b.off[i] += math.Abs(f.band.Value - f.is)
		if f.band.Interval[0] <= f.is && f.is <= f.band.Interval[1] {
			b.hit[i]++
		}
	}
}

// driftOf returns what columns differ in.
func driftOf(m *rfpragma.Model, rows *dataset.Frame) []*dataset.ColumnDrift {
	conformed, err := m.Forest.Schema.Conform(rows)
	if err != nil {
		return nil
	}
	var out []*dataset.ColumnDrift
	for _, w := range conformed.Warnings {
		var d *dataset.ColumnDrift
		if errors.As(w, &d) {
			out = append(out, d)
		}
	}
	return out
}

// drawn are new rows under a shift: a class is twice as likely to be drawn; rows in the upper half of the column that
// the forest splits most by are three times as likely; or that column is in another unit.
func drawn(m *rfpragma.Model, pool *dataset.Frame, shift string, class int, seed uint64) *dataset.Frame {
	rng := rand.New(rand.NewPCG(seed, 77))
	importance := m.Forest.Importance()
	top := slices.Index(importance, slices.Max(importance))
	column := &pool.Columns[top]
	values := make([]float64, pool.Rows())
	for i := range values {
		if values[i] = column.At(i); values[i] != values[i] {
			values[i] = -math.MaxFloat64
		}
	}
	sorted := slices.Sorted(slices.Values(values))
	median := sorted[len(sorted)/2]
	type key struct {
		row int
		at  float64
	}
	keys := make([]key, pool.Rows())
	for i := range keys { // without replacement (Efraimidis and Spirakis 2006)
		weight := 1.0
		if shift == "classes" && pool.Truth[i] == class {
			weight = 2
		}
		if shift == "rows" && values[i] >= median && (values[i] > sorted[0]) {
			weight = 3
		}
		keys[i] = key{i, rng.ExpFloat64() / weight}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Compare(a.at, b.at) })
	var rows []int
	for _, k := range keys[:min(newRows, len(keys))] {
		rows = append(rows, k.row)
	}
	out := pool.Take(rows)
	if c := &out.Columns[top]; shift == "unit" {
		if c.Kind != dataset.Numeric {
			return nil
		}
		changed := make([]float64, out.Rows())
		for i := range changed {
			changed[i] = 10 * c.At(i)
		}
		c.Values, c.Codes = changed, nil
	}
	return out
}

// reportLabels shows how often figures lie in their intervals.
func reportLabels(all []labelled) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| set | new rows differ in | refused | recall: in the band | off | width | precision: in the band | off | width |\n|---|---|---|---|---|---|---|---|---|\n")
	total := make([]inBand, len(shifts))
	for _, l := range all {
		for i, of := range l.by {
			why := fmt.Sprintf("%d of %d", of.void, of.runs)
			if of.void > 0 {
				slices.Sort(of.reasons)
				why += " (" + strings.Join(slices.Compact(of.reasons), ", ") + ")"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", l.set, shifts[i], why, of.cells(0), of.cells(1))
			total[i].add(of)
		}
	}
	b.WriteString("\n")
	for i, of := range total {
		fmt.Fprintf(&b, "- %s: %d of %d runs are refused; of the others recall lies in its band in %s, precision in %s.\n", shifts[i],
			of.void, of.runs, of.hits(0), of.hits(1))
	}
	return b.String()
}

// hits shows how many figures are in their intervals.
func (b *inBand) hits(i int) string {
	if b.figures[i] == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f %% of %d", 100*float64(b.hit[i])/float64(b.figures[i]), b.figures[i])
}

// cells shows a figure: how often it is in its interval, how far off it is, and how wide that is, in points.
func (b *inBand) cells(i int) string {
	if b.figures[i] == 0 {
		return "– | – | –"
	}
	n := float64(b.figures[i])
	return fmt.Sprintf("%d of %d | %.1f | %.1f", b.hit[i], b.figures[i], 100*b.off[i]/n, 100*b.width[i]/n)
}
