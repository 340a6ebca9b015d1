package dataset

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Coder codes columns. It keeps its memory, 36 bytes for a row of the longest, from one to the
// next. The zero value is ready; each goroutine needs its own.
type Coder struct {
	cells, spare []cell
	ranks        []uint32
	values       []float64 // of gathered cells
}

// Code returns the codes of c, which are c.Codes where it has them. Column c must be as
// [Frame.Check] wants it, but may hold -0.
func (r *Coder) Code(c *Column) *Codes {
	if c.Codes != nil {
		return c.Codes
	}
	codes, most := &Codes{}, len(c.Levels)
	var ranks []uint32
	if c.Kind == Categorical {
		ranks = r.levels(c.Values)
	} else {
		codes.Distinct, ranks = r.rank(c.Values)
		most = len(codes.Distinct)
	}
	codes.Narrow, codes.Wide = packed(ranks, most)
	return codes
}

// levels returns the codes of indices of levels, valid until r is used again.
func (r *Coder) levels(cells []float64) []uint32 {
	ranks := r.room(len(cells))
	for i, v := range cells {
		ranks[i] = 0
		if v == v {
			ranks[i] = uint32(v) + 1
		}
	}
	return ranks
}

// rank returns the distinct values, ascending, and the rank of each value among them, counted
// from 1, and 0 for NaN. The ranks are valid until r is used again.
func (r *Coder) rank(values []float64) (distinct []float64, ranks []uint32) {
	cells := r.sorted(values)
	ranks = r.room(len(values))
	if len(cells) < len(values) {
		clear(ranks)
	}
	rank := uint32(0)
	for i, x := range cells {
		if i == 0 || x.key != cells[i-1].key {
			rank++
		}
		ranks[x.row] = rank
	}
	distinct = make([]float64, 0, rank)
	for i, x := range cells {
		if i == 0 || x.key != cells[i-1].key {
			distinct = append(distinct, fromOrderedBits(x.key))
		}
	}
	return distinct, ranks
}

func (r *Coder) room(n int) []uint32 {
	if cap(r.ranks) < n {
		r.ranks = make([]uint32, n)
	}
	return r.ranks[:n]
}

// cell is a known cell of a column: a number that is ordered as the values are, and its row.
type cell struct {
	key uint64
	row uint32
}

// orderedBits maps floats to integers in the same order; -0 and 0 are the same.
// fromOrderedBits is the way back.
func orderedBits(v float64) uint64 {
	b := math.Float64bits(v + 0)
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

func fromOrderedBits(b uint64) float64 {
	if b>>63 == 0 {
		return math.Float64frombits(^b)
	}
	return math.Float64frombits(b &^ (1 << 63))
}

// sorted returns the known cells of a column in the order of their values. It sorts by the
// three highest digits of 11 bits in which the keys differ, from the lowest of them (radix
// sort). Keys that agree in those agree in all, or are few; runs of them are sorted after.
func (r *Coder) sorted(values []float64) []cell {
	const digit, size = 11, 1 << 11
	if cap(r.cells) < len(values) {
		r.cells, r.spare = make([]cell, len(values)), make([]cell, len(values))
	}
	from, varying := r.cells[:0], uint64(0)
	for i, v := range values {
		if v == v {
			from = append(from, cell{orderedBits(v), uint32(i)})
			varying |= from[len(from)-1].key ^ from[0].key
		}
	}
	to := r.spare[:len(from)]
	lowest := max(0, bits.Len64(varying)-3*digit)
	for shift := lowest; varying>>shift != 0; shift += digit {
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
	if varying&(1<<lowest-1) != 0 {
		sortRuns(from, lowest)
	}
	return from
}

// sortRuns sorts cells that are in order but for the bits below shift.
func sortRuns(cells []cell, shift int) {
	for i := 0; i < len(cells); {
		begin, same := i, true
		for i++; i < len(cells) && cells[i].key>>shift == cells[begin].key>>shift; i++ {
			same = same && cells[i].key == cells[begin].key
		}
		if !same {
			slices.SortFunc(cells[begin:i], func(a, b cell) int { return cmp.Compare(a.key, b.key) })
		}
	}
}
