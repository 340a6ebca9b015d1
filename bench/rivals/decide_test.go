package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/bench/set"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand: of the five rows, 2, 1, 2, 1, 2 and 3 are wrong from no row decided as the class to all of them. Of the
// two that are equally good, 0.85 and 0.55, the second is nearer to 1/2.
func TestThresholdByHand(t *testing.T) {
	truth := []int{0, 1, 1, 0, 1}
	prob := []float64{0.9, 0.8, 0.2, 0.7, 0.4}
	cut, loss := threshold(prob, truth, []string{"rare", "other"}, 0, pragma.Accuracy)
	if math.Abs(cut-0.55) > 1e-15 || math.Abs(loss-0.2) > 1e-15 {
		t.Errorf("threshold %v, loss %v; want 0.55 and 0.2", cut, loss)
	}
	next := math.Nextafter(0.5, 1) // no number lies between
	if cut, loss := threshold([]float64{0.5, next}, []int{1, 0}, []string{"rare", "other"}, 0, pragma.Accuracy); cut != next || loss != 0 {
		t.Errorf("threshold %v, loss %v; want %v and 0", cut, loss, next)
	}
}

// No threshold of a grid that has one between any two probabilities is better than the one found, and that has the
// loss that is said.
func TestThresholdByBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	classes := []string{"a", "b"}
	for trial := range 200 {
		n, rare := 2+rng.IntN(40), trial%2
		prob, truth := make([]float64, n), make([]int, n)
		for i := range prob {
			prob[i], truth[i] = float64(rng.IntN(31))/30, rng.IntN(2) // with ties, 0 and 1
		}
		m, err := pragma.Spec{classes[rare]: set.Goals[trial%3].Of}.Measure(classes)
		if err != nil {
			t.Fatal(err)
		}
		at := func(cut float64) float64 {
			c := vote.NewConfusion(classes)
			for i, p := range prob {
				decided := 1 - rare
				if p >= cut {
					decided = rare
				}
				c.Add(truth[i], decided, 1)
			}
			return m.Loss(c)
		}
		lowest := at(math.Inf(1))
		for step := range 62 {
			lowest = min(lowest, at(float64(step)/60+1.0/240))
		}
		lowest = min(lowest, at(0))
		cut, loss := threshold(prob, truth, classes, rare, m)
		if math.Abs(loss-lowest) > 1e-9 || math.Abs(at(cut)-loss) > 1e-9 {
			t.Fatalf("trial %d: threshold %v says loss %v, has %v; the lowest is %v", trial, cut, loss, at(cut), lowest)
		}
	}
}

// Rows of the rare class have half as much probability as the most likely one, and other rows an eighth: weights
// tell them apart.
func TestDeciderOfThree(t *testing.T) {
	h := heldOut{k: 3, rare: 2, classes: []string{"a", "b", "c"}, seed: 1}
	rows := [][]float64{{0.8, 0.1, 0.1}, {0.1, 0.8, 0.1}, {0.6, 0.1, 0.3}}
	for i := range 90 {
		h.truth, h.prob = append(h.truth, i%3), append(h.prob, rows[i%3]...)
	}
	m, err := pragma.Spec{"c": pragma.Priority()}.Measure(h.classes)
	if err != nil {
		t.Fatal(err)
	}
	decide, err := h.decider(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	for want, p := range rows {
		if got := decide(p); got != want {
			t.Errorf("%v is decided as %d, want %d", p, got, want)
		}
	}
}

// By hand: of five folds with a rare row and another one each, the rare one is the likelier in three, and as likely
// in one.
func TestJudgeAUC(t *testing.T) {
	p := &problem{frame: &dataset.Frame{Classes: []string{"a", "b"}, Truth: []int{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}}, rare: 1, outer: []int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}}
	v := verdict{decided: p.frame.Truth}
	for _, q := range []float64{0.1, 0.2, 0.8, 0.9, 0.4, 0.6, 0.5, 0.5, 0.7, 0.3} {
		v.prob = append(v.prob, 1-q, q)
	}
	var r result
	if err := r.judge(p, pragma.Accuracy, v, v); err != nil || math.Abs(r.AUC-0.7) > 1e-12 {
		t.Errorf("AUC %v, error %v; want 0.7", r.AUC, err)
	}
}

// By hand: of 2 rare rows in 10, ours finds one and the other side both, with a false alarm. Neutral PRAGMA is the
// mean over the classes of 1 − r/2 − p/2. The other side gives the true class 0.8 where ours gives 0.4.
func TestJudge(t *testing.T) {
	truth := []int{0, 1, 0, 0, 0, 0, 1, 0, 0, 0}
	ours := verdict{decided: []int{0, 1, 0, 0, 0, 0, 0, 0, 0, 0}}
	other := verdict{decided: []int{0, 1, 0, 0, 1, 0, 1, 0, 0, 0}, seconds: 3}
	p := &problem{frame: &dataset.Frame{Classes: []string{"a", "b"}, Truth: truth}, rare: 1, outer: []int{0, 0, 1, 1, 2, 2, 0, 3, 3, 4}}
	for _, c := range truth {
		for _, v := range []struct {
			of *verdict
			p  float64
		}{{&ours, 0.4}, {&other, 0.8}} {
			row := []float64{1 - v.p, 1 - v.p}
			row[c] = v.p
			v.of.prob = append(v.of.prob, row...)
		}
	}
	m, err := pragma.Spec{"b": pragma.Neutral()}.Measure(p.frame.Classes)
	if err != nil {
		t.Fatal(err)
	}
	var r result
	if err := r.judge(p, m, other, ours); err != nil {
		t.Fatal(err)
	}
	loss, before := ((1-7.0/16-0.5)+(1-0.5-1.0/3))/2, ((1-0.5-4.0/9)+(1-0.25-0.5))/2
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
	if !near(r.Pragma, loss) || !near(r.PragmaGap, loss-before) || r.PragmaSE <= 0 {
		t.Errorf("PRAGMA %v, gap %v ± %v; want %v and %v", r.Pragma, r.PragmaGap, r.PragmaSE, loss, loss-before)
	}
	if !near(r.LogLoss, -math.Log(0.8)) || !near(r.LogLossGap, -math.Ln2) || r.LogLossSE > 1e-12 || !near(r.Brier, 0.04) || r.Seconds != 3 {
		t.Errorf("log loss %v, gap %v ± %v, Brier %v, %v s", r.LogLoss, r.LogLossGap, r.LogLossSE, r.Brier, r.Seconds)
	}
	if want := []uint32{0, 250000, 750000}; !slices.Equal(counts([]float64{0, 0.25, 0.75}), want) {
		t.Errorf("counts %v, want %v", counts([]float64{0, 0.25, 0.75}), want)
	}
}
