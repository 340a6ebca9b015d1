package parquet

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// The physical types of values, by their number in the format.
const (
	booleanType = iota
	int32Type
	int64Type
	int96Type
	floatType
	float64Type
	bytesType
	fixedType
)

// The repetitions of a column.
const (
	required = iota
	optional
	repeated
)

// The annotations that matter, the newer ones by their field, the older ones by their number.
const (
	decimalLogical = 5
	dateLogical    = 6
	stampLogical   = 8
	integerLogical = 10
	uuidLogical    = 14

	decimalConverted = 5
	dateConverted    = 6
	millisConverted  = 9
	microsConverted  = 10
	uint8Converted   = 11
	uint64Converted  = 14
)

// The units of timestamps, by the number of their field.
const (
	millis = 1 + iota
	micros
	nanos
)

// What a column holds that cannot be read, by its annotation.
var (
	logicalNames = map[int64]string{2: "maps", 3: "lists", 6: "dates", 7: "times of day", 8: "timestamps",
		13: "BSON documents",
		15: "half-precision numbers", 16: "variants", 17: "geometries", 18: "geographies"}
	convertedNames = map[int64]string{1: "maps", 2: "maps", 3: "lists", 6: "dates", 7: "times of day", 8: "times of day",
		9: "timestamps", 10: "timestamps",
		20: "BSON documents", 21: "intervals"}
)

// column is a column of the table.
type column struct {
	element
	leaf    int    // its number among the leaves
	strange string // what it holds that cannot be read; "" for a column that can
	text    bool   // it holds categories
	scale   int    // of a decimal; -1 for none
	dated   bool   // it holds dates or timestamps, and is read as texts of them
}

// columns returns those below the root of the tree, all of which are leaves in a plain table.
func (m *metadata) columns() ([]column, error) {
	if len(m.schema) == 0 || m.schema[0].leaf {
		return nil, fmt.Errorf("there is no schema")
	}
	var list []column
	leaf := 0
	at := 1
	for range m.schema[0].children {
		if at >= len(m.schema) {
			return nil, fmt.Errorf("the schema is cut short")
		}
		c := column{element: m.schema[at], leaf: leaf, scale: -1}
		if c.element.leaf {
			c.know()
			at, leaf = at+1, leaf+1
		} else {
			c.strange = cmp.Or(convertedNames[c.converted], logicalNames[c.logical], "records of several values")
			var err error
			if at, leaf, err = m.leap(at, leaf); err != nil {
				return nil, err
			}
		}
		list = append(list, c)
	}
	if at != len(m.schema) {
		return nil, fmt.Errorf("the schema has more columns than it says")
	}
	return list, nil
}

// leap goes over the tree below element at.
func (m *metadata) leap(at, leaf int) (int, int, error) {
	for open := int64(1); open > 0; at++ {
		if at >= len(m.schema) {
			return 0, 0, fmt.Errorf("the schema is cut short")
		}
		e := &m.schema[at]
		open--
		if e.leaf {
			leaf++
		} else if open += e.children; e.children < 0 || open > int64(len(m.schema)) {
			return 0, 0, fmt.Errorf("the schema has more columns than it says")
		}
	}
	return at, leaf, nil
}

// know finds out what a leaf holds.
func (c *column) know() {
	name := cmp.Or(logicalNames[c.logical], convertedNames[c.converted])
	decimal := c.logical == decimalLogical || c.logical == 0 && c.converted == decimalConverted
	switch {
	case c.repetition == repeated:
		c.strange = "lists"
	case c.physical == int96Type:
		c.strange = "timestamps"
	case name != "":
		c.strange = name
	case decimal && (c.element.scale < 0 || c.element.scale > 1000):
		c.strange = fmt.Sprintf("decimals of %d places", c.element.scale)
	case decimal && c.physical == fixedType && (c.length < 1 || c.length > 64):
		c.strange = fmt.Sprintf("decimals of %d bytes", c.length)
	case decimal:
		c.scale = int(c.element.scale)
	case c.physical == booleanType || c.physical == bytesType:
		c.text = true
	case c.physical == fixedType && c.logical == uuidLogical && c.length == 16:
		c.text = true
	case c.physical == fixedType:
		c.strange = fmt.Sprintf("bytes, %d each", c.length)
	case c.physical < 0 || c.physical > fixedType:
		c.strange = fmt.Sprintf("values of the unknown type %d", c.physical)
	}
}

// isBytes tells whether values are texts of bytes rather than bits.
func (c *column) isBytes() bool { return c.physical == bytesType || c.physical == fixedType }

// width is the size of a value of bits, in bytes.
func (c *column) width() int {
	if c.physical == int32Type || c.physical == floatType {
		return 4
	}
	return 8
}

// most returns how many values b may hold.
func (c *column) most(b []byte) int64 {
	n := int64(len(b))
	switch c.physical {
	case booleanType:
		return 8 * n
	case fixedType:
		return n / max(c.length, 1)
	case bytesType:
		return n / 4
	default:
		return n / int64(c.width())
	}
}

// layout returns how a date or timestamp of the column is written, and how many of its units a second has, 0 where
// one has 86,400 of these; it is "" for other columns.
func (c *column) layout() (layout string, perSecond int64) {
	const stamp = "2006-01-02 15:04:05.999999999"
	switch older := c.logical == 0; {
	case c.physical == int32Type && (c.logical == dateLogical || older && c.converted == dateConverted):
		return "2006-01-02", 0
	case c.physical != int64Type:
	case c.logical == stampLogical && c.unit == millis, older && c.converted == millisConverted:
		return stamp, 1e3
	case c.logical == stampLogical && c.unit == micros, older && c.converted == microsConverted:
		return stamp, 1e6
	case c.logical == stampLogical && c.unit == nanos:
		return stamp, 1e9
	}
	return "", 0
}

// date returns a date or timestamp as a text.
func (c *column) date(v int64) dataset.Cell {
	layout, perSecond := c.layout()
	if perSecond == 0 {
		return dataset.TextCell(time.Unix(v*86400, 0).UTC().Format(layout))
	}
	return dataset.TextCell(time.Unix(v/perSecond, v%perSecond*(1e9/perSecond)).UTC().Format(layout))
}

// ofBits returns a value that is not text.
func (c *column) ofBits(bits uint64) dataset.Cell {
	switch c.physical {
	case booleanType:
		return dataset.TextCell(strconv.FormatBool(bits != 0))
	case floatType:
		return dataset.NumberCell(float64(math.Float32frombits(uint32(bits))))
	case float64Type:
		return dataset.NumberCell(math.Float64frombits(bits))
	}
	unsigned := c.unsigned || c.logical == 0 && uint8Converted <= c.converted && c.converted <= uint64Converted
	v := int64(bits)
	if c.physical == int32Type {
		if v = int64(int32(bits)); unsigned {
			v = int64(uint32(bits))
		}
	}
	switch {
	case c.dated:
		return c.date(v)
	case c.scale >= 0:
		return dataset.TextCell(decimal(strconv.FormatInt(v, 10), c.scale))
	case unsigned && v < 0:
		return dataset.TextCell(strconv.FormatUint(bits, 10))
	}
	return dataset.IntegerCell(v)
}

// ofBytes returns a value of bytes.
func (c *column) ofBytes(b []byte) (dataset.Cell, error) {
	switch {
	case c.physical == fixedType && int64(len(b)) != c.length:
		return dataset.Cell{}, errFixed
	case c.scale >= 0:
		if len(b) > 64 {
			return dataset.Cell{}, unfitf("a decimal of %d bytes is too large for a number; use %s", len(b),
				csvtext.Flag("ignore", c.name, "COL"))
		}
		return dataset.TextCell(decimal(signed(b).String(), c.scale)), nil
	case c.physical == fixedType:
		return dataset.TextCell(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])), nil
	case len(b) > csvtext.MaxField:
		return dataset.Cell{}, unfitf("a text has more than %d bytes; shorten it, or use %s", csvtext.MaxField,
			csvtext.Flag("ignore", c.name, "COL"))
	case !utf8.Valid(b):
		return dataset.Cell{}, unfitf("%s is not UTF-8; store texts as UTF-8, or use %s", csvtext.Show(string(b)),
			csvtext.Flag("ignore", c.name, "COL"))
	}
	text := string(b)
	if strings.IndexByte(text, 0) >= 0 {
		return dataset.Cell{}, unfitf("%s has a NUL byte in it; store texts without, or use %s", csvtext.Show(text),
			csvtext.Flag("ignore", c.name, "COL"))
	}
	return dataset.TextCell(text), nil
}

// signed returns a number in two's complement, the highest byte first.
func signed(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
}

// decimal puts a point before the last places digits.
func decimal(digits string, places int) string {
	if places == 0 {
		return digits
	}
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if len(digits) <= places {
		digits = strings.Repeat("0", places+1-len(digits)) + digits
	}
	digits = digits[:len(digits)-places] + "." + digits[len(digits)-places:]
	return sign + strings.TrimRight(strings.TrimRight(digits, "0"), ".")
}
