package forest

import (
	"math"
	"math/bits"

	"github.com/rfpragma/rfpragma/dataset"
)

// guide leads to the rank of a number among thresholds: the range between them is divided into
// equal cells, and for each cell is noted how many thresholds lie before it. What remains is a
// search among those of one cell, which is short. As the cell of a number never falls
// when the number grows, the rank is exact, however the arithmetic rounds.
type guide struct {
	least, scale float64
	before       []uint32 // by cell, and at the end all
}

// mostCells is the largest number of cells.
const mostCells = 1 << 14

// newGuide returns the guide to ascending thresholds.
func newGuide(at []float64) guide {
	if len(at) == 0 {
		return guide{before: make([]uint32, 2)}
	}
	last := at[len(at)-1]
	if last == math.MaxFloat64 && len(at) > 1 { // "known or missing": it would make all others seem close together
		last = at[len(at)-2]
	}
	cells := min(mostCells, 1<<bits.Len(uint(len(at))))
	g := guide{least: at[0], scale: float64(cells) / (last - at[0]), before: make([]uint32, cells+1)}
	if math.IsInf(g.scale, 0) || !(g.scale > 0) { // a single threshold, or a range beyond numbers
		g.scale = 0
	}
	for _, t := range at {
		g.before[g.cell(t)+1]++
	}
	for c := range cells {
		g.before[c+1] += g.before[c]
	}
	return g
}

// cell returns the cell of a number that is not NaN.
func (g *guide) cell(v float64) int {
	if x := float64((v - g.least) * g.scale); x < float64(len(g.before)-1) {
		return int(max(x, 0))
	} else if x >= 0 {
		return len(g.before) - 2
	}
	return 0 // infinity times 0
}

// rank returns the number of thresholds below v: v goes left of cut i if its rank is at most i.
func (c *cuts) rank(v float64) uint32 {
	cell := c.guide.cell(v)
	from, to := c.guide.before[cell], c.guide.before[cell+1]
	for from < to {
		if mid := (from + to) / 2; c.at[mid] < v {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from
}

// index prepares f for voting, once its cuts are there.
func (f *Forest) index() {
	f.flatten()
	for j, field := range f.Schema {
		if field.Kind == dataset.Categorical {
			f.categorical = true
			continue
		}
		f.cuts[j].guide = newGuide(f.cuts[j].at)
	}
}

// flatten puts the thresholds of all features into one list, for rows whose cells are not ranked: the threshold of a
// node is then found by where those of its feature begin, and not by way of all that is known of the feature.
func (f *Forest) flatten() {
	n := 0
	for j := range f.cuts {
		n += len(f.cuts[j].at)
	}
	f.thresholds, f.starts = make([]float64, 0, n), make([]int, len(f.cuts))
	for j := range f.cuts {
		c := &f.cuts[j]
		f.starts[j] = len(f.thresholds)
		f.thresholds = append(f.thresholds, c.at...)
		c.at = f.thresholds[f.starts[j]:len(f.thresholds):len(f.thresholds)]
	}
}
