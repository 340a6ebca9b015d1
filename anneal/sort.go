package anneal

import "math"

// sorted sorts cuts, which are s.cuts[0] or have outgrown it.
func (s *state) sorted(cuts []cut) []cut {
	if cap(s.cuts[1]) < len(cuts) {
		s.cuts[1] = make([]cut, cap(cuts))
	}
	s.cuts[0] = cuts
	return sortCuts(cuts, s.cuts[1][:len(cuts)])
}

// sortCuts sorts cuts by where they are, which is above 0, keeping the order of equal ones, in the memory of cuts
// and spare. The bits of such numbers are in their order as whole numbers; so they are sorted digit by digit (radix
// sort), those left out that all have in common.
func sortCuts(cuts, spare []cut) []cut {
	const width, size = 11, 1 << 11
	if len(cuts) == 0 {
		return cuts
	}
	first, varying := math.Float64bits(cuts[0].at), uint64(0)
	for _, c := range cuts {
		varying |= math.Float64bits(c.at) ^ first
	}
	for shift := 0; shift < 64; shift += width {
		if varying>>shift%size == 0 {
			continue
		}
		var next [size]int32
		for _, c := range cuts {
			next[math.Float64bits(c.at)>>shift%size]++
		}
		sum := int32(0)
		for d, n := range next {
			next[d] = sum
			sum += n
		}
		for _, c := range cuts {
			at := &next[math.Float64bits(c.at)>>shift%size]
			spare[*at] = c
			*at++
		}
		cuts, spare = spare, cuts
	}
	return cuts
}
