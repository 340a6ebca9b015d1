package pragma

import (
	"errors"
	"fmt"
	"math"

	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// Measure is a loss of a confusion matrix: 0 is perfect, lower is better. A search calls it from several
// goroutines at once. Those of this package are NaN for a matrix of other classes, see [CheckMeasure].
type Measure interface {
	Loss(m *vote.Confusion) float64
}

// Func makes a measure of a function. A search calls it for every step, so it should cost no more than O(k).
type Func func(*vote.Confusion) float64

// Loss calls f; it is NaN if there is no f, or no matrix.
func (f Func) Loss(m *vote.Confusion) float64 {
	if f == nil || m == nil {
		return math.NaN()
	}
	return f(m)
}

// Sum is a measure that is a function of a sum of terms, one for each class. The term of a class depends only
// on the rows of that class, the rows decided as it, and the number of rows of each class. So a row that
// changes its decision changes at most three terms, and a search recomputes only these.
type Sum interface {
	Measure
	Term(m *vote.Confusion, class int) float64
	Of(m *vote.Confusion, terms float64) float64 // the loss, given the sum of the terms
}

// sum is a Sum made of functions.
type sum struct {
	term func(m *vote.Confusion, class int) float64
	of   func(m *vote.Confusion, terms float64) float64

	classes int // how many classes it is of; 0 means any number above class
	class   int // index of a class that there must be
}

// CheckMeasure reports why m cannot judge decisions among k classes: it is nil, or it was made for another number
// of classes, as those of [Spec] and [Costs] are, or for a class that there is not. A measure of one's own passes,
// as nothing is known of it.
//
// Errors: *[SpecError].
func CheckMeasure(m Measure, k int) error {
	switch m := m.(type) {
	case nil:
		return errNoMeasure
	case Func:
		if m == nil {
			return errNoMeasure
		}
	case sum:
		if m.classes != 0 && m.classes != k {
			return &SpecError{Err: fmt.Errorf("the measure is of %d classes, where there are %d; make it for these classes",
				m.classes, k)}
		}
		return checkClass(m.class, k)
	case within:
		for _, f := range m.floors {
			if err := checkClass(f.Class, k); err != nil {
				return err
			}
		}
		return CheckMeasure(m.measure, k)
	}
	return nil
}

var errNoMeasure = &SpecError{Err: errors.New("there is no measure; give one, such as that of Spec.Measure")}

// checkClass says that there is no class of that index.
func checkClass(class, k int) error {
	if class < 0 || class >= k {
		return &SpecError{Err: fmt.Errorf("there is no class %d; the %d classes are counted from 0", class, k)}
	}
	return nil
}

func (s sum) Term(m *vote.Confusion, class int) float64   { return s.term(m, class) }
func (s sum) Of(m *vote.Confusion, terms float64) float64 { return s.of(m, terms) }

func (s sum) Loss(m *vote.Confusion) float64 {
	if m == nil || s.classes != 0 && s.classes != len(m.Classes) || s.class >= len(m.Classes) && s.class > 0 {
		return math.NaN()
	}
	var terms portable.Sum // rounded once, whatever the order of the classes
	for c := range m.Classes {
		terms.Add(s.term(m, c))
	}
	return s.of(m, terms.Value())
}

// weighing is a preference made ready for use: both weights are >= 0 and add up to 1.
type weighing struct{ theta, recall, precision float64 }

// Measure returns PRAGMA over classes, in that order:
//
//	PRAGMA  = Σ θ·f(r, p) / Σ θ,  in [0, 1]
//	f(r, p) = 1 + α·r + β·p
//
// with the recall r and the precision p of each class. A class that is never predicted has precision 0. A class
// without rows is left out of the mean; if no class is left, PRAGMA is 1.
//
// Errors: those of [Spec.Resolve].
func (s Spec) Measure(classes []string) (Measure, error) {
	prefs, err := s.Resolve(classes)
	if err != nil {
		return nil, err
	}
	weighings := weighed(prefs)
	return sum{term: weighings.term, of: weighings.of, classes: len(classes)}, nil
}

// weighed makes preferences ready, those of the plane.
func weighed(prefs []Preference) plane {
	largest := 0.0
	for _, p := range prefs {
		largest = max(largest, p.Theta)
	}
	weighings := make(plane, len(prefs))
	for c, p := range prefs {
		alpha, beta := p.AlphaBeta()
		weighings[c] = weighing{theta: p.Theta / largest, recall: -alpha, precision: -beta}
	}
	return weighings
}

// plane is the PRAGMA of the classes.
type plane []weighing

// term computes f as −α(1−r) − β(1−p), which is the same since α + β = −1, and exactly 0
// for perfect decisions.
func (w plane) term(m *vote.Confusion, c int) float64 {
	r, ok := m.Recall(c)
	if !ok {
		return 0
	}
	p, _ := m.Precision(c)
	f := float64(w[c].recall*(1-r)) + float64(w[c].precision*(1-p))
	return float64(w[c].theta * f)
}

func (w plane) of(m *vote.Confusion, terms float64) float64 {
	var sum portable.Sum
	for c := range w {
		if m.True(c) > 0 {
			sum.Add(w[c].theta)
		}
	}
	thetas := sum.Value()
	if !(thetas > 0) {
		return 1
	}
	return min(terms/thetas, 1)
}
