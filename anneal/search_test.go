package anneal_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// No method may report a loss that deciding anew does not confirm; search checks that.
func TestLossIsConfirmed(t *testing.T) {
	race.SkipFigures(t)
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 21))
		table := random(rng, 60, 3+rng.IntN(3), 1+rng.IntN(12))
		if !tunable(table) {
			continue
		}
		ms := measures(t, rng, table.Classes)
		m := ms[[]string{"pragma", "f1", "cost"}[seed%3]]
		both := search(t, anneal.Search{Chains: 2, Steps: 300, Seed: seed}, table, m)
		for _, method := range []anneal.Method{anneal.Coordinates, anneal.Annealing} {
			r := search(t, anneal.Search{Method: method, Chains: 2, Steps: 300, Seed: seed}, table, m)
			if r.Loss < both.Loss && !near(r.Loss, both.Loss) {
				t.Fatalf("seed %d: %v finds %v, all methods together %v", seed, method, r.Loss, both.Loss)
			}
		}
	}
}

// enumerate is the slow reference for three classes: it decides the table in every cell of the plane
// (ln w1/w0, ln w2/w0), which the rows cut along three families of parallel lines.
func enumerate(t *vote.Table, m pragma.Measure) float64 {
	var cuts [3][]float64 // of ln w1/w0, ln w2/w0, ln w2/w1
	for _, v := range t.Judged() {
		for f, pair := range [3][2]int{{0, 1}, {0, 2}, {1, 2}} {
			if a, b := v[pair[0]], v[pair[1]]; a > 0 && b > 0 {
				cuts[f] = append(cuts[f], math.Log(float64(a)/float64(b)))
			}
		}
	}
	first := cuts[0] // and where a line of the second meets one of the third
	for _, b := range cuts[1] {
		for _, c := range cuts[2] {
			first = append(first, b-c)
		}
	}
	best := m.Loss(t.Confuse(nil))
	for _, x := range middles(first) {
		second := slices.Clone(cuts[1])
		for _, c := range cuts[2] {
			second = append(second, x+c)
		}
		for _, y := range middles(second) {
			best = min(best, m.Loss(t.Confuse(vote.Weights{1, math.Exp(x), math.Exp(y)})))
		}
	}
	return best
}

// middles returns a point below, between and above the distinct values.
func middles(values []float64) []float64 {
	slices.Sort(values)
	values = slices.CompactFunc(values, func(a, b float64) bool { return math.Abs(b-a) < 1e-9 })
	if len(values) == 0 {
		return []float64{0}
	}
	points := []float64{values[0] - 1, values[len(values)-1] + 1}
	for i := 1; i < len(values); i++ {
		points = append(points, (values[i-1]+values[i])/2)
	}
	return points
}

func TestThreeClassesAgainstEnumeration(t *testing.T) {
	race.SkipFigures(t)
	const tables = 10_000
	tried, reached := 0, map[anneal.Method]int{}
	methods := []anneal.Method{anneal.Auto, anneal.Coordinates, anneal.Annealing}
	for seed := uint64(0); tried < tables; seed++ {
		rng := rand.New(rand.NewPCG(seed, 22))
		table := random(rng, 18, 3, 6)
		if !tunable(table) {
			continue
		}
		tried++
		ms := measures(t, rng, table.Classes)
		m := ms[[]string{"pragma", "f1", "cost"}[seed%3]]
		want := enumerate(table.Compress(), m)
		for _, method := range methods {
			r := search(t, anneal.Search{Method: method, Chains: 2, Steps: 300}, table, m)
			if r.Loss < want && !near(r.Loss, want) {
				t.Fatalf("seed %d: %v finds %v, better than all cells, %v", seed, method, r.Loss, want)
			}
			if near(r.Loss, want) {
				reached[method]++
			} else if method == anneal.Auto {
				t.Errorf("seed %d: the exact search finds %v at %v, there is %v", seed, r.Loss, r.Weights, want)
			}
		}
	}
	t.Logf("of %d tables the lowest loss was reached on %v", tried, reached)
	for method, floor := range map[anneal.Method]int{anneal.Coordinates: tables * 97 / 100,
		anneal.Annealing: tables * 99 / 100} {
		if reached[method] < floor {
			t.Errorf("%v reaches the lowest loss on %d of %d tables, want %d", method, reached[method], tried, floor)
		}
	}
}

func TestWorkersNeverMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 23))
	table := random(rng, 300, 5, 20)
	m := measures(t, rng, table.Classes)["pragma"]
	want := search(t, anneal.Search{Workers: 1, Steps: 500, Seed: 7}, table, m)
	for _, workers := range []int{2, 3, 8} {
		got := search(t, anneal.Search{Workers: workers, Steps: 500, Seed: 7}, table, m)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(anneal.Result{}),
			cmp.Comparer(func(a, b error) bool { return a.Error() == b.Error() })); diff != "" {
			t.Errorf("%d workers: (-1 worker +)\n%s", workers, diff)
		}
	}
}

// The order of the rows, a row twice instead of weight 2, rows of weight 0, all weights
// times 7 (A157), and all θ times a constant (A171) change nothing.
func TestLaws(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 25))
		table := random(rng, 40, 2+rng.IntN(3), 9)
		if !tunable(table) {
			continue
		}
		pref := func(scale float64) pragma.Measure {
			m, err := pragma.Spec{"a": {Theta: 10 * scale, X: 0.1, Y: 0.9}, "*": {Theta: scale, X: 0.8, Y: 0.8}}.Measure(
				table.Classes)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		table.Weight = make([]float64, table.Rows())
		for i := range table.Weight {
			table.Weight[i] = float64(1 + rng.IntN(2))
		}
		s := anneal.Search{Steps: 200, Chains: 2}
		want := search(t, s, table, pref(1)).Weights
		other := &vote.Table{Classes: table.Classes, Share: table.Share, Source: table.Source, Trees: table.Trees}
		times7 := *table
		times7.Weight = nil
		for _, i := range rng.Perm(table.Rows()) {
			for range int(table.Weight[i]) {
				other.Truth = append(other.Truth, table.Truth[i])
				other.Counts = append(other.Counts, table.Votes(i)...)
			}
		}
		for _, w := range table.Weight {
			times7.Weight = append(times7.Weight, 7*w)
		}
		for name, got := range map[string]vote.Weights{
			"rows shuffled and doubled": search(t, s, other, pref(1)).Weights,
			"case weights times 7":      search(t, s, &times7, pref(1)).Weights,
			"theta times 3":             search(t, s, table, pref(3)).Weights,
		} {
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, %s: weights %v, want %v", seed, name, got, want)
			}
		}
	}
}

func TestExtremes(t *testing.T) {
	const huge = math.MaxUint32
	many := &vote.Table{Trees: huge, Source: vote.CV}
	for c := range 40 {
		many.Classes = append(many.Classes, string(rune('A'+c)))
		many.Truth = append(many.Truth, c)
		row := make([]uint32, 40)
		row[c], row[(c+1)%40] = 1, huge-1
		many.Counts = append(many.Counts, row...)
	}
	oneClass := &vote.Table{Classes: []string{"a", "b", "c"}, Truth: []int{0, 1, 2}, Counts: []uint32{9, 0, 0, 9, 0, 0, 9,
		0, 0}, Source: vote.CV, Trees: 9}
	weights := &vote.Table{Classes: []string{"a", "b", "c"}, Truth: []int{0, 1, 2}, Counts: []uint32{5, 4, 0, 5, 4, 0, 4,
		0, 5}, Weight: []float64{1e-300, 1, 1e300}, Source: vote.CV, Trees: 9}
	tiny := &vote.Table{Classes: []string{"a", "b"}, Truth: []int{0, 1}, Counts: []uint32{4, 5, 5, 4},
		Weight: []float64{5e-324, 5e-324}, Source: vote.CV, Trees: 9}
	for name, table := range map[string]*vote.Table{"A196 counts near 2^32, each class shadowed": many,
		"all votes for one class": oneClass, "A159 weights": weights, "smallest weights": tiny} {
		t.Run(name, func(t *testing.T) {
			search(t, anneal.Search{Steps: 300}, table, pragma.Balanced)
		})
	}
}

// A194: a loss that is not a number never wins, wherever it lies.
func TestNaNNeverWins(t *testing.T) {
	table := two([3]int{0, 4, 6}, [3]int{1, 3, 7}, [3]int{0, 2, 8}, [3]int{1, 8, 2})
	for calls := range 8 {
		n := 0
		m := pragma.Func(func(c *vote.Confusion) float64 {
			if n++; n%8 == calls && c.Predicted(0) > 2 {
				return math.NaN()
			}
			return pragma.Accuracy.Loss(c)
		})
		r, err := anneal.Search{Workers: 1}.Weights(t.Context(), table, m)
		if err != nil || math.IsNaN(r.Loss) {
			t.Errorf("NaN at every call %d of 8: %+v, %v", calls, r, err)
		}
	}
	never := pragma.Func(func(*vote.Confusion) float64 { return math.NaN() })
	_, err := anneal.Search{Workers: 1}.Weights(t.Context(), table, never)
	if want := "measure cannot be lowered: it is NaN under all weights that were tried; correct it so that it is " +
		"finite"; !errors.Is(err, anneal.ErrMeasure) || err.Error() != want {
		t.Errorf("NaN always: %v, want %s", err, want)
	}
}

func TestCancel(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 26))
	table := random(rng, 400, 4, 20)
	for _, method := range []anneal.Method{anneal.Auto, anneal.Coordinates, anneal.Annealing} {
		ctx, cancel := context.WithCancelCause(t.Context())
		n := 0
		m := pragma.Func(func(c *vote.Confusion) float64 {
			if n++; n == 50 {
				cancel(errors.New("enough"))
			}
			return pragma.Balanced.Loss(c)
		})
		_, err := anneal.Search{Method: method, Workers: 1, Steps: math.MaxInt / 100}.Weights(ctx, table, m)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v: error %v, want context.Canceled", method, err)
		}
		if n > 10_000 {
			t.Errorf("%v: %d evaluations after the end", method, n)
		}
	}
}

// The benchmark's table, smaller: the search must gain what it is known to gain.
func TestLettersGain(t *testing.T) {
	votes := anneal.Letters(rand.New(rand.NewPCG(1, 2)), 600)
	r := search(t, anneal.Search{Steps: 200, Chains: 1, Starts: 1}, votes, anneal.Vowels(t, votes.Classes))
	if r.Plain < 0.03 || r.Loss > 0.75*r.Plain {
		t.Errorf("plain %v, tuned %v; want 0.036 to fall by a quarter", r.Plain, r.Loss)
	}
	if r.Method != anneal.Auto {
		t.Errorf("method %v", r.Method)
	}
}
