package rfpragma

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// hedging are costs of three classes that one weight a class cannot express: the middle one is never far off.
var hedging = pragma.Costs{Matrix: [][]float64{{0, 1, 4}, {1, 0, 1}, {4, 1, 0}}}

// stolen are the costs of the made-up payments: a fraud costs its amount, an alarm in vain 5.
var stolen = pragma.Costs{Matrix: [][]float64{{0, 1}, {5, 0}}, ByAmount: []bool{true, false}}

// payments are made-up ones with their amounts at stake.
func payments(n int, seed uint64) *dataset.Frame {
	f := dataset.Fraud(n, seed)
	f.Reading.Amount = "amount"
	f.Amount = f.Columns[slices.IndexFunc(f.Columns, func(c dataset.Column) bool { return c.Name == "amount" })].Values
	return f
}

func byCost(costs pragma.Costs) Config {
	return Config{Costs: costs, ByCost: true, Forest: forest.Config{Trees: 50, Seed: 1}, Votes: vote.OOB}
}

// least is the decision of least expected cost, computed the slow way; order breaks ties.
func least(costs pragma.Costs, p []float64, amount float64, order []int) int {
	best, at := math.Inf(1), -1
	for _, d := range order {
		sum := 0.0
		for c := range p {
			cost := costs.Matrix[c][d]
			if costs.ByAmount != nil && costs.ByAmount[c] {
				cost *= amount
			}
			sum += p[c] * cost
		}
		if sum < best*(1-1e-12) {
			best, at = sum, d
		}
	}
	return at
}

// A model by cost decides rows by the probabilities that it tells of them, also read back from its file, and some
// otherwise than its weights do.
func TestPredictByCost(t *testing.T) {
	for name, tc := range map[string]struct {
		train, frame *dataset.Frame
		costs        pragma.Costs
	}{
		"three classes": {dataset.Wave(400, 3, 1), dataset.Wave(1000, 3, 2), hedging},
		"amounts":       {payments(1500, 1), payments(1500, 2), stolen},
	} {
		m := mustFit(t, tc.train, nil, byCost(tc.costs))
		file := fileOf(t, m)
		back, err := ReadModel(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(fileOf(t, back), file) || !back.Provenance.ByCost {
			t.Errorf("%s: read and written again it is another file", name)
		}
		by, err := m.WithWeights(m.Weights)
		if err != nil {
			t.Fatal(err)
		}
		order, x, otherwise := m.Forest.TieOrder(), make([]float64, len(tc.frame.Columns)), 0
		for i := range tc.frame.Rows() {
			tc.frame.Row(x, i)
			amount := math.NaN()
			if tc.frame.Amount != nil {
				amount = tc.frame.Amount[i]
			}
			p, err := m.Predict(x)
			q, err2 := back.Predict(x)
			if err != nil || err2 != nil || p.Class != q.Class {
				t.Fatalf("%s: row %d: %v (%v), read back %v (%v)", name, i, p.Class, err, q.Class, err2)
			}
			if want := m.Classes()[least(tc.costs, p.Probabilities, amount, order)]; p.Class != want {
				t.Fatalf("%s: row %d: %s at %v, want %s", name, i, p.Class, p.Probabilities, want)
			}
			if w, err := by.Predict(x); err != nil || w.Class != p.Class {
				otherwise++
			}
		}
		if by.Provenance.ByCost || otherwise == 0 {
			t.Errorf("%s: with weights %v, %d rows are decided otherwise", name, by.Provenance.ByCost, otherwise)
		}
	}
}

// By hand: with a fraud's probability p an alarm is raised if p·amount > 5·(1−p). A row without an amount is decided
// by the weights, or refused where rows are predicted.
func TestDecideForAmounts(t *testing.T) {
	f := payments(1500, 1)
	m := mustFit(t, f, nil, byCost(stolen))
	p := make([]float64, 2)
	for v := range uint32(51) {
		votes := []uint32{v, 50 - v}
		m.Probabilities(p, votes)
		edge := 5 * p[1] / p[0]
		if a, b := m.DecideFor(votes, edge*0.999), m.DecideFor(votes, edge*1.001); a != 1 || b != 0 {
			t.Errorf("%d votes, probability %v: %d below the amount %v, %d above", v, p[0], a, edge, b)
		}
		for _, unknown := range []float64{math.NaN(), -1, math.Inf(1)} {
			if got, want := m.DecideFor(votes, unknown), vote.NewRule(m.Weights, m.Forest.TieOrder()).Decide(
				votes); got != want || m.Decide(votes) != want {
				t.Errorf("%d votes, amount %v: %d, and %d by the weights", v, unknown, got, want)
			}
		}
	}
	x := make([]float64, len(f.Columns))
	f.Row(x, 0)
	at := slices.IndexFunc(f.Columns, func(c dataset.Column) bool { return c.Name == "amount" })
	for _, bad := range []float64{math.NaN(), -3} {
		if x[at] = bad; !refuses(m, x, `column "amount" is `) {
			t.Errorf("a row of amount %v is decided", bad)
		}
	}
	bare := payments(300, 1)
	bare.Columns = slices.Delete(bare.Columns, at, at+1)
	without := mustFit(t, bare, nil, byCost(stolen))
	if !refuses(without, slices.Delete(x, at, at+1), "no numeric feature; use DecideFor") {
		t.Error("a row is decided though its amount cannot be known")
	}
}

func refuses(m *Model, x []float64, text string) bool {
	_, err := m.Predict(x)
	return errors.Is(err, ErrRow) && strings.Contains(err.Error(), text)
}

// With two classes, costs that are the same for all rows and a map that rises, the decision by cost is that of one
// weight: so many votes are enough, and it is as many as have at least the probability of Elkan, IJCAI 2001, which is
// 1/(1+10) where a miss costs 10 false alarms.
func TestByCostOfTwoClassesIsAWeight(t *testing.T) {
	c := byCost(pragma.Costs{Matrix: [][]float64{{0, 10}, {1, 0}}})
	c.Calibration = calib.PlattLogit
	m := mustFit(t, dataset.Fraud(1500, 2), nil, c)
	trees, need := uint32(m.Forest.Trees()), uint32(0)
	p := make([]float64, 2)
	for need = range trees + 1 {
		if m.Probabilities(p, []uint32{need, trees - need}); p[0] > 1.0/11 {
			break
		}
	}
	if need == 0 || need >= trees {
		t.Fatalf("%d votes are needed, of which nothing is shown", need)
	}
	w := vote.Weights{(float64(trees-need) + 0.5) / (float64(need) - 0.5), 1}
	rule := vote.NewRule(w, m.Forest.TieOrder())
	for v := range trees + 1 {
		votes := []uint32{v, trees - v}
		if got, want := m.Decide(votes), rule.Decide(votes); got != want || (got == 0) != (v >= need) {
			t.Errorf("%d votes: %d, by the weight %d, and %d are enough", v, got, want, need)
		}
	}
}

// What does not go together is refused, and says so.
func TestByCostRefuses(t *testing.T) {
	f := dataset.Fraud(200, 1)
	two := pragma.Costs{Matrix: [][]float64{{0, 10}, {1, 0}}}
	floor := pragma.Floor{Class: 0, What: pragma.RecallFloor, Limit: 0.5}
	for text, c := range map[string]Config{
		"needs Costs of the 2 classes, and there are 0": {ByCost: true},
		"of the 2 classes, and there are 3":             {ByCost: true, Costs: hedging},
		"there is a Measure beside": {ByCost: true, Costs: two, Measure: pragma.Accuracy,
			MeasureName: "accuracy"},
		"keeps no floors": {ByCost: true, Costs: two,
			Search: anneal.Search{Floors: []pragma.Floor{floor}}},
		"Weights gives some": {ByCost: true, Costs: two, Weights: func(t *vote.Table) vote.Weights {
			return vote.Prior(t.Share)
		}},
	} {
		c.Forest.Trees = 5
		if _, err := Fit(context.Background(), f, nil, c); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(),
			text) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := Fit(context.Background(), f, nil, byCost(stolen)); !errors.Is(err, vote.ErrShape) {
		t.Errorf("without amounts: %v", err)
	}
}

// The record has what the model makes of the votes of its training, by hand: the cost of its decisions, and its recall.
func TestRecordByCost(t *testing.T) {
	f := payments(1500, 1)
	c := byCost(stolen)
	m := mustFit(t, f, nil, c)
	_, table, _, err := c.HeldOut(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	table = tables.Predictive(table)
	cost, found, frauds := 0.0, 0.0, 0.0
	for i, votes := range table.Judged() {
		decision, rows := m.DecideFor(votes, table.Amount[i]), table.WeightOf(i)
		if table.Truth[i] == 0 {
			frauds += rows
			if decision == 0 {
				found += rows
			} else {
				cost += table.Amount[i] * rows
			}
		} else if decision == 0 {
			cost += 5 * rows
		}
	}
	r := &m.Provenance
	if math.Abs(*r.Loss/cost-1) > 1e-12 || r.Measure != "cost" || !(*r.Loss < *r.Plain) {
		t.Errorf("loss %v of %s, plain %v; want %v", *r.Loss, r.Measure, *r.Plain, cost)
	}
	if got := r.Figures[0].Recall; math.Abs(got.Value-found/frauds) > 1e-12 || got.Rows != frauds {
		t.Errorf("recall %v of %v, want %v of %v", got.Value, got.Rows, found/frauds, frauds)
	}
	if d := m.Drift(table); d == nil || len(d.Drift) > 0 {
		t.Errorf("drift on the votes of the training: %+v", d)
	}
	imp, err := m.Importance(context.Background(), f, 1, 1, nil)
	if err != nil || math.Abs(imp.Loss/cost-1) > 1e-12 {
		t.Errorf("importance by the loss %v (%v), want %v", imp.Loss, err, cost)
	}
}

// Other maps make other decisions, of which the figures know nothing; other shares of the classes leave the rule; other
// weights replace it.
func TestByCostChanged(t *testing.T) {
	f := payments(1500, 1)
	m := mustFit(t, f, nil, byCost(stolen))
	later := payments(800, 9)
	votes, err := m.Votes(context.Background(), later)
	if err != nil {
		t.Fatal(err)
	}
	mapped, err := m.Recalibrate(context.Background(), later, votes, calib.IsotonicLinear)
	if err != nil || !mapped.Provenance.ByCost || mapped.Provenance.Figures != nil {
		t.Fatalf("other maps: by cost %v, figures %v (%v)", mapped.Provenance.ByCost, mapped.Provenance.Figures, err)
	}
	rare, err := m.ForPrevalence([]float64{0.001, 0.999})
	if err != nil || !rare.Provenance.ByCost {
		t.Fatalf("other shares: by cost %v (%v)", rare.Provenance.ByCost, err)
	}
	fewer := 0
	for i := range votes.Rows() {
		was, is := m.DecideFor(votes.Votes(i), votes.Amount[i]), rare.DecideFor(votes.Votes(i), votes.Amount[i])
		if was == 1 && is == 0 {
			t.Fatalf("row %d: an alarm where fraud is rarer", i)
		}
		if was != is {
			fewer++
		}
	}
	if fewer == 0 {
		t.Error("as many alarms where fraud is rarer")
	}
	tuned, err := m.Retune(t.Context(), later, votes, nil, Config{Measure: pragma.Accuracy, MeasureName: "accuracy"})
	if err != nil || tuned.Provenance.ByCost {
		t.Errorf("other weights: by cost %v (%v)", tuned.Provenance.ByCost, err)
	}
	for _, other := range []*Model{mapped, rare, tuned} {
		if _, err := ReadModel(bytes.NewReader(fileOf(t, other))); err != nil {
			t.Error(err)
		}
	}
}

// A cross-validation judges the decisions by cost, each row by the maps of its own fold, beside the weights: these cost
// what they do in a cross-validation of weights.
func TestCrossValidateByCost(t *testing.T) {
	for name, tc := range map[string]struct {
		frame *dataset.Frame
		costs pragma.Costs
	}{"three classes": {dataset.Wave(300, 3, 1), hedging}, "amounts": {payments(900, 1), stolen}} {
		c := byCost(tc.costs)
		cost, k := 0.0, len(tc.frame.Classes)
		held := func(h eval.HeldOut) {
			p := make([]float64, k)
			for i, row := range h.Rows {
				h.Probabilities(p, h.Votes.Votes(i))
				amount := 1.0
				if tc.frame.Amount != nil {
					amount = tc.frame.Amount[row]
				}
				want := least(tc.costs, p, amount, h.Votes.TieOrder())
				if h.Decided[i] != want {
					t.Errorf("%s: row %d is decided as %d, want %d", name, row, h.Decided[i], want)
				}
				each := tc.costs.Matrix[tc.frame.Truth[row]][want]
				if tc.costs.Amounts() && tc.costs.ByAmount[tc.frame.Truth[row]] {
					each *= amount
				}
				cost += each
			}
		}
		r, err := CrossValidate(context.Background(), tc.frame, nil, c, eval.Config{Folds: 3, Seed: 5, HeldOut: held})
		if err != nil {
			t.Fatal(err)
		}
		c.ByCost = false
		c.Measure, _ = tc.costs.Measure()
		c.MeasureName = "cost"
		by, err := CrossValidate(context.Background(), tc.frame, nil, c, eval.Config{Folds: 3, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		if got := *r.Rules.Tuned.Cost; math.Abs(got/cost-1) > 1e-12 {
			t.Errorf("%s: the decisions cost %v, want %v", name, got, cost)
		}
		if *r.Rules.Weights.Cost != *by.Rules.Tuned.Cost || by.Rules.Weights != nil {
			t.Errorf("%s: the weights cost %v, alone %v", name, *r.Rules.Weights.Cost, *by.Rules.Tuned.Cost)
		}
		g := r.Rules.Weights.Gain
		if g == nil || math.Abs(g.Loss-(*r.Rules.Weights.Loss-*r.Rules.Tuned.Loss)) > 1e-9*cost || !(g.StandardError > 0) {
			t.Errorf("%s: gain %+v on the weights", name, g)
		}
		if *r.Rules.Optimistic.Cost > 1.5*cost {
			t.Errorf("%s: the optimistic rule costs %v, the honest one %v", name, *r.Rules.Optimistic.Cost, cost)
		}
	}
}

// Rows that the model has not seen are judged as it decides them.
func TestEvaluateByCost(t *testing.T) {
	m := mustFit(t, payments(1500, 1), nil, byCost(stolen))
	later := payments(800, 9)
	votes, err := m.Votes(context.Background(), later)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Evaluate(context.Background(), votes, anneal.Search{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	cost, weights := 0.0, 0.0
	x := make([]float64, len(later.Columns))
	for i, truth := range later.Truth {
		later.Row(x, i)
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		paid := func(decision int) float64 {
			switch truth {
			case decision:
				return 0
			case 0:
				return later.Amount[i]
			}
			return 5
		}
		cost += paid(slices.Index(m.Classes(), p.Class))
		weights += paid(m.Decide(votes.Votes(i)))
	}
	if math.Abs(*r.Rules.Tuned.Cost/cost-1) > 1e-12 || math.Abs(*r.Rules.Weights.Cost/weights-1) > 1e-12 {
		t.Errorf("cost %v, want %v; by the weights %v, want %v", *r.Rules.Tuned.Cost, cost, *r.Rules.Weights.Cost, weights)
	}
}

// No memory is taken to decide a row.
func TestDecideForAllocatesNothing(t *testing.T) {
	m := mustFit(t, dataset.Wave(200, 3, 1), nil, byCost(hedging))
	votes := []uint32{20, 20, 10}
	if n := testing.AllocsPerRun(100, func() { m.Decide(votes) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
