package rfpragma_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// slowReasons asks the model again for the row without each cell.
func slowReasons(t *testing.T, m *rfpragma.Model, x []float64, class string, n int) []rfpragma.Reason {
	t.Helper()
	c := slices.Index(m.Classes(), class)
	all, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	reasons := []rfpragma.Reason{}
	for j, field := range m.Forest.Schema {
		without := slices.Clone(x)
		without[j] = math.NaN()
		p, err := m.Predict(without)
		if err != nil {
			t.Fatal(err)
		}
		if fall := math.Round(1000*(all.Votes[c]-p.Votes[c])) / 1000; fall > 0 { // soft votes are whole thousandths
			reasons = append(reasons, rfpragma.Reason{Column: field.Name, Value: field.Text(x[j]), Votes: fall})
		}
	}
	slices.SortStableFunc(reasons, func(a, b rfpragma.Reason) int { return cmp.Compare(b.Votes, a.Votes) })
	return reasons[:min(n, len(reasons))]
}

// The reasons of many goroutines are those of a slow search, for any class, with categories, missing cells, and soft
// votes.
func TestReasons(t *testing.T) {
	for _, soft := range []bool{false, true} {
		c := rfpragma.Config{Forest: forest.Config{Trees: 60, Seed: 1, Soft: soft, MinLeaf: 3}, Votes: "oob"}
		m, err := rfpragma.Fit(context.Background(), dataset.Fraud(1500, 1), nil, c)
		if err != nil {
			t.Fatal(err)
		}
		fresh, given := dataset.Fraud(120, 2), 0
		var wg sync.WaitGroup
		for i := range fresh.Rows() {
			x := make([]float64, len(m.Forest.Schema))
			fresh.Row(x, i)
			x[i%len(x)] = math.NaN()
			class, n := m.Classes()[i%2], 1+i%5
			want := slowReasons(t, m, x, class, n)
			given += len(want)
			wg.Go(func() {
				got, err := m.Reasons(x, class, n)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("soft %v, row %d, class %q: %v, %v, want %v", soft, i, class, got, err, want)
				}
			})
		}
		if wg.Wait(); given < 40 {
			t.Errorf("soft %v: only %d reasons were looked at", soft, given)
		}
	}
}

// A column that decides alone, and one that says nothing.
func TestReasonsOneColumn(t *testing.T) {
	train := &dataset.Frame{Classes: []string{"ill", "well"}, Columns: []dataset.Column{
		{Field: dataset.Field{Name: "TSH"}}, {Field: dataset.Field{Name: "site", Kind: dataset.Categorical,
			Levels: []string{"north"}}},
	}}
	for i := range 90 {
		ill := i%3 == 0
		train.Truth = append(train.Truth, map[bool]int{true: 0, false: 1}[ill])
		train.Columns[0].Values = append(train.Columns[0].Values, map[bool]float64{true: 9.25, false: 1}[ill])
		train.Columns[1].Values = append(train.Columns[1].Values, 0)
	}
	m, err := rfpragma.Fit(context.Background(), train, nil, rfpragma.Config{TuneForest: rfpragma.TuneOff,
		Forest: forest.Config{Trees: 200, Seed: 1, Bag: forest.Stratified}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cell  float64
		class string
		want  []rfpragma.Reason
	}{
		// a missing cell goes the way of most rows, which are well
		{9.25, "ill", []rfpragma.Reason{{Column: "TSH", Value: "9.25", Votes: 200}}},
		{9.25, "well", []rfpragma.Reason{}},
		{1, "well", []rfpragma.Reason{}},
		{math.NaN(), "well", []rfpragma.Reason{}},
	} {
		if got, err := m.Reasons([]float64{c.cell, 0}, c.class, 5); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("TSH %v, %s: %v, %v, want %v", c.cell, c.class, got, err, c.want)
		}
	}
	for _, c := range []struct {
		x     []float64
		class string
		n     int
		err   error
		want  string
	}{
		{[]float64{1}, "ill", 1, rfpragma.ErrRow, "row: 1 cells for the 2 features of the model"},
		{[]float64{1, 7}, "ill", 1, rfpragma.ErrRow,
			`row: column "site": 7 is not the index of one of its categories; make rows with Row`},
		{[]float64{1, 0}, "sick", 1, rfpragma.ErrConfig, `configuration: there is no class "sick" to give reasons for`},
		{[]float64{1, 0}, "ill", 0, rfpragma.ErrConfig, "configuration: 0 reasons; choose 1 or more"},
	} {
		if got, err := m.Reasons(c.x, c.class, c.n); !errors.Is(err, c.err) || fmt.Sprint(err) != c.want || got != nil {
			t.Errorf("%v, %s, %d: %v, %v, want %s", c.x, c.class, c.n, got, err, c.want)
		}
	}
}
