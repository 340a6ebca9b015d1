package vote

import (
	"cmp"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// TieOrder returns the classes in the order in which they win ties, which is also the order in which everything
// takes them that must not depend on their names or on how they are listed: by falling share, and equals by
// rising first, such as the index of the first row of each class. Both are by class; nil first, or one of another
// length, means that equals stay as they are listed.
func TieOrder(share []float64, first []int) []int {
	order := make([]int, len(share))
	for c := range order {
		order[c] = c
	}
	if len(first) != len(share) {
		first = nil
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if by := cmp.Compare(share[b], share[a]); by != 0 || first == nil {
			return by
		}
		return cmp.Compare(first[a], first[b])
	})
	return order
}

// Ties returns order as [Table] keeps it: nil if it follows from the shares.
func Ties(share []float64, order []int) []int {
	if slices.Equal(order, TieOrder(share, nil)) {
		return nil
	}
	return order
}

// isOrder tells whether order has each of its indices once.
func isOrder(order []int) bool {
	seen := make([]bool, len(order))
	for _, c := range order {
		if c < 0 || c >= len(order) || seen[c] {
			return false
		}
		seen[c] = true
	}
	return true
}

// TieOrder returns the classes in the order in which they win ties: Ties, or else by falling Share, and equals,
// as all are without Share, as they are listed. Ties and Share that [Table.Check] refuses count as none.
func (t *Table) TieOrder() []int {
	switch {
	case len(t.Ties) == len(t.Classes) && isOrder(t.Ties):
		return t.Ties
	case len(t.Share) == len(t.Classes):
		return TieOrder(t.Share, nil)
	}
	return TieOrder(make([]float64, len(t.Classes)), nil)
}

// Rule returns the rule for the rows of t under w.
func (t *Table) Rule(w Weights) Rule { return NewRule(w, t.TieOrder()) }

// settleTies lets the rows order classes of equal share, by numbers that neither names nor the order of rows or
// classes change. Classes whose rows and votes are the same stay as they are listed.
func (t *Table) settleTies() {
	if t.Share == nil || len(slices.Compact(slices.Sorted(slices.Values(t.Share)))) == len(t.Share) {
		return
	}
	looks := make([]uint64, len(t.Classes))
	for i, truth := range t.Truth {
		row := uint64(0)
		for _, v := range t.Votes(i) {
			row += portable.Mixed(0, uint64(v))
		}
		if t.WeightOf(i) > 0 {
			row++
		}
		for c, v := range t.Votes(i) {
			of := uint64(v) << 2
			switch truth {
			case c:
				of |= 1
			case -1:
				of |= 2
			}
			looks[c] += portable.Mixed(row, of) * uint64(t.TimesOf(i)) // so rows that are merged add up
		}
	}
	order := slices.Sorted(slices.Values(looks))
	first := make([]int, len(looks))
	for c, look := range looks {
		first[c] = slices.Index(order, look)
	}
	t.Ties = Ties(t.Share, TieOrder(t.Share, first))
}
