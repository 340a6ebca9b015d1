// Package schemas has the schema of a model as its files have it.
package schemas

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
)

// Field is a feature as a file has it.
type Field struct {
	Name     string            `json:"name"`
	Levels   []string          `json:"levels,omitempty"` // of a categorical feature
	Kind     string            `json:"kind"`
	Unit     string            `json:"unit,omitempty"`     // of numbers that wear something
	Baseline *dataset.Baseline `json:"baseline,omitempty"` // of its cells in the training rows
}

// Fields are those of a schema.
func Fields(s dataset.Schema) []Field {
	var fields []Field
	for _, f := range s {
		fields = append(fields, Field{f.Name, f.Levels, f.Kind.String(), f.Unit, f.Baseline})
	}
	return fields
}

// Schema is the schema of fields that were read.
func Schema(fields []Field) (dataset.Schema, error) {
	if len(fields) == 0 {
		return nil, errors.New("no features")
	}
	var s dataset.Schema
	var names []string
	for _, f := range fields {
		kind := dataset.Numeric
		switch {
		case f.Kind == dataset.Categorical.String():
			kind = dataset.Categorical
		case f.Kind != dataset.Numeric.String() || len(f.Levels) > 0:
			return nil, fmt.Errorf("feature %s is of kind %s with %d levels", english.Quote(f.Name), english.Quote(f.Kind),
				len(f.Levels))
		}
		if f.Unit != "" && kind != dataset.Numeric {
			return nil, fmt.Errorf("feature %s has a unit and no numbers", english.Quote(f.Name))
		}
		if f.Baseline != nil {
			if err := f.Baseline.Check(kind, len(f.Levels)); err != nil {
				return nil, fmt.Errorf("feature %s: %w", english.Quote(f.Name), err)
			}
		}
		if err := Distinct("level", f.Levels); err != nil {
			return nil, err
		}
		if !slices.IsSorted(f.Levels) {
			return nil, fmt.Errorf("the levels of %s are not sorted", english.Quote(f.Name))
		}
		s = append(s, dataset.Field{Name: f.Name, Kind: kind, Levels: f.Levels, Unit: f.Unit, Baseline: f.Baseline})
		names = append(names, f.Name)
	}
	return s, Distinct("feature", names)
}

// Distinct checks that names are UTF-8 and all different.
func Distinct(what string, names []string) error {
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] || !utf8.ValidString(n) {
			return fmt.Errorf("%s %s occurs twice or is not UTF-8", what, english.Quote(n))
		}
		seen[n] = true
	}
	return nil
}
