package calib

import (
	"cmp"
	"fmt"
	"slices"
)

// Benefit is what it is worth to decide for the class if its probability reaches a threshold, in hits per row:
// each false alarm costs Threshold/(1−Threshold) hits, the price at which one is indifferent at that
// probability. Never to decide for the class is worth 0.
type Benefit struct {
	Threshold float64 `json:"threshold"` // probability from which on rows are decided as the class
	Model     float64 `json:"model"`     // net benefit of deciding by the probabilities
	All       float64 `json:"all"`       // net benefit of always deciding for the class
	Decided   float64 `json:"decided"`   // share of the rows whose probability reaches the threshold
}

// NetBenefit returns the decision curve at the thresholds, in their order; nil means 0.01, 0.02, ..., 0.99.
// Probabilities are of use at thresholds where Model is above both 0 and All.
//
// Units:  a threshold is a probability of at least 0 and less than 1. Errors: a threshold out of that range,
// naming its index. Source: Vickers and Elkin, Medical Decision Making 26 (2006) 565-574.
func (s *Sample) NetBenefit(thresholds []float64) ([]Benefit, error) {
	if thresholds == nil {
		for i := 1; i < 100; i++ {
			thresholds = append(thresholds, float64(i)/100)
		}
	}
	// What lies at or above each cell.
	n := len(s.cells)
	hits, misses := make([]float64, n+1), make([]float64, n+1)
	var hit, miss sum
	for i, c := range slices.Backward(s.cells) {
		hit.add(c.hit)
		miss.add(c.miss)
		hits[i], misses[i] = hit.value(), miss.value()
	}
	curve := make([]Benefit, len(thresholds))
	for j, t := range thresholds {
		if !(t >= 0 && t < 1) {
			return nil, fmt.Errorf("net benefit: threshold %d is %g; choose thresholds of at least 0 and less than 1", j, t)
		}
		i, _ := slices.BinarySearchFunc(s.cells, t, func(c cell, t float64) int { return cmp.Compare(c.prob, t) })
		price := t / (1 - t)
		curve[j] = Benefit{
			Threshold: t,
			Model:     (hits[i] - float64(price*misses[i])) / s.all.weight(),
			All:       (s.all.hit - float64(price*s.all.miss)) / s.all.weight(),
			Decided:   (hits[i] + misses[i]) / s.all.weight(),
		}
	}
	return curve, nil
}
