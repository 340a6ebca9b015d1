package pragma

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// Shaped returns PRAGMA with a curved surface instead of a plane between the outcomes that a preference
// declares equally good: for each class, the member with exponent s = shape of the family with constant
// elasticity of substitution (Arrow, Chenery, Minhas and Solow 1961),
//
//	f(r, p) = 1 − (A·r^s + B·p^s)^(1/s),  A + B = 1,  A/B = (1 − x^s)/(1 − y^s)
//
// with f(0, 0) = 1, f(1, 1) = 0 and f(1, x) = f(y, 1) for any s, and in the limit s = 0 f = 1 − r^A·p^B, A/B =
// ln x/ln y. Shape 1 is the plane of [Spec.Measure], −1 the loss 1 − F-beta with β² = A/B. The lower the shape,
// the less a high recall makes up for a low precision, and vice versa: with a shape of 0 or below, a class of
// which nothing is found has f = 1.
//
// Errors: those of [Spec.Resolve]; a shape that is not a number from −20 to 20; an x or y of 0 with a shape of
// 0 or below, for which f is not defined.
func (s Spec) Shaped(classes []string, shape float64) (Measure, error) {
	if shape == 1 {
		return s.Measure(classes)
	}
	if !(math.Abs(shape) <= mostShape) {
		return nil, &SpecError{Err: fmt.Errorf(
			"shape s = %v is no number from -%v to %v; write 1 for the plane, 0 for the geometric mean, -1 for F-beta", shape,
			mostShape, mostShape)}
	}
	if math.Abs(shape) < leastShape {
		shape = 0
	}
	prefs, err := s.Resolve(classes)
	if err != nil {
		return nil, err
	}
	weighings := weighed(prefs)
	for c, p := range prefs {
		if shape <= 0 && (p.X == 0 || p.Y == 0) {
			return nil, &SpecError{Err: fmt.Errorf(
				"class %s: x and y are above 0 with a shape of s = %v, where nothing makes up for a recall or precision of 0; "+
					"write for example 0.01", english.Quote(classes[c]), shape)}
		}
		a, b := short(p.X, shape), short(p.Y, shape)
		weighings[c].recall, weighings[c].precision = a/(a+b), b/(a+b)
	}
	return sum{
		term: func(m *vote.Confusion, c int) float64 {
			r, ok := m.Recall(c)
			if !ok {
				return 0
			}
			p, _ := m.Precision(c)
			return float64(weighings[c].theta * max(0, 1-weighings[c].mean(r, p, shape)))
		},
		of: weighings.of, classes: len(classes),
	}, nil
}

// A shape this near to 0 is 0, as the powers would all be 1; beyond the other bound only the better or the worse of
// recall and precision counts.
const (
	leastShape = 1e-4
	mostShape  = 20.0
)

// short is 1 − v^shape, for shape 0 −ln v, both with the sign of shape.
func short(v, shape float64) float64 {
	switch {
	case shape == 0:
		return -portable.Log(v)
	case v == 0:
		return 1
	}
	return 1 - portable.Exp(float64(shape*portable.Log(v)))
}

// mean is the weighted mean of exponent shape of recall and precision. The larger of the powers is taken out, so
// that none overflows.
func (w weighing) mean(r, p, shape float64) float64 {
	if shape <= 0 && (r == 0 || p == 0) || r == 0 && p == 0 {
		return 0
	}
	if shape == 0 {
		return portable.Exp(float64(w.recall*portable.Log(r)) + float64(w.precision*portable.Log(p)))
	}
	main, other, own, others := r, p, w.recall, w.precision
	if shape > 0 == (p > r) {
		main, other, own, others = p, r, w.precision, w.recall
	}
	ratio := 0.0
	if other > 0 {
		ratio = portable.Exp(float64(shape * portable.Log(other/main)))
	}
	return float64(main * portable.Exp(portable.Log(own+float64(others*ratio))/shape))
}

// Default returns the measure that weights are searched for if none is chosen, and its name, as
// [Spec.ParseMeasure] reads it. Without a preference, beside floors of recall alone, that is [Accuracy]: as few
// errors as these allow. Else it is [Spec.Measure], except for classes with the preference [Find] and beside a floor
// that is easily kept by raising next to no alarm ([PrecisionFloor], [FalseAlarms], [Alerts]): then it is
// [Spec.Shaped] with shape -1, unless an x or y is 0. By the plane, next to no alarms, all of them right, may be as
// good as many within the limit, so that chance would decide between them.
//
// Errors: those of [Spec.Resolve].
func (s Spec) Default(classes []string, floors []Floor) (m Measure, name string, err error) {
	prefs, err := s.Resolve(classes)
	if err != nil {
		return nil, "", err
	}
	recall := func(f Floor) bool { return f.What == RecallFloor }
	if len(s) == 0 && len(floors) > 0 && !slices.ContainsFunc(floors, func(f Floor) bool { return !recall(f) }) {
		return Accuracy, "accuracy", nil
	}
	curved := slices.ContainsFunc(floors, func(f Floor) bool { return !recall(f) }) ||
		slices.ContainsFunc(prefs, func(p Preference) bool { return p.from != numbers })
	if curved && !slices.ContainsFunc(prefs, func(p Preference) bool { return p.X == 0 || p.Y == 0 }) {
		m, err = s.Shaped(classes, -1)
		return m, "pragma:s=-1", err
	}
	m, err = s.Measure(classes)
	return m, "pragma", err
}

// ParseMeasure returns the measure of that name: pragma is [Spec.Measure], pragma:s=SHAPE is [Spec.Shaped], and
// the others are those of the function [ParseMeasure].
//
// Errors: those of these functions.
func (s Spec) ParseMeasure(name string, classes []string) (Measure, error) {
	kind, shape, shaped := strings.Cut(name, ":")
	if strings.TrimSpace(kind) != "pragma" {
		if kind = strings.TrimSpace(kind); kind != "f" && !slices.Contains(measures, kind) {
			return nil, &SpecError{Err: unknownMeasure(kind, append([]string{"pragma"}, measures...))}
		}
		return ParseMeasure(name, classes)
	}
	if !shaped {
		return s.Measure(classes)
	}
	text, ok := strings.CutPrefix(strings.ReplaceAll(shape, " ", ""), "s=")
	if !ok {
		return nil, &SpecError{Err: fmt.Errorf(
			"%s is not s=SHAPE; write pragma:s=0 for the geometric mean, pragma:s=-1 for F-beta", english.Quote(shape))}
	}
	v, err := csvtext.Number(text)
	if err != nil {
		return nil, &SpecError{Err: fmt.Errorf("s: %w", err)}
	}
	return s.Shaped(classes, v)
}
