package vote

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Histogram sums the case weights of rows by their votes and class. Rows that agree in both move together under
// any weights, so a histogram is all that a search or a map needs, and its size does not depend on the number
// of rows: with two classes and T whole votes a row it has at most 2(T+1) cells. It is filled row by row, and
// histograms of parts of the rows can be merged.
//
// Sums are kept with twice the digits of a float64 and rounded once. So neither the order of the rows nor that
// of the parts changes a bit of them, unless more than some 100 bits lie between the largest case weight and
// the last bit of the smallest.
type Histogram struct {
	classes int
	counts  []uint32  // by cell, k each
	truth   []int     // by cell
	amounts []float64 // by cell; nil as long as there are none
	times   []int     // by cell: the rows; those of weight 0 have cells of their own
	sums    []float64 // by cell: the weight,
	rests   []float64 // and what rounding took away from it
	slots   []uint32  // hash table: the number of a cell plus 1, or 0
	slices  []Slice   // of the rows,
	in      []uint64  // by cell: those that its rows are in; nil without slices
}

// key is what the rows of a cell have in common.
type key struct {
	votes  []uint32
	truth  int
	idle   bool    // they have weight 0
	amount float64 // 0 without
	in     uint64  // the slices they are in
}

// NewHistogram returns an empty histogram of k classes.
func NewHistogram(k int) *Histogram { return &Histogram{classes: k} }

// cellCount returns the number of cells.
func (h *Histogram) cellCount() int { return len(h.truth) }

// Add counts a row with the given votes (len k), whose class has the index truth, or -1. Rows without k votes, a
// class or weight, which no search and no map uses, are left out.
func (h *Histogram) Add(votes []uint32, truth int, weight float64) {
	h.addRows(key{votes: votes, truth: truth}, weight, 1)
}

func (h *Histogram) addRows(k key, weight float64, rows int) {
	if k.truth >= 0 && k.truth < h.classes && weight > 0 && len(k.votes) == h.classes && Total(k.votes) > 0 {
		c := h.cell(k)
		h.times[c] += rows
		h.add(c, weight)
	}
}

// AddTable counts all rows of t, which has the same classes. Unlike Add it also keeps rows without votes, class
// or weight, and it keeps rows of different amounts apart. So nothing of t is lost but the order of its rows,
// see [Table.Condense], and its slices. Errors: [ErrShape] if t is of another number of classes, or its lengths do not
// agree.
func (h *Histogram) AddTable(t *Table) error {
	if t == nil || !t.shaped() || len(t.Classes) != h.classes {
		return fmt.Errorf("%w: no table of %d classes to add; give one that passes Check", ErrShape, h.classes)
	}
	h.byAmount(t.Amount != nil)
	for i, truth := range t.Truth {
		k := key{votes: t.Votes(i), truth: truth, idle: !(t.WeightOf(i) > 0)}
		if t.Amount != nil {
			k.amount = t.Amount[i]
		}
		c := h.cell(k)
		h.times[c] += t.TimesOf(i)
		h.add(c, t.WeightOf(i))
	}
	return nil
}

// Merge adds the rows of other, which has the same classes. Errors: [ErrShape] if it is of another number of classes.
func (h *Histogram) Merge(other *Histogram) error {
	if other == nil || other.classes != h.classes {
		return fmt.Errorf("%w: no histogram of %d classes to merge; give one of the same classes", ErrShape, h.classes)
	}
	h.byAmount(other.amounts != nil)
	for i := range other.truth {
		c := h.cell(other.key(i))
		h.times[c] += other.times[i]
		h.add(c, other.sums[i])
		h.add(c, other.rests[i])
	}
	return nil
}

// add adds to a cell.
func (h *Histogram) add(cell int, weight float64) {
	sum, rest := twoSum(h.sums[cell], weight)
	h.sums[cell] = sum
	h.rests[cell] += rest
}

func (h *Histogram) votes(cell int) []uint32 {
	return h.counts[cell*h.classes : (cell+1)*h.classes]
}

// byAmount has rows of other amounts counted apart from now on.
func (h *Histogram) byAmount(is bool) {
	if is && h.amounts == nil {
		h.amounts = make([]float64, len(h.truth))
	}
}

// key returns what the rows of a cell have in common.
func (h *Histogram) key(cell int) key {
	k := key{votes: h.votes(cell), truth: h.truth[cell], idle: h.sums[cell] == 0}
	if h.amounts != nil {
		k.amount = h.amounts[cell]
	}
	if h.in != nil {
		k.in = h.in[cell]
	}
	return k
}

// cell returns the cell of rows, which is made if it is new.
func (h *Histogram) cell(k key) int {
	if 2*len(h.truth) >= len(h.slots) {
		h.grow()
	}
	at := h.slot(k)
	if h.slots[at] == 0 {
		h.counts = append(h.counts, k.votes...)
		h.truth, h.times = append(h.truth, k.truth), append(h.times, 0)
		h.sums, h.rests = append(h.sums, 0), append(h.rests, 0)
		if h.amounts != nil {
			h.amounts = append(h.amounts, k.amount)
		}
		if h.in != nil {
			h.in = append(h.in, k.in)
		}
		h.slots[at] = uint32(len(h.truth))
	}
	return int(h.slots[at]) - 1
}

// slot returns where the number of a cell is, or where it belongs.
func (h *Histogram) slot(k key) uint64 {
	hash := uint64(k.truth) + 0x9e3779b97f4a7c15 ^ math.Float64bits(k.amount) ^ k.in<<32
	for _, v := range k.votes {
		high, low := bits.Mul64(hash^uint64(v), 0xd6e8feb86659fd93)
		hash = high ^ low + 0x9e3779b97f4a7c15
	}
	mask := uint64(len(h.slots) - 1)
	at := hash & mask
	for n := h.slots[at]; n > 0; n = h.slots[at] {
		if h.is(int(n-1), k) {
			break
		}
		at = (at + 1) & mask
	}
	return at
}

// is tells whether a cell is that of rows.
func (h *Histogram) is(cell int, k key) bool {
	return h.truth[cell] == k.truth && (h.sums[cell] == 0) == k.idle && slices.Equal(h.votes(cell), k.votes) &&
		(h.amounts == nil && k.amount == 0 || h.amounts != nil && h.amounts[cell] == k.amount) &&
		(h.in == nil || h.in[cell] == k.in)
}

func (h *Histogram) grow() {
	h.slots = make([]uint32, max(64, 2*len(h.slots)))
	for i := range h.truth {
		h.slots[h.slot(h.key(i))] = uint32(i + 1)
	}
}

// Table returns the cells as the rows of a table that is otherwise like t, in the order of votes, class, weight
// or none, and amount. Votes and classes are compared in the order of t.TieOrder, so that it does not depend on
// how the classes are listed. Of a table of other classes it is one without classes, which [Table.Check] refuses.
func (h *Histogram) Table(t *Table) *Table {
	if t == nil || len(t.Classes) != h.classes {
		return &Table{}
	}
	out := &Table{
		Classes: t.Classes, Share: t.Share, Ties: t.Ties, Source: t.Source, Soft: t.Soft, Scores: t.Scores, Trees: t.Trees,
		Truth: make([]int, 0, len(h.truth)), Counts: make([]uint32, 0, len(h.counts)), Weight: make([]float64, 0,
			len(h.truth)), Times: make([]int, 0, len(h.truth)),
	}
	if h.amounts != nil {
		out.Amount = make([]float64, 0, len(h.truth))
	}
	if h.in != nil {
		out.Slices, out.In = h.slices, make([]uint64, 0, len(h.in))
	}
	for _, i := range h.order(t.TieOrder()) {
		out.Truth = append(out.Truth, h.truth[i])
		out.Counts = append(out.Counts, h.votes(i)...)
		out.Weight = append(out.Weight, h.sums[i]+h.rests[i])
		out.Times = append(out.Times, h.times[i])
		if h.amounts != nil {
			out.Amount = append(out.Amount, h.amounts[i])
		}
		if h.in != nil {
			out.In = append(out.In, h.in[i])
		}
	}
	return out
}

// order returns the cells in the order of their keys, of which votes and classes are taken in the given order, or
// if that is nil as they are listed.
func (h *Histogram) order(classes []int) []int {
	order, keys := make([]int, len(h.truth)), make([]key, len(h.truth))
	for i := range order {
		order[i], keys[i] = i, h.key(i).listed(classes)
	}
	slices.SortFunc(order, func(a, b int) int { return keys[a].compare(keys[b]) })
	return order
}

// listed returns the key of the same rows where the classes are listed in another order.
func (k key) listed(classes []int) key {
	if slices.IsSorted(classes) { // as they are, or nil
		return k
	}
	votes := make([]uint32, len(classes))
	for at, c := range classes {
		votes[at] = k.votes[c]
	}
	k.votes, k.truth = votes, slices.Index(classes, k.truth)
	return k
}

func (k key) compare(other key) int {
	if by := cmp.Or(slices.Compare(k.votes, other.votes), cmp.Compare(k.truth, other.truth)); by != 0 ||
		k.idle == other.idle {
		return cmp.Or(by, cmp.Compare(k.amount, other.amount), cmp.Compare(k.in, other.in))
	}
	if k.idle {
		return 1
	}
	return -1
}
