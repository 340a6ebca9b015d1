package calib

import (
	"fmt"
	"math"
	"slices"
)

// fitPairs fits a map for each pair of classes that both have rows, on the rows of the two.
func (r *classRows) fitPairs(fit fitFunc, coupling couples) (Set, error) {
	if err := r.check(true); err != nil {
		return Set{}, err
	}
	k := len(r.present)
	set := Set{Coupling: coupling}
	of := make([][]int, k) // rows by class
	for i, t := range r.truth {
		if r.weight[i] != 0 {
			of[t] = append(of[t], i)
		}
	}
	flat := map[error]int{} // pairs with a warning, by the warning
	for i := range k {
		if !r.present[i] {
			set.Warnings = append(set.Warnings, &ClassError{i, errAbsent})
		}
		for j := i + 1; j < k; j++ {
			if !r.present[i] || !r.present[j] {
				set.Maps = append(set.Maps, nil)
				continue
			}
			score, hit, weight := r.pair(i, j, slices.Concat(of[i], of[j]))
			m, warning, err := fitRising(fit, score, hit, weight)
			if err != nil {
				return Set{}, &ClassError{j, fmt.Errorf("against one other class: %w", err)}
			}
			if warning != nil {
				flat[warning]++
			}
			set.Maps = append(set.Maps, m)
		}
	}
	for _, w := range []error{errFalling, errEqual} {
		if n := flat[w]; n > 0 {
			set.Warnings = append(set.Warnings, fmt.Errorf("calibration of %d of %d pairs of classes: one against the other, %w",
				n, len(set.Maps), w))
		}
	}
	return set, nil
}

// pair returns what the map of a pair is fitted on: the given rows, with class j as the hit.
func (r *classRows) pair(i, j int, rows []int) (score []float64, hit []bool, weight []float64) {
	k := len(r.present)
	for _, row := range rows {
		share := r.share[row*k:]
		score = append(score, against(share[j], share[i]))
		hit = append(hit, r.truth[row] == j)
		weight = append(weight, r.weight[row])
	}
	return score, hit, weight
}

// against returns a/(a+b), ½ where both are 0, to 2⁻⁴⁰: 1 of 3 votes and 2 of 6 are to be the same
// score, whatever rounding says.
func against(a, b float64) float64 {
	if a == 0 && b == 0 {
		return 0.5
	}
	return math.Round(a/(a+b)*0x1p40) / 0x1p40
}

// couple makes probabilities of the maps of pairs.
func (s Set) couple(dst, share []float64) {
	k := len(dst)
	var fewPairs [32 * 32]float64 // on the stack: no allocation for up to 32 classes
	var fewClasses [32]bool
	pair, known := fewPairs[:], fewClasses[:]
	if k > len(fewClasses) {
		pair, known = make([]float64, k*k), make([]bool, k)
	}
	pair, known = pair[:k*k], s.known(known[:k])
	at := 0
	for i := range k {
		for j := i + 1; j < k; j++ {
			if m := s.Maps[at]; m != nil {
				p := m.Prob(against(share[j], share[i]))
				pair[i*k+j], pair[j*k+i] = 1-p, p
			}
			at++
		}
	}
	shares(dst, share)
	rest := 1.0 // for the classes that have maps
	for c := range dst {
		if !known[c] {
			rest -= dst[c]
		}
	}
	if s.Coupling == coupled {
		consent(dst, pair, known, max(rest, 0))
	} else {
		average(dst, pair, known, max(rest, 0))
	}
}

// average gives each known class the mean of its pairs, so that they sum to total. (That mean
// over k − 1, divided by the sum of all, is the sum over their sum, the number of pairs.)
func average(dst, pair []float64, known []bool, total float64) {
	k, sum := len(dst), 0.0
	for i := range k {
		if !known[i] {
			continue
		}
		dst[i] = 0
		for j := range k {
			dst[i] += pair[i*k+j]
		}
		sum += dst[i]
	}
	for i := range k {
		if known[i] {
			dst[i] *= total / sum
		}
	}
}

// leastPair bounds the probabilities of pairs that are coupled: with 0 and 1 several couplings
// can be best.
const leastPair = 1e-7

// consent gives the known classes the p, of sum total, under which Σ_{i≠j} (r_ji·p_i − r_ij·p_j)²
// is least, r_ij being the probability of i against j. With Q_ii = Σ_j r_ji² and
// Q_ij = −r_ji·r_ij that is Q·p = λ·1, and as Σp is fixed, (Q + 1·1ᵀ)·p is a multiple of 1, too,
// the matrix now being positive definite also where the pairs agree and λ is 0.
// Source: Wu, Lin and Weng, JMLR 5 (2004) 975-1005, method 2.
func consent(dst, pair []float64, known []bool, total float64) {
	k, d := len(dst), 0
	var few [32 * 32]float64
	var fewIndex [32]int
	var fewRight [32]float64
	a, index, right := few[:], fewIndex[:0], fewRight[:0]
	if k > len(fewIndex) {
		a = make([]float64, k*k)
	}
	for c, known := range known {
		if known {
			index, right = append(index, c), append(right, 1)
			d++
		}
	}
	for r, i := range index {
		a[r*d+r] = 1
		for s, j := range index {
			if s == r {
				continue
			}
			lose := min(max(pair[j*k+i], leastPair), 1-leastPair)
			a[r*d+r] += float64(lose * lose)
			if s < r {
				a[r*d+s] = 1 - float64(lose*(1-lose))
			}
		}
	}
	cholesky(a[:d*d], right)
	sum := 0.0
	for r := range right {
		right[r] = max(right[r], 0) // rounding
		sum += right[r]
	}
	for r, i := range index {
		dst[i] = right[r] / sum * total
	}
}
