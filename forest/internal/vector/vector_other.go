//go:build (!amd64 && !arm64) || purego

package vector

// The loops are those of plain.go. What follows is never called.

var sets = []Set{Plain}

func compare([]uint64, []uint32, []uint32) {}

func best(*Node, []uint64, []uint32) (float64, uint32, uint64) { return 0, 0, 0 }

func mark(*Node, *Marks, []uint64, []uint64, int, bool) bool { return false }

func pick(_, _, _, _ []uint32, _ *Marks, _ uint32, _ int) int { return 0 }

func neighbours([]uint32, uint32) (uint32, uint32) { return 0, 0 }

func span([]uint32) (uint32, uint32) { return 0, 0 }

func fetchNarrow([]uint32, []uint64, []uint16, int) {}

func fetchWide([]uint32, []uint64, []uint32, int) {}

func weigh([]uint32, []uint64, []uint64) {}

func fetchNarrowByID(_, _ []uint32, _ []uint16, _ int) {}

func fetchWideByID(_, _, _ []uint32, _ int) {}

func part(_, _, _ []uint64, _ []uint32, _, _ uint32) int { return 0 }

func partNarrow(_, _, _ []uint64, _ []uint16, _, _ uint32, _ int) int { return 0 }

func partWide(_, _, _ []uint64, _ []uint32, _, _ uint32, _ int) int { return 0 }

func partIDsNarrow(_, _, _ []uint32, _ []uint16, _, _ uint32, _ int) int { return 0 }

func partIDsWide(_, _, _, _ []uint32, _, _ uint32, _ int) int { return 0 }

func partByBin(_, _, _ []uint64, _ []uint8, _ []uint32, _, _ uint32) int { return 0 }

func partIDsByBin(_, _, _ []uint32, _ []uint8, _ []uint32, _, _ uint32) int { return 0 }

func count([]uint64, []uint32, []uint64, uint32, int) {}

func countByID(*[256]int32, []uint64, []uint8) {}

func countTrees(*TreeCounts, []uint8, [][Trees]uint16) {}
