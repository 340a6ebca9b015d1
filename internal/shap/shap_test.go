package shap_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/explain"
	"github.com/rfpragma/rfpragma/foreign"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/report"
	"github.com/rfpragma/rfpragma/internal/shap"
	"github.com/rfpragma/rfpragma/vote"
)

// judged fits a model to the first half of rows, and has it decide the second.
func judged(t *testing.T, all *dataset.Frame, c forest.Config) (*rfpragma.Model, *shap.Rows) {
	t.Helper()
	var train, later []int
	for i := range all.Rows() {
		if i%2 == 0 {
			train = append(train, i)
		} else {
			later = append(later, i)
		}
	}
	c.Seed, c.Trees = 1, 30
	m, err := rfpragma.Fit(t.Context(), all.Take(train), nil, rfpragma.Config{Forest: c, TuneForest: rfpragma.TuneOff,
		Votes: "oob"})
	if err != nil {
		t.Fatal(err)
	}
	return m, decided(t, m, all.Take(later))
}

// decided are rows as a model decides them.
func decided(t *testing.T, m *rfpragma.Model, frame *dataset.Frame) *shap.Rows {
	t.Helper()
	votes, err := m.Forest.Votes(t.Context(), frame, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &shap.Rows{Frame: frame, Votes: votes, Workers: 1,
		Decided: func(i int) int { return m.DecideFor(votes.Votes(i), math.NaN()) }}
}

// three has rows of three classes, a column of categories and missing cells.
func three(n int) *dataset.Frame {
	x := dataset.Column{Field: dataset.Field{Name: "<script>x</script>"}}
	y := dataset.Column{Field: dataset.Field{Name: "y"}}
	z := dataset.Column{Field: dataset.Field{Name: "z", Kind: dataset.Categorical, Levels: []string{"p", "q"}}}
	f := &dataset.Frame{Classes: []string{"a", "b", "c"}}
	for i := range n {
		class := i % 3
		f.Truth = append(f.Truth, class)
		x.Values = append(x.Values, float64((i*7)%11+4*class))
		y.Values = append(y.Values, float64((i*5)%13-2*class))
		z.Values = append(z.Values, float64((i/3+class/2)%2))
		if i%10 == 0 {
			y.Values[i] = math.NaN()
		}
		f.Weight = append(f.Weight, 1+float64(i%4))
	}
	f.Columns = []dataset.Column{x, y, z}
	return f
}

func of(t *testing.T, m *rfpragma.Model, rows *shap.Rows, class int) *report.Parts {
	t.Helper()
	p, err := shap.Of(t.Context(), m, rows, class)
	if err != nil || p == nil {
		t.Fatal(p, err)
	}
	return p
}

// shareOf is the share of the votes for a class that a row has.
func shareOf(t *vote.Table, row, class int) float64 {
	return float64(t.Votes(row)[class]) / (t.Unit() * float64(t.Trees))
}

// What is told of each row leads from the mean share of the votes to its own, for two classes and for three, with hard
// votes and soft ones; outcomes are those of the decisions, and come by their votes.
func TestExamples(t *testing.T) {
	for name, tc := range map[string]struct {
		frame *dataset.Frame
		c     forest.Config
	}{
		"two": {dataset.Fraud(800, 1), forest.Config{}}, "soft": {dataset.Fraud(800, 1), forest.Config{Soft: true, MinLeaf: 5}},
		"three": {three(300), forest.Config{MinLeaf: 10}},
	} {
		m, rows := judged(t, tc.frame, tc.c)
		for class := range m.Classes() {
			p := of(t, m, rows, class)
			base, weight, before := 0.0, 0.0, report.Example{}
			for i := range rows.Frame.Rows() {
				base, weight = base+rows.Frame.WeightOf(i)*shareOf(rows.Votes, i, class), weight+rows.Frame.WeightOf(i)
			}
			if p.Class != m.Classes()[class] || math.Abs(p.Base-base/weight) > 1e-12 {
				t.Errorf("%s, %d: base %v of %q, want %v", name, class, p.Base, p.Class, base/weight)
			}
			for _, e := range p.Examples {
				sum := e.Base + e.Others
				for i, c := range e.Cells {
					if sum += c.Part; i > 0 && math.Abs(c.Part) > math.Abs(e.Cells[i-1].Part) {
						t.Errorf("%s, %s: %v comes after %v", name, e.Label(), c, e.Cells[i-1])
					}
				}
				row := e.Row - 1
				if got := shareOf(rows.Votes, row, class); math.Abs(e.Share-got) > 1e-12 || math.Abs(sum-got) > 1e-12 {
					t.Errorf("%s, %s: parts lead to %v and %v, and the votes are %v", name, e.Label(), e.Share, sum, got)
				}
				want := map[[2]bool]string{{true, true}: "alarm, right", {false, true}: "false alarm", {true, false}: "missed"}[[2]bool{rows.Frame.Truth[row] == class, rows.Decided(row) == class}]
				if e.Outcome != want || e.Outcome == before.Outcome && e.Share > before.Share+1e-12 {
					t.Errorf("%s: %s is %s, with %v votes after %v", name, e.Label(), want, e.Share, before.Share)
				}
				if len(e.Cells) > 9 || len(e.Cells)+e.Columns != len(m.Forest.Schema) {
					t.Errorf("%s, %s: %d cells and %d other columns", name, e.Label(), len(e.Cells), e.Columns)
				}
				for _, c := range e.Cells {
					at := slices.IndexFunc(rows.Frame.Columns, func(other dataset.Column) bool { return other.Name == c.Column })
					if col := &rows.Frame.Columns[at]; col.Text(col.At(row)) != c.Value {
						t.Errorf("%s, %s: %s is %q", name, e.Label(), c.Column, c.Value)
					}
				}
				before = e
			}
			if n := len(p.Examples); n == 0 || n > 12 {
				t.Errorf("%s: %d examples", name, n)
			}
		}
	}
}

// Columns come by the mean size of their parts, each row by its weight, and their dots are the parts of package
// explain; the number of workers changes nothing, and JSON keeps all.
func TestColumns(t *testing.T) {
	m, rows := judged(t, three(300), forest.Config{})
	p := of(t, m, rows, 1)
	e, err := explain.New(t.Context(), m, rows.Frame, explain.Options{Class: "b"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := e.Rows(t.Context(), rows.Frame)
	if err != nil {
		t.Fatal(err)
	}
	total, before := 0.0, math.Inf(1)
	for _, c := range p.Columns {
		j := slices.IndexFunc(m.Forest.Schema, func(f dataset.Field) bool { return f.Name == c.Name })
		mean, weight, sum, dots := 0.0, 0.0, 0.0, 0.0
		for i, row := range all {
			mean, weight, sum = mean+rows.Frame.WeightOf(i)*math.Abs(row[j]), weight+rows.Frame.WeightOf(i), sum+row[j]
		}
		for _, part := range c.Parts {
			dots += float64(part)
		}
		if math.Abs(c.Mean-mean/weight) > 1e-12 || math.Abs(sum-dots) > 1e-12 || c.Mean > before || len(c.Parts) != p.Rows {
			t.Errorf("%s: mean %v, want %v; %d dots sum up to %v, want %v", c.Name, c.Mean, mean/weight, len(c.Parts), dots, sum)
		}
		for i, place := range c.Places {
			if blank := c.Name == "z" || c.Name == "y" && place == -1; (place == -1) != blank || place > 100 {
				t.Errorf("%s, dot %d: %d", c.Name, i, place)
			}
		}
		if c.Name == "<script>x</script>" {
			order(t, &rows.Frame.Columns[0], rows.Frame.Truth, c.Places)
		}
		total, before = total+c.Share, c.Mean
	}
	if len(p.Columns) != 3 || math.Abs(total-1) > 1e-12 {
		t.Errorf("%d columns have %v of all", len(p.Columns), total)
	}
	more := *rows
	more.Workers = 4
	if again := of(t, m, &more, 1); !reflect.DeepEqual(again, p) {
		t.Error("four workers find something else")
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var read report.Parts
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(read.Examples, p.Examples) || read.Columns[0].Mean != p.Columns[0].Mean || read.Base != p.Base {
		t.Error("JSON does not keep the figures")
	}
}

// order holds places against the cells that they are of: those of class 1 come first.
func order(t *testing.T, c *dataset.Column, truth, places []int) {
	t.Helper()
	var cells []float64
	for _, own := range []bool{true, false} {
		for i, class := range truth {
			if (class == 1) == own {
				cells = append(cells, c.At(i))
			}
		}
	}
	for i := range cells {
		for k := range cells {
			if cells[i] < cells[k] && places[i] > places[k] || cells[i] == cells[k] && places[i] != places[k] {
				t.Fatalf("%v has place %d, and %v has %d", cells[i], places[i], cells[k], places[k])
			}
		}
	}
	if slices.Min(places) < 0 || slices.Max(places)-slices.Min(places) < 80 {
		t.Errorf("places are from %d to %d", slices.Min(places), slices.Max(places))
	}
}

// Of many rows a sample is drawn, in which a rare class is; it stands for all of them.
func TestSample(t *testing.T) {
	m, rows := judged(t, dataset.Fraud(6000, 1), forest.Config{})
	class := slices.Index(m.Classes(), "fraud")
	p := of(t, m, rows, class)
	base := 0.0
	for i := range rows.Frame.Rows() {
		base += shareOf(rows.Votes, i, class) / float64(rows.Frame.Rows())
	}
	if p.Rows != 300 || len(p.Columns[0].Parts) != 300 || math.Abs(p.Base-base) > 0.1*base {
		t.Errorf("%d rows, base %v and %v of all", p.Rows, p.Base, base)
	}
	high := 0 // fraud has most of the votes that lie far above the base
	for i := range p.Rows {
		sum := p.Base
		for _, c := range p.Columns[:10] {
			sum += float64(c.Parts[i])
		}
		if sum > 0.3 {
			high++
		}
	}
	if high < 10 {
		t.Errorf("%d of 300 rows look like fraud", high)
	}
}

// Numbers of rows are those of the file, also where rows were left out of it.
func TestNumbers(t *testing.T) {
	m, rows := judged(t, dataset.Fraud(1000, 1), forest.Config{})
	want := of(t, m, rows, 0).Examples[0]
	for i := range rows.Frame.Rows() {
		rows.Frame.Number = append(rows.Frame.Number, 1000+i)
	}
	if got := of(t, m, rows, 0).Examples[0]; got.Row != 999+want.Row || got.Share != want.Share {
		t.Errorf("row %d is row %d", want.Row, got.Row)
	}
}

// Where nothing can be split there is nothing to show, and no failure: of rows without a label, and of trees that add
// up margins.
func TestNothing(t *testing.T) {
	m, rows := judged(t, dataset.Fraud(1000, 1), forest.Config{})
	unlabelled := *rows
	unlabelled.Votes = rows.Votes.Take(nil)
	unlabelled.Frame = rows.Frame.Take(nil)
	if p, err := shap.Of(t.Context(), m, &unlabelled, 0); p != nil || err != nil {
		t.Error(p, err)
	}
	file, err := os.Open("../../foreign/testdata/models/onnx-xgboost.onnx")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	f, err := foreign.Read(file, file.Name(), foreign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if m, err = rfpragma.Adopt(f.Forest, f.Origin, nil); err != nil {
		t.Fatal(err)
	}
	frame := &dataset.Frame{Classes: m.Classes()}
	for _, field := range m.Forest.Schema {
		frame.Columns = append(frame.Columns, dataset.Column{Field: field, Values: []float64{0, 1}})
	}
	frame.Truth = []int{0, 1}
	if p, err := shap.Of(t.Context(), m, decided(t, m, frame), 0); p != nil || err != nil {
		t.Error(p, err)
	}
}

// Who gives up need not wait.
func TestGivenUp(t *testing.T) {
	m, rows := judged(t, dataset.Fraud(1000, 1), forest.Config{})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := shap.Of(ctx, m, rows, 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
