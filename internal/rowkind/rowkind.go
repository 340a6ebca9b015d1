// Package rowkind tells rows of votes from rows of shares.
package rowkind

import (
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// Kinds tells rows of votes, which are whole numbers, from rows of shares, which add up to 1. The zero value
// has no rows.
type Kinds struct {
	Largest float64 // largest sum of a row

	votes, shares int // rows that are surely the one or the other
	fractions     bool
}

// Add adds the scores of a row. It returns their sum, and whether all are whole numbers.
func (k *Kinds) Add(row []float64) (sum float64, whole bool) {
	whole = true
	for _, v := range row {
		whole = whole && v == math.Trunc(v)
	}
	sum = portable.Total(row) // however the classes are listed
	k.Largest, k.fractions = max(k.Largest, sum), k.fractions || !whole
	switch {
	case whole && sum > 1:
		k.votes++
	case !whole && sum < 1.001:
		k.shares++
	}
	return sum, whole
}

// Whole reports whether all scores are whole numbers and every sum is below 2^32. Rows of a single vote, or of
// shares 0 and 1, may be either votes or shares.
func (k *Kinds) Whole() bool { return !k.fractions && k.Largest <= math.MaxUint32 }

// Votes reports whether the rows are certainly votes.
func (k *Kinds) Votes() bool { return k.Whole() && k.votes > 0 }

// Err returns an error if rows of votes are mixed with rows of shares, else nil.
func (k *Kinds) Err() error {
	if k.votes == 0 || k.shares == 0 {
		return nil
	}
	return fmt.Errorf("%s %s whole numbers of votes, and %s %s shares; give the one or the other in all rows",
		english.Plural(k.votes, "row"), english.Verb(k.votes, "has", "have"), english.Plural(k.shares, "row"),
		english.Verb(k.shares, "has", "have"))
}
