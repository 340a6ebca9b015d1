package verb

import (
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// A prevalence shifts how many alarms there are: that is told.
func TestPredictedForAnotherPrevalence(t *testing.T) {
	m := &rfpragma.Model{Forest: &forest.Forest{Classes: []string{"ill", "well"}}}
	job := &predictJob{model: m, was: m, rows: &cli.Rows{Done: 1000}, as: []int{42, 958}, wasAs: []int{105, 895}}
	const words = `: 958 as "well", 42 as "ill"; without --prevalence 895 as "well", 105 as "ill"`
	if got := job.words(""); got != words {
		t.Errorf("%s, want %s", got, words)
	}
	if job.was = nil; job.words(" and written to x.csv") != ` and written to x.csv: 958 as "well", 42 as "ill"` {
		t.Errorf("for the model as it is: %s", job.words(""))
	}
}

// Decisions for a class that is not the likeliest are told, and why they are made.
func TestUnlikelyWords(t *testing.T) {
	m := &rfpragma.Model{Forest: &forest.Forest{Classes: []string{"a", "b", "c"}}, Weights: vote.Weights{1, 5, 1}}
	of := &view.Goal{Classes: m.Classes(), Share: []float64{0.2, 0.1, 0.7}, Floors: []string{"b:recall>=0.9"}}
	for _, tc := range []struct {
		rows []int
		want string
	}{
		{[]int{0, 0, 0}, ""},
		{[]int{0, 7, 0}, ` 7 rows decided as "b" although another class is likelier: that follows from what the model was asked for.`},
		{[]int{0, 1, 2}, ` 1 row decided as "b", 2 rows decided as "c" although another class is likelier: that follows from what the model was asked for.`},
	} {
		job := &predictJob{model: m, of: of, unlikely: tc.rows}
		if got := job.unlikelyWords(); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.rows, got, tc.want)
		}
		if job.top = (&predictions.Top{}); job.unlikelyWords() != "" {
			t.Errorf("of a list: %q", job.unlikelyWords())
		}
	}
	m.Weights = vote.Weights{1, 1, 1}
	if got := (&predictJob{model: m, of: of, unlikely: []int{0, 0,
		3}}).unlikelyWords(); got != ` 3 rows decided as "c" although another class is likelier: the model goes by the most votes.` {
		t.Error(got)
	}
}
