package eval

import (
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/paired"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// replayed describes how the rows of folds would be decided under other weights than the tuned ones.
type replayed struct {
	Confusion *vote.Confusion  // of all repeats together
	Classes   map[string]Class // figures of each class
	// what the tuned rules gain over these weights; nil if rows are of few groups, or if it is not a number
	Gain *Gain
}

// replayable tells whether Replay can decide the rows of folds under such weights.
func replayable(folds []HeldOut, weights []vote.Weights, repeats int, by pragma.Measure) bool {
	if len(folds) == 0 || len(weights) != len(folds) || repeats < 1 {
		return false
	}
	for f, fold := range folds {
		if fold.Votes.Check() != nil || len(fold.Decided) != fold.Votes.Rows() ||
			!slices.Equal(fold.Votes.Classes, folds[0].Votes.Classes) || weights[f].Check(len(fold.Votes.Classes)) != nil ||
			pragma.CheckMeasure(by, len(fold.Votes.Classes)) != nil || outside(fold.Decided, len(fold.Votes.Classes)) {
			return false
		}
	}
	return true
}

// outside tells whether a decision is for none of k classes.
func outside(decided []int, k int) bool {
	return slices.ContainsFunc(decided, func(c int) bool { return c < 0 || c >= k })
}

// Replay decides the rows of each fold under other weights, given for each fold, and compares them with its
// own decisions. There must be at least one fold, and what is said of it must be of as many rows and classes, else
// there are no figures; repeats is how many times each row was judged. The gain is by
// the measure by, with resamples drawn from seed.
func Replay(folds []HeldOut, weights []vote.Weights, repeats int, by pragma.Measure, seed uint64) replayed {
	if !replayable(folds, weights, repeats, by) {
		return replayed{}
	}
	var j judge
	pair := paired.New(folds[0].Votes.Classes, ranks(folds[0].Votes.TieOrder()))
	for f, fold := range folds {
		t, at := fold.Votes, len(j.decision)
		_ = j.table(t, weighed(weights[f], t), func([]float64, []uint32) {}, pragma.Costs{}) // only costs by amount can fail
		for i := range t.Judged() {
			truth, w, other, tuned := t.Truth[i], t.WeightOf(i), j.decision[at], fold.Decided[i]
			pair.Add(truth, other, tuned, w/float64(repeats), w)
			if t.Group != nil {
				pair.Join(t.Group[i], truth, other, tuned, w/float64(repeats))
			}
			at++
		}
	}
	out := replayed{Confusion: j.total, Classes: j.classes(float64(repeats))}
	if _, groups := pair.Groups(); effective.TooFew(groups) {
		return out
	}
	var before, after []float64
	pair.Resample(rand.New(rand.NewPCG(seed, noiseStream)), resamples, func(a, b *vote.Confusion) {
		before,
			after = append(before, by.Loss(a)), append(after, by.Loss(b))
	})
	other, tuned := pair.Confusions()
	out.Gain = gain(by.Loss(other), by.Loss(tuned), before, after)
	return out
}
