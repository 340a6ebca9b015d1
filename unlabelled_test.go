package rfpragma

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// watched is a model of made-up payments, saved and read, with rows that it has not seen.
func watched(t *testing.T, rows int) (*Model, *dataset.Frame) {
	t.Helper()
	spec := pragma.Spec{"fraud": {Theta: 10, X: 0.2, Y: 0.6}}
	costs := pragma.Costs{Matrix: [][]float64{{0, 20}, {1, 0}}}
	m, err := Fit(t.Context(), dataset.Fraud(4000, 1), spec, Config{Forest: forest.Config{Trees: 200, Seed: 3},
		TuneForest: TuneOff, Costs: costs, MeasureName: costMeasure})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	if m, err = ReadModel(&file); err != nil || m.Provenance.Spread == nil {
		t.Fatal(err)
	}
	return m, dataset.Fraud(rows, 2)
}

// Sums of parts of the rows add up, and without another mixture of classes figures are those of a sum over rows.
func TestEstimateIsSumOfProbabilities(t *testing.T) {
	m, rows := watched(t, 3000)
	votes, err := m.Votes(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	w, err := m.Watch(votes)
	if err != nil {
		t.Fatal(err)
	}
	var first, rest []int
	for i := range votes.Rows() {
		if i%3 == 0 {
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	sum, err := m.Watch(votes.Take(first))
	if err != nil {
		t.Fatal(err)
	}
	other, err := m.Watch(votes.Take(rest))
	if err != nil {
		t.Fatal(err)
	}
	sum.Gather(other)
	sum.Gather(nil)
	for i, c := range w.Cells {
		if s := sum.Cells[i]; s.Part != c.Part || s.Decision != c.Decision || s.Rows != c.Rows || math.Abs(s.Expected[0]-c.Expected[0]) > 1e-9 ||
			math.Abs(s.Noise[1]-c.Noise[1]) > 1e-9 {
			t.Errorf("%+v is not %+v", s, c)
		}
	}
	e, err := m.Estimate(w, nil)
	if err != nil || e.Void || e.Shifted || e.Rows != 3000 {
		t.Fatalf("%+v, %v", e, err)
	}
	var hits, alarms, expected, cost float64
	p := make([]float64, 2)
	for i := range votes.Rows() {
		m.Probabilities(p, votes.Votes(i))
		expected += p[0]
		if m.Decide(votes.Votes(i)) == 0 {
			hits, alarms, cost = hits+p[0], alarms+1, cost+p[1]
		} else {
			cost += 20 * p[0]
		}
	}
	fraud := e.Classes[0]
	for name, of := range map[string][2]float64{"recall": {fraud.Recall.Value, hits / expected},
		"precision": {fraud.Precision.Value, hits / alarms}, "share": {fraud.Share.Value, expected / 3000},
		"alerts": {fraud.Alerts, alarms / 3000}, "cost": {e.Cost.Value, cost / 3000}} {
		if math.Abs(of[0]-of[1]) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, of[0], of[1])
		}
	}
}

// Where frauds are three times as common, the votes tell, and estimates hold what labels say. Where a column is in another unit they are void.
func TestEstimateOfOtherRows(t *testing.T) {
	m, pool := watched(t, 20_000)
	var rows []int
	for i, truth := range pool.Truth {
		if truth == 0 || i%3 == 0 {
			rows = append(rows, i)
		}
	}
	estimate := func(f *dataset.Frame, drift ...*dataset.ColumnDrift) (*eval.Estimates, *vote.Table) {
		votes, err := m.Votes(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		w, err := m.Watch(votes)
		if err != nil {
			t.Fatal(err)
		}
		e, err := m.Estimate(w, drift)
		if err != nil {
			t.Fatal(err)
		}
		return e, votes
	}
	e, votes := estimate(pool.Take(rows))
	if !e.Shifted || e.Void {
		t.Fatalf("%+v", e)
	}
	truth := votes.Confuse(m.Weights)
	recall, _ := truth.Recall(0)
	precision, _ := truth.Precision(0)
	fraud := e.Classes[0]
	for name, of := range map[string]struct {
		is   float64
		band [2]float64
	}{"recall": {recall, fraud.Recall.Interval}, "precision": {precision, fraud.Precision.Interval},
		"share": {truth.True(0) / truth.Total(), fraud.Share.Interval},
		"cost":  {m.Provenance.CostsOf().Total(truth) / truth.Total(), e.Cost.Interval}} {
		if of.is < of.band[0] || of.is > of.band[1] {
			t.Errorf("%s is %v, not in %v", name, of.is, of.band)
		}
	}
	top := slices.MaxFunc(m.bears, func(a, b bearing) int { return cmp.Compare(a.part, b.part) })
	column := m.Forest.Schema[top.feature].Name
	for _, d := range []*dataset.ColumnDrift{{Column: column, PSI: 3}, {Column: column, Factor: 10}, {Column: column, Missing: 9}} {
		if e, _ := estimate(pool.Take(rows), d); !e.Void || !slices.Equal(e.Columns, []string{column}) ||
			e.Classes[0].Recall != nil || e.Cost != nil || e.Classes[0].Alerts == 0 {
			t.Errorf("%+v: %+v", d, e)
		}
	}
	if e, _ := estimate(pool.Take(rows), &dataset.ColumnDrift{Column: column, PSI: 0.02},
		&dataset.ColumnDrift{Column: "other", PSI: 3}, nil); e.Void {
		t.Errorf("a column that shares of classes explain, and one that the model does not know: %+v", e)
	}
	strange := &vote.Table{Classes: m.Classes(), Source: vote.Holdout, Trees: 200}
	for range 500 { // no mixture has so many rows in the middle
		strange.Truth, strange.Counts = append(strange.Truth, -1), append(strange.Counts, 95, 105)
	}
	w, err := m.Watch(strange)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := m.Estimate(w, nil); err != nil || !e.Unlike || !e.Void {
		t.Errorf("%+v, %v", e, err)
	}
}

// Rows that are left to people are counted among all rows, and not judged.
func TestWatchOfReview(t *testing.T) {
	m, rows := watched(t, 2000)
	votes, err := m.Votes(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	m.Provenance.Review = &Reviewing{Margin: 1.5, Share: 0.1, Reviewed: 0.1, Loss: new(float64)}
	w, err := m.Watch(votes)
	if err != nil {
		t.Fatal(err)
	}
	e, err := m.Estimate(w, nil)
	if err != nil {
		t.Fatal(err)
	}
	alarms, closed := 0, 0
	for i := range votes.Rows() {
		if m.Close(votes.Votes(i)) {
			closed++
		} else if m.Decide(votes.Votes(i)) == 0 {
			alarms++
		}
	}
	if closed == 0 || e.Rows != 2000 || math.Abs(2000*e.Classes[0].Alerts-float64(alarms)) > 1e-6 {
		t.Errorf("%d alarms, %d close: %+v", alarms, closed, e)
	}
}

func TestWatchErrors(t *testing.T) {
	m, rows := watched(t, 50)
	votes, err := m.Votes(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	sound, err := m.Watch(votes)
	if err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]*eval.Watch{"nil": nil, "empty": {}, "another part": {Rows: 1,
		Cells: []eval.WatchedCell{{Part: 999, Rows: 1, Expected: []float64{1, 0}, Noise: []float64{0, 0}}}},
		"another number of classes": {Rows: 1, Cells: []eval.WatchedCell{{Rows: 1, Expected: []float64{1}, Noise: []float64{0}}}}} {
		if _, err := m.Estimate(w, nil); !errors.Is(err, eval.ErrUnwatched) {
			t.Errorf("%s: %v", name, err)
		}
	}
	old := *m
	old.Provenance.Spread = nil
	if _, err := old.Watch(votes); !errors.Is(err, eval.ErrUnwatched) {
		t.Errorf("a model of before: %v", err)
	}
	if _, err := old.Estimate(sound, nil); !errors.Is(err, eval.ErrUnwatched) {
		t.Errorf("a model of before: %v", err)
	}
	if _, err := m.Watch(&vote.Table{Classes: []string{"x", "y"}}); !errors.Is(err, ErrConfig) {
		t.Errorf("votes of other classes: %v", err)
	}
}
