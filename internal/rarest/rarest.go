// Package rarest picks the class that is meant where nobody says which one matters.
package rarest

import (
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
)

// Class returns the class with the fewest rows beside the most common one, but for those with too few to tune for,
// [anneal.FewRows], if others have as many, else to judge by, and how many rows it had to have. Of equals it is the
// last in the order in which they win ties. Rows are by class.
func Class(rows []float64, order []int) (rarest int, least float64) {
	common := order[0]
	for _, c := range order {
		if rows[c] > rows[common] {
			common = c
		}
	}
	for _, least := range []float64{anneal.FewRows, dataset.FewToJudge, 2} {
		if c := but(rows, order, common, least); c >= 0 {
			return c, least
		}
	}
	return max(but(rows, order, common, 0), 0), 0
}

// but returns the class beside the common one with the fewest rows, of those that have any and no fewer than the least,
// the last in the order of equals, or -1.
func but(rows []float64, order []int, common int, least float64) int {
	rarest := -1
	for _, c := range order {
		if n := rows[c]; c != common && n > 0 && n >= least && (rarest < 0 || n <= rows[rarest]) {
			rarest = c
		}
	}
	return rarest
}
