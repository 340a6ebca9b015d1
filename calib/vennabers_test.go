package calib

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rfpragma/rfpragma/internal/race"
)

// The definition: isotonic regression on the rows and one more, at the score that is asked for.
func TestVennAbersIsTwoIsotonicFits(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		score, hit, weight := problem(r)
		switch seed % 3 {
		case 1: // weights that are not whole, some far below that of the row that is added
			for i := range weight {
				weight[i] = math.Exp(8*r.Float64() - 6)
			}
		case 2:
			weight = nil
		}
		m, err := vennAbersOf(score, hit, weight)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(m); err != nil {
			t.Fatal(err)
		}
		at := append([]float64{0, 1, .5, math.Nextafter(score[0], 0), math.Nextafter(score[0], 1)}, score...)
		for _, s := range at {
			low, high := m.Interval(s)
			w := weight
			if w != nil {
				w = append(w[:len(w):len(w)], 1)
			}
			var want [2]float64
			for y := range want {
				with, err := isotonicOf(append(score[:len(score):len(score)], s), append(hit[:len(hit):len(hit)], y == 1), w, false)
				if err != nil {
					t.Fatal(err)
				}
				want[y] = with.Prob(s)
			}
			if !near(low, want[0], 1e-12) || !near(high, want[1], 1e-12) {
				t.Fatalf("seed %d: Interval(%g) = %.17g, %.17g, want %.17g, %.17g", seed, s, low, high, want[0], want[1])
			}
			if got, want := m.Prob(s), want[1]/(1-want[0]+want[1]); !near(got, want, 1e-12) {
				t.Fatalf("seed %d: Prob(%g) = %.17g, want %.17g", seed, s, got, want)
			}
		}
	}
}

// By hand. Rows 0 at 1 and 1 at 3. A hit at 1 makes ½ there, at 2 it stands alone with the row
// at 3, and so on.
func TestVennAbersByHand(t *testing.T) {
	m, err := vennAbersOf([]float64{1, 3}, []bool{false, true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(VennAbersTable{Score: []float64{1, 3}, Low: []float64{0, .5}, High: []float64{.5, 1}}, m); d != "" {
		t.Error(d)
	}
	for _, tc := range []struct{ score, low, high, prob float64 }{
		{-inf, 0, .5, 1. / 3}, {1, 0, .5, 1. / 3}, {2, 0, 1, .5}, {3, .5, 1, 2. / 3}, {inf, .5, 1, 2. / 3},
	} {
		low, high := m.Interval(tc.score)
		if p := m.Prob(tc.score); low != tc.low || high != tc.high || !near(p, tc.prob, 1e-15) {
			t.Errorf("at %g: %g, %g and %g, want %g, %g and %g", tc.score, low, high, p, tc.low, tc.high, tc.prob)
		}
	}
}

// Every row a hit from the left, and weights that make blocks of a share next to 1: the cases
// in which rounding could leave a piece behind.
func TestVennAbersAtTheEdges(t *testing.T) {
	for _, weight := range [][]float64{{1, 1, 1, 1}, {1e14, 1, 1e14, 1}, {1e-9, 1e14, 1e14, 1e14}, {1e14, 1e-9, 1e-9,
		1e14}, {1e-12, 1e-12, 1e-12, 1e-12}} {
		for hits := range 16 {
			hit := []bool{hits&1 > 0, hits&2 > 0, hits&4 > 0, hits&8 > 0}
			m, err := vennAbersOf([]float64{1, 2, 3, 4}, hit, weight)
			if hits == 0 || hits == 15 {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := check(m); err != nil {
				t.Errorf("%v, %v: %v", weight, hit, err)
			}
			checkMonotone(t, m, 0, 5)
		}
	}
}

// The table is made in one walk: a million scores are no matter.
func TestVennAbersManyScores(t *testing.T) {
	race.SkipFigures(t)
	score, hit := manyRows(1_000_000)
	m := mustFit(t, VennAbers, score, hit, nil).(VennAbersTable)
	low, high := m.Interval(.7)
	if !(low <= high && high-low < .01 && near(low, .7, .05)) {
		t.Errorf("Interval(0.7) = %g, %g", low, high)
	}
	if len(m.Score) > 20_000 {
		t.Errorf("%d scores are kept", len(m.Score))
	}
}

// By hand, and that no two fitted scores have the same probability.
func TestVennAbersCentred(t *testing.T) {
	// A hit at 1 and a miss at 2 are one step: with the row itself as a hit, at either, 2 hits of 3, and as a miss 1
	// of 3. That is ½.
	m := mustFit(t, VennAbersCentred, []float64{1, 2}, []bool{true, false}, nil).(Isotonic)
	if d := cmp.Diff(Isotonic{Score: []float64{1, 1.5, 2}, Value: []float64{.25, .5, .75}, Linear: true}, m,
		cmpopts.EquateApprox(0, 1e-12)); d != "" {
		t.Error(d)
	}
	overProblems(t, func(t *testing.T, _ *rand.Rand, method Method, m Map, score []float64, _ []bool, _ []float64) {
		if method != VennAbersCentred {
			return
		}
		sorted := slices.Compact(slices.Sorted(slices.Values(score)))
		for i := 1; i < len(sorted); i++ {
			if low, high := m.Prob(sorted[i-1]), m.Prob(sorted[i]); !(0 < low && low < high && high < 1) {
				t.Errorf("%g and %g have the probabilities %g and %g", sorted[i-1], sorted[i], low, high)
			}
		}
	})
}
