package rfpragma

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
)

// A RowReader makes rows for [Model.Predict], one after another, of cells that stand in the same order each time. It
// does what [Model.Row] does without a map and without allocating memory. It may be used by several goroutines at
// once.
type RowReader struct {
	schema dataset.Schema
	cells  *dataset.CellReader
	at     []int // by feature, where its cell stands
	given  int   // cells of a row
}

// RowReader returns the reader of rows whose cells stand in the order of columns.
//
// The warnings name each column that neither the model nor its training knows ([dataset.ErrIgnored]). Errors:
// *[RowError] with each column of the model that is not among columns, or is there twice.
func (m *Model) RowReader(columns []string) (r *RowReader, warnings []error, err error) {
	if err := m.check(); err != nil {
		return nil, nil, err
	}
	r = &RowReader{schema: m.Forest.Schema, cells: m.Forest.Schema.CellReader(m.Provenance.Reading.Missing),
		at: make([]int, len(m.Forest.Schema)), given: len(columns)}
	var faults RowError
	for j, field := range r.schema {
		r.at[j] = slices.Index(columns, field.Name)
		if r.at[j] < 0 {
			faults.add(field.Name, nil, "it is not among the columns; name it, and let its cells be missing if they are")
		} else if slices.Contains(columns[r.at[j]+1:], field.Name) {
			faults.add(field.Name, nil, "two columns have this name; leave one out")
		}
	}
	if faults.Cells != nil {
		return nil, nil, &faults
	}
	for _, name := range columns {
		if !m.knows(name) {
			warnings = append(warnings, fmt.Errorf("column %w: %s", dataset.ErrIgnored, english.Quote(name)))
		}
	}
	return r, warnings, nil
}

// Read writes to row (len p) the row that has these cells, as many as the reader has columns; other lengths are an
// error. Each is read as [dataset.Field.Cell] reads it.
//
// Read allocates nothing while every number stands in a numeric column and the training had every category. The
// warnings name each category that it did not have; its cell counts as missing. Errors: *[RowError] with each numeric
// cell that is no finite number; row is then of no use.
func (r *RowReader) Read(row []float64, cells []dataset.Cell) (warnings []error, err error) {
	if len(row) != len(r.at) || len(cells) != r.given {
		return nil, fmt.Errorf("%w: %d cells into %d features; the reader has %d columns, the model %d features", ErrRow,
			len(cells), len(row), r.given, len(r.at))
	}
	var faults *RowError
	for j, at := range r.at {
		v, unseen, err := r.cells.Read(j, cells[at])
		row[j] = v
		if err != nil {
			if faults == nil {
				faults = new(RowError)
			}
			faults.add(r.schema[j].Name, cells[at], "%v", err)
		}
		if unseen {
			warnings = append(warnings, fmt.Errorf("column %s: category %s unseen in training taken as missing",
				english.Quote(r.schema[j].Name), english.Quote(cells[at].String())))
		}
	}
	if faults != nil {
		return nil, faults
	}
	return warnings, nil
}
