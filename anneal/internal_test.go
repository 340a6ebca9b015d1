package anneal

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// rowsOf returns a table of rows of truth, then the votes for each class.
func rowsOf(k int, rows ...[]uint32) *vote.Table {
	t := &vote.Table{Source: vote.CV, Trees: 10}
	for c := range k {
		t.Classes = append(t.Classes, string(rune('a'+c)))
	}
	for _, r := range rows {
		t.Truth = append(t.Truth, int(r[0]))
		t.Counts = append(t.Counts, r[1:]...)
	}
	return t
}

// Moving rows by one weight after another must leave what deciding anew gives, ties included:
// few votes and weights that are powers of 2 make many.
func TestSetIsDecide(t *testing.T) {
	race.SkipFigures(t)
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 41))
		k := 2 + rng.IntN(4)
		table := rowsOf(k)
		for range 30 {
			table.Truth = append(table.Truth, rng.IntN(k))
			for range k {
				table.Counts = append(table.Counts, uint32(rng.IntN(4)))
			}
		}
		p := newProblem(table.Compress(), pragma.Balanced)
		if seed%2 == 0 {
			if err := p.addIndex(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		s := p.start(slices.Repeat([]float64{1}, k))
		for range 60 {
			rank, before := rng.IntN(k), *s
			before.winner, before.weights, before.at = slices.Clone(s.winner), slices.Clone(s.weights), slices.Clone(s.at)
			s.set(rank, math.Ldexp(1, rng.IntN(5)-2))
			anew := p.start(slices.Clone(s.weights))
			if !slices.Equal(s.winner, anew.winner) || !slices.Equal(s.at, anew.at) || s.loss != anew.loss ||
				!cmp.Equal(s.counts.Rows(), anew.counts.Rows()) {
				t.Fatalf("seed %d: under %v the winners are %v, loss %v; decided anew %v, %v", seed, s.weights, s.winner, s.loss,
					anew.winner, anew.loss)
			}
			if rng.IntN(3) > 0 {
				continue
			}
			s.back()
			if !slices.Equal(s.winner, before.winner) || !slices.Equal(s.at, before.at) || !slices.Equal(s.weights,
				before.weights) || s.loss != before.loss {
				t.Fatalf("seed %d: taken back to %v, loss %v, from %v, %v", seed, s.weights, s.loss, before.weights, before.loss)
			}
		}
	}
}

// A staircase of losses leads down to a valley about weights 1. At first the walk climbs it as it
// likes; while it cools it must come down, unless it went so far astray that all is flat. If it
// did not cool it would stay on the heights.
func TestAcceptanceFalls(t *testing.T) {
	race.SkipFigures(t)
	const steps = 6400
	table := rowsOf(2)
	for v := range uint32(40) {
		table.Truth = append(table.Truth, 0, 1)
		table.Counts = append(table.Counts, 60+v, 40-v, 40-v, 60+v)
	}
	early, late := 0.0, 0.0 // mean loss of the steps tried
	const seeds = 10
	for seed := range uint64(seeds) {
		var losses []float64
		m := pragma.Func(func(c *vote.Confusion) float64 {
			losses = append(losses, c.At(0, 1)+c.At(1, 0))
			return losses[len(losses)-1]
		})
		p := newProblem(table.Compress(), m)
		if _, err := p.anneal(t.Context(), 0, rand.New(rand.NewPCG(seed, 42)), steps, nil); err != nil {
			t.Fatal(err)
		}
		walk := losses[1+trials:][:steps] // without the start and the temperature
		for _, loss := range walk[:steps/8] {
			early += loss / (steps / 8) / seeds
		}
		for _, loss := range walk[steps*3/4:] {
			late += loss / (steps / 4) / seeds
		}
	}
	t.Logf("mean loss of the first steps %.1f, of the last %.1f", early, late)
	if early < 15 || late > 15 {
		t.Errorf("mean loss of the first steps %.1f, of the last %.1f; want more than 15 and less", early, late)
	}
}

// An exponential variate exceeds d with probability exp(-d), and has mean 1.
func TestExponential(t *testing.T) {
	const n = 100_000
	rng := rand.New(rand.NewPCG(1, 45))
	sum, above := 0.0, [3]float64{}
	for range n {
		v := exponential(rng)
		if !(v >= 0) || math.IsInf(v, 1) {
			t.Fatalf("drew %v", v)
		}
		sum += v / n
		for d := range above {
			if v > float64(d)+0.5 {
				above[d] += 1.0 / n
			}
		}
	}
	if math.Abs(sum-1) > 0.015 { // nearly 5 standard errors
		t.Errorf("mean %v, want 1", sum)
	}
	for d, share := range above {
		if want := math.Exp(-float64(d) - 0.5); math.Abs(share-want) > 0.008 {
			t.Errorf("a share of %v is above %v.5, want %v", share, d, want)
		}
	}
}

// A loss that is infinite says nothing about how large a usual rise is.
func TestTemperatureIgnoresInfinity(t *testing.T) {
	table := rowsOf(2, []uint32{0, 6, 4}, []uint32{1, 4, 6}, []uint32{1, 3, 7})
	m := pragma.Func(func(c *vote.Confusion) float64 {
		if c.Predicted(0) == 3 {
			return math.Inf(1)
		}
		return math.Ceil(pragma.Accuracy.Loss(c))
	})
	s := newProblem(table.Compress(), m).start([]float64{1, 1})
	if got, err := s.temperature(t.Context(), rand.New(rand.NewPCG(1, 43))); err != nil || got != 1 {
		t.Errorf("temperature %v, want 1, the only finite rise", got)
	}
	if s.loss != 0 || s.weights[0] != 1 || s.weights[1] != 1 {
		t.Errorf("the trials left weights %v, loss %v", s.weights, s.loss)
	}
}

// twoRanks returns a problem of two classes of one vote for the first and 1/cut for the
// second, so that a row turns to the second where its weight passes cut.
func twoRanks(m pragma.Measure, truth []int, cuts []float64) *problem {
	p := &problem{measure: m, classes: []string{"a", "b"}, order: []int{0, 1}, from: []int{0}, voters: make([][]int32, 2)}
	p.sum, _ = m.(pragma.Sum)
	for i, c := range cuts {
		p.truth, p.weight = append(p.truth, int32(truth[i])), append(p.weight, 1)
		p.dense, p.from = append(p.dense, c, 1), append(p.from, 2*i+2)
		p.entries = append(p.entries, entry{0, c}, entry{1, 1})
		p.voters[0], p.voters[1] = append(p.voters[0], int32(i)), append(p.voters[1], int32(i))
	}
	return p
}

// Three cuts so close to each other count as one, which lies where the last of them is. Here a
// narrow good interval has three such cuts on either side, so that its middle, from whichever
// side, is beyond one of them, and a row turns that should not: no gain, and the step must be
// taken back, or the descent would take it for ever.
func TestDescendTakesBack(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	evaluations := 0
	m := pragma.Func(func(c *vote.Confusion) float64 {
		if evaluations++; evaluations > 1000 {
			cancel()
		}
		return c.At(1, 0) + c.At(0, 1)
	})
	var cuts []float64
	for _, steps := range []float64{0, 0.9, 1.8, 3.3, 4.2, 5.1} {
		cuts = append(cuts, 2*(1+steps*1e-14))
	}
	p := twoRanks(m, []int{1, 1, 1, 0, 0, 0}, cuts)
	p.weight[0], p.weight[1] = 0, 0
	s := p.start([]float64{1, 1})
	for rank, want := range []line{{[]float64{1 / cuts[3], 1 / cuts[0]}, []float64{3, 0, 1}}, {[]float64{cuts[2], cuts[5]},
		[]float64{1, 0, 3}}} {
		l, err := s.along(ctx, rank)
		if err != nil || !slices.Equal(l.cuts, want.cuts) || !slices.Equal(l.loss, want.loss) {
			t.Fatalf("along rank %d: %+v, %v; want %+v", rank, l, err, want)
		}
	}
	if err := s.descend(ctx); err != nil {
		t.Fatalf("after %d evaluations: %v", evaluations, err)
	}
	if s.loss != 1 || s.weights[0] != 1 || s.weights[1] != 1 {
		t.Errorf("weights %v, loss %v; want the start", s.weights, s.loss)
	}
}

// Cuts that only rounding parts are one; no weight between them is meant.
func TestAlongDust(t *testing.T) {
	for _, tc := range []struct {
		name string
		cuts []float64
		want []float64
	}{
		{"one ulp apart", []float64{2, math.Nextafter(2, 3), 8}, []float64{math.Nextafter(2, 3), 8}},
		{"equal", []float64{2, 2, 8}, []float64{2, 8}},
		{"well apart", []float64{2, 2 * (1 + 3e-14), 8}, []float64{2, 2 * (1 + 3e-14), 8}},
	} {
		l, err := twoRanks(pragma.Accuracy, []int{1, 0, 0}, tc.cuts).start([]float64{1, 1}).along(t.Context(), 1)
		if err != nil || !slices.Equal(l.cuts, tc.want) || len(l.loss) != len(tc.want)+1 {
			t.Errorf("%s: line %+v, %v; want the cuts %v", tc.name, l, err, tc.want)
		}
	}
}

func TestLowestIsNearestToOne(t *testing.T) {
	for _, tc := range []struct {
		name       string
		cuts, loss []float64
		want       float64
	}{ // by hand: middles are 1/8 and 8, 1/8 and 32, 1/32 and 8
		{"equally near: the lower", []float64{1. / 16, 1. / 4, 4, 16}, []float64{1, 0, 1, 0, 1}, 1. / 8},
		{"the lower is nearer", []float64{1. / 16, 1. / 4, 16, 64}, []float64{1, 0, 1, 0, 1}, 1. / 8},
		{"the upper is nearer", []float64{1. / 64, 1. / 16, 4, 16}, []float64{1, 0, 1, 0, 1}, 8},
		{"no loss is finite", []float64{4}, []float64{math.Inf(1), math.Inf(1)}, 1},
	} {
		if w, loss := (line{cuts: tc.cuts, loss: tc.loss}).lowest(); w != tc.want || loss != slices.Min(tc.loss) {
			t.Errorf("%s: weight %v and loss %v, want %v and %v", tc.name, w, loss, tc.want, slices.Min(tc.loss))
		}
	}
}

// Of states with the same loss the nearest to weights 1 is the result, whichever was found first.
func TestResultIsNearestToOne(t *testing.T) {
	table := rowsOf(2, []uint32{0, 4, 6}, []uint32{1, 3, 7}, []uint32{1, 3, 7}, []uint32{0, 2, 8}, []uint32{0, 2, 8},
		[]uint32{1, 1, 9})
	h := table.Compress()
	p := newProblem(h, pragma.Accuracy)
	f := &finish{table: table, histogram: h, measure: pragma.Accuracy, problem: p}
	// by hand: 2 of 6 wrong within 1.5 to 7/3, and within 4 to 9
	near, far := p.start([]float64{1.6, 1}), p.start([]float64{6, 1})
	if near.loss != far.loss {
		t.Fatalf("losses %v and %v, want the same", near.loss, far.loss)
	}
	for _, found := range [][]*state{{near, far}, {far, near}} {
		r, err := f.result(t.Context(), found)
		if want := 1 / math.Sqrt(1.5*7/3); err != nil || math.Abs(r.Weights[1]/r.Weights[0]-want) > 1e-12 {
			t.Errorf("weights %v, %v; want [1 %v], the middle of the interval nearest to 1", r.Weights, err, want)
		}
	}
}

// Weights on the grid add up to the same in any order, and what comes back leaves nothing.
func TestOnGrid(t *testing.T) {
	if got := onGrid([]float64{3, 5, 1 << 40}); !slices.Equal(got, []float64{3, 5, 1 << 40}) {
		t.Errorf("whole numbers became %v", got)
	}
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 44))
		weights := []float64{0.1, 0.1, 0.1, 0.2, 0.7}
		for range 20 {
			weights = append(weights, rng.Float64())
		}
		rounded := onGrid(weights)
		m := vote.NewConfusion([]string{"a", "b"})
		for i, w := range rounded {
			if math.Abs(w-weights[i]) > 1e-14 {
				t.Fatalf("weight %v became %v", weights[i], w)
			}
			m.Add(0, 0, w)
		}
		for _, i := range rng.Perm(len(rounded)) {
			m.Move(0, 0, 1, rounded[i])
		}
		if m.Predicted(0) != 0 || m.Hits(0) != 0 || m.Predicted(1) != m.True(0) {
			t.Fatalf("seed %d: moved away, %v and %v are left", seed, m.Predicted(0), m.Hits(0))
		}
	}
}

// What resamples agree on may miss a floor: as a search, its trial then goes back, as far as the floor is kept.
func TestTrialKeepsFloors(t *testing.T) {
	kept, back := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 43))
		table, rare := rowsOf(2), int(seed/4%2)
		// so where class 0 is rare the order of ties is not that of the classes
		table.Share = [][]float64{{0.25, 0.75}, {0.75, 0.25}}[rare]
		for range 60 {
			truth, own := 1-rare, uint32(2+rng.IntN(9))
			if rng.IntN(4) == 3 {
				truth = rare
			}
			votes := []uint32{own, 10 - own}
			if truth == 1 {
				slices.Reverse(votes)
			}
			table.Truth, table.Counts = append(table.Truth, truth), append(table.Counts, votes...)
		}
		figures := []pragma.Figure{pragma.RecallFloor, pragma.PrecisionFloor, pragma.FalseAlarms, pragma.Alerts}
		s := Search{Workers: 1, Seed: seed, Floors: []pragma.Floor{{Class: rare, What: figures[seed%4], Limit: []float64{0.8,
			0.6, 0.1, 0.2}[seed%4]}}}
		p := newProblem(table.Compress(), pragma.Within(pragma.Balanced, s.Floors...))
		part := newSample(p, table)
		lowest, err := part.quick(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		w, err := s.tune(t.Context(), part)
		if err != nil {
			t.Fatal(err)
		}
		free, err := part.shrink(t.Context(), part.byClass(lowest), s, fewBags)
		if err != nil {
			t.Fatal(err)
		}
		if s.missed(p.start(lowest).counts) {
			continue
		}
		kept++
		if s.missed(p.start(part.byRank(free)).counts) {
			back++
		}
		if s.missed(p.start(w).counts) {
			t.Fatalf("seed %d: under %v %v is missed, and under %v not", seed, w, s.Floors, lowest)
		}
	}
	if kept < 200 || back < 10 {
		t.Errorf("floors could be kept %d times, and what resamples agree on missed them %d times", kept, back)
	}
}
