package calib

import (
	"fmt"
	"math"
	"slices"
)

// VennAbersTable gives two probabilities for a score: those that isotonic regression fits to it when the score
// is added to the rows as one more row that is no hit, and as one that is a hit. If rows are exchangeable, one
// of the two is calibrated, whichever way a new row turns out. The farther they lie apart, the less the rows
// say about such a score.
//
// The table is exact for every score, not only for those it was fitted on: Low is that of the last score at or
// below the given one, High that of the first score at or above it.
type VennAbersTable struct {
	Score []float64 `json:"score"` // strictly increasing, at least one
	Low   []float64 `json:"low"`   // as many, in [0, 1], never falling: with the score as no hit
	High  []float64 `json:"high"`  // as many, in (0, 1], never falling, Low or more: with it as a hit
}

// Interval returns the two probabilities at score, low ≤ high. Below all scores low is 0, above
// them high is 1. Both are NaN of a map that has not as many of them as scores.
func (m VennAbersTable) Interval(score float64) (low, high float64) {
	if math.IsNaN(score) || len(m.Low) != len(m.Score) || len(m.High) != len(m.Score) {
		return math.NaN(), math.NaN()
	}
	i, found := slices.BinarySearch(m.Score, score)
	low, high = 0, 1
	if i < len(m.Score) {
		high = m.High[i]
	}
	if found {
		low = m.Low[i]
	} else if i > 0 {
		low = m.Low[i-1]
	}
	return low, high
}

// Prob returns high/(1−low+high), the probability whose log loss exceeds that of the better of low and high by
// as little as can be guaranteed, whichever way the row turns out. Source: Vovk, Petej and Fedorova, NIPS 2015.
func (m VennAbersTable) Prob(score float64) float64 {
	low, high := m.Interval(score)
	return 1 / (1 + (1-low)/high) // written so that rounding keeps it from falling
}

// vennAbersOf fits the table of all answers at once, in O(n log n), where the row that is added has weight 1.
// Scores at which neither answer changes are left out.
//
// Shapes, weights, units and errors are those of [isotonicOf]. With whole weights the answers are exact except
// for the last digit; with others to about 1e-15 of the sum of the weights. Source: Vovk and Petej, UAI 2014;
// Vovk, Petej and Fedorova, NIPS 2015.
func vennAbersOf(score []float64, hit []bool, weight []float64) (VennAbersTable, error) {
	groups, err := pool(score, hit, weight, false)
	if err != nil {
		return VennAbersTable{}, err
	}
	n := len(groups)
	low, high := make([]float64, n), make([]float64, n)
	for i, b := range raised(groups) {
		high[i] = b.hit / (b.hit + b.miss)
	}
	// Backwards, and with misses for hits, a row that is no hit is one that is a hit.
	mirror := make([]group, n)
	for i, g := range groups {
		mirror[n-1-i] = group{hit: g.miss, miss: g.hit}
	}
	for i, b := range raised(mirror) {
		low[n-1-i] = b.miss / (b.hit + b.miss)
	}
	settle(low, high)
	var m VennAbersTable
	for i, g := range groups {
		if i > 0 && i < n-1 && low[i] == low[i-1] && high[i] == high[i+1] {
			continue
		}
		m.Score, m.Low, m.High = append(m.Score, g.score), append(m.Low, low[i]), append(m.High, high[i])
	}
	m.Score, m.Low, m.High = slices.Clip(m.Score), slices.Clip(m.Low), slices.Clip(m.High)
	return m, nil
}

// fitVennAbersCentred fits the map that is linear between the middles of the steps of a [VennAbersTable], the
// weighted means of their scores. From the middle of the lowest step down to its end it falls to half of its value,
// and of the highest it rises as far towards 1: so no two fitted scores are equal, and as rows of either class are
// never all there is, none has 0 or 1. Source of the middles: Oron and Flournoy, Statistics in Biopharmaceutical
// Research 9 (2017) 258-267.
func fitVennAbersCentred(score []float64, hit []bool, weight []float64) (Isotonic, error) {
	groups, err := pool(score, hit, weight, false)
	if err != nil {
		return Isotonic{}, err
	}
	table, err := vennAbersOf(score, hit, weight)
	if err != nil {
		return Isotonic{}, err
	}
	m, n := Isotonic{Linear: true}, len(groups)
	knot := func(score, value float64) {
		if last := len(m.Score) - 1; last < 0 || score > m.Score[last] {
			m.Score, m.Value = append(m.Score, score), append(m.Value, value)
		}
	}
	for from := 0; from < n; {
		p, to := table.Prob(groups[from].score), from+1
		for to < n && table.Prob(groups[to].score) == p {
			to++
		}
		step := groups[from:to]
		middle := centre(step)
		if from == 0 && middle > step[0].score {
			knot(step[0].score, p/2)
		}
		knot(middle, p)
		if to == n {
			knot(step[len(step)-1].score, (1+p)/2)
		}
		from = to
	}
	m.Score, m.Value = slices.Clip(m.Score), slices.Clip(m.Value)
	return m, nil
}

// settle takes back what rounding did to weights that are not whole: values lie in [0, 1] and
// never fall, low is not above high, and high is not 0.
func settle(low, high []float64) {
	l, h := 0.0, math.SmallestNonzeroFloat64
	for i := range low {
		l = min(max(low[i], l), 1)
		h = min(max(high[i], h, l), 1)
		low[i], high[i] = l, h
	}
}

// piece is a straight piece of the curve of [raised]: its hits and misses, and the number of
// groups up to its right end.
type piece struct {
	hit, miss float64
	end       int
}

func (p piece) share() float64 { return p.hit / (p.hit + p.miss) }

// raised returns for each group the block that it is in, by isotonic regression, when a hit of
// weight 1 is added to it; that hit is among the block's.
//
// In the diagram of cumulated hits against cumulated weight, isotonic regression is the largest
// convex curve below the points, and a hit at group i moves the points from i on by (1, 1). The
// piece of the curve that spans the move is what is asked for. As i grows it becomes steeper,
// so what lies before its left end is never asked for again: one walk does for all i, and every
// point enters and leaves the curve once (O(n)).
func raised(groups []group) []piece {
	// The curve from the left end of the piece on, backwards: the piece is the last.
	var curve []piece
	for i, g := range slices.Backward(groups) {
		curve = pooled(append(curve, piece{g.hit, g.miss, i + 1}))
	}
	curve = pooled(append(curve, piece{hit: 1}))
	answers := make([]piece, len(groups))
	var passed piece // what lies between the left end and the hit that was added
	for i, g := range groups {
		p := &curve[len(curve)-1]
		answers[i] = *p
		passed.hit += g.hit
		passed.miss += g.miss
		if p.end > i+1 && passed.share() >= p.share() {
			continue // the point after group i, which the hit leaves behind now, is above the curve
		}
		p.hit, p.miss = max(p.hit-passed.hit, 1), max(p.miss-passed.miss, 0)
		passed = piece{}
		curve = pooled(curve)
	}
	return answers
}

// pooled pools the last pieces of a backward curve until the last one is the flattest.
func pooled(curve []piece) []piece {
	for n := len(curve); n > 1 && curve[n-1].share() >= curve[n-2].share(); n-- {
		curve[n-2].hit += curve[n-1].hit
		curve[n-2].miss += curve[n-1].miss
		curve = curve[:n-1]
	}
	return curve
}

func (m VennAbersTable) check() error {
	if len(m.Score) == 0 || len(m.Score) != len(m.Low) || len(m.Score) != len(m.High) {
		return fmt.Errorf("Venn-Abers map has %d scores, %d low and %d high values, which must be equally many and at "+
			"least one; fit it again", len(m.Score), len(m.Low), len(m.High))
	}
	for _, value := range [][]float64{m.Low, m.High} {
		if err := (Isotonic{Score: m.Score, Value: value}).check(); err != nil {
			return fmt.Errorf("Venn-Abers map, of which both halves are isotonic: %w", err)
		}
	}
	for i, high := range m.High {
		if !(high > 0 && high >= m.Low[i]) {
			return fmt.Errorf("Venn-Abers map: high value %d is %g, which must be above 0 and not below the low value %g; fit "+
				"it again", i, high, m.Low[i])
		}
	}
	return nil
}
