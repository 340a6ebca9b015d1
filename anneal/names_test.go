package anneal_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// permuted returns t with class c as class to[c], under another name.
func permuted(t *vote.Table, to []int) *vote.Table {
	p := *t
	p.Classes, p.Share, p.Ties = make([]string, len(to)), make([]float64, len(to)), nil
	p.Truth, p.Counts = slices.Clone(t.Truth), make([]uint32, len(t.Counts))
	for c, d := range to {
		p.Classes[d], p.Share[d] = "new "+t.Classes[c], t.Share[c]
	}
	for _, c := range t.TieOrder() {
		p.Ties = append(p.Ties, to[c])
	}
	for i, truth := range t.Truth {
		if truth >= 0 {
			p.Truth[i] = to[truth]
		}
		for c, v := range t.Votes(i) {
			p.Votes(i)[to[c]] = v
		}
	}
	return &p
}

// wanted is what is asked of classes.
type wanted struct {
	spec   pragma.Spec
	costs  pragma.Costs
	floors []pragma.Floor
}

// randomWanted returns some for k classes, which are called a, b, ...
func randomWanted(rng *rand.Rand, k int) wanted {
	w := wanted{spec: pragma.Spec{}, costs: pragma.Costs{Matrix: make([][]float64, k)}}
	for c := range k {
		w.spec[string(rune('a'+c))] = pragma.Preference{Theta: 0.1 + 10*rng.Float64(), X: 0.99 * rng.Float64(),
			Y: 0.99 * rng.Float64()}
		for range k {
			w.costs.Matrix[c] = append(w.costs.Matrix[c], 1+rng.Float64())
		}
		w.costs.Matrix[c][c] = 0
	}
	if rng.IntN(3) == 0 {
		w.floors = []pragma.Floor{{Class: rng.IntN(k), What: pragma.RecallFloor, Limit: 0.4}}
	}
	return w
}

// permuted asks the same of the classes of permuted.
func (w wanted) permuted(to []int) wanted {
	p := wanted{spec: pragma.Spec{}, costs: pragma.Costs{Matrix: make([][]float64, len(to))}}
	for name, of := range w.spec {
		p.spec["new "+name] = of
	}
	for c, d := range to {
		p.costs.Matrix[d] = make([]float64, len(to))
		for other, cost := range w.costs.Matrix[c] {
			p.costs.Matrix[d][to[other]] = cost
		}
	}
	for _, f := range w.floors {
		f.Class = to[f.Class]
		p.floors = append(p.floors, f)
	}
	return p
}

// measure returns the one of a number.
func (w wanted) measure(t *testing.T, number int, classes []string) pragma.Measure {
	t.Helper()
	var m pragma.Measure
	var err error
	switch number {
	case 0:
		m, err = w.spec.Measure(classes)
	case 1:
		m, err = w.spec.Shaped(classes, -1)
	case 2:
		m, err = w.costs.Measure()
	case 3:
		m, err = pragma.MacroF(1)
	default:
		m = []pragma.Measure{pragma.Balanced, pragma.GMean, pragma.MCC, pragma.Kappa, pragma.Accuracy}[number-4]
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// said returns what a search warns of, and its error, by the names before [permuted], in an order of their own.
func said(r anneal.Result, err error) string {
	var texts []string
	for _, w := range append(r.Warnings, err) {
		texts = append(texts, strings.ReplaceAll(fmt.Sprint(w), "new ", ""))
	}
	slices.Sort(texts)
	return strings.Join(texts, "\n")
}

// A170: other names and another order of the classes permute what a search finds and change no bit of it: with real
// weights, groups, equally common classes, floors, and any measure.
func TestPermutingClasses(t *testing.T) {
	race.SkipFigures(t)
	judged := 0
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 24))
		k := 2 + rng.IntN(4)
		table := random(rng, 60, k, 9)
		if !tunable(table) {
			continue
		}
		if rng.IntN(2) == 0 {
			table.Share[0] = table.Share[k-1]
			first := rng.Perm(k)
			table.Ties = vote.Ties(table.Share, vote.TieOrder(table.Share, first))
		}
		if rng.IntN(4) == 0 {
			for range table.Truth {
				table.Group = append(table.Group, rng.IntN(20))
			}
		}
		to, number, want := rng.Perm(k), rng.IntN(9), randomWanted(rng, k)
		s := anneal.Search{Steps: 200, Chains: 2, Seed: seed, Workers: 1, Floors: want.floors}
		a, errA := s.Weights(t.Context(), table, want.measure(t, number, table.Classes))
		other := permuted(table, to)
		moved := s
		moved.Floors = want.permuted(to).floors
		b, errB := moved.Weights(t.Context(), other, want.permuted(to).measure(t, number, other.Classes))
		if (errA == nil) != (errB == nil) || errA != nil && !errors.Is(errA, anneal.ErrFloors) {
			t.Fatalf("seed %d: errors %v and %v", seed, errA, errB)
		}
		back := func(of []float64) []float64 {
			out := make([]float64, k)
			for c, d := range to {
				out[c] = of[d]
			}
			return out
		}
		b.Weights, b.Low, b.High = back(b.Weights), back(b.Low), back(b.High)
		x, y := said(a, errA), said(b, errB)
		a.Warnings, b.Warnings = nil, nil
		trialA, errA := s.Try(t.Context(), table, want.measure(t, number, table.Classes))
		trialB, errB := moved.Try(t.Context(), other, want.permuted(to).measure(t, number, other.Classes))
		if x != y || a.Loss != b.Loss || a.Plain != b.Plain || a.Lowest != b.Lowest || a.Agreed != b.Agreed ||
			!reflect.DeepEqual([][]float64{a.Weights, a.Low, a.High}, [][]float64{b.Weights, b.Low, b.High}) {
			t.Fatalf("seed %d, measure %d, classes to %v:\n%+v\nbecomes\n%+v\n%s\n%s", seed, number, to, a, b, x, y)
		}
		if (errA == nil) != (errB == nil) || trialA.Loss != trialB.Loss || trialA.Plain != trialB.Plain ||
			trialA.Error != trialB.Error || trialA.Interval != trialB.Interval {
			t.Fatalf("seed %d, measure %d, classes to %v: %+v (%v) becomes %+v (%v)", seed, number, to, trialA, errA, trialB,
				errB)
		}
		judged++
	}
	if judged < 70 {
		t.Errorf("only %d of 120 tables could be tuned on", judged)
	}
}
