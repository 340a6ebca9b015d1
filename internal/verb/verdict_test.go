package verb

import (
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
)

// ruleOf is a rule that decides rows as the matrix says.
func ruleOf(classes []string, confusion [][]float64, loss float64) eval.Rule {
	r := eval.Rule{Confusion: confusion, Pragma: loss, Classes: map[string]eval.Class{}}
	hits, rows := 0.0, 0.0
	for c, name := range classes {
		var class eval.Class
		for d := range classes {
			class.Support += confusion[c][d]
			class.Predicted += confusion[d][c]
		}
		class.Rows = class.Support
		hits, rows = hits+confusion[c][c], rows+class.Support
		recall, precision := confusion[c][c]/class.Support, confusion[c][c]/class.Predicted
		class.Recall, class.RecallInterval = &recall, &[2]float64{0, 1}
		if class.Predicted > 0 {
			class.Precision, class.PrecisionInterval = &precision, &[2]float64{0, 1}
		}
		r.Classes[name] = class
	}
	r.Means.Priority = &eval.Mean{Recall: 0.5, Precision: 0.25}
	r.Accuracy = hits / rows
	return r
}

// Alarms are whole ones, however few.
func TestInTenThousand(t *testing.T) {
	for share, want := range map[float64]string{0: "0", 0.00004: "<1", 0.00041: "4", 0.00096: "10", 0.1931: "1931"} {
		if got := english.InTenThousand(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
}
