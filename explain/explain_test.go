package explain_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/explain"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

// fit fits a model to made-up payments, in which one cell of each row is missing.
func fit(t *testing.T, c rfpragma.Config) (*rfpragma.Model, *dataset.Frame) {
	t.Helper()
	train := dataset.Fraud(600, 1)
	for j := range train.Columns {
		col := &train.Columns[j]
		values := make([]float64, train.Rows())
		for i := range values {
			if values[i] = col.At(i); i%len(train.Columns) == j {
				values[i] = math.NaN()
			}
		}
		col.Values, col.Codes = values, nil
	}
	c.Forest.Seed, c.Forest.Trees, c.TuneForest, c.Votes = 1, 40, rfpragma.TuneOff, "oob"
	m, err := rfpragma.Fit(context.Background(), train, nil, c)
	if err != nil {
		t.Fatal(err)
	}
	return m, train
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// The parts sum up to the share of the votes, and to the log odds of the probability, less the base; those of the log
// odds are in the proportions of the others.
func TestRows(t *testing.T) {
	for _, c := range []rfpragma.Config{{}, {Forest: forest.Config{Soft: true, MinLeaf: 5}},
		{Calibration: calib.IsotonicStep}, {Calibration: calib.Beta}, {Calibration: calib.None}} {
		m, train := fit(t, c)
		fresh := dataset.Fraud(60, 2)
		for class, name := range m.Classes() {
			share, err := explain.New(context.Background(), m, train, explain.Options{Class: name})
			if err != nil {
				t.Fatal(err)
			}
			odds, err := explain.New(context.Background(), m, train, explain.Options{Class: name, LogOdds: true})
			if err != nil {
				t.Fatal(err)
			}
			shares, err := share.Rows(context.Background(), fresh)
			if err != nil {
				t.Fatal(err)
			}
			logs, err := odds.Rows(context.Background(), fresh)
			if err != nil {
				t.Fatal(err)
			}
			x := make([]float64, len(m.Forest.Schema))
			for i := range fresh.Rows() {
				fresh.Row(x, i)
				p, err := m.Predict(x)
				if err != nil {
					t.Fatal(err)
				}
				own := p.Votes[class] / float64(m.Forest.Trees())
				if got := share.Base + sum(shares[i]); !(math.Abs(got-own) <= 1e-12) {
					t.Errorf("%v, row %d: shares sum up to %v, want %v", c.Calibration, i, got, own)
				}
				want := math.Log(max(1e-6, p.Probabilities[class])) - math.Log(max(1e-6, p.Probabilities[1-class]))
				if got := odds.Base + sum(logs[i]); !(math.Abs(got-want) <= 1e-9) {
					t.Errorf("%v, row %d: log odds sum up to %v, want %v", c.Calibration, i, got, want)
				}
				if one, err := odds.Row(context.Background(), x); err != nil || !slices.Equal(one, logs[i]) {
					t.Errorf("row %d alone: %v, %v, want %v", i, one, err, logs[i])
				}
				for j := range shares[i] {
					if cross := shares[i][j]*logs[i][0] - shares[i][0]*logs[i][j]; !(math.Abs(cross) <= 1e-12) {
						t.Errorf("row %d: parts %v and %v are not in proportion", i, shares[i], logs[i])
					}
				}
			}
		}
	}
}

func TestNewErrors(t *testing.T) {
	m, train := fit(t, rfpragma.Config{})
	three := dataset.Fraud(200, 1)
	three.Classes = append(three.Classes, "other")
	for i := range three.Rows() / 3 {
		three.Truth[3*i] = 2
	}
	of, err := rfpragma.Fit(context.Background(), three, nil, rfpragma.Config{Forest: forest.Config{Trees: 10}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m    *rfpragma.Model
		o    explain.Options
		rows *dataset.Frame
		err  error
		text string
	}{
		{m, explain.Options{Class: "frau"}, train, rfpragma.ErrConfig,
			`configuration: there is no class "frau" whose votes could be split`},
		{of, explain.Options{Class: "fraud", LogOdds: true}, train, rfpragma.ErrConfig,
			"configuration: log odds are split for two classes, and there are 3; split the share of the votes"},
		{m, explain.Options{Class: "fraud"}, train.Take(nil), forest.ErrTrain, ""},
	} {
		if e, err := explain.New(context.Background(), c.m, c.rows, c.o); !errors.Is(err, c.err) || e != nil ||
			c.text != "" && err.Error() != c.text {
			t.Errorf("%v, %v, want %v %s", e, err, c.err, c.text)
		}
	}
}

// A row that is changed as it is said is decided otherwise, by weights and by cost; columns that are kept are; and what
// one cell can do is not done by two. (forest tests that no change is nearer.)
func TestNearest(t *testing.T) {
	cost, err := pragma.ParseCosts([]string{"fraud=50", "ok=2"}, dataset.Fraud(1, 1).Classes)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []rfpragma.Config{{}, {Costs: cost, ByCost: true}} {
		m, _ := fit(t, c)
		fresh, cells := dataset.Fraud(150, 2), map[int]int{}
		x := make([]float64, len(m.Forest.Schema))
		for i := range fresh.Rows() {
			fresh.Row(x, i)
			x[i%len(x)] = math.NaN()
			p, err := m.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			change, err := explain.Nearest(context.Background(), m, x, explain.ChangeOptions{Keep: []string{"amount"}})
			if err != nil {
				t.Fatal(err)
			}
			if change == nil {
				cells[0]++
				continue
			}
			cells[len(change.Cells)]++
			then, err := m.Predict(change.Row)
			if err != nil || then.Class == p.Class || then.Class != change.Class {
				t.Errorf("row %d: %v stays %s: %v, %v", i, change, p.Class, then, err)
			}
			kept := !slices.ContainsFunc(change.Cells, func(c explain.ChangedCell) bool { return c.Column == "amount" })
			if changed := changedCells(x, change.Row); changed != len(change.Cells) || !kept {
				t.Errorf("row %d: %d cells differ: %v", i, changed, change)
			}
			to, err := explain.Nearest(context.Background(), m, x,
				explain.ChangeOptions{Class: change.Class, Keep: []string{"amount"}})
			if err != nil || fmt.Sprint(to.Cells) != fmt.Sprint(change.Cells) {
				t.Errorf("row %d: to %s it takes %v, else %v, %v", i, change.Class, to, change, err)
			}
			if same, err := explain.Nearest(context.Background(), m, x, explain.ChangeOptions{Class: p.Class}); same != nil ||
				err != nil {
				t.Errorf("row %d is %s: %v, %v", i, p.Class, same, err)
			}
		}
		if cells[1] == 0 || cells[2] == 0 {
			t.Errorf("not all cases are tried: %v", cells)
		}
	}
}

// Of three classes a row becomes the one that is named, and any other one with no more cells.
func TestNearestOfThree(t *testing.T) {
	train := dataset.Fraud(400, 1)
	train.Classes = []string{"large", "fraud", "ok"}
	for i := range train.Truth {
		if train.Truth[i]++; train.Columns[0].At(i) > 60 {
			train.Truth[i] = 0
		}
	}
	m, err := rfpragma.Fit(context.Background(), train, nil,
		rfpragma.Config{Forest: forest.Config{Trees: 30, Seed: 1}, Votes: "oob"})
	if err != nil {
		t.Fatal(err)
	}
	x, found := make([]float64, len(m.Forest.Schema)), 0
	for i := range 60 {
		train.Row(x, i)
		least := 9
		for _, class := range m.Classes() {
			change, err := explain.Nearest(context.Background(), m, x, explain.ChangeOptions{Class: class})
			if err != nil {
				t.Fatal(err)
			}
			if change == nil {
				continue
			}
			found++
			least = min(least, len(change.Cells))
			if p, err := m.Predict(change.Row); err != nil || p.Class != class || change.Class != class {
				t.Errorf("row %d: %v is %v, want %s", i, change, p, class)
			}
		}
		any, err := explain.Nearest(context.Background(), m, x, explain.ChangeOptions{})
		if err != nil || (any == nil) != (least == 9) || any != nil && len(any.Cells) != least {
			t.Errorf("row %d: any other class takes %v, %v, a named one %d cells", i, any, err, least)
		}
	}
	if found < 60 {
		t.Errorf("only %d changes were looked at", found)
	}
}

// A model that decides by the amount of a row keeps it, and may lack it.
func TestNearestByAmount(t *testing.T) {
	train := dataset.Fraud(600, 1)
	train.Reading.Amount = "amount"
	at := slices.IndexFunc(train.Columns, func(c dataset.Column) bool { return c.Name == "amount" })
	train.Amount = make([]float64, train.Rows())
	for i := range train.Amount {
		train.Amount[i] = train.Columns[at].At(i)
	}
	costs, err := pragma.ParseCosts([]string{"fraud=amount", "ok=5"}, train.Classes)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rfpragma.Fit(context.Background(), train, nil,
		rfpragma.Config{Costs: costs, ByCost: true, Forest: forest.Config{Trees: 40, Seed: 1}, Votes: "oob"})
	if err != nil {
		t.Fatal(err)
	}
	x, found := make([]float64, len(m.Forest.Schema)), 0
	for i := range 100 {
		train.Row(x, i)
		own, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		change, err := explain.Nearest(context.Background(), m, x, explain.ChangeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			found++
			if p, err := m.Predict(change.Row); err != nil || p.Class == own.Class || change.Row[at] != x[at] {
				t.Errorf("row %d: %v stays %s, %v", i, change, p.Class, err)
			}
		}
		x[at] = math.NaN()
		if _, err := explain.Nearest(context.Background(), m, x, explain.ChangeOptions{}); err != nil {
			t.Error(err)
		}
	}
	if found < 20 {
		t.Errorf("only %d changes were looked at", found)
	}
}

func changedCells(a, b []float64) int {
	n := 0
	for j, v := range a {
		if v != b[j] && (v == v || b[j] == b[j]) {
			n++
		}
	}
	return n
}

func TestNearestErrors(t *testing.T) {
	m, train := fit(t, rfpragma.Config{})
	x := make([]float64, len(m.Forest.Schema))
	train.Row(x, 0)
	for _, c := range []struct {
		x    []float64
		o    explain.ChangeOptions
		err  error
		text string
	}{
		{x[:2], explain.ChangeOptions{}, rfpragma.ErrRow, "row: 2 cells for the 12 features of the model"},
		{x, explain.ChangeOptions{Most: 4}, rfpragma.ErrConfig, "configuration: a change of up to 4 cells; choose 1 to 3"},
		{x, explain.ChangeOptions{Keep: []string{"amont"}}, rfpragma.ErrConfig, ""},
		{x, explain.ChangeOptions{Class: "frau"}, rfpragma.ErrConfig, ""},
	} {
		if got, err := explain.Nearest(context.Background(), m, c.x, c.o); !errors.Is(err, c.err) || got != nil ||
			c.text != "" && err.Error() != c.text {
			t.Errorf("%v, %v, want %v %s", got, err, c.err, c.text)
		}
	}
}
