package serve

import (
	"math"

	"github.com/rfpragma/rfpragma/internal/scoring"
)

// psi returns the population stability index of counts by bin against shares of the training: 0 where they are alike;
// above 0.25 the values are commonly said to have shifted. Half a row more in each bin keeps it finite. It is NaN where
// there is too little to compare.
func psi(was []float64, now []int) float64 {
	n, all := 0, 0.0
	for i := range was {
		n += now[i]
		all += was[i]
	}
	if n < fewestCompared || len(was) < 2 || !(all > 0) {
		return math.NaN()
	}
	sum, more := 0.0, float64(len(was))/2
	for i := range was {
		before, after := (was[i]+0.5)/(all+more), (float64(now[i])+0.5)/(float64(n)+more)
		sum += (after - before) * math.Log(after/before)
	}
	return sum
}

// fewestCompared is how many values are compared with those of the training, at least.
const fewestCompared = 100

// trained returns how many rows of the training had a value in each bin of a feature; nil if nobody knows.
func trained(s *scoring.Scorer, feature int) []float64 {
	was := s.Fields[feature].Baseline
	if was == nil {
		return nil
	}
	counts := make([]float64, len(was.Counts))
	for i, n := range was.Counts {
		counts[i] = float64(n)
	}
	return counts
}

// expected returns how many of the rows that the model was tuned on were decided as each class: the hits of the
// class by
// its precision. It is nil if that is not known of all classes.
func expected(s *scoring.Scorer) []float64 {
	figures := s.Model.Provenance.Figures
	if len(figures) != s.K {
		return nil
	}
	out := make([]float64, s.K)
	for c, f := range figures {
		if f.Share == nil || f.Recall == nil {
			return nil
		}
		if f.Precision != nil && f.Precision.Value > 0 {
			out[c] = f.Share.Value * f.Recall.Value / f.Precision.Value * f.Share.Rows
		}
	}
	return out
}
