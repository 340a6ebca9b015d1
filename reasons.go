package rfpragma

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Reason is what the votes for a class owe to a cell of a row, see [Model.Reasons].
type Reason struct {
	Column string  `json:"column"`
	Value  string  `json:"value"` // of the cell: see dataset.Field.Text
	Votes  float64 `json:"votes"` // by how many the votes for the class fall without the cell; whole unless votes are soft
}

// Reasons says why a row x, as [Model.Predict] takes it, is decided as a class, or as likely to be of it as it is: n of the cells without which votes for the
// class are lost, or all of them if they are fewer, the one without which most are lost first. Each cell is tried alone: it becomes a missing cell, the others
// stay as they are, and the trees vote again, see [forest.Forest.Reliance]. Of equal ones the column named first in Forest.Schema comes first. A missing cell is no reason.
//
// So reasons do not add up, and columns that say the same hide each other: without either alone the votes may stay. They say what the model heeds,
// not what brought a row into its class. A missing cell goes the way that those of the training went at each split, or that of most rows where there were none.
//
// Errors: [ErrRow] as of Predict; [ErrConfig] for a class that the model does not have, and n below 1.
func (m *Model) Reasons(x []float64, class string, n int) ([]Reason, error) {
	if err := m.checkRow(x); err != nil {
		return nil, err
	}
	c := slices.Index(m.Classes(), class)
	switch {
	case c < 0:
		return nil, fmt.Errorf("%w: there is no class %s to give reasons for", ErrConfig, english.Quote(class))
	case n < 1:
		return nil, fmt.Errorf("%w: %d reasons; choose 1 or more", ErrConfig, n)
	}
	falls := make([]int64, len(x))
	m.Forest.Reliance(falls, x, c)
	reasons := []Reason{}
	for j, fall := range falls {
		if fall > 0 {
			field := m.Forest.Schema[j]
			reasons = append(reasons, Reason{Column: field.Name, Value: field.Text(x[j]), Votes: float64(fall) / m.Forest.Unit()})
		}
	}
	slices.SortStableFunc(reasons, func(a, b Reason) int { return cmp.Compare(b.Votes, a.Votes) })
	return reasons[:min(n, len(reasons))], nil
}
