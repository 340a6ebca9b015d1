package calib

import "math"

// Cut describes the decisions if all rows from a probability on are decided as the class: a point of the ROC
// curve (FalsePositive, Recall) and of the precision-recall curve (Recall, Precision).
type Cut struct {
	Prob float64 `json:"prob"` // smallest probability that is decided as the class
	// share of the hits that are decided as the class; 0 if there are no hits
	Recall float64 `json:"recall"`
	// share of the other rows that are decided as the class; 0 if there are none
	FalsePositive float64 `json:"false_positive"`
	Precision     float64 `json:"precision"` // share of hits among the rows decided as the class
}

// Cuts returns the cuts at the distinct probabilities, the largest first; at the last one all rows are decided
// as the class. A cut that differs from the one before by less than step in all three shares is left out,
// unless it is the first or the last; with a step of 0 none is.
func (s *Sample) Cuts(step float64) []Cut {
	var cuts []Cut
	var hits, misses sum
	for i := len(s.cells) - 1; i >= 0; i-- {
		c := s.cells[i]
		hits.add(c.hit)
		misses.add(c.miss)
		cut := Cut{c.prob, part(hits.value(), s.all.hit), part(misses.value(), s.all.miss), part(hits.value(), hits.value()+
			misses.value())}
		if i == 0 || len(cuts) == 0 || cut.from(cuts[len(cuts)-1]) >= step {
			cuts = append(cuts, cut)
		}
	}
	return cuts
}

// from returns the largest difference of the shares of two cuts.
func (c Cut) from(other Cut) float64 {
	return max(math.Abs(c.Recall-other.Recall), math.Abs(c.FalsePositive-other.FalsePositive),
		math.Abs(c.Precision-other.Precision))
}

// part returns a share of a whole, 0 of nothing.
func part(some, whole float64) float64 {
	if !(whole > 0) {
		return 0
	}
	return min(some/whole, 1)
}
