package vote

import (
	"cmp"
	"math/bits"
	"slices"
)

// Histogram sums the case weights of rows by their votes and class. Rows that agree in both move
// together under any weights, so a histogram is all that a search or a map needs, and its size
// does not depend on the number of rows: with two classes and T whole votes a row it has 2(T+1) cells.
// It is filled row by row, and histograms of parts of the rows are merged by adding them.
//
// Neither the order of the rows nor that of the parts changes a bit of the sums, unless case weights
// of more than some 100 bits between the largest and the last one are mixed: they are summed with
// twice the digits of a float64 and rounded once.
type Histogram struct {
	Unvoted int // rows without a vote,
	Unknown int // rows of unknown class that have some, and
	Ignored int // rows of weight 0 that have both: none of these is in a cell

	classes int
	counts  []uint32  // by cell, k each
	truth   []int     // by cell
	sums    []float64 // by cell: the weight,
	rests   []float64 // and what rounding took away from it
	slots   []uint32  // hash table: the number of a cell plus 1, or 0
}

// NewHistogram returns the empty histogram of k classes.
func NewHistogram(k int) *Histogram { return &Histogram{classes: k} }

// Cells returns the number of cells.
func (h *Histogram) Cells() int { return len(h.truth) }

// Add counts a row: votes has length k, truth is the index of its class or -1.
func (h *Histogram) Add(votes []uint32, truth int, weight float64) {
	switch {
	case Total(votes) == 0:
		h.Unvoted++
	case truth < 0:
		h.Unknown++
	case !(weight > 0):
		h.Ignored++
	default:
		h.add(h.cell(votes, truth), weight)
	}
}

// Merge adds the rows of other, of the same classes.
func (h *Histogram) Merge(other *Histogram) {
	h.Unvoted, h.Unknown, h.Ignored = h.Unvoted+other.Unvoted, h.Unknown+other.Unknown, h.Ignored+other.Ignored
	for i, truth := range other.truth {
		c := h.cell(other.votes(i), truth)
		h.add(c, other.sums[i])
		h.add(c, other.rests[i])
	}
}

// add adds to a cell (two-sum: Knuth, TAOCP 2, 4.2.2, theorem B).
func (h *Histogram) add(cell int, weight float64) {
	before := h.sums[cell]
	after := before + weight
	part := after - before
	h.rests[cell] += (before - (after - part)) + (weight - part)
	h.sums[cell] = after
}

func (h *Histogram) votes(cell int) []uint32 {
	return h.counts[cell*h.classes : (cell+1)*h.classes]
}

// cell returns the cell of votes and class, which is made if it is new.
func (h *Histogram) cell(votes []uint32, truth int) int {
	if 2*len(h.truth) >= len(h.slots) {
		h.grow()
	}
	at := h.slot(votes, truth)
	if h.slots[at] == 0 {
		h.counts = append(h.counts, votes...)
		h.truth = append(h.truth, truth)
		h.sums, h.rests = append(h.sums, 0), append(h.rests, 0)
		h.slots[at] = uint32(len(h.truth))
	}
	return int(h.slots[at]) - 1
}

// slot returns where the number of a cell is, or where it belongs.
func (h *Histogram) slot(votes []uint32, truth int) uint64 {
	hash := uint64(truth) + 0x9e3779b97f4a7c15
	for _, v := range votes {
		high, low := bits.Mul64(hash^uint64(v), 0xd6e8feb86659fd93)
		hash = high ^ low + 0x9e3779b97f4a7c15
	}
	mask := uint64(len(h.slots) - 1)
	at := hash & mask
	for n := h.slots[at]; n > 0; n = h.slots[at] {
		if h.truth[n-1] == truth && slices.Equal(h.votes(int(n-1)), votes) {
			break
		}
		at = (at + 1) & mask
	}
	return at
}

func (h *Histogram) grow() {
	h.slots = make([]uint32, max(64, 2*len(h.slots)))
	for i, truth := range h.truth {
		h.slots[h.slot(h.votes(i), truth)] = uint32(i + 1)
	}
}

// Table returns the cells as the rows of a table that is otherwise like t, in the order of votes
// and class.
func (h *Histogram) Table(t *Table) *Table {
	order := make([]int, len(h.truth))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(slices.Compare(h.votes(a), h.votes(b)), cmp.Compare(h.truth[a], h.truth[b]))
	})
	out := &Table{
		Classes: t.Classes, Share: t.Share, Source: t.Source, Soft: t.Soft, Scores: t.Scores, Trees: t.Trees,
		Truth: make([]int, 0, len(order)), Counts: make([]uint32, 0, len(h.counts)), Weight: make([]float64, 0, len(order)),
	}
	for _, i := range order {
		out.Truth = append(out.Truth, h.truth[i])
		out.Counts = append(out.Counts, h.votes(i)...)
		out.Weight = append(out.Weight, h.sums[i]+h.rests[i])
	}
	return out
}
