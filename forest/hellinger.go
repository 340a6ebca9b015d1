package forest

import "math"

// hellinger computes scores of the Hellinger distance. Of the rows of two classes in a node let
// n1 and n0 be the weights, and l1, l0, r1, r0 those on the sides of a split. The distance
//
//	d = √( (√(l1/n1) − √(l0/n0))² + (√(r1/n1) − √(r0/n0))² )
//
// depends on the weights within each class alone, not on how rare a class is. Multiplied out,
//
//	d² = 2 − 2·(√(l1·l0) + √(r1·r0)) / √(n1·n0)
//
// so d is largest where the sum over the sides of √(w1·w0) is least: within a node the criterion is the impurity
// √(p·(1−p)) of Dietterich, Kearns and Mansour (ICML 1996), which is concave. As a fall of impurity what splits gain
// can be compared between nodes, √(n1·n0)·d², and adds up over a tree.
//
// Of several classes each is taken against the rest, as in the one-against-all trees for many classes (Hoens, Qian,
// Chawla, Zhou, PAKDD 2012), and the impurities are added up: a side has
//
//	Σ_c √(w_c·(w − w_c))
//
// with w the sum of its w_c. Of two classes that is twice the above. So it is a sum of concave functions, no split
// raises it, and a class counts by the root of its weight: a rare one far more than with Gini, though not as much as
// a common one.
type hellinger struct{}

func (hellinger) score(weights []float64, _ float64, classes []int32) float64 {
	sum, roots := 0.0, 0.0
	for _, c := range classes {
		sum += max(0, weights[c])
	}
	for _, c := range classes {
		if w := weights[c]; w > 0 {
			roots += math.Sqrt(w * (sum - w))
		}
	}
	return -roots
}
