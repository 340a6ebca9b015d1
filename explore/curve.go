package explore

import (
	"cmp"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/retune"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// turn is a row that is decided as a class as soon as the votes for it weigh more than this, and as another below.
type turn struct {
	at           float64
	truth, other int
	weight       float64
	in           uint64 // slices
}

// turnsOf returns the rows that a weight of class c can turn, the first first, and the decisions where it is 0. A row
// turns where its votes, weighed, exceed those of every other class.
func turnsOf(t *vote.Table, w vote.Weights, c int) ([]turn, *vote.Confusion) {
	without := slices.Clone(w)
	without[c] = 0
	rule, m := t.Rule(without), vote.NewConfusion(t.Classes, t.Slices...)
	var turns []turn
	for i, votes := range t.Judged() {
		one := turn{truth: t.Truth[i], other: rule.Decide(votes), weight: t.WeightOf(i), in: t.InOf(i)}
		m.AddIn(one.truth, one.other, one.weight, one.in)
		if votes[c] == 0 {
			continue
		}
		if one.other != c {
			one.at = w[one.other] * float64(votes[one.other]) / float64(votes[c])
		}
		turns = append(turns, one)
	}
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Compare(a.at, b.at) })
	return turns, m
}

// point is an operating point: what becomes of a class where its votes weigh just more than this, and those of the
// others stay.
type point struct {
	Weight float64 `json:"weight"`
	Found  float64 `json:"found"` // rows of the class that are decided as it
	Named  float64 `json:"named"` // all rows that are
}

// mostPoints is how many points of a curve are told.
const mostPoints = 240

// curveOf varies the weight of class c.
func curveOf(t *vote.Table, w vote.Weights, c int) []point {
	turns, _ := turnsOf(t, w, c)
	var out []point
	var sum point
	for i, one := range turns {
		sum.Weight, sum.Named = one.at, sum.Named+one.weight
		if one.truth == c {
			sum.Found += one.weight
		}
		if i+1 == len(turns) || turns[i+1].at > one.at {
			out = append(out, sum)
		}
	}
	return thinned(out)
}

// thinned keeps some of the points, in even steps of the found and of the named rows.
func thinned(all []point) []point {
	if len(all) <= mostPoints {
		return all
	}
	last := all[len(all)-1]
	step := func(p point) float64 { return p.Found/max(1e-300, last.Found) + p.Named/max(1e-300, last.Named) }
	kept := all[:1:1]
	for i, p := range all {
		if i == len(all)-1 || step(p)-step(kept[len(kept)-1]) >= 2.0/mostPoints {
			kept = append(kept, p)
		}
	}
	return kept
}

// mostMoved is how many classes a guess is about, and rounds how often it moves each.
const (
	mostMoved = 3
	rounds    = 2
)

// guess returns weights for a wish: of the classes that matter most, each as it is best while the others stay, and 1 of
// the others.
func (h *Handler) guess(w *retune.Wish) (vote.Weights, error) {
	t, err := w.Loss.Costs.Stakes(h.table)
	if err != nil {
		return nil, err
	}
	guess := slices.Repeat(vote.Weights{1}, len(t.Classes))
	matter := h.matter(w)
	by := pragma.Within(w.Loss.Measure, w.Search.Floors...)
	for range rounds {
		for _, c := range matter[:min(mostMoved, len(matter))] {
			guess[c] = bestOf(t, guess, c, by)
		}
	}
	return guess, nil
}

// bestOf returns the weight of class c that is best while the others stay: the middle of the range, in logarithms, and
// of equals that nearest to the weight that it has.
func bestOf(t *vote.Table, w vote.Weights, c int, by pragma.Measure) float64 {
	const far = 2 // times the last turn, where a range has no end
	turns, m := turnsOf(t, w, c)
	best, least := w[c], math.Inf(1)
	for i := range turns {
		m.MoveIn(turns[i].truth, turns[i].other, c, turns[i].weight, turns[i].in)
		low, high := turns[i].at, far*turns[i].at
		if i+1 < len(turns) {
			high = turns[i+1].at
		}
		if low <= 0 || high <= low {
			continue
		}
		middle, loss := math.Sqrt(low*high), by.Loss(m)
		if loss < least || loss == least && nearer(middle, best, w[c]) {
			best, least = middle, loss
		}
	}
	return best
}

// nearer tells whether a is nearer to c than b, by ratio.
func nearer(a, b, c float64) bool {
	return math.Abs(portable.Log(a/c)) < math.Abs(portable.Log(b/c))
}
