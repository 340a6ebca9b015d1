package rfpragma

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// MissingCell is a cell of a row that tells a model nothing, see [Model.MissingCells].
type MissingCell struct {
	Column string `json:"column"` // name of the column
	// a value far from every value of training, as text, see dataset.Field.Text; "" for a missing cell
	Value string `json:"value,omitempty"`
	// the smallest and the largest value of training, if the cell has such a value; else nil
	Range *[2]float64 `json:"range,omitempty"`
}

// String returns the name of the column, and of a value far from every value of training also where those lie:
// TSH, or TSH=-999 (training 0.005 to 530).
func (l MissingCell) String() string {
	if l.Range == nil {
		return l.Column
	}
	number := dataset.Field{Kind: dataset.Numeric}
	return fmt.Sprintf("%s=%s (training %s to %s)", l.Column, l.Value, number.Text(l.Range[0]), number.Text(l.Range[1]))
}

// mostBorne is the part of what the splits gained that a row may lack.
const mostBorne = 0.5

// manyLack is of how many rows of the training one is enough that lacks a cell, for the model to have learnt to
// decide without it.
const manyLack = 5

// bearing is a feature that a model decides by.
type bearing struct {
	feature int
	part    float64 // of what the splits gained, above 0
	gaps    bool    // many rows of the training lack it, or nobody knows how many
}

// bearings returns the features that a forest decides by, the most first.
func bearings(f *forest.Forest) []bearing {
	var bears []bearing
	for j, part := range f.Importance() {
		if was := f.Schema[j].Baseline; part > 0 {
			bears = append(bears, bearing{j, part, was == nil || manyLack*was.Missing >= was.Rows})
		}
	}
	slices.SortStableFunc(bears, func(a, b bearing) int { return cmp.Compare(b.part, a.part) })
	return bears
}

// MissingCells returns the cells of a row x that tell the model nothing, if together they carry more than half of what
// the splits of the model gained, the one that carries most first; for any other row it returns nil. X is as
// for [Model.Predict]. A decision on such a row rests on the little that is left, however sure the probability
// looks: better withhold it, or have somebody look.
//
// A cell tells nothing if it is missing, unless a fifth of the training rows lack it too, so that the model has
// learnt to decide without it; or if it is far from every value of training, see [dataset.Baseline.Far]. No
// value is far for a model that does not know the baselines of its training.
//
// Errors: [ErrRow] as of Predict.
func (m *Model) MissingCells(x []float64) ([]MissingCell, error) {
	if err := m.checkRow(x); err != nil {
		return nil, err
	}
	lost := 0.0
	for _, b := range m.bears {
		if m.lacks(b, x[b.feature]) {
			lost += b.part
		}
	}
	if lost <= mostBorne {
		return nil, nil
	}
	var cells []MissingCell
	for _, b := range m.bears {
		v, field := x[b.feature], &m.Forest.Schema[b.feature]
		switch {
		case !m.lacks(b, v):
		case v != v:
			cells = append(cells, MissingCell{Column: field.Name})
		default:
			cells = append(cells, MissingCell{field.Name, field.Text(v), field.Baseline.Range})
		}
	}
	return cells, nil
}

// lacks tells whether a cell says nothing.
func (m *Model) lacks(b bearing, v float64) bool {
	was := m.Forest.Schema[b.feature].Baseline
	return v != v && !b.gaps || was != nil && was.Far(v)
}
