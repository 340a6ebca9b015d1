//go:build !purego

package vector

// What lanes of 32 bits, and of 64, are pushed together by in assembly, see packing.
var (
	packs32 = [256][8]uint8(packing(8, 1)) //nolint:unused // assembly reads it
	packs64 = [16][8]uint8(packing(4, 2))  //nolint:unused // assembly reads it
)

// packing returns for each set of lanes the indices that push them together, of lanes of so many indices each: lane 3
// has the indices 6 and 7 if these are two.
func packing(lanes, each int) [][8]uint8 { //nolint:unused // what assembly reads is made by it
	packs := make([][8]uint8, 1<<lanes)
	for mask := range packs {
		n := 0
		for lane := range lanes {
			for i := range each * (mask >> lane & 1) {
				packs[mask][n] = uint8(each*lane + i)
				n++
			}
		}
	}
	return packs
}

var sets = setsUpTo(min(cpuSet(), most))

func setsUpTo(fastest Set) []Set {
	switch fastest {
	case AVX512:
		return []Set{Plain, AVX2, AVX512}
	case AVX2:
		return []Set{Plain, AVX2}
	}
	return []Set{Plain}
}

// cpuSet returns the fastest set that the processor has and of which the system saves the registers.
func cpuSet() Set

func compare(left []uint64, codes, weights []uint32) {
	if set == AVX512 {
		compare512(left, codes, weights)
	} else {
		compare256(left, codes, weights)
	}
}

func best(n *Node, left []uint64, codes []uint32) (score float64, code uint32, on uint64) {
	if set == AVX512 {
		return best512(n, left, codes)
	}
	return best256(n, left, codes)
}

func mark(n *Node, marks *Marks, bins, before []uint64, classes int, all bool) bool {
	if set == AVX512 {
		return mark512(n, marks, bins, before, classes, all)
	}
	return mark256(n, marks, bins, before, classes, all)
}

func pick(toCodes, toWeights, codes, weights []uint32, marks *Marks, least uint32, shift int) int {
	if set == AVX512 {
		return pick512(toCodes, toWeights, codes, weights, marks, least, shift)
	}
	return pick256(toCodes, toWeights, codes, weights, marks, least, shift)
}

func neighbours(codes []uint32, code uint32) (lower, upper uint32) {
	if set == AVX512 {
		return neighbours512(codes, code)
	}
	return neighbours256(codes, code)
}

func span(codes []uint32) (least, most uint32) {
	if set == AVX512 {
		return span512(codes)
	}
	return span256(codes)
}

func weigh(narrow []uint32, wide []uint64, rows []uint64) {
	if set == AVX512 {
		weigh512(narrow, wide, rows)
	} else {
		weigh256(narrow, wide, rows)
	}
}

func part(rows, left, right []uint64, codes []uint32, first, width uint32) int {
	if set == AVX512 {
		return part512(rows, left, right, codes, first, width)
	}
	return part256(rows, left, right, codes, first, width)
}

func partNarrow(rows, left, right []uint64, codes []uint16, first, width uint32, asked int) int {
	if set == AVX512 {
		return partNarrow512(rows, left, right, codes, first, width, asked)
	}
	return partNarrow256(rows, left, right, codes, first, width, asked)
}

func partWide(rows, left, right []uint64, codes []uint32, first, width uint32, asked int) int {
	if set == AVX512 {
		return partWide512(rows, left, right, codes, first, width, asked)
	}
	return partWide256(rows, left, right, codes, first, width, asked)
}

func partIDsNarrow(rows, left, right []uint32, codes []uint16, first, width uint32, asked int) int {
	if set == AVX512 {
		return partIDsNarrow512(rows, left, right, codes, first, width, asked)
	}
	return partIDsNarrow256(rows, left, right, codes, first, width, asked)
}

func partIDsWide(rows, left, right, codes []uint32, first, width uint32, asked int) int {
	if set == AVX512 {
		return partIDsWide512(rows, left, right, codes, first, width, asked)
	}
	return partIDsWide256(rows, left, right, codes, first, width, asked)
}

func partByBin(rows, left, right []uint64, bins []uint8, codes []uint32, bin, above uint32) int {
	if set == AVX512 {
		return partByBin512(rows, left, right, bins, codes, bin, above)
	}
	return partByBin256(rows, left, right, bins, codes, bin, above)
}

func partIDsByBin(rows, left, right []uint32, bins []uint8, codes []uint32, bin, above uint32) int {
	if set == AVX512 {
		return partIDsByBin512(rows, left, right, bins, codes, bin, above)
	}
	return partIDsByBin256(rows, left, right, bins, codes, bin, above)
}

func count(bins []uint64, codes []uint32, weights []uint64, least uint32, shift int) {
	if set == AVX512 {
		count512(bins, codes, weights, least, shift)
	} else {
		count256(bins, codes, weights, least, shift)
	}
}
