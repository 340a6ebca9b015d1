package main

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// rival has a rival say its probabilities, and makes the most of them, by goal.
func (s *study) rival(ctx context.Context, p *problem, name string) ([]verdict, error) {
	said, err := s.ask(ctx, p, name)
	if err != nil {
		return nil, err
	}
	n, k := p.frame.Rows(), len(p.frame.Classes)
	verdicts := make([]verdict, len(p.ask))
	for g := range verdicts {
		verdicts[g] = verdict{decided: make([]int, n), prob: make([]float64, n*k)}
	}
	for fold, all := range said.prob {
		in, out := dataset.SplitFold(p.outer, fold)
		held := heldOut{k: k, rare: p.rare, classes: p.frame.Classes, seed: uint64(1000*s.seed + fold)}
		for _, row := range in {
			held.prob, held.truth = append(held.prob, all[row*k:row*k+k]...), append(held.truth, p.frame.Truth[row])
		}
		start := time.Now()
		maps, err := calib.Auto.FitClasses(ctx, calib.Rows{K: k, Share: held.prob, Truth: held.truth, Workers: threads})
		if err != nil {
			return nil, err
		}
		mapping := time.Since(start)
		for g, m := range p.ask {
			start := time.Now()
			decide, err := held.decider(ctx, m)
			if err != nil {
				return nil, err
			}
			v := &verdicts[g]
			v.seconds += said.seconds[fold] + (mapping + time.Since(start)).Seconds()
			for _, row := range out {
				v.decided[row] = decide(all[row*k : row*k+k])
				maps.Probabilities(v.prob[row*k:row*k+k], all[row*k:row*k+k])
			}
		}
	}
	return verdicts, nil
}

// heldOut holds the probabilities of the rows of a training part, each by a model of an inner fold that has not
// seen it.
type heldOut struct {
	k, rare int
	classes []string
	prob    []float64 // n·k
	truth   []int     // len n
	seed    uint64
}

// decider returns the rule with the lowest loss of the rows: for two classes an exact threshold, for more the
// weights of our search.
func (h heldOut) decider(ctx context.Context, m pragma.Measure) (func(prob []float64) int, error) {
	if h.k == 2 {
		rare := make([]float64, len(h.truth))
		for i := range rare {
			rare[i] = h.prob[2*i+h.rare]
		}
		cut, _ := threshold(rare, h.truth, h.classes, h.rare, m)
		return func(prob []float64) int {
			if prob[h.rare] >= cut {
				return h.rare
			}
			return 1 - h.rare
		}, nil
	}
	t := &vote.Table{Classes: h.classes, Truth: h.truth, Share: make([]float64, h.k), Source: vote.External, Scores: true}
	for i, c := range h.truth {
		t.Share[c] += 1 / float64(len(h.truth))
		t.Counts = append(t.Counts, counts(h.prob[i*h.k:i*h.k+h.k])...)
	}
	found, err := anneal.Search{Seed: h.seed, Workers: threads}.Weights(ctx, t, m)
	if err != nil {
		return nil, err
	}
	rule := t.Rule(found.Weights)
	return func(prob []float64) int { return rule.Decide(counts(prob)) }, nil
}

// counts are probabilities as votes, of a million.
func counts(prob []float64) []uint32 {
	votes := make([]uint32, len(prob))
	for c, p := range prob {
		votes[c] = uint32(math.Round(1e6 * p))
	}
	return votes
}

// threshold returns the probability of the rare class, of two, from which on deciding a row as it has the lowest
// loss, and that loss. It tries the middle between each two neighbours, 0 and +Inf. Of equals it takes the one
// whose log odds are nearest to 0. Prob and truth have length n.
func threshold(prob []float64, truth []int, classes []string, rare int, m pragma.Measure) (cut, loss float64) {
	order := make([]int, len(prob))
	matrix := vote.NewConfusion(classes)
	for i, c := range truth {
		order[i] = i
		matrix.Add(c, 1-rare, 1)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(prob[b], prob[a]) })
	cut, loss = math.Inf(1), m.Loss(matrix)
	for at, i := range order {
		matrix.Move(truth[i], 1-rare, rare, 1)
		next := 0.0
		if at+1 < len(order) {
			next = prob[order[at+1]]
			if next == prob[i] {
				continue
			}
			if middle := next + (prob[i]-next)/2; middle > next {
				next = middle
			} else { // no number lies between
				next = prob[i]
			}
		}
		const rounding = 1e-12
		if l := m.Loss(matrix); l < loss-rounding || l < loss+rounding && odds(next) < odds(cut) {
			cut, loss = next, l
		}
	}
	return cut, loss
}

// odds is how far the log odds of a threshold are from 0.
func odds(p float64) float64 {
	if p <= 0 || p >= 1 {
		return math.Inf(1)
	}
	return math.Abs(math.Log(p / (1 - p)))
}
