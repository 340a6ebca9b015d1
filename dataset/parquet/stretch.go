package parquet

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/parallel"
)

// The sizes of a stretch: cells, rows.
const (
	stretchCells = 1 << 16
	stretchRows  = 1 << 13
)

// stretch is some rows of a row group as a source, a part of the file. Parts are read at the same time, though a
// column can only be decoded from its beginning: whoever reads a part decodes its rows column by column, and whoever
// reads the next one follows behind, column by column.
type stretch struct {
	*file
	from   []*cells         // of the used columns
	rows   int              // that are wanted, and after decoding those there are
	cell   [][]dataset.Cell // by used column, of all rows
	row    []dataset.Cell
	err    error // after these rows
	before int   // rows in other parts
	at     int   // the current row, from 1

	decoded bool
	open    int           // bytes that the columns decoded so far have in memory
	zstd    *zstd.Decoder // nil until it is needed; it has no goroutine
}

// Part returns the next rows. It takes the lock of the first column, which [stretch.decode] gives back: so parts
// decode it in their order. Of a stretch that Next has begun its other rows come first.
func (f *file) Part(used dataset.Source) (dataset.Source, error) {
	if one := f.one; one != nil && (one.at < one.rows || one.err != nil) {
		f.one = nil
		return one, nil
	}
	for f.left == 0 {
		if f.group == len(f.metadata.groups) {
			return used, io.EOF
		}
		f.next()
	}
	s, _ := used.(*stretch)
	if s == nil {
		s = &stretch{file: f, cell: make([][]dataset.Cell, len(f.used)), row: make([]dataset.Cell, len(f.columns))}
	}
	s.from, s.before, s.at, s.decoded, s.err = f.cells, f.at, 0, false, nil
	s.rows = int(min(f.left, stretchRows, int64(max(1, stretchCells/max(1, len(f.used))))))
	f.left -= int64(s.rows)
	f.at += s.rows
	if len(s.from) > 0 {
		s.from[0].turn.Lock()
	}
	return s, nil
}

// next goes on to the next row group.
func (f *file) next() {
	g := &f.metadata.groups[f.group]
	f.group++
	f.left = g.rows
	f.cells = make([]*cells, len(f.used))
	for i, j := range f.used {
		k := &g.chunks[f.columns[j].leaf]
		in := bufio.NewReaderSize(io.NewSectionReader(f.r, k.begin, k.size), headBuffer)
		f.cells[i] = &cells{column: &f.columns[j], in: in, codec: k.codec, left: k.values}
	}
}

// Next returns the cells of the next row.
func (s *stretch) Next() ([]dataset.Cell, error) {
	if !s.decoded {
		s.decoded = true
		s.decode()
	}
	if s.at >= s.rows {
		if s.err != nil {
			return nil, s.err
		}
		return nil, io.EOF
	}
	for i, j := range s.used {
		s.row[j] = s.cell[i][s.at]
	}
	s.at++
	return s.row, nil
}

func (s *stretch) Pos(int) dataset.Pos { return dataset.Pos{Row: s.before + s.at} }

// decode decodes all rows, up to the first fault. It goes hand over hand: it holds the lock of
// a column until it has that of the next one, so no part overtakes another.
func (s *stretch) decode() {
	s.open = 0
	for i, c := range s.from {
		if i > 0 {
			c.turn.Lock()
			s.from[i-1].turn.Unlock()
		}
		err := parallel.Safely(func() error { return s.fill(i) })
		if err != nil { // in the row after those that there are, where the columns before have a cell
			s.rows = len(s.cell[i])
			s.err = s.explain(c.column, err)
		}
	}
	if len(s.from) > 0 {
		s.from[len(s.from)-1].turn.Unlock()
	}
}

// fill decodes the rows of a used column.
func (s *stretch) fill(i int) error {
	c := s.from[i]
	c.stretch, c.copied = s, 0
	s.cell[i] = s.cell[i][:0]
	for range s.rows {
		cell, err := c.next()
		if err != nil {
			return err
		}
		s.cell[i] = append(s.cell[i], cell)
	}
	s.open += c.held + c.copied
	return nil
}

// explain gives an error of a column, in the row after those that there are, its place.
func (s *stretch) explain(c *column, err error) error {
	var fault *parallel.Fault
	var read *readError
	var limit *dataset.LimitError
	switch {
	case errors.As(err, &fault), errors.As(err, &limit):
		return err
	case errors.As(err, &read):
		return read.error
	}
	place := dataset.Pos{Row: s.before + s.rows + 1}
	var whole *unfit
	if errors.As(err, &whole) {
		return csvtext.Faultf(s.name, place, c.name, "%w", whole.error)
	}
	return csvtext.Faultf(s.name, place, c.name, "%w; the file is damaged: make it again", err)
}
