package dataset

import (
	"cmp"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// stray is a column that is left out, walked along as far as it may be a time.
type stray struct {
	at    int
	name  string
	mark  byte   // before the decimals of its numbers
	begun bool   // a cell has been seen
	last  string // the one before
	walks []walk // in all forms of its cells so far that have not gone back
	runs  []run  // of a part, as long as there are walks
	part  bool
}

// run is a number of rows, one after the other, with the same cell.
type run struct {
	text string
	rows int
}

// newStrays are the columns that training leaves out of a CSV file, in which, unlike in others, all can be read
// whatever they hold.
func (tr *training) newStrays(part bool) []stray {
	if _, ok := tr.Source.(*csvSource); !ok {
		return nil
	}
	out := make([]stray, len(tr.ignored))
	for i, j := range tr.ignored {
		out[i] = stray{at: j, name: tr.header[j], mark: cmp.Or(tr.o.Decimal, '.'), part: part}
	}
	return out
}

// stroll goes on along the columns that are left out.
func (tr *training) stroll(cells []Cell) {
	for i := range tr.strays {
		if s := &tr.strays[i]; !s.begun || s.walks != nil {
			s.add(cells[s.at].String(), 1)
		}
	}
}

// add walks on to a cell that so many rows have.
func (s *stray) add(text string, rows int) {
	if text == "" || s.begun && s.walks == nil {
		return
	}
	if !s.begun {
		s.walks = append(s.walks, walk{of: Field{Name: s.name}})
		for _, form := range dateForms {
			s.walks = append(s.walks, walk{of: Field{Name: s.name}, form: form})
		}
	}
	if again := s.begun && text == s.last; !again {
		s.last = strings.Clone(text)
		if s.part {
			s.runs = append(s.runs, run{text: s.last})
		}
	}
	s.begun = true
	if s.part {
		s.runs[len(s.runs)-1].rows += rows
	}
	s.step(rows)
}

// step has the walks go on to the last cell.
func (s *stray) step(rows int) {
	var left []walk
	for _, w := range s.walks {
		v, ok := w.before, true
		if s.last != w.to {
			v, ok = w.value(s.last, s.mark)
		}
		if !ok {
			continue
		}
		if w.step(v, rows); w.back {
			continue
		}
		if w.to = s.last; w.from == "" {
			w.from = s.last
		}
		left = append(left, w)
	}
	if s.walks = left; left == nil {
		s.runs = nil
	}
}

// value reads a cell of the column that is walked along, a date or a number with that decimal mark.
func (w *walk) value(text string, mark byte) (float64, bool) {
	if w.form != "" {
		return dated(w.form, text)
	}
	v, form := csvtext.ParseMarked(text, mark)
	return v, form != csvtext.Word && form != csvtext.Huge
}

// merge adds the rows of a part.
func (s *stray) merge(p *stray) {
	if p.begun && p.walks == nil {
		s.begun, s.walks = true, nil
	}
	for _, r := range p.runs {
		s.add(r.text, r.rows)
	}
}

// walksAlong returns those along all such columns.
func walksAlong(strays []stray) [][]walk {
	var out [][]walk
	for _, s := range strays {
		if s.walks != nil {
			out = append(out, s.walks)
		}
	}
	return out
}
