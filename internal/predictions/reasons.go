package predictions

import (
	"context"
	"fmt"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/english"
)

// Reasoned is how many reasons there are to be of a row, at most, and of which class; the zero value is none.
type Reasoned struct {
	Most  int
	Class string // "" is that of the decision
}

// Of returns the reasons for which a row of these cells is of the class, or is decided as another one, if any are
// asked for.
func (r Reasoned) Of(ctx context.Context, m *rfpragma.Model, cells []float64, decided string) ([]rfpragma.Reason,
	error) {
	if err := ctx.Err(); err != nil || r.Most == 0 {
		return nil, err
	}
	if r.Class != "" {
		decided = r.Class
	}
	return m.Reasons(cells, decided, r.Most)
}

// Words says what the numbers in the column of reasons are.
func (r Reasoned) Words() string {
	votes := "the decision"
	if r.Class != "" {
		votes = english.Quote(r.Class)
	}
	return fmt.Sprintf("In column \"reasons\" the number behind a cell says how many votes for %s fall if that cell "+
		"alone is missing.", votes)
}
