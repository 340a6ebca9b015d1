// Package calib turns scores into probabilities, and judges probabilities.
//
// A [Map] is fitted on scores of rows whose class is known and which the model that gave
// the scores has not seen: vote shares of a forest, or the scores of any other model. A
// [Method] fits one by name; [FitOneVsRest] fits one for each class.
//
// Calibrating a second time: an isotonic map fitted to its own output on the same rows
// changes nothing; a sigmoid draws the probabilities a little further towards 1/2 each time,
// so fit it to the scores themselves.
package calib

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Map turns a score into the probability of the class, in [0, 1]. Vote shares lie in
// [0, 1]; scores of other models may be any real number where the map says so. A NaN score
// gives NaN.
type Map interface {
	Prob(score float64) float64
}

// Identity is the map that changes nothing: the score is taken as the probability. Scores
// below 0 or above 1 become 0 or 1.
type Identity struct{}

// Prob returns the score, clipped into [0, 1].
func (Identity) Prob(score float64) float64 { return min(max(score, 0), 1) }

// Method is a way to fit a map, by name.
type Method string

// The methods. Platt needs two classes that a logistic curve can tell apart and little data;
// isotonic needs about a thousand rows (Niculescu-Mizil and Caruana, ICML 2005) and assumes
// nothing but order.
const (
	PlattLogit     Method = "platt"         // sigmoid of the score's log odds; for shares, in [0, 1]
	PlattRaw       Method = "platt-raw"     // sigmoid of the score itself; for any real score
	IsotonicLinear Method = "isotonic"      // isotonic regression, linear between the fitted scores
	IsotonicStep   Method = "isotonic-step" // isotonic regression, a step function
	None           Method = "none"          // the score as it is
)

// Methods returns all methods, the default for votes first.
func Methods() []Method {
	return []Method{PlattLogit, PlattRaw, IsotonicLinear, IsotonicStep, None}
}

// Parse returns the method of that name, or an error that lists the names there are.
func Parse(name string) (Method, error) {
	if m := Method(name); slices.Contains(Methods(), m) {
		return m, nil
	}
	var names []string
	for _, m := range Methods() {
		names = append(names, string(m))
	}
	return "", fmt.Errorf("calibration method %.64q is unknown; choose one of %s", name, strings.Join(names, ", "))
}

// Fit fits the map of method m. Shapes and errors are those of [FitSigmoid] and
// [FitIsotonic]; None looks at nothing. The method value, such as PlattLogit.Fit, is what
// [FitOneVsRest] takes.
func (m Method) Fit(score []float64, hit []bool, weight []float64) (Map, error) {
	var fitted Map
	var err error
	switch m {
	case PlattLogit, PlattRaw:
		fitted, err = FitSigmoid(score, hit, weight, m == PlattLogit)
	case IsotonicLinear, IsotonicStep:
		fitted, err = FitIsotonic(score, hit, weight, m == IsotonicLinear)
	case None:
		fitted = Identity{}
	default:
		_, err = Parse(string(m))
	}
	if err != nil {
		return nil, err
	}
	return fitted, nil
}

// Smooth returns (votes+½)/(total+1), the share of the votes under Jeffreys' prior (1946). It
// is never 0 or 1, so that a unanimous vote of few trees has log odds no larger than the
// number of trees supports: smooth vote shares with it before PlattLogit, in fitting and in
// prediction alike.
func Smooth(votes, total float64) float64 { return (votes + 0.5) / (total + 1) }

// Check tells whether m is a map of this package with sound parameters: finite ones, and for
// an isotonic map equally many scores and values, at least one of each, strictly increasing
// scores, and values in [0, 1] that never fall.
func Check(m Map) error {
	switch m := m.(type) {
	case Identity:
		return nil
	case Sigmoid:
		if !finite(m.A) || !finite(m.B) {
			return fmt.Errorf("sigmoid map has A = %g and B = %g, which must be finite; fit it again", m.A, m.B)
		}
		return nil
	case Isotonic:
		return m.check()
	}
	return fmt.Errorf("calibration map of type %T cannot be checked or stored; use Identity, Sigmoid or Isotonic", m)
}

func (m Isotonic) check() error {
	if len(m.Score) == 0 || len(m.Score) != len(m.Value) {
		return fmt.Errorf("isotonic map has %d scores and %d values, which must be equally many and at least one; fit it again", len(m.Score), len(m.Value))
	}
	for i, s := range m.Score {
		v := m.Value[i]
		switch {
		case !finite(s):
			return fmt.Errorf("isotonic map: score %d is %g, which must be finite; fit it again", i, s)
		case !(v >= 0 && v <= 1):
			return fmt.Errorf("isotonic map: value %d is %g, which must lie in [0, 1]; fit it again", i, v)
		case i > 0 && s <= m.Score[i-1]:
			return fmt.Errorf("isotonic map: score %d is %g, which must be larger than the one before; fit it again", i, s)
		case i > 0 && v < m.Value[i-1]:
			return fmt.Errorf("isotonic map: value %d is %g, which must not be smaller than the one before; fit it again", i, v)
		}
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// ErrOneClass says that all rows of positive weight are of the same class.
var ErrOneClass = errors.New("calibration: all rows are of one class, so there is nothing to learn; add rows of another class")

var (
	errNoRows   = errors.New("calibration: there are no rows; give rows whose class is known")
	errNoWeight = errors.New("calibration: all weights are zero; give at least one row of each class a positive weight")
)
