// Package vector holds the inner loops of the search for cuts of numeric features, for vectors of numbers.
//
// A code is the rank of a cell, from 1 on. A weight is that of up to three classes in one number, so that one sum is
// that of each: the class in the lowest bits is the first. Where single rows are compared it has 10 bits for a class
// in 32 bits (narrow), elsewhere 21 in 64 (wide). Weights are whole, and the sums of a class must fit.
//
// Each loop is there in assembly, for each [Set] of instructions that gains by it, and in plain Go (plain.go), which is
// what all other processors and builds with the tag purego have, and what the former are held against. The set is
// chosen at the start, by what the processor has; builds with the tag noavx512 have AVX2 at most. All give the same, to
// the last bit: nothing is fused unless it is exact, and each lane does what the plain loop does, in its order.
// Nothing is read or written beyond the slices given. An assembly loop cannot be interrupted, so callers keep to some
// ten thousand rows; but for fetching, parting and counting by id, which take a few nanoseconds a row.
package vector

import "unsafe"

// Bits of a class in a packed weight.
const (
	NarrowBits = 10
	WideBits   = 21
)

// Lanes is the number of codes in a vector.
const Lanes = 16

const (
	narrowMask = 1<<NarrowBits - 1
	wideMask   = 1<<WideBits - 1
)

// Weight returns the summed weight of all classes.
func Weight(wide uint64) uint64 { return wide&wideMask + wide>>WideBits&wideMask + wide>>(2*WideBits) }

// A Row is a row of a tree: its id in the upper 32 bits, below them 16 of its class and 16 of its weight. Of 32
// bits, it is the id alone.
type Row interface{ ~uint64 | ~uint32 }

// BelowID returns how many bits of a row stand below its id. (A function that returns the id would not be as quick:
// within generic loops it is called.)
func BelowID[R Row]() int { return 8*int(size[R]()) - 32 }

// Below returns 1 if a < b, else 0, without a branch.
func Below(a, b uint32) int { return int((uint64(a) - uint64(b)) >> 63) }

// A Code is one of a column.
type Code interface{ uint16 | uint32 }

// as gives a slice the type of numbers that its elements are.
func as[T, S any](s []S) []T { return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(s))), len(s)) }

// size returns the bytes of an element.
func size[T any]() uintptr {
	var x T
	return unsafe.Sizeof(x)
}

// fewRows are read as fast by a plain loop.
const fewRows = 24

// A code that is far from the processor is waited for, and of its own accord it asks for those of some 50 rows at
// once: as many as its next few hundred instructions are about. So where there are very many codes, each is asked
// for as the one so many rows before it is loaded. (From 160 to 700 rows are alike, 24 are too few. Of 500,000
// waves, a tree takes 5 % less. To ask for codes that are near costs more than it saves.)
const (
	ahead    = 256
	farCodes = 1 << 16
)

// asked returns at how many of the rows the code of a later one is asked for; none may be below 0.
func asked(rows, codes int) int {
	if codes < farCodes {
		return 0
	}
	return rows - ahead
}

// Fetch writes the codes of the first rows, as many as there is room for, given those by id. The others are to come
// soon. Every id must have a code: in assembly nothing checks that.
func Fetch[R Row, C Code](to []uint32, rows []R, codes []C) {
	to = to[:min(len(to), len(rows))]
	switch soon := asked(len(rows), len(codes)); {
	case !MovesRows():
		plainFetch(to, rows[:len(to)], codes)
	case size[R]() == 8 && size[C]() == 2:
		fetchNarrow(to, as[uint64](rows), as[uint16](codes), soon)
	case size[R]() == 8:
		fetchWide(to, as[uint64](rows), as[uint32](codes), soon)
	case size[C]() == 2:
		fetchNarrowByID(to, as[uint32](rows), as[uint16](codes), soon)
	default:
		fetchWideByID(to, as[uint32](rows), as[uint32](codes), soon)
	}
}

// FetchRange is Fetch, and returns the least and the largest code.
func FetchRange[R Row, C Code](to []uint32, rows []R, codes []C) (least, most uint32) {
	to = to[:len(rows)]
	if !MovesRows() || len(rows) < fewRows {
		return plainFetch(to, rows, codes)
	}
	Fetch(to, rows, codes)
	return span(to)
}

// Weigh writes the packed weights of rows.
func Weigh[R ~uint64](narrow []uint32, wide []uint64, rows []R) {
	narrow, wide = narrow[:len(rows)], wide[:len(rows)]
	if MovesRows() {
		weigh(narrow, wide, as[uint64](rows))
	} else {
		plainWeigh(narrow, wide, rows)
	}
}

// Part writes the rows to left whose codes, counted from the first, are among the first of so many, and the others
// to right, each in their order; it returns how many are left. Both have room for all rows, and one of them may be
// where the rows stand.
func Part[R ~uint64](rows, left, right []R, codes []uint32, first, width uint32) int {
	codes, left, right = codes[:len(rows)], left[:len(rows)], right[:len(rows)]
	if MovesRows() {
		return part(as[uint64](rows), as[uint64](left), as[uint64](right), codes, first, width)
	}
	return plainPart(rows, left, right, codes, first, width)
}

// PartByID is Part given the codes by id, as [Fetch] has them.
func PartByID[R Row, C Code](rows, left, right []R, codes []C, first, width uint32) int {
	soon := asked(len(rows), len(codes))
	left, right = left[:len(rows)], right[:len(rows)]
	switch {
	case !MovesRows():
		return plainPartByID(rows, left, right, codes, first, width)
	case size[R]() == 8 && size[C]() == 2:
		return partNarrow(as[uint64](rows), as[uint64](left), as[uint64](right), as[uint16](codes), first, width, soon)
	case size[R]() == 8:
		return partWide(as[uint64](rows), as[uint64](left), as[uint64](right), as[uint32](codes), first, width, soon)
	case size[C]() == 2:
		return partIDsNarrow(as[uint32](rows), as[uint32](left), as[uint32](right), as[uint16](codes), first, width, soon)
	default:
		return partIDsWide(as[uint32](rows), as[uint32](left), as[uint32](right), as[uint32](codes), first, width, soon)
	}
}

// PartByBin is PartByID for codes below the one above, given by id the bins of codes as well, and that of the last
// code left: only in this one codes are looked at. No row may be without a code.
func PartByBin[R Row](rows, left, right []R, bins []uint8, codes []uint32, bin, above uint32) int {
	left, right = left[:len(rows)], right[:len(rows)]
	switch {
	case !MovesRows():
		return plainPartByBin(rows, left, right, bins, codes, bin, above)
	case len(rows) == 0:
		return 0
	case size[R]() == 8:
		return partByBin(as[uint64](rows), as[uint64](left), as[uint64](right), bins, codes, bin, above)
	default:
		return partIDsByBin(as[uint32](rows), as[uint32](left), as[uint32](right), bins, codes, bin, above)
	}
}

// Node is what the cuts of a node are scored by.
type Node struct {
	Sums   [3]float64 // the weight of its rows by class,
	Weight float64    // and in all
	Least  float64    // what either side of a cut weighs at least, 1 or more
	Bar    float64    // a cut with a lower score is of no interest
}

// Compare writes for each code the wide weight of all codes up to it, given the narrow ones: in n² steps, but without
// sorting. Left has room for whole vectors.
func Compare(left []uint64, codes, weights []uint32) {
	left, weights = left[:roundUp(len(codes))], weights[:len(codes)]
	if set != Plain {
		compare(left, codes, weights)
	} else {
		plainCompare(left, codes, weights)
	}
}

// Best returns of the cuts after each code, given the weight left of it (the same for the same code), the one with
// the best score, of equal ones that of the lowest code, and what is left of it. The score is 0 if no cut reaches
// the bar with enough weight on both sides.
func (n *Node) Best(left []uint64, codes []uint32) (score float64, code uint32, on uint64) {
	left = left[:len(codes)]
	if set != Plain {
		return best(n, left, codes)
	}
	return n.plainBest(left, codes)
}

// Marks has a bit for each bin.
type Marks [32]uint32

// Mark marks the bins in which a cut may reach the bar, given their weights and those left of each, and tells whether
// there are any. Within a bin of one class the score is largest at an end; so such bins are marked only if all are
// to be, as they must where an end may be too close to a side to be a cut; of three classes an end may then score
// most, and counts as the other corners of the bin do. (Of two classes it scores no more than these: one of the
// classes makes either side purer.) More bins than marks are a panic.
func (n *Node) Mark(marks *Marks, bins, before []uint64, classes int, all bool) bool {
	if before = before[:len(bins)]; len(bins) > 32*len(marks) {
		panic("vector: more bins than marks")
	}
	if set != Plain {
		return mark(n, marks, bins, before, classes, all)
	}
	return n.plainMark(marks, bins, before, classes, all)
}

// Pick writes codes and weights of the rows in marked bins, those of 2^shift codes from least on, and returns their
// number. All codes are in bins that could be marked. It ends where there is no room for one vector more.
func Pick(toCodes, toWeights, codes, weights []uint32, marks *Marks, least uint32, shift int) int {
	toWeights, weights = toWeights[:len(toCodes)], weights[:len(codes)]
	if set != Plain {
		return pick(toCodes, toWeights, codes, weights, marks, least, shift)
	}
	return plainPick(toCodes, toWeights, codes, weights, marks, least, shift)
}

// Neighbours returns the largest of the codes up to the given one, 0 if there is none, and the least above it,
// math.MaxUint32 if there is none.
func Neighbours(codes []uint32, code uint32) (lower, upper uint32) {
	if set != Plain {
		return neighbours(codes, code)
	}
	return plainNeighbours(codes, code)
}

// Count adds the wide weights of codes to their bins, of 2^shift codes from least on. Every code must have a bin: in
// assembly nothing checks that.
func Count(bins []uint64, codes []uint32, weights []uint64, least uint32, shift int) {
	if weights = weights[:len(codes)]; MovesRows() {
		count(bins, codes, weights, least, shift)
	} else {
		plainCount(bins, codes, weights, least, shift)
	}
}

// CountByID adds the weights of rows, of whatever class, to their bins, given the bins by id. Every id must have
// one: in assembly nothing checks that.
func CountByID[R ~uint64](bins *[256]int32, rows []R, binOf []uint8) {
	if MovesRows() {
		countByID(bins, as[uint64](rows), binOf)
	} else {
		plainCountByID(bins, rows, binOf)
	}
}

// Trees is how many CountTrees counts for.
const Trees = 16

// TreeCounts are weights by bin, of each tree.
type TreeCounts [256][Trees]uint16

// CountTrees adds the weights that rows have in each tree to their bins, given the bin of each row; sums that do not
// fit lose a multiple of 2¹⁶.
func CountTrees(bins *TreeCounts, binOf []uint8, weights [][Trees]uint16) {
	if weights = weights[:len(binOf)]; set != Plain {
		countTrees(bins, binOf, weights)
	} else {
		plainCountTrees(bins, binOf, weights)
	}
}

// roundUp returns the lanes of as many vectors as hold n codes.
func roundUp(n int) int { return (n + Lanes - 1) &^ (Lanes - 1) }
