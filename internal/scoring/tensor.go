package scoring

import (
	"encoding/binary"
	"math"
	"net/http"
	"slices"
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

// Tensors makes rows, at most so many, of the inputs of a request: of a tensor for each column, or of one with all
// columns
// in the order of the model.
func (b *Batch) Tensors(in *Inference, most int) error {
	inputs, rest := in.inputs, in.rest
	n, err := rowsOf(inputs)
	if err != nil {
		return err
	}
	if n > most {
		return tooMany(most)
	}
	first := &inputs[0]
	_, column := b.Of.byName[first.name]
	matrix := len(inputs) == 1 && !column && len(first.shape) == 2 && first.shape[1] == len(b.Of.Fields)
	b.X = sized(b.X, n*b.Of.P)
	for i := range b.X {
		b.X[i] = math.NaN()
	}
	if b.Amounts != nil {
		b.Amounts = slices.Repeat([]float64{math.NaN()}, n)
	}
	given := make([]bool, len(b.Of.Fields))
	for i := range inputs {
		t := &inputs[i]
		j, known := b.Of.byName[t.name]
		switch {
		case matrix:
			j = -1
			for at := range given {
				given[at] = true
			}
		case !known && b.Of.spare[t.name]:
			j = len(b.Of.Fields)
		case !known:
			return Refusef(http.StatusBadRequest, "the model has no column %.80q; GET /v2/models/NAME names those that it has",
				t.name)
		case given[j]:
			return Refusef(http.StatusBadRequest, "input %.80q is given twice; give it once", t.name)
		default:
			given[j] = true
		}
		if rest, err = b.fill(t, j, n, rest); err != nil {
			return err
		}
	}
	if len(rest) > 0 {
		return Refusef(http.StatusBadRequest, "the body has %d bytes more than the inputs say; correct binary_data_size",
			len(rest))
	}
	for j, is := range given {
		if !is {
			return Refusef(http.StatusBadRequest,
				"there is no input %.80q; send it, with null, NaN or an empty text for missing "+
					"cells", b.Of.Fields[j].Name)
		}
	}
	slices.SortStableFunc(b.Notes, func(x, y Note) int { return x.Row - y.Row })
	b.mergeFaults()
	for b.Rows = 0; b.Rows < n; {
		b.done()
	}
	return nil
}

// mergeFaults puts the faults of columns into the order of the rows.
func (b *Batch) mergeFaults() {
	slices.SortStableFunc(b.faults, func(x, y RowFault) int { return x.Row - y.Row })
	var merged []RowFault
	for _, f := range b.faults {
		if n := len(merged); n > 0 && merged[n-1].Row == f.Row {
			merged[n-1].Cells = append(merged[n-1].Cells, f.Cells...)
		} else {
			merged = append(merged, f)
		}
	}
	b.faults = merged
}

// rowsOf is the number of rows, which all inputs have.
func rowsOf(inputs []tensor) (int, error) {
	n := -1
	for i := range inputs {
		t := &inputs[i]
		if len(t.shape) == 0 || len(t.shape) > 2 {
			return 0, Refusef(http.StatusBadRequest, "input %.80q has a shape of %d sizes; it is [rows] or [rows, 1]", t.name,
				len(t.shape))
		}
		if n >= 0 && t.shape[0] != n {
			return 0, Refusef(http.StatusBadRequest, "input %.80q has %d rows, and %.80q has %d", t.name, t.shape[0],
				inputs[0].name, n)
		}
		n = t.shape[0]
	}
	return n, nil
}

// fill reads a tensor into the cells of field j, of all fields where j is -1, of none where it is that of no field. It
// returns the binary data of the tensors that follow.
func (b *Batch) fill(t *tensor, j, n int, rest []byte) ([]byte, error) {
	wide := 1
	if j < 0 {
		wide = len(b.Of.Fields)
	}
	if len(t.shape) == 2 && t.shape[1] != wide {
		return nil, Refusef(http.StatusBadRequest, "input %.80q has shape %d; a column has [rows] or [rows, 1]", t.name,
			t.shape)
	}
	at := 0
	put := func(read func(f *Field) (v float64, unseen bool, value []byte, err error)) {
		to := j
		if j < 0 {
			to = at % wide
		}
		b.Rows = at / wide
		at++
		if to >= len(b.Of.Fields) || b.Rows >= n {
			return
		}
		f := &b.Of.Fields[to]
		v, unseen, value, err := read(f)
		switch {
		case err != nil:
			b.fault(f.fault(value, err.Error()))
		case to < b.Of.P:
			b.X[b.Rows*b.Of.P+to] = v
		default:
			b.Amounts[b.Rows] = v
		}
		if unseen {
			b.note(UnseenCategory, f.Name, value)
		}
	}
	var err error
	if t.data != nil {
		err = t.cells(put)
	} else {
		rest, err = t.bytes(put, n*wide, rest)
	}
	if err == nil && at != n*wide {
		err = Refusef(http.StatusBadRequest, "input %.80q has %d cells, and its shape says %d", t.name, at, n*wide)
	}
	b.Rows = 0
	return rest, err
}

// cells reads the cells of a tensor in JSON.
func (t *tensor) cells(put func(read func(f *Field) (v float64, unseen bool, value []byte, err error))) error {
	if _, number := sizes[t.kind]; !number && t.kind != bytesType {
		return t.unknownType()
	}
	s := scanner{data: t.data}
	return s.cells(deepest, func() error {
		var text []byte
		var err error
		kind := s.next()
		switch {
		case kind == 'N':
			err = s.word("NaN")
		case kind == 'n':
			err = s.word("null")
		case kind == '"' && t.kind == bytesType:
			text, err = s.text()
		case kind == 't' && t.kind == "BOOL":
			text, err = []byte("true"), s.word("true")
		case kind == 'f' && t.kind == "BOOL":
			text, err = []byte("false"), s.word("false")
		case t.kind != bytesType && kind != '"':
			text, err = s.number()
		default:
			_, err = s.value()
			if err == nil {
				err = Refusef(http.StatusBadRequest, "input %.80q is %s, and a cell is of another type", t.name, t.kind)
			}
		}
		if err != nil {
			return err
		}
		put(func(f *Field) (float64, bool, []byte, error) {
			switch {
			case text == nil:
				return math.NaN(), false, nil, nil
			case kind == '"' || t.kind == "BOOL":
				v, unseen, err := f.text(text)
				return v, unseen, text, err
			}
			v, unseen, err := f.digits(text)
			return v, unseen, text, err
		})
		return nil
	})
}

func (t *tensor) unknownType() error {
	return Refusef(http.StatusBadRequest, "input %.80q has datatype %.40q; FP64, INT64, BOOL, BYTES and the like are read",
		t.name, t.kind)
}

// bytes reads the cells of a tensor in binary form, which are the first of rest.
func (t *tensor) bytes(put func(read func(f *Field) (v float64, unseen bool, value []byte, err error)), n int,
	rest []byte) ([]byte, error) {
	short := func() error {
		return Refusef(http.StatusBadRequest, "input %.80q has fewer bytes than its %d cells need", t.name, n)
	}
	if t.binary > len(rest) {
		return nil, short()
	}
	data, after := rest[:t.binary], rest[t.binary:]
	size, number := sizes[t.kind]
	switch {
	case number && len(data) != n*size:
		return nil, Refusef(http.StatusBadRequest, "input %.80q has %d bytes, and its %d cells need %d", t.name, len(data), n,
			n*size)
	case number:
		for ; len(data) > 0; data = data[size:] {
			put(func(f *Field) (float64, bool, []byte, error) {
				if t.kind == "BOOL" {
					text := []byte("false")
					if data[0] != 0 {
						text = []byte("true")
					}
					v, unseen, err := f.text(text)
					return v, unseen, text, err
				}
				number := numberIn(t.kind, data)
				v, unseen, err := f.number(number)
				var value []byte
				if unseen || err != nil {
					value = []byte(f.shown(number))
				}
				return v, unseen, value, err
			})
		}
		return after, nil
	case t.kind != bytesType:
		return nil, t.unknownType()
	}
	for range n {
		if len(data) < 4 || uint64(len(data)-4) < uint64(binary.LittleEndian.Uint32(data)) {
			return nil, short()
		}
		text := data[4 : 4+binary.LittleEndian.Uint32(data)]
		data = data[4+len(text):]
		put(func(f *Field) (float64, bool, []byte, error) {
			v, unseen, err := f.text(text)
			return v, unseen, text, err
		})
	}
	if len(data) > 0 {
		return nil, Refusef(http.StatusBadRequest, "input %.80q has %d bytes more than its %d cells need", t.name,
			len(data), n)
	}
	return after, nil
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
