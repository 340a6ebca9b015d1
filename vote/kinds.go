package vote

import (
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Kinds tells rows of votes, which are whole numbers, from rows of shares, which add up to 1. The zero value is of no rows.
type Kinds struct {
	Largest float64 // sum of a row

	votes, shares int // rows that are surely the one or the other
	fractions     bool
}

// Add takes the scores of a row. It returns their sum, and whether all are whole.
func (k *Kinds) Add(row []float64) (sum float64, whole bool) {
	whole = true
	for _, v := range row {
		sum += v
		whole = whole && v == math.Trunc(v)
	}
	k.Largest, k.fractions = max(k.Largest, sum), k.fractions || !whole
	switch {
	case whole && sum > 1:
		k.votes++
	case !whole && sum < 1.001:
		k.shares++
	}
	return sum, whole
}

// Whole tells whether all scores were whole, and no row has more than can be counted. Rows of a single vote, or of shares of 0 and 1, may be either.
func (k *Kinds) Whole() bool { return !k.fractions && k.Largest <= math.MaxUint32 }

// Votes tells whether the rows are surely of votes.
func (k *Kinds) Votes() bool { return k.Whole() && k.votes > 0 }

// Err tells of rows of votes among rows of shares.
func (k *Kinds) Err() error {
	if k.votes == 0 || k.shares == 0 {
		return nil
	}
	return fmt.Errorf("%s %s whole numbers of votes, and %s %s shares; give the one or the other in all rows",
		english.Plural(k.votes, "row"), english.Verb(k.votes, "has", "have"), english.Plural(k.shares, "row"), english.Verb(k.shares, "has", "have"))
}
