package forest

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest/internal/vector"
)

// Vectors change no byte of a forest and no vote out of bag. Nodes of all sizes occur in a tree, so
// rows are as many as the limits of vectors, of groups of bins and of huge nodes, or one more or less. (Where the
// processor has no vectors, or the build, it is their plain Go that is tested. Each kind of vectors takes its turn.)
func TestVectorsChangeNothing(t *testing.T) {
	sizes := []int{2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 254, 255, 256, 257, 600, 1023,
		1024, 1025}
	used := make([]bool, shards)
	inShards(t, rounds(4000), func(t *testing.T, seed uint64) bool {
		rng := rand.New(rand.NewPCG(seed, 7))
		n := sizes[rng.IntN(len(sizes))]
		if seed%200 < 4 {
			n = hugeRows - 1 + rng.IntN(3)
		}
		frame := vectorFrame(rng, n)
		cfg := Config{Trees: 2, Mtry: 1 + rng.IntN(3), MinLeaf: 1 + rng.IntN(9)*rng.IntN(2), Seed: seed}
		if rng.IntN(3) == 0 { // the root has all rows
			cfg.NoReplacement, cfg.Fraction = true, 1
		}
		cfg = cfg.Resolved(len(frame.Columns))
		d, err := encode(context.Background(), frame, cfg)
		if err != nil {
			t.Error(err)
			return false
		}
		if rng.IntN(2) == 0 {
			widen(&d.columns[0])
		}
		plain, plainVotes, _ := growVectors(t, d, frame, cfg, 0)
		fast, fastVotes, able := growVectors(t, d, frame, cfg, vectorRows)
		used[seed%shards] = used[seed%shards] || able
		if !bytes.Equal(plain, fast) || !slices.Equal(plainVotes, fastVotes) {
			t.Errorf("%d rows, %d classes: the forests differ", n, d.k)
			return false
		}
		return true
	})
	t.Cleanup(func() {
		if slices.Contains(used, false) {
			t.Error("vectors were never used")
		}
	})
}

// growVectors grows a forest with vectors for nodes of up to so many rows. It returns its bytes, its
// votes out of bag and whether vectors were used.
func growVectors(t *testing.T, d *coded, frame *dataset.Frame, cfg Config, rows int) (forest []byte, votes []uint32,
	used bool) {
	t.Helper()
	w := newGrowth(d, cfg, 0, cfg.Trees)
	w.keepVotes()
	g := newGrower(w)
	g.ways.vectorRows = rows
	trees := make([]grownTree, cfg.Trees)
	for i := range trees {
		tree, err := g.grow(context.Background(), i)
		if err != nil {
			t.Fatal(err)
		}
		used = used || g.vectors.able
		trees[i] = tree
	}
	f := &Forest{Schema: frame.Schema(), Classes: frame.Classes, Share: d.share}
	if err := w.assemble(t.Context(), f, trees); err != nil {
		t.Fatal(err)
	}
	return encoded(t, f), w.counts, used
}

// vectorFrame makes rows of two or three classes: with ties, the same rows again, a constant column, codes of
// extremes, weights, and now and then a class that is rare or a cell that is missing.
func vectorFrame(rng *rand.Rand, n int) *dataset.Frame {
	k := 2 + rng.IntN(2)
	f := &dataset.Frame{Truth: make([]int, n), Classes: levelNames(k)}
	rare := rng.IntN(4) == 0
	for i := range f.Truth {
		if f.Truth[i] = rng.IntN(k); rare && rng.IntN(20) > 0 {
			f.Truth[i] = 0
		}
	}
	f.Truth[0], f.Truth[1] = 0, 1
	for j, values := range []int{math.MaxInt, 1 + n/3, n + 1, 3, 1} {
		c := dataset.Column{Field: dataset.Field{Name: string(rune('A' + j))}, Values: make([]float64, n)}
		for i := range c.Values {
			v := float64(rng.IntN(values))
			if j > 0 && rng.IntN(3) > 0 {
				v = float64(values / (1 + f.Truth[i]))
			}
			c.Values[i] = v
		}
		f.Columns = append(f.Columns, c)
	}
	c := dataset.Column{Field: dataset.Field{Name: "F"}, Values: make([]float64, n)}
	for i := range c.Values {
		c.Values[i] = []float64{-math.MaxFloat64, -5e-324, 5e-324, math.MaxFloat64, rng.NormFloat64()}[rng.IntN(5)]
	}
	f.Columns = append(f.Columns, c)
	for range n / 4 {
		i, j := rng.IntN(n), rng.IntN(n)
		for _, c := range f.Columns {
			c.Values[i] = c.Values[j]
		}
	}
	if rng.IntN(5) == 0 {
		f.Columns[1].Values[rng.IntN(n)] = math.NaN()
	}
	if most := []int{1, 4, 40, 5000}[rng.IntN(4)]; most > 1 {
		f.Weight = make([]float64, n)
		for i := range f.Weight {
			f.Weight[i] = float64(1 + rng.IntN(most))
		}
	}
	return f
}

// A forest has the same bytes, and the same votes out of bag, whatever instructions the processor has. What each set
// of instructions computes is held against plain Go loop by loop in package vector; here all of it is at work, with
// the limits that come with the set.
func TestSetsGrowTheSameForest(t *testing.T) {
	sets := vector.Sets()
	defer vector.Use(sets[len(sets)-1])
	for _, data := range []struct {
		name  string
		frame *dataset.Frame
	}{
		{"waves", dataset.Wave(3000, 3, 1)},
		{"chains", dataset.Fraud(20_000, 1)},      // in codes of 16 bits
		{"many chains", rareFrame(70_000, 0.003)}, // in codes of 32, counted by trees, by bins in bytes
	} {
		var plain []byte
		var plainVotes []uint32
		for _, set := range sets {
			vector.Use(set)
			f, votes, err := Grow(t.Context(), data.frame, Config{Trees: 4, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if set == vector.Plain {
				plain, plainVotes = encoded(t, f), votes.Counts
			}
			if !bytes.Equal(encoded(t, f), plain) || !slices.Equal(votes.Counts, plainVotes) {
				t.Errorf("%s: the forest of %v is not that of plain Go", data.name, set)
			}
		}
	}
}
