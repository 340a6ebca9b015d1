package rfpragma

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// ForPrevalence returns a model for a population in which the classes are as common as share says, as if 2 of 1000 were ill where
// in training it were 30: where the rows of each class look as they did. Probabilities become p'_c in proportion to p_c·share_c/old
// share_c, see [calib.ChangePriors]. Of two classes a row is decided as before at the same probability p', so that the price of a miss that the weights imply stays; the weights of
// more classes are multiplied by share/old share. The trees and maps are shared. Old shares are those of the rows that the maps were fitted on.
//
// Errors ([ErrConfig]): share is not of k classes, has a number that is not finite or not above 0, or a class has no training rows.
func (m *Model) ForPrevalence(share []float64) (*Model, error) {
	if len(share) != len(m.Classes()) {
		return nil, fmt.Errorf("%w: %d shares of classes; give one for each of the %d", ErrConfig, len(share), len(m.Classes()))
	}
	sum := 0.0
	for _, s := range share {
		sum += s
	}
	for c, s := range share {
		if !(s > 0) || !(s/sum > 0) || !(m.Forest.Share[c] > 0) || !(m.mapped()[c] > 0) {
			return nil, fmt.Errorf("%w: class %.64q is to have a share of %v, and has %v of the rows that the probabilities were fitted on; both must be above 0", ErrConfig, m.Classes()[c], s, m.mapped()[c])
		}
	}
	other := *m
	other.Provenance.Prevalence = make([]float64, len(share))
	for c, s := range share {
		other.Provenance.Prevalence[c] = s / sum
	}
	other.index()
	w := slices.Clone(other.Weights)
	if len(w) == 2 {
		w = m.sameThreshold(&other)
	} else {
		for c := range w {
			w[c] *= other.Provenance.Prevalence[c] / m.Provenance.prior(m.Forest.Share)[c]
		}
	}
	return other.WithWeights(w.Scaled(m.Forest.Share))
}

// mapped returns the shares of the classes among the rows that the maps were fitted on.
func (m *Model) mapped() []float64 {
	if m.Provenance.MapShare != nil {
		return m.Provenance.MapShare
	}
	return m.Forest.Share
}

// prior returns the shares of the classes that the probabilities are for.
func (r *Provenance) prior(training []float64) []float64 {
	if r.Prevalence != nil {
		return r.Prevalence
	}
	return training
}

// sameThreshold returns the weights of two classes under which other decides from the same probability on as m does.
func (m *Model) sameThreshold(other *Model) vote.Weights {
	trees := float64(m.Forest.Trees())
	at := func(m *Model, share float64) float64 { // the probability of class 1 at a share of its votes, smoothed as calib.Smooth does
		dst := make([]float64, 2)
		half, all := 0.5/trees, 1+1/trees
		m.Maps.Probabilities(dst, []float64{(1 - share + half) / all, (share + half) / all})
		m.shifted(dst)
		return dst[1]
	}
	now := m.Weights[0] / (m.Weights[0] + m.Weights[1])
	threshold := at(m, now)
	const near = 1e-9                                     // of one threshold, relatively
	first := func(reached func(p float64) bool) float64 { // the share from which on the probability, which never falls, has reached something
		low, high := 0.0, 1.0
		for range 60 {
			if middle := float64((low + high) / 2); reached(at(other, middle)) {
				high = middle
			} else {
				low = middle
			}
		}
		return high
	}
	from, to := first(func(p float64) bool { return p >= threshold*(1-near) }), first(func(p float64) bool { return p > threshold*(1+near) })
	edge := min(max(now, from), to) // on a plateau it stays where it is, if it can
	edge = min(max(edge, 1e-9), 1-1e-9)
	if edge == now {
		return slices.Clone(m.Weights)
	}
	return vote.Weights{edge, 1 - edge}
}

// shifted changes probabilities to those of another prevalence, if the model is for one. They stay as they are where only classes have some that are
// next to never there.
func (m *Model) shifted(dst []float64) {
	if to := m.Provenance.Prevalence; to != nil {
		_ = calib.ChangePriors(dst, dst, m.mapped(), to) // the shares are checked where a model is made and read
	}
}

// unbalanced returns the maps that take back that all classes were as common in the bags, where in the rows their shares are these: in
// the form of maps, so that nobody who applies them need know.
func unbalanced(share []float64) calib.Set {
	if len(share) == 2 {
		return calib.Set{Maps: []calib.Map{calib.BetaCurve{A: 1, B: 1, C: portable.Log(share[1] / share[0])}}, Method: calib.None}
	}
	set, largest := calib.Set{Method: calib.None}, slices.Max(share)
	for _, s := range share {
		set.Maps = append(set.Maps, calib.Power{A: 1, B: portable.Log(s / largest)})
	}
	return set
}
