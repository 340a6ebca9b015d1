package calib

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// oneVsRestOf fits a map for each class with fit, usually a method value such as PlattLogit.Fit. It calls fit
// with the shares of the class and with the rows of that class as hits (for two classes once, for class 1). A
// class without a row of positive weight cannot be fitted: it keeps its share ([Identity]), with a warning.
// There is also a warning if the shares of a class are all equal (the map is then a constant), or if a sigmoid
// would fall as the share rises (it is then a constant, too: the smoothed share of the class).
//
// Shapes: share has n·k elements, row-major; truth (−1 where unknown, the row is skipped) and weight have n;
// nil weight means 1 each. Errors: k below 2, lengths that differ, a truth outside −1..k−1, no rows, only
// weights of 0, [ErrOneClass], and those of fit, as *[ClassError].
func oneVsRestOf(fit func(score []float64, hit []bool, weight []float64) (Map, error), share []float64, truth []int,
	weight []float64, k int) (Set, error) {
	rows, err := known(share, truth, weight, k)
	if err != nil {
		return Set{}, err
	}
	if k == 2 {
		rows.classes = []int{1}
	}
	var o Set
	for _, c := range rows.classes {
		m, warning, err := rows.fit(fit, c)
		if err != nil {
			return Set{}, &ClassError{c, err}
		}
		if warning != nil {
			o.Warnings = append(o.Warnings, &ClassError{c, warning})
		}
		o.Maps = append(o.Maps, m)
	}
	return o, nil
}

// classRows are checked rows for the fits of all classes.
type classRows struct {
	share   []float64
	truth   []int
	weight  []float64 // 0 where the class is unknown
	classes []int     // to be fitted
	present []bool    // len k: has a row of positive weight
}

// checkShapes refuses rows of other lengths than for k classes, and classes that there are not.
func checkShapes(share []float64, truth []int, weight []float64, k int) error {
	n := len(truth)
	switch {
	case k < 2:
		return fmt.Errorf("calibration: %d classes; there must be 2 or more", k)
	case len(share) != n*k || (weight != nil && len(weight) != n):
		return fmt.Errorf("calibration: %d shares and %d weights for %d rows and %d classes; give %d shares and %d "+
			"weights (nil weights mean 1 each)", len(share), len(weight), n, k, n*k, n)
	}
	for i, t := range truth {
		if t < -1 || t >= k {
			return fmt.Errorf("calibration: class %d of row %d is outside -1..%d; correct it", t, i, k-1)
		}
	}
	return nil
}

func known(share []float64, truth []int, weight []float64, k int) (*classRows, error) {
	n := len(truth)
	if err := checkShapes(share, truth, weight, k); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, errNoRows
	}
	r := &classRows{share: share, truth: truth, weight: make([]float64, n), present: make([]bool, k)}
	for i, t := range truth {
		if w := weightOf(weight, i); t >= 0 && w != 0 {
			r.weight[i], r.present[t] = w, true
		}
	}
	found := 0
	for c, p := range r.present {
		r.classes = append(r.classes, c)
		if p {
			found++
		}
	}
	switch found {
	case 0:
		return nil, errNoWeight
	case 1:
		return nil, ErrOneClass
	}
	return r, nil
}

// fit fits the map of class c, and returns a warning where there is one.
func (r *classRows) fit(fit fitFunc, c int) (Map, error, error) {
	if !r.present[c] {
		return Identity{}, errAbsent, nil
	}
	n, k := len(r.truth), len(r.present)
	score, hit := make([]float64, n), make([]bool, n)
	for i, t := range r.truth {
		score[i], hit[i] = r.share[i*k+c], t == c
	}
	return fitRising(fit, score, hit, r.weight)
}

// fitFunc fits a map, as [Method.Fit] does.
type fitFunc = func(score []float64, hit []bool, weight []float64) (Map, error)

var (
	errAbsent  = errors.New("it has no row to calibrate on, so its vote share is taken as its probability; add rows of it")
	errFalling = fmt.Errorf("its probability would fall as its share rises, as happens by chance on few rows or few "+
		"groups, so it is the same for every row; calibrate on more rows, or with the method %s", IsotonicLinear)
	errEqual = errors.New("all its shares are equal, so its probability is the same for every row; grow more trees or " +
		"add columns")
)

// fitRising fits a map that does not fall, and returns errFalling or errEqual where it is
// constant for that reason.
func fitRising(fit fitFunc, score []float64, hit []bool, weight []float64) (m Map, warning, err error) {
	first, equal := -1, true
	for i, w := range weight {
		if w == 0 {
			continue
		}
		if first < 0 {
			first = i
		}
		equal = equal && score[i] == score[first]
	}
	if m, err = fit(score, hit, weight); err != nil {
		return nil, nil, err
	}
	constant := false // and therefore the best of all maps that rise
	switch f := m.(type) {
	case Sigmoid:
		if f.A > 0 {
			// Followed beyond the shares it was fitted on, such a map claims the class for rows that
			// nobody voted it for.
			return Sigmoid{B: flatOffset(hit, weight), Logit: f.Logit}, errFalling, nil
		}
		constant = f.A == 0
	case BetaCurve:
		constant = f.A == 0 && f.B == 0
	}
	switch {
	case equal:
		return m, errEqual, nil
	case constant:
		return m, errFalling, nil
	}
	return m, nil, nil
}

// flatOffset returns the B of the sigmoid that is (hits + 1)/(hits + misses + 2) everywhere.
func flatOffset(hit []bool, weight []float64) float64 {
	of := map[bool][]float64{}
	for i, h := range hit {
		of[h] = append(of[h], weight[i])
	}
	return portable.Log(summed(1, of[false]) / summed(1, of[true]))
}

// summed adds weights to sum by their size, because the rounding of a sum depends on its order.
func summed(sum float64, weights []float64) float64 {
	for _, w := range slices.Sorted(slices.Values(weights)) {
		sum += w
	}
	return sum
}
