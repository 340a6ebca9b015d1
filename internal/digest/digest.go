// Package digest tells the rows of tables apart by what they hold: as a sum over all rows, and by a sample of them.
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"iter"
	"math"
	"math/bits"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/sketch"
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

// Of returns the digest of the rows, whose ids are ids (len n); nil means that the id of a row is its
// index. It covers labels, case weights and cells, in whichever form the columns are held, but not the names of
// columns, levels and classes.
func Of(f *dataset.Frame, ids []uint32) Digest {
	var sum Digest
	le := binary.LittleEndian
	given := func(i int) (id uint64, weight float64) {
		if ids == nil {
			return uint64(i), f.WeightOf(i)
		}
		return uint64(ids[i]), f.WeightOf(i)
	}
	for _, row := range contents(f, given) {
		hash := sha256.Sum256(row)
		sum.Add(Digest{le.Uint64(hash[:]), le.Uint64(hash[8:]), le.Uint64(hash[16:]), le.Uint64(hash[24:])})
	}
	return sum
}

// contents yields what each row says, as bytes: an id, the label, a case weight and the cells. Blocks of rows are
// put together column by column, so that the values of one column at a time are in the cache.
func contents(f *dataset.Frame, given func(row int) (id uint64, weight float64)) iter.Seq2[int, []byte] {
	const blockBytes = 1 << 16
	size := 8 * (3 + len(f.Columns))
	return func(yield func(int, []byte) bool) {
		block := make([]byte, size*max(1, min(f.Rows(), blockBytes/size)))
		for from := 0; from < f.Rows(); from += len(block) / size {
			block = block[:size*min(len(block)/size, f.Rows()-from)]
			fill(f, block, size, from, given)
			for i := range len(block) / size {
				if !yield(from+i, block[i*size:(i+1)*size]) {
					return
				}
			}
		}
	}
}

// fill writes the content of the rows from the first on, of so many bytes each, as far as the block goes.
func fill(f *dataset.Frame, block []byte, size, first int, given func(row int) (id uint64, weight float64)) {
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
			le.PutUint64(block[i*size+at:], sketch.Bits(c.At(first+i)))
		}
	}
}

// Find returns, by class, how many labelled rows of f would be in the sample, and how many of these are. The
// columns and classes of f must be those of the table of s.
func Find(s *sketch.Sketch, f *dataset.Frame) (sampled, found []int) {
	sampled, found = make([]int, len(f.Classes)), make([]int, len(f.Classes))
	last := s.Last()
	for hash, class := range hashes(f) {
		if hash > last {
			continue
		}
		sampled[class]++
		if _, known := slices.BinarySearch(s.Hashes, hash); known {
			found[class]++
		}
	}
	return sampled, found
}

// hashes yields those of the labelled rows, with the class.
func hashes(f *dataset.Frame) iter.Seq2[uint32, int] {
	return func(yield func(hash uint32, class int) bool) {
		if !slices.ContainsFunc(f.Truth, func(class int) bool { return class >= 0 }) {
			return
		}
		for i, row := range contents(f, func(int) (uint64, float64) { return 0, 1 }) {
			class := f.Truth[i]
			if class < 0 {
				continue
			}
			if hash := sha256.Sum256(row); !yield(binary.BigEndian.Uint32(hash[:]), class) {
				return
			}
		}
	}
}

// AddRows adds the labelled rows of f to s. All calls must have the same columns and classes.
func AddRows(s *sketch.Sketcher, f *dataset.Frame) {
	s.Begin(len(f.Classes))
	for hash, class := range hashes(f) {
		s.Note(hash, class)
	}
}
