//go:build !amd64 || purego

package vector

// What follows is never called, see MovesRows.

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
