package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/tradeoff"
)

// A recall that 20 rows cannot make sure of, as all of them prove no more than 83.8 %, is tried more strictly beside what else is required, and what that finds is told where it is more. The strictest is not.
func TestSurer(t *testing.T) {
	of := &aim{classes: []string{"ill", "well"}}
	tuned := ruleOf(of.classes, [][]float64{{18, 2}, {24, 156}}, 0.3)
	for _, tc := range []struct {
		floors string
		recall float64 // that is found
		want   string
	}{
		{"ill:recall>=0.9 ill:alerts<=0.5", 0.95, "A stricter limit finds more all the same: by ill:recall>=0.99 95 of 100 are found (75–99), and 30 of 100 alarms are right."},
		{"ill:recall>=0.9", 0.9, "A stricter limit leaves more room all the same, such as ill:recall>=0.99."},
		{"ill:recall>=0.9", 0, "A stricter limit leaves more room all the same, such as ill:recall>=0.99."},
		{"ill:recall>=0.99", 0.95, ""},
		{"ill:recall>=0.8", 0.95, ""},
		{"ill:alerts<=0.5", 0.95, ""},
	} {
		var floors []pragma.Floor
		for _, text := range strings.Fields(tc.floors) {
			f, err := pragma.ParseFloor(text, of.classes)
			if err != nil {
				t.Fatal(err)
			}
			floors = append(floors, f)
		}
		asked := ""
		try := func(_ context.Context, _ pragma.Measure, floors ...pragma.Floor) (*tried, error) {
			if asked = fmt.Sprint(floorTexts(floors, of.classes)); tc.recall == 0 {
				return nil, nil
			}
			precision := 0.3
			return &tried{Classes: map[string]eval.Class{"ill": {Recall: &tc.recall, RecallInterval: &[2]float64{0.75, 0.99}, Precision: &precision}}}, nil
		}
		s, err := tradeoff.StricterOf(t.Context(), try, (&aim{classes: of.classes, floors: strings.Fields(tc.floors)}).asks(nil), &tuned)
		if err != nil || (asked != "") != (tc.want != "") || tc.want != "" && asked != fmt.Sprint(strings.Fields(strings.Replace(tc.floors, "0.9", "0.99", 1))) {
			t.Errorf("%+v: %s is asked for, %v", tc, asked, err)
		}
		got := spoken([][]float64{{8, 12}, {2, 178}}, [][]float64{{18, 2}, {24, 156}}, func(v *verdict) { v.floors, v.surer = floors, s })
		if !strings.Contains(got, tc.want) || strings.Contains(got, "A stricter limit") != (tc.want != "") {
			t.Errorf("%+v: %s", tc, got)
		}
	}
}
