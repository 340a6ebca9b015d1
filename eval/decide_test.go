package eval

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// decider is an oracle that decides by expected cost: as yes from amount·p on that is more than 5·(1−p).
type decider struct{ oracle }

func (d decider) DecideFor(votes []uint32, amount float64) int {
	if float64(votes[1])*amount > 5*float64(votes[0]) {
		return 1
	}
	return 0
}

// By hand: a yes that is missed costs its amount, an alarm in vain 5. Of the six rows the weights 1:1 decide the
// second and fourth as yes. By expected cost a row is yes from an amount of 5·(10−v)/v on, which is 20, 3.3, 45,
// 0.6, 11.7 and 45: the first, second, fourth and sixth are. The gain is the sum of the differences d, ± √(Σ(d −
// mean)²).
func TestDecider(t *testing.T) {
	costs := pragma.Costs{Matrix: [][]float64{{0, 5}, {1, 0}}, ByAmount: []bool{false, true}}
	measure, err := costs.Measure()
	if err != nil {
		t.Fatal(err)
	}
	table := &vote.Table{
		Classes: []string{"no", "yes"}, Share: []float64{0.6, 0.4}, Trees: 10, Source: vote.Holdout,
		Truth:  []int{1, 1, 0, 0, 1, 0},
		Counts: []uint32{8, 2, 4, 6, 9, 1, 1, 9, 7, 3, 9, 1},
		Amount: []float64{100, 50, 3, 2, 8, 60},
	}
	c := Config{
		Pragma: measure, Loss: measure, Costs: costs, ByCost: true, Raw: oracle{}.Probabilities,
		Tune: func(context.Context, *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
			return nil, oracle{}.Probabilities, nil
		},
	}
	r, err := Evaluate(context.Background(), table, decider{oracle{weights: vote.Weights{1, 1}}}, c)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 1, 0, 1, 0, 1}; !slices.Equal(r.Decided, want) {
		t.Errorf("decided %v, want %v", r.Decided, want)
	}
	// by the weights: a miss of 100, none, none, an alarm of 5, a miss of 8, none; by cost: none, none, none, an
	// alarm, a miss of 8, an alarm
	byWeights, byCost := []float64{100, 0, 0, 5, 8, 0}, []float64{0, 0, 0, 5, 8, 5}
	sum := func(v []float64) (total float64) {
		for _, x := range v {
			total += x
		}
		return total
	}
	mean, squares := (sum(byWeights)-sum(byCost))/6, 0.0
	for i := range byCost {
		d := byWeights[i] - byCost[i] - mean
		squares += d * d
	}
	w := r.Rules.Weights
	if *r.Rules.Tuned.Cost != sum(byCost) || *w.Cost != sum(byWeights) || *r.Rules.Optimistic.Cost != sum(byCost) {
		t.Errorf("cost %v, of weights %v, optimistic %v", *r.Rules.Tuned.Cost, *w.Cost, *r.Rules.Optimistic.Cost)
	}
	if g := w.Gain; math.Abs(g.Loss-(sum(byWeights)-sum(byCost))) > 1e-9 ||
		math.Abs(g.StandardError-math.Sqrt(squares)) > 1e-9 {
		t.Errorf("gain %+v, want %v ± %v", g, sum(byWeights)-sum(byCost), math.Sqrt(squares))
	}

	// In twelve groups of ten rows that are alike, by hand: the variance of a mean is Σ((10/120)·(d − mean))² over the
	// groups, two for each of the rows, by 1 − 1/12, and that of the sum 120² times as much.
	large := &vote.Table{Classes: table.Classes, Share: table.Share, Trees: 10, Source: vote.Holdout}
	for i := range 120 {
		large.Append(table.Take([]int{i % 6}))
	}
	for i := range 120 {
		large.Group = append(large.Group, i%12)
	}
	if r, err = Evaluate(context.Background(), large, decider{oracle{weights: vote.Weights{1, 1}}}, c); err != nil {
		t.Fatal(err)
	}
	want := 120 * math.Sqrt(2*squares/144/(1-1.0/12))
	if g := r.Rules.Weights.Gain; math.Abs(g.Loss-20*(sum(byWeights)-sum(byCost))) > 1e-9 ||
		math.Abs(g.StandardError-want) > 1e-9 {
		t.Errorf("in groups %+v, want ± %v", g, want)
	}

	// Without a cost to decide by, weights decide, and none are beside them.
	c.ByCost = false
	if r, err = Evaluate(context.Background(), table, oracle{weights: vote.Weights{1, 1}}, c); err != nil ||
		r.Rules.Weights != nil {
		t.Fatalf("weights beside themselves: %v, %v", r, err)
	}
	if *r.Rules.Tuned.Cost != sum(byWeights) {
		t.Errorf("by weights %v, want %v", *r.Rules.Tuned.Cost, sum(byWeights))
	}
}
