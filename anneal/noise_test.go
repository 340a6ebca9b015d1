package anneal

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/paired"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// votesOf returns a table of k classes in which so many of ten votes of a row are for its class as
// clear says, with noise.
func votesOf(rng *rand.Rand, n, k int, clear float64) *vote.Table {
	t := &vote.Table{Source: vote.CV, Trees: 10, Truth: make([]int, n), Counts: make([]uint32, n*k)}
	for c := range k {
		t.Classes = append(t.Classes, string(rune('a'+c)))
		t.Share = append(t.Share, 1/float64(c+1))
	}
	for i := range n {
		t.Truth[i] = min(int(rng.ExpFloat64()*2), k-1)
		for range 10 {
			c := rng.IntN(k)
			if rng.Float64() < clear {
				c = t.Truth[i]
			}
			t.Votes(i)[c]++
		}
	}
	return t
}

// Every row is in one part, and the parts hold as many rows of every class as each other, give or take one.
func TestDealIsStratified(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 61))
		table := votesOf(rng, 20+rng.IntN(200), 2+rng.IntN(4), 0.3)
		p := newProblem(table.Compress(), pragma.Balanced)
		dealt, err := newSample(p, table).deal(seed)
		if err != nil {
			t.Fatal(err)
		}
		k := len(table.Classes)
		rows := make([][]float64, parts)
		for i := range p.weight {
			sum := 0.0
			for f := range dealt {
				if rows[f] == nil {
					rows[f] = make([]float64, k)
				}
				sum += dealt[f][i]
				rows[f][p.truth[i]] += dealt[f][i]
			}
			if sum != p.weight[i] {
				t.Fatalf("seed %d: of cell %d, weight %v, %v is dealt", seed, i, p.weight[i], sum)
			}
		}
		for c := range k {
			least, most := math.Inf(1), 0.0
			for f := range rows {
				least, most = min(least, rows[f][c]), max(most, rows[f][c])
			}
			if most-least > 1 {
				t.Fatalf("seed %d: parts have %v to %v rows of class %d", seed, least, most, c)
			}
		}
	}
}

// Rows of weight 2 are rows that occur twice, and a unit of all weights changes nothing.
func TestRowsOfASample(t *testing.T) {
	once := votesOf(rand.New(rand.NewPCG(1, 62)), 60, 3, 0.4)
	rowsOf := func(weight func(i int) float64) []float64 {
		table := *once
		table.Weight = make([]float64, table.Rows())
		for i := range table.Weight {
			table.Weight[i] = weight(i)
		}
		return newSample(newProblem(table.Compress(), pragma.Balanced), &table).rows
	}
	plain := rowsOf(func(int) float64 { return 1 })
	for name, unit := range map[string]float64{"seven": 7, "a seventh": 1. / 7, "an eighth": 0.125, "large": 1e300} {
		if got := rowsOf(func(int) float64 { return unit }); !slices.Equal(got, plain) {
			t.Errorf("all weights %s: rows %v, want %v", name, got, plain)
		}
	}
	if got := asRows([]float64{20, 80}, 100); !slices.Equal(got, []float64{20, 80}) {
		t.Errorf("two cells of 20 and 80 rows count as %v", got)
	}
	sum := func(x []float64) (s float64) {
		for _, v := range x {
			s += v
		}
		return s
	}
	if got := sum(rowsOf(func(i int) float64 { return float64(1 + i%2) })); got != 90 {
		t.Errorf("half of 60 rows twice: %v rows, want 90", got)
	}
	if got := sum(rowsOf(func(i int) float64 { return 1 + float64(i)*math.Pi/1000 })); math.Abs(got-60) > 10 {
		t.Errorf("60 rows of weights around 1: %v rows", got)
	}
}

// Of 200 values 190 lie between the sixth and the sixth from above.
func TestCentral(t *testing.T) {
	var values []float64
	for i := range 200 {
		values = append(values, float64((i*77+5)%200))
	}
	if got := central(values); got != [2]float64{5, 194} {
		t.Errorf("the middle 95 of 100 of 0 to 199 are %v, want 5 to 194", got)
	}
}

// A resample has as many rows as there are, in the mean, and each cell varies as its number of rows does, whatever
// these weigh: a cell of n rows of weight w has the mean n·w and the variance n·w².
func TestResampled(t *testing.T) {
	const draws = 20_000
	for _, unit := range []float64{1, 0.25} {
		table := rowsOf(2, []uint32{0, 9, 1}, []uint32{0, 4, 6}, []uint32{1, 2, 8})
		table.Weight, table.Times = []float64{80 * unit, 5 * unit, 15 * unit}, []int{80, 5, 15}
		s := newSample(newProblem(table.Compress(), pragma.Accuracy), table)
		sums, squares, rng := make([]float64, 3), make([]float64, 3), rand.New(rand.NewPCG(1, 62))
		for range draws {
			for i, w := range s.resampled(rng).weight {
				sums[i], squares[i] = sums[i]+w, squares[i]+w*w
			}
		}
		for i, w := range s.weight {
			mean := sums[i] / draws
			variance := squares[i]/draws - mean*mean
			if math.Abs(mean-w) > 0.02*w || math.Abs(variance-w*unit) > 0.05*w*unit {
				t.Errorf("unit %v: a cell of weight %v has the mean %v and the variance %v, want %v and %v", unit, w, mean,
					variance, w, w*unit)
			}
		}
	}
}

// On few rows, where there is little to gain, careful weights stay nearer to 1 than those of the lowest loss, and
// do better on other rows; on many rows they are nearly the same.
func TestCarefulShrinksNoise(t *testing.T) {
	race.SkipFigures(t)
	m := pragma.Accuracy
	distance := func(w vote.Weights) (d float64) {
		for _, v := range w {
			d += math.Abs(math.Log(v))
		}
		return d
	}
	find := func(table *vote.Table, c Choice) vote.Weights {
		r, err := Search{Choice: c, Seed: 1}.Weights(t.Context(), table, m)
		if err != nil {
			t.Fatal(err)
		}
		return r.Weights
	}
	var near, far, careful, lowest float64
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 64))
		small, fresh := votesOf(rng, 60, 4, 0.3), votesOf(rng, 4000, 4, 0.3)
		c, l := find(small, Careful), find(small, Lowest)
		near, far = near+distance(c), far+distance(l)
		careful, lowest = careful+m.Loss(fresh.Confuse(c)), lowest+m.Loss(fresh.Confuse(l))
	}
	if near > 0.9*far || careful > lowest {
		t.Errorf("30 small tables: careful weights are %.3g from 1, lose %.4g on fresh rows; those of the lowest loss "+
			"%.3g, %.4g", near, careful, far, lowest)
	}
	large := votesOf(rand.New(rand.NewPCG(1, 65)), 20_000, 3, 0.5)
	c, l := find(large, Careful), find(large, Lowest)
	if a, b := m.Loss(large.Confuse(c)), m.Loss(large.Confuse(l)); a > 1.01*b {
		t.Errorf("a large table: careful weights %v lose %v, the lowest, %v, %v", c, a, l, b)
	}
}

// What is expected by cross-validation is nearer to the loss on fresh rows than the loss on the table itself.
func TestTryIsHonest(t *testing.T) {
	race.SkipFigures(t)
	m := pragma.Balanced
	var optimistic, expected, honest, plain, freshPlain float64
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 66))
		table, fresh := votesOf(rng, 120, 4, 0.15), votesOf(rng, 5000, 4, 0.15)
		s := Search{Choice: Lowest, Seed: seed}
		r, err := s.Weights(t.Context(), table, m)
		if err != nil {
			t.Fatal(err)
		}
		trial, err := s.Try(t.Context(), table, m)
		if err != nil {
			t.Fatal(err)
		}
		if trial.Error <= 0 || trial.Plain != m.Loss(table.Confuse(nil)) {
			t.Fatalf("seed %d: %+v, the plain vote has %v", seed, trial, r.Plain)
		}
		optimistic += r.Loss
		expected += trial.Loss
		honest += m.Loss(fresh.Confuse(r.Weights))
		plain += trial.Plain
		freshPlain += m.Loss(fresh.Confuse(nil))
	}
	if math.Abs(expected-honest) > 0.4*math.Abs(optimistic-honest) || math.Abs(plain-freshPlain) > 0.05*plain {
		t.Errorf("loss on the tables %.3f, expected %.3f, on fresh rows %.3f; of plain votes %.3f and %.3f", optimistic,
			expected, honest, plain, freshPlain)
	}
}

// Of n rows that are all decided right, Wilson's interval goes from n/(n+z²), z² = 1.959964² = 3.841459, to 1:
// 20/23.841459 for the 20 ill.
func TestIntervalsOfRowsThatAreAllRight(t *testing.T) {
	table := &vote.Table{Classes: []string{"ill", "well"}, Trees: 10, Source: vote.Holdout, Share: []float64{0.2, 0.8}}
	for i := range 100 {
		if i < 20 {
			table.Truth, table.Counts = append(table.Truth, 0), append(table.Counts, 9, 1)
		} else {
			table.Truth, table.Counts = append(table.Truth, 1), append(table.Counts, 1, 9)
		}
	}
	trial, err := Search{}.Try(t.Context(), table, pragma.Balanced)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][2]float64{"recall": trial.Recall[0], "precision": trial.Precision[0]} {
		if math.Abs(got[0]-0.838875) > 1e-6 || math.Abs(got[1]-1) > 1e-12 {
			t.Errorf("%s is within %v, want 0.838875 to 1", name, got)
		}
	}
}

// What a trial says is what the weights that it carries decide, each on the rows that they were found without;
// where none were searched it carries none.
func TestTrialCarriesItsWeights(t *testing.T) {
	for k := 2; k < 5; k++ {
		s, table := Search{Seed: 5, Choice: Lowest}, votesOf(rand.New(rand.NewPCG(uint64(k), 73)), 300, k, 0.4)
		trial, err := s.Try(t.Context(), table, pragma.Balanced)
		if err != nil {
			t.Fatal(err)
		}
		f, err := s.prepare(table, pragma.Balanced)
		if err != nil {
			t.Fatal(err)
		}
		rows, pair := newSample(f.problem, table), paired.New(table.Classes, nil)
		common := table.TieOrder()[0]
		all, err := rows.deal(s.Seed)
		if err != nil {
			t.Fatal(err)
		}
		for part, dealt := range all {
			w := trial.Weights[part]
			if w[common] != 1 {
				t.Errorf("%d classes: weights %v, where the most common class, %d, must have 1", k, w, common)
			}
			tuned := rows.start(rows.byRank(w))
			rows.count(pair, tuned, tuned, dealt)
		}
		if _, got := pair.Confusions(); !reflect.DeepEqual(got, trial.Confusion) {
			t.Errorf("%d classes: the weights decide %v, the trial says %v", k, got, trial.Confusion)
		}
		for c := range k { // no weights: as many rows count as there are of the class, or are decided as it
			m := trial.Confusion
			hits, rows, alarms := m.Hits(c), m.True(c), m.Predicted(c)
			interval := func(of float64) [2]float64 {
				low, high := calib.Wilson(hits, of, calib.Z95)
				return [2]float64{low, high}
			}
			if recall, precision := interval(rows), interval(alarms); rows == alarms || trial.Recall[c] != recall ||
				trial.Precision[c] != precision {
				t.Errorf("%d classes, class %d: %v of %v rows and %v alarms, recall within %v and precision within %v, want %v "+
					"and %v", k, c, hits, rows, alarms, trial.Recall[c], trial.Precision[c], recall, precision)
			}
		}
		plain, err := s.Expect(t.Context(), table, pragma.Balanced, Result{Weights: slices.Repeat(vote.Weights{1}, k)})
		if err != nil || plain.Weights != nil {
			t.Errorf("%d classes: %v, weights %v where none were searched", k, err, plain.Weights)
		}
	}
}

// D104: a table of few rows is large, too, where it has many classes: those of a thousand would else take minutes.
func TestLargeByClasses(t *testing.T) {
	for k, want := range map[int]bool{mostClassesAnew: false, mostClassesAnew + 1: true} {
		rng := rand.New(rand.NewPCG(1, 75))
		table := votesOf(rng, 3*k, k, 0.3)
		for i := range table.Truth {
			table.Truth[i] = i % k
		}
		p := newProblem(table.Compress(), pragma.Balanced)
		if got := p.large(); got != want || len(p.order) != k {
			t.Errorf("%d classes: large is %v", k, got)
		}
	}
}

// What is tried on a part of the rows does not depend on the order of the classes, also where resamples are
// searched from the weights found on all rows.
func TestTriedWeightsTurned(t *testing.T) {
	race.SkipFigures(t)
	rng := rand.New(rand.NewPCG(1, 74))
	for name, rows := range map[string]int{"few": 200, "many": 12_000} {
		table := votesOf(rng, rows, 3, 0.3)
		for i := range table.Counts {
			table.Counts[i] = 200*table.Counts[i] + 1 + uint32(rng.IntN(100))
		}
		tuned := func() []float64 {
			part := newSample(newProblem(table.Compress(), pragma.Balanced), table)
			if large := len(part.entries) > mostAnew; large != (name == "many") {
				t.Fatalf("%s rows: %d votes above 0", name, len(part.entries))
			}
			w, err := Search{Workers: 1, Seed: 1}.tune(t.Context(), part)
			if err != nil {
				t.Fatal(err)
			}
			return w
		}
		want := tuned()
		slices.Reverse(table.Share)
		for i, c := range table.Truth {
			table.Truth[i] = 2 - c
			slices.Reverse(table.Votes(i))
		}
		if w := tuned(); !slices.Equal(w, want) || slices.Max(want) == slices.Min(want) {
			t.Errorf("%s rows: weights by rank %v, with the classes the other way round %v", name, want, w)
		}
	}
}

// Where the search has proven its weights by a cross-validation, that is what to expect of them, and the measure is
// not asked again; where their gain is obvious, or they stayed 1, there was none to keep.
func TestExpectReusesTheProof(t *testing.T) {
	race.SkipFigures(t)
	preferred, err := pragma.Spec{"c": pragma.Priority()}.Measure([]string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	m := pragma.Func(func(c *vote.Confusion) float64 {
		asked++
		return preferred.Loss(c)
	})
	kept, others := 0, 0
	for seed := range uint64(12) {
		table := votesOf(rand.New(rand.NewPCG(seed, 68)), 200, 3, []float64{0, 0.3}[seed%2])
		s := Search{Seed: seed, Workers: 1}
		r, err := s.Weights(t.Context(), table, m)
		if err != nil {
			t.Fatal(err)
		}
		asked = 0
		got, err := s.Expect(t.Context(), table, m, r)
		if err != nil {
			t.Fatal(err)
		}
		if r.trial == nil {
			others++
			if asked == 0 {
				t.Errorf("seed %d: nothing to expect it from", seed)
			}
			continue
		}
		kept++
		if asked != 0 {
			t.Errorf("seed %d: the measure was asked %d times more", seed, asked)
		}
		f, err := s.prepare(table, m)
		if err != nil {
			t.Fatal(err)
		}
		tune := f.search.tune
		if slices.ContainsFunc(r.Warnings, func(w error) bool {
			return strings.Contains(w.Error(),
				"follow from one number")
		}) {
			tune = f.search.tunePower
		}
		want, err := newSample(f.problem, table).try(t.Context(), f.search, m, tune)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: expected %+v, tried %+v", seed, got, want)
		}
	}
	if kept == 0 || others == 0 {
		t.Errorf("of 12 searches %d have a proof to keep, %d none; want some of both", kept, others)
	}
}

// The same result for any number of threads.
func TestCarefulWorkers(t *testing.T) {
	table := votesOf(rand.New(rand.NewPCG(1, 67)), 200, 4, 0.3)
	var first Result
	var trial Trial
	for i, workers := range []int{1, 2, 7} {
		s := Search{Workers: workers, Seed: 3}
		r, err := s.Weights(context.Background(), table, pragma.Balanced)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := s.Try(context.Background(), table, pragma.Balanced)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first, trial = r, tr
		}
		if !slices.Equal(r.Weights, first.Weights) || !reflect.DeepEqual(tr, trial) {
			t.Errorf("%d workers: %v, %+v; 1 worker: %v, %+v", workers, r.Weights, tr, first.Weights, trial)
		}
	}
}

// What is at stake in a row is no number of rows: a row is dealt into one part whole, and the standard error is
// that of drawing rows.
func TestStakesAreNoRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 71))
	table := &vote.Table{Classes: []string{"fraud", "good"}, Share: []float64{0.1, 0.9}, Source: vote.External, Trees: 20}
	for range 400 {
		truth, v := 1, uint32(rng.IntN(12))
		if rng.IntN(8) == 0 {
			truth, v = 0, uint32(4+rng.IntN(16))
		}
		table.Truth, table.Counts = append(table.Truth, truth), append(table.Counts, v, 20-v)
		table.Amount = append(table.Amount, math.Round(100*math.Exp(4+1.5*rng.NormFloat64()))/100)
	}
	staked, m := atStake(t, table, "fraud=amount", "good=5")
	f, err := Search{}.prepare(staked, m)
	if err != nil {
		t.Fatal(err)
	}
	s := newSample(f.problem, staked)
	parts := make([]int, len(s.weight))
	dealt, err := s.deal(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range dealt {
		for i, w := range part {
			if w > 0 {
				parts[i]++
			}
		}
	}
	if slices.ContainsFunc(parts, func(n int) bool { return n != 1 }) {
		t.Error("a row is dealt into several parts")
	}
	// The same two rules on rows drawn anew.
	here := s.here(vote.Weights{6, 1}, m, 1)
	tuned, plain := table.Rule(vote.Weights{6, 1}), table.Rule(nil)
	var gains []float64
	for range 2000 {
		gain := 0.0
		for range table.Truth {
			i := rng.IntN(len(table.Truth))
			cost := func(decided int) float64 {
				switch {
				case decided == table.Truth[i]:
					return 0
				case table.Truth[i] == 0:
					return table.Amount[i]
				}
				return 5
			}
			gain += cost(plain.Decide(table.Votes(i))) - cost(tuned.Decide(table.Votes(i)))
		}
		gains = append(gains, gain)
	}
	if want := deviation(gains); math.Abs(here.Error/want-1) > 0.15 {
		t.Errorf("standard error %v, by drawing rows %v", here.Error, want)
	}
}

// atStake returns the table whose rows weigh what is at stake in them, and the measure of their costs, given as in
// --cost.
func atStake(t *testing.T, table *vote.Table, words ...string) (*vote.Table, pragma.Measure) {
	t.Helper()
	costs, err := pragma.ParseCosts(words, table.Classes)
	if err != nil {
		t.Fatal(err)
	}
	staked, err := costs.Stakes(table)
	if err != nil {
		t.Fatal(err)
	}
	m, err := costs.Measure()
	if err != nil {
		t.Fatal(err)
	}
	return staked, m
}
