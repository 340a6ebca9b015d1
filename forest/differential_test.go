package forest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/vote"
)

// The fast grower against the slow one of reference_test.go: 30,000 problems as [Grow] takes them,
// and 10,000 for each way to search a numeric feature.

// The trees equal those of the reference, node by node; so do the votes out of bag and of all
// trees, one by one and in blocks, and what the features gained.
func TestGrowEqualsReference(t *testing.T) {
	inShards(t, rounds(30_000), func(t *testing.T, seed uint64) bool {
		rng := rand.New(rand.NewPCG(seed, 1))
		frame := randomFrame(rng)
		cfg := randomConfig(rng, frame)
		f, table, err := Grow(context.Background(), frame, cfg)
		if err != nil {
			t.Error(err)
			return false
		}
		k := len(frame.Classes)
		oob, all := make([]uint32, len(table.Counts)), make([]uint32, len(table.Counts))
		gain := make([]float64, len(frame.Columns))
		for i := range f.Trees() {
			slow := growReference(frame, cfg, i)
			if !equalTrees(t, f, i, slow) {
				t.Errorf("tree %d, %+v", i, cfg)
				return false
			}
			for row, w := range slow.weight {
				leaf := slow.leafOf(row)
				addVote(all[row*k:row*k+k], leaf)
				if w == 0 {
					addVote(oob[row*k:row*k+k], leaf)
				}
			}
			for j, g := range slow.gain {
				gain[j] += g / slow.total * gainUnit
			}
		}
		if !slices.Equal(oob, table.Counts) {
			t.Errorf("out-of-bag votes %v, the reference has %v", table.Counts, oob)
		}
		for j, g := range gain {
			if math.Abs(g-float64(f.gain[j])) > 2+1e-12*g { // each tree is rounded
				t.Errorf("feature %d gained %d, in the reference %v, %+v", j, f.gain[j], g, cfg)
			}
		}
		return equalVotes(t, f, frame, all) && !t.Failed()
	})
}

// equalVotes compares the votes for all rows, asked for in both ways.
func equalVotes(t *testing.T, f *Forest, frame *dataset.Frame, want []uint32) bool {
	t.Helper()
	table, err := f.Votes(context.Background(), frame, 1)
	if err != nil || !slices.Equal(table.Counts, want) {
		t.Errorf("votes in blocks differ, error %v", err)
		return false
	}
	x, votes := make([]float64, len(frame.Columns)), make([]uint32, len(f.Classes))
	for i := range frame.Rows() {
		clear(votes)
		frame.Row(x, i)
		f.Vote(votes, x)
		if !slices.Equal(votes, table.Votes(i)) {
			t.Errorf("row %d: votes %v alone, %v in a block", i, votes, table.Votes(i))
			return false
		}
	}
	return true
}

// widen makes the codes of a column wide, as those of more than 65,535 values are.
func widen(c *codedColumn) {
	for _, code := range c.narrow {
		c.wide = append(c.wide, uint32(code))
	}
	c.narrow = nil
}

// growBy grows tree 0 with each way taken where w says.
func growBy(t *testing.T, data *coded, frame *dataset.Frame, cfg Config, w ways) *Forest {
	t.Helper()
	growth := newGrowth(data, cfg, 0, 1)
	g := newGrower(growth)
	g.ways = w
	tree, err := g.grow(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	f := &Forest{Schema: frame.Schema(), Classes: frame.Classes, Share: data.share, soft: cfg.Soft}
	if err := growth.assemble(t.Context(), f, []grownTree{tree}); err != nil {
		t.Fatal(err)
	}
	return f
}

// everyWay says where each way to search a numeric feature is taken.
var everyWay = []struct {
	name string
	ways ways
}{
	{"sort", ways{histPerRow: 0, sortRows: math.MaxInt, binBits: 0, hugeRows: math.MaxInt, pairs: false}},
	{"bins", ways{histPerRow: 0, sortRows: 0, binBits: 0, hugeRows: math.MaxInt, pairs: false, mostLater: mostLater}},
	{"two bins", ways{histPerRow: 0, sortRows: 0, binBits: 1, hugeRows: math.MaxInt, pairs: true, mostLater: mostLater}},
	{"many bins", ways{histPerRow: 0, sortRows: 0, binBits: 10, hugeRows: math.MaxInt, pairs: true, mostLater: 100}},
	{"count if less", ways{histPerRow: 2, sortRows: 8, binBits: 3, hugeRows: math.MaxInt, pairs: true}},
	{"huge", ways{histPerRow: histPerRow, sortRows: boundRows, binBits: 0, hugeRows: 0, pairs: false}},
	{"huge from 9", ways{histPerRow: 0, sortRows: 4, binBits: 2, hugeRows: 8, pairs: true, mostLater: mostLater}},
	{"copies of up to 30", ways{histPerRow: histPerRow, sortRows: boundRows, hugeRows: 30, pairs: true, localRows: 30}},
	{"huge in copies", ways{histPerRow: 0, sortRows: 4, binBits: 2, hugeRows: 4, pairs: true, localRows: 10,
		mostLater: 20}},
	{"copy all", ways{histPerRow: histPerRow, sortRows: boundRows, hugeRows: math.MaxInt, pairs: true,
		localRows: math.MaxInt}},
	{"vectors", ways{histPerRow: 0, sortRows: math.MaxInt, hugeRows: math.MaxInt, vectorRows: vectorRows, pairRows: 16}},
	{"vectors with bins", ways{histPerRow: 0, sortRows: math.MaxInt, hugeRows: math.MaxInt, vectorRows: vectorRows}},
	{"vectors with two bins", ways{histPerRow: 0, binBits: 1, hugeRows: math.MaxInt, vectorRows: vectorRows, pairRows: 4}},
	{"vectors beside huge", ways{histPerRow: 0, sortRows: 4, binBits: 2, hugeRows: 8, vectorRows: min(20, vectorRows),
		pairRows: 4, localRows: 10, mostLater: mostLater}},
}

// Every way to search a numeric feature finds the same tree: each is taken everywhere, on
// codes of 16 bits and of 32.
func TestEveryWayEqualsReference(t *testing.T) {
	for nr, way := range everyWay {
		t.Run(way.name, func(t *testing.T) {
			inShards(t, rounds(10_000), func(t *testing.T, seed uint64) bool {
				rng := rand.New(rand.NewPCG(seed, 3+100*uint64(nr)))
				frame := randomFrame(rng)
				cfg := randomConfig(rng, frame).Resolved(len(frame.Columns))
				if _, hash := cfg.Bag.Rows(); hash { // whose trees have data of their own, see sample.go
					cfg.Bag = Poisson
				}
				data, err := encode(context.Background(), frame, cfg)
				if err != nil {
					t.Error(err)
					return false
				}
				prepare(data, rng)
				f := growBy(t, data, frame, cfg, way.ways)
				return equalTrees(t, f, 0, growReferenceOn(data, frame, cfg, 0))
			})
		})
	}
}

// prepare makes the codes of some columns wide, and makes few bins for those that have bins in
// data of many rows, for some of them in order.
func prepare(d *coded, rng *rand.Rand) {
	binBits, wide := 1+rng.IntN(4), rng.IntN(2) == 0
	for j := range d.columns {
		c := &d.columns[j]
		if wide && rng.IntN(3) > 0 {
			widen(c)
		}
		if !c.categorical && d.whole != nil && !slices.Contains(c.narrow, 0) && !slices.Contains(c.wide, 0) {
			c.keepBins(binBits)
			if rng.IntN(2) == 0 {
				c.keepOrder(new([]uint32))
			}
		}
	}
}

// Of more than 65,535 values, and levels, codes are wide. Few rows are drawn for a tree, so that
// the reference is done with it soon.
func TestWideColumnsEqualReference(t *testing.T) {
	race.SkipFigures(t)
	const n = math.MaxUint16 + 3
	rng := rand.New(rand.NewPCG(1, 4))
	frame := &dataset.Frame{Classes: []string{"a", "b", "c"}, Truth: make([]int, n), Columns: []dataset.Column{
		{Field: dataset.Field{Name: "x"}, Values: make([]float64, n)},
		{Field: dataset.Field{Name: "gaps"}, Values: make([]float64, n)},
		{Field: dataset.Field{Name: "level", Kind: dataset.Categorical, Levels: levelNames(n)}, Values: make([]float64, n)},
	}}
	for i, v := range rng.Perm(n) {
		frame.Truth[i] = rng.IntN(3)
		frame.Columns[0].Values[i], frame.Columns[1].Values[i], frame.Columns[2].Values[i] = float64(v), rng.Float64(),
			float64(n-1-v)
		if rng.IntN(1000) == 0 {
			frame.Columns[1].Values[i] = math.NaN()
		}
	}
	for _, cfg := range []Config{
		{Trees: 8, Mtry: 2, Fraction: 0.003, Seed: 1},
		{Trees: 3, Mtry: 3, Fraction: 0.002, Seed: 2, Soft: true, MinLeaf: 5},
		{Trees: 3, Mtry: 1, Fraction: 0.0023, NoReplacement: true, Seed: 3, Criterion: Entropy, MaxLeaves: 9},
		{Trees: 3, Mtry: 2, Fraction: 0.0023, Seed: 4, RandomCuts: true},
		{Trees: 3, Mtry: 2, Bag: Hash(200), Seed: 5},
	} {
		f, table := mustGrow(t, frame, cfg)
		data, err := encode(context.Background(), frame, cfg.Resolved(3))
		if err != nil {
			t.Fatal(err)
		}
		if data.columns[0].wide == nil || data.columns[0].bins == 0 || data.columns[2].wide == nil {
			t.Fatal("the codes are not wide")
		}
		want := make([]uint32, len(table.Counts))
		for i := range f.Trees() {
			slow := growReferenceOn(data, frame, cfg.Resolved(3), i)
			if !equalTrees(t, f, i, slow) {
				t.Fatalf("tree %d, %+v", i, cfg)
			}
			for row, w := range slow.weight {
				if w == 0 && row%50 == 0 {
					addVote(want[3*row:3*row+3], slow.leafOf(row))
				}
			}
		}
		for row := 0; row < n; row += 50 {
			if got := table.Votes(row); !slices.Equal(got, want[3*row:3*row+3]) {
				t.Fatalf("row %d: out-of-bag votes %v, the reference has %v", row, got, want[3*row:3*row+3])
			}
		}
		if back, err := decode(encoded(t, f), f.Schema, f.Classes, f.Share, f.Ties); err != nil || back.Nodes() != f.Nodes() {
			t.Errorf("decoded: %v", err)
		}
	}
}

// Rows enough for bins and for kept counts, by the ways that [Grow] itself takes. The trees are
// shallow and try few features, so that the reference is done soon.
func TestLargeNodesEqualReference(t *testing.T) {
	race.SkipFigures(t)
	n := 6000
	if testing.Short() {
		n = hugeRows + 100
	}
	rng := rand.New(rand.NewPCG(1, 5))
	frame := &dataset.Frame{Classes: []string{"a", "b", "c", "d"}, Truth: make([]int, n), Columns: []dataset.Column{
		{Field: dataset.Field{Name: "few"}, Values: make([]float64, n)},
		{Field: dataset.Field{Name: "some"}, Values: make([]float64, n)},
		{Field: dataset.Field{Name: "gaps"}, Values: make([]float64, n)},
	}}
	for i := range n {
		few, some := float64(rng.IntN(12)), math.Round(rng.NormFloat64()*200)
		frame.Columns[0].Values[i], frame.Columns[1].Values[i], frame.Columns[2].Values[i] = few, some, some
		if rng.IntN(10) == 0 {
			frame.Columns[2].Values[i] = math.NaN()
		}
		switch {
		case rng.IntN(3) == 0:
			frame.Truth[i] = rng.IntN(4)
		case some > 100+few:
			frame.Truth[i] = 1
		case few > 8:
			frame.Truth[i] = 2
		}
	}
	for classes := 2; classes <= 4; classes++ { // of two and three the bounds have ways of their own
		part := frame.Take(upTo(n))
		part.Classes = part.Classes[:classes]
		for i := range part.Truth {
			part.Truth[i] = min(part.Truth[i], classes-1)
		}
		for _, cfg := range []Config{
			{Trees: 1, Mtry: 3, MaxDepth: 4, Seed: 1, NoReplacement: true, Fraction: 1},
			{Trees: 1, Mtry: 2, MaxLeaves: 12, Seed: 2, MinLeaf: 200},
		} {
			f, _ := mustGrow(t, part, cfg)
			if !equalTrees(t, f, 0, growReference(part, cfg, 0)) {
				t.Errorf("%d classes, %+v", classes, cfg)
			}
		}
	}
}

// Where leaves have a least weight the start of a bin may be too close to the side to be a cut, and the best one
// lies behind it, within the bin.
func TestLeastLeavesEqualReference(t *testing.T) {
	for seed := range uint64(rounds(600)) {
		way := ways{histPerRow: 0, sortRows: 0, hugeRows: math.MaxInt, mostLater: mostLater}
		if seed%2 == 1 {
			way.vectorRows = vectorRows
		}
		rng := rand.New(rand.NewPCG(seed, 6))
		first, n, k := 2+rng.IntN(8), 40+rng.IntN(100), 3+rng.IntN(2)
		frame := &dataset.Frame{Classes: levelNames(k), Truth: make([]int, n)} // the least class has the least values
		for i := first; i < n; i++ {
			frame.Truth[i] = 1 + rng.IntN(k-1)
		}
		for _, name := range levelNames(6) {
			var values []float64
			for _, v := range rng.Perm(first) {
				values = append(values, float64(v))
			}
			if rng.IntN(2) == 0 { // but for one
				values[0] = float64(rng.IntN(n)) + 0.5
			}
			for _, v := range rng.Perm(n - first) {
				values = append(values, float64(first+v))
			}
			frame.Columns = append(frame.Columns, dataset.Column{Field: dataset.Field{Name: name}, Values: values})
		}
		for _, criterion := range []Criterion{Gini, Entropy} {
			cfg := Config{Trees: 1, Mtry: 6, MinLeaf: first + rng.IntN(3), Seed: seed, Criterion: criterion, MaxDepth: 1,
				NoReplacement: true, Fraction: 1}.Resolved(6)
			data, err := encode(context.Background(), frame, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if way.binBits = 2 + rng.IntN(4); !equalTrees(t, growBy(t, data, frame, cfg, way), 0, growReferenceOn(data, frame,
				cfg, 0)) {
				t.Fatalf("seed %d, %s", seed, criterion)
			}
		}
	}
}

// addVote adds the vote of a leaf.
func addVote(votes []uint32, leaf Node) {
	if leaf.Shares == nil {
		votes[leaf.Class]++
	}
	for c, share := range leaf.Shares {
		votes[c] += uint32(math.Round(share * vote.Unit))
	}
}

// equalTrees compares tree i of f with its reference.
func equalTrees(t *testing.T, f *Forest, i int, slow *refTree) bool {
	t.Helper()
	a, b := walkNodes(f.Tree(i).Node), walkNodes(func(i int) Node { return slow.nodes[i] })
	if len(a) != len(b) {
		t.Errorf("%d nodes, the reference has %d", len(a), len(b))
		return false
	}
	for i := range a {
		if !sameNode(a[i], b[i]) {
			t.Errorf("node %d (in order of a walk): %+v, the reference has %+v", i, a[i], b[i])
			return false
		}
	}
	return true
}

func sameNode(a, b Node) bool {
	return a.Leaf == b.Leaf && a.Class == b.Class && a.Feature == b.Feature && a.Threshold == b.Threshold &&
		a.MissingLeft == b.MissingLeft &&
		slices.Equal(a.Levels, b.Levels) && slices.Equal(a.Shares, b.Shares)
}
