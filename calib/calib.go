// Package calib turns scores into probabilities, and judges probabilities.
//
// A [Map] is fitted on scores of rows whose class is known and which the model that gave
// the scores has not seen: vote shares of a forest, or the scores of any other model. A
// [Method] fits one by name, and by [Method.FitClasses] a [Set] of them for all classes.
//
// Calibrating a second time: an isotonic map fitted to its own output on the same rows
// changes nothing; other maps draw the probabilities a little further towards 1/2 each time,
// as their targets do, so fit them to the scores themselves.
package calib

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/english"
)

// Map turns a score into the probability of the class, in [0, 1]. Vote shares lie in
// [0, 1]; scores of other models may be any real number where the map says so. A NaN score
// gives NaN.
type Map interface {
	Prob(score float64) float64
}

// Identity is the map that changes nothing: the score is the probability. Scores below 0 or above 1 become 0 or
// 1.
type Identity struct{}

// Prob returns the score, clipped into [0, 1].
func (Identity) Prob(score float64) float64 { return min(max(score, 0), 1) }

// Method is a way to fit maps, by name. For three or more classes ":pairs" or ":coupled" may follow the name,
// as in "isotonic:pairs": then there is a map for each pair of classes, see [couples]. Temperature, Vector, Matrix
// and None fit all classes at once and do not allow that.
type Method string

// The methods. Platt needs two classes that a logistic curve can tell apart and little data;
// isotonic needs about a thousand rows (Niculescu-Mizil and Caruana, ICML 2005) and assumes
// nothing but order.
const (
	PlattLogit      Method = "platt"            // sigmoid of the score's log odds; for shares, in [0, 1]
	PlattRaw        Method = "platt-raw"        // sigmoid of the score itself; for any real score
	IsotonicLinear  Method = "isotonic"         // isotonic regression, linear between the fitted scores
	IsotonicStep    Method = "isotonic-step"    // isotonic regression, a step function
	IsotonicCentred Method = "isotonic-centred" // isotonic regression that rises strictly, see centredOf
	Beta            Method = "beta"             // see BetaCurve; for shares
	// log odds, or for more classes logarithms, times one number, see Power; for shares
	Temperature Method = "temperature"
	// a slope and an offset for the logarithm of each class's share; for two classes it is Beta
	Vector Method = "vector"
	// structured matrix scaling, see Set.Cross; for two classes Beta, drawn to a temperature
	Matrix    Method = "matrix"
	MinMax    Method = "minmax"     // linear from 0 at the lowest score to 1 at the highest, a naive baseline
	VennAbers Method = "venn-abers" // see VennAbersTable; for any real score
	// VennAbersCentred rises strictly: lines through the middles of the steps of VennAbers. For any real score.
	VennAbersCentred Method = "venn-abers-centred"
	// the one that does best in five-fold cross-validation by log loss, None if none is proven
	Auto Method = "auto"
	None Method = "none" // the score as it is
)

// Methods returns all methods.
func Methods() []Method {
	return []Method{PlattLogit, PlattRaw, IsotonicLinear, IsotonicStep, IsotonicCentred, Beta, Temperature, Vector, Matrix,
		MinMax, VennAbers, VennAbersCentred, Auto, None}
}

// Parse returns the method of that name, or an error that lists the valid names.
func Parse(name string) (Method, error) {
	m := Method(name)
	_, _, err := m.split()
	if err != nil {
		return "", err
	}
	return m, nil
}

// split parts a method from its coupling.
func (m Method) split() (base Method, coupling couples, err error) {
	name, suffix, found := strings.Cut(string(m), ":")
	base, coupling = Method(name), couples(suffix)
	if slices.Contains(Methods(), base) && (!found || base.couples() && (coupling == pairwise || coupling == coupled)) {
		return base, coupling, nil
	}
	var names []string
	for _, m := range Methods() {
		names = append(names, string(m))
	}
	return "", "", fmt.Errorf("calibration method %s is unknown; choose one of %s; after those but temperature, vector, "+
		"matrix and none, :pairs or :coupled takes the classes pair by pair", english.Quote(string(m)), strings.Join(names,
		", "))
}

// Fit fits the map of method m for two classes. Shapes and errors are those of [sigmoidOf] and [isotonicOf];
// None checks nothing. A method value such as PlattLogit.Fit can be passed to [oneVsRestOf]; see also
// [Method.FitClasses].
func (m Method) Fit(score []float64, hit []bool, weight []float64) (Map, error) {
	base, _, err := m.split()
	if err != nil {
		return nil, err
	}
	var fitted Map
	switch base {
	case PlattLogit, PlattRaw:
		fitted, err = sigmoidOf(score, hit, weight, base == PlattLogit)
	case IsotonicLinear, IsotonicStep:
		fitted, err = isotonicOf(score, hit, weight, base == IsotonicLinear)
	case IsotonicCentred:
		fitted, err = centredOf(score, hit, weight)
	case Beta, Vector:
		fitted, err = betaOf(score, hit, weight)
	case Temperature:
		fitted, err = fitTemperature(score, hit, weight)
	case Matrix:
		fitted, err = fitDrawnBeta(score, hit, weight)
	case MinMax:
		fitted, err = fitMinMax(score, hit, weight)
	case VennAbers:
		fitted, err = vennAbersOf(score, hit, weight)
	case VennAbersCentred:
		fitted, err = fitVennAbersCentred(score, hit, weight)
	case Auto:
		fitted, err = fitAuto(score, hit, weight)
	default:
		fitted = Identity{}
	}
	if err != nil {
		return nil, err
	}
	return fitted, nil
}

// Smooth returns (votes+½)/(total+1), the share of the votes under Jeffreys' prior (1946). It is never 0 or 1,
// so that a unanimous vote of few trees has log odds no larger than the number of trees supports. Smooth vote
// shares with it before PlattLogit, both in fitting and in prediction.
func Smooth(votes, total float64) float64 { return (votes + 0.5) / (total + 1) }

// check tells whether m is a map of this package with sound parameters: finite ones within
// their bounds, and where it has scores and values equally many, at least one of each, strictly
// increasing scores, and values in [0, 1] that never fall.
func check(m Map) error {
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
	case BetaCurve:
		return m.check()
	case Power:
		return m.check()
	case VennAbersTable:
		return m.check()
	}
	return fmt.Errorf("calibration map of type %T cannot be checked or stored; use one that a method of this package fits",
		m)
}

func (m Isotonic) check() error {
	if len(m.Score) == 0 || len(m.Score) != len(m.Value) {
		return fmt.Errorf("isotonic map has %d scores and %d values, which must be equally many and at least one; fit it "+
			"again", len(m.Score), len(m.Value))
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
var ErrOneClass = errors.New("calibration: all rows are of one class, so there is nothing to learn; add rows of " +
	"another class")

var (
	errNoRows   = errors.New("calibration: there are no rows; give rows whose class is known")
	errNoWeight = errors.New("calibration: all weights are zero; give at least one row of each class a positive weight")
)
