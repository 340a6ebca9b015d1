package calib

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/race"
)

// scipys is testdata/matrix.json, the work of testdata/matrix.py: minima of scipy, by the definitions.
type scipys struct {
	Binary []struct {
		Case  string
		Slope float64   // 1/T by Platt's targets
		Curve []float64 // a, b, c
	}
	Classes []struct {
		Slope  float64
		Matrix []float64 // at the rows
	}
}

func readScipys(t *testing.T) scipys {
	t.Helper()
	data, err := os.ReadFile("testdata/matrix.json")
	if err != nil {
		t.Fatal(err)
	}
	var p scipys
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Binary) != 2 || len(p.Classes) != 3 {
		t.Fatalf("testdata/matrix.json has %d and %d cases, want 2 and 3", len(p.Binary), len(p.Classes))
	}
	return p
}

func TestMatrixAgreesWithScipy(t *testing.T) {
	want := readScipys(t)
	cases, _ := references(t)
	pythons := readPythons(t)
	for _, w := range want.Binary {
		r := cases[w.Case]
		var share []float64
		for _, b := range pythons.Binary {
			if b.Case == w.Case {
				share = b.Share
			}
		}
		m := mustFit(t, Matrix, share, r.hit, r.weight).(BetaCurve)
		for i, got := range []float64{m.A, m.B, m.C} {
			if !near(got, w.Curve[i], 1e-6) {
				t.Errorf("%s: %v, want %v", w.Case, m, w.Curve)
			}
		}
	}
	for i, w := range want.Classes {
		c := pythons.Classes[i]
		rows := Rows{K: c.K, Share: c.Share, Truth: c.Truth, Weight: c.Weight}
		set := refit(t, Matrix, rows)
		for i := range c.Truth {
			for class, p := range rows.ofRow(set, i) {
				if w := w.Matrix[i*c.K+class]; !near(p, w, 1e-7) {
					t.Fatalf("%d classes, row %d, class %d: %.17g, want %.17g", c.K, i, class, p, w)
				}
			}
		}
	}
}

// A temperature is fitted to Platt's targets, not to the labels as Guo and scikit-learn fit it: 1/T is a little
// smaller, the less the more rows there are, and with votes that are always right it does not grow without bounds.
func TestTemperatureHasPlattsTargets(t *testing.T) {
	pythons, want := readPythons(t), readScipys(t)
	for i, w := range want.Classes {
		c := pythons.Classes[i]
		set := refit(t, Temperature, Rows{K: c.K, Share: c.Share, Truth: c.Truth, Weight: c.Weight})
		got := set.Maps[0].(Power).A
		if !near(got, w.Slope, 1e-6) {
			t.Errorf("%d rows of %d classes: 1/T is %.9g, want %.9g", len(c.Truth), c.K, got, w.Slope)
		}
		if less := 1 - got/c.Slope; !(less > 0 && less < 3.1/float64(len(c.Truth))*float64(c.K)) {
			t.Errorf("%d rows of %d classes: 1/T is %.9g, by scikit-learn %.9g", len(c.Truth), c.K, got, c.Slope)
		}
	}
	// Ten rows, 1/T by scipy's minimize_scalar to either: 0.9595211279 to the labels (as by scikit-learn 1.9.1,
	// 0.95952112), 0.5615207825 to the targets.
	score := []float64{.05, .1, .2, .3, .4, .6, .7, .8, .9, .95}
	hit := []bool{false, false, true, false, false, true, false, true, true, true}
	if m := mustFit(t, Temperature, score, hit, nil).(Sigmoid); !near(-m.A, 0.5615207825, 1e-7) {
		t.Errorf("ten rows: 1/T is %.9g by Platt's targets", -m.A)
	}
	groups, err := pool(score, hit, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	if got := newSoftmax(logsOf(groups), countsOf(groups), 2, 0).temperature(); !near(got, 0.9595211279, 1e-7) {
		t.Errorf("ten rows: 1/T is %.9g by the labels", got)
	}
	right := mustFit(t, Temperature, []float64{.2, .3, .7, .8}, []bool{false, false, true, true}, nil).(Sigmoid)
	if a := -right.A; !(a > 0 && a < 2) { // to the labels the least loss is at infinity
		t.Errorf("of votes that are always right 1/T is %g", a)
	}
}

// At the minimum the loss does not fall in any direction: its derivatives, worked out here number by number, are
// those of the pull alone.
func TestMatrixIsTheMinimum(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 33))
		k := 3 + int(seed%4)
		rows := classProblem(r, k)
		for c := range k { // so that maps are in the order of the classes
			rows.Order = append(rows.Order, c)
		}
		set := refit(t, Matrix, rows)
		temperature := refit(t, Temperature, rows).Maps[0].(Power).A
		if temperature == 0 {
			continue
		}
		n := 0.0
		for _, w := range rows.Weight {
			n += w
		}
		offset := make([]float64, k)
		mean := 0.0
		for c := range k {
			offset[c] = set.Maps[c].(Power).B
			mean += offset[c] / float64(k)
		}
		for c := range k {
			for j := range k + 1 {
				// what is added to all offsets changes nothing: the least squares are about the mean
				gradient, pull := 0.0, 2*float64(k)*(offset[c]-mean)
				for i, t := range rows.Truth {
					x := 1.0
					if j < k {
						x = temperature * math.Log(rows.Share[i*k+j])
					}
					y := 0.0
					if t == c {
						y = 1
					}
					gradient += rows.Weight[i] * (rows.ofRow(set, i)[c] - y) * x
				}
				switch {
				case j == c:
					pull = 2 * float64(k) * (set.Maps[c].(Power).A/temperature - 1)
				case j < k:
					pull = 2 * float64(k*(k-1)) * set.Cross[c*k+j] / temperature
				}
				if !near((gradient+pull)/n, 0, 1e-7) {
					t.Fatalf("seed %d, %d classes: derivative %d of class %d is %g, of the pull %g", seed, k, j, c, gradient, pull)
				}
			}
		}
	}
}

// Votes that go from one class to another never make the one that loses them likelier beside the other.
func TestMatrixIsMonotone(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 34))
		k := 3 + int(seed%4)
		rows := classProblem(r, k)
		if seed%2 == 0 { // labels drawn anew, against which the votes may speak
			r.Shuffle(len(rows.Truth), func(i, j int) { rows.Truth[i], rows.Truth[j] = rows.Truth[j], rows.Truth[i] })
		}
		set := refit(t, Matrix, rows)
		if err := set.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		share, prob := make([]float64, k), make([]float64, k)
		for range 30 {
			for c := range share {
				share[c] = r.Float64() + .01
			}
			c, d := r.IntN(k), r.IntN(k)
			if c == d {
				continue
			}
			before, votes := math.Inf(-1), share[c]+share[d]
			for step := 1; step < 20; step++ {
				share[c], share[d] = votes*float64(step)/20, votes*float64(20-step)/20
				set.Probabilities(prob, share)
				odds := math.Log(prob[c]) - math.Log(prob[d])
				if odds < before-1e-9 {
					t.Fatalf("seed %d: with votes going from class %d to %d its log odds fall from %g to %g", seed, d, c, before, odds)
				}
				before = odds
			}
		}
	}
}

// Numbers beside the diagonal that are larger than the one on it, or on it below 0 or too large, are brought within
// bounds.
func TestDominate(t *testing.T) {
	w := []float64{
		1, 2, 300,
		5, -1, -200,
		0, 0, 200,
	}
	dominate(w, 3)
	want := []float64{
		1, 0, 100,
		1, 0, -100,
		0, 0, 100,
	}
	if d := cmp.Diff(want, w); d != "" {
		t.Error(d)
	}
}

// Rows without a class, votes that always are right or always wrong, and rows of next to no weight.
func TestMatrixOfDegenerateRows(t *testing.T) {
	for _, tc := range []struct {
		name string
		rows Rows
	}{
		{"always right", Rows{K: 3, Share: []float64{.8, .1, .1, .1, .8, .1, .1, .1, .8}, Truth: []int{0, 1, 2}}},
		{"always wrong", Rows{K: 3, Share: []float64{.8, .1, .1, .1, .8, .1, .1, .1, .8}, Truth: []int{1, 2, 0}}},
		{"a class without rows", Rows{K: 3, Share: []float64{.8, .1, .1, .1, .8, .1, .1, .1, .8}, Truth: []int{0, 1, 1}}},
		{"shares of 0 and 1", Rows{K: 3, Share: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0}, Truth: []int{0, 1, 2, 1}}},
		{"weights far apart", Rows{K: 3, Share: []float64{.8, .1, .1, .1, .8, .1, .1, .1, .8}, Truth: []int{0, 1, 2},
			Weight: []float64{1e-10, 1, 1e10}}},
		{"two classes, always right", Rows{K: 2, Share: []float64{.8, .2, .2, .8}, Truth: []int{0, 1}}},
		{"two classes, always wrong", Rows{K: 2, Share: []float64{.8, .2, .2, .8}, Truth: []int{1, 0}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set := refit(t, Matrix, tc.rows)
			if err := set.Check(); err != nil {
				t.Fatal(err)
			}
			for i := range tc.rows.Truth {
				sum := 0.0
				for _, p := range tc.rows.ofRow(set, i) {
					if !(p > 0 && p < 1) {
						t.Errorf("row %d: probability %g", i, p)
					}
					sum += p
				}
				if !near(sum, 1, 1e-12) {
					t.Errorf("row %d: the probabilities sum to %g", i, sum)
				}
			}
		})
	}
}

const storedCross = `{"cross":[0,0.5,-1,0.25,0,0,0,0,0],"maps":[{"kind":"power","a":1,"b":0},{"kind":"power","a":2,"b":-1},{"kind":"power","a":0.5,"b":-2}]}`

func TestStoredFormOfCross(t *testing.T) {
	var set Set
	if err := json.Unmarshal([]byte(storedCross), &set); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(set); err != nil || string(again) != storedCross {
		t.Errorf("written as %s (%v)", again, err)
	}
	// By hand: e^0·0.5¹·0.25^½·0.25⁻¹ = 1, e⁻¹·0.5^¼·0.25² and e⁻²·0.25^½, over their sum.
	values := []float64{1, math.Exp(-1) * math.Pow(.5, .25) * .0625, math.Exp(-2) * .5}
	sum := values[0] + values[1] + values[2]
	prob := make([]float64, 3)
	set.Probabilities(prob, []float64{.5, .25, .25})
	for c, p := range prob {
		if !near(p, values[c]/sum, 1e-12) {
			t.Errorf("class %d: %.17g, want %.17g", c, p, values[c]/sum)
		}
	}
	for name, bad := range map[string]string{
		"calibration has 2 cross exponents for 3 maps": strings.Replace(storedCross, "[0,0.5,-1,0.25,0,0,0,0,0]",
			"[0,0.5]", 1),
		"calibration has the cross exponent 3 of class 1 for cla": strings.Replace(storedCross, "0,0.5,-1", "0,3,-1", 1),
		"calibration has the cross exponent 1 of class 0 for cla": strings.Replace(storedCross, "[0,0.5,-1", "[1,0.5,-1", 1),
		"calibration has cross exponents, and map 2 is no power ": strings.Replace(storedCross,
			`{"kind":"power","a":0.5,"b":-2}`, `{"kind":"none"}`, 1),
		"calibration has 0 cross exponents for 3 maps": strings.Replace(storedCross, "[0,0.5,-1,0.25,0,0,0,0,0]",
			"[]", 1),
		errForm.Error(): strings.Replace(storedCross, "[0,0.5,-1,0.25,0,0,0,0,0]", "null", 1),
	} {
		if err := json.Unmarshal([]byte(bad), &set); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("got %v, want %s", err, name)
		}
	}
}

// Probabilities of a matrix allocate nothing.
func TestCrossAllocatesNothing(t *testing.T) {
	race.SkipFigures(t)
	var set Set
	if err := json.Unmarshal([]byte(storedCross), &set); err != nil {
		t.Fatal(err)
	}
	prob, share := make([]float64, 3), []float64{.5, .25, .25}
	if n := testing.AllocsPerRun(100, func() { set.Probabilities(prob, share) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
