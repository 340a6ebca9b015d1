package forest

import (
	"math"
	"math/bits"

	"github.com/rfpragma/rfpragma/forest/internal/vector"
)

// The search for the best cut of a numeric feature with vectors, on processors that have them, for Gini, where weights
// are whole, the classes three at most, and no cell is missing in the node; and, as large nodes of chains are left
// to huge.go, where there are chainRows rows at most or the trees are no chains:
//
//	up to pairRows rows     compare each code with every other: the weight left of the cut after
//	                        a code is that of all codes up to it, so nothing needs to be sorted
//	up to vectorRows        bins as in bounds.go; the rows of marked bins are compared in this way
//
// The weights of three classes are packed into one number, so that one sum is that of each. All cuts
// are scored, some at a time, and only the best is offered, of equal ones that of the lowest code.
// All sums are of whole numbers, and what is done with them is what promising and offer do: so
// the best cut is that of the other ways, to the last bit.

const (
	vectorRows = 1 << 16
	pairRows   = 128
	groupMost  = 255 // what the rows of marked bins that are compared at once may weigh
)

// vectorScratch is what the search with vectors needs.
type vectorScratch struct {
	bagPacks bool        // the weights of all rows in the bag may be packed, see addPacked
	able     bool        // vectors may search the node at hand,
	node     vector.Node // what its cuts are scored by,
	codes    []uint32    // and of its rows the codes of the feature at hand,
	weights  []uint32    // the weights, to be compared,
	packed   []uint64    // and to be put into bins

	kept      int      // the feature of the best split, if its codes are kept, else -1
	bestCodes []uint32 // those codes

	bins    []uint64 // the weights of the bins,
	before  []uint64 // and of what is left of them
	numbers []uint32 // of the bins: 0, 1, ...
	marks   vector.Marks

	marked        []uint32 // the codes of the rows in marked bins,
	markedWeights []uint32
	left          []uint64 // and the weights left of the cuts after them
}

// vectorLimit returns up to how many rows a node is searched with vectors: none if the processor has not got them.
func vectorLimit() int {
	if !vector.Available() {
		return 0
	}
	return vectorRows
}

// vectorMemory returns the bytes of the scratch for data of so many rows.
func vectorMemory(rows int64) int64 {
	const row, fixed = 4 + 4 + 4 + 8, maxBins*(8+8+4) + groupMost*(4+4+8)
	return fixed + row*min(rows, int64(vectorLimit()))
}

// makeVectors makes the scratch.
func (g *grower) makeVectors() {
	v, rows := &g.vectors, min(g.ways.vectorRows, len(g.votes))
	v.codes, v.bestCodes, v.weights, v.packed = make([]uint32, rows), make([]uint32, rows), make([]uint32, rows),
		make([]uint64, rows)
	v.bins, v.before, v.numbers = make([]uint64, maxBins), make([]uint64, maxBins+1), make([]uint32, maxBins)
	for i := range v.numbers {
		v.numbers[i] = uint32(i)
	}
	const group = groupMost + vector.Lanes
	v.marked, v.markedWeights, v.left = make([]uint32, group), make([]uint32, group), make([]uint64, group)
}

// packs tells whether the weights of rows that weigh so much may be packed, with so many bits for a class.
func (g *grower) packs(weight float64, bits int) bool {
	return g.data.k <= len(g.vectors.node.Sums) && g.data.real == nil && weight < float64(int(1)<<bits)
}

// readyVectors prepares the search of the node at hand.
func (g *grower) readyVectors() {
	v, n := &g.vectors, len(g.rows)
	packed := vector.WideBits
	if n <= g.ways.pairRows {
		packed = vector.NarrowBits
	}
	v.able = g.entropy == nil && n <= g.ways.vectorRows && (n <= g.ways.hugeRows || g.member == nil) && g.packs(g.weight,
		packed)
	if !v.able {
		return
	}
	if v.codes == nil {
		g.makeVectors()
	}
	v.node.Weight, v.node.Least = g.weight, float64(max(1, g.cfg.MinLeaf))
	copy(v.node.Sums[:], g.totals)
	vector.Weigh(v.weights, v.packed, g.rows)
}

// byVectors looks for the best cut of a numeric feature. It returns false where another way must: what it
// has offered until then is offered again.
func (g *grower) byVectors(feature int, col *codedColumn) bool {
	v, n := &g.vectors, len(g.rows)
	var least, most uint32
	if col.wide != nil {
		least, most = vector.FetchRange(v.codes, g.rows, col.wide)
	} else {
		least, most = vector.FetchRange(v.codes, g.rows, col.narrow)
	}
	switch {
	case least == most:
		return true
	case least == 0:
		return false // some cells are missing
	case n <= g.ways.pairRows:
		g.offerPairs(feature, v.codes[:n], v.weights, nil, least, 0)
	case !g.offerInBins(feature, least, most):
		return false
	}
	g.tried++
	if g.best.found && g.best.feature == feature {
		v.codes, v.bestCodes, v.kept = v.bestCodes, v.codes, feature
	}
	return true
}

// keptCodes returns the codes of the feature of the best split, nil if they are not kept.
func (g *grower) keptCodes() []uint32 {
	if v := &g.vectors; v.kept == g.best.feature {
		return v.bestCodes[:len(g.rows)]
	}
	return nil
}

// offerPairs offers the cuts after the codes of rows, given their weights. Before has for each bin the weights left
// of it that are not among these; nil is for none.
func (g *grower) offerPairs(feature int, codes, weights []uint32, before []uint64, least uint32, shift int) {
	left := g.vectors.left
	vector.Compare(left, codes, weights)
	if before != nil {
		for i, c := range codes {
			left[i] += before[(c-least)>>(shift&31)]
		}
	}
	if score, lower, on := g.bestOf(left, codes); score > 0 {
		g.offerVector(feature, lower, on, score)
	}
}

// bestOf returns the best of the cuts after codes, see [vector.Node.Best].
func (g *grower) bestOf(left []uint64, codes []uint32) (score float64, code uint32, on uint64) {
	g.vectors.node.Bar = g.bar
	return g.vectors.node.Best(left, codes)
}

// offerVector offers the cut after a code, which need not be one of the node (see settle), given what is left of it.
func (g *grower) offerVector(feature int, code uint32, left uint64, score float64) {
	if b := &g.best; b.found && (score < b.score || score == b.score && (b.feature != feature || b.lower <= code)) {
		return
	}
	weight := float64(vector.Weight(left))
	if g.take(cut{feature: feature, lower: code, upper: math.MaxUint32, coarse: true}, weight, g.weight-weight, score) {
		g.best.left = left
	}
}

// offerInBins is coarse. It returns false if it has not offered all that coarse would.
func (g *grower) offerInBins(feature int, least, most uint32) bool {
	v, n := &g.vectors, len(g.rows)
	wanted := min(10, max(4, bits.Len(uint(n))-3))
	if g.ways.binBits > 0 {
		wanted = g.ways.binBits
	}
	shift := max(0, bits.Len32(most-least)-wanted)
	used := int((most-least)>>shift) + 1
	bins, before := v.bins[:used], v.before[:used+1]
	clear(bins)
	vector.Count(bins, v.codes[:n], v.packed, least, shift)
	sum := uint64(0)
	for i, x := range bins {
		sum += x
		before[i+1] = sum
	}
	if score, bin, on := g.bestOf(before[1:], v.numbers[:used]); score > 0 {
		g.offerVector(feature, least+(bin+1)<<shift-1, on, score)
	}
	if shift == 0 {
		return true
	}
	v.node.Bar = g.bar
	if !v.node.Mark(&v.marks, bins, before, g.data.k, g.cfg.MinLeaf > 1) {
		return true
	}
	return g.lookIntoMarked(feature, bins, before, least, shift)
}

// lookIntoMarked offers the cuts within the marked bins, of as many at once as may be compared. It returns false if the
// rows of one bin are too many for that.
func (g *grower) lookIntoMarked(feature int, bins, before []uint64, least uint32, shift int) bool {
	v, all := &g.vectors, g.vectors.marks
	clear(v.marks[:])
	group, weight := uint64(0), uint64(0) // of the bins to be looked into at once
	for word, rest := range all {
		for ; rest != 0; rest &= rest - 1 {
			b := word*32 + bits.TrailingZeros32(rest)
			w := vector.Weight(bins[b])
			if w > groupMost {
				return false
			}
			if weight+w > groupMost {
				g.offerMarked(feature, before, least, shift)
				clear(v.marks[:])
				group, weight = 0, 0
			}
			v.marks[word] |= rest & -rest
			before[b] -= group
			group, weight = group+bins[b], weight+w
		}
	}
	g.offerMarked(feature, before, least, shift)
	return true
}

// offerMarked offers the cuts after the codes of the rows in marked bins.
func (g *grower) offerMarked(feature int, before []uint64, least uint32, shift int) {
	v, n := &g.vectors, len(g.rows)
	picked := vector.Pick(v.marked, v.markedWeights, v.codes[:n], v.weights[:n], &v.marks, least, shift)
	g.offerPairs(feature, v.marked[:picked], v.markedWeights, before, least, shift)
}
