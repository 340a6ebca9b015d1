package eval

import (
	"context"
	"testing"
)

// The rows that a report keeps make its confusion matrix, also where each was judged in several repeats.
func TestKeptRowsMakeTheConfusion(t *testing.T) {
	for _, repeats := range []int{1, 3} {
		var seen []int
		c := config(t)
		c.Repeats = repeats
		report, err := CrossValidate(context.Background(), frame(), learner(&seen), c)
		if err != nil {
			t.Fatal(err)
		}
		if n := report.Votes.Rows(); n != 20*repeats || len(report.Decided) != n || report.Votes.Trees != 10 {
			t.Fatalf("%d repeats: %d rows of %d trees and %d decisions are kept, want %d of 10", repeats, n, report.Votes.Trees, len(report.Decided), 20*repeats)
		}
		var confusion [2][2]float64
		for i, truth := range report.Votes.Truth {
			confusion[truth][report.Decided[i]] += report.Votes.WeightOf(i)
		}
		for i, line := range report.Rules.Tuned.Confusion {
			for j, want := range line {
				if !near(confusion[i][j], want) {
					t.Errorf("%d repeats: the rows make %v, the report has %v", repeats, confusion, report.Rules.Tuned.Confusion)
				}
			}
		}
		if cuts := report.Probabilities["yes"].Calibrated.Cuts; len(cuts) < 2 || cuts[len(cuts)-1].Recall != 1 {
			t.Errorf("%d repeats: the cuts are %v", repeats, cuts)
		}
	}
}
