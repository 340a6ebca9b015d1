package foreign

import (
	"encoding/binary"
	"errors"
	"math"
)

// message is the rest of a message of Protocol Buffers (protobuf.dev, encoding): the wire format alone, without the
// parts that ONNX has no use for.
type message []byte

// field is a field of a message.
type field struct {
	number int
	value  uint64  // of a number
	bytes  message // of a text, a message or packed numbers; nil of a number
}

var errWire = errors.New("the wire format is broken; copy the file again")

// fields calls each for the fields of m in their order, until there is an error.
func (m message) fields(each func(f field) error) error {
	for len(m) > 0 {
		key, n := binary.Uvarint(m)
		if n <= 0 || key>>3 == 0 || key>>3 > math.MaxInt32 {
			return errWire
		}
		m = m[n:]
		f := field{number: int(key >> 3)}
		switch key & 7 {
		case 0:
			f.value, n = binary.Uvarint(m)
			if n <= 0 {
				return errWire
			}
		case 1, 5:
			if n = 4; key&7 == 1 {
				n = 8
			}
			if n > len(m) {
				return errWire
			}
			if f.value = uint64(binary.LittleEndian.Uint32(m)); n == 8 {
				f.value = binary.LittleEndian.Uint64(m)
			}
		case 2:
			length, head := binary.Uvarint(m)
			if head <= 0 || length > uint64(len(m)-head) {
				return errWire
			}
			n = head + int(length)
			f.bytes = m[head:n:n]
		default:
			return errWire
		}
		m = m[n:]
		if err := each(f); err != nil {
			return err
		}
	}
	return nil
}

// whole adds the whole numbers of a repeated field: one, or packed ones.
func (f field) whole(to *[]int64) error {
	if f.bytes == nil {
		*to = append(*to, int64(f.value))
		return nil
	}
	for m := f.bytes; len(m) > 0; {
		v, n := binary.Uvarint(m)
		if n <= 0 {
			return errWire
		}
		*to, m = append(*to, int64(v)), m[n:]
	}
	return nil
}

// floats adds the numbers of a repeated field of float32, as float64.
func (f field) floats(to *[]float64) error {
	if f.bytes == nil {
		*to = append(*to, float64(math.Float32frombits(uint32(f.value))))
		return nil
	}
	if len(f.bytes)%4 != 0 {
		return errWire
	}
	for m := f.bytes; len(m) > 0; m = m[4:] {
		*to = append(*to, float64(math.Float32frombits(binary.LittleEndian.Uint32(m))))
	}
	return nil
}

// doubles adds the numbers of a repeated field of float64.
func (f field) doubles(to *[]float64) error {
	if f.bytes == nil {
		*to = append(*to, math.Float64frombits(f.value))
		return nil
	}
	if len(f.bytes)%8 != 0 {
		return errWire
	}
	for m := f.bytes; len(m) > 0; m = m[8:] {
		*to = append(*to, math.Float64frombits(binary.LittleEndian.Uint64(m)))
	}
	return nil
}
