// Package parquet reads tables in the Apache Parquet format as sources of package dataset.
//
// A table without nesting can be read: its columns hold truth values, whole numbers, floats, decimals, texts,
// enums or UUIDs, plain or dictionary-encoded, compressed by snappy, gzip, zstd or not at all. Numbers are
// numeric, decimals to the nearest float64; truth values (false, true) and texts are categories. A null is a
// missing cell, and so are NaN and an empty text, as in CSV. Columns of lists, maps, records, dates, times,
// timestamps and other types are refused if they are used, and otherwise ignored; one of dates or timestamps
// may be [dataset.Options].Time.
//
// # Why not a library
//
// A file may come from anywhere. github.com/parquet-go/parquet-go v0.32.0 allocates what a file announces
// before it checks that the file holds it: 21 bytes that announce 2^30 columns take 103 GB, which ends the
// process whatever recovers, and a run of values in a page is expanded however long it is. This package decodes
// cells one by one from the bytes of their page, and checks every count against the bytes there are. It also
// adds 10 MB less to a program.
package parquet

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/option"
	"github.com/rfpragma/rfpragma/internal/parallel"
)

// Open reads the metadata at the end of a file of size bytes. The name is for messages. Rows are read on
// demand; [dataset.Read] and the like read several parts at the same time, so r must allow concurrent reads.
// Memory holds one page of each column that is used, and the cells of a few thousand rows, for each worker.
//
// Errors, here and of Next: *[dataset.ParseError] for a damaged file or what cannot be read of it, naming the
// column and the row; *[dataset.LimitError] for a page of more than 256 MB, open pages of more than 2 GB
// together, or more than 16,777,216 rows that are also more than 4,096 for each byte of the file; an error of r,
// wrapped.
func Open(r io.ReaderAt, size int64, name string) (dataset.Source, error) {
	f := &file{r: r, name: name}
	err := parallel.Safely(func() (err error) {
		if f.metadata, err = readMetadata(r, size, name); err != nil {
			return err
		}
		if f.columns, err = f.metadata.columns(); err != nil {
			return csvtext.Faultf(name, dataset.Pos{}, "", "the metadata are damaged: %w; make the file again", err)
		}
		return f.checkNames()
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// file is an open file as a source.
type file struct {
	r        io.ReaderAt
	name     string
	metadata *metadata
	columns  []column
	used     []int // the columns to read

	group int      // the next row group
	left  int64    // rows of the current one that are in no stretch yet
	cells []*cells // of the used columns in the current one
	at    int      // rows in stretches so far
	one   *stretch // that Next reads; nil before the first row
}

// checkNames trims the names of the columns.
func (f *file) checkNames() error {
	first := map[string]int{}
	for j := range f.columns {
		c := &f.columns[j]
		c.name = strings.TrimSpace(c.name)
		other, twice := first[c.name]
		switch {
		case c.name == "":
			return csvtext.Faultf(f.name, dataset.Pos{}, "", "column %d has no name; give it one", j+1)
		case len(c.name) > csvtext.MaxName:
			return csvtext.Limitf("%s: the name of column %d has more than %d bytes; shorten it", f.name, j+1, csvtext.MaxName)
		case twice:
			return csvtext.Faultf(f.name, dataset.Pos{}, "", "columns %d and %d are both named %s; rename one", other+1, j+1,
				english.Quote(c.name))
		}
		first[c.name] = j
	}
	if len(f.columns) == 0 {
		return csvtext.Faultf(f.name, dataset.Pos{}, "", "the table has no columns; write some")
	}
	if len(f.columns) > csvtext.MaxColumns {
		return csvtext.Limitf("%s: more than %d columns; leave some out", f.name, csvtext.MaxColumns)
	}
	return nil
}

func (f *file) Name() string { return f.name }

// Rows returns how many rows there are.
func (f *file) Rows() int64 { return f.metadata.rows }

func (f *file) Columns() []string {
	names := make([]string, len(f.columns))
	for j := range f.columns {
		names[j] = f.columns[j].name
	}
	return names
}

func (f *file) Text(j int) bool { return f.columns[j].text }

func (f *file) Pos(j int) dataset.Pos {
	if f.one == nil {
		return dataset.Pos{}
	}
	return f.one.Pos(j)
}

// UseTime has a column be read as texts of dates, if it holds dates or timestamps.
func (f *file) UseTime(j int) {
	if c := &f.columns[j]; c.strange != "" {
		if layout, _ := c.layout(); layout != "" {
			c.strange, c.dated = "", true
		}
	}
}

func (f *file) Use(columns []bool) error {
	for j, used := range columns {
		c := &f.columns[j]
		if !used {
			continue
		}
		if c.strange != "" {
			cure := csvtext.Flag("ignore", c.name, "COL")
			if layout, _ := c.layout(); layout != "" {
				cure += " or " + csvtext.Flag("time", c.name, "COL")
			}
			return f.fault(c, "the column holds %s, which are neither numbers nor categories; write what matters of them as "+
				"numbers, or use %s", c.strange, cure)
		}
		if err := f.checkChunks(c); err != nil {
			return err
		}
		f.used = append(f.used, j)
	}
	return nil
}

// checkChunks reports what of the metadata makes it impossible to read a column.
func (f *file) checkChunks(c *column) error {
	for g := range f.metadata.groups {
		k := &f.metadata.groups[g].chunks[c.leaf]
		switch {
		case k.encrypted:
			return f.fault(c, "the column is encrypted; write the file without encryption")
		case k.outside:
			return f.fault(c, "the cells are in another file; write the table as one file")
		case k.physical != c.physical:
			return f.fault(c, "row group %d has another type than the schema; make the file again", g+1)
		case k.values != f.metadata.groups[g].rows:
			return f.fault(c, "row group %d is said to have %d rows, and here %d cells; make the file again", g+1,
				f.metadata.groups[g].rows, k.values)
		case !readable(k.codec):
			name := fmt.Sprintf("number %d", k.codec)
			if 0 <= k.codec && k.codec < int64(len(codecs)) {
				name = codecs[k.codec]
			}
			return f.fault(c, "the pages are compressed by %s, which is not read; write the file with snappy, gzip, zstd or "+
				"no compression", name)
		}
	}
	return nil
}

// fault returns a *[dataset.ParseError] in a column.
func (f *file) fault(c *column, format string, args ...any) error {
	return csvtext.Faultf(f.name, dataset.Pos{}, c.name, format, args...)
}

// failed explains an error of reading pages: their end within the file is a fault of the file.
func failed(name string, err error) error {
	if csvtext.Ended(err) || err == io.ErrUnexpectedEOF { //nolint:errorlint // what wraps one is a failed read
		return errors.New("the pages end too early")
	}
	return &readError{csvtext.Unread(name, err)}
}

// readError is an error of the reader, not of the file.
type readError struct{ error }

func (e *readError) Unwrap() error { return e.error }

// Next returns the cells of the next row.
func (f *file) Next() ([]dataset.Cell, error) {
	for {
		if f.one != nil {
			if cells, err := f.one.Next(); err != io.EOF { //nolint:errorlint // an error that wraps it is a failed read
				return cells, err
			}
		}
		next, err := f.Part(f.one)
		if err != nil {
			return nil, err
		}
		f.one = next.(*stretch)
	}
}

// unfit is a fault of a file that is whole, and says how to mend it.
type unfit struct{ error }

func unfitf(format string, args ...any) error {
	return &unfit{fmt.Errorf(option.Text(format), args...)}
}

func (e *unfit) Unwrap() error { return e.error }
