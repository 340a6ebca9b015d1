package sketch

import (
	"math"

	"github.com/rfpragma/rfpragma/calib"
)

// Known is about how many of n rows are of the training, of which a sample has some, and how many would be by
// chance; 0 where that is no more than chance makes.
func (was Sketched) Known(n, found, sampled int) (same, chance int) {
	alike := was.Rows - was.Single
	if was.Rows == 0 || !Beyond(found, sampled, alike, was.Rows) {
		return 0, 0
	}
	return Estimate(n, found, sampled), Estimate(n, alike, was.Rows)
}

// Beyond tells whether some of a sample are a larger share than others are of theirs, by a tenth and more than chance.
func Beyond(some, sample, others, theirs int) bool {
	const z, matters = 3, 0.1
	least, _ := calib.Wilson(float64(some), float64(sample), z)
	_, most := calib.Wilson(float64(others), float64(theirs), z)
	return least > most+matters
}

// Estimate is how many of n rows are what some of a sample are.
func Estimate(n, some, sample int) int {
	return int(math.Round(float64(n) * float64(some) / float64(sample)))
}
