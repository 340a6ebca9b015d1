package vector

import "slices"

// A Set is one of instructions that the loops are written in.
type Set uint8

// The sets, in plain Go and of processors, the faster later.
const (
	Plain  Set = iota
	NEON       // of arm64
	AVX2       // of amd64, with BMI and FMA: the level x86-64-v3
	AVX512     // F, BW, CD, DQ and VL: the level x86-64-v4
)

// String returns the name by which the set is known.
func (s Set) String() string { return [...]string{"plain", "NEON", "AVX2", "AVX-512"}[s] }

var set = sets[len(sets)-1]

// Available tells whether the loops are those in assembly.
func Available() bool { return set != Plain }

// Sets returns what the loops can be had in here: plain Go, and what the processor and the build have.
func Sets() []Set { return slices.Clone(sets) }

// MovesRows tells whether also the loops that fetch, weigh, part and count rows are in assembly. NEON, which cannot
// push lanes together, would gain nothing there.
func MovesRows() bool { return set >= AVX2 }

// Use has the loops be those of one of [Sets], for tests, while nobody else runs them, and returns which they were.
func Use(s Set) (before Set) {
	before, set = set, s
	return before
}
