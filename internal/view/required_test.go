package view

import (
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// confusionOf is a matrix, with a line for each true class.
func confusionOf(classes []string, rows [][]float64) *vote.Confusion {
	return (&eval.Rule{Confusion: rows}).Counts(classes)
}

// What decisions reach of a floor stands in the form of the limit, and where it is not enough that is said.
func TestHeldText(t *testing.T) {
	classes := []string{"ill", "well"}
	m := confusionOf(classes, [][]float64{{15, 5}, {85, 895}}) // precision of ill 0.15, recall 0.75, alerts 0.1
	none := confusionOf(classes, [][]float64{{0, 20}, {0, 980}})
	for _, tc := range []struct {
		floor string
		m     *vote.Confusion
		want  string
	}{
		{"ill:precision>=0.15", m, "15 %"},
		{"ill:precision>=0.1501", m, "not kept, 15.00 %"},
		{"ill:recall>=0.9", m, "not kept, 75 %"},
		{"ill:alerts<=50/1000", m, "not kept, 100/1000"},
		{"ill:alerts<=200/1000", m, "100/1000"},
		{"ill:precision>=0.15", none, "n/a"},
	} {
		f, err := pragma.ParseFloor(tc.floor, classes)
		if err != nil {
			t.Fatal(err)
		}
		if got := heldText(f, tc.m); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.floor, got, tc.want)
		}
	}
}
