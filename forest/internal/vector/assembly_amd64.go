//go:build !purego

package vector

// What is in assembly: for AVX2 (256), for AVX-512 (512), and what both have in common.

//go:noescape
func compare256(left []uint64, codes, weights []uint32)

//go:noescape
func compare512(left []uint64, codes, weights []uint32)

//go:noescape
func best256(n *Node, left []uint64, codes []uint32) (score float64, code uint32, on uint64)

//go:noescape
func best512(n *Node, left []uint64, codes []uint32) (score float64, code uint32, on uint64)

//go:noescape
func mark256(n *Node, marks *Marks, bins, before []uint64, classes int, all bool) bool

//go:noescape
func mark512(n *Node, marks *Marks, bins, before []uint64, classes int, all bool) bool

//go:noescape
func pick256(toCodes, toWeights, codes, weights []uint32, marks *Marks, least uint32, shift int) int

//go:noescape
func pick512(toCodes, toWeights, codes, weights []uint32, marks *Marks, least uint32, shift int) int

//go:noescape
func neighbours256(codes []uint32, code uint32) (lower, upper uint32)

//go:noescape
func neighbours512(codes []uint32, code uint32) (lower, upper uint32)

//go:noescape
func span256(codes []uint32) (least, most uint32)

//go:noescape
func span512(codes []uint32) (least, most uint32)

//go:noescape
func fetchNarrow(to []uint32, rows []uint64, codes []uint16, asked int)

//go:noescape
func fetchWide(to []uint32, rows []uint64, codes []uint32, asked int)

//go:noescape
func fetchNarrowByID(to, ids []uint32, codes []uint16, asked int)

//go:noescape
func fetchWideByID(to, ids, codes []uint32, asked int)

//go:noescape
func weigh256(narrow []uint32, wide []uint64, rows []uint64)

//go:noescape
func weigh512(narrow []uint32, wide []uint64, rows []uint64)

//go:noescape
func part256(rows, left, right []uint64, codes []uint32, first, width uint32) int

//go:noescape
func part512(rows, left, right []uint64, codes []uint32, first, width uint32) int

//go:noescape
func partNarrow256(rows, left, right []uint64, codes []uint16, first, width uint32, asked int) int

//go:noescape
func partNarrow512(rows, left, right []uint64, codes []uint16, first, width uint32, asked int) int

//go:noescape
func partWide256(rows, left, right []uint64, codes []uint32, first, width uint32, asked int) int

//go:noescape
func partWide512(rows, left, right []uint64, codes []uint32, first, width uint32, asked int) int

//go:noescape
func partIDsNarrow256(rows, left, right []uint32, codes []uint16, first, width uint32, asked int) int

//go:noescape
func partIDsNarrow512(rows, left, right []uint32, codes []uint16, first, width uint32, asked int) int

//go:noescape
func partIDsWide256(rows, left, right, codes []uint32, first, width uint32, asked int) int

//go:noescape
func partIDsWide512(rows, left, right, codes []uint32, first, width uint32, asked int) int

//go:noescape
func partByBin256(rows, left, right []uint64, bins []uint8, codes []uint32, bin, above uint32) int

//go:noescape
func partByBin512(rows, left, right []uint64, bins []uint8, codes []uint32, bin, above uint32) int

//go:noescape
func partIDsByBin256(rows, left, right []uint32, bins []uint8, codes []uint32, bin, above uint32) int

//go:noescape
func partIDsByBin512(rows, left, right []uint32, bins []uint8, codes []uint32, bin, above uint32) int

//go:noescape
func count256(bins []uint64, codes []uint32, weights []uint64, least uint32, shift int)

//go:noescape
func count512(bins []uint64, codes []uint32, weights []uint64, least uint32, shift int)

//go:noescape
func countByID(bins *[256]int32, rows []uint64, binOf []uint8)

//go:noescape
func countTrees(bins *TreeCounts, binOf []uint8, weights [][Trees]uint16)
