package set

import (
	"strconv"

	"github.com/rfpragma/rfpragma/dataset"
)

// Frame returns the rows of m as a frame of numeric columns x0, x1, ... and of the given number
// of classes, named 0, 1, ... Truth y has length m.Rows.
func Frame(m Matrix, y []int, classes int) *dataset.Frame {
	f := &dataset.Frame{Truth: y, Classes: make([]string, classes), Columns: make([]dataset.Column, m.Columns)}
	for c := range f.Classes {
		f.Classes[c] = strconv.Itoa(c)
	}
	for j := range f.Columns {
		values := make([]float64, m.Rows)
		for i := range values {
			values[i] = float64(m.Cells[i*m.Columns+j])
		}
		f.Columns[j] = dataset.Column{Field: dataset.Field{Name: "x" + strconv.Itoa(j)}, Values: values}
	}
	return f
}
