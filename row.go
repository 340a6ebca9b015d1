package rfpragma

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
)

// RowError lists all cells that keep a row from being decided, in the order of the columns of the model. It wraps
// [ErrRow], and its JSON can be handed to whoever sent the row.
type RowError struct {
	Cells []CellError `json:"cells"`
}

// CellError says what is wrong with a cell of a row.
type CellError struct {
	Column string `json:"column"` // its name
	Value  string `json:"value"`  // what was given, as text; "" if nothing was
	Reason string `json:"reason"` // what is wrong with it, and how to mend it
}

// mostCells is how many cells the text of an error names.
const mostCells = 8

// Error names the first cells, with what is wrong with each.
func (e *RowError) Error() string {
	var texts []string
	for _, c := range e.Cells[:min(mostCells, len(e.Cells))] {
		texts = append(texts, fmt.Sprintf("column %s: %s", english.Quote(c.Column), c.Reason))
	}
	if more := len(e.Cells) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	if len(e.Cells) == 1 {
		return fmt.Sprintf("%v: %s", ErrRow, texts[0])
	}
	return fmt.Sprintf("%v: %d cells do not fit: %s", ErrRow, len(e.Cells), strings.Join(texts, "; "))
}

// Unwrap returns [ErrRow].
func (e *RowError) Unwrap() error { return ErrRow }

func (e *RowError) add(column string, value any, format string, args ...any) {
	text := ""
	if value != nil {
		text = fmt.Sprint(value)
	}
	e.Cells = append(e.Cells, CellError{column, text, fmt.Sprintf(format, args...)})
}

// Row returns the row for [Model.Predict] whose cells are given by the name of their column. A cell is a number,
// a text, a truth value or nil, if it is missing: what encoding/json makes of an object is such a row. Each is read
// as the predict command reads a file with a decimal point, see [dataset.Field.Cell]. The words for a missing cell
// are those of the training, see [dataset.Reading].
//
// The warnings name each category that the training did not have (its cell counts as missing), and each column
// that neither the model nor its training knows ([dataset.ErrIgnored]), in the order of the names; nil if there
// are none.
//
// Errors: *[RowError] with each column of the model that is not in cells (its cell may be empty or nil), each
// numeric cell that is no finite number, and each value that cannot be a cell.
func (m *Model) Row(cells map[string]any) (row []float64, warnings []error, err error) {
	if err := m.check(); err != nil {
		return nil, nil, err
	}
	row = make([]float64, len(m.Forest.Schema))
	words := m.Provenance.Reading.Missing
	var faults RowError
	for j, field := range m.Forest.Schema {
		value, given := cells[field.Name]
		if !given {
			faults.add(field.Name, nil, "its cell is not given; let it be empty or null if it is missing")
			continue
		}
		if row[j], err = field.Cell(value, words); err != nil {
			faults.add(field.Name, value, "%v", err)
			continue
		}
		if text, is := unseen(field, value, words, row[j]); is {
			warnings = append(warnings, fmt.Errorf("column %s: category %s unseen in training taken as missing",
				english.Quote(field.Name), english.Quote(text)))
		}
	}
	if faults.Cells != nil {
		return nil, nil, &faults
	}
	if len(cells) == len(row) {
		return row, warnings, nil
	}
	for _, name := range slices.Sorted(maps.Keys(cells)) {
		if !m.knows(name) {
			warnings = append(warnings, fmt.Errorf("column %w: %s", dataset.ErrIgnored, english.Quote(name)))
		}
	}
	return row, warnings, nil
}

// unseen returns the category that a value names, and whether the cell that it became is missing only because that
// is not among those of the field.
func unseen(field dataset.Field, value any, missing []string, cell float64) (text string, is bool) {
	if field.Kind != dataset.Categorical || !math.IsNaN(cell) || value == nil {
		return "", false
	}
	text = category(value)
	field.Levels = []string{text}
	known, err := field.Cell(value, missing)
	return text, err == nil && !math.IsNaN(known)
}

// category is the text of a value, as categories are compared.
func category(value any) string {
	switch v := value.(type) {
	case float32:
		return category(float64(v))
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return strconv.FormatInt(int64(v), 10)
		}
		return dataset.Field{}.Text(v)
	case []byte:
		return category(string(v))
	}
	return strings.TrimSpace(fmt.Sprint(value))
}

// knows reports whether a column has a part in the model, or had one in its training.
func (m *Model) knows(column string) bool {
	r := &m.Provenance.Reading
	return slices.Contains([]string{r.Target, r.Weight, r.Group, r.ID, r.Amount}, column) ||
		slices.Contains(r.TimeColumns(), column) || slices.Contains(r.Ignore, column) ||
		slices.ContainsFunc(m.Forest.Schema, func(f dataset.Field) bool { return f.Name == column })
}

// checkRow says whether x is a row for Predict.
func (m *Model) checkRow(x []float64) error {
	if err := m.check(); err != nil {
		return err
	}
	if len(x) != len(m.Forest.Schema) {
		return fmt.Errorf("%w: %d cells for the %d features of the model", ErrRow, len(x), len(m.Forest.Schema))
	}
	var faults *RowError
	for j, v := range x {
		field := &m.Forest.Schema[j]
		reason := ""
		if math.IsInf(v, 0) {
			reason = "%v is no number; use NaN for a missing cell"
		} else if field.Kind == dataset.Categorical && v == v && !(v >= 0 && v < float64(len(field.Levels)) &&
			v == math.Trunc(v)) {
			reason = "%v is not the index of one of its categories; make rows with Row"
		}
		if reason != "" {
			if faults == nil {
				faults = new(RowError)
			}
			faults.add(field.Name, v, reason, v)
		}
	}
	if faults != nil {
		return faults
	}
	return nil
}
