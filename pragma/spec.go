package pragma

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/portable"
)

// Preference is what the user wants of one class. X and Y answer two questions: "to find every row of the
// class, which precision would you accept?" and "to raise no false alarm for the class, which recall would you
// accept?" These two outcomes then count as equally good.
type Preference struct {
	Theta float64 `json:"theta"` // importance, >= 0; only ratios between classes matter
	X     float64 `json:"x"`     // precision accepted for recall 1, in [0, 1)
	Y     float64 `json:"y"`     // recall accepted for precision 1, in [0, 1)

	from shorthand // what it follows from, if not from three numbers
}

// shorthand tells preferences of [Find] from others.
type shorthand uint8

const (
	numbers shorthand = iota // none: the user gave three numbers
	open                     // x is still to follow from the share of the class
	settled                  // it does
)

// AlphaBeta returns the slopes of the plane f(r, p) = 1 + α·r + β·p, which is 1 at (0, 0), 0 at
// (1, 1), and the same at (1, x) and (y, 1): α = −(1−x)/((1−x)+(1−y)) and β = −1 − α.
func (p Preference) AlphaBeta() (alpha, beta float64) {
	a, b := 1-p.X, 1-p.Y
	return -a / (a + b), -b / (a + b)
}

// Find is the preference for a class of which no more is said than that it is to be found: θ = 10, y = 0.60 and x
// three times the share of the class among the rows, but at least 0.10 and at most 0.60. So to find every row of it,
// alarms are accepted that are right three times as often as by chance. The share is known once [Spec.For] was told;
// until then x = 0.10. [Spec.Default] judges by a curved surface where a class has this preference: by the plane of
// the other preferences the best decisions about a class that is hard to tell are often alarms on nearly all rows.
func Find() Preference { return Preference{Theta: 10, X: leastX, Y: 0.60, from: open} }

// The answer x of Find: timesChance the share of the class, within bounds. Measured over the public sets in
// bench/tuning: no set has alarms on more than half of its rows.
const (
	timesChance = 3
	leastX      = 0.10
	mostX       = 0.60
)

// For returns s with the numbers of [Find] for the classes that have it, by their name or under the key [Others]. Rows
// has a number for each class, of which only the ratios count, such as dataset.Frame.ClassWeights returns. Of another
// length, or without rows, they tell nothing, and For returns s as it is.
func (s Spec) For(classes []string, rows []float64) Spec {
	all := portable.Total(rows)
	if len(rows) != len(classes) || !(all > 0) {
		return s
	}
	out := maps.Clone(s)
	for c, name := range classes {
		p, named := s[name]
		if !named {
			p = s[Others]
		}
		if p.from == open {
			p.X, p.from = min(max(timesChance*rows[c]/all, leastX), mostX), settled
			out[name] = p
		}
	}
	return out
}

// Priority is the preference for a class that must be found: θ = 10, x = 0.10, y = 0.90, the
// setting of the priority classes in Thomas, Jouve and Nicoloyannis (EGC 2007).
func Priority() Preference { return Preference{Theta: 10, X: 0.10, Y: 0.90} }

// Neutral is the preference of a class that no one singled out: θ = 1, x = y = 0.80, the
// setting of the other classes in the same paper.
func Neutral() Preference { return Preference{Theta: 1, X: 0.80, Y: 0.80} }

// PriorityClasses returns the indices of the classes that matter most, by falling θ: those with a θ above that
// of [Neutral] if some class has exactly that, else those above the smallest θ. It returns nil if all matter
// alike.
func PriorityClasses(prefs []Preference) []int {
	if len(prefs) == 0 {
		return nil
	}
	theta := func(a, b Preference) int { return cmp.Compare(a.Theta, b.Theta) }
	bar, top := slices.MinFunc(prefs, theta).Theta, slices.MaxFunc(prefs, theta).Theta
	if n := Neutral().Theta; n < top && slices.ContainsFunc(prefs, func(f Preference) bool { return f.Theta == n }) {
		bar = n
	}
	var out []int
	for c, f := range prefs {
		if f.Theta > bar {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return theta(prefs[b], prefs[a]) })
	return out
}

// Others is the key of a [Spec] that stands for all classes without a key of their own.
const Others = "*"

// Spec holds preferences by class name. A class that it does not name has the preference under the key
// [Others], or else [Neutral].
type Spec map[string]Preference

// SpecError says what is wrong with a request of the user: a preference, the name of a measure, a cost table.
type SpecError struct {
	File   string // the name given to the reader; "" for the text form
	Line   int    // counted from 1; 0 if the fault is not in one line of a file
	Column int    // character of the line or text (in a cost table, byte), counted from 1; 0 if the fault has no place
	Err    error  // what is wrong, and how to mend it
}

// Error returns the place, if there is one, and what is wrong.
func (e *SpecError) Error() string {
	switch {
	case e.File != "" || e.Line > 0:
		return fmt.Sprintf("%s: %v", csvtext.Place(e.File, e.Line, e.Column), e.Err)
	case e.Column > 0:
		return fmt.Sprintf("character %d: %v", e.Column, e.Err)
	}
	return fmt.Sprint(e.Err)
}

// Unwrap returns Err.
func (e *SpecError) Unwrap() error { return e.Err }

// Resolve returns the preference of each class, in the order of classes.
//
// Errors (*[SpecError]): a class that is not among classes; a θ that is negative or not
// finite; θ = 0 for all classes; an x or y outside [0, 1).
func (s Spec) Resolve(classes []string) ([]Preference, error) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if name != Others && !slices.Contains(classes, name) {
			return nil, &SpecError{Err: nearest.Unknown("class", name, classes)}
		}
		if err := s[name].check(); err != nil {
			return nil, &SpecError{Err: fmt.Errorf("class %s: %w", english.Quote(name), err)}
		}
	}
	others, ok := s[Others]
	if !ok {
		others = Neutral()
	}
	prefs, counts := make([]Preference, len(classes)), len(classes) == 0
	for c, name := range classes {
		if prefs[c], ok = s[name]; !ok {
			prefs[c] = others
		}
		counts = counts || prefs[c].Theta > 0
	}
	if !counts {
		return nil, &SpecError{Err: errors.New(
			"every class has theta = 0; at least one class must count, so give it a theta above 0")}
	}
	return prefs, nil
}

// Warnings returns what the user should know about a valid Spec: classes that do not count, answers that ask
// for nothing, and preferences for classes without rows. Share is the share of each class among the rows; nil, or of
// another length, it is not known.
func (s Spec) Warnings(classes []string, share []float64) []error {
	prefs, err := s.Resolve(classes)
	if err != nil {
		return []error{err}
	}
	var warnings []error
	for c, p := range prefs {
		switch {
		case p.Theta == 0:
			warnings = append(warnings, fmt.Errorf("class %s has theta = 0: it does not count, and may never be predicted",
				english.Quote(classes[c])))
		case p.X == 0 && p.Y == 0:
			warnings = append(warnings, fmt.Errorf(
				"class %s has x = 0 and y = 0: alarms on all rows would be as good as none at all, and recall counts as much as "+
					"precision; write what you would accept, such as x = 0.2 and y = 0.6", english.Quote(classes[c])))
		case len(share) == len(prefs) && share[c] == 0:
			warnings = append(warnings, fmt.Errorf("class %s has no rows: its preference is left out",
				english.Quote(classes[c])))
		}
	}
	return warnings
}

func (p Preference) check() error {
	return cmp.Or(checkValue("theta", p.Theta), checkValue("x", p.X), checkValue("y", p.Y))
}

// checkValue checks one of the three numbers of a preference.
func checkValue(key string, v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("%s = %v is not a finite number; write one", key, v)
	case key == "theta" && v < 0:
		return fmt.Errorf("theta = %v is negative; write 0 or more", v)
	case key == "theta" || v >= 0 && v < 1:
		return nil
	case v > 1 && v < 10:
		return fmt.Errorf("%s = %v is outside [0, 1); write %s = %.15g for %v %%, or %s = %.15g for %.15g %%", key, v, key,
			v/100, v, key, v/10, 10*v)
	case v > 1 && v < 100:
		return fmt.Errorf("%s = %v looks like a percentage; write %s = %.15g", key, v, key, v/100)
	case v == 1:
		return fmt.Errorf("%s = 1 is outside [0, 1): it would give up nothing; write at most 0.99", key)
	}
	return fmt.Errorf("%s = %v is outside [0, 1); write a share such as 0.2", key, v)
}
