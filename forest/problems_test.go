package forest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/race"
)

// Random problems for the laws of this package: small and nasty.

// rounds returns how many of so many random problems a run takes.
func rounds(n int) int {
	switch {
	case race.Enabled:
		return max(1, n/50)
	case testing.Short():
		return max(1, n/10)
	}
	return n
}

const shards = 4

// inShards runs a law on the seeds 0 to n-1, in parallel; it ends a shard by returning false.
func inShards(t *testing.T, n int, law func(t *testing.T, seed uint64) bool) {
	for shard := range shards {
		t.Run(fmt.Sprint(shard), func(t *testing.T) {
			t.Parallel()
			for seed := shard; seed < n; seed += shards {
				if !law(t, uint64(seed)) {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// levelNames returns sorted names of so many levels.
func levelNames(n int) []string { return allNames()[:n:n] }

var allNames = sync.OnceValue(func() []string {
	names := make([]string, 70_000)
	for l := range names {
		names[l] = fmt.Sprintf("l%05d", l)
	}
	return names
})

// randomFrame makes ties, missing cells, constants, extreme values, categories, duplicates with
// different labels, weights; now and then many rows or many classes.
func randomFrame(rng *rand.Rand) *dataset.Frame {
	n, p, k := 2+rng.IntN(40), 1+rng.IntN(6), 2+rng.IntN(4)
	switch rng.IntN(120) {
	case 0:
		n, p = 100+rng.IntN(301), 1+rng.IntN(3)
	case 1, 2, 3:
		n, k = 30+rng.IntN(30), 2+rng.IntN(29)
	}
	f := &dataset.Frame{Truth: make([]int, n), Classes: levelNames(k)}
	for i := range f.Truth {
		f.Truth[i] = rng.IntN(k)
	}
	f.Truth[0], f.Truth[1] = 0, 1
	for j := range p {
		f.Columns = append(f.Columns, randomColumn(rng, string(rune('A'+j)), n))
	}
	switch rng.IntN(6) {
	case 0, 1:
		f.Weight = make([]float64, n)
		for i := range f.Weight {
			f.Weight[i] = float64(rng.IntN(4))
		}
		f.Weight[0], f.Weight[1] = 1, 2
	case 2:
		f.Weight = realWeights(rng, n)
	}
	return f
}

// realWeights returns weights whose sums are exact although they are taken as real numbers:
// no multiples of the least, which is 2, they have a mean of 8, by which they are divided.
func realWeights(rng *rand.Rand, n int) []float64 {
	w := make([]float64, n)
	left := 8 * n
	for i := range w {
		w[i] = 2
		left -= 2
	}
	for i := 0; left > 0; i = rng.IntN(n) { // the first gets an odd one
		add := min(left, 1+2*rng.IntN(4))
		w[i] += float64(add)
		left -= add
	}
	if rng.IntN(3) == 0 { // as if the last but these two were absent
		return append(w[:n-1:n-1], w[n-1])
	}
	return w
}

func randomColumn(rng *rand.Rand, name string, n int) dataset.Column {
	c := dataset.Column{Field: dataset.Field{Name: name}, Values: make([]float64, n)}
	kind := rng.IntN(6)
	levels := 1 + rng.IntN(7)
	among := make([]float64, levels) // the levels, or few of very many
	for l := range among {
		among[l] = float64(l)
	}
	if kind == 0 {
		c.Kind = dataset.Categorical
		switch rng.IntN(12) {
		case 0, 1: // around the edge of a word
			levels = 63 + rng.IntN(3)
			among = drawnLevels(rng, levels, 64)
		case 2: // around the edge between bits and lists
			levels = mostBits - 2 + rng.IntN(5)
			among = drawnLevels(rng, levels, 1+rng.IntN(40))
		}
		c.Levels = levelNames(levels)
	}
	extremes := []float64{-math.MaxFloat64, math.MaxFloat64, 5e-324, -5e-324, 0, math.Copysign(0, -1), 1, math.Nextafter(1,
		2), 1e300, 1e-300}
	gaps := rng.IntN(3) == 0
	for i := range c.Values {
		switch kind {
		case 0, 1:
			c.Values[i] = among[rng.IntN(len(among))]
		case 2:
			c.Values[i] = extremes[rng.IntN(len(extremes))]
		case 3:
			c.Values[i] = 7
		default:
			c.Values[i] = rng.Float64()
		}
		if gaps && rng.IntN(3) == 0 {
			c.Values[i] = math.NaN()
		}
	}
	return c
}

// drawnLevels returns n of so many levels, perhaps some twice, the last among them.
func drawnLevels(rng *rand.Rand, levels, n int) []float64 {
	drawn := make([]float64, n)
	for i := range drawn {
		drawn[i] = float64(rng.IntN(levels))
	}
	drawn[0] = float64(levels - 1)
	return drawn
}

// randomConfig draws settings for a frame, every one of them.
func randomConfig(rng *rand.Rand, frame *dataset.Frame) Config {
	p := len(frame.Columns)
	c := Config{
		Trees: 2, Mtry: 1 + rng.IntN(p), MinLeaf: 1 + rng.IntN(3)*rng.IntN(2), MaxDepth: rng.IntN(4) * rng.IntN(2),
		Bag: []Bag{Bootstrap, Stratified, Balanced, Poisson, Hash(10)}[rng.IntN(5)], Seed: rng.Uint64(), Workers: 1,
		Soft: rng.IntN(4) == 0,
	}
	if rng.IntN(4) == 0 {
		c.MaxLeaves = 2 + rng.IntN(6)
	}
	switch rng.IntN(12) {
	case 0:
		c.Criterion = Entropy
	case 1:
		c.Criterion = Hellinger
	case 2:
		c.Criterion, c.Slopes = Pragma, randomPreferences(rng, len(frame.Classes))
	}
	c.RandomCuts = rng.IntN(6) == 0
	c.SubsetLevels = []int{0, 0, 1, 3, mostBits + 10}[rng.IntN(5)]
	if !c.Bag.byRow() {
		c.NoReplacement = rng.IntN(4) == 0
		c.Fraction = []float64{0, 0.5, 1}[rng.IntN(3)]
	} else if c.Bag == Poisson && rng.IntN(2) == 0 {
		c.Fraction = 0.7
	}
	if rng.IntN(5) == 0 {
		for range frame.Classes {
			c.ClassWeight = append(c.ClassWeight, []float64{0.5, 1, 2, 4}[rng.IntN(4)])
		}
		if !exactWeights(frame, c) {
			c.ClassWeight = nil
		}
	}
	return c
}

// randomPreferences returns those of k classes, some of which do not count.
func randomPreferences(rng *rand.Rand, k int) []Slope {
	prefer := make([]Slope, k)
	for c := range prefer {
		theta, recall := []float64{0, 1, 1, 10, 1e300}[rng.IntN(5)], rng.Float64()
		prefer[c] = Slope{Recall: theta * recall, Precision: theta * (1 - recall)}
	}
	prefer[rng.IntN(k)] = Slope{Recall: 1, Precision: 1}
	return prefer
}

// exactWeights tells whether all sums of weights, and of their squares, are exact.
func exactWeights(frame *dataset.Frame, c Config) bool {
	d, err := newCoded(frame, c.Resolved(len(frame.Columns)), nil)
	if err != nil {
		return false
	}
	for _, w := range d.real {
		if w*64 != math.Trunc(w*64) || w > 1<<10 {
			return false
		}
	}
	return true
}
