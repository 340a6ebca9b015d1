package view

import (
	"errors"

	"github.com/rfpragma/rfpragma/dataset"
)

// ColumnDrift returns what a warning says of a column that is not as in training; nil of any other.
func ColumnDrift(warning error) *dataset.ColumnDrift {
	var d *dataset.ColumnDrift
	errors.As(warning, &d)
	return d
}

// ColumnDrifts are those of some warnings.
func ColumnDrifts(warnings []error) []*dataset.ColumnDrift {
	var out []*dataset.ColumnDrift
	for _, w := range warnings {
		if d := ColumnDrift(w); d != nil {
			out = append(out, d)
		}
	}
	return out
}
