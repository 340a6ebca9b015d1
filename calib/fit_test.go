package calib

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

// Targets and values of slides on calibration: a Chinese note's three examples, and table I of
// Fawcett and Niculescu-Mizil (Machine Learning 68, 2007) in increasing order of the score.
func TestPavWorkedExamples(t *testing.T) {
	for _, tc := range []struct {
		name         string
		target, want []float64
	}{
		{"already monotone", []float64{2, 4, 6, 7}, []float64{2, 4, 6, 7}},
		{"one violator", []float64{6, 4, 6, 7}, []float64{5, 5, 6, 7}},
		{"violators in a row", []float64{6, 4, 2, 7}, []float64{4, 4, 4, 7}},
		{"table I",
			[]float64{0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1},
			[]float64{0, 1. / 3, 1. / 3, 1. / 3, .5, .5, 2. / 3, 2. / 3, 2. / 3, .75, .75, .75, .75, 1, 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			blocks := make([]block, len(tc.target))
			for i, y := range tc.target {
				blocks[i] = block{float64(i), float64(i), y, 1}
			}
			var got []float64
			for _, b := range pav(blocks) {
				for range int(b.weight) {
					got = append(got, b.mean())
				}
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// Table I again, as rows in decreasing order of the score, through the public form.
func TestIsotonicTableI(t *testing.T) {
	score := []float64{.9, .8, .7, .6, .55, .5, .45, .4, .35, .3, .27, .2, .18, .1, .02}
	initial := []int{1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0}
	want := []float64{1, 1, .75, .75, .75, .75, 2. / 3, 2. / 3, 2. / 3, .5, .5, 1. / 3, 1. / 3, 1. / 3, 0}
	hit := make([]bool, len(score))
	for i, y := range initial {
		hit[i] = y == 1
	}
	for _, linear := range []bool{false, true} {
		m, err := isotonicOf(score, hit, nil, linear)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range score {
			if got := m.Prob(s); got != want[i] {
				t.Errorf("linear %t: Prob(%g) = %g, want %g", linear, s, got, want[i])
			}
		}
	}
}

// By hand: blocks 0 at 0.1 (one row), 1/2 from 0.2 to 0.4, 1 at 0.6.
func TestIsotonicForms(t *testing.T) {
	score, hit := []float64{.1, .2, .4, .6}, []bool{false, true, false, true}
	step, err := isotonicOf(score, hit, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	linear, err := isotonicOf(score, hit, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Isotonic{Score: []float64{.1, .2, .6}, Value: []float64{0, .5, 1}}, step); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(Isotonic{Score: []float64{.1, .2, .4, .6}, Value: []float64{0, .5, .5, 1}, Linear: true},
		linear); d != "" {
		t.Error(d)
	}
	for _, tc := range []struct{ score, step, linear float64 }{
		{-inf, 0, 0}, {0, 0, 0}, {.1, 0, 0}, {.15, 0, .25}, {.2, .5, .5}, {.3, .5, .5}, {.5, .5, .75}, {.6, 1, 1},
		{inf, 1, 1},
	} {
		if got := step.Prob(tc.score); got != tc.step {
			t.Errorf("step: Prob(%g) = %g, want %g", tc.score, got, tc.step)
		}
		if got := linear.Prob(tc.score); !near(got, tc.linear, 1e-15) {
			t.Errorf("linear: Prob(%g) = %g, want %g", tc.score, got, tc.linear)
		}
	}
}

// The range of these scores is larger than any float64; the middle is halfway, by hand.
func TestIsotonicHugeRange(t *testing.T) {
	m := Isotonic{Score: []float64{-math.MaxFloat64, math.MaxFloat64}, Value: []float64{0, 1}, Linear: true}
	if got := m.Prob(0); got != .5 {
		t.Errorf("Prob(0) = %g, want 0.5", got)
	}
}

func TestSigmoidProb(t *testing.T) {
	for _, tc := range []struct {
		name  string
		m     Sigmoid
		score float64
		want  float64 // by hand
	}{
		{"constant", Sigmoid{}, 3, .5},
		{"constant at infinity", Sigmoid{}, inf, .5},
		{"logistic", Sigmoid{A: -1}, math.Log(3), .75},
		{"overflow up", Sigmoid{A: -1e308}, 1e308, 1},
		{"overflow down", Sigmoid{A: 1e308, B: 1e308}, 1e308, 0},
		{"far tail keeps its digits", Sigmoid{A: -1}, -700, 9.85967654375977e-305},
		{"identity on the logit scale", Sigmoid{A: -1, Logit: true}, .2, .2},
		{"odds doubled", Sigmoid{A: -1, B: -math.Ln2, Logit: true}, .5, 2. / 3},
		{"clipped at 0", Sigmoid{A: -1, Logit: true}, -5, epsilon},
		{"clipped at 1", Sigmoid{A: -1, Logit: true}, 1, 1 - epsilon},
		{"falling", Sigmoid{A: 1, Logit: true}, .2, .8},
	} {
		if got := tc.m.Prob(tc.score); math.Abs(got-tc.want) > 1e-12*tc.want {
			t.Errorf("%s: Prob(%g) = %.17g, want %.17g", tc.name, tc.score, got, tc.want)
		}
	}
}

func TestProbOfNaN(t *testing.T) {
	for _, m := range []Map{Identity{}, Sigmoid{A: -1}, Sigmoid{A: -1, Logit: true}, BetaCurve{A: 1}, Power{A: 1},
		VennAbersTable{Score: []float64{0}, Low: []float64{.2}, High: []float64{.3}}, Isotonic{Score: []float64{0, 1},
			Value: []float64{0, 1}, Linear: true}} {
		if got := m.Prob(nan); !math.IsNaN(got) {
			t.Errorf("%T: Prob(NaN) = %g, want NaN", m, got)
		}
	}
}

// The refusals of the catalogue of bad inputs that concern a fit.
func TestFitRefuses(t *testing.T) {
	two := []bool{true, false}
	for _, tc := range []struct {
		name   string
		score  []float64
		hit    []bool
		weight []float64
		want   string
	}{
		{"K269 one class only", []float64{.1, .2}, []bool{true, true}, nil, ErrOneClass.Error()},
		{"K269 one class of positive weight", []float64{.1, .2}, two, []float64{1, 0}, ErrOneClass.Error()},
		{"K271 n = 0", nil, nil, nil, "calibration: there are no rows; give rows whose class is known"},
		{"K272 n = 1", []float64{.1}, []bool{true}, nil, ErrOneClass.Error()},
		{"K273 all weights zero", []float64{.1, .2}, two, []float64{0, 0},
			"calibration: all weights are zero; give at least one row of each class a positive weight"},
		{"K274 negative weight", []float64{.1, .2}, two, []float64{1, -1},
			"calibration: weight 1 is -1; correct it to a finite number, 0 or more"},
		{"NaN weight", []float64{.1, .2}, two, []float64{nan, 1},
			"calibration: weight 0 is NaN; correct it to a finite number, 0 or more"},
		{"infinite weight", []float64{.1, .2}, two, []float64{1, inf},
			"calibration: weight 1 is +Inf; correct it to a finite number, 0 or more"},
		{"sum of weights overflows", []float64{.1, .2}, two, []float64{math.MaxFloat64, math.MaxFloat64},
			"calibration: the weights sum to +Inf, more than 1e+15; divide all by one number, so that they sum to about the " +
				"number of rows"},
		{"sum of weights above the bound", []float64{.1, .2}, two, []float64{1e15, 1},
			"calibration: the weights sum to 1e+15, more than 1e+15; divide all by one number, so that they sum to about the " +
				"number of rows"},
		{"K276 NaN score", []float64{.1, nan}, two, nil,
			"calibration: score 1 is NaN; correct it to a finite number, or leave the row out"},
		{"infinite score", []float64{-inf, .2}, two, nil,
			"calibration: score 0 is -Inf; correct it to a finite number, or leave the row out"},
		{"labels missing", []float64{.1, .2}, two[:1], nil,
			"calibration: 2 scores, 1 labels and 0 weights; give equally many (nil weights mean 1 each)"},
		{"weights missing", []float64{.1, .2}, two, []float64{1},
			"calibration: 2 scores, 2 labels and 1 weights; give equally many (nil weights mean 1 each)"},
		{"empty weights", []float64{.1, .2}, two, []float64{},
			"calibration: 2 scores, 2 labels and 0 weights; give equally many (nil weights mean 1 each)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, m := range Methods() {
				if m == None {
					continue
				}
				fitted, err := m.Fit(tc.score, tc.hit, tc.weight)
				if err == nil || err.Error() != tc.want || fitted != nil {
					t.Errorf("%s: got %v, %v, want %q", m, fitted, err, tc.want)
				}
				if strings.HasPrefix(tc.name, "K269") && !errors.Is(err, ErrOneClass) {
					t.Errorf("%s: %v is not ErrOneClass", m, err)
				}
			}
		})
	}
}

func TestFitRefusesScoresThatAreNoShares(t *testing.T) {
	_, err := sigmoidOf([]float64{.1, 1.5}, []bool{false, true}, nil, true)
	const want = "calibration: score 1 is 1.5, outside [0, 1]; for scores that are not shares use the method platt-raw " +
		"or isotonic"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// The odd inputs of the catalogue that can be fitted.
func TestFitAccepts(t *testing.T) {
	ulp := math.Nextafter(.5, 1)
	none := []float64(nil)
	for _, tc := range []struct {
		name   string
		score  []float64
		hit    []bool
		method Method
		at     []float64
		want   []float64 // by hand; none means finite and in [0, 1]
	}{
		{"K267 all scores equal", []float64{.3, .3, .3, .3}, []bool{true, true, true, false}, IsotonicLinear,
			[]float64{0, .3, 1}, []float64{.75, .75, .75}},
		{"K267 all scores equal", []float64{.3, .3, .3, .3}, []bool{true, true, true, false}, IsotonicStep,
			[]float64{0, .3, 1}, []float64{.75, .75, .75}},
		// The mean of the targets: (3·4/5 + 1/3)/4.
		{"K267 all scores equal", []float64{.3, .3, .3, .3}, []bool{true, true, true, false}, PlattLogit, []float64{0, .3, 1},
			[]float64{41. / 60, 41. / 60, 41. / 60}},
		{"K267 all scores equal", []float64{7, 7, 7, 7}, []bool{true, true, true, false}, PlattRaw, []float64{-9, 7, 1e9},
			[]float64{41. / 60, 41. / 60, 41. / 60}},
		// Two points, so the curve passes through both targets.
		{"K268 perfect separation", []float64{.2, .8}, []bool{false, true}, PlattLogit, []float64{.2, .8}, []float64{1. / 3,
			2. / 3}},
		{"K268 perfect separation", []float64{-4, -4, 9}, []bool{false, false, true}, PlattRaw, []float64{-4, 9},
			[]float64{1. / 4, 2. / 3}},
		{"K268 perfect separation", []float64{.2, .8}, []bool{false, true}, IsotonicLinear, []float64{.2, .5, .8},
			[]float64{0, .5, 1}},
		{"K270 ties with mixed labels", []float64{.5, .5, .9}, []bool{true, false, true}, IsotonicLinear, []float64{.5, .7,
			.9}, []float64{.5, .75, 1}},
		{"K278 one ulp apart", []float64{.5, ulp}, []bool{false, true}, IsotonicLinear, []float64{.5, ulp}, []float64{0, 1}},
		{"K278 one ulp apart, backwards", []float64{.5, ulp}, []bool{true, false}, IsotonicLinear, []float64{.5, ulp},
			[]float64{.5, .5}},
		{"K278 one ulp apart", []float64{.5, ulp}, []bool{false, true}, PlattRaw, []float64{0, .5, ulp, 1}, none},
		{"K278 one ulp apart", []float64{.5, ulp}, []bool{false, true}, PlattLogit, []float64{0, .5, ulp, 1}, none},
		{"scores 0 and the smallest", []float64{0, 5e-324}, []bool{false, true}, PlattRaw, []float64{0, 5e-324, 1},
			[]float64{.5, .5, .5}},
		{"scores as large as can be", []float64{-math.MaxFloat64, math.MaxFloat64}, []bool{false, true}, PlattRaw,
			[]float64{-math.MaxFloat64, 0, math.MaxFloat64}, []float64{1. / 3, .5, 2. / 3}},
		{"scores closer than any finite A", []float64{0, 1e-310}, []bool{false, true}, PlattRaw, []float64{0, 1},
			[]float64{.5, .5}},
		{"K279 new score outside the range", []float64{.2, .4, .6}, []bool{true, false, true}, IsotonicLinear,
			[]float64{0, 1, -7, 7}, []float64{.5, 1, .5, 1}},
		{"minus zero is zero", []float64{math.Copysign(0, -1), 0, 1}, []bool{true, false, true}, IsotonicStep,
			[]float64{0, math.Copysign(0, -1)}, []float64{.5, .5}},
	} {
		t.Run(tc.name+"/"+string(tc.method), func(t *testing.T) {
			m, err := tc.method.Fit(tc.score, tc.hit, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := check(m); err != nil {
				t.Error(err)
			}
			for i, s := range tc.at {
				got := m.Prob(s)
				if !(got >= 0 && got <= 1) {
					t.Errorf("Prob(%g) = %g, not in [0, 1]", s, got)
				}
				if tc.want != nil && !near(got, tc.want[i], 1e-12) {
					t.Errorf("Prob(%g) = %.17g, want %.17g", s, got, tc.want[i])
				}
			}
		})
	}
}

// A row of weight 0 is not looked at, not even its score.
func TestFitSkipsWeightZero(t *testing.T) {
	score, hit, weight := []float64{.2, nan, .8, -inf}, []bool{false, true, true, false}, []float64{1, 0, 1, 0}
	for _, method := range Methods() {
		got, err := method.Fit(score, hit, weight)
		if err != nil {
			t.Fatal(err)
		}
		want, err := method.Fit([]float64{.2, .8}, []bool{false, true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", method, d)
		}
	}
}

// Of many scores the minimum is first looked for on coarser ones: each is the mean of neighbours, by weight, and
// all weigh what the others weighed.
func TestCoarse(t *testing.T) {
	const n = 3 << 12
	l := &likelihood{}
	for i := range n {
		l.z, l.hit, l.miss = append(l.z, float64(i)), append(l.hit, 1+float64(i%3)), append(l.miss, float64(i%2))
	}
	c := l.coarse()
	if len(c.z) != 1<<12 {
		t.Fatalf("%d scores", len(c.z))
	}
	for i, z := range c.z {
		first := 3 * i // by hand: of the weights 1, 2, 3 for hits and 0, 1, 0 or 1, 0, 1 for misses
		want, misses := float64(first)+float64(3+2*3)/7, 1.0
		if i%2 == 1 {
			want, misses = float64(first)+float64(2+2*4)/8, 2
		}
		if !near(z, want, 1e-14) || c.hit[i] != 6 || c.miss[i] != misses {
			t.Fatalf("score %d is %v for %v hits and %v misses, want %v, 6, %v", i, z, c.hit[i], c.miss[i], want, misses)
		}
	}
}

func TestMinimiseReportsFailure(t *testing.T) {
	groups, err := pool([]float64{0, 1, 2, 9}, []bool{false, true, false, true}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	l, _ := newLikelihood(groups, 2, 2)
	_, err = l.minimise([2]float64{}, 1)
	if err == nil || !strings.HasPrefix(err.Error(), "calibration: the sigmoid did not settle (gradient ") ||
		!strings.HasSuffix(err.Error(), "); use the method isotonic") {
		t.Errorf("got %v", err)
	}
	if _, err := l.minimise([2]float64{}, 50); err != nil {
		t.Error(err)
	}
}
