package dataset

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Coder codes columns. It reuses its memory, 20 bytes for each row of the longest column. The zero value is
// ready to use; each goroutine needs its own.
type Coder struct {
	cells, spare []uint64
	ranks        []uint32
	values       []float64 // of gathered cells
}

// Code returns the codes of c: c.Codes if it has them. Column c must satisfy [Frame.Check], except that it may
// hold -0.
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
		most = codes.Distinct.Len()
	}
	codes.Narrow, codes.Wide = packed(nil, ranks, most)
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
func (r *Coder) rank(values []float64) (distinct Numbers, ranks []uint32) {
	cells, w := r.sorted(values)
	ranks = r.room(len(values))
	if len(cells) < len(values) {
		clear(ranks)
	}
	rank := uint32(0)
	for i, x := range cells {
		if i == 0 || !w.same(values, x, cells[i-1]) {
			rank++
		}
		ranks[x&rowMask] = rank
	}
	distinct, rank = room(int(rank), w.single), 0
	for i, x := range cells {
		if i == 0 || !w.same(values, x, cells[i-1]) {
			distinct.set(int(rank), w.value(values, x))
			rank++
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

// A known cell is sorted as a number of 64 bits: in the lower 31 its row, above them the highest
// 33 bits of its key in which the keys of the column differ, the window. Of numbers that are float32, or
// have few digits, that is all; others that agree in their windows are few, or agree in all.
const (
	rowBits    = 31
	rowMask    = 1<<rowBits - 1
	windowBits = 64 - rowBits
)

// window says which bits of the keys of a column are sorted by.
type window struct {
	single bool   // the keys are those of float32, which loses nothing
	lowest int    // the first bit of the window
	common uint64 // the bits outside of it, if whole
	whole  bool   // no bit outside of it differs
}

// same tells whether two cells next to each other hold the same number.
func (w *window) same(values []float64, a, b uint64) bool {
	return a>>rowBits == b>>rowBits && (w.whole || values[a&rowMask] == values[b&rowMask])
}

// value returns the number of a cell; -0 is 0.
func (w *window) value(values []float64, cell uint64) float64 {
	if !w.whole {
		return values[cell&rowMask] + 0
	}
	key := w.common | cell>>rowBits<<w.lowest
	b := key ^ (^uint64(int64(key)>>63) | 1<<63)
	if w.single {
		return float64(math.Float32frombits(uint32(b >> 32)))
	}
	return math.Float64frombits(b)
}

// key maps numbers to integers in the same order; -0 and 0 are the same.
func (w *window) key(v float64) uint64 {
	if w.single {
		b := math.Float32bits(float32(v + 0))
		return uint64(b^(uint32(int32(b)>>31)|1<<31)) << 32
	}
	b := math.Float64bits(v + 0)
	return b ^ (uint64(int64(b)>>63) | 1<<63) // all bits of a negative number turn, of others the sign
}

// sorted returns the known cells of a column in the order of their values, sorted by the three
// digits of 11 bits that their windows have, from the lowest (radix sort).
func (r *Coder) sorted(values []float64) ([]uint64, window) {
	const digit, size, digits = windowBits / 3, 1 << (windowBits / 3), 3
	w := window{single: areSingle(values)}
	all, some, known := ^uint64(0), uint64(0), 0 // the bits that all keys have, or some
	for _, v := range values {
		if v == v {
			key := w.key(v)
			all, some = all&key, some|key
			known++
		}
	}
	varying := some &^ all
	w.lowest = max(0, bits.Len64(varying)-windowBits)
	inside := uint64(1<<windowBits-1) << w.lowest
	w.common, w.whole = all&^inside, varying&^inside == 0
	if cap(r.cells) < known {
		r.cells, r.spare = make([]uint64, len(values)), make([]uint64, len(values))
	}
	from, to := r.cells[:0], r.spare[:known]
	var starts [digits][size]uint32
	for i, v := range values {
		if v == v {
			bits := w.key(v) & inside >> w.lowest
			from = append(from, bits<<rowBits|uint64(i))
			starts[0][bits%size]++
			starts[1][bits>>digit%size]++
			starts[2][bits>>(2*digit)%size]++
		}
	}
	for d := range digits {
		shift := d * digit
		if varying>>w.lowest>>shift%size == 0 {
			continue
		}
		sum := uint32(0)
		for i, n := range starts[d] {
			starts[d][i] = sum
			sum += n
		}
		for _, x := range from {
			at := &starts[d][x>>(rowBits+shift)%size]
			to[*at] = x
			*at++
		}
		from, to = to, from
	}
	if !w.whole {
		sortRuns(from, values)
	}
	return from, w
}

// sortRuns sorts cells that are in order but for those of the same window.
func sortRuns(cells []uint64, values []float64) {
	for i := 0; i < len(cells); {
		begin, same := i, true
		for i++; i < len(cells) && cells[i]>>rowBits == cells[begin]>>rowBits; i++ {
			same = same && values[cells[i]&rowMask] == values[cells[begin]&rowMask]
		}
		if !same {
			slices.SortFunc(cells[begin:i], func(a, b uint64) int { return cmp.Compare(values[a&rowMask], values[b&rowMask]) })
		}
	}
}
