package calib

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/race"
)

// allMethods returns all methods with all couplings.
func allMethods() []Method {
	methods := Methods()
	for _, m := range Methods() {
		if m.couples() {
			methods = append(methods, m+":pairs", m+":coupled")
		}
	}
	return methods
}

// overClassProblems runs law on seeded random problems of two to five classes, with the set that
// each method fits.
func overClassProblems(t *testing.T, law func(t *testing.T, r *rand.Rand, method Method, rows Rows, set Set)) {
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 11))
		rows := classProblem(r, 2+int(seed%4))
		for _, method := range allMethods() {
			set, err := method.FitClasses(t.Context(), rows)
			if err != nil {
				t.Fatalf("seed %d, method %s: %v", seed, method, err)
			}
			law(t, r, method, rows, set)
			if t.Failed() {
				t.Fatalf("seed %d, method %s, %d classes", seed, method, rows.K)
			}
		}
	}
}

// ofRow returns the probabilities of row i.
func (r Rows) ofRow(set Set, i int) []float64 {
	dst := make([]float64, r.K)
	set.Probabilities(dst, r.Share[i*r.K:i*r.K+r.K])
	return dst
}

func refit(t *testing.T, method Method, rows Rows) Set {
	t.Helper()
	set, err := method.FitClasses(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestProbabilitiesOfClassesSumToOne(t *testing.T) {
	overClassProblems(t, func(t *testing.T, r *rand.Rand, _ Method, rows Rows, set Set) {
		if err := set.Check(); err != nil {
			t.Error(err)
		}
		if set.Classes() != rows.K {
			t.Errorf("Classes() = %d, want %d", set.Classes(), rows.K)
		}
		for range 40 {
			share := make([]float64, rows.K)
			for c := range share {
				share[c] = math.Round(r.Float64()*4) / 4 // zeros, ones and ties too
			}
			dst, sum := make([]float64, rows.K), 0.0
			set.Probabilities(dst, share)
			for _, p := range dst {
				sum += p
				if !(p >= 0 && p <= 1) {
					t.Errorf("shares %v have the probabilities %v", share, dst)
				}
			}
			if !near(sum, 1, 1e-12) {
				t.Errorf("shares %v have the probabilities %v, which sum to %.17g", share, dst, sum)
			}
		}
	})
}

func TestOrderOfRowsOfClassesIsIrrelevant(t *testing.T) {
	race.SkipFigures(t)
	overClassProblems(t, func(t *testing.T, r *rand.Rand, method Method, rows Rows, _ Set) {
		real, shuffled := rows, Rows{K: rows.K}
		real.Weight = slices.Clone(rows.Weight)
		for i := range real.Weight {
			real.Weight[i] = r.Float64() + .1
		}
		for _, i := range r.Perm(len(rows.Truth)) {
			shuffled.Share = append(shuffled.Share, rows.Share[i*rows.K:i*rows.K+rows.K]...)
			shuffled.Truth, shuffled.Weight = append(shuffled.Truth, rows.Truth[i]), append(shuffled.Weight, real.Weight[i])
		}
		a, b := refit(t, method, real), refit(t, method, shuffled)
		if d := cmp.Diff(a.Maps, b.Maps); d != "" || a.Method != b.Method {
			t.Errorf("%s, %s: %s", a.Method, b.Method, d)
		}
	})
}

func TestWeightOfClassesIsRepetition(t *testing.T) {
	race.SkipFigures(t)
	overClassProblems(t, func(t *testing.T, _ *rand.Rand, method Method, rows Rows, set Set) {
		repeated := Rows{K: rows.K}
		for i, w := range rows.Weight {
			for range int(w) {
				repeated.Share = append(repeated.Share, rows.Share[i*rows.K:i*rows.K+rows.K]...)
				repeated.Truth = append(repeated.Truth, rows.Truth[i])
			}
		}
		again := refit(t, method, repeated)
		if d := cmp.Diff(set.Maps, again.Maps); d != "" || set.Method != again.Method {
			t.Errorf("%s, %s: %s", set.Method, again.Method, d)
		}
		// A row of weight 0 is removed, whatever is in it.
		more := rows
		for c := range rows.K {
			more.Share = append(more.Share[:len(more.Share):len(more.Share)], nan*float64(c))
		}
		more.Truth, more.Weight = append(more.Truth[:len(more.Truth):len(more.Truth)], 0),
			append(more.Weight[:len(more.Weight):len(more.Weight)], 0)
		if d := cmp.Diff(set.Maps, refit(t, method, more).Maps); d != "" {
			t.Errorf("with a row of weight 0: %s", d)
		}
	})
}

// class returns what the class is called elsewhere that is i in the set.
func (s Set) class(i int) int {
	if s.Order == nil {
		return i
	}
	return s.Order[i]
}

// Classes that are listed in another order have the same probabilities, bit for bit, and the same warnings.
func TestNumbersOfClassesAreIrrelevant(t *testing.T) {
	overClassProblems(t, func(t *testing.T, r *rand.Rand, method Method, rows Rows, set Set) {
		k := rows.K
		p := r.Perm(k)
		moved := Rows{K: k, Share: make([]float64, len(rows.Share)), Weight: rows.Weight}
		for i, t := range rows.Truth {
			moved.Truth = append(moved.Truth, p[t])
			for c := range k {
				moved.Share[i*k+p[c]] = rows.Share[i*k+c]
			}
		}
		weight := make([]float64, k)
		for i, c := range rows.Truth {
			weight[c] += rows.Weight[i]
		}
		slices.Sort(weight)
		if r.IntN(2) == 0 || len(slices.Compact(weight)) < k { // in an order of their own
			for _, c := range r.Perm(k) {
				rows.Order, moved.Order = append(rows.Order, c), append(moved.Order, p[c])
			}
			set = refit(t, method, rows)
		}
		after := refit(t, method, moved)
		for i := range rows.Truth {
			a, b := rows.ofRow(set, i), moved.ofRow(after, i)
			for c := range k {
				if a[c] != b[p[c]] {
					t.Fatalf("%s, row %d, class %d: probability %.17g, as class %d %.17g", method, i, c, a[c], p[c], b[p[c]])
				}
			}
		}
		if k == 2 && set.class(1) != slices.Index(p, after.class(1)) {
			t.Errorf("%s: the map is that of class %d, and of %d, which was %d", method, set.class(1), after.class(1),
				slices.Index(p, after.class(1)))
		}
		for i, w := range set.Warnings {
			var of, now *ClassError
			if errors.As(w, &of) && (!errors.As(after.Warnings[i], &now) || now.Class != p[of.Class] ||
				now.Err.Error() != of.Err.Error()) {
				t.Errorf("%s: warning %v becomes %v, class %d is now %d", method, w, after.Warnings[i], of.Class, p[of.Class])
			}
		}
	})
}

// Of two classes the map is that of the rarer one, or of the second in the order that is asked for.
func TestMapOfTwoClasses(t *testing.T) {
	rows := Rows{K: 2, Share: []float64{0.8, 0.2, 0.6, 0.4, 0.3, 0.7, 0.1, 0.9, 0.2, 0.8}, Truth: []int{0, 1, 0, 1, 1}}
	for _, tc := range []struct {
		name   string
		order  []int
		weight []float64
		want   []int
	}{
		{"class 0 is rarer", nil, nil, []int{1, 0}},
		{"class 1 weighs less", nil, []float64{2, 1, 2, 1, 1}, nil},
		{"equally common, as they are listed", nil, []float64{1.5, 1, 1.5, 1, 1}, nil},
		{"as asked for", []int{0, 1}, nil, nil},
		{"as asked for", []int{1, 0}, []float64{2, 1, 2, 1, 1}, []int{1, 0}},
	} {
		rows.Order, rows.Weight = tc.order, tc.weight
		set := refit(t, Beta, rows)
		if !slices.Equal(set.Order, tc.want) {
			t.Errorf("%s: order %v, want %v", tc.name, set.Order, tc.want)
		}
		one := set.class(1)
		hit, score := make([]bool, 5), make([]float64, 5)
		for i, c := range rows.Truth {
			hit[i], score[i] = c == one, rows.Share[2*i+one]
		}
		want, err := betaOf(score, hit, rows.Weight)
		if err != nil || set.Maps[0] != want {
			t.Errorf("%s: map %v, fitted to class %d alone %v (%v)", tc.name, set.Maps[0], one, want, err)
		}
	}
}

// Temperature, and the sigmoid of two classes, keep the order of the classes of a row.
func TestTemperatureKeepsTheOrder(t *testing.T) {
	overClassProblems(t, func(t *testing.T, _ *rand.Rand, method Method, rows Rows, set Set) {
		if method != Temperature {
			return
		}
		for i := range rows.Truth {
			p, share := rows.ofRow(set, i), rows.Share[i*rows.K:]
			for c := range p {
				for d := range c {
					if share[c] > share[d] && !(p[c] > p[d]) || share[c] == share[d] && !near(p[c], p[d], 1e-15) {
						t.Fatalf("shares %v have the probabilities %v", share[:rows.K], p)
					}
				}
			}
		}
	})
}

func TestStoredSetsKeepTheirBits(t *testing.T) {
	race.SkipFigures(t)
	overClassProblems(t, func(t *testing.T, _ *rand.Rand, _ Method, rows Rows, set Set) {
		data, err := json.Marshal(set)
		if err != nil {
			t.Fatal(err)
		}
		var back Set
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(back)
		if err != nil || !bytes.Equal(data, again) || back.Coupling != set.Coupling {
			t.Errorf("%s becomes %s (%v)", data, again, err)
		}
		for i := range rows.Truth {
			if a, b := rows.ofRow(set, i), rows.ofRow(back, i); !slices.Equal(a, b) {
				t.Errorf("row %d: probabilities %v, and %v when read again", i, a, b)
			}
		}
	})
}

// K277: a class that occurs nowhere, and what is said of it.
func TestAbsentClass(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 12))
		rows := classProblem(r, 4)
		for i, t := range rows.Truth {
			if t == 2 {
				rows.Truth[i] = 0
			}
		}
		for _, method := range allMethods() {
			set := refit(t, method, rows)
			if err := set.Check(); err != nil {
				t.Fatal(err)
			}
			said := slices.ContainsFunc(set.Warnings, func(err error) bool {
				return strings.HasPrefix(err.Error(),
					"class 2: it has no row to calibrate on")
			})
			// One temperature is that of all classes, and what Auto picks may need no warning.
			if want := set.Method != Temperature && !strings.HasPrefix(string(method), string(Auto)); want && !said {
				t.Errorf("%s: warnings %v", method, set.Warnings)
			}
			p := rows.ofRow(set, 0)
			if !(p[2] > 0 && p[2] < 1) {
				t.Errorf("%s: probabilities %v", method, p)
			}
			if set.Coupling != againstRest {
				share, sum := rows.Share[:4], 0.0
				for _, s := range share {
					sum += s
				}
				if !near(p[2], share[2]/sum, 1e-12) {
					t.Errorf("%s: class 2 has probability %g, its part of the shares is %g", method, p[2], share[2]/sum)
				}
			}
		}
	}
}

// Classes without rows and with the same share in every row have the same probability, bit for bit: nothing tells
// which of them comes first.
func TestAbsentClassesAreAlike(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 13))
		of, k := classProblem(r, 3), 7
		rows := Rows{K: k, Weight: of.Weight}
		for i, truth := range of.Truth {
			share := make([]float64, k)
			for c := range k {
				share[c] = 0.01
			}
			for c := range 3 {
				share[2*c+1] = 0.96 * of.Share[3*i+c]
			}
			rows.Share, rows.Truth = append(rows.Share, share...), append(rows.Truth, 2*truth+1)
		}
		for _, method := range allMethods() {
			set := refit(t, method, rows)
			for i := range rows.Truth {
				if p := rows.ofRow(set, i); p[0] != p[2] || p[0] != p[4] || p[0] != p[6] {
					t.Fatalf("seed %d, %s, row %d: probabilities %v", seed, method, i, p)
				}
			}
			if err := set.Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Three classes, of which the pairs say 0 before 1 before 2; by hand. The mean of the pairs is
// (.9+.8, .1+.7, .2+.3)/3.
func TestPairsByHand(t *testing.T) {
	flat := func(p float64) Map { return Isotonic{Score: []float64{0}, Value: []float64{p}} }
	set := Set{Coupling: pairwise, Maps: []Map{flat(.1), flat(.2), flat(.3)}}
	got := make([]float64, 3)
	set.Probabilities(got, []float64{.2, .3, .5})
	for c, want := range []float64{1.7 / 3, .8 / 3, .5 / 3} {
		if !near(got[c], want, 1e-15) {
			t.Errorf("class %d: %.17g, want %.17g", c, got[c], want)
		}
	}
	// Without maps of class 1, the two others share what it leaves.
	set.Maps[0], set.Maps[2] = nil, nil
	if err := set.Check(); err != nil {
		t.Error(err)
	}
	for _, coupling := range []couples{pairwise, coupled} {
		set.Coupling = coupling
		set.Probabilities(got, []float64{.2, .3, .5})
		for c, want := range []float64{.8 * .7, .3, .2 * .7} {
			if !near(got[c], want, 1e-12) {
				t.Errorf("%s, class %d: %.17g, want %.17g", coupling, c, got[c], want)
			}
		}
	}
}

// Pairs that agree, r_ij = p_i/(p_i+p_j), give back the p they are made of; others the p under
// which no small move of it lowers the sum that Wu, Lin and Weng minimise.
func TestCoupledIsTheMinimum(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 13))
		k := 3 + int(seed%6)
		if seed == 99 {
			k = 40 // more than fit on the stack
		}
		p, pair, known := make([]float64, k), make([]float64, k*k), slices.Repeat([]bool{true}, k)
		for c := range p {
			p[c] = math.Exp(4 * r.NormFloat64())
		}
		normalise(p)
		fill := func(noise float64) {
			for i := range k {
				for j := range i {
					v := p[i] / (p[i] + p[j])
					v = min(max(v+noise*(r.Float64()-.5), leastPair), 1-leastPair)
					pair[i*k+j], pair[j*k+i] = v, 1-v
				}
			}
		}
		got := make([]float64, k)
		fill(0)
		if consent(got, pair, known, 1); seed%2 == 0 {
			for c := range p {
				if !near(got[c], p[c], 1e-5) { // the pairs are clipped
					t.Fatalf("seed %d: %v, made of %v", seed, got, p)
				}
			}
		}
		fill(.5)
		consent(got, pair, known, 1)
		loss := func(p []float64) float64 {
			sum := 0.0
			for i := range k {
				for j := range k {
					if i != j {
						d := pair[j*k+i]*p[i] - pair[i*k+j]*p[j]
						sum += d * d
					}
				}
			}
			return sum
		}
		at := loss(got)
		for range 50 {
			i, j := r.IntN(k), r.IntN(k)
			step := min(1e-4, got[i])
			moved := slices.Clone(got)
			moved[i] -= step
			moved[j] += step
			if after := loss(moved); after < at-1e-12 {
				t.Fatalf("seed %d: loss %g, and %g when %g goes from class %d to %d", seed, at, after, step, i, j)
			}
		}
	}
}

func TestFitClassesRefuses(t *testing.T) {
	rows := classProblem(rand.New(rand.NewPCG(1, 14)), 3)
	for _, tc := range []struct {
		name    string
		spoil   func(r *Rows)
		methods []Method
		want    string
	}{
		{"unknown method", func(*Rows) {}, []Method{"platt:ovo", "none:pairs", "vector:coupled", "platt:",
			"temperature:pairs"}, "is unknown; choose one of platt, "},
		{"K271 no rows", func(r *Rows) { *r = Rows{K: 3} }, allMethods(), "there are no rows"},
		{"K273 all weights zero", func(r *Rows) { r.Weight = make([]float64, len(r.Truth)) }, allMethods(),
			"all weights are zero"},
		{"K269 one class", func(r *Rows) { r.Truth = make([]int, len(r.Truth)) }, allMethods(), ErrOneClass.Error()},
		{"K274 negative weight", func(r *Rows) { r.Weight = append([]float64{-1}, r.Weight[1:]...) }, []Method{Temperature,
			Vector, Auto, "platt:pairs", "auto:coupled"}, "weight 0 is -1"},
		{"K276 NaN share", func(r *Rows) { r.Share = append([]float64{nan}, r.Share[1:]...) }, []Method{Temperature, Vector,
			Auto, "platt:pairs", "auto:coupled"}, "is NaN"},
		{"share above 1", func(r *Rows) { r.Share = append([]float64{1.5}, r.Share[1:]...) }, []Method{Temperature, Vector},
			"score 0 is 1.5, outside [0, 1]"},
		{"too much weight", func(r *Rows) { r.Weight = append([]float64{2e15}, r.Weight[1:]...) }, []Method{Temperature,
			Vector}, "more than 1e+15"},
		{"plain probabilities missing", func(r *Rows) { r.Plain = []float64{1} }, []Method{Auto, "auto:pairs"},
			"and 1 plain probabilities; give equally many, or none of the latter"},
		{"weights missing", func(r *Rows) { r.Weight = r.Weight[1:] }, allMethods(), "weights for"},
	} {
		for _, m := range tc.methods {
			bad := rows
			tc.spoil(&bad)
			set, err := m.FitClasses(t.Context(), bad)
			if err == nil || !strings.Contains(err.Error(), tc.want) || set.Maps != nil {
				t.Errorf("%s, %s: got %v, %v, want %s", tc.name, m, set, err, tc.want)
			}
		}
	}
}

func TestSetCheck(t *testing.T) {
	one := Map(Identity{})
	for _, tc := range []struct {
		set  Set
		want string
	}{
		{Set{Maps: []Map{one, one, one}, Coupling: "ovo"},
			`calibration has the coupling "ovo"; update rfpragma if a newer one wrote the file`},
		{Set{Maps: []Map{one, one}, Coupling: pairwise},
			"calibration has 2 maps of pairs; there must be k(k-1)/2 for k classes, three or more; fit it again"},
		{Set{Maps: []Map{one}, Coupling: coupled},
			"calibration has 1 maps of pairs; there must be k(k-1)/2 for k classes, three or more; fit it again"},
		{Set{Maps: []Map{nil, nil, nil}, Coupling: pairwise},
			"calibration has maps for 0 pairs of classes, where those that occur make 0 pairs; fit it again"},
		{Set{Maps: []Map{one, one, nil}, Coupling: pairwise},
			"calibration has maps for 2 pairs of classes, where those that occur make 3 pairs; fit it again"},
		{Set{Maps: []Map{one, nil, one}},
			"calibration map 1: calibration map of type <nil> cannot be checked or stored; use one that a method of this " +
				"package fits"},
		{Set{Maps: []Map{one, nil, nil}, Coupling: coupled}, ""},
		{Set{Maps: slices.Repeat([]Map{one}, 325), Coupling: coupled}, ""},
	} {
		got := ""
		if err := tc.set.Check(); err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
	}
	for k := 3; k < 200; k++ {
		if got := (Set{Maps: make([]Map, k*(k-1)/2), Coupling: pairwise}).Classes(); got != k {
			t.Fatalf("%d maps of pairs are for %d classes, want %d", k*(k-1)/2, got, k)
		}
	}
}

// FuzzFitClasses: whatever can be fitted gives a sound set and probabilities that sum to 1, and is
// read as it was written. A row is k+2 bytes: class, shares, weight.
func FuzzFitClasses(f *testing.F) {
	f.Add(uint8(7), uint8(0), []byte{0, 200, 30, 10, 1, 1, 20, 220, 30, 2, 2, 0, 9, 255, 1})
	f.Add(uint8(6), uint8(1), []byte{0, 200, 30, 10, 0, 1, 1, 20, 220, 30, 0, 2, 2, 0, 9, 255, 0, 1, 3, 0, 0, 0, 0, 255})
	f.Add(uint8(20), uint8(0), []byte{0, 0, 0, 0, 1, 1, 255, 255, 255, 255, 3, 7, 7, 7, 0})
	f.Fuzz(func(t *testing.T, which, classes uint8, data []byte) {
		k := 3 + int(classes%3)
		rows := Rows{K: k}
		for ; len(data) >= k+2; data = data[k+2:] {
			rows.Truth = append(rows.Truth, int(data[0])%(k+1)-1)
			for _, b := range data[1 : k+1] {
				s := float64(b) / 255
				if data[k+1] > 250 {
					s = math.Exp(-float64(b))
				}
				rows.Share = append(rows.Share, s)
			}
			rows.Weight = append(rows.Weight, math.Exp2(float64(data[k+1]%20))-1)
		}
		method := allMethods()[int(which)%len(allMethods())]
		set, err := method.FitClasses(t.Context(), rows)
		if _, bad := known(rows.Share, rows.Truth, rows.Weight, k); (err == nil) != (bad == nil) {
			t.Fatalf("%s: fit says %v, check of rows says %v", method, err, bad)
		}
		if err != nil {
			return
		}
		written, err := json.Marshal(set)
		if err != nil {
			t.Fatal(err)
		}
		var back Set
		if err := json.Unmarshal(written, &back); err != nil {
			t.Fatal(err)
		}
		for i := range rows.Truth {
			p, sum := rows.ofRow(set, i), 0.0
			for _, v := range p {
				sum += v
			}
			if !near(sum, 1, 1e-12) || !slices.Equal(p, rows.ofRow(back, i)) {
				t.Fatalf("%s: row %d has %v, and %v when read again", method, i, p, rows.ofRow(back, i))
			}
		}
	})
}
