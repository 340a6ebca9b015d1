package calib

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Maps depend on which class counts as the first: in their last bits or, with one map for two classes, wholly, as a
// curve fitted to one class need not be the mirror image of that fitted to the other. So classes are taken in an order
// that does not depend on how they are listed, and a [Set] keeps that order.

// fitInOrder is [Method.FitClasses] for rows whose classes are not in their order yet.
func (m Method) fitInOrder(ctx context.Context, r Rows) (Set, error) {
	order, err := r.order()
	if err != nil {
		return Set{}, err
	}
	if r.inOrder = true; slices.IsSorted(order) { // as they are
		set, err := m.FitClasses(ctx, r)
		set.level(r)
		return set, err
	}
	r.Share, r.Plain, r.Truth = inOrder(r.Share, order), inOrder(r.Plain, order), slices.Clone(r.Truth)
	if len(r.VoteWeights) == r.K { // else whoever fits says why
		r.VoteWeights = inOrder(r.VoteWeights, order)
	}
	for i, c := range r.Truth {
		if c >= 0 {
			r.Truth[i] = slices.Index(order, c)
		}
	}
	set, err := m.FitClasses(ctx, r)
	set.level(r)
	set.Order = order
	for i, w := range set.Warnings {
		set.Warnings[i] = ofClass(w, order)
	}
	return set, ofClass(err, order)
}

// level gives classes without rows the same map if their shares are the same in all rows, as of trees that know
// none of them. Nothing orders such classes, and what is fitted to all classes together differs between them in its
// last bits.
func (s *Set) level(r Rows) {
	if s.Coupling != againstRest || len(s.Maps) != r.K {
		return
	}
	empty := slices.Repeat([]bool{true}, r.K)
	for i, c := range r.Truth {
		if c >= 0 && weightOf(r.Weight, i) > 0 {
			empty[c] = false
		}
	}
	for c := range empty {
		for d := range c {
			if empty[c] && empty[d] && r.alike(c, d) {
				s.copyMap(c, d)
				break
			}
		}
	}
}

// alike tells whether two classes have the same share in every row.
func (r Rows) alike(c, d int) bool {
	if len(r.VoteWeights) == r.K && r.VoteWeights[c] != r.VoteWeights[d] {
		return false
	}
	for row := range slices.Chunk(r.Share, r.K) {
		if row[c] != row[d] {
			return false
		}
	}
	return true
}

// copyMap gives class c the map of class d.
func (s *Set) copyMap(c, d int) {
	s.Maps[c] = s.Maps[d]
	if s.Cross == nil {
		return
	}
	k := len(s.Maps)
	s.Cross[c*k+d] = s.Cross[d*k+c]
	for e := range k {
		if e != c && e != d {
			s.Cross[c*k+e], s.Cross[e*k+c] = s.Cross[d*k+e], s.Cross[e*k+d]
		}
	}
}

// order returns the classes in the order in which they are taken, nil for rows that cannot be fitted on.
func (r Rows) order() ([]int, error) {
	rows, err := known(r.Share, r.Truth, r.Weight, r.K)
	switch {
	case err != nil || r.Plain != nil && len(r.Plain) != len(r.Share):
		return nil, nil // whoever fits says why
	case r.Order == nil:
		weight := make([]sum, r.K) // the same whatever the order of the rows
		for i, c := range r.Truth {
			if c >= 0 {
				weight[c].add(rows.weight[i])
			}
		}
		order := slices.Clone(rows.classes)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[b].value(), weight[a].value()) })
		return order, nil
	case !slices.Equal(slices.Sorted(slices.Values(r.Order)), rows.classes):
		return nil, fmt.Errorf("calibration: the order %v does not have each of the %d classes once; correct it", r.Order,
			r.K)
	}
	return slices.Clone(r.Order), nil
}

// inOrder returns values of rows, one for each class, with the classes in order.
func inOrder(values []float64, order []int) []float64 {
	if values == nil {
		return nil
	}
	k, out := len(order), make([]float64, 0, len(values))
	for row := range slices.Chunk(values, k) {
		for _, c := range order {
			out = append(out, row[c])
		}
	}
	return out
}

// ofClass returns what err says of a class in order as said of the class itself.
func ofClass(err error, order []int) error {
	var of *ClassError
	if errors.As(err, &of) {
		return &ClassError{order[of.Class], of.Err}
	}
	return err
}

// Probabilities fills dst with the probabilities of a row from its k vote shares. They sum to 1. Dst and share
// have length k and must not overlap. Up to 32 classes it allocates nothing.
//
// For k ≥ 3 maps against the rest, the values of the maps are divided by their sum. If all are zero, the result
// is the shares divided by their sum; if these are all zero too, each is 1/k. With maps of pairs, two shares
// that are both zero count as equal, and a class without a map keeps its part of the shares.
//
// It fills dst with NaN where dst, share and the maps are not of as many classes.
func (s Set) Probabilities(dst, share []float64) {
	if len(dst) == 0 {
		return
	}
	if !s.fits(len(dst)) || len(share) != len(dst) {
		for c := range dst {
			dst[c] = math.NaN()
		}
		return
	}
	if s.Order == nil {
		s.inItsOrder(dst, share)
		return
	}
	var few [2 * 32]float64 // on the stack
	room, k := few[:], len(s.Order)
	if 2*k > len(few) {
		room = make([]float64, 2*k)
	}
	p, own := room[:k], room[k:2*k]
	for at, c := range s.Order {
		own[at] = share[c]
	}
	s.inItsOrder(p, own)
	for at, c := range s.Order {
		dst[c] = p[at]
	}
}

// fits tells whether s can be asked for the probabilities of k classes, which [Set.Check] may refuse all the same.
func (s Set) fits(k int) bool {
	if s.Classes() != k || s.VoteWeights != nil && len(s.VoteWeights) != k || s.Order != nil && len(s.Order) != k ||
		s.Cross != nil && len(s.Cross) != k*k {
		return false
	}
	for _, c := range s.Order {
		if c < 0 || c >= k {
			return false
		}
	}
	for _, m := range s.Maps {
		if _, power := m.(Power); m == nil && s.Coupling == againstRest || s.Cross != nil && !power {
			return false
		}
	}
	return true
}

// checkOrder tells whether the order is one of the k classes, and not that in which they are listed.
func (s Set) checkOrder() error {
	if s.Order == nil {
		return nil
	}
	k := s.Classes()
	sorted := slices.Sorted(slices.Values(s.Order))
	if len(sorted) != k || slices.Equal(sorted, s.Order) || sorted[0] != 0 || sorted[k-1] != k-1 ||
		len(slices.Compact(sorted)) != k {
		return fmt.Errorf("calibration has the order %v of %d classes; leave it out, or give another one; fit it again",
			s.Order, k)
	}
	return nil
}
