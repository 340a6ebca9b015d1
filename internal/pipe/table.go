package pipe

import (
	"encoding/binary"
	"io"
	"math"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
)

// Table describes rows whose cells are in the buffers of a request, a buffer for each column.
type Table struct {
	Name    string   `json:"name"` // for messages; "" means rows
	Rows    int      `json:"rows"`
	Columns []Column `json:"columns"`
}

// Column is a column of a table.
type Column struct {
	Name string `json:"name"`
	// how its cells are coded: float64, float32, int64, int32, int16, int8, uint64, uint32, uint16, uint8, bool, or
	// category: int32 indices of levels, -1 where the cell is missing
	Type   string   `json:"type"`
	Levels []string `json:"levels,omitempty"`
	Buffer int      `json:"buffer"` // index of the buffer that holds its cells
}

// cellBytes is how many bytes a cell of each type takes.
var cellBytes = map[string]int{"float64": 8, "float32": 4, "int64": 8, "int32": 4, "int16": 2, "int8": 1, "uint64": 8,
	"uint32": 4, "uint16": 2, "uint8": 1, "bool": 1, "category": 4}

// partRows is how many rows a worker reads at a time.
const partRows = 1 << 13

// rows is a table as a source of package dataset, or a part of it.
type rows struct {
	*Table
	name    string
	names   []string
	columns []cells
	used    []bool
	next    *int // the first row that is in no part
	at, end int  // the next row, and the one after the last
	out     []dataset.Cell
}

// cells are those of a column.
type cells struct {
	*Column
	data   []byte
	levels []dataset.Cell // of a category
}

// source checks a table against the buffers of its request and returns it as a source.
func (t *Table) source(buffers [][]byte) (*rows, error) {
	if t == nil {
		return nil, protocolf("the request lacks its table")
	}
	if t.Rows < 0 || t.Rows > math.MaxInt32 {
		return nil, protocolf("a table of %d rows; the most are %d", t.Rows, math.MaxInt32)
	}
	s := &rows{Table: t, name: t.Name, next: new(int), end: t.Rows, out: make([]dataset.Cell, len(t.Columns))}
	if s.name == "" {
		s.name = "rows"
	}
	if len(t.Columns) > csvtext.MaxColumns {
		return nil, csvtext.Limitf("%s: more than %d columns; leave some out", s.name, csvtext.MaxColumns)
	}
	first := map[string]int{}
	for j := range t.Columns {
		c := &t.Columns[j]
		name := strings.TrimSpace(c.Name)
		other, twice := first[name]
		switch {
		case name == "":
			return nil, csvtext.Faultf(s.name, dataset.Pos{}, "", "column %d has no name; give it one", j+1)
		case len(name) > csvtext.MaxName:
			return nil, csvtext.Limitf("%s: the name of column %d has more than %d bytes; shorten it", s.name, j+1,
				csvtext.MaxName)
		case twice:
			return nil, csvtext.Faultf(s.name, dataset.Pos{}, "", "columns %d and %d are both named %s; rename one", other+1,
				j+1, english.Quote(name))
		}
		first[name] = j
		s.names = append(s.names, name)
		read, err := c.cells(s.name, t.Rows, buffers)
		if err != nil {
			return nil, err
		}
		s.columns = append(s.columns, read)
	}
	return s, nil
}

// cells checks a column of so many rows.
func (c *Column) cells(table string, n int, buffers [][]byte) (cells, error) {
	size, known := cellBytes[c.Type]
	switch {
	case !known:
		return cells{}, protocolf("column %s has the type %s, which is none", english.Quote(c.Name), english.Quote(c.Type))
	case c.Buffer < 0 || c.Buffer >= len(buffers):
		return cells{}, protocolf("column %s is in buffer %d of %d", english.Quote(c.Name), c.Buffer, len(buffers))
	case len(buffers[c.Buffer]) != n*size:
		return cells{}, protocolf("column %s has %d bytes for %d cells of %d", english.Quote(c.Name),
			len(buffers[c.Buffer]), n, size)
	}
	read := cells{Column: c, data: buffers[c.Buffer]}
	if c.Type != "category" {
		return read, nil
	}
	first := map[string]string{}
	for _, level := range c.Levels {
		name := strings.TrimSpace(level)
		if other, twice := first[name]; twice && name != "" {
			return cells{}, csvtext.Faultf(table, dataset.Pos{}, c.Name,
				"the categories %s and %s differ only in blanks around them, which do not count; rename one",
				english.Quote(other), english.Quote(level))
		}
		first[name] = level
		read.levels = append(read.levels, dataset.TextCell(name))
	}
	for i := range n {
		if at := int32(binary.LittleEndian.Uint32(read.data[4*i:])); at < -1 || int(at) >= len(c.Levels) {
			return cells{}, protocolf("column %s, row %d has the index %d of %d levels", english.Quote(c.Name), i+1, at,
				len(c.Levels))
		}
	}
	return read, nil
}

func (s *rows) Name() string             { return s.name }
func (s *rows) Columns() []string        { return s.names }
func (s *rows) Rows() int64              { return int64(s.Table.Rows) }
func (s *rows) Pos(int) dataset.Pos      { return dataset.Pos{Row: s.at} }
func (s *rows) Use(columns []bool) error { s.used = columns; return nil }

// Text reports whether a column has categories. Truth values are the categories false and true.
func (s *rows) Text(j int) bool {
	return s.columns[j].Type == "category" || s.columns[j].Type == "bool"
}

// Next returns the cells of the next row.
func (s *rows) Next() ([]dataset.Cell, error) {
	if s.at == s.end {
		return nil, io.EOF
	}
	for j := range s.columns {
		if s.used[j] {
			s.out[j] = s.columns[j].at(s.at)
		}
	}
	s.at++
	return s.out, nil
}

// Part returns the next rows as a source, see [dataset.Source].
func (s *rows) Part(used dataset.Source) (dataset.Source, error) {
	from := *s.next
	if from >= s.Table.Rows {
		return used, io.EOF
	}
	p, ok := used.(*rows)
	if !ok {
		part := *s
		p = &part
		p.out = make([]dataset.Cell, len(s.columns))
	}
	p.at, p.end = from, min(from+partRows, s.Table.Rows)
	*s.next = p.end
	return p, nil
}

// at returns cell i.
func (c *cells) at(i int) dataset.Cell {
	le := binary.LittleEndian
	switch c.Type {
	case "float64":
		return dataset.NumberCell(math.Float64frombits(le.Uint64(c.data[8*i:])))
	case "float32":
		return dataset.NumberCell(float64(math.Float32frombits(le.Uint32(c.data[4*i:]))))
	case "category":
		if at := int32(le.Uint32(c.data[4*i:])); at >= 0 {
			return c.levels[at]
		}
		return dataset.Cell{}
	case "int64":
		return dataset.IntegerCell(int64(le.Uint64(c.data[8*i:])))
	case "uint64":
		if v := le.Uint64(c.data[8*i:]); v > math.MaxInt64 {
			return dataset.NumberCell(float64(v))
		}
		return dataset.IntegerCell(int64(le.Uint64(c.data[8*i:])))
	case "int32":
		return dataset.NumberCell(float64(int32(le.Uint32(c.data[4*i:]))))
	case "uint32":
		return dataset.NumberCell(float64(le.Uint32(c.data[4*i:])))
	case "int16":
		return dataset.NumberCell(float64(int16(le.Uint16(c.data[2*i:]))))
	case "uint16":
		return dataset.NumberCell(float64(le.Uint16(c.data[2*i:])))
	case "int8":
		return dataset.NumberCell(float64(int8(c.data[i])))
	case "uint8":
		return dataset.NumberCell(float64(c.data[i]))
	}
	if c.data[i] != 0 {
		return truth[1]
	}
	return truth[0]
}

// truth are the truth values as categories.
var truth = [2]dataset.Cell{dataset.TextCell("false"), dataset.TextCell("true")}
