package pragma

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/vote"
)

// What matters most of three classes is what has priority, then what is required of, then what is dear to miss.
func TestGoalMatter(t *testing.T) {
	order := []int{2, 1, 0}
	of := func(s Spec, floors ...Floor) Goal {
		g, err := s.Goal([]string{"a", "b", "c"}, order, floors...)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	floor := Floor{Class: 1, What: RecallFloor, Limit: 0.5}
	costs := of(nil)
	costs.Costs = Costs{Matrix: [][]float64{{0, 20, 3}, {3, 0, 3}, {1, 1, 0}}} // 11.5, 3 and 1 in the mean
	two, err := Spec{}.Goal([]string{"a", "b"}, []int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		goal Goal
		want []int
	}{
		"priority": {of(Spec{"c": Priority()}, floor), []int{2}}, "required": {of(nil, floor), []int{1}},
		"dear": {costs, []int{0, 1}}, "alike": {of(nil), nil}, "rarer": {two, []int{0}},
	} {
		if got := tc.goal.Matter(); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
	if got := of(Spec{"c": Priority()}).Name; got != "pragma" {
		t.Errorf("the measure is %s", got)
	}
	var fault *SpecError
	if _, err := (Spec{"d": Priority()}).Goal([]string{"a", "b"}, order); !errors.As(err, &fault) {
		t.Errorf("an unknown class: %v", err)
	}
}

// What a class asks for that is to be found is known once its share is: by hand, three times 2 of 10 rows, and at most
// 0.60. That is so of classes that are not named one by one, too.
func TestGoalFind(t *testing.T) {
	classes, order := []string{"a", "b"}, []int{1, 0}
	for _, s := range []Spec{{"a": Find()}, {Others: Find()}} {
		var fault *SpecError
		for _, rows := range [][]float64{nil, {1}, {0, 0}} {
			if _, err := s.For(classes, rows).Goal(classes, order); !errors.As(err, &fault) {
				t.Errorf("%v for rows %v: %v", s, rows, err)
			}
		}
		g, err := s.For(classes, []float64{2, 8}).Goal(classes, order)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Preferences[0]; got.Theta != 10 || math.Abs(got.X-0.6) > 1e-15 || got.Y != 0.6 {
			t.Errorf("%v asks for %+v", s, got)
		}
	}
}

// By hand: 4 of 10 rows are alarms, which a limit of 0.3 breaks. If those are half of all rows, 2 of 10 are.
func TestGoalBroken(t *testing.T) {
	m := vote.NewConfusion([]string{"ill", "well"})
	m.Add(0, 0, 2)
	m.Add(1, 0, 2)
	m.Add(1, 1, 6)
	g := Goal{Floors: []Floor{{What: Alerts, Limit: 0.3}}}
	if !g.Broken(m, 1) || g.Broken(m, 0.5) {
		t.Errorf("broken %v, of half of the rows %v", g.Broken(m, 1), g.Broken(m, 0.5))
	}
	g.Floors[0] = Floor{What: PrecisionFloor, Limit: 0.6}
	if !g.Broken(m, 0.5) {
		t.Error("half of the alarms are right, and 0.6 is kept")
	}
}
