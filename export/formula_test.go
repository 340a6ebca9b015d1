package export

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/foreign"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// componentOf is what a step makes of a component of each vector before it.
func componentOf(s step, in []float64, c int) float64 {
	switch s.do {
	case number:
		return s.value[c]
	case add:
		return in[0] + in[1]
	case subtract:
		return in[0] - in[1]
	case multiply:
		return in[0] * in[1]
	case divide:
		return in[0] / in[1]
	case minimum:
		return min(in[0], in[1])
	case maximum:
		return max(in[0], in[1])
	case log:
		return math.Log(in[0])
	case exp:
		return math.Exp(in[0])
	case floor:
		return math.Floor(in[0])
	case ifLess:
		if in[0] < in[1] {
			return in[2]
		}
		return in[3]
	case search:
		n := 0.0
		for _, v := range s.lists[c] {
			if v <= in[0] {
				n++
			}
		}
		return n
	case pick:
		return s.lists[c][int(in[0])]
	}
	panic(s.do)
}

// checkFormula holds the formula of a model against the model itself, on rows.
func checkFormula(t *testing.T, m *rfpragma.Model, rows *dataset.Frame) {
	t.Helper()
	f, err := checked(m)
	if err != nil {
		t.Fatal(err)
	}
	x, counts := make([]float64, len(rows.Columns)), make([]uint32, len(m.Classes()))
	decided := map[string]int{}
	for i := range rows.Rows() {
		rows.Row(x, i)
		stake := math.NaN()
		if f.amount != "" {
			if stake = x[0]; math.IsNaN(stake) || stake < 0 {
				continue // which Predict refuses
			}
		}
		want, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if want.Close {
			want.Class = predictions.Undecided
		}
		clear(counts)
		m.Forest.Vote(counts, x)
		p, decision := f.run(t, counts, stake)
		if decided[decision]++; decision != want.Class {
			t.Fatalf("row %d: decided %s, want %s", i, decision, want.Class)
		}
		for c, v := range p {
			if !(math.Abs(v-want.Probabilities[c]) < 1e-12) {
				t.Fatalf("row %d: probabilities %v, want %v", i, p, want.Probabilities)
			}
		}
	}
	if len(decided) < 2 {
		t.Errorf("all rows are decided %v", decided)
	}
}

// remapped is a model with maps of a method, fitted on the votes of rows.
func remapped(t *testing.T, m *rfpragma.Model, rows *dataset.Frame, method calib.Method, weights vote.Weights,
) *rfpragma.Model {
	t.Helper()
	table, err := m.Votes(context.Background(), rows)
	if err != nil {
		t.Fatal(err)
	}
	r := calib.Rows{K: len(m.Classes()), Truth: table.Truth, VoteWeights: weights}
	for i := range table.Rows() {
		for _, v := range table.Votes(i) {
			r.Share = append(r.Share, calib.Smooth(float64(v)/table.Unit(), float64(table.Trees)))
		}
	}
	set, err := method.FitClasses(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	out := *m
	out.Maps = set
	return &out
}

func TestFormulaIsTheModel(t *testing.T) {
	for _, k := range []int{2, 4} {
		for _, soft := range []bool{false, true} {
			rows, other := frame(t, 1, 600, k), frame(t, 2, 400, k)
			m := fit(t, rows, rfpragma.Config{Forest: small(soft)})
			other, err := m.Forest.Schema.Conform(other)
			if err != nil {
				t.Fatal(err)
			}
			methods := calib.Methods()
			if k > 2 {
				methods = append(methods, "platt:pairs", "isotonic:pairs", "venn-abers:pairs")
			}
			for _, method := range methods {
				checkFormula(t, remapped(t, m, other, method, nil), other)
				weights := slices.Repeat(vote.Weights{1}, k)
				weights[k-1] = 3.7
				checkFormula(t, remapped(t, m, other, method, weights), other)
			}
			rarer, err := m.ForPrevalence(append(slices.Repeat([]float64{1}, k-1), 0.1))
			if err != nil {
				t.Fatal(err)
			}
			checkFormula(t, rarer, other)
		}
	}
}

func TestFormulaOfCostsAndReview(t *testing.T) {
	for _, k := range []int{2, 3} {
		rows := frame(t, 1, 600, k)
		costs := pragma.Costs{Matrix: make([][]float64, k), ByAmount: make([]bool, k)}
		for truth := range costs.Matrix {
			costs.Matrix[truth] = slices.Repeat([]float64{float64(truth + 1)}, k)
			costs.Matrix[truth][truth] = 0
		}
		byCost := rfpragma.Config{Forest: small(false), ByCost: true, Costs: costs}
		checkFormula(t, fit(t, rows, byCost), rows)
		checkFormula(t, fit(t, rows, rfpragma.Config{Forest: small(false), Review: rfpragma.Review{Share: 0.2}}), rows)
		checkFormula(t, fit(t, rows, rfpragma.Config{Forest: small(true), Review: rfpragma.Review{Share: 0.2, Class: "c1"}}),
			rows)
	}
	if undecided != predictions.Undecided {
		t.Errorf("rows left to people are decided %s, by predict %s", undecided, predictions.Undecided)
	}
}

// Costs by the amount of a row count where it is known; the vote weights decide elsewhere, as of DecideFor.
func TestFormulaOfAmounts(t *testing.T) {
	rows := frame(t, 3, 600, 2)
	rows.Amount = make([]float64, rows.Rows())
	for i := range rows.Amount {
		rows.Amount[i] = float64(i % 50)
	}
	rows.Reading.Amount = "paid"
	m := fit(t, rows, rfpragma.Config{Forest: small(false), ByCost: true, Costs: pragma.Costs{
		Matrix: [][]float64{{0, 20}, {1, 0}}, ByAmount: []bool{false, true}}})
	m.Provenance.Reading.Amount = "paid"
	f, err := checked(m)
	if err != nil || f.amount != "paid" {
		t.Fatalf("amount in column %q (%v)", f.amount, err)
	}
	differ := 0
	for n := range uint32(31) {
		for _, stake := range []float64{0, 3, 1e6, math.NaN(), -1, -0.5, math.Inf(1), math.MaxFloat64} {
			counts := []uint32{30 - n, n}
			if _, decision := f.run(t, counts, stake); decision != m.Classes()[m.DecideFor(counts, stake)] {
				t.Errorf("votes %v, amount %v: %s", counts, stake, decision)
			}
			if m.DecideFor(counts, stake) != m.DecideFor(counts, math.NaN()) {
				differ++
			}
		}
	}
	if differ == 0 {
		t.Error("no amount changes a decision")
	}
}

// What no form expresses is refused, with a way out.
func TestRefusals(t *testing.T) {
	rows := frame(t, 1, 600, 3)
	m := fit(t, rows, rfpragma.Config{Forest: small(false)})
	coupled := remapped(t, m, rows, "platt:coupled", nil)
	many := fit(t, frame(t, 1, 200, 2), rfpragma.Config{Forest: small(false), Votes: vote.OOB})
	many.Forest = nil
	boosted := foreignModel(t)
	for _, tc := range []struct {
		model *rfpragma.Model
		err   error
		want  string
	}{
		{coupled, ErrUnsupported, "calibrate with a map of all classes"},
		{boosted, ErrUnsupported, "convert the model of that program itself"},
		{many, rfpragma.ErrConfig, "this is no model"},
		{nil, rfpragma.ErrConfig, "this is no model"},
	} {
		for _, err := range []error{ONNX(new(bytes.Buffer), tc.model), JSON(new(bytes.Buffer), tc.model),
			SQL(new(bytes.Buffer), tc.model, "t")} {
			if !errors.Is(err, tc.err) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %s", err, tc.want)
			}
		}
	}
}

// foreignModel is of a forest whose leaves have numbers that add up, and no votes.
func foreignModel(t *testing.T) *rfpragma.Model {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "foreign", "testdata", "models", "xgboost.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	f, err := foreign.Read(file, "xgboost.json", foreign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := rfpragma.Adopt(f.Forest, f.Origin, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
