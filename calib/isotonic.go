package calib

import (
	"math"
	"slices"
)

// Isotonic is a non-decreasing map through the knots (Score[i], Value[i]). Before the first and after the last
// knot it has the value of that knot.
//
// Between knots it is linear if Linear. Otherwise it is a step function, continuous from the right: a score has
// the value of the last knot at or below it.
type Isotonic struct {
	Score  []float64 `json:"score"` // strictly increasing, at least one
	Value  []float64 `json:"value"` // as many, in [0, 1], never falling
	Linear bool      `json:"linear"`
}

// isotonicOf fits the non-decreasing map m that minimises Σᵢ wᵢ·(hitᵢ − m(scoreᵢ))², by
// pooling adjacent violators, in O(n log n). Rows of equal score are pooled first, so the
// order of the rows never changes a bit of the result. At the fitted scores the linear and
// the step form have the same values. Any strictly increasing transform of the scores, such
// as a factor on all odds, leaves the values at the rows as they are (and those of the step
// form everywhere).
//
// Shapes: score, hit and weight have the same length n; nil weight means 1 each. A row of
// weight 0 is as if removed, one of weight 2 as if given twice.
// Units:  any finite score; the map's values are probabilities.
// Errors: no rows, lengths that differ, a score or weight that is not finite, a negative
// weight (all naming the index), only weights of 0, a sum of weights above 1e15, and
// [ErrOneClass].
// Source: Ayer et al., Ann. Math. Statist. 26 (1955) 641-647; for classifier scores, Zadrozny
// and Elkan, KDD 2002.
func isotonicOf(score []float64, hit []bool, weight []float64, linear bool) (Isotonic, error) {
	var pooled []block
	err := eachGroup(score, hit, weight, false, func(g group) { pooled = push(pooled, g.block()) })
	if err != nil {
		return Isotonic{}, err
	}
	m := Isotonic{Linear: linear}
	for _, b := range pooled {
		m.Score, m.Value = append(m.Score, b.first), append(m.Value, b.mean())
		if linear && b.last > b.first {
			m.Score, m.Value = append(m.Score, b.last), append(m.Value, b.mean())
		}
	}
	m.Score, m.Value = slices.Clip(m.Score), slices.Clip(m.Value)
	return m, nil
}

// centredOf fits the isotonic map that rises strictly wherever it is not 0 or 1: a block of pooled scores has
// its value only at their weighted mean, and between these means the map is linear. So scores that isotonic
// regression would make equal keep their order. Blocks of value 0 and 1 keep their width. Unlike isotonicOf it
// is not invariant to a factor on all odds, which moves the means.
//
// Shapes, weights, units and errors are those of [isotonicOf]. Source: Oron and Flournoy, Statistics in
// Biopharmaceutical Research 9 (2017) 258-267.
func centredOf(score []float64, hit []bool, weight []float64) (Isotonic, error) {
	groups, err := pool(score, hit, weight, false)
	if err != nil {
		return Isotonic{}, err
	}
	m := Isotonic{Linear: true}
	next := 0 // the first group of the block
	blocks := make([]block, len(groups))
	for i, g := range groups {
		blocks[i] = g.block()
	}
	for _, b := range pav(blocks) {
		end := next
		for end < len(groups) && groups[end].score <= b.last {
			end++
		}
		value, at := b.mean(), []float64{b.first, b.last}
		if value > 0 && value < 1 {
			at = []float64{centre(groups[next:end])}
		}
		for i, s := range at {
			if i == 0 || s > at[0] {
				m.Score, m.Value = append(m.Score, s), append(m.Value, value)
			}
		}
		next = end
	}
	m.Score, m.Value = slices.Clip(m.Score), slices.Clip(m.Value)
	return m, nil
}

// centre returns the weighted mean score of groups.
func centre(groups []group) float64 {
	first, last := groups[0].score, groups[len(groups)-1].score
	if first == last {
		return first
	}
	way, weight := 0.0, 0.0
	for _, g := range groups {
		way += float64((g.hit + g.miss) * fraction(g.score, first, last))
		weight += g.hit + g.miss
	}
	way /= weight
	return min(max(float64(first*(1-way))+float64(last*way), first), last)
}

// fitMinMax fits the map that is linear from 0 at the lowest score to 1 at the highest, and
// looks at no class. Where all scores are equal it is constant, the share of the hits.
func fitMinMax(score []float64, hit []bool, weight []float64) (Isotonic, error) {
	groups, err := pool(score, hit, weight, false)
	if err != nil {
		return Isotonic{}, err
	}
	if len(groups) == 1 {
		hits, misses := totals(groups)
		return Isotonic{Score: []float64{groups[0].score}, Value: []float64{hits / (hits + misses)}, Linear: true}, nil
	}
	return Isotonic{Score: []float64{groups[0].score, groups[len(groups)-1].score}, Value: []float64{0, 1}, Linear: true},
		nil
}

// block returns the block of a group alone.
func (g group) block() block { return block{g.score, g.score, g.hit, g.hit + g.miss} }

// block is a run of neighbouring scores that have one value, the weighted mean of their
// targets.
type block struct {
	first, last float64 // scores at its ends
	sum, weight float64 // summed weight times target, and summed weight (> 0)
}

func (b block) mean() float64 { return b.sum / b.weight }

// pav pools adjacent violators, in place and in O(n): the blocks it returns have strictly
// increasing means, and these are the non-decreasing fit of least weighted squares. With
// targets in [0, 1] so are the means: sum and weight are added up in the same order, and
// rounding keeps sum ≤ weight.
func pav(blocks []block) []block {
	pooled := blocks[:0]
	for _, b := range blocks {
		pooled = push(pooled, b)
	}
	return pooled
}

// push adds a block to pooled ones, pooling it with those that it violates.
func push(pooled []block, b block) []block {
	n := len(pooled)
	for ; n > 0 && pooled[n-1].mean() >= b.mean(); n-- {
		p := pooled[n-1]
		b = block{p.first, b.last, p.sum + b.sum, p.weight + b.weight}
	}
	return append(pooled[:n], b)
}

// Prob returns the value of the map at score; NaN of a map without a value for each of its scores, such as the zero
// one.
func (m Isotonic) Prob(score float64) float64 {
	if math.IsNaN(score) || len(m.Score) == 0 || len(m.Value) != len(m.Score) {
		return math.NaN()
	}
	i, found := slices.BinarySearch(m.Score, score)
	switch {
	case found:
		return m.Value[i]
	case i == 0:
		return m.Value[0]
	case i == len(m.Score) || !m.Linear:
		return m.Value[i-1]
	}
	low, high := m.Value[i-1], m.Value[i]
	return min(low+float64(fraction(score, m.Score[i-1], m.Score[i])*(high-low)), high)
}

// fraction returns how far x lies on the way from a to b, for a < x < b, also where b − a is
// too large for a float64.
func fraction(x, a, b float64) float64 {
	if d := b - a; !math.IsInf(d, 0) {
		return (x - a) / d
	}
	return (float64(x/2) - float64(a/2)) / (float64(b/2) - float64(a/2))
}

// within is a fit of an isotonic map with its values kept from 1/(2n) to 1 − 1/(2n), n being the summed weight of
// the rows, at least 1: that all of some rows were hits does not say that the next one is, and a single miss would
// cost the log loss of hundreds of rows.
func within(fit fitFunc) fitFunc {
	return func(score []float64, hit []bool, weight []float64) (Map, error) {
		fitted, err := fit(score, hit, weight)
		m, ok := fitted.(Isotonic)
		if err != nil || !ok {
			return fitted, err
		}
		n := float64(len(score))
		if weight != nil {
			n = summed(0, weight)
		}
		least := 0.5 / max(n, 1)
		for i, v := range m.Value {
			m.Value[i] = min(max(v, least), 1-least)
		}
		return m, nil
	}
}
