package tradeoff

import (
	"testing"

	"github.com/rfpragma/rfpragma/vote"
)

// By hand: rows of ill have 1 to 4 votes of 5. One with v votes is found from a weight of (5 - v)/v on: 4, 1.5, 2/3 and 1/4.
func TestWeightsFor(t *testing.T) {
	table := &vote.Table{Classes: []string{"ill", "well"}, Trees: 5, Source: vote.CV, Share: []float64{0.5, 0.5}}
	for v := range uint32(5) {
		table.Truth, table.Counts = append(table.Truth, 0), append(table.Counts, v, 5-v)
	}
	got := WeightsFor(table.Compress(), vote.Weights{1, 1}, 0, []float64{0.2, 0.4, 0.8, 1})
	want := []float64{0.25, 2.0 / 3, 4}
	if len(got) != len(want) { // the row without a vote is found under none
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		if got[i].Least < w || got[i].Least > w*(1+1e-8) {
			t.Errorf("for a recall of %v a weight of %v, want %v", got[i].Recall, got[i].Least, w)
		}
		if m := table.Confuse(got[i].Of(vote.Weights{1, 1}, 0)); m.Hits(0) < 5*got[i].Recall-1e-9 {
			t.Errorf("a weight of %v finds %v", got[i].Least, m.Hits(0))
		}
	}
}

func TestDigits(t *testing.T) {
	for n, want := range map[float64]float64{1: 1, 12.01: 13, 1234: 1240, 1230: 1230} {
		if got := ThreeDigits(n); got != want {
			t.Errorf("%v: %v, want %v", n, got, want)
		}
	}
	for n, want := range map[float64]float64{0.4: 1, 9.9: 9, 123: 100, 4567: 4000} {
		if got := FirstDigit(n); got != want {
			t.Errorf("%v: %v, want %v", n, got, want)
		}
	}
}
