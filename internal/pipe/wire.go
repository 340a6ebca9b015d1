package pipe

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// A frame is a head of 16 bytes, a header in JSON and a body:
//
//	magic "RFP1" | length of the header, uint32 | length of the body, uint64 | header | body
//
// All numbers are little-endian. The body holds the buffers of the frame one after the other, each filled up with zeros
// to a multiple of 8 bytes. The header says under "buffers" how many bytes each has.
const (
	magic      = "RFP1"
	headBytes  = 16
	mostHeader = 64 << 20
	align      = 8
)

// Version is the version of the protocol. A change that an older client would misread raises it.
const Version = 1

// frameError is a fault of a frame after which nothing more can be read.
type frameError struct{ text string }

func (e *frameError) Error() string { return e.text }

// readHead reads the head of the next frame. It returns [io.EOF] where there is none.
func readHead(r io.Reader) (header uint32, body uint64, err error) {
	var head [headBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = &frameError{"the stream ends within the head of a frame"}
		}
		return 0, 0, err
	}
	if string(head[:4]) != magic {
		return 0, 0, &frameError{fmt.Sprintf("a frame begins with %q, not with %q; write frames, as docs/pipe.md describes "+
			"them", head[:4], magic)}
	}
	header, body = binary.LittleEndian.Uint32(head[4:]), binary.LittleEndian.Uint64(head[8:])
	if header > mostHeader {
		return 0, 0, &frameError{fmt.Sprintf("a header of %d bytes; the most are %d", header, mostHeader)}
	}
	return header, body, nil
}

// trusted is how many bytes are made room for before any has come. Of more, room doubles as they come: who announces
// what does not come takes no memory.
const trusted = 64 << 20

// readBytes reads n bytes, which the stream is to have.
func readBytes(r io.Reader, n uint64) ([]byte, error) {
	b := make([]byte, min(n, trusted))
	for from := uint64(0); ; {
		if _, err := io.ReadFull(r, b[from:]); err != nil {
			return nil, &frameError{"the stream ends within a frame: " + err.Error()}
		}
		if from = uint64(len(b)); from == n {
			return b, nil
		}
		grown := make([]byte, min(n, 2*from))
		copy(grown, b)
		b = grown
	}
}

// skip reads over n bytes.
func skip(r *bufio.Reader, n uint64) error {
	if _, err := io.CopyN(io.Discard, r, int64(min(n, math.MaxInt64))); err != nil {
		return &frameError{"the stream ends within a frame: " + err.Error()}
	}
	return nil
}

// padded is a length with what fills it up.
func padded(n uint64) uint64 { return (n + align - 1) / align * align }

// readBuffers reads a body of buffers of these lengths. It allocates what the body holds and no more.
func readBuffers(r io.Reader, body uint64, lengths []uint64) ([][]byte, error) {
	all, err := readBytes(r, body)
	if err != nil {
		return nil, err
	}
	buffers := make([][]byte, len(lengths))
	for i, n := range lengths {
		buffers[i] = all[:n:n]
		all = all[padded(n):]
	}
	return buffers, nil
}

// fit tells whether buffers of these lengths make up a body.
func fit(lengths []uint64, body uint64) bool {
	left := body
	for _, n := range lengths {
		if n > left || padded(n) > left {
			return false
		}
		left -= padded(n)
	}
	return left == 0
}

// write writes a frame.
func write(w *bufio.Writer, header []byte, buffers [][]byte) error {
	body := uint64(0)
	for _, b := range buffers {
		body += padded(uint64(len(b)))
	}
	var head [headBytes]byte
	copy(head[:], magic)
	binary.LittleEndian.PutUint32(head[4:], uint32(len(header)))
	binary.LittleEndian.PutUint64(head[8:], body)
	for _, b := range [][]byte{head[:], header} {
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	var zeros [align]byte
	for _, b := range buffers {
		if _, err := w.Write(b); err != nil {
			return err
		}
		n := uint64(len(b))
		if _, err := w.Write(zeros[:padded(n)-n]); err != nil {
			return err
		}
	}
	return w.Flush()
}
