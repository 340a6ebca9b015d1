package parquet

import (
	"encoding/binary"
	"errors"
)

// compact reads the compact protocol of Thrift, in which the metadata are written, from bytes in
// memory. The first fault stays in err, and what is read after it means nothing.
type compact struct {
	b   []byte
	at  int
	err error
}

// The types of values.
const (
	stopType   = 0
	trueType   = 1
	falseType  = 2
	byteType   = 3
	i16Type    = 4
	i32Type    = 5
	i64Type    = 6
	doubleType = 7
	binaryType = 8
	listType   = 9
	setType    = 10
	mapType    = 11
	structType = 12
)

var (
	errShort    = errors.New("they end too early")
	errMetadata = errors.New("they are not what they should be")
	errDeep     = errors.New("they are nested too deeply")
)

// deepest is how deep a value that nobody needs may be nested.
const deepest = 32

func (c *compact) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *compact) byte() byte {
	if c.err != nil || c.at >= len(c.b) {
		c.fail(errShort)
		return 0
	}
	c.at++
	return c.b[c.at-1]
}

func (c *compact) uvarint() uint64 {
	if c.err != nil {
		return 0
	}
	v, n := binary.Uvarint(c.b[c.at:])
	switch {
	case n == 0:
		c.fail(errShort)
	case n < 0:
		c.fail(errMetadata)
	default:
		c.at += n
	}
	return v
}

// varint reads a number with a sign.
func (c *compact) varint() int64 {
	v := c.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// integer reads a whole number, of a value of that type.
func (c *compact) integer(kind byte) int64 {
	switch kind {
	case byteType:
		return int64(int8(c.byte()))
	case i16Type, i32Type, i64Type:
		return c.varint()
	}
	c.fail(errMetadata)
	return 0
}

// text reads a text, of a value of that type.
func (c *compact) text(kind byte) string {
	if kind != binaryType {
		c.fail(errMetadata)
	}
	n := c.uvarint()
	if n > uint64(len(c.b)-c.at) {
		c.fail(errShort)
	}
	if c.err != nil {
		return ""
	}
	c.at += int(n)
	return string(c.b[c.at-int(n) : c.at])
}

// fields calls read with the number and the type of each field of a value of that type, which is
// a structure. What read says it did not take is skipped.
func (c *compact) fields(kind byte, read func(id int64, kind byte) bool) {
	if kind != structType {
		c.fail(errMetadata)
	}
	id := int64(0)
	for c.err == nil {
		b := c.byte()
		if b == stopType {
			return
		}
		if step := int64(b >> 4); step > 0 {
			id += step
		} else {
			id = c.varint()
		}
		if c.err == nil && !read(id, b&15) {
			c.skip(b&15, 0)
		}
	}
}

// list calls read for each element of a list of structures, a value of that type.
func (c *compact) list(kind byte, read func()) {
	n, element := c.size(kind)
	if n > 0 && element != structType {
		c.fail(errMetadata)
	}
	for ; n > 0 && c.err == nil; n-- {
		read()
	}
}

// size reads how many elements a list or a set has, and their type. Each takes a byte or more.
func (c *compact) size(kind byte) (n int, element byte) {
	if kind != listType && kind != setType {
		c.fail(errMetadata)
	}
	b := c.byte()
	size := uint64(b >> 4)
	if size == 15 {
		size = c.uvarint()
	}
	if size > uint64(len(c.b)-c.at) {
		c.fail(errShort)
	}
	if c.err != nil {
		return 0, 0
	}
	return int(size), b & 15
}

// skip reads over a value of that type.
func (c *compact) skip(kind byte, depth int) {
	if depth > deepest {
		c.fail(errDeep)
	}
	if c.err != nil {
		return
	}
	switch kind {
	case trueType, falseType:
	case byteType:
		c.byte()
	case i16Type, i32Type, i64Type:
		c.uvarint()
	case doubleType:
		c.leap(8)
	case binaryType:
		c.leap(c.uvarint())
	case listType, setType:
		n, element := c.size(kind)
		for ; n > 0 && c.err == nil; n-- {
			c.skipElement(element, depth+1)
		}
	case mapType:
		c.skipMap(depth)
	case structType:
		for id := byte(0); c.err == nil; {
			if id = c.byte(); id == stopType {
				return
			}
			if id>>4 == 0 {
				c.uvarint()
			}
			c.skip(id&15, depth+1)
		}
	default:
		c.fail(errMetadata)
	}
}

func (c *compact) leap(n uint64) {
	if n > uint64(len(c.b)-c.at) {
		c.fail(errShort)
		return
	}
	c.at += int(n)
}

// skipElement reads over an element of a list, a set or a map: a truth value takes a byte there.
func (c *compact) skipElement(kind byte, depth int) {
	if kind == trueType || kind == falseType {
		kind = byteType
	}
	c.skip(kind, depth)
}

func (c *compact) skipMap(depth int) {
	n := c.uvarint()
	if n == 0 {
		return
	}
	kinds := c.byte()
	if n > uint64(len(c.b)-c.at) {
		c.fail(errShort)
	}
	for ; n > 0 && c.err == nil; n-- {
		c.skipElement(kinds>>4, depth+1)
		c.skipElement(kinds&15, depth+1)
	}
}
