package forest

import (
	"math"
	"math/bits"
	"slices"
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

// newGuide returns the guide to ascending thresholds, of which there is at least one.
func newGuide(at []float64) guide {
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

// rank is that of cuts for the thresholds of the guide.
func (g *guide) rank(at []float64, v float64) uint32 {
	c := g.cell(v)
	from, to := g.before[c], g.before[c+1]
	for from < to {
		if mid := (from + to) / 2; at[mid] < v {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from
}

// guides returns the guides of the numeric features that are asked for; nil where rows are of
// so many features, for so few trees, that most of their cells are never asked for: then they
// should not be ranked at all.
func (f *Forest) guides() []guide {
	const walk = 16 // about as many steps as to rank a cell: the nodes on the way through a tree
	if len(f.Schema) > walk*len(f.trees)/2 {
		return nil
	}
	guides := make([]guide, len(f.cuts))
	for j := range f.cuts {
		if at := f.cuts[j].at; len(at) > 0 {
			guides[j] = newGuide(at)
		}
	}
	return slices.Clip(guides)
}
