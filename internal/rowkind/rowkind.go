// Package rowkind tells rows of votes from rows of shares.
package rowkind

import (
	"errors"
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

// scoreUnit is how many counts the largest sum of the scores of a row becomes.
const scoreUnit = 1 << 31

// Counts makes counts of the scores of rows for k classes, row by row, none negative: equal ones stay equal, and others
// that differ by less than a billionth of the largest sum of a row become equal. Whole numbers are votes, and real is
// false then. Errors: those of [Kinds.Err], and a sum that is not finite.
func Counts(scores []float64, k int) (counts []uint32, real bool, err error) {
	var kinds Kinds
	for i := 0; i < len(scores); i += k {
		kinds.Add(scores[i : i+k])
	}
	if err := kinds.Err(); err != nil {
		return nil, false, err
	}
	if math.IsInf(kinds.Largest, 1) {
		return nil, false, errors.New("the scores of a row add up to more than a number can hold; divide all scores by the " +
			"same number")
	}
	real, counts = !kinds.Whole(), make([]uint32, len(scores))
	for i, v := range scores {
		if real {
			v = math.Round(v / kinds.Largest * scoreUnit)
		}
		counts[i] = uint32(v)
	}
	return counts, real, nil
}
