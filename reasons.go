package rfpragma

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Reason says how many votes for a class depend on a cell of a row, see [Model.Reasons].
type Reason struct {
	Column string `json:"column"` // name of the column
	Value  string `json:"value"`  // the cell as text, see dataset.Field.Text
	// by how many the votes for the class fall without the cell; whole unless votes are soft; of a forest that
	// gives shares by which part of 1
	Votes float64 `json:"votes"`
}

// Reasons says why a row x is decided as class, or is as likely to be of it as it is. It returns the n cells
// (or all there are, if fewer) without which the class loses votes, the one that costs most votes first; of
// equal ones the column that comes first in Forest.Schema. Each cell is tried alone: it becomes a missing cell,
// the others stay as they are, and the trees vote again, see [forest.Forest.Contributions]. A cell that is missing
// already is no reason. X is as for [Model.Predict].
//
// So reasons do not add up, and columns that say the same hide each other: without either alone the votes may
// stay. They show what the model heeds, not what caused the row to be of its class. At each split a missing
// cell goes where the missing cells of the training went, or where most rows went if there were none.
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
	m.Forest.Contributions(falls, x, c)
	reasons := []Reason{}
	for j, fall := range falls {
		if fall > 0 {
			field := m.Forest.Schema[j]
			reasons = append(reasons, Reason{Column: field.Name, Value: field.Text(x[j]),
				Votes: float64(fall) / m.Forest.Whole()})
		}
	}
	slices.SortStableFunc(reasons, func(a, b Reason) int { return cmp.Compare(b.Votes, a.Votes) })
	return reasons[:min(n, len(reasons))], nil
}
