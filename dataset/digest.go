package dataset

import (
	"crypto/sha256"
	"encoding/binary"
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
	row := f.content()
	le := binary.LittleEndian
	for i := range f.Rows() {
		id := uint64(i)
		if ids != nil {
			id = uint64(ids[i])
		}
		hash := row.hash(i, id, f.WeightOf(i))
		sum.Add(Digest{le.Uint64(hash[:]), le.Uint64(hash[8:]), le.Uint64(hash[16:]), le.Uint64(hash[24:])})
	}
	return sum
}

// content hashes what rows of a frame say, one after the other.
type content struct {
	frame *Frame
	bytes []byte
}

func (f *Frame) content() content { return content{f, make([]byte, 8*(3+len(f.Columns)))} }

// hash is the SHA-256 of the label and the cells of row i with an id and a case weight.
func (c content) hash(i int, id uint64, weight float64) [sha256.Size]byte {
	le, truth := binary.LittleEndian, -1
	if c.frame.Truth != nil {
		truth = c.frame.Truth[i]
	}
	le.PutUint64(c.bytes, id)
	le.PutUint64(c.bytes[8:], uint64(int64(truth)))
	le.PutUint64(c.bytes[16:], math.Float64bits(weight))
	for j := range c.frame.Columns {
		v := c.frame.Columns[j].At(i) + 0 // one pattern for 0 and -0,
		if v != v {
			v = math.NaN() // and one for all missing cells
		}
		le.PutUint64(c.bytes[24+8*j:], math.Float64bits(v))
	}
	return sha256.Sum256(c.bytes)
}
