package eval

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
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
			t.Fatalf("%d repeats: %d rows of %d trees and %d decisions are kept, want %d of 10", repeats, n, report.Votes.Trees,
				len(report.Decided), 20*repeats)
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

// Held is given every row once in each repeat, also those that cannot be judged, and its rule and probabilities
// make the report.
func TestHeldMakesTheReport(t *testing.T) {
	f := frame()
	f.Truth[3] = -1
	c := config(t)
	c.Repeats = 2
	var seen []int
	times := make([]int, f.Rows())
	var confusion [2][2]float64
	brier, judged := 0.0, 0.0
	c.HeldOut = func(h HeldOut) {
		folds, err := dataset.Folds(f, c.Folds, c.Seed+uint64(h.Repeat))
		if err != nil {
			t.Fatal(err)
		}
		prob := make([]float64, 2)
		for i, row := range h.Rows {
			times[row]++
			votes := h.Votes.Votes(i)
			if folds[row] != h.Fold || float64(votes[1]) != f.Columns[0].Values[row] || h.Votes.Truth[i] != f.Truth[row] {
				t.Fatalf("repeat %d, fold %d: row %d has votes %v and class %d", h.Repeat, h.Fold, row, votes, h.Votes.Truth[i])
			}
			if f.Truth[row] < 0 {
				continue
			}
			h.Probabilities(prob, votes)
			confusion[f.Truth[row]][h.Rule.Decide(votes)] += 0.5
			off := prob[1] - float64(f.Truth[row])
			brier += float64(off * off)
			judged++
		}
	}
	report, err := CrossValidate(context.Background(), f, learner(&seen), c)
	if err != nil {
		t.Fatal(err)
	}
	if want := slices.Repeat([]int{2}, f.Rows()); !slices.Equal(times, want) {
		t.Errorf("the rows were given %v times", times)
	}
	tuned := report.Rules.Tuned
	for i, line := range tuned.Confusion {
		if !slices.Equal(confusion[i][:], line) {
			t.Errorf("the rows make %v, the report has %v", confusion, tuned.Confusion)
		}
	}
	if !near(brier/judged, tuned.Brier) {
		t.Errorf("Brier score of the rows %v, of the report %v", brier/judged, tuned.Brier)
	}
}

// Other weights make of the rows that are held what the report says of a rule of these weights, and the gain on it
// is the same, to the last bit; tuned rules gain nothing on themselves.
func TestReplay(t *testing.T) {
	for _, repeats := range []int{1, 2} {
		f, c := frame(), config(t)
		c.Repeats = repeats
		var held []HeldOut
		var prior, tuned []vote.Weights
		var seen []int
		c.HeldOut = func(h HeldOut) {
			held, prior = append(held, h), append(prior, vote.Prior(h.Votes.Share))
		}
		report, err := CrossValidate(context.Background(), f, learner(&seen), c)
		if err != nil {
			t.Fatal(err)
		}
		for _, fold := range report.WeightsByFold {
			tuned = append(tuned, vote.Weights{fold.Weights["no"], fold.Weights["yes"]})
		}
		got := Replay(held, prior, repeats, c.Pragma, c.Seed)
		if want := report.Rules.Prior; !reflect.DeepEqual(got.Classes, want.Classes) ||
			got.Confusion.Total() != float64(20*repeats) || got.Gain == nil || *got.Gain != *want.Gain {
			t.Errorf("%d repeats: %+v (gain %+v), want %+v (gain %+v)", repeats, got, got.Gain, want, want.Gain)
		}
		if got := Replay(held, tuned, repeats, c.Pragma, c.Seed); !reflect.DeepEqual(got.Classes,
			report.Rules.Tuned.Classes) || *got.Gain != (Gain{}) {
			t.Errorf("%d repeats: of the tuned weights %+v (gain %+v), want %+v", repeats, got, got.Gain, report.Rules.Tuned)
		}
	}
}
