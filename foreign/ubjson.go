package foreign

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// isUBJ tells whether a byte can follow the brace of an object in UBJSON, and not in JSON.
func isUBJ(b byte) bool {
	switch b {
	case 'i', 'U', 'I', 'l', 'L', '$', '#':
		return true
	}
	return false
}

// deepest is how many containers of UBJSON may lie in each other.
const deepest = 100

// ubjToJSON writes Universal Binary JSON (ubjson.org, draft 12) as JSON, in which numbers are what they were.
func ubjToJSON(b []byte) ([]byte, error) {
	u := &ubj{in: b, size: len(b)}
	u.value(u.byte(), 0)
	if u.err == nil && len(u.in) > 0 {
		u.fail("%d bytes follow its end", len(u.in))
	}
	return u.out, u.err
}

// ubj writes on what it reads. The first error ends the input.
type ubj struct {
	in   []byte
	out  []byte
	size int
	err  error
}

func (u *ubj) fail(format string, args ...any) {
	if u.err == nil {
		u.err = fmt.Errorf("byte %d: %w; copy the file again", u.size-len(u.in), fmt.Errorf(format, args...))
	}
	u.in = nil
}

// take returns the next n bytes; nil if there are not as many.
func (u *ubj) take(n int) []byte {
	if n < 0 || n > len(u.in) {
		u.fail("the file ends, or a length of %d is too long", n)
		return nil
	}
	b := u.in[:n]
	u.in = u.in[n:]
	return b
}

func (u *ubj) byte() byte {
	if b := u.take(1); b != nil {
		return b[0]
	}
	return 0
}

// whole reads a whole number of the given type.
func (u *ubj) whole(kind byte) int64 {
	b, be := u.take(widthOf(kind)), binary.BigEndian
	if b == nil {
		return 0
	}
	switch kind {
	case 'i':
		return int64(int8(b[0]))
	case 'U', 'B':
		return int64(b[0])
	case 'I':
		return int64(int16(be.Uint16(b)))
	case 'l':
		return int64(int32(be.Uint32(b)))
	case 'L':
		return int64(be.Uint64(b))
	}
	u.fail("a whole number of type %q", kind)
	return 0
}

// widthOf returns the bytes of a number of a type; 0 of any other value.
func widthOf(kind byte) int {
	switch kind {
	case 'i', 'U', 'B', 'C':
		return 1
	case 'I':
		return 2
	case 'l', 'd':
		return 4
	case 'L', 'D':
		return 8
	}
	return 0
}

// text reads a length and so many bytes, and writes them as a string.
func (u *ubj) text() {
	n := u.whole(u.byte())
	if n < 0 || n > int64(len(u.in)) {
		u.fail("a text of %d bytes", n)
		return
	}
	quoted, err := json.Marshal(string(u.take(int(n))))
	if err != nil {
		u.fail("%w", err)
		return
	}
	u.out = append(u.out, quoted...)
}

// value reads a value of a type that lies in so many containers.
func (u *ubj) value(kind byte, depth int) {
	if depth > deepest {
		u.fail("more than %d values lie in each other", deepest)
		return
	}
	switch kind {
	case 'Z':
		u.out = append(u.out, "null"...)
	case 'T':
		u.out = append(u.out, "true"...)
	case 'F':
		u.out = append(u.out, "false"...)
	case 'i', 'U', 'B', 'I', 'l', 'L':
		u.out = strconv.AppendInt(u.out, u.whole(kind), 10)
	case 'd':
		if b := u.take(4); b != nil {
			u.number(float64(math.Float32frombits(binary.BigEndian.Uint32(b))), 32)
		}
	case 'D':
		if b := u.take(8); b != nil {
			u.number(math.Float64frombits(binary.BigEndian.Uint64(b)), 64)
		}
	case 'S', 'C', 'H':
		u.text()
	case '[':
		u.container(']', depth)
	case '{':
		u.container('}', depth)
	default:
		u.fail("a value of type %q", kind)
	}
}

// number writes a number; one that JSON has not got is null.
func (u *ubj) number(v float64, bits int) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		u.out = append(u.out, "null"...)
		return
	}
	u.out = strconv.AppendFloat(u.out, v, 'g', -1, bits)
}

// container reads a list or an object, which may begin with the type and the number of its values.
func (u *ubj) container(end byte, depth int) {
	kind, n := byte(0), int64(-1)
	u.out = append(u.out, end-2) // brackets and braces open two before they close
	if len(u.in) > 0 && u.in[0] == '$' {
		u.take(1)
		kind = u.byte()
		if len(u.in) == 0 || u.in[0] != '#' {
			u.fail("values of type %q of which the number is not told", kind)
			return
		}
	}
	if len(u.in) > 0 && u.in[0] == '#' {
		u.take(1)
		if n = u.whole(u.byte()); n < 0 || n > int64(len(u.in)) || kind != 0 && widthOf(kind) == 0 {
			u.fail("%d values of type %q", n, kind)
			return
		}
	}
	for i := int64(0); i != n && u.err == nil; i++ {
		if n < 0 && len(u.in) > 0 && u.in[0] == end {
			u.take(1)
			break
		}
		if i > 0 {
			u.out = append(u.out, ',')
		}
		if end == '}' {
			u.text()
			u.out = append(u.out, ':')
		}
		next := kind
		if next == 0 {
			next = u.byte()
		}
		u.value(next, depth+1)
	}
	if u.err == nil && len(u.out) > mostGrowth*u.size+1<<16 {
		u.fail("more text than a file of its length can hold")
	}
	u.out = append(u.out, end)
}

// mostGrowth is how much longer JSON may be than UBJSON.
const mostGrowth = 32
