package export

import (
	"encoding/binary"
	"io"
	"math"
)

// message is a message of Protocol Buffers, as the pieces that follow each other in a file. A message within another
// one is not copied.
type message struct {
	pieces [][]byte
	open   bool // whether the last piece is this message's own, to be appended to
	size   int
}

// The wire types, see protobuf.dev/programming-guides/encoding.
const (
	wireVarint = 0
	wireBytes  = 2
	wireFixed  = 5
)

func (m *message) write(b ...byte) {
	if !m.open {
		m.pieces, m.open = append(m.pieces, nil), true
	}
	last := len(m.pieces) - 1
	m.pieces[last] = append(m.pieces[last], b...)
	m.size += len(b)
}

func (m *message) varint(v uint64) {
	var room [binary.MaxVarintLen64]byte
	m.write(room[:binary.PutUvarint(room[:], v)]...)
}

func (m *message) tag(field, wire int) { m.varint(uint64(field)<<3 | uint64(wire)) }

func (m *message) integer(field int, v int64) {
	m.tag(field, wireVarint)
	m.varint(uint64(v))
}

func (m *message) float(field int, v float32) {
	m.tag(field, wireFixed)
	m.write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v))...)
}

// bytes takes b over.
func (m *message) bytes(field int, b []byte) {
	m.tag(field, wireBytes)
	m.varint(uint64(len(b)))
	m.pieces, m.open = append(m.pieces, b), false
	m.size += len(b)
}

func (m *message) text(field int, s string) {
	m.tag(field, wireBytes)
	m.varint(uint64(len(s)))
	m.write([]byte(s)...)
}

func (m *message) texts(field int, list []string) {
	for _, s := range list {
		m.text(field, s)
	}
}

// message takes the pieces of child over.
func (m *message) message(field int, child *message) {
	m.tag(field, wireBytes)
	m.varint(uint64(child.size))
	m.pieces, m.open = append(m.pieces, child.pieces...), false
	m.size += child.size
}

// writeTo writes the message.
func (m *message) writeTo(w io.Writer) (int64, error) {
	done := int64(0)
	for _, piece := range m.pieces {
		n, err := w.Write(piece)
		if done += int64(n); err != nil {
			return done, err
		}
	}
	return done, nil
}
