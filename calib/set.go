package calib

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Set holds the maps that give the probabilities of k classes.
//
// For two classes it has one map, that of class 1, and class 0 has the complement. For k ≥ 3 it has k maps, one
// for each class against the rest, or, with another [couples], one for each pair of classes, in the order (0,
// 1), (0, 2), ... (1, 2), ...: for i < j it maps share_j/(share_i+share_j), to 40 bits, to the probability that
// a row of i or j is of class j. Pairs of a class without a row to calibrate on have no map (nil).
//
// Maps that are all a [Power] can have cross exponents. Then the value of the map of class c is multiplied by the
// product of share_d^Cross[c·k+d] over the other classes d, before it is divided by the sum: a softmax of
// W·ln share + b.
//
// With Order, class i is here the one numbered Order[i] elsewhere: of two classes the one map is that of Order[1].
type Set struct {
	Maps     []Map
	Coupling couples
	Cross    []float64 // k·k, row-major, 0 on the diagonal; nil for none
	// VoteWeights (len k) multiply the shares, which are then divided by their sum, before the maps see them; nil
	// means 1 each.
	VoteWeights []float64
	Order       []int   // len k, the classes in the order in which all of the above have them; nil for 0, 1, ...
	Method      Method  // method that was fitted, for Auto the one that it picked; not stored
	Warnings    []error // of the fit; those about one class are a *[ClassError]; not stored
}

// couples is how the maps of three or more classes become probabilities that sum to 1.
type couples string

// The couplings. pairwise is the usual mean of one against one, which is at most 2/k for a class, so that with
// many classes it is too cautious; prefer Coupled.
const (
	againstRest couples = ""        // a map for each class, divided by their sum
	pairwise    couples = "pairs"   // a map for each pair; a class has the mean of its pairs
	coupled     couples = "coupled" // a map for each pair; those of Wu, Lin and Weng, JMLR 5 (2004) 975-1005, method 2
)

// ClassError is an error about the map of one class.
type ClassError struct {
	Class int
	Err   error
}

// Error names the class by its index.
func (e *ClassError) Error() string { return fmt.Sprintf("class %d: %v", e.Class, e.Err) }

// Unwrap returns Err.
func (e *ClassError) Unwrap() error { return e.Err }

// Classes returns k, or 0 if no k has that many maps.
func (s Set) Classes() int {
	switch n := len(s.Maps); {
	case n == 1 && s.Coupling == againstRest:
		return 2
	case s.Coupling == againstRest:
		return n
	default:
		k := int(math.Sqrt(float64(2*n))) + 1 // n = k(k−1)/2
		if k < 3 || k*(k-1)/2 != n {
			return 0
		}
		return k
	}
}

// Check returns an error unless s is sound: of a known coupling, with as many maps as it has for two or more
// classes, and each with sound parameters.
func (s Set) Check() error {
	n := len(s.Maps)
	switch {
	case s.Coupling == againstRest && (n == 0 || n == 2):
		return fmt.Errorf("calibration has %d maps; there must be one for two classes, or one for each of three or more; "+
			"fit it again", n)
	case s.Coupling != againstRest && s.Coupling != pairwise && s.Coupling != coupled:
		return fmt.Errorf("calibration has the coupling %s; update rfpragma if a newer one wrote the file",
			english.Quote(string(s.Coupling)))
	case s.Classes() == 0:
		return fmt.Errorf("calibration has %d maps of pairs; there must be k(k-1)/2 for k classes, three or more; fit it "+
			"again", n)
	}
	if s.VoteWeights != nil {
		if err := checkVoteWeights(s.VoteWeights, s.Classes()); err != nil {
			return err
		}
	}
	for c, m := range s.Maps {
		if m == nil && s.Coupling != againstRest {
			continue
		}
		if err := check(m); err != nil {
			return fmt.Errorf("calibration map %d: %w", c, err)
		}
	}
	if err := s.checkOrder(); err != nil {
		return err
	}
	if s.Coupling != againstRest {
		return s.checkPairs()
	}
	return s.checkCross()
}

// checkCross refuses cross exponents with which votes that go from one class to another could make the first more
// likely.
func (s Set) checkCross() error {
	k := len(s.Maps)
	if s.Cross == nil {
		return nil
	}
	if len(s.Cross) != k*k {
		return fmt.Errorf("calibration has %d cross exponents for %d maps; there must be a row of %[2]d for each, or none; "+
			"fit it again", len(s.Cross), k)
	}
	for c, m := range s.Maps {
		p, ok := m.(Power)
		if !ok {
			return fmt.Errorf("calibration has cross exponents, and map %d is no power of a share; fit it again", c)
		}
		for d := range k {
			if v := s.Cross[d*k+c]; !(v >= -steepest && v <= p.A) || c == d && v != 0 {
				return fmt.Errorf("calibration has the cross exponent %g of class %d for class %d; it must lie from %d to the "+
					"exponent of the former, %g, and be 0 for one class; fit it again", v, c, d, -steepest, p.A)
			}
		}
	}
	return nil
}

// checkPairs tells whether the maps that are missing are all those of certain classes.
func (s Set) checkPairs() error {
	k := s.Classes()
	known := s.known(make([]bool, k))
	found, want := 0, 0
	for i := range k {
		for j := range i {
			if known[i] && known[j] {
				want++
			}
		}
	}
	for _, m := range s.Maps {
		if m != nil {
			found++
		}
	}
	if found == 0 || found != want {
		return fmt.Errorf("calibration has maps for %d pairs of classes, where those that occur make %d pairs; fit it again",
			found, want)
	}
	return nil
}

// known marks the classes that have a map in some pair.
func (s Set) known(mark []bool) []bool {
	at := 0
	for i := range mark {
		for j := i + 1; j < len(mark); j++ {
			if s.Maps[at] != nil {
				mark[i], mark[j] = true, true
			}
			at++
		}
	}
	return mark
}

// inItsOrder is Probabilities for classes that are in the order of the maps.
func (s Set) inItsOrder(dst, share []float64) {
	if s.VoteWeights != nil {
		var few [32]float64 // on the stack: no allocation for up to 32 classes
		weighed := append(few[:0], share...)
		weigh(weighed, share, s.VoteWeights)
		share = weighed
	}
	switch {
	case s.Coupling != againstRest:
		s.couple(dst, share)
		return
	case s.Cross != nil:
		s.crossed(dst, share)
		return
	case len(s.Maps) == 1:
		p := s.Maps[0].Prob(share[1])
		dst[0], dst[1] = 1-p, p
		return
	}
	for c, m := range s.Maps {
		dst[c] = m.Prob(share[c])
	}
	if !normalise(dst) {
		shares(dst, share)
	}
}

// checkVoteWeights refuses weights of k classes that are not finite and above 0.
func checkVoteWeights(w []float64, k int) error {
	if len(w) != k {
		return fmt.Errorf("calibration has %d vote weights for %d classes; give one for each", len(w), k)
	}
	for c, v := range w {
		if !(v > 0) || math.IsInf(v, 1) {
			return fmt.Errorf("calibration: the vote weight of class %d is %g; give a finite one above 0", c, v)
		}
	}
	return nil
}

// weigh fills dst with the shares times the weights, divided by their sum.
func weigh(dst, share, weight []float64) {
	largest := slices.Max(weight) // so that no product is too large
	for c, s := range share {
		dst[c] = s * (weight[c] / largest)
	}
	shares(dst, dst)
}

// crossed is Probabilities with cross exponents.
func (s Set) crossed(dst, share []float64) {
	var few [32]float64 // on the stack: no allocation for up to 32 classes
	log := few[:0]
	for _, v := range share {
		log = append(log, logShare(v))
	}
	for c, m := range s.Maps {
		p := m.(Power)
		dst[c] = float64(p.A*log[c]) + p.B
		for d, v := range s.Cross[c*len(dst):][:len(dst)] {
			dst[c] += float64(v * log[d])
		}
	}
	spread(dst)
}

// shares fills dst with share divided by its sum, 1/k each where that is 0.
func shares(dst, share []float64) {
	copy(dst, share)
	if normalise(dst) {
		return
	}
	for c := range dst {
		dst[c] = 1 / float64(len(dst))
	}
}

// normalise divides p by its sum, and returns false where that is 0.
func normalise(p []float64) bool {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	if sum == 0 {
		return false
	}
	for c := range p {
		p[c] /= sum
	}
	return true
}
