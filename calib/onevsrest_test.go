package calib

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// half is the map that halves.
type half struct{}

func (half) Prob(s float64) float64 { return s / 2 }

// zero is the map that gives no class any probability.
type zero struct{}

func (zero) Prob(float64) float64 { return 0 }

func TestProbabilities(t *testing.T) {
	for _, tc := range []struct {
		name        string
		maps        []Map
		share, want []float64 // by hand
	}{
		{"two classes", []Map{half{}}, []float64{.4, .6}, []float64{.7, .3}},
		{"two classes, no hit", []Map{zero{}}, []float64{.4, .6}, []float64{1, 0}},
		{"nothing to do", []Map{Identity{}, Identity{}, Identity{}}, []float64{.25, .25, .5}, []float64{.25, .25, .5}},
		{"divided by the sum", []Map{half{}, Identity{}, Identity{}}, []float64{.5, .25, .25}, []float64{1. / 3, 1. / 3,
			1. / 3}},
		{"K280 all zero: the shares", []Map{zero{}, zero{}, zero{}}, []float64{.5, .25, .25}, []float64{.5, .25, .25}},
		{"K280 all zero: counts of votes", []Map{zero{}, zero{}, zero{}}, []float64{2, 1, 1}, []float64{.5, .25, .25}},
		{"K280 no votes either: uniform", []Map{zero{}, zero{}, zero{}, zero{}}, make([]float64, 4), []float64{.25, .25, .25,
			.25}},
		{"tiny sum", []Map{Identity{}, zero{}, zero{}}, []float64{5e-324, 0, 0}, []float64{1, 0, 0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := Set{Maps: tc.maps}
			if o.Classes() != len(tc.share) {
				t.Errorf("Classes() = %d, want %d", o.Classes(), len(tc.share))
			}
			got := make([]float64, len(tc.share))
			o.Probabilities(got, tc.share)
			for c := range got {
				if !near(got[c], tc.want[c], 1e-15) {
					t.Fatalf("got %v, want %v", got, tc.want)
				}
			}
		})
	}
}

func TestFitOneVsRestTwoClasses(t *testing.T) {
	share := []float64{.8, .2, .6, .4, .5, .5, .3, .7}
	truth := []int{0, 1, -1, 1} // the third row is skipped
	o, err := oneVsRestOf(PlattLogit.Fit, share, truth, nil, 2)
	if err != nil || len(o.Warnings) > 0 {
		t.Fatal(err, o.Warnings)
	}
	want, err := sigmoidOf([]float64{.2, .4, .7}, []bool{false, true, true}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Map{want}, o.Maps); d != "" {
		t.Error(d)
	}
	got := make([]float64, 2)
	o.Probabilities(got, []float64{.1, .9})
	if got[1] != want.Prob(.9) || got[0] != 1-got[1] {
		t.Errorf("got %v, want the map of class 1 and its complement", got)
	}
}

func TestFitOneVsRestManyClasses(t *testing.T) {
	share := []float64{
		.7, .2, .1,
		.1, .6, .3,
		.2, .2, .6,
		.3, .4, .3,
	}
	truth, weight := []int{0, 1, 2, 0}, []float64{1, 2, 1, 3}
	o, err := oneVsRestOf(IsotonicStep.Fit, share, truth, weight, 3)
	if err != nil || len(o.Warnings) > 0 {
		t.Fatal(err, o.Warnings)
	}
	for c := range 3 {
		score, hit := make([]float64, 4), make([]bool, 4)
		for i := range truth {
			score[i], hit[i] = share[i*3+c], truth[i] == c
		}
		if d := cmp.Diff(mustFit(t, IsotonicStep, score, hit, weight), o.Maps[c]); d != "" {
			t.Errorf("class %d: %s", c, d)
		}
	}
}

func TestFitOneVsRestWarns(t *testing.T) {
	even := []float64{.5, .3, .2, .6, .2, .2, .2, .6, .2}
	for _, tc := range []struct {
		name   string
		share  []float64
		truth  []int
		weight []float64
		k      int
		class  int
		want   string
	}{
		{"K277 class without a row", even, []int{0, 0, 1}, nil, 3, 2,
			"class 2: it has no row to calibrate on, so its vote share is taken as its probability; add rows of it"},
		{"K277 class without weight", even, []int{0, 2, 1}, []float64{1, 0, 1}, 3, 2,
			"class 2: it has no row to calibrate on, so its vote share is taken as its probability; add rows of it"},
		{"K267 all shares equal", []float64{.5, .3, .2, .6, .2, .2, .2, .6, .2}, []int{0, 2, 1}, nil, 3, 2,
			"class 2: all its shares are equal, so its probability is the same for every row; grow more trees or add columns"},
		{"K267 all shares equal but that of a row without weight", []float64{.5, .3, .2, .6, .2, .2, .2, .6, .2, .1, .1, .8},
			[]int{0, 2, 1, 2}, []float64{1, 1, 1, 0}, 3, 2,
			"class 2: all its shares are equal, so its probability is the same for every row; grow more trees or add columns"},
		{"K267 the row without weight first", []float64{.1, .1, .8, .5, .3, .2, .6, .2, .2, .2, .6, .2}, []int{2, 0, 2, 1},
			[]float64{0, 1, 1, 1}, 3, 2,
			"class 2: all its shares are equal, so its probability is the same for every row; grow more trees or add columns"},
		{"backwards", []float64{.9, .1, .1, .9}, []int{1, 0}, nil, 2, 1,
			"class 1: its probability would fall as its share rises, as happens by chance on few rows or few groups, so it is " +
				"the same for every row; calibrate on more rows, or with the method isotonic"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o, err := oneVsRestOf(PlattLogit.Fit, tc.share, tc.truth, tc.weight, tc.k)
			if err != nil {
				t.Fatal(err)
			}
			if len(o.Warnings) != 1 || o.Warnings[0].Error() != tc.want {
				t.Fatalf("warnings %v, want %s", o.Warnings, tc.want)
			}
			var class *ClassError
			if !errors.As(o.Warnings[0], &class) || class.Class != tc.class {
				t.Errorf("%v is not a ClassError of class %d", o.Warnings[0], tc.class)
			}
			if err := o.Check(); err != nil {
				t.Error(err)
			}
			dst := make([]float64, tc.k)
			o.Probabilities(dst, tc.share[:tc.k])
			for c, p := range dst {
				if !(p > 0 && p < 1) {
					t.Errorf("class %d has probability %g", c, p)
				}
			}
		})
	}
}

func TestFitOneVsRestRefuses(t *testing.T) {
	share := []float64{.5, .5, .1, .9}
	for _, tc := range []struct {
		name   string
		share  []float64
		truth  []int
		weight []float64
		k      int
		want   string
	}{
		{"one class asked for", share, []int{0, 0, 0, 0}, nil, 1, "calibration: 1 classes; there must be 2 or more"},
		{"shares missing", share[:3], []int{0, 1}, nil, 2,
			"calibration: 3 shares and 0 weights for 2 rows and 2 classes; give 4 shares and 2 weights (nil weights mean 1 " +
				"each)"},
		{"weights missing", share, []int{0, 1}, []float64{1}, 2,
			"calibration: 4 shares and 1 weights for 2 rows and 2 classes; give 4 shares and 2 weights (nil weights mean 1 " +
				"each)"},
		{"K271 n = 0", nil, nil, nil, 2, "calibration: there are no rows; give rows whose class is known"},
		{"class too large", share, []int{0, 2}, nil, 2, "calibration: class 2 of row 1 is outside -1..1; correct it"},
		{"class too small", share, []int{-2, 1}, nil, 2, "calibration: class -2 of row 0 is outside -1..1; correct it"},
		{"K273 all weights zero", share, []int{0, 1}, []float64{0, 0}, 2, errNoWeight.Error()},
		{"no class known", share, []int{-1, -1}, nil, 2, errNoWeight.Error()},
		{"K269 one class only", share, []int{1, 1}, nil, 2, ErrOneClass.Error()},
		{"K269 one class of known rows", share, []int{1, -1}, nil, 2, ErrOneClass.Error()},
		{"K276 NaN share", []float64{.5, .5, .1, nan}, []int{0, 1}, nil, 2,
			"class 1: calibration: score 1 is NaN; correct it to a finite number, or leave the row out"},
		{"K274 negative weight", share, []int{0, 1}, []float64{1, -1}, 2,
			"class 1: calibration: weight 1 is -1; correct it to a finite number, 0 or more"},
		{"NaN weight", share, []int{0, 1}, []float64{nan, 1}, 2,
			"class 1: calibration: weight 0 is NaN; correct it to a finite number, 0 or more"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o, err := oneVsRestOf(PlattLogit.Fit, tc.share, tc.truth, tc.weight, tc.k)
			if err == nil || err.Error() != tc.want || o.Maps != nil {
				t.Errorf("got %v, %v, want %s", o, err, tc.want)
			}
		})
	}
}

// What a fit says is found behind the class it says it of.
func TestFitOneVsRestPassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	fit := func(score []float64, _ []bool, _ []float64) (Map, error) {
		if score[0] == .3 {
			return nil, broken
		}
		return Identity{}, nil
	}
	_, err := oneVsRestOf(fit, []float64{.5, .3, .2, .2, .2, .6}, []int{0, 2}, nil, 3)
	if err != nil {
		t.Errorf("class 1 has no row, and is fitted: %v", err)
	}
	_, err = oneVsRestOf(fit, []float64{.5, .3, .2, .2, .2, .6}, []int{0, 1}, nil, 3)
	if class, ok := errors.AsType[*ClassError](err); !ok || class.Class != 1 || !errors.Is(err, broken) {
		t.Errorf("got %v, want the error of class 1", err)
	}
}

func TestOneVsRestCheck(t *testing.T) {
	for _, tc := range []struct {
		maps []Map
		want string
	}{
		{nil, "calibration has 0 maps; there must be one for two classes, or one for each of three or more; fit it again"},
		{[]Map{Identity{}, Identity{}},
			"calibration has 2 maps; there must be one for two classes, or one for each of three or more; fit it again"},
		{[]Map{Identity{}, Identity{}, Sigmoid{A: math.Inf(-1)}},
			"calibration map 2: sigmoid map has A = -Inf and B = 0, which must be finite; fit it again"},
	} {
		if err := (Set{Maps: tc.maps}).Check(); err == nil || err.Error() != tc.want {
			t.Errorf("got %v, want %s", err, tc.want)
		}
	}
}

// A sigmoid that would fall is replaced by the share of the class among the rows, smoothed as
// Platt's targets are: here 1 of 4 rows, (1+1)/(4+2), by hand.
func TestNoMapFalls(t *testing.T) {
	share := []float64{.9, .1, .2, .8, .1, .9, .3, .7}
	o, err := oneVsRestOf(PlattLogit.Fit, share, []int{1, 0, 0, 0}, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []float64{0.001, 0.5, 0.999} {
		if p := o.Maps[0].Prob(s); math.Abs(p-2.0/6) > 1e-15 {
			t.Errorf("Prob(%g) = %g, want 1/3", s, p)
		}
	}
}
