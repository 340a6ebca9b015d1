//go:build (!amd64 && !arm64) || purego

package vector

var sets = []Set{Plain}

// What follows is never called.

func compare([]uint64, []uint32, []uint32) {}

func best(*Node, []uint64, []uint32) (float64, uint32, uint64) { return 0, 0, 0 }

func mark(*Node, *Marks, []uint64, []uint64, int, bool) bool { return false }

func pick(_, _, _, _ []uint32, _ *Marks, _ uint32, _ int) int { return 0 }

func neighbours([]uint32, uint32) (uint32, uint32) { return 0, 0 }

func countTrees(*TreeCounts, []uint8, [][Trees]uint16) {}
