package calib

import (
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// Clip bounds the probabilities that [LogLoss] takes the logarithm of: they are clipped into
// [Clip, 1−Clip], so one row costs at most 34.54.
const Clip = 1e-15

// Z95 is the standard normal quantile of two-sided 95 % intervals, for [Wilson].
const Z95 = 1.959963984540054

// Brier returns the weighted mean of Σ_c (p_c − y_c)² over the rows, where y_c is 1 for the
// true class and 0 for the others, halved for k = 2. So for two classes it is the usual
// (p₁ − y₁)², in [0, 1], and for more it lies in [0, 2]. Lower is better.
//
// Shapes: prob has n·k elements, row-major; truth (−1 where unknown, the row is skipped) and
// weight have n; nil weight means 1 each. It panics if they differ. Without a row of known
// class and positive weight it is NaN.
// Source: Brier, Monthly Weather Review 78 (1950) 1-3; halved as scikit-learn does.
func Brier(prob []float64, truth []int, weight []float64, k int) float64 {
	scale := 1.0
	if k == 2 {
		scale = 0.5
	}
	return scale * meanOver(prob, truth, weight, k, func(p []float64, t int) float64 {
		sum := 0.0
		for c, v := range p {
			if c == t {
				v--
			}
			sum += float64(v * v)
		}
		return sum
	})
}

// LogLoss returns the weighted mean of −ln p of the true class, with p clipped by [Clip].
// Lower is better. Shapes are those of [Brier].
// Source: Good, J. R. Statist. Soc. B 14 (1952) 107-114.
func LogLoss(prob []float64, truth []int, weight []float64, k int) float64 {
	return meanOver(prob, truth, weight, k, func(p []float64, t int) float64 {
		return -portable.Log(min(max(p[t], Clip), 1-Clip))
	})
}

// meanOver returns the weighted mean of loss over the rows of known class.
func meanOver(prob []float64, truth []int, weight []float64, k int, loss func(p []float64, t int) float64) float64 {
	if len(prob) != len(truth)*k || (weight != nil && len(weight) != len(truth)) {
		panic(fmt.Sprintf("calib: %d probabilities and %d weights for %d rows and %d classes", len(prob), len(weight), len(truth), k))
	}
	sum, total := 0.0, 0.0
	for i, t := range truth {
		if w := weightOf(weight, i); t >= 0 && w != 0 {
			sum += float64(w * loss(prob[i*k:i*k+k], t))
			total += w
		}
	}
	return sum / total
}

// Wilson returns the score interval of a share of which hits out of n were observed, at the
// normal quantile z, such as [Z95]. Both may be real, as sums of weights. For n = 0 it is
// (0, 1).
// Source: Wilson, J. Am. Statist. Assoc. 22 (1927) 209-212.
func Wilson(hits, n, z float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	p, zz := hits/n, z*z/n
	centre := (p + float64(zz/2)) / (1 + zz)
	half := math.Sqrt(float64(zz*p*(1-p))+float64(zz*zz/4)) / (1 + zz)
	// The interval holds p and lies in [0, 1]; rounding alone could break that.
	return max(min(centre-half, p), 0), min(max(centre+half, p), 1)
}

// Bin is a row of a reliability table.
type Bin struct {
	Low, High           float64 // probabilities in [Low, High), in the last bin up to 1
	Count               float64 // summed weight of the rows; where it is 0, so are Mean and Share
	Mean                float64 // mean probability given
	Share               float64 // share of hits observed
	ShareLow, ShareHigh float64 // its 95 % interval, by [Wilson]
}

// Reliability returns the table behind a reliability diagram: the rows by probability, in
// equally wide bins from 0 to 1. A map is well calibrated where Mean and Share agree.
// Probabilities below 0 or above 1 count in the end bins; a NaN shows as a NaN Mean in the
// first.
//
// Shapes: prob, hit and weight have the same length; nil weight means 1 each; bins ≥ 1. It
// panics otherwise.
// Source: DeGroot and Fienberg, The Statistician 32 (1983) 12-22.
func Reliability(prob []float64, hit []bool, weight []float64, bins int) []Bin {
	if len(hit) != len(prob) || (weight != nil && len(weight) != len(prob)) || bins < 1 {
		panic(fmt.Sprintf("calib: %d probabilities, %d labels, %d weights, %d bins", len(prob), len(hit), len(weight), bins))
	}
	table := make([]Bin, bins)
	hits := make([]float64, bins)
	for i, p := range prob {
		w := weightOf(weight, i)
		if w == 0 {
			continue
		}
		b := binOf(p, bins)
		table[b].Count += w
		table[b].Mean += float64(w * p)
		if hit[i] {
			hits[b] += w
		}
	}
	for b := range table {
		t := &table[b]
		t.Low, t.High = float64(b)/float64(bins), float64(b+1)/float64(bins)
		if t.Count > 0 {
			t.Mean /= t.Count
			t.Share = hits[b] / t.Count
		}
		t.ShareLow, t.ShareHigh = Wilson(hits[b], t.Count, Z95)
	}
	return table
}

// binOf returns the b with b/bins ≤ p < (b+1)/bins. The product p·bins alone may be rounded
// across an edge.
func binOf(p float64, bins int) int {
	switch {
	case p >= 1:
		return bins - 1
	case !(p > 0):
		return 0
	}
	b := min(int(p*float64(bins)), bins-1)
	switch {
	case p < float64(b)/float64(bins):
		b--
	case b < bins-1 && p >= float64(b+1)/float64(bins):
		b++
	}
	return b
}
