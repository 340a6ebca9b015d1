package tradeoff

import (
	"context"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// A floor has the fewest decimals that ask for as many rows.
func TestShortest(t *testing.T) {
	for _, tc := range [][3]float64{{0.9, 1, 1}, {0.9, 0.925, 0.92}, {0.975, 0.976, 0.976}, {121.0 / 124, 122.0 / 124,
		0.98}, {0.29, 0.3, 0.3}} {
		if got := shortest(tc[0], tc[1]); got != tc[2] {
			t.Errorf("above %v up to %v: %v, want %v", tc[0], tc[1], got, tc[2])
		}
	}
}

// By hand: with ten times the weight of "ill" it takes 4 of the 10 rows of "hurt" and 2 of the 20 of "well", 40 and
// 10 points of their recall.
func TestLoses(t *testing.T) {
	m := confusionOf([]string{"hurt", "ill", "well"}, [][]float64{{6, 4, 0}, {0, 10, 0}, {0, 2, 18}})
	of := func(m *vote.Confusion) map[string]eval.Class {
		classes := map[string]eval.Class{}
		for c, name := range m.Classes {
			classes[name] = eval.ClassOf(m, c)
		}
		return classes
	}
	tuned := eval.Rule{Classes: of(confusionOf(m.Classes, [][]float64{{10, 0, 0}, {3, 7, 0}, {0, 0, 20}}))}
	lost := losing(m.Classes, "ill", of(m), &tuned)
	if lost == nil || *lost != (LostRecall{"hurt", 0.6, 1}) {
		t.Errorf("%+v", lost)
	}
	if got := losing(m.Classes, "ill", tuned.Classes, &tuned); got != nil {
		t.Errorf("%+v of the same decisions", got)
	}
	two := eval.Rule{Classes: of(confusionOf([]string{"ill", "well"}, [][]float64{{5, 5}, {0, 20}}))}
	if got := losing([]string{"ill", "well"}, "ill", of(confusionOf([]string{"ill", "well"}, [][]float64{{10, 0},
		{10, 10}})), &two); got != nil {
		t.Errorf("%+v of two classes, of which alarms tell", got)
	}
}

// confusionOf is a matrix of these counts.
func confusionOf(classes []string, rows [][]float64) *vote.Confusion {
	m := vote.NewConfusion(classes)
	for truth, row := range rows {
		for decision, n := range row {
			m.Add(truth, decision, n)
		}
	}
	return m
}

// By hand: of 900 well rows and 100 ill ones limits cost 50 for 1,000 rows, and nothing but the recall that is
// required 20.
func TestLimitOf(t *testing.T) {
	goal, err := pragma.Spec{}.Goal([]string{"ill", "well"}, []int{1, 0}, pragma.Floor{What: pragma.Alerts, Limit: 0.1,
		Typed: "10%"}, pragma.Floor{What: pragma.RecallFloor, Limit: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	goal.Name, goal.Costs = offer.CostName, pragma.Costs{Matrix: [][]float64{{0, 5}, {1, 0}}}
	cost, free, asked := 100.0, 40.0, 0
	classes := map[string]eval.Class{"ill": {Support: 200, Predicted: 200}, "well": {Support: 1800, Predicted: 1800}}
	try := func(_ context.Context, _ pragma.Measure, floors ...pragma.Floor) (*Tried, error) {
		asked = len(floors)
		return &Tried{Classes: map[string]eval.Class{"ill": {Support: 200, Predicted: 500}, "well": {Support: 1800,
			Predicted: 1500}}, Cost: &free}, nil
	}
	got, err := LimitOf(t.Context(), try, &Asked{Goal: goal}, &cost, classes)
	if err != nil || got == nil || got.With != 50 || got.Without != 20 || got.Alerts != 0.1 || got.More != 0.25 ||
		asked != 1 || !slices.Equal(got.Require, []string{"ill:alerts<=10%"}) {
		t.Errorf("%+v, %v", got, err)
	}
	goal.Floors = goal.Floors[1:]
	if got, err := LimitOf(t.Context(), try, &Asked{Goal: goal}, &cost, classes); got != nil || err != nil {
		t.Errorf("without a limit: %+v, %v", got, err)
	}
}
