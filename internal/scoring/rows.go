package scoring

import (
	"bytes"
	"math"

	"github.com/rfpragma/rfpragma"
)

// object reads a row that is an object of JSON: the cells by the names of their columns. What is wrong with cells goes
// to the faults of the batch; an error is of the syntax.
func (b *Batch) object(s *scanner) error {
	row, given, j := b.add(), 0, -1
	if !s.take('{') {
		return s.fail("a row is expected: an object in { }, with a cell for each column")
	}
	for more := !s.take('}'); more; {
		name, err := s.text()
		if err != nil {
			return err
		}
		if !s.take(':') {
			return s.fail("a colon is expected")
		}
		if at := b.Of.next(name, j); at >= 0 {
			j = at
			if err := b.member(s, row, j); err != nil {
				return err
			}
			given++
		} else if _, err := s.value(); err != nil {
			return err
		} else if !b.Of.spare[string(name)] {
			b.note(unknownColumn, string(name), nil)
		}
		if more = s.take(','); !more && !s.take('}') {
			return s.fail("a comma or } is expected")
		}
	}
	if given < len(b.Of.Fields) {
		b.ungiven()
	}
	b.done()
	return nil
}

// ungiven notes the columns that the latest row does not have.
func (b *Batch) ungiven() {
	for j := range b.Of.Fields {
		if b.seen[j] != b.stamp {
			b.fault(b.Of.Fields[j].fault(nil, "its cell is not given; let it be empty or null if it is missing"))
		}
	}
}

// member reads the cell of a field.
func (b *Batch) member(s *scanner, row []float64, j int) error {
	f := &b.Of.Fields[j]
	twice := b.seen[j] == b.stamp
	b.seen[j] = b.stamp
	v, fault, err := b.cell(s, f)
	switch {
	case err != nil:
		return err
	case twice:
		b.fault(f.fault(nil, "its cell is given twice; give it once"))
	case fault != nil:
		b.fault(*fault)
	default:
		b.set(row, j, v)
	}
	return nil
}

// cell reads the next value as a cell of a field.
func (b *Batch) cell(s *scanner, f *Field) (v float64, fault *rfpragma.CellError, err error) {
	var text []byte
	var unseen bool
	var wrong error
	switch c := s.next(); c {
	case '"':
		if text, err = s.text(); err == nil {
			v, unseen, wrong = f.text(text)
		}
	case 'n':
		return math.NaN(), nil, s.word("null")
	case 't', 'f':
		text = []byte("true")
		if c == 'f' {
			text = []byte("false")
		}
		if err = s.word(string(text)); err == nil {
			v, unseen, wrong = f.text(text)
		}
	case '{', '[':
		if text, err = s.value(); err == nil {
			cell := f.fault(text, "a list or an object is no cell; give a number, a text, true, false or null")
			return 0, &cell, nil
		}
	default:
		if text, err = s.number(); err == nil {
			v, unseen, wrong = f.digits(text)
		}
	}
	if wrong != nil {
		cell := f.fault(text, wrong.Error())
		return 0, &cell, nil
	}
	if unseen {
		b.note(UnseenCategory, f.Name, bytes.TrimSpace(text))
	}
	return v, nil, err
}
