package calib

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/internal/race"
)

// softmax returns what vector scaling is fitted to.
func (r Rows) softmax(t testing.TB) *softmax {
	t.Helper()
	known, err := known(r.Share, r.Truth, r.Weight, r.K)
	if err != nil {
		t.Fatal(err)
	}
	log, count, err := known.merge()
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range log {
		log[i] = logShare(s)
	}
	return newSoftmax(log, count, r.K, 1)
}

// Conjugate gradients find the minimum that the whole Hessian leads to, for few classes and for many,
// with weights that are uneven, classes that are rare, and slopes on their bounds.
func TestConjugateFindsTheSameMinimum(t *testing.T) {
	race.SkipFigures(t)
	atBound := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 31))
		k := 2 + int(seed*7%29)
		rows := classProblem(r, k)
		switch seed % 4 {
		case 1:
			for i := range rows.Weight {
				rows.Weight[i] = math.Exp(6 * r.Float64())
			}
		case 2:
			r.Shuffle(len(rows.Truth), func(i, j int) { rows.Truth[i], rows.Truth[j] = rows.Truth[j], rows.Truth[i] })
		case 3: // the last class has no row
			for i, c := range rows.Truth {
				if c == k-1 {
					rows.Truth[i] = 0
				}
			}
		}
		l := rows.softmax(t)
		wantSlope, wantOffset, err := l.fitVector(true)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		slope, offset, err := l.fitVector(false)
		if err != nil {
			t.Fatalf("seed %d, %d classes: %v", seed, k, err)
		}
		p, want := make([]float64, k), make([]float64, k)
		for i := range l.weight {
			for c := range k {
				z := l.log[i*k+c]
				p[c], want[c] = slope[c]*z+offset[c], wantSlope[c]*z+wantOffset[c]
			}
			spread(p)
			spread(want)
			for c := range k {
				if !near(p[c], want[c], 1e-8) || math.Abs(p[c]-want[c]) > 1e-5*want[c] {
					t.Fatalf("seed %d, %d classes, row %d, class %d: %.17g, want %.17g", seed, k, i, c, p[c], want[c])
				}
			}
		}
		for c := range k {
			if slope[c] == 0 {
				atBound++
			}
		}
	}
	if atBound < 30 {
		t.Errorf("only %d slopes on their bound", atBound)
	}
}

// The product is that of the Hessian, which the reference writes out.
func TestHessianProduct(t *testing.T) {
	const k = 5
	r := rand.New(rand.NewPCG(3, 31))
	l := classProblem(r, k).softmax(t)
	n := newton{softmax: l, dense: true, z: l.log, p: make([]float64, len(l.log)), x: make([]float64, 2*k)}
	v := make([]float64, 2*k)
	for j := range v {
		n.x[j], v[j] = r.Float64(), r.NormFloat64()
	}
	n.evaluate(n.x)
	got := n.product(v)
	for j := range v {
		want := n.diagonal[j] * v[j]
		for i := range v {
			if i != j {
				want += n.hessian[max(i, j)*2*k+min(i, j)] * v[i]
			}
		}
		if !near(got[j], want, 1e-14) {
			t.Errorf("number %d: %.17g, want %.17g", j, got[j], want)
		}
	}
}

// What is added to all offsets changes nothing: a gradient that points that way, as rounding may leave one, takes
// no part in the step.
func TestConjugateTakesOutStray(t *testing.T) {
	const k = 5
	l := classProblem(rand.New(rand.NewPCG(3, 31)), k).softmax(t)
	n := newton{softmax: l, dense: true, z: l.log, p: make([]float64, len(l.log)), x: slices.Repeat([]float64{1, 0}, k)}
	n.evaluate(n.x)
	var index []int
	for j := range n.x {
		index = append(index, j)
	}
	want := n.conjugate(index)
	for j := k; j < 2*k; j++ {
		n.gradient[j] += float64(0.01 * n.raised(j))
	}
	for j, got := range n.conjugate(index) {
		if !near(got, want[j], 1e-9) {
			t.Errorf("number %d: a step of %.17g, want %.17g", j, got, want[j])
		}
	}
}

// Degenerate rows of many classes settle too, or are told not to.
func TestConjugateSettles(t *testing.T) {
	race.SkipFigures(t)
	unsettled := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 78))
		rows, base := Rows{K: 9 + r.IntN(6)}, r.Float64()
		for range 10 + r.IntN(40) {
			for range rows.K {
				rows.Share = append(rows.Share, []float64{r.Float64(), math.Exp(-40 * r.Float64()),
					min(1, base*(1+1e-15*float64(r.IntN(20)))), 1 - math.Exp(-40*r.Float64()), float64(r.IntN(2))}[seed%5])
			}
			rows.Truth = append(rows.Truth, r.IntN(rows.K))
			rows.Weight = append(rows.Weight, []float64{1, math.Exp(12 * r.Float64()), math.Exp(3 * r.NormFloat64())}[seed/5%3])
		}
		if _, _, err := rows.softmax(t).vector(); err != nil {
			unsettled++
			t.Logf("seed %d: %v", seed, err)
		}
		set, err := Vector.FitClasses(t.Context(), rows)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := set.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if unsettled > 0 {
		t.Errorf("%d of 400 do not settle", unsettled)
	}
}

// Vector scaling of many classes, by conjugate gradients and with the whole Hessian.
func BenchmarkVector(b *testing.B) {
	for _, k := range []int{4, 8, 16, 100} {
		rows := classProblem(rand.New(rand.NewPCG(1, 31)), k)
		for range 3 {
			more := classProblem(rand.New(rand.NewPCG(uint64(len(rows.Truth)), 31)), k)
			rows.Share, rows.Truth, rows.Weight = append(rows.Share, more.Share...), append(rows.Truth, more.Truth...),
				append(rows.Weight, more.Weight...)
		}
		l := rows.softmax(b)
		for _, dense := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d classes/dense=%v", k, dense), func(b *testing.B) {
				for b.Loop() {
					if _, _, err := l.fitVector(dense); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// Neither map of many classes depends on how many work on it, to the last bit.
func TestWorkersDoNotChangeMaps(t *testing.T) {
	const k, n = 12, 15000 // several stretches
	r := rand.New(rand.NewPCG(6, 31))
	rows := Rows{K: k}
	for i := range n {
		for c := range k {
			s := r.Float64()
			if c == i%k {
				s += r.Float64()
			}
			rows.Share = append(rows.Share, s/2)
		}
		rows.Truth = append(rows.Truth, i%k)
	}
	for _, m := range []Method{Vector, Temperature} {
		var want Set
		for _, workers := range []int{1, 2, 5} {
			rows.Workers = workers
			set := refit(t, m, rows)
			if workers == 1 {
				want = set
			}
			for c := range k {
				if set.Maps[c] != want.Maps[c] {
					t.Errorf("%s, %d workers, class %d: %v, want %v", m, workers, c, set.Maps[c], want.Maps[c])
				}
			}
		}
	}
}
