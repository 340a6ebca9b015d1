package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"iter"
	"math"
	"math/bits"
)

// Digest is the sum, modulo 2²⁵⁶, of the SHA-256 of each row of a table with its id. The digests of parts of
// the rows add up to the digest of the whole, in any order, and hardly ever do if a row is missing, repeated or
// changed. It guards against accidents, not against attacks. The zero value is the digest of no rows.
type Digest [4]uint64

// Add adds the digest of other rows of the same table.
func (d *Digest) Add(other Digest) {
	carry := uint64(0)
	for i := range d {
		d[i], carry = bits.Add64(d[i], other[i], carry)
	}
}

// Digest returns the digest of the rows, whose ids are ids (len n); nil means that the id of a row is its
// index. It covers labels, case weights and cells, in whichever form the columns are held, but not the names of
// columns, levels and classes.
func (f *Frame) Digest(ids []uint32) Digest {
	var sum Digest
	le := binary.LittleEndian
	given := func(i int) (id uint64, weight float64) {
		if ids == nil {
			return uint64(i), f.WeightOf(i)
		}
		return uint64(ids[i]), f.WeightOf(i)
	}
	for _, row := range f.contents(given) {
		hash := sha256.Sum256(row)
		sum.Add(Digest{le.Uint64(hash[:]), le.Uint64(hash[8:]), le.Uint64(hash[16:]), le.Uint64(hash[24:])})
	}
	return sum
}

// contents yields what each row says, as bytes: an id, the label, a case weight and the cells. Blocks of rows are
// put together column by column, so that the values of one column at a time are in the cache.
func (f *Frame) contents(given func(row int) (id uint64, weight float64)) iter.Seq2[int, []byte] {
	const blockBytes = 1 << 16
	size := 8 * (3 + len(f.Columns))
	return func(yield func(int, []byte) bool) {
		block := make([]byte, size*max(1, min(f.Rows(), blockBytes/size)))
		for from := 0; from < f.Rows(); from += len(block) / size {
			block = block[:size*min(len(block)/size, f.Rows()-from)]
			f.fill(block, size, from, given)
			for i := range len(block) / size {
				if !yield(from+i, block[i*size:(i+1)*size]) {
					return
				}
			}
		}
	}
}

// fill writes the content of the rows from the first on, of so many bytes each, as far as the block goes.
func (f *Frame) fill(block []byte, size, first int, given func(row int) (id uint64, weight float64)) {
	le, rows := binary.LittleEndian, len(block)/size
	for i := range rows {
		truth := -1
		if f.Truth != nil {
			truth = f.Truth[first+i]
		}
		id, weight := given(first + i)
		row := block[i*size:]
		le.PutUint64(row, id)
		le.PutUint64(row[8:], uint64(int64(truth)))
		le.PutUint64(row[16:], math.Float64bits(weight))
	}
	for j := range f.Columns {
		c, at := &f.Columns[j], 8*(3+j)
		for i := range rows {
			le.PutUint64(block[i*size+at:], pattern(c.At(first+i)))
		}
	}
}

// pattern returns the bits of a cell: the same ones for 0 and -0, and for all missing cells.
func pattern(v float64) uint64 {
	if v != v {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(v + 0)
}
