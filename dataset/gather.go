package dataset

import (
	"math"
	"math/bits"
	"slices"
)

// blockRows is the number of cells that are coded at once: few enough for a column to have
// that many beside its codes, enough for its dictionary to stay in the cache meanwhile.
const blockRows = 1 << 13

// rowsPerValue is how many rows a column must have for each value of its dictionary. So the
// dictionary costs little beside the cells, and is soon full where nearly all values differ.
const rowsPerValue = 8

// gathered are the cells of a column while it is read. They are kept in blocks, so that none
// is moved when more come. A full block is coded by a dictionary, which takes up new values as
// long as the rows so far allow; a block with a value beyond that keeps its cells as they are.
// So few values take two bytes a cell from the start, many ones that come again and again do
// as soon as they are known, and values that never come again cost no more than themselves.
type gathered struct {
	brief  bool      // keep none
	plain  []float64 // the cells of the last block, which is not full; NaN where missing
	blocks []block   // the full ones
	known  dictionary
	spare  []uint16 // room for more narrow blocks
}

// block holds cells in one of three forms: numbers of the dictionary, narrow or wide, or as
// they are. The others are nil.
type block struct {
	narrow []uint16
	wide   []uint32
	plain  []float64
}

// add appends cells; NaN is a missing one.
func (g *gathered) add(cells []float64) {
	if g.brief {
		return
	}
	for len(cells) > 0 {
		if g.plain == nil && len(g.blocks) > 0 {
			g.plain = make([]float64, 0, blockRows)
		}
		n := min(len(cells), blockRows-len(g.plain))
		g.plain = append(g.plain, cells[:n]...)
		cells = cells[n:]
		if len(g.plain) == blockRows {
			g.flush()
		}
	}
}

// flush ends the last block.
func (g *gathered) flush() {
	rows := len(g.blocks)*blockRows + len(g.plain)
	b := g.known.code(g.plain, rows/rowsPerValue, g.room(len(g.plain), rows))
	if b.narrow != nil {
		g.spare = g.spare[len(b.narrow):]
	}
	g.blocks = append(g.blocks, b)
	if g.plain = g.plain[:0]; b.plain != nil {
		g.plain = nil // it is the block's; the next cell makes room, of which the last block needs none
	}
}

// room returns room for the narrow codes of n cells, where there are that many rows so far. It is
// got for a quarter of the rows at a time: of many small pieces, between which lie those of other
// columns, none would be free for the codes of a whole column when they are joined.
func (g *gathered) room(n, rows int) []uint16 {
	if len(g.spare) < n {
		g.spare = make([]uint16, max(n, rows/4/blockRows*blockRows))
	}
	return g.spare[:n:n]
}

// codes returns the cells as ranks of their values and empties g: the memory of a column is
// free before the next one is coded.
func (g *gathered) codes(r *Coder) *Codes {
	n := len(g.blocks)*blockRows + len(g.plain)
	if len(g.plain) > 0 {
		g.flush()
	}
	g.plain = nil
	plain := 0
	for i := range g.blocks {
		if b := &g.blocks[i]; b.plain != nil {
			*b = g.known.code(b.plain, n/rowsPerValue, nil) // by now the values may be known
			plain += len(b.plain)
		}
	}
	if g.known.values == nil {
		g.known.values = []float64{math.NaN()}
	}
	numbered := len(g.known.values)
	values := append(slices.Grow(r.values[:0], numbered+plain), g.known.values...)
	for i := range g.blocks {
		values = append(values, g.blocks[i].plain...)
	}
	r.values = values
	codes := &Codes{}
	var ranks []uint32
	codes.Distinct, ranks = r.rank(values)
	if codes.Distinct.Len() <= mostNarrow {
		codes.Narrow = joined[uint16](n, g.blocks, ranks[:numbered], ranks[numbered:])
	} else {
		codes.Wide = joined[uint32](n, g.blocks, ranks[:numbered], ranks[numbered:])
	}
	*g = gathered{}
	return codes
}

// joined returns the ranks of n cells in blocks, given those of the numbers of the dictionary
// and, one after the other, those of the cells of plain blocks.
func joined[C code](n int, blocks []block, ofNumber, ofPlain []uint32) []C {
	out := make([]C, 0, n)
	for _, b := range blocks {
		for _, number := range b.narrow {
			out = append(out, C(ofNumber[number]))
		}
		for _, number := range b.wide {
			out = append(out, C(ofNumber[number]))
		}
		for _, rank := range ofPlain[:len(b.plain)] {
			out = append(out, C(rank))
		}
		ofPlain = ofPlain[len(b.plain):]
	}
	return out
}

// dictionary numbers values from 1 in the order in which they come; 0 is a missing cell. The
// zero value is ready.
type dictionary struct {
	values []float64 // by number; NaN for 0
	slots  []uint32  // a hash table of numbers, at most half full; 0 where free
}

// code returns a block of cells, as they are where one of them has no number. Narrow codes go to
// room, or to new memory if it is nil.
func (d *dictionary) code(cells []float64, most int, room []uint16) block {
	var numbers [blockRows]uint32
	highest := uint32(0)
	for i, v := range cells {
		n, ok := d.number(v, most)
		if !ok {
			return block{plain: cells}
		}
		numbers[i] = n
		highest = max(highest, n)
	}
	narrow, wide := packed(room, numbers[:len(cells)], int(highest))
	return block{narrow: narrow, wide: wide}
}

// number returns the number of v. It is false where v is new and there are as many values as
// there may be.
func (d *dictionary) number(v float64, most int) (uint32, bool) {
	if v != v {
		return 0, true
	}
	if 2*len(d.values) >= len(d.slots) {
		d.grow()
	}
	at := d.slot(v)
	if d.slots[at] == 0 {
		if len(d.values) > most {
			return 0, false
		}
		d.slots[at] = uint32(len(d.values))
		d.values = append(d.values, v)
	}
	return d.slots[at], true
}

// slot returns where the number of v is, or where it belongs.
func (d *dictionary) slot(v float64) uint {
	mask := uint(len(d.slots) - 1)
	high, low := bits.Mul64(math.Float64bits(v+0)^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	at := uint(high^low) & mask
	for d.slots[at] != 0 && d.values[d.slots[at]] != v {
		at = (at + 1) & mask
	}
	return at
}

func (d *dictionary) grow() {
	if d.values == nil {
		d.values = []float64{math.NaN()}
	}
	d.slots = make([]uint32, max(16, 2*len(d.slots)))
	for n, v := range d.values[1:] {
		d.slots[d.slot(v)] = uint32(n + 1)
	}
}
