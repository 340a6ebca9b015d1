package anneal_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// brute is the slow reference: it decides the whole table at weights below, above and between all ratios
// v0/v1, and at weight 1.
func brute(t *vote.Table, m pragma.Measure) float64 {
	var ratios []float64
	for _, v := range t.Judged() {
		if v[0] > 0 && v[1] > 0 {
			ratios = append(ratios, float64(v[0])/float64(v[1]))
		}
	}
	ratios = append(ratios, 1e-12, 1e12)
	slices.Sort(ratios)
	best := m.Loss(t.Confuse(nil))
	for i := 1; i < len(ratios); i++ {
		best = min(best, m.Loss(t.Confuse(vote.Weights{1, math.Sqrt(ratios[i-1] * ratios[i])})))
	}
	return best
}

func TestSweepIsBruteForce(t *testing.T) {
	race.SkipFigures(t)
	tried := 0
	for seed := uint64(0); tried < 100_000; seed++ {
		rng := rand.New(rand.NewPCG(seed, 11))
		table := random(rng, 12, 2, 1+rng.IntN(9))
		if !tunable(table) {
			continue
		}
		ms := measures(t, rng, table.Classes)
		m := ms[[]string{"pragma", "f1", "cost"}[seed%3]]
		tried++
		r := search(t, anneal.Search{}, table, m)
		if want := brute(table, m); !near(r.Loss, want) {
			t.Fatalf("seed %d: loss %v at %v, brute force finds %v", seed, r.Loss, r.Weights, want)
		}
		if r.Method != anneal.Exact {
			t.Fatalf("seed %d: method %v, want exact", seed, r.Method)
		}
	}
}

// two returns a table of two classes from rows of truth, votes for 0, votes for 1.
func two(rows ...[3]int) *vote.Table {
	t := &vote.Table{Classes: []string{"ill", "well"}, Share: []float64{0.1, 0.9}, Source: vote.CV, Trees: 10}
	for _, r := range rows {
		t.Truth = append(t.Truth, r[0])
		t.Counts = append(t.Counts, uint32(r[1]), uint32(r[2]))
	}
	return t
}

func TestPlateaus(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		name      string
		table     *vote.Table
		weight    float64 // of ill, the well having 1
		low, high float64 // of ill
		loss      float64
	}{ // by hand, with accuracy: an ill row with v ill votes of 10 needs a weight above (10−v)/v
		{"the middle of the best interval", two([3]int{0, 2, 8}, [3]int{1, 1, 9}), 6, 4, 9, 0},
		{"weights 1 stay where they are best", two([3]int{0, 8, 2}, [3]int{1, 1, 9}), 1, 0.25, 9, 0},
		{"an open end is half as far again", two([3]int{0, 1, 9}, [3]int{1, 0, 10}), 18, 9, inf, 0},
		{"the other open end", two([3]int{0, 10, 0}, [3]int{1, 9, 1}), 1.0 / 18, 0, 1.0 / 9, 0},
		{"a tie at weight 1 goes to the larger share", two([3]int{0, 5, 5}, [3]int{1, 2, 8}), 2, 1, 4, 0},
		{"a tie at weight 1 that is right stays", two([3]int{1, 5, 5}, [3]int{0, 8, 2}), 1, 0.25, 1, 0},
		{"equal intervals: the one nearest to 1", two([3]int{0, 4, 6}, [3]int{1, 3, 7}, [3]int{1, 3, 7}, [3]int{0, 2, 8},
			[3]int{0, 2, 8}, [3]int{1, 1, 9}), math.Sqrt(1.5 * 7 / 3), 1.5, 7.0 / 3, 1.0 / 3},
		{"no weight matters", two([3]int{0, 10, 0}, [3]int{1, 0, 10}), 1, 0, inf, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := search(t, anneal.Search{}, tc.table, pragma.Accuracy)
			if !near(r.Weights[0], tc.weight) || r.Weights[1] != 1 {
				t.Errorf("weights %v, want [%v 1]", r.Weights, tc.weight)
			}
			if !near(r.Loss, tc.loss) {
				t.Errorf("loss %v, want %v", r.Loss, tc.loss)
			}
			if r.High[0] != tc.high && !near(r.High[0], tc.high) || !near(r.Low[0], tc.low) {
				t.Errorf("interval %v to %v, want %v to %v", r.Low[0], r.High[0], tc.low, tc.high)
			}
		})
	}
}

// Counts near 2^32: neighbouring ratios differ in the tenth digit.
func TestSweepLargeCounts(t *testing.T) {
	const huge = math.MaxUint32 / 2
	table := two([3]int{0, huge - 2, huge}, [3]int{1, huge - 3, huge}, [3]int{0, 1, huge}, [3]int{1, huge, 0})
	m := pragma.Func(func(c *vote.Confusion) float64 { return c.At(0, 1) + 2*c.At(1, 0) })
	r := search(t, anneal.Search{}, table, m)
	if want := 3.0; r.Loss != want { // by hand: the last row always errs, the third should
		t.Errorf("loss %v at %v, want %v", r.Loss, r.Weights, want)
	}
	if r.Plain != 4 || !(r.Weights[0] > 1) {
		t.Errorf("plain %v and weights %v, want 4 and more than 1 for ill", r.Plain, r.Weights)
	}
}

// A sweep, a descent and an annealing of two classes must agree: one line is all there is.
func TestMethodsAgreeOnTwoClasses(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 12))
		table := random(rng, 30, 2, 9)
		if !tunable(table) {
			continue
		}
		m := measures(t, rng, table.Classes)["pragma"]
		want := search(t, anneal.Search{}, table, m)
		for _, method := range []anneal.Method{anneal.Coordinates, anneal.Annealing} {
			r := search(t, anneal.Search{Method: method, Steps: 200}, table, m)
			if !near(r.Loss, want.Loss) || r.Method != method {
				t.Fatalf("seed %d: %v (%v) finds %v, the sweep %v", seed, method, r.Method, r.Loss, want.Loss)
			}
		}
	}
}
