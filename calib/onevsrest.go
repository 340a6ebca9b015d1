package calib

import (
	"fmt"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// OneVsRest gives the probabilities of k classes. For two classes it has one map, that of
// class 1, and class 0 has the complement. For k ≥ 3 it has k maps, one for each class.
type OneVsRest struct {
	Maps     []Map
	Warnings []error // of the fit, each a *[ClassError]; not stored
}

// ClassError is what is wrong with the map of one class.
type ClassError struct {
	Class int
	Err   error
}

// Error names the class by its index.
func (e *ClassError) Error() string { return fmt.Sprintf("class %d: %v", e.Class, e.Err) }

// Unwrap returns Err.
func (e *ClassError) Unwrap() error { return e.Err }

// Classes returns k.
func (o OneVsRest) Classes() int {
	if len(o.Maps) == 1 {
		return 2
	}
	return len(o.Maps)
}

// Check tells whether o is sound: one map, or three and more, and each as [Check] wants it.
func (o OneVsRest) Check() error {
	if n := len(o.Maps); n == 0 || n == 2 {
		return fmt.Errorf("calibration has %d maps; there must be one for two classes, or one for each of three or more; fit it again", n)
	}
	for c, m := range o.Maps {
		if err := Check(m); err != nil {
			return fmt.Errorf("calibration map %d: %w", c, err)
		}
	}
	return nil
}

// Probabilities fills dst with the probabilities of a row from its k vote shares. For k ≥ 3
// they are divided by their sum. Where all are zero they are the shares divided by their
// sum; where these are all zero too, each is 1/k. Dst and share have length k and must not
// overlap.
func (o OneVsRest) Probabilities(dst, share []float64) {
	if len(o.Maps) == 1 {
		p := o.Maps[0].Prob(share[1])
		dst[0], dst[1] = 1-p, p
		return
	}
	for c, m := range o.Maps {
		dst[c] = m.Prob(share[c])
	}
	if normalise(dst) {
		return
	}
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

// FitOneVsRest fits a map for each class with fit, usually a method value such as
// PlattLogit.Fit. It calls fit with the shares of the class and the rows of that class as hits
// (for two classes once, for class 1). A class without a row of positive weight cannot be
// fitted: it keeps its share ([Identity]), with a warning. Warnings are also given where the
// shares of a class are all equal (the map is then a constant), and where a sigmoid would
// fall as the share rises (it is then a constant too, the smoothed share of the class).
//
// Shapes: share has n·k elements, row-major; truth (−1 where unknown, the row is skipped) and
// weight have n; nil weight means 1 each.
// Errors: k below 2, lengths that differ, a truth outside −1..k−1, no rows, only weights of
// 0, [ErrOneClass], and those of fit, as *[ClassError].
func FitOneVsRest(fit func(score []float64, hit []bool, weight []float64) (Map, error), share []float64, truth []int, weight []float64, k int) (OneVsRest, error) {
	rows, err := known(share, truth, weight, k)
	if err != nil {
		return OneVsRest{}, err
	}
	if k == 2 {
		rows.classes = []int{1}
	}
	var o OneVsRest
	for _, c := range rows.classes {
		m, warning, err := rows.fit(fit, c)
		if err != nil {
			return OneVsRest{}, &ClassError{c, err}
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

func known(share []float64, truth []int, weight []float64, k int) (*classRows, error) {
	n := len(truth)
	switch {
	case k < 2:
		return nil, fmt.Errorf("calibration: %d classes; there must be 2 or more", k)
	case len(share) != n*k || (weight != nil && len(weight) != n):
		return nil, fmt.Errorf("calibration: %d shares and %d weights for %d rows and %d classes; give %d shares and %d weights (nil weights mean 1 each)", len(share), len(weight), n, k, n*k, n)
	case n == 0:
		return nil, errNoRows
	}
	r := &classRows{share: share, truth: truth, weight: make([]float64, n), present: make([]bool, k)}
	for i, t := range truth {
		if t < -1 || t >= k {
			return nil, fmt.Errorf("calibration: class %d of row %d is outside -1..%d; correct it", t, i, k-1)
		}
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
func (r *classRows) fit(fit func([]float64, []bool, []float64) (Map, error), c int) (Map, error, error) {
	if !r.present[c] {
		return Identity{}, fmt.Errorf("it has no row to calibrate on, so its vote share is taken as its probability; add rows of it"), nil
	}
	n, k := len(r.truth), len(r.present)
	score, hit := make([]float64, n), make([]bool, n)
	first, equal := -1, true
	for i, t := range r.truth {
		score[i], hit[i] = r.share[i*k+c], t == c
		if r.weight[i] == 0 {
			continue
		}
		if first < 0 {
			first = i
		}
		equal = equal && score[i] == score[first]
	}
	m, err := fit(score, hit, r.weight)
	if err != nil {
		return nil, nil, err
	}
	if s, ok := m.(Sigmoid); ok && s.A > 0 {
		// Followed beyond the shares it was fitted on, such a map claims the class for rows that
		// nobody voted it for.
		return Sigmoid{B: flatOffset(hit, r.weight), Logit: s.Logit}, fmt.Errorf("its probability would fall as its share rises, as happens by chance on few rows, so it is the same for every row; calibrate on more rows, or with the method %s", IsotonicLinear), nil
	}
	if equal {
		return m, fmt.Errorf("all its shares are equal, so its probability is the same for every row; grow more trees or add columns"), nil
	}
	return m, nil, nil
}

// flatOffset returns the B of the sigmoid that is (hits + 1)/(hits + misses + 2) everywhere.
func flatOffset(hit []bool, weight []float64) float64 {
	hits, misses := 0.0, 0.0
	for i, h := range hit {
		if h {
			hits += weight[i]
		} else {
			misses += weight[i]
		}
	}
	return portable.Log((misses + 1) / (hits + 1))
}
