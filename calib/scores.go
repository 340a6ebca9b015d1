package calib

import (
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// Clip bounds the probabilities that [LogLoss] takes the logarithm of: they are clipped into
// [Clip, 1−Clip], so one row costs at most 34.54.
const Clip = 1e-15

// Z95 is the standard normal quantile of two-sided 95 % intervals, about 1.96, for [Wilson].
const Z95 = portable.Z95

// Brier returns the weighted mean of Σ_c (p_c − y_c)² over the rows, where y_c is 1 for the
// true class and 0 for the others, halved for k = 2. So for two classes it is the usual
// (p₁ − y₁)², in [0, 1], and for more it lies in [0, 2]. Lower is better.
//
// Shapes: prob has n·k elements, row-major; truth (−1 where unknown, the row is skipped) and
// weight have n; nil weight means 1 each. It is NaN if they differ, for a class of k or more,
// and without a row of known class and positive weight.
// Source: Brier, Monthly Weather Review 78 (1950) 1-3; halved as scikit-learn does.
func Brier(prob []float64, truth []int, weight []float64, k int) float64 {
	scale := 1.0
	if k == 2 {
		scale = 0.5
	}
	return scale * meanOver(prob, truth, weight, k, func(p []float64, t int) float64 {
		var squares sum // rounded once, whatever the order of the classes
		for c, v := range p {
			if c == t {
				v--
			}
			squares.add(float64(v * v))
		}
		return squares.value()
	})
}

// LogLoss returns the weighted mean of −ln p of the true class, with p clipped by [Clip].
// Lower is better. Shapes are those of [Brier].
// Source: Good, J. R. Statist. Soc. B 14 (1952) 107-114.
func LogLoss(prob []float64, truth []int, weight []float64, k int) float64 {
	return meanOver(prob, truth, weight, k, func(p []float64, t int) float64 {
		return -portable.Log(clip(p[t]))
	})
}

func clip(p float64) float64 { return min(max(p, Clip), 1-Clip) }

// meanOver returns the weighted mean of loss over the rows of known class.
func meanOver(prob []float64, truth []int, weight []float64, k int, loss func(p []float64, t int) float64) float64 {
	if k < 0 || len(prob) != len(truth)*k || (weight != nil && len(weight) != len(truth)) ||
		slices.ContainsFunc(truth, func(t int) bool { return t >= k }) {
		return math.NaN()
	}
	var losses, total sum
	for i, t := range truth {
		if w := weightOf(weight, i); t >= 0 && w != 0 {
			losses.add(float64(w * loss(prob[i*k:i*k+k], t)))
			total.add(w)
		}
	}
	return losses.value() / total.value()
}

// Pinball returns the weighted mean of τ·z if z = target − forecast is not negative, and of (τ−1)·z if it is:
// the loss that is lowest for a quantile of order τ. A forecast that is too low by 1 costs τ, one that is too
// high by 1 costs 1 − τ; with τ = ½ it is half the mean absolute error. Lower is better.
//
// Shapes: target, forecast and weight have the same length; nil weight means 1 each. It is NaN if they
// differ, without a row of positive weight, and for τ outside [0, 1]. Source: Koenker and Bassett,
// Econometrica 46 (1978) 33-50.
func Pinball(target, forecast, weight []float64, tau float64) float64 {
	if len(forecast) != len(target) || (weight != nil && len(weight) != len(target)) {
		return math.NaN()
	}
	if !(tau >= 0 && tau <= 1) {
		return math.NaN()
	}
	var losses, total sum
	for i, y := range target {
		w := weightOf(weight, i)
		if w == 0 {
			continue
		}
		z := y - forecast[i]
		losses.add(float64(w * max(tau*z, (tau-1)*z)))
		total.add(w)
	}
	return losses.value() / total.value()
}

// Wilson returns Wilson's score interval for a share, of which hits out of n were observed, at the normal
// quantile z, such as [Z95]. Hits and n may be real, like sums of weights. For n = 0 it is (0, 1). Source:
// Wilson, J. Am. Statist. Assoc. 22 (1927) 209-212.
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
