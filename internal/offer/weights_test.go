package offer

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/vote"
)

// By hand: rows of ill have 1 to 4 votes of 5. One with v votes is found from a weight of (5 - v)/v on: 4, 1.5, 2/3
// and 1/4.
func TestWeightsByHand(t *testing.T) {
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

// Each weight is the least that finds so much, decided by the one rule: a little less finds less.
func TestWeightsFor(t *testing.T) {
	recalls := []float64{0.3, 0.7, 1}
	reached := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 91))
		k := 2 + rng.IntN(3)
		table := &vote.Table{Classes: strings.Split("abcd", "")[:k], Trees: 20, Source: vote.CV,
			Share: slices.Repeat([]float64{1 / float64(k)}, k)}
		w := make(vote.Weights, k)
		for c := range w {
			w[c] = 0.2 + rng.Float64()
		}
		for range 50 {
			table.Truth = append(table.Truth, rng.IntN(k))
			counts := make([]uint32, k)
			for range table.Trees {
				counts[rng.IntN(k)]++
			}
			table.Counts = append(table.Counts, counts...)
			table.Weight = append(table.Weight, float64(1+rng.IntN(3)))
		}
		h := table.Compress()
		for _, n := range WeightsFor(h, w, 0, recalls) {
			reached++
			with := slices.Clone(w)
			with[0] = n.Least
			found, _ := table.Confuse(with).Recall(0)
			with[0] = n.Least * (1 - 1e-6)
			if less, _ := table.Confuse(with).Recall(0); found < n.Recall-1e-12 || less >= n.Recall {
				t.Errorf("seed %d: for %v the weight %v finds %v, a little less %v", seed, n.Recall, n.Least, found, less)
			}
		}
	}
	if reached < 400 {
		t.Errorf("%d weights were found", reached)
	}
}
