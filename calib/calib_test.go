package calib

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for _, m := range Methods() {
		if got, err := Parse(string(m)); err != nil || got != m {
			t.Errorf("Parse(%q) = %q, %v", m, got, err)
		}
	}
	for name, shown := range map[string]string{
		"":                       `""`,
		"Platt":                  `"Platt"`,
		"a\nb":                   `"a\nb"`,
		string(make([]byte, 99)): `"` + strings.Repeat(`\x00`, 64) + `…"`,
	} {
		_, err := Parse(name)
		want := "calibration method " + shown +
			" is unknown; choose one of platt, platt-raw, isotonic, isotonic-step, isotonic-centred, beta, temperature, " +
			"vector, matrix, minmax, venn-abers, venn-abers-centred, auto, none; after those but temperature, vector, matrix " +
			"and none, :pairs or :coupled takes the classes pair by pair"
		if err == nil || err.Error() != want {
			t.Errorf("Parse(%q): got %v, want %s", name, err, want)
		}
		if _, again := Method(name).Fit(nil, nil, nil); again == nil || again.Error() != want {
			t.Errorf("Method(%q).Fit: got %v, want %s", name, again, want)
		}
	}
}

func TestIdentity(t *testing.T) {
	for _, tc := range []struct{ score, want float64 }{{-inf, 0}, {-.5, 0}, {0, 0}, {.3, .3}, {1, 1}, {7, 1}, {inf, 1}} {
		if got := (Identity{}).Prob(tc.score); got != tc.want {
			t.Errorf("Prob(%g) = %g, want %g", tc.score, got, tc.want)
		}
	}
	m, err := None.Fit(nil, nil, nil)
	if err != nil || m != (Identity{}) {
		t.Errorf("None.Fit = %v, %v", m, err)
	}
}

// By hand: a unanimous vote of 20 trees has odds 41:1, and the shares of two classes sum to 1.
func TestSmooth(t *testing.T) {
	for _, tc := range []struct{ votes, total, want float64 }{{0, 0, .5}, {20, 20, 41. / 42}, {0, 20, 1. / 42},
		{10, 20, .5}} {
		if got := Smooth(tc.votes, tc.total); got != tc.want {
			t.Errorf("Smooth(%g, %g) = %g, want %g", tc.votes, tc.total, got, tc.want)
		}
		if sum := Smooth(tc.votes, tc.total) + Smooth(tc.total-tc.votes, tc.total); sum != 1 {
			t.Errorf("Smooth of %g and the rest of %g sum to %g", tc.votes, tc.total, sum)
		}
	}
}

// foreign is a map that this package does not know.
type foreign struct{ Identity }

func TestCheck(t *testing.T) {
	for _, tc := range []struct {
		name string
		m    Map
		want string
	}{
		{"identity", Identity{}, ""},
		{"sigmoid", Sigmoid{A: -1e300, B: 3}, ""},
		{"NaN slope", Sigmoid{A: nan}, "sigmoid map has A = NaN and B = 0, which must be finite; fit it again"},
		{"infinite offset", Sigmoid{B: inf}, "sigmoid map has A = 0 and B = +Inf, which must be finite; fit it again"},
		{"one knot", Isotonic{Score: []float64{-3}, Value: []float64{1}}, ""},
		{"equal values", Isotonic{Score: []float64{1, 2}, Value: []float64{.5, .5}}, ""},
		{"no knot", Isotonic{}, "isotonic map has 0 scores and 0 values, which must be equally many and at least one; fit " +
			"it again"},
		{"value missing", Isotonic{Score: []float64{1, 2}, Value: []float64{.5}},
			"isotonic map has 2 scores and 1 values, which must be equally many and at least one; fit it again"},
		{"NaN score", Isotonic{Score: []float64{1, nan}, Value: []float64{0, 1}},
			"isotonic map: score 1 is NaN, which must be finite; fit it again"},
		{"infinite score", Isotonic{Score: []float64{-inf, 1}, Value: []float64{0, 1}},
			"isotonic map: score 0 is -Inf, which must be finite; fit it again"},
		{"NaN value", Isotonic{Score: []float64{1, 2}, Value: []float64{nan, 1}},
			"isotonic map: value 0 is NaN, which must lie in [0, 1]; fit it again"},
		{"negative value", Isotonic{Score: []float64{1, 2}, Value: []float64{-.1, 1}},
			"isotonic map: value 0 is -0.1, which must lie in [0, 1]; fit it again"},
		{"value above 1", Isotonic{Score: []float64{1, 2}, Value: []float64{0, 1.1}},
			"isotonic map: value 1 is 1.1, which must lie in [0, 1]; fit it again"},
		{"equal scores", Isotonic{Score: []float64{1, 1}, Value: []float64{0, 1}},
			"isotonic map: score 1 is 1, which must be larger than the one before; fit it again"},
		{"falling", Isotonic{Score: []float64{1, 2}, Value: []float64{1, 0}},
			"isotonic map: value 1 is 0, which must not be smaller than the one before; fit it again"},
		{"beta", BetaCurve{A: 0, B: 100, C: -1e300}, ""},
		{"beta falls", BetaCurve{A: -1, B: 1},
			"beta map has A = -1, B = 1 and C = 0; A and B must lie in [0, 100] and C be finite; fit it again"},
		{"beta too steep", BetaCurve{A: 1, B: 101},
			"beta map has A = 1, B = 101 and C = 0; A and B must lie in [0, 100] and C be finite; fit it again"},
		{"beta without offset", BetaCurve{C: nan},
			"beta map has A = 0, B = 0 and C = NaN; A and B must lie in [0, 100] and C be finite; fit it again"},
		{"power", Power{A: 100, B: -1e300}, ""},
		{"power falls", Power{A: -.1}, "power map has A = -0.1 and B = 0; A must lie in [0, 100] and B be finite and not " +
			"above 0; fit it again"},
		{"power above 1", Power{A: 1, B: .1},
			"power map has A = 1 and B = 0.1; A must lie in [0, 100] and B be finite and not above 0; fit it again"},
		{"power of nothing", Power{A: nan, B: -inf},
			"power map has A = NaN and B = -Inf; A must lie in [0, 100] and B be finite and not above 0; fit it again"},
		{"Venn-Abers", VennAbersTable{Score: []float64{1, 2}, Low: []float64{0, .5}, High: []float64{.5, 1}}, ""},
		{"Venn-Abers of no rows", VennAbersTable{},
			"Venn-Abers map has 0 scores, 0 low and 0 high values, which must be equally many and at least one; fit it again"},
		{"Venn-Abers cut short", VennAbersTable{Score: []float64{1}, Low: []float64{0}},
			"Venn-Abers map has 1 scores, 1 low and 0 high values, which must be equally many and at least one; fit it again"},
		{"Venn-Abers falls", VennAbersTable{Score: []float64{1, 2}, Low: []float64{.5, 0}, High: []float64{.5, 1}},
			"Venn-Abers map, of which both halves are isotonic: isotonic map: value 1 is 0, which must not be smaller than " +
				"the one before; fit it again"},
		{"Venn-Abers crossed", VennAbersTable{Score: []float64{1}, Low: []float64{.5}, High: []float64{.4}},
			"Venn-Abers map: high value 0 is 0.4, which must be above 0 and not below the low value 0.5; fit it again"},
		{"Venn-Abers without a chance", VennAbersTable{Score: []float64{1}, Low: []float64{0}, High: []float64{0}},
			"Venn-Abers map: high value 0 is 0, which must be above 0 and not below the low value 0; fit it again"},
		{"nil", nil, "calibration map of type <nil> cannot be checked or stored; use one that a method of this package fits"},
		{"foreign", foreign{}, "calibration map of type calib.foreign cannot be checked or stored; use one that a method " +
			"of this package fits"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := ""
			if err := check(tc.m); err != nil {
				got = err.Error()
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
