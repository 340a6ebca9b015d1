package anneal

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// tableOf returns a table with so many rows of each class, of one vote each.
func tableOf(rows ...int) *vote.Table {
	k, all := len(rows), 0
	for _, n := range rows {
		all += n
	}
	t := &vote.Table{Source: vote.CV, Trees: 1}
	for c, n := range rows {
		t.Classes = append(t.Classes, string(rune('a'+c)))
		t.Share = append(t.Share, float64(n)/float64(all))
		for range n {
			votes := make([]uint32, k)
			votes[c] = 1
			t.Truth, t.Counts = append(t.Truth, c), append(t.Counts, votes...)
		}
	}
	return t
}

// What it costs to miss a row, by hand.
func TestCosts(t *testing.T) {
	spec, err := pragma.Spec{"c": {Theta: 10, X: 0.1, Y: 0.9}}.Measure([]string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	stated, err := pragma.Costs{Matrix: [][]float64{{0, 1, 1}, {2, 0, 2}, {7, 7, 0}}}.Measure()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		m    pragma.Measure
		rows []int
		want []float64 // by class, in units of class a
	}{
		{"every row as much", pragma.Accuracy, []int{50, 30, 20}, []float64{1, 1, 1}},
		{"every class as much", pragma.Balanced, []int{50, 30, 20}, []float64{1, 50. / 30, 50. / 20}},
		{"the costs that are stated", stated, []int{50, 30, 20}, []float64{1, 2, 7}},
		// PRAGMA, times Σθ = 12: missing all of a costs 1, and the precision of the others falls from 1 to ½, for half of
		// the rows are a: ½·½ for b, 10·0.1·½ for c, in all 1.75 for 50 rows. Missing b: 1 + 0.3·(½ + 1) for 30 rows.
		// Missing c: 10 + 0.2·(½ + ½) for 20 rows.
		{"PRAGMA", spec, []int{50, 30, 20}, []float64{1, (1.45 / 30) / (1.75 / 50), (10.2 / 20) / (1.75 / 50)}},
		{"a class without rows as little as any", pragma.Balanced, []int{50, 0, 20}, []float64{1, 1, 2.5}},
		{"nothing costs anything", pragma.Func(func(*vote.Confusion) float64 { return 1 }), []int{3, 2, 1},
			[]float64{1, 1, 1}},
		{"nothing that is a number", pragma.Func(func(*vote.Confusion) float64 { return math.NaN() }), []int{3, 2, 1},
			[]float64{1, 1, 1}},
	} {
		table := tableOf(tc.rows...)
		p := newProblem(table.Compress(), tc.m)
		got := newSample(p, table).costs()
		for rank, c := range p.order {
			if !near(math.Exp(got[rank]), tc.want[c]) {
				t.Errorf("%s: a row of class %d costs %v, want %v", tc.name, c, math.Exp(got[rank]), tc.want[c])
			}
		}
	}
}

// What is at stake in a row is part of what it costs, not a number of rows: rows of class a cost 10 to 80 each, in
// the mean 45.
func TestCostsOfStakes(t *testing.T) {
	table := tableOf(8, 10, 20)
	for i := range table.Truth {
		table.Amount = append(table.Amount, float64(10*(i+1)))
	}
	staked, m := atStake(t, table, "a=amount", "b=9", "c=3")
	p := newProblem(staked.Compress(), m)
	s := newSample(p, staked)
	for rank, got := range s.costs() {
		if want := []float64{45. / 3, 9. / 3, 1}[p.order[rank]]; !near(math.Exp(got), want) { // class c is the most common
			t.Errorf("a row of class %d costs %v, want %v", p.order[rank], math.Exp(got), want)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-8*max(math.Abs(a), math.Abs(b)) }

// Of all powers from 0 to 1 none loses less than the one that is found. The slow reference decides the table anew
// between any two powers at which two classes have as many weighted votes in some row.
func TestPowerIsTheBest(t *testing.T) {
	inside := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 91))
		k := 3 + rng.IntN(3)
		table := votesOf(rng, 40, k, 0.3)
		h := table.Compress()
		p := newProblem(h, pragma.Balanced)
		direction := make([]float64, k)
		for r := range direction {
			direction[r] = 2 * rng.NormFloat64()
		}
		loss := func(power float64) float64 {
			w := make(vote.Weights, k)
			for r, c := range p.order {
				w[c] = math.Exp(power * direction[r])
			}
			return pragma.Balanced.Loss(h.Confuse(w))
		}
		powers := []float64{0, 1}
		for i := range h.Rows() {
			for a := range k {
				for b := range a {
					if at := math.Log(p.votes(i, a)/p.votes(i, b)) / (direction[b] - direction[a]); at > 0 && at < 1 {
						powers = append(powers, at)
					}
				}
			}
		}
		slices.Sort(powers)
		want := loss(0)
		for i, high := range powers[1:] {
			if low := powers[i]; high-low > 1e-9 {
				want = min(want, loss((low+high)/2))
			}
		}
		got, err := p.power(t.Context(), direction)
		if err != nil || got < 0 || got > 1 || !near(loss(got), want) {
			t.Fatalf("seed %d: the power %v loses %v, the best %v (%v)", seed, got, loss(got), want, err)
		}
		if got > 0 {
			inside++
		}
	}
	if inside < 100 {
		t.Errorf("only %d of 300 powers are above 0", inside)
	}
}

// Where several weights are not proven and a power of the costs is, the weights are that, whatever the classes are
// called and in whatever order they come.
func TestOneNumberIsProvenSooner(t *testing.T) {
	race.SkipFigures(t)
	powered, stayed := 0, 0
	for seed := range uint64(30) {
		table := votesOf(rand.New(rand.NewPCG(seed, 92)), 80, 5, 0.25)
		m, err := pragma.Spec{"d": pragma.Priority()}.Measure(table.Classes)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Search{Seed: seed, Method: Coordinates}.Weights(t.Context(), table, m)
		if err != nil {
			t.Fatal(err)
		}
		said := slices.ContainsFunc(r.Warnings, func(w error) bool {
			return strings.Contains(w.Error(),
				"follow from one number")
		})
		switch {
		case r.trial == nil && !said:
			stayed++
			continue
		case !said:
			continue
		}
		powered++
		if !(r.trial.Plain-r.trial.Loss > r.trial.Error) {
			t.Errorf("seed %d: kept with a gain of %v, standard error %v", seed, r.trial.Plain-r.trial.Loss, r.trial.Error)
		}
		p := newProblem(table.Compress(), m)
		costs, power := newSample(p, table).costs(), 0.0
		for rank, c := range p.order {
			if costs[rank] != 0 {
				power = math.Log(r.Weights[c]) / costs[rank]
			}
		}
		for rank, c := range p.order {
			if !(power > 0 && power <= 1) || !near(r.Weights[c], math.Exp(power*costs[rank])) {
				t.Fatalf("seed %d: weights %v are not the costs %v to a power", seed, r.Weights, costs)
			}
		}
		other := reversed(table)
		m, err = pragma.Spec{"v": pragma.Priority()}.Measure(other.Classes) // d was the fourth of five, and is the second
		if err != nil {
			t.Fatal(err)
		}
		again, err := Search{Seed: seed, Method: Coordinates}.Weights(t.Context(), other, m)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Reverse(again.Weights); !slices.Equal(again.Weights, r.Weights) {
			t.Errorf("seed %d: classes the other way round: %v, want %v", seed, again.Weights, r.Weights)
		}
		floored, err := Search{Seed: seed, Method: Coordinates, Floors: []pragma.Floor{{What: pragma.RecallFloor}}}.Weights(
			t.Context(), other, m)
		if err != nil || floored.trial != nil {
			t.Errorf("seed %d: weights under floors need no proof, and got one (%v)", seed, err)
		}
	}
	if powered < 3 || stayed < 3 {
		t.Errorf("of 30 searches %d have a power of the costs, %d weights of 1; want some of both", powered, stayed)
	}
}

// The power is the mean of those that do best on the resamples, and the weights are the costs to it.
func TestPoweredIsTheMean(t *testing.T) {
	const draws = 8
	found, apart := 0, 0
	for seed := range uint64(20) {
		table := votesOf(rand.New(rand.NewPCG(seed, 94)), 120, 4, 0.3)
		rows := newSample(newProblem(table.Compress(), pragma.Balanced), table)
		s := Search{Workers: 2, Seed: seed}
		weights, power, err := s.powered(t.Context(), rows, draws)
		if err != nil {
			t.Fatal(err)
		}
		if power == 0 {
			continue
		}
		found++
		want, low, high := 0.0, 1.0, 0.0
		for b := range uint64(draws) {
			p, err := rows.resampled(rand.New(rand.NewPCG(seed, bagStream+b))).power(t.Context(), rows.costs())
			if err != nil {
				t.Fatal(err)
			}
			want, low, high = want+p/draws, min(low, p), max(high, p)
		}
		if high > low {
			apart++
		}
		if math.Abs(power-want) > 1e-12 {
			t.Errorf("seed %d: power %v, want %v", seed, power, want)
		}
		for rank, cost := range rows.costs() {
			if math.Abs(math.Log(weights[rank])-power*cost) > 1e-12 {
				t.Errorf("seed %d, rank %d: weight %v, want exp(%v·%v)", seed, rank, weights[rank], power, cost)
			}
		}
	}
	if found < 5 || apart < 5 {
		t.Errorf("%d powers were found, of %d the resamples differ; want more", found, apart)
	}
}

// Where a resample may have no loss the gain has no standard error, and nothing is proven.
func TestOneNumberNeedsAnError(t *testing.T) {
	race.SkipFigures(t)
	for seed := range uint64(30) {
		table := votesOf(rand.New(rand.NewPCG(seed, 93)), 80, 5, 0.25)
		size := 0.0
		for i, truth := range table.Truth {
			if truth == 0 {
				size += table.WeightOf(i)
			}
		}
		prefer, err := pragma.Spec{"d": pragma.Priority()}.Measure(table.Classes)
		if err != nil {
			t.Fatal(err)
		}
		m := pragma.Func(func(c *vote.Confusion) float64 {
			rows := 0.0
			for d := range c.Classes {
				rows += c.At(0, d)
			}
			if rows < 0.7*size { // on few resamples, and on no part of a cross-validation
				return math.NaN()
			}
			return prefer.Loss(c)
		})
		r, err := Search{Seed: seed, Method: Coordinates}.Weights(t.Context(), table, m)
		if err != nil {
			t.Fatal(err)
		}
		if r.trial != nil && math.IsNaN(r.trial.Error) {
			t.Errorf("seed %d: weights %v are kept, gaining %v without a standard error", seed, r.Weights,
				r.trial.Plain-r.trial.Loss)
		}
	}
}

// reversed returns t with other names for the classes and in the other order.
func reversed(t *vote.Table) *vote.Table {
	k := len(t.Classes)
	r := &vote.Table{Source: t.Source, Trees: t.Trees}
	for c := range k {
		r.Classes = append(r.Classes, string(rune('u'+c)))
		r.Share = append(r.Share, t.Share[k-1-c])
	}
	for i, truth := range t.Truth {
		r.Truth = append(r.Truth, k-1-truth)
		votes := slices.Clone(t.Votes(i))
		slices.Reverse(votes)
		r.Counts = append(r.Counts, votes...)
	}
	return r
}

// A measure of one's own may be infinite under the plain vote: weights under which it is not are kept without a proof.
func TestInfinitePlainVote(t *testing.T) {
	for seed := range uint64(5) {
		table := votesOf(rand.New(rand.NewPCG(seed, 94)), 200, 3, 0.3)
		found, _ := table.Confuse(nil).Recall(2)
		m := pragma.Func(func(c *vote.Confusion) float64 {
			if r, _ := c.Recall(2); r <= found {
				return math.Inf(1)
			}
			return pragma.Accuracy.Loss(c)
		})
		r, err := Search{Seed: seed}.Weights(t.Context(), table, m)
		if err != nil || math.IsInf(r.Loss, 1) {
			t.Errorf("seed %d: weights %v, loss %v, %v", seed, r.Weights, r.Loss, err)
		}
	}
}
