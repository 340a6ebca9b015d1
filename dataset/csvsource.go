package dataset

import (
	"io"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// csvSource is a CSV file as a source, or a part of it.
type csvSource struct {
	*csvtext.Reader               // the file
	rows            *csvtext.Rows // of the part; nil for all of the file
	cells           []Cell
	state           cellState // of its cells
}

// openCSV reads the header. A file of a single column, the only one of the schema, is taken at
// its word, whatever the name looks like.
func openCSV(r io.Reader, name string, o *Options) (*csvSource, error) {
	if err := csvtext.CheckDecimal(name, o.Decimal); err != nil {
		return nil, err
	}
	t, err := csvtext.NewReader(r, name, o.Comma)
	if err != nil {
		return nil, err
	}
	only := ""
	if len(o.Schema) == 1 {
		only = o.Schema[0].Name
	}
	s := &csvSource{Reader: t}
	if o.Decimal == ',' {
		s.state = comma
	}
	return s, t.CheckSingle(only)
}

// Layout says what was found out about how the file is written, for those who show it.
func (s *csvSource) Layout() csvtext.Layout { return s.Reader.Layout() }

func (s *csvSource) Name() string      { return s.File }
func (s *csvSource) Columns() []string { return s.Header }
func (s *csvSource) Text(int) bool     { return false }
func (s *csvSource) Use([]bool) error  { return nil }

func (s *csvSource) Next() ([]Cell, error) {
	if s.cells == nil {
		s.cells = make([]Cell, len(s.Header))
	}
	if s.rows == nil {
		texts, err := s.Reader.Next()
		for j, text := range texts {
			s.cells[j] = Cell{text: text, state: s.state}
		}
		return s.cells, err
	}
	if err := s.rows.Next(); err != nil {
		return nil, err
	}
	for j := range s.cells {
		s.cells[j] = Cell{text: s.rows.Cell(j), state: s.state}
	}
	return s.cells, nil
}

func (s *csvSource) Pos(j int) Pos {
	rows := s.rows
	if rows == nil {
		rows = &s.Rows
	}
	line, column := rows.Pos(j)
	return Pos{Line: line, Column: column}
}

// Part implements [parted].
func (s *csvSource) Part(used Source) (Source, error) {
	p, ok := used.(*csvSource)
	if !ok {
		p = &csvSource{Reader: s.Reader, rows: &csvtext.Rows{}, state: s.state}
	}
	return p, s.Reader.Part(p.rows)
}
