package predictions

import (
	"context"

	"github.com/rfpragma/rfpragma"
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
	return "In column \"reasons\" (+N CLASS) behind a cell says that N fewer trees would vote CLASS if that cell alone " +
		"were " +
		"missing."
}
