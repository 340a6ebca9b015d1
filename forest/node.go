package forest

import (
	"math/bits"
	"slices"
)

// node is one node of a tree in 8 bytes. From its lowest bit on it holds
//
//	cut       of a node that splits, the index of its cut among those of its feature;
//	          of a leaf, its vote: a class or, from k on, a list of shares (see Forest.shares)
//	feature   its index; p for a leaf. These two share 35 bits, see layout
//	missing   1 bit: 1 if missing cells go left; 1 for a leaf
//	child     28 bits: the index of the left child, the right one is the next; of a leaf its own
//
// A leaf so is a node like any other: it asks for feature p, which every row misses, goes left
// and comes to itself. So rows can run through a tree side by side without asking whether one
// has arrived.
type node uint64

const (
	missingBit = 35
	childBit   = missingBit + 1
	mostNodes  = 1 << (64 - childBit)
)

// layout is the bit at which the features of the nodes of a forest begin.
type layout uint8

// newLayout returns the layout for cuts up to most and p features, and whether there is one.
func newLayout(most, p int) (layout, bool) {
	cut, feature := bits.Len(uint(most)), bits.Len(uint(p))
	return layout(cut), cut <= 32 && cut+feature <= missingBit
}

func (l layout) pack(cut, feature uint32, missingLeft bool, child uint32) node {
	n := node(cut) | node(feature)<<l | node(child)<<childBit
	if missingLeft {
		n |= 1 << missingBit
	}
	return n
}

func (l layout) leaf(vote uint32, p int, at uint32) node { return l.pack(vote, uint32(p), true, at) }

func (l layout) cut(n node) uint32       { return uint32(n & (1<<(l&63) - 1)) }
func (l layout) featureOf(n node) uint32 { return uint32(n & (1<<missingBit - 1) >> (l & 63)) }

func (n node) missing() uint32 { return uint32(n>>missingBit) & 1 }
func (n node) child() uint32   { return uint32(n >> childBit) }

// cuts are those of one feature in all trees of a forest: of a numeric feature thresholds, of
// a categorical one sets of levels.
//
// A level is known by its code: its index plus 1; 0 is a missing cell or an unknown level. A set
// holds the codes that go another way than 0. Of few levels it keeps a bit for each, of many a list.
type cuts struct {
	at     []float64 // numeric: ascending; cells <= at[i] go left of cut i
	guide  guide     // to at
	words  int       // categorical, few levels: words of a set,
	bits   []uint64  // cuts × words, code c being bit c%64 of word c/64
	starts []uint32  // categorical, many levels: where the list of a cut begins; len cuts+1
	codes  []uint32  // the lists, ascending
}

// mostBits is the number of levels up to which a set keeps a bit for each.
const mostBits = 1 << 10

// newSets returns no cuts of a feature of so many levels.
func newSets(levels int) cuts {
	if levels < mostBits {
		return cuts{words: levels/64 + 1}
	}
	return cuts{starts: []uint32{0}}
}

// count returns the number of cuts.
func (c *cuts) count() int {
	switch {
	case c.words > 0:
		return len(c.bits) / c.words
	case len(c.starts) > 0:
		return len(c.starts) - 1
	default:
		return len(c.at)
	}
}

// add adds the set of the given codes, ascending, and returns its index.
func (c *cuts) add(codes []uint32) uint32 {
	if c.words == 0 {
		c.codes = append(c.codes, codes...)
		c.starts = append(c.starts, uint32(len(c.codes)))
		return uint32(c.count() - 1)
	}
	at := len(c.bits)
	c.bits = slices.Grow(c.bits, c.words)[:at+c.words]
	clear(c.bits[at:])
	for _, code := range codes {
		c.bits[at+int(code/64)] |= 1 << (code % 64)
	}
	return uint32(c.count() - 1)
}

// has tells whether set i holds the code.
func (c *cuts) has(i, code uint32) bool {
	if c.words > 0 {
		return c.bits[int(i)*c.words+int(code/64)]>>(code%64)&1 != 0
	}
	_, found := slices.BinarySearch(c.codes[c.starts[i]:c.starts[i+1]], code)
	return found
}

// set returns the codes of set i.
func (c *cuts) set(i uint32) []uint32 {
	if c.words == 0 {
		return c.codes[c.starts[i]:c.starts[i+1]]
	}
	var codes []uint32
	for w, word := range c.bits[int(i)*c.words : int(i+1)*c.words] {
		for ; word != 0; word &= word - 1 {
			codes = append(codes, uint32(64*w+bits.TrailingZeros64(word)))
		}
	}
	return codes
}
