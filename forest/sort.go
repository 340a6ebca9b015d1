package forest

import "math"

// encoder turns columns into codes; it keeps its memory from one to the next.
type encoder struct {
	cells, spare []cell
}

// cell is a known cell of a column: a number that is ordered as the values are, and its row.
type cell struct {
	key uint64
	row uint32
}

// orderedBits maps floats to integers in the same order; -0 and 0 are the same.
func orderedBits(v float64) uint64 {
	b := math.Float64bits(v + 0)
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// sorted returns the known cells of a column in the order of their values, equal ones in the
// order of their rows. It sorts by digits of 11 bits from the lowest (radix sort), leaving out
// digits that are the same in all: O(n), and for most columns three or four passes.
func (e *encoder) sorted(values []float64) []cell {
	const digit, size = 11, 1 << 11
	if cap(e.cells) < len(values) {
		e.cells, e.spare = make([]cell, len(values)), make([]cell, len(values))
	}
	from, varying := e.cells[:0], uint64(0)
	for i, v := range values {
		if v == v {
			from = append(from, cell{orderedBits(v), uint32(i)})
			varying |= from[len(from)-1].key ^ from[0].key
		}
	}
	to := e.spare[:len(from)]
	for shift := 0; shift < 64; shift += digit {
		if varying>>shift&(size-1) == 0 {
			continue
		}
		var starts [size]uint32
		for _, x := range from {
			starts[x.key>>shift&(size-1)]++
		}
		sum := uint32(0)
		for d, n := range starts {
			starts[d] = sum
			sum += n
		}
		for _, x := range from {
			at := &starts[x.key>>shift&(size-1)]
			to[*at] = x
			*at++
		}
		from, to = to, from
	}
	return from
}
