package vote_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/vote"
)

// fill returns a matrix with the given cells.
func fill(classes []string, rows [][]float64) *vote.Confusion {
	m := vote.NewConfusion(classes)
	for i, row := range rows {
		for j, w := range row {
			m.Add(i, j, w)
		}
	}
	return m
}

func TestConfusionShares(t *testing.T) {
	m := fill([]string{"a", "b", "c"}, [][]float64{{30, 10, 0}, {5, 15, 0}, {0, 0, 0}})
	all := fill([]string{"a", "b"}, [][]float64{{3, 0}, {0, 0}})
	type share struct {
		Value float64
		OK    bool
	}
	of := func(v float64, ok bool) share { return share{v, ok} }
	for _, tc := range []struct {
		name      string
		got, want share
	}{ // by hand
		{"recall a", of(m.Recall(0)), share{0.75, true}},
		{"recall b", of(m.Recall(1)), share{0.75, true}},
		{"recall of a class without rows", of(m.Recall(2)), share{0, false}},
		{"precision a", of(m.Precision(0)), share{30.0 / 35, true}},
		{"precision b", of(m.Precision(1)), share{0.6, true}},
		{"precision of a class never predicted", of(m.Precision(2)), share{0, false}},
		{"specificity a", of(m.Specificity(0)), share{15.0 / 20, true}},
		{"specificity b", of(m.Specificity(1)), share{30.0 / 40, true}},
		{"specificity of a class without rows", of(m.Specificity(2)), share{1, true}},
		{"false positives a", of(m.FalsePositives(0)), share{5.0 / 20, true}},
		{"false positives b", of(m.FalsePositives(1)), share{10.0 / 40, true}},
		{"negative predictive value a", of(m.NegativePredictive(0)), share{15.0 / 25, true}},
		{"negative predictive value b", of(m.NegativePredictive(1)), share{30.0 / 35, true}},
		{"negative predictive value of a class never predicted", of(m.NegativePredictive(2)), share{1, true}},
		{"alerts a", of(m.Alerts(0)), share{35.0 / 60, true}},
		{"alerts of a class never predicted", of(m.Alerts(2)), share{0, true}},
		{"alerts without rows", of(vote.NewConfusion([]string{"a", "b"}).Alerts(0)), share{0, false}},
		{"accuracy", of(m.Accuracy()), share{0.75, true}},
		{"specificity without rows of other classes", of(all.Specificity(0)), share{0, false}},
		{"false positives without rows of other classes", of(all.FalsePositives(0)), share{0, false}},
		{"negative predictive value where all are decided as it", of(all.NegativePredictive(0)), share{0, false}},
		{"accuracy without rows", of(vote.NewConfusion([]string{"a", "b"}).Accuracy()), share{0, false}},
	} {
		if tc.got != tc.want {
			t.Errorf("%s = %v, want %v", tc.name, tc.got, tc.want)
		}
	}
}

// Moves and merges must leave the cells and margins that counting anew gives.
func TestMoveAndMerge(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		k := 2 + rng.IntN(4)
		classes := []string{"a", "b", "c", "d", "e"}[:k]
		moved, want := vote.NewConfusion(classes), vote.NewConfusion(classes)
		left, right := vote.NewConfusion(classes), vote.NewConfusion(classes)
		for range 50 {
			truth, from, to, w := rng.IntN(k), rng.IntN(k), rng.IntN(k), float64(rng.IntN(9))
			moved.Add(truth, from, w)
			moved.Move(truth, from, to, w)
			want.Add(truth, to, w)
			if rng.IntN(2) == 0 {
				left.Add(truth, to, w)
			} else {
				right.Add(truth, to, w)
			}
		}
		left.Merge(right)
		if diff := cmp.Diff(cells(want), cells(moved)); diff != "" {
			t.Fatalf("seed %d: moved (-want +got)\n%s", seed, diff)
		}
		if diff := cmp.Diff(cells(want), cells(left)); diff != "" {
			t.Fatalf("seed %d: merged (-want +got)\n%s", seed, diff)
		}
	}
}

// Dust of moves must not make a share negative or larger than 1. The sums are those of
// float64: 0.1+0.4+0.2 is less than 0.1+0.2+0.4, and 0.6+0.1-0.6 less than 0.1, and
// 0.1+0.2+0.4-0.2-0.4-0.1 below 0.
func TestDust(t *testing.T) {
	more := vote.NewConfusion([]string{"a", "b"}) // hits above the whole
	for _, w := range []float64{0.1, 0.4, 0.2} {
		more.Add(0, 1, w)
	}
	for _, w := range []float64{0.1, 0.2, 0.4} {
		more.Move(0, 1, 0, w)
	}
	if r, ok := more.Recall(0); more.Hits(0) <= more.True(0) || r != 1 || !ok {
		t.Errorf("%v hits of %v rows: recall %v, want 1", more.Hits(0), more.True(0), r)
	}
	more = vote.NewConfusion([]string{"a", "b"}) // and above what was decided so
	more.Add(1, 0, 0.6)
	more.Add(0, 0, 0.1)
	more.Move(1, 0, 1, 0.6)
	if p, ok := more.Precision(0); more.Hits(0) <= more.Predicted(0) || p != 1 || !ok {
		t.Errorf("%v hits of %v decisions: precision %v, want 1", more.Hits(0), more.Predicted(0), p)
	}
	less := vote.NewConfusion([]string{"a", "b"}) // hits below 0
	for _, w := range []float64{0.1, 0.2, 0.4} {
		less.Add(0, 0, w)
	}
	for _, w := range []float64{0.2, 0.4, 0.1} {
		less.Move(0, 0, 1, w)
	}
	less.Add(1, 0, 1)
	r, _ := less.Recall(0)
	p, _ := less.Precision(0)
	if less.Hits(0) >= 0 || r != 0 || p != 0 {
		t.Errorf("%v hits: recall %v and precision %v, want 0", less.Hits(0), r, p)
	}
}

// A matrix of another size does not fill the cells of the wrong classes.
func TestFillRefusesOtherSizes(t *testing.T) {
	m := vote.NewConfusion([]string{"a", "b"})
	if err := m.Fill([]float64{1, 2, 3, 4}); err != nil || m.True(1) != 7 || m.Predicted(0) != 4 {
		t.Errorf("%v, error %v", m.Rows(), err)
	}
	for _, cells := range [][]float64{nil, {1}, {1, 2, 3, 4, 5, 6}} {
		if err := m.Fill(cells); !errors.Is(err, vote.ErrShape) || m.At(1, 1) != 4 {
			t.Errorf("%d cells: %v, error %v", len(cells), m.Rows(), err)
		}
	}
}
