package pragma

import "slices"

// Decide returns the decision of least expected cost for a row whose true class is c with probability p[c] (len k): the
// d with the lowest Σ p[c]·cost(c, d), where the costs of a class by amount are multiplied by the amount of the row
// (Elkan, IJCAI 2001; for costs of each row, Bahnsen and others, ICMLA 2013). Amount is finite and >= 0; it is not used
// without costs by amount. Of equals the class that comes first in order wins, see [vote.TieOrder].
// It is -1 where p, order and the costs are not of as many classes.
func (c Costs) Decide(p []float64, amount float64, order []int) int {
	k := len(order)
	if k == 0 || !c.of(k) || len(p) != k || slices.Max(order) >= k || slices.Min(order) < 0 {
		return -1
	}
	winner, least := order[0], 0.0
	for i, decision := range order {
		sum := 0.0
		for _, truth := range order { // the same sum however the classes are listed
			cost := float64(p[truth] * c.Matrix[truth][decision]) // first, so that 0 times a huge amount is 0
			if len(c.ByAmount) > 0 && c.ByAmount[truth] {
				cost = float64(cost * amount)
			}
			sum += cost
		}
		if i == 0 || sum < least {
			winner, least = decision, sum
		}
	}
	return winner
}
