//go:build !purego

package vector

var sets = []Set{Plain, NEON} // which every arm64 has

//go:noescape
func compareNEON(left []uint64, codes, weights []uint32)

func compare(left []uint64, codes, weights []uint32) {
	compareNEON(left, codes, weights)
}

//go:noescape
func bestNEON(n *Node, left []uint64, codes []uint32) (score float64, code uint32, on uint64)

func best(n *Node, left []uint64, codes []uint32) (score float64, code uint32, on uint64) {
	return bestNEON(n, left, codes)
}

//go:noescape
func markNEON(n *Node, marks *Marks, bins, before []uint64, classes int, all bool) bool

func mark(n *Node, marks *Marks, bins, before []uint64, classes int, all bool) bool {
	return markNEON(n, marks, bins, before, classes, all)
}

//go:noescape
func pickNEON(toCodes, toWeights, codes, weights []uint32, marks *Marks, least uint32, shift int) int

func pick(toCodes, toWeights, codes, weights []uint32, marks *Marks, least uint32, shift int) int {
	return pickNEON(toCodes, toWeights, codes, weights, marks, least, shift)
}

//go:noescape
func neighboursNEON(codes []uint32, code uint32) (lower, upper uint32)

func neighbours(codes []uint32, code uint32) (lower, upper uint32) {
	return neighboursNEON(codes, code)
}

//go:noescape
func countTreesNEON(bins *TreeCounts, binOf []uint8, weights [][Trees]uint16)

func countTrees(bins *TreeCounts, binOf []uint8, weights [][Trees]uint16) {
	countTreesNEON(bins, binOf, weights)
}
