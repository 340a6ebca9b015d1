package view

import (
	"math"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/vote"
)

// DecideHows are the values of that flag.
var DecideHows = []string{"weights", "cost"}

// Deciding decides the rows of a table as a model does.
func Deciding(m *rfpragma.Model, table *vote.Table) func(i int) int {
	return func(i int) int {
		amount := math.NaN()
		if table.Amount != nil {
			amount = table.Amount[i]
		}
		return m.DecideFor(table.Votes(i), amount)
	}
}
