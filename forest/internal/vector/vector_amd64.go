//go:build !purego

package vector

var available = isV4()

// isV4 tells whether the processor is of level x86-64-v4 and the system saves the registers of vectors.
func isV4() bool

//go:noescape
func compare(left []uint64, codes, weights []uint32)

//go:noescape
func best(n *Node, left []uint64, codes []uint32) (score float64, code uint32, on uint64)

//go:noescape
func mark(n *Node, marks *Marks, bins, before []uint64, classes int, all bool) bool

//go:noescape
func pick(toCodes, toWeights, codes, weights []uint32, marks *Marks, least uint32, shift int) int

//go:noescape
func neighbours(codes []uint32, code uint32) (lower, upper uint32)

//go:noescape
func span(codes []uint32) (least, most uint32)

//go:noescape
func fetchNarrow(to []uint32, rows []uint64, codes []uint16, asked int)

//go:noescape
func fetchWide(to []uint32, rows []uint64, codes []uint32, asked int)

//go:noescape
func fetchNarrowByID(to, ids []uint32, codes []uint16, asked int)

//go:noescape
func fetchWideByID(to, ids, codes []uint32, asked int)

//go:noescape
func weigh(narrow []uint32, wide []uint64, rows []uint64)

//go:noescape
func part(rows, left, right []uint64, codes []uint32, first, width uint32) int

//go:noescape
func partNarrow(rows, left, right []uint64, codes []uint16, first, width uint32, asked int) int

//go:noescape
func partWide(rows, left, right []uint64, codes []uint32, first, width uint32, asked int) int

//go:noescape
func partIDsNarrow(rows, left, right []uint32, codes []uint16, first, width uint32, asked int) int

//go:noescape
func partIDsWide(rows, left, right, codes []uint32, first, width uint32, asked int) int

//go:noescape
func partByBin(rows, left, right []uint64, bins []uint8, codes []uint32, bin, above uint32) int

//go:noescape
func partIDsByBin(rows, left, right []uint32, bins []uint8, codes []uint32, bin, above uint32) int

//go:noescape
func count(bins []uint64, codes []uint32, weights []uint64, least uint32, shift int)

//go:noescape
func countByID(bins *[256]int32, rows []uint64, binOf []uint8)

//go:noescape
func countTrees(bins *TreeCounts, binOf []uint8, weights [][Trees]uint16)
