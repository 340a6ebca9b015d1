package pragma_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12 }

// matrix returns a confusion matrix of classes a, b, c ... with the given cells.
func matrix(rows ...[]float64) *vote.Confusion {
	m := vote.NewConfusion(strings.Split("abcdefgh", "")[:len(rows)])
	for i, row := range rows {
		for j, w := range row {
			m.Add(i, j, w)
		}
	}
	return m
}

// randomMatrix returns a matrix in which rows and columns may be empty.
func randomMatrix(rng *rand.Rand) *vote.Confusion {
	k := 2 + rng.IntN(4)
	rows := make([][]float64, k)
	for i := range rows {
		rows[i] = make([]float64, k)
		for j := range rows[i] {
			rows[i][j] = max(0, math.Floor(20*rng.Float64()-float64(rng.IntN(20))))
		}
	}
	return matrix(rows...)
}

func TestAlphaBeta(t *testing.T) {
	for _, tc := range []struct{ x, y, alpha, beta float64 }{
		{0.10, 0.90, -0.9, -0.1}, // Thomas, Jouve and Nicoloyannis 2007
		{0.80, 0.80, -0.5, -0.5}, // the same
		{0, 0, -0.5, -0.5},       // by hand
		{0.2, 0.6, -2.0 / 3, -1.0 / 3},
		{0.5, 0, -1.0 / 3, -2.0 / 3},
	} {
		p := pragma.Preference{Theta: 1, X: tc.x, Y: tc.y}
		alpha, beta := p.AlphaBeta()
		if !near(alpha, tc.alpha) || !near(beta, tc.beta) {
			t.Errorf("x %v, y %v: α %v, β %v, want %v, %v", tc.x, tc.y, alpha, beta, tc.alpha, tc.beta)
		}
		f := func(r, p float64) float64 { return 1 + alpha*r + beta*p }
		if !near(f(0, 0), 1) || !near(f(1, 1), 0) || !near(f(1, tc.x), f(tc.y, 1)) {
			t.Errorf("x %v, y %v: f(0,0) = %v, f(1,1) = %v, f(1,x) = %v, f(y,1) = %v", tc.x, tc.y, f(0, 0), f(1, 1), f(1, tc.x),
				f(tc.y, 1))
		}
	}
}

func TestPragma(t *testing.T) {
	paper := pragma.Spec{"a": pragma.Priority()}
	for _, tc := range []struct {
		name string
		spec pragma.Spec
		m    *vote.Confusion
		want float64
	}{ // by hand: (10·(0.9(1−r)+0.1(1−p)) + 0.5(1−r)+0.5(1−p)) / 11
		{"perfect", paper, matrix([]float64{10, 0}, []float64{0, 90}), 0},
		{"worst", paper, matrix([]float64{0, 10}, []float64{90, 0}), 1},
		{"half the ill are missed", paper, matrix([]float64{5, 5}, []float64{0, 90}), (10*0.9*0.5 + 0.5*5/95) / 11},
		{"half of the alarms are false", paper, matrix([]float64{10, 0}, []float64{10, 80}), (10*0.1*0.5 + 0.5*1.0/9) / 11},
		{"A194 a class never predicted has precision 0", paper, matrix([]float64{0, 10}, []float64{0, 90}),
			(10 + 0.5*0.1) / 11},
		{"a class without rows leaves the mean", paper, matrix([]float64{0, 0}, []float64{10, 90}), 0.5 * 0.1},
		{"no rows", paper, matrix([]float64{0, 0}, []float64{0, 0}), 1},
		{"only rows that do not count", pragma.Spec{"b": {Theta: 0, X: 0.8, Y: 0.8}}, matrix([]float64{0, 0},
			[]float64{10, 90}), 1},
		{"three classes, others by *", pragma.Spec{"a": {Theta: 2, X: 0.5, Y: 0}, "*": {Theta: 1, X: 0, Y: 0}},
			matrix([]float64{30, 10, 0}, []float64{5, 15, 0}, []float64{5, 0, 15}), (2*(0.25/3+2*0.25/3) + (0.5*0.25 + 0.5*0.4) +
				0.5*0.25) / 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			measure, err := tc.spec.Measure(tc.m.Classes)
			if err != nil {
				t.Fatal(err)
			}
			if got := measure.Loss(tc.m); !near(got, tc.want) {
				t.Errorf("PRAGMA = %v, want %v", got, tc.want)
			}
		})
	}
}

// PRAGMA lies in [0, 1], only ratios of θ matter (A171), and it is what its formula says.
func TestPragmaLaws(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 31))
		m := randomMatrix(rng)
		spec, scaled, huge := pragma.Spec{}, pragma.Spec{}, pragma.Spec{}
		loss, sum := 0.0, 0.0
		for c, name := range m.Classes {
			p := pragma.Preference{Theta: rng.Float64(), X: 0.999 * rng.Float64(), Y: 0.999 * rng.Float64()}
			spec[name] = p
			r, ok := m.Recall(c)
			precision, _ := m.Precision(c)
			if alpha, beta := p.AlphaBeta(); ok {
				loss += p.Theta * (1 + alpha*r + beta*precision)
				sum += p.Theta
			}
			p.Theta *= 4
			scaled[name] = p
			p.Theta *= 1e307
			huge[name] = p
		}
		want := 1.0
		if sum > 0 {
			want = loss / sum
		}
		for name, s := range map[string]pragma.Spec{"as drawn": spec, "θ times 4": scaled,
			"θ near the largest number": huge} {
			measure, err := s.Measure(m.Classes)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if got := measure.Loss(m); !near(got, want) || got < 0 || got > 1 {
				t.Fatalf("seed %d, %s: PRAGMA = %v, want %v", seed, name, got, want)
			}
		}
	}
}

func TestResolve(t *testing.T) {
	given := pragma.Preference{Theta: 3, X: 0.1, Y: 0.2}
	others := pragma.Preference{Theta: 2, X: 0, Y: 0}
	for _, tc := range []struct {
		name string
		spec pragma.Spec
		want []pragma.Preference
	}{
		{"others are neutral", pragma.Spec{"b": given}, []pragma.Preference{pragma.Neutral(), given}},
		{"others by *", pragma.Spec{"b": given, "*": others}, []pragma.Preference{others, given}},
		{"nothing said", nil, []pragma.Preference{pragma.Neutral(), pragma.Neutral()}},
		{"A175 A180 x and y of 0", pragma.Spec{"a": others}, []pragma.Preference{others, pragma.Neutral()}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := tc.spec.Resolve([]string{"a", "b"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got, comparable); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestSpecErrors(t *testing.T) {
	classes := []string{"ill", "well"}
	ill := func(theta, x, y float64) pragma.Spec { return pragma.Spec{"ill": {Theta: theta, X: x, Y: y}} }
	nan, inf := math.NaN(), math.Inf(1)
	for _, tc := range []struct {
		name string
		spec pragma.Spec
		want string
	}{
		{"A164 no class counts", pragma.Spec{"*": {}},
			"every class has theta = 0; at least one class must count, so give it a theta above 0"},
		{"A166 theta negative", ill(-1, 0, 0), `class "ill": theta = -1 is negative; write 0 or more`},
		{"A167 theta NaN", ill(nan, 0, 0), `class "ill": theta = NaN is not a finite number; write one`},
		{"A168 theta infinite", ill(inf, 0, 0), `class "ill": theta = +Inf is not a finite number; write one`},
		{"A172 unknown class", pragma.Spec{"il": pragma.Priority()},
			`unknown class "il"; known are "ill", "well"; did you mean "ill"?`},
		{"A176 x = 1", ill(1, 1, 0), `class "ill": x = 1 is outside [0, 1): it would give up nothing; write at most 0.99`},
		{"A177 x a percentage", ill(1, 20, 0), `class "ill": x = 20 looks like a percentage; write x = 0.2`},
		{"A177 x = 2", ill(1, 2, 0), `class "ill": x = 2 is outside [0, 1); write x = 0.02 for 2 %, or x = 0.2 for 20 %`},
		{"A177 x > 100", ill(1, 200, 0), `class "ill": x = 200 is outside [0, 1); write a share such as 0.2`},
		{"A178 x negative", ill(1, -0.1, 0), `class "ill": x = -0.1 is outside [0, 1); write a share such as 0.2`},
		{"A179 x NaN", ill(1, nan, 0), `class "ill": x = NaN is not a finite number; write one`},
		{"A181 y = 1", ill(1, 0, 1), `class "ill": y = 1 is outside [0, 1): it would give up nothing; write at most 0.99`},
		{"A182 y a percentage", ill(1, 0, 60), `class "ill": y = 60 looks like a percentage; write y = 0.6`},
		{"A182 y negative", ill(1, 0, -2), `class "ill": y = -2 is outside [0, 1); write a share such as 0.2`},
		{"* is checked too", pragma.Spec{"*": {Theta: -1}}, `class "*": theta = -1 is negative; write 0 or more`},
		{"the first by name is told", pragma.Spec{"z": {}, "y": {}, "ill": {Theta: -1}},
			`class "ill": theta = -1 is negative; write 0 or more`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := tc.spec.Measure(classes)
			var bad *pragma.SpecError
			if !errors.As(err, &bad) || err.Error() != tc.want {
				t.Errorf("error %v\nwant  %s", err, tc.want)
			}
		})
	}
}

func TestSpecWarnings(t *testing.T) {
	classes := []string{"a", "b", "c"}
	for _, tc := range []struct {
		name  string
		spec  pragma.Spec
		share []float64
		want  []string
	}{
		{"nothing to say", pragma.Spec{"a": pragma.Priority()}, []float64{0.1, 0.4, 0.5}, nil},
		{"A165 theta 0", pragma.Spec{"b": {}}, nil,
			[]string{`class "b" has theta = 0: it does not count, and may never be predicted`}},
		{"nothing is asked for", pragma.Spec{"b": {Theta: 1}}, nil,
			[]string{`class "b" has x = 0 and y = 0: alarms on all rows would be as good as none at all, and recall counts as much as precision; write what you would accept, such as x = 0.2 and y = 0.6`}},
		{"no rows", nil, []float64{0, 0.5, 0.5}, []string{`class "a" has no rows: its preference is left out`}},
		{"illegal", pragma.Spec{"d": {}}, nil, []string{`unknown class "d"; known are "a", "b", "c"; use one of them`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, w := range tc.spec.Warnings(classes, tc.share) {
				got = append(got, w.Error())
			}
			if diff := cmp.Diff(tc.want, got, comparable); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Which classes matter more than others follows from their importance alone.
func TestPriorityClasses(t *testing.T) {
	for _, tc := range []struct {
		name  string
		theta []float64
		want  []int
	}{
		{"alike", []float64{5, 5, 5}, nil},
		{"one of two", []float64{1, 10}, []int{1}},
		{"two importances, the larger first", []float64{1, 5, 1, 10}, []int{3, 1}},
		{"of equals the first", []float64{10, 1, 5, 10}, []int{0, 3, 2}},
		{"no classes", nil, nil},
		{"none is neutral", []float64{100, 20, 50, 20}, []int{0, 2}},
		{"less than neutral is no priority of the others", []float64{10, 1, 0, 1}, []int{0}},
		{"nothing is above neutral", []float64{1, 0.2, 0.2}, []int{0}},
	} {
		prefs := make([]pragma.Preference, len(tc.theta))
		for c, theta := range tc.theta {
			prefs[c].Theta = theta
		}
		if diff := cmp.Diff(tc.want, pragma.PriorityClasses(prefs)); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

// The numbers are worked by hand: x is three times the share, within 0.1 and 0.6.
func TestSpecFor(t *testing.T) {
	spec, err := pragma.ParseSpec("rare; known:theta=3,x=0.2,y=0.6; *")
	if err != nil {
		t.Fatal(err)
	}
	classes, rows := []string{"rare", "known", "some", "most"}, []float64{1, 9, 10, 80}
	got := spec.For(classes, rows)
	for c, want := range []pragma.Preference{{Theta: 10, X: 0.1, Y: 0.6}, {Theta: 3, X: 0.2, Y: 0.6},
		{Theta: 10, X: 0.3, Y: 0.6}, {Theta: 10, X: 0.6, Y: 0.6}} {
		p := got[classes[c]]
		if p.Theta != want.Theta || p.X != want.X || p.Y != want.Y {
			t.Errorf("%s: %v, want %v", classes[c], p, want)
		}
	}
	if again := got.For(classes, []float64{0.25, 0.25, 0.25, 0.25}); again["some"] != got["some"] {
		t.Errorf("a second look changed %v to %v", got["some"], again["some"])
	}
	if text := got.String(); !strings.Contains(text, "some:theta=10,x=0.3,y=0.6") {
		t.Errorf("the settled preferences read %s", text)
	}
	for _, tc := range []struct {
		spec pragma.Spec
		want string
	}{
		{got, "pragma:s=-1"}, {spec, "pragma:s=-1"}, {pragma.Spec{"rare": pragma.Priority()}, "pragma"},
		{pragma.Spec{}, "pragma"},
	} {
		if _, name, err := tc.spec.Default(classes, nil); err != nil || name != tc.want {
			t.Errorf("%s: the usual measure is %s, want %s (%v)", tc.spec, name, tc.want, err)
		}
	}
}
