package scoring

import (
	"math"
	"net/http"
	"slices"
)

// Where the cells of a tensor go, unless to a field.
const (
	allFields = -1 // to all of them, row by row
	noField   = -2 // to none, as the training had the column and the model does not need it
)

// Tensors makes rows, at most so many, of the inputs of a request: of a tensor for each column, or of one with all
// columns in the order of the model.
func (b *Batch) Tensors(in *Inference, most int) error {
	n, err := rowsOf(in.inputs)
	if err != nil {
		return err
	}
	if n > most {
		return tooMany(most)
	}
	to, err := b.Of.columns(in.inputs)
	if err != nil {
		return err
	}
	b.X = sized(b.X, n*b.Of.P)
	for i := range b.X {
		b.X[i] = math.NaN()
	}
	if b.Amounts != nil {
		b.Amounts = slices.Repeat([]float64{math.NaN()}, n)
	}
	rest := in.rest
	for i := range in.inputs {
		if rest, err = b.fill(&in.inputs[i], to[i], n, rest); err != nil {
			return err
		}
	}
	if len(rest) > 0 {
		return Refusef(http.StatusBadRequest, "the body has %d bytes more than the inputs say; correct binary_data_size",
			len(rest))
	}
	slices.SortStableFunc(b.Notes, func(x, y Note) int { return x.Row - y.Row })
	b.mergeFaults()
	for b.Rows = 0; b.Rows < n; {
		b.done()
	}
	return nil
}

// columns finds the field of each input. All fields must have one.
func (s *Scorer) columns(inputs []tensor) (to []int, err error) {
	first := &inputs[0]
	if _, column := s.byName[first.name]; len(inputs) == 1 && !column && len(first.shape) == 2 &&
		first.shape[1] == len(s.Fields) {
		return []int{allFields}, first.holds(len(s.Fields))
	}
	given := make([]bool, len(s.Fields))
	for i := range inputs {
		t := &inputs[i]
		j, known := s.byName[t.name]
		switch {
		case !known && s.spare[t.name]:
			j = noField
		case !known:
			return nil, Refusef(http.StatusBadRequest, "the model has no column %.80q; GET /v2/models/NAME names those that it "+
				"has", t.name)
		case given[j]:
			return nil, Refusef(http.StatusBadRequest, "input %.80q is given twice; give it once", t.name)
		default:
			given[j] = true
		}
		if err := t.holds(1); err != nil {
			return nil, err
		}
		to = append(to, j)
	}
	if j := slices.Index(given, false); j >= 0 {
		return nil, Refusef(http.StatusBadRequest, "there is no input %.80q; send it, with null, NaN or an empty text for "+
			"missing cells", s.Fields[j].Name)
	}
	return to, nil
}

// holds tells whether a tensor is that wide, and can have so many cells as its shape says, each of which takes a byte
// at least. So nobody is given memory for what is not there.
func (t *tensor) holds(wide int) error {
	if len(t.shape) == 2 && t.shape[1] != wide {
		return Refusef(http.StatusBadRequest, "input %.80q has shape %d; a column has [rows] or [rows, 1]", t.name, t.shape)
	}
	if size := max(len(t.data), t.binary); t.shape[0] > 0 && t.shape[0] > size/wide {
		return Refusef(http.StatusBadRequest, "input %.80q has fewer cells than its shape %d says", t.name, t.shape)
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

// fill reads a tensor into the cells of a field. It returns the binary data of the tensors that follow.
func (b *Batch) fill(t *tensor, to, n int, rest []byte) ([]byte, error) {
	cells, at := n, 0
	if to == allFields {
		cells *= len(b.Of.Fields)
	}
	put := func(of cell) {
		if at < cells && to != noField {
			b.put(of, to, at)
		}
		at++
	}
	var err error
	if t.data != nil {
		err = t.inJSON(put)
	} else {
		rest, err = t.inBinary(cells, rest, put)
	}
	if err == nil && at != cells {
		err = Refusef(http.StatusBadRequest, "input %.80q has %d cells, and its shape says %d", t.name, at, cells)
	}
	return rest, err
}

// put puts the cell at a place of a tensor where it belongs.
func (b *Batch) put(of cell, to, at int) {
	b.Rows = at
	if to == allFields {
		b.Rows, to = at/len(b.Of.Fields), at%len(b.Of.Fields)
	}
	f, v, unseen, err := &b.Of.Fields[to], math.NaN(), false, error(nil)
	switch of.kind {
	case textCell:
		v, unseen, err = f.text(of.text)
	case digitsCell:
		v, unseen, err = f.digits(of.text)
	case numberCell:
		if v, unseen, err = f.number(of.number); unseen || err != nil {
			of.text = []byte(f.shown(of.number))
		}
	}
	switch {
	case err != nil:
		b.fault(f.fault(of.text, err.Error()))
	case to < b.Of.P:
		b.X[b.Rows*b.Of.P+to] = v
	default:
		b.Amounts[b.Rows] = v
	}
	if unseen {
		b.note(UnseenCategory, f.Name, of.text)
	}
}
