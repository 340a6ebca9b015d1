package eval

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/vote"
)

func estimated(recall, low, high float64) *Estimates {
	return &Estimates{Classes: []ClassEstimate{{Class: "ill", Recall: &Forecast{Value: recall, Interval: [2]float64{low,
		high}}}}}
}

// Estimates that are apart by more than their intervals explain are gaps, corrected for their number. The p-values are
// those of scipy 1.14, 2*norm.sf(1.959964*0.4/sqrt((0.8-0.7)**2+(0.5-0.4)**2)) = 2.96e-08, times 2 by Holm.
func TestEstimatedGaps(t *testing.T) {
	parts := []*Estimates{estimated(0.8, 0.7, 0.87), estimated(0.41, 0.3, 0.51), {Void: true, Classes: []ClassEstimate{{}}},
		nil}
	others := []*Estimates{estimated(0.4, 0.3, 0.5), estimated(0.4, 0.3, 0.5), estimated(0.4, 0.3, 0.5), nil}
	gaps := EstimatedGaps([]string{"a", "b", "c", "d"}, parts, others)
	if len(gaps) != 1 || gaps[0].Slice != "a" || gaps[0].Figure != "recall" || gaps[0].Value != 0.8 || gaps[0].Others != 0.4 ||
		math.Abs(gaps[0].P/5.925e-08-1) > 1e-3 {
		t.Errorf("%+v", gaps)
	}
	for _, tc := range []struct {
		a, b *Estimates
		want float64
	}{{estimated(1, 1, 1), estimated(0, 0, 0), 0}, {estimated(1, 1, 1), estimated(1, 1, 1), 1}} {
		if p := apart(tc.a.Classes[0].Recall, tc.b.Classes[0].Recall); p != tc.want {
			t.Errorf("p %v, want %v", p, tc.want)
		}
	}
}

// Counts tell what votes tell.
func TestCountedGapsAreThoseOfVotes(t *testing.T) {
	votes := &vote.Table{Classes: []string{"ill", "well"}, Source: vote.Holdout, Trees: 10}
	names := []string{"a", "b", "c"}
	var of, decided []int
	counts := make([]*vote.Confusion, len(names))
	for s := range names {
		counts[s] = vote.NewConfusion(votes.Classes)
	}
	for i := range 600 {
		truth, s := i%2, i*7%3
		d := truth
		if i*31%10 < []int{1, 1, 5}[s] {
			d = 1 - d
		}
		votes.Truth, votes.Counts = append(votes.Truth, truth), append(votes.Counts, 5, 5)
		of, decided = append(of, s), append(decided, d)
		counts[s].Add(truth, d, 1)
	}
	_, want, err := Slices(votes, decided, of, names, 1)
	if err != nil || len(want) == 0 {
		t.Fatal(want, err)
	}
	got := CountedGaps(names, counts)
	if len(got) != len(want) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	for i := range got {
		if got[i].Slice != want[i].Slice || got[i].Figure != want[i].Figure || math.Abs(got[i].P-want[i].P) > 1e-12 {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	counts[0].Add(0, 0, 0.5)
	if got := CountedGaps(names, counts); got != nil {
		t.Errorf("of sums of weights: %+v", got)
	}
	if got := CountedGaps(names, []*vote.Confusion{nil}); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}
