package vote

import (
	"errors"
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Errors of [Table.Check] and [Weights.Check], wrapped with the place.
var (
	ErrShape = errors.New("lengths do not agree")
	ErrValue = errors.New("value out of range")
)

// mostStands is how many rows those of a table may stand for: float64 tells so many apart.
const mostStands int64 = 1 << 53

// Check reports the first thing that makes a table unfit for use: fewer than two classes or two of one name,
// slices whose lengths do not agree, a truth that is no class, a row of 2^32 counts or more, rows that stand
// for more than 2^53, more than 64 slices or rows of one that there is not, a case weight, share or amount that is
// negative or not finite, case weights whose sum is not finite, a row that counts as no finite number of rows, or as
// none although it has a weight. A table without rows passes.
func (t *Table) Check() error {
	if t == nil {
		return fmt.Errorf("%w: there is no table of votes; give one", ErrShape)
	}
	n, k := len(t.Truth), len(t.Classes)
	if k < 2 {
		return fmt.Errorf("%w: the table has %d classes; votes need at least two", ErrShape, k)
	}
	seen := make(map[string]int, k)
	for c, name := range t.Classes {
		if first, dup := seen[name]; dup {
			return fmt.Errorf("%w: classes %d and %d are both named %s; rename one", ErrValue, first+1, c+1, english.Quote(name))
		}
		seen[name] = c
	}
	if len(t.Counts) != n*k {
		return fmt.Errorf("%w: %d counts for %d rows of %d classes; give %d", ErrShape, len(t.Counts), n, k, n*k)
	}
	if t.Weight != nil && len(t.Weight) != n {
		return fmt.Errorf("%w: %d case weights for %d rows; give one each, or none", ErrShape, len(t.Weight), n)
	}
	if t.Count != nil && len(t.Count) != n {
		return fmt.Errorf("%w: %d numbers of rows that a row counts as for %d rows; give one each, or none", ErrShape,
			len(t.Count), n)
	}
	if t.Times != nil && len(t.Times) != n {
		return fmt.Errorf("%w: %d numbers of rows that a row stands for, for %d rows; give one each, or none", ErrShape,
			len(t.Times), n)
	}
	rows := int64(0)
	for i, m := range t.Times {
		if m < 1 {
			return fmt.Errorf("%w: row %d stands for %d rows; a row stands for 1 or more", ErrValue, i, m)
		}
		if int64(m) > mostStands-rows {
			return fmt.Errorf("%w: the rows stand for more than %d; divide their numbers by the smallest", ErrValue, mostStands)
		}
		rows += int64(m)
	}
	if t.Group != nil && len(t.Group) != n {
		return fmt.Errorf("%w: groups of %d rows for %d; give one each, or none", ErrShape, len(t.Group), n)
	}
	if t.Amount != nil && len(t.Amount) != n {
		return fmt.Errorf("%w: %d amounts for %d rows; give one each, or none", ErrShape, len(t.Amount), n)
	}
	for i, v := range t.Amount {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("%w: the amount of row %d is %v; amounts are finite and at least 0", ErrValue, i, v)
		}
	}
	if t.Share != nil && len(t.Share) != k {
		return fmt.Errorf("%w: %d shares for %d classes; give one each, or none", ErrShape, len(t.Share), k)
	}
	if t.Ties != nil && (len(t.Ties) != k || !isOrder(t.Ties)) {
		return fmt.Errorf("%w: the order of ties %v does not have each of the %d classes once", ErrShape, t.Ties, k)
	}
	for c, s := range t.Share {
		if !(s >= 0) || math.IsInf(s, 1) {
			return fmt.Errorf("%w: the share of class %s is %v; a share is a number from 0 to 1", ErrValue,
				english.Quote(t.Classes[c]), s)
		}
	}
	if err := t.checkSlices(); err != nil {
		return err
	}
	return t.checkRows()
}

func (t *Table) checkRows() error {
	sum, rows := 0.0, 0.0
	for i, truth := range t.Truth {
		if truth < -1 || truth >= len(t.Classes) {
			return fmt.Errorf("%w: the truth of row %d is %d, which is neither -1 nor one of the %d classes", ErrValue, i, truth,
				len(t.Classes))
		}
		if total := Total(t.Votes(i)); total > math.MaxUint32 {
			return fmt.Errorf("%w: row %d has %.0f votes; a row can have at most %.0f", ErrValue, i, float64(total)/t.Unit(),
				math.MaxUint32/t.Unit())
		}
		w := t.WeightOf(i)
		if !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("%w: the weight of row %d is %v; case weights are finite and at least 0", ErrValue, i, w)
		}
		sum += w
		if t.Count != nil {
			if n := t.Count[i]; !(n >= 0) || math.IsInf(n, 1) || n == 0 && w > 0 {
				return fmt.Errorf("%w: row %d of weight %v counts as %v rows; that is a finite number, above 0 for rows that "+
					"have a weight", ErrValue, i, w, n)
			}
			rows += t.Count[i]
		}
	}
	if math.IsInf(rows, 1) {
		return fmt.Errorf("%w: the rows that the rows count as add up to infinity; divide all of them by the largest",
			ErrValue)
	}
	if math.IsInf(sum, 1) {
		return fmt.Errorf("%w: the case weights add up to infinity; divide all of them by the largest", ErrValue)
	}
	return nil
}

// shaped tells whether the lengths of a table agree, so that its rows can be gone through.
func (t *Table) shaped() bool {
	n := len(t.Truth)
	fits := func(has bool, length int) bool { return !has || length == n }
	return t.Classes != nil && len(t.Counts) == n*len(t.Classes) && fits(t.Weight != nil, len(t.Weight)) &&
		fits(t.Count != nil, len(t.Count)) && fits(t.Times != nil, len(t.Times)) && fits(t.Group != nil, len(t.Group)) &&
		fits(t.Amount != nil, len(t.Amount)) && fits(t.In != nil || t.Slices != nil, len(t.In))
}

// Weights lie between these, so that neither their ratios nor their products with votes leave the range of a float64.
const leastWeight, mostWeight = 1e-100, 1e100

// Check reports why w cannot weigh the votes of k classes: a wrong length, or a weight that is not between 1e-100 and
// 1e100. Nil passes.
func (w Weights) Check(k int) error {
	if w != nil && len(w) != k {
		return fmt.Errorf("%w: %d weights for %d classes; give one each", ErrShape, len(w), k)
	}
	for c, v := range w {
		if !(v > 0) || math.IsInf(v, 1) {
			return fmt.Errorf("%w: weight %d is %v; class weights are finite and above 0", ErrValue, c+1, v)
		}
		if v < leastWeight || v > mostWeight {
			return fmt.Errorf("%w: weight %d is %v, not between %v and %v; divide all weights by one number, as only their "+
				"ratios matter", ErrValue, c+1, v, leastWeight, mostWeight)
		}
	}
	return nil
}
