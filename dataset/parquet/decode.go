package parquet

import (
	"encoding/binary"
	"errors"
)

// What a page holds is decoded value by value, so that no more memory is taken than its bytes,
// however many values it is said to have.

// numbers gives the values of a page, one after the other, as their bits.
type numbers interface {
	next() (uint64, error)
}

// texts gives the values of a page, one after the other, as bytes, which are valid until the
// next call.
type texts interface {
	next() ([]byte, error)
}

// What is wrong with a page.
var (
	errFewBytes = errors.New("its values take more bytes than it has")
	errLength   = errors.New("the length of a value is negative, or beyond the page")
	errBlocks   = errors.New("its blocks of differences have impossible sizes")
	errWidth    = errors.New("its values have an impossible width")
	errTooFew   = errors.New("it has fewer values than it says")
	errFixed    = errors.New("its values have another length than the column")
)

// plain are numbers of a fixed width in bytes.
type plain struct {
	b     []byte
	width int
}

func (p *plain) next() (uint64, error) {
	if len(p.b) < p.width {
		return 0, errFewBytes
	}
	var v uint64
	if p.width == 4 {
		v = uint64(binary.LittleEndian.Uint32(p.b))
	} else {
		v = binary.LittleEndian.Uint64(p.b)
	}
	p.b = p.b[p.width:]
	return v, nil
}

// split are n numbers of a fixed width, first the first byte of all, then the second (the
// encoding BYTE_STREAM_SPLIT).
type split struct {
	b            []byte
	width, n, at int
}

func newSplit(b []byte, width int) *split { return &split{b: b, width: width, n: len(b) / width} }

func (s *split) next() (uint64, error) {
	if s.at == s.n {
		return 0, errFewBytes
	}
	var v uint64
	for k := range s.width {
		v |= uint64(s.b[k*s.n+s.at]) << (8 * k)
	}
	s.at++
	return v, nil
}

// flags are truth values, one a bit.
type flags struct {
	b  []byte
	at int
}

func (f *flags) next() (uint64, error) {
	if f.at>>3 >= len(f.b) {
		return 0, errFewBytes
	}
	v := f.b[f.at>>3] >> (f.at & 7) & 1
	f.at++
	return uint64(v), nil
}

// hybrid are numbers of a fixed width in bits, as runs of one value and as packed groups of
// eight (the encoding RLE).
type hybrid struct {
	b     []byte
	width int

	value  uint64 // of the run
	run    uint64 // values left in it
	packed []byte // the bytes of the packed groups
	bit    int    // of packed where the next value begins
}

func newHybrid(b []byte, width int) (*hybrid, error) {
	if width < 0 || width > 32 {
		return nil, errWidth
	}
	return &hybrid{b: b, width: width}, nil
}

func (h *hybrid) next() (uint64, error) {
	for {
		if h.run > 0 {
			h.run--
			return h.value, nil
		}
		if h.bit+h.width <= 8*len(h.packed) && len(h.packed) > 0 {
			v := unpack(h.packed, h.bit, h.width)
			h.bit += h.width
			return v, nil
		}
		if err := h.block(); err != nil {
			return 0, err
		}
	}
}

// block reads the head of the next run, or of the next packed groups.
func (h *hybrid) block() error {
	head, n := binary.Uvarint(h.b)
	if n <= 0 {
		return errTooFew
	}
	h.b, h.packed, h.bit = h.b[n:], nil, 0
	if head&1 == 0 {
		size := (h.width + 7) / 8
		if len(h.b) < size {
			return errFewBytes
		}
		h.run, h.value = head>>1, 0
		for k, b := range h.b[:size] {
			h.value |= uint64(b) << (8 * k)
		}
		h.b = h.b[size:]
		return nil
	}
	if h.width == 0 {
		h.run, h.value = 8*min(head>>1, 1<<32), 0
		return nil
	}
	// The last groups may lack the bytes that stand for no value.
	size := min(head>>1, uint64(len(h.b))) * uint64(h.width)
	h.packed = h.b[:min(size, uint64(len(h.b)))]
	h.b = h.b[len(h.packed):]
	return nil
}

// unpack returns the width bits of b that begin at bit at, the lowest first.
func unpack(b []byte, at, width int) uint64 {
	if from := at >> 3; width <= 56 && from+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[from:]) >> (at & 7) & (1<<width - 1)
	}
	var v uint64
	for got := 0; got < width; {
		part := uint64(b[at>>3]) >> (at & 7)
		v |= part << got
		step := min(8-at&7, width-got)
		got += step
		at += step
	}
	return v & (1<<width - 1)
}

// deltas are whole numbers as differences, packed in blocks (DELTA_BINARY_PACKED).
type deltas struct {
	b      []byte
	mini   int    // values in a part of a block
	parts  int    // of a block
	left   uint64 // values to come
	value  uint64 // the next one
	least  uint64 // difference in the block
	widths []byte // of the parts of the block to come
	packed []byte // the part
	bit    int
	inPart int // values left in the part
}

func newDeltas(b []byte) (*deltas, error) {
	d := &deltas{b: b}
	block, parts := d.uvarint(), d.uvarint()
	left, first := d.uvarint(), d.varint()
	if d.b == nil {
		return nil, errFewBytes
	}
	if block == 0 || block > 1<<20 || parts == 0 || parts > block || block%parts != 0 || block/parts%8 != 0 {
		return nil, errBlocks
	}
	d.mini, d.parts, d.left, d.value = int(block/parts), int(parts), left, first
	return d, nil
}

// uvarint reads a number. Where there is none b becomes nil.
func (d *deltas) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.b = nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *deltas) varint() uint64 {
	v := d.uvarint()
	return v>>1 ^ -(v & 1)
}

func (d *deltas) next() (uint64, error) {
	if d.left == 0 {
		return 0, errTooFew
	}
	v := d.value
	if d.left--; d.left > 0 {
		if err := d.step(); err != nil {
			return 0, err
		}
	}
	return v, nil
}

// step goes on to the next value.
func (d *deltas) step() error {
	if d.inPart == 0 {
		if err := d.part(); err != nil {
			return err
		}
	}
	width := int(d.widths[0])
	d.value += d.least + unpack(d.packed, d.bit, width)
	d.bit += width
	if d.inPart--; d.inPart == 0 {
		d.widths = d.widths[1:]
	}
	return nil
}

// part goes on to the next part, and to the next block where this one is through.
func (d *deltas) part() error {
	if len(d.widths) == 0 {
		d.least = d.varint()
		if len(d.b) < d.parts {
			return errFewBytes
		}
		d.widths, d.b = d.b[:d.parts], d.b[d.parts:]
	}
	width := int(d.widths[0])
	if width > 64 {
		return errWidth
	}
	size := d.mini / 8 * width
	if size > len(d.b) {
		return errFewBytes
	}
	d.packed, d.b, d.bit, d.inPart = d.b[:size], d.b[size:], 0, d.mini
	return nil
}

// rest reads all values and returns the bytes behind them. Parts that no value needs have none.
func (d deltas) rest() ([]byte, error) {
	for d.left > 0 {
		if _, err := d.next(); err != nil {
			return nil, err
		}
	}
	return d.b, nil
}

// length reads the length of a value, of which there are at most that many bytes.
func length(d *deltas, most int) (int, error) {
	v, err := d.next()
	if err == nil && v > uint64(most) {
		err = errLength
	}
	return int(v), err
}

// plainTexts are texts behind their length, or of a fixed length.
type plainTexts struct {
	b     []byte
	fixed int // 0 for none
}

func (p *plainTexts) next() ([]byte, error) {
	size := uint64(p.fixed)
	if p.fixed == 0 {
		if len(p.b) < 4 {
			return nil, errFewBytes
		}
		size = uint64(binary.LittleEndian.Uint32(p.b))
		p.b = p.b[4:]
	}
	if size > uint64(len(p.b)) {
		return nil, errLength
	}
	v := p.b[:size]
	p.b = p.b[size:]
	return v, nil
}

// lengthTexts are texts behind the lengths of all of them (DELTA_LENGTH_BYTE_ARRAY).
type lengthTexts struct {
	lengths *deltas
	b       []byte
}

func newLengthTexts(b []byte) (*lengthTexts, error) {
	lengths, err := newDeltas(b)
	if err != nil {
		return nil, err
	}
	b, err = lengths.rest()
	return &lengthTexts{lengths, b}, err
}

func (t *lengthTexts) next() ([]byte, error) {
	size, err := length(t.lengths, len(t.b))
	if err != nil {
		return nil, err
	}
	v := t.b[:size]
	t.b = t.b[size:]
	return v, nil
}

// prefixTexts are texts that begin as the one before (DELTA_BYTE_ARRAY).
type prefixTexts struct {
	shared *deltas
	ends   *lengthTexts
	value  []byte
}

func newPrefixTexts(b []byte) (*prefixTexts, error) {
	shared, err := newDeltas(b)
	if err != nil {
		return nil, err
	}
	if b, err = shared.rest(); err != nil {
		return nil, err
	}
	ends, err := newLengthTexts(b)
	return &prefixTexts{shared: shared, ends: ends}, err
}

func (t *prefixTexts) next() ([]byte, error) {
	same, err := length(t.shared, len(t.value))
	if err != nil {
		return nil, err
	}
	end, err := t.ends.next()
	if err != nil {
		return nil, err
	}
	t.value = append(t.value[:same], end...)
	return t.value, nil
}
