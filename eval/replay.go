package eval

import (
	"math/rand/v2"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Replayed is what becomes of the rows of folds under other weights than the tuned ones.
type Replayed struct {
	Confusion *vote.Confusion  // of all repeats
	Classes   map[string]Class // what becomes of each class
	Gain      *Gain            // what the tuned rules gain on it; nil where rows are of few groups, or it is no number
}

// Replay decides the rows of each fold, of which it takes the votes and the tuned rule, under other weights; of at least one fold, with the rows judged so many times. The gain is by the
// measure, and by the resamples that the seed gives.
func Replay(folds []Held, weights []vote.Weights, repeats int, by pragma.Measure, seed uint64) Replayed {
	var j judge
	pair := vote.NewPair(folds[0].Votes.Classes, nil)
	for f, fold := range folds {
		t, at := fold.Votes, len(j.decision)
		_ = j.table(t, weights[f], func([]float64, []uint32) {}, pragma.Costs{}) // only costs by amount can fail
		for i, votes := range t.Judged() {
			truth, w, other, tuned := t.Truth[i], t.WeightOf(i), j.decision[at], fold.Rule.Decide(votes)
			pair.Add(truth, other, tuned, w/float64(repeats), w)
			if t.Group != nil {
				pair.Join(t.Group[i], truth, other, tuned, w/float64(repeats))
			}
			at++
		}
	}
	out := Replayed{Confusion: j.total, Classes: j.classes(float64(repeats))}
	if _, groups := pair.Groups(); vote.TooFew(groups) {
		return out
	}
	var before, after []float64
	pair.Resample(rand.New(rand.NewPCG(seed, noiseStream)), resamples, func(a, b *vote.Confusion) { before, after = append(before, by.Loss(a)), append(after, by.Loss(b)) })
	other, tuned := pair.Confusions()
	out.Gain = gain(by.Loss(other), by.Loss(tuned), before, after)
	return out
}
