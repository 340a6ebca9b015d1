package pragma_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// outcome is a matrix in which the first of two classes has about this recall and precision, and nothing else counts.
func outcome(recall, precision float64) *vote.Confusion {
	const rows = 1e6
	m := vote.NewConfusion([]string{"a", "b"})
	hits := recall * rows
	m.Add(0, 0, hits)
	m.Add(0, 1, rows-hits)
	if precision > 0 {
		m.Add(1, 0, hits/precision-hits)
	}
	m.Add(1, 1, rows)
	return m
}

func shaped(t *testing.T, x, y, shape float64) func(recall, precision float64) float64 {
	m, err := pragma.Spec{"a": {Theta: 3, X: x, Y: y}, "b": {Theta: 0, X: 0.5, Y: 0.5}}.Shaped([]string{"a", "b"}, shape)
	if err != nil {
		t.Fatal(err)
	}
	return func(recall, precision float64) float64 { return m.Loss(outcome(recall, precision)) }
}

// Every shape keeps the user's word: the two outcomes are equally good; perfect is 0, nothing is 1, and a better recall
// or precision is never worse.
func TestShapesKeepTheTwoAnswers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for range 3000 {
		x, y := 0.01+0.98*rng.Float64(), 0.01+0.98*rng.Float64()
		shape := -20 + 40*rng.Float64()
		if rng.IntN(4) == 0 {
			shape = []float64{-1, 0, 1, 2, 1e-5, -1e-3}[rng.IntN(6)]
		}
		f := shaped(t, x, y, shape)
		if a, b := f(1, x), f(y, 1); math.Abs(a-b) > 1e-9 {
			t.Fatalf("s = %v, x = %v, y = %v: f(1, x) = %v, f(y, 1) = %v", shape, x, y, a, b)
		}
		if best, worst := f(1, 1), f(0, 0); math.Abs(best) > 1e-12 || math.Abs(worst-1) > 1e-12 {
			t.Fatalf("s = %v, x = %v, y = %v: from %v to %v", shape, x, y, best, worst)
		}
		r, p := rng.Float64(), rng.Float64()
		at := f(r, p)
		if more := f(min(1, r+0.1), p); !(at >= 0 && at <= 1) || more > at+1e-12 {
			t.Fatalf("s = %v, x = %v, y = %v: %v at recall %v, %v a little above, precision %v", shape, x, y, at, r, more, p)
		}
	}
}

// The shapes that have names. By hand: at x = y = 0.5 A = B, so s = 0 is the geometric mean, s = -1 F1, s = 2 the
// quadratic mean.
func TestNamedShapes(t *testing.T) {
	const r, p = 0.9, 0.4
	for shape, want := range map[float64]float64{
		1: 1 - (r+p)/2, 0: 1 - math.Sqrt(r*p), -1: 1 - 2*r*p/(r+p), 2: 1 - math.Sqrt((r*r+p*p)/2),
	} {
		if got := shaped(t, 0.5, 0.5, shape)(r, p); math.Abs(got-want) > 1e-9 {
			t.Errorf("s = %v: %v, want %v", shape, got, want)
		}
	}
	// F-beta of the package itself: x = 0.2, y = 0.5 has A/B = (1−1/x)/(1−1/y) = 4, so beta = 2.
	f, err := pragma.F(0, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shaped(t, 0.2, 0.5, -1)(r, p), f.Loss(outcome(r, p)); math.Abs(got-want) > 1e-9 {
		t.Errorf("F2: %v, want %v", got, want)
	}
	// The neighbours of 0 lead to it.
	if a, b := shaped(t, 0.2, 0.6, 2e-4)(r, p), shaped(t, 0.2, 0.6, 0)(r, p); math.Abs(a-b) > 1e-3 {
		t.Errorf("s = 0.0002: %v, s = 0: %v", a, b)
	}
}

func TestShapeErrors(t *testing.T) {
	classes := []string{"a", "b"}
	spec := pragma.Spec{"a": {Theta: 1, X: 0, Y: 0.5}}
	for name, want := range map[string]string{
		"pragma:s=0":    `class "a": x and y are above 0 with a shape of s = 0`,
		"pragma:s=-1":   `class "a": x and y are above 0 with a shape of s = -1`,
		"pragma:s=21":   "shape s = 21 is no number from -20 to 20",
		"pragma:s=NaN":  `s: "NaN" is not a number`,
		"pragma:shape":  `"shape" is not s=SHAPE; write pragma:s=0`,
		"pragmatic:s=1": `unknown measure "pragmatic"`,
	} {
		_, err := spec.ParseMeasure(name, classes)
		var bad *pragma.SpecError
		if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", name, err, want)
		}
	}
	plane, err := spec.ParseMeasure("pragma", classes)
	if err != nil {
		t.Fatal(err)
	}
	one, err := spec.ParseMeasure("pragma: s = 1", classes)
	if err != nil || one.Loss(outcome(0.3, 0.7)) != plane.Loss(outcome(0.3, 0.7)) {
		t.Errorf("s = 1 is not the plane: %v", err)
	}
	if _, err := (pragma.Spec{"c": pragma.Neutral()}).Shaped(classes, 2); err == nil {
		t.Error("an unknown class passes")
	}
}

// Beside a limit that next to no alarm keeps the default is curved, unless a preference has an x or y of 0; beside
// a floor of recall it is the plane.
func TestDefault(t *testing.T) {
	classes := []string{"ill", "well"}
	few, many := outcome(0.03, 1), outcome(0.3, 0.2) // alarms within a limit
	for _, tc := range []struct {
		y      float64
		floors []pragma.Floor
		name   string
		better *vote.Confusion
	}{
		{0.3, nil, "pragma", few},
		{0.3, []pragma.Floor{{What: pragma.RecallFloor, Limit: 0.01}}, "pragma", few},
		{0.3, []pragma.Floor{{What: pragma.Alerts, Limit: 0.2}}, "pragma:s=-1", many},
		{0.3, []pragma.Floor{{What: pragma.RecallFloor, Limit: 0.01}, {What: pragma.PrecisionFloor, Limit: 0.15}},
			"pragma:s=-1", many},
		{0.3, []pragma.Floor{{What: pragma.FalseAlarms, Limit: 0.2}}, "pragma:s=-1", many},
		{0, []pragma.Floor{{What: pragma.Alerts, Limit: 0.2}}, "pragma", few},
	} {
		spec := pragma.Spec{"ill": {Theta: 10, X: 0.15, Y: tc.y}, "well": {Theta: 0, X: 0.5, Y: 0.5}}
		got, name, err := spec.Default(classes, tc.floors)
		if err != nil || name != tc.name {
			t.Fatalf("%+v: %q, %v", tc, name, err)
		}
		named, err := spec.ParseMeasure(name, classes)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*vote.Confusion{few, many} {
			if got.Loss(m) != named.Loss(m) {
				t.Errorf("%+v: not the measure of that name", tc)
			}
			if m != tc.better && got.Loss(m) <= got.Loss(tc.better) {
				t.Errorf("%+v: the other is better", tc)
			}
		}
	}
	if _, _, err := (pragma.Spec{"sick": pragma.Priority()}).Default(classes, nil); err == nil {
		t.Error("no such class, and no error")
	}
}
