package scoring

import (
	"encoding/binary"
	"math"
	"net/http"
	"strconv"
)

// The names of the types of tensors that are made here.
const (
	fp64      = "FP64"
	bytesType = "BYTES"
)

// sizes are the types of numbers in tensors, with the bytes that each takes in binary form.
var sizes = map[string]int{"BOOL": 1, "UINT8": 1, "UINT16": 2, "UINT32": 4, "UINT64": 8, "INT8": 1, "INT16": 2,
	"INT32": 4,
	"INT64": 8, "FP32": 4, fp64: 8}

// tensor is an input, as it is written.
type tensor struct {
	name, kind string
	shape      []int
	data       []byte // the list of JSON; nil where the data is binary
	binary     int    // bytes of the data in binary form
}

// tensor reads an input.
func (s *scanner) tensor() (t tensor, err error) {
	t.binary = -1
	err = s.object(func(member []byte) (err error) {
		var text []byte
		switch string(member) {
		case "name":
			text, err = s.text()
			t.name = string(text)
		case "datatype":
			text, err = s.text()
			t.kind = string(text)
		case "shape":
			err = s.list(func() error {
				text, err := s.number()
				n, fault := strconv.Atoi(string(text))
				if err == nil && (fault != nil || n < 0) {
					err = s.fail("a size of a shape is no whole number from 0 on")
				}
				t.shape = append(t.shape, n)
				return err
			})
		case "data":
			t.data, err = s.cellsOf()
		case "parameters":
			err = s.object(func(name []byte) error {
				value, err := s.value()
				if n, fault := strconv.Atoi(string(value)); string(name) == "binary_data_size" && fault == nil && n >= 0 {
					t.binary = n
				}
				return err
			})
		default:
			_, err = s.value()
		}
		return err
	})
	if err == nil && (t.data == nil) == (t.binary < 0) {
		err = Refusef(http.StatusBadRequest, "input %.80q needs data, or a parameter binary_data_size", t.name)
	}
	return t, err
}

// cellsOf reads over a list of numbers and texts, in which NaN may stand for a missing cell, as Python writes it.
func (s *scanner) cellsOf() ([]byte, error) {
	s.next()
	begin := s.at
	err := s.cells(deepest, func() error {
		switch s.next() {
		case 'N':
			return s.word("NaN")
		case '{':
			return s.fail("an object is no cell of a tensor")
		}
		return s.over(1)
	})
	return s.data[begin:s.at], err
}

// cells reads a list, which may be of lists, and has each cell read by cell.
func (s *scanner) cells(depth int, cell func() error) error {
	if depth == 0 {
		return s.fail("too many lists are within each other")
	}
	return s.list(func() error {
		if s.next() == '[' {
			return s.cells(depth-1, cell)
		}
		return cell()
	})
}

// cell is a cell of a tensor: a text as BYTES has it, a number as JSON writes it or as it is in binary form, or none.
type cell struct {
	kind   cellKind
	text   []byte
	number float64
}

type cellKind uint8

const (
	missingCell cellKind = iota
	textCell
	digitsCell
	numberCell
)

// The cells of BOOL.
var (
	trueText  = []byte("true")
	falseText = []byte("false")
)

// inJSON reads the cells of a tensor whose data is JSON.
func (t *tensor) inJSON(put func(cell)) error {
	if _, number := sizes[t.kind]; !number && t.kind != bytesType {
		return t.unknownType()
	}
	s := scanner{data: t.data}
	return s.cells(deepest, func() (err error) {
		var of cell
		switch kind := s.next(); {
		case kind == 'N':
			err = s.word("NaN")
		case kind == 'n':
			err = s.word("null")
		case kind == '"' && t.kind == bytesType:
			of.kind = textCell
			of.text, err = s.text()
		case kind == 't' && t.kind == "BOOL":
			of, err = cell{kind: textCell, text: trueText}, s.word("true")
		case kind == 'f' && t.kind == "BOOL":
			of, err = cell{kind: textCell, text: falseText}, s.word("false")
		case t.kind != bytesType && kind != '"':
			of.kind = digitsCell
			of.text, err = s.number()
		default:
			if _, err = s.value(); err == nil {
				err = Refusef(http.StatusBadRequest, "input %.80q is %s, and a cell is of another type", t.name, t.kind)
			}
		}
		if err == nil {
			put(of)
		}
		return err
	})
}

// inBinary reads the n cells of a tensor whose data is the first of rest, and returns what follows.
func (t *tensor) inBinary(n int, rest []byte, put func(cell)) (after []byte, err error) {
	if t.binary > len(rest) {
		return nil, t.short(n)
	}
	data, after := rest[:t.binary], rest[t.binary:]
	size, number := sizes[t.kind]
	switch {
	case number && len(data) != n*size:
		return nil, Refusef(http.StatusBadRequest, "input %.80q has %d bytes, and its %d cells need %d", t.name, len(data), n,
			n*size)
	case t.kind == "BOOL":
		for _, b := range data {
			of := cell{kind: textCell, text: falseText}
			if b != 0 {
				of.text = trueText
			}
			put(of)
		}
		return after, nil
	case number:
		for ; len(data) > 0; data = data[size:] {
			put(cell{kind: numberCell, number: numberIn(t.kind, data)})
		}
		return after, nil
	case t.kind != bytesType:
		return nil, t.unknownType()
	}
	for range n {
		if len(data) < 4 || uint64(len(data)-4) < uint64(binary.LittleEndian.Uint32(data)) {
			return nil, t.short(n)
		}
		text := data[4 : 4+binary.LittleEndian.Uint32(data)]
		data = data[4+len(text):]
		put(cell{kind: textCell, text: text})
	}
	if len(data) > 0 {
		return nil, Refusef(http.StatusBadRequest, "input %.80q has %d bytes more than its %d cells need", t.name,
			len(data), n)
	}
	return after, nil
}

func (t *tensor) short(cells int) error {
	return Refusef(http.StatusBadRequest, "input %.80q has fewer bytes than its %d cells need", t.name, cells)
}

func (t *tensor) unknownType() error {
	return Refusef(http.StatusBadRequest, "input %.80q has datatype %.40q; FP64, INT64, BOOL, BYTES and the like are read",
		t.name, t.kind)
}

// numberIn reads a number of a type, little-endian.
func numberIn(kind string, data []byte) float64 {
	le := binary.LittleEndian
	switch kind {
	case fp64:
		return math.Float64frombits(le.Uint64(data))
	case "FP32":
		return float64(math.Float32frombits(le.Uint32(data)))
	case "INT64":
		return float64(int64(le.Uint64(data)))
	case "INT32":
		return float64(int32(le.Uint32(data)))
	case "INT16":
		return float64(int16(le.Uint16(data)))
	case "INT8":
		return float64(int8(data[0]))
	case "UINT64":
		return float64(le.Uint64(data))
	case "UINT32":
		return float64(le.Uint32(data))
	case "UINT16":
		return float64(le.Uint16(data))
	}
	return float64(data[0])
}
