package forest

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// What must change a forest in a known way or not at all, each law on 10,000 random problems
// (Chen, Cheung, Yiu, Metamorphic testing, 1998). All are exact.

const instances = 10_000

// problem returns a random frame, without weights, and settings for it.
func problem(seed, law uint64) (*rand.Rand, *dataset.Frame, Config) {
	rng := rand.New(rand.NewPCG(seed, 1000+law))
	frame := randomFrame(rng)
	frame.Weight = nil
	cfg := randomConfig(rng, frame)
	cfg.ClassWeight = nil
	return rng, frame, cfg
}

// withoutBagging makes every tree see every row once.
func withoutBagging(cfg Config) Config {
	cfg.Bag, cfg.NoReplacement, cfg.Fraction = Bootstrap, true, 1
	return cfg
}

// sameForest compares a with b, whose nodes are first seen through a map, which may be nil.
func sameForest(t *testing.T, a, b *Forest, through func(*Node)) bool {
	t.Helper()
	if a.Trees() != b.Trees() {
		t.Errorf("%d trees and %d", a.Trees(), b.Trees())
		return false
	}
	for i := range a.Trees() {
		x, y := walkNodes(a.Tree(i).Node), walkNodes(b.Tree(i).Node)
		if len(x) != len(y) {
			t.Errorf("tree %d: %d nodes and %d", i, len(x), len(y))
			return false
		}
		for j := range x {
			if through != nil {
				through(&y[j])
			}
			if !sameNode(x[j], y[j]) {
				t.Errorf("tree %d, node %d: %+v and %+v", i, j, x[j], y[j])
				return false
			}
		}
	}
	return true
}

// sameGains compares what features gained; a tree may round in another way.
func sameGains(t *testing.T, a, b *Forest) bool {
	t.Helper()
	for j, g := range a.gain {
		if d := int64(g - b.gain[j]); d < -int64(a.Trees()) || d > int64(a.Trees()) {
			t.Errorf("feature %d gained %d and %d", j, g, b.gain[j])
			return false
		}
	}
	return true
}

func sameBytes(t *testing.T, a, b *Forest) bool {
	t.Helper()
	if !bytes.Equal(encoded(t, a), encoded(t, b)) {
		t.Error("other bytes")
		return false
	}
	return true
}

// A row of weight 2 is the row twice, where no bag is drawn, nor rates of levels. (Bagged, only on average: two rows
// are drawn one by one. And the least weight is 1, also for MinLeaf: so some row has it.)
func TestLawWeightIsRepetition(t *testing.T) {
	inShards(t, rounds(instances), func(t *testing.T, seed uint64) bool {
		rng, frame, cfg := problem(seed, 1)
		cfg = withoutBagging(cfg)
		cfg.SubsetLevels = len(allNames()) // rates deal rows to folds
		weight, rows := make([]float64, frame.Rows()), []int{}
		for i := range weight {
			weight[i] = float64(1 + rng.IntN(4)*rng.IntN(2))
			if i == 0 {
				weight[i] = 1
			}
			rows = append(rows, slices.Repeat([]int{i}, int(weight[i]))...)
		}
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		twice := frame.Take(rows)
		frame.Weight = weight
		if !sameTies(frame, twice) {
			return true
		}
		a, _ := mustGrow(t, frame, cfg)
		b, _ := mustGrow(t, twice, cfg)
		return sameForest(t, a, b, nil) && sameGains(t, a, b) && slices.Equal(a.Share, b.Share)
	})
}

// A row of weight 0 is as if absent, for any bag: byte for byte, and in the votes out of bag. (A bag that
// draws rows by their index alone, poisson or hash:m, draws others if the index changes: so the rows then come last.)
func TestLawWeightZeroIsAbsence(t *testing.T) {
	inShards(t, rounds(instances), func(t *testing.T, seed uint64) bool {
		rng, frame, cfg := problem(seed, 2)
		n, k := frame.Rows(), len(frame.Classes)
		rows, weight := upTo(n), slices.Repeat([]float64{1}, n)
		for range 1 + rng.IntN(5) {
			at := len(rows)
			if !cfg.Bag.byRow() {
				at = rng.IntN(len(rows) + 1)
			}
			rows, weight = slices.Insert(rows, at, rng.IntN(n)), slices.Insert(weight, at, 0)
		}
		more := frame.Take(rows)
		more.Weight = weight
		for i, w := range weight {
			if w == 0 { // like no other
				more.Truth[i] = rng.IntN(k)
				for j := range more.Columns {
					if more.Columns[j].Kind == dataset.Numeric {
						more.Columns[j].Values[i] = rng.NormFloat64()
					}
				}
			}
		}
		a, oob := mustGrow(t, frame, cfg)
		b, votes := mustGrow(t, more, cfg)
		at := 0
		for i, w := range weight {
			if w > 0 {
				if !slices.Equal(votes.Votes(i), oob.Votes(at)) {
					t.Errorf("row %d: votes %v, without the others %v", i, votes.Votes(i), oob.Votes(at))
					return false
				}
				at++
			}
		}
		return sameBytes(t, a, b)
	})
}

// A factor of all weights changes nothing, where products and sums are exact. (Where they are not,
// as with 0.1, two classes that weigh the same may no longer do so.)
func TestLawWeightsScaled(t *testing.T) {
	inShards(t, rounds(instances), func(t *testing.T, seed uint64) bool {
		rng, frame, cfg := problem(seed, 3)
		factor := []float64{7, 1000, 0.125, 1 << 40, 0x1p-1000, 0x1p900}[rng.IntN(6)]
		switch rng.IntN(3) {
		case 0:
			frame.Weight = slices.Repeat([]float64{1}, frame.Rows())
		case 1:
			frame.Weight = realWeights(rng, frame.Rows())
			factor = []float64{0.125, 1 << 40}[rng.IntN(2)]
		default:
			for range frame.Rows() {
				frame.Weight = append(frame.Weight, []float64{1, 1, 2, 4}[rng.IntN(4)])
			}
		}
		scaled := *frame
		scaled.Weight = slices.Clone(frame.Weight)
		for i := range scaled.Weight {
			scaled.Weight[i] *= factor
		}
		a, oob := mustGrow(t, frame, cfg)
		b, votes := mustGrow(t, &scaled, cfg)
		return sameForest(t, a, b, nil) && sameGains(t, a, b) && slices.Equal(oob.Counts, votes.Counts)
	})
}

// Any strictly increasing map of numbers leaves the trees as they are; only thresholds lie elsewhere,
// between the images of the same two values. (Random cuts are drawn among values, not ranks; and where a
// row of weight 0 belongs between those that are drawn is up to its value, as it is for any row that is not in a
// hash bag. These are left out here.)
func TestLawIncreasingMap(t *testing.T) {
	inShards(t, rounds(instances), func(t *testing.T, seed uint64) bool {
		rng, frame, cfg := problem(seed, 4)
		cfg.RandomCuts = false
		if _, hash := cfg.Bag.Rows(); hash {
			cfg.Bag = Poisson
		}
		mapped := frame.Take(upTo(frame.Rows()))
		values := make([][2][]float64, len(frame.Columns)) // by column: distinct values before and after
		for j := range frame.Columns {
			if frame.Columns[j].Kind == dataset.Numeric {
				values[j][0] = distinct(&frame.Columns[j])
				values[j][1] = increasing(rng, len(values[j][0]))
				for i, v := range frame.Columns[j].Values {
					if !math.IsNaN(v) {
						at, _ := slices.BinarySearch(values[j][0], v)
						mapped.Columns[j].Values[i] = values[j][1][at]
					}
				}
			}
		}
		a, oob := mustGrow(t, frame, cfg)
		b, votes := mustGrow(t, mapped, cfg)
		rank := func(n *Node, side int) { // of the threshold: values that go left
			if v := values[n.Feature][side]; !n.Leaf && v != nil {
				at, found := slices.BinarySearch(v, n.Threshold)
				if found {
					at++
				}
				n.Threshold = float64(at)
			}
		}
		for i := range a.Trees() {
			x, y := walkNodes(a.Tree(i).Node), walkNodes(b.Tree(i).Node)
			if len(x) != len(y) {
				t.Errorf("tree %d: %d nodes and %d", i, len(x), len(y))
				return false
			}
			for at := range x {
				rank(&x[at], 0)
				rank(&y[at], 1)
				if !sameNode(x[at], y[at]) {
					t.Errorf("tree %d, node %d: %+v and %+v", i, at, x[at], y[at])
					return false
				}
			}
		}
		all, err := a.Votes(context.Background(), frame, 1)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Equal(oob.Counts, votes.Counts) && equalVotes(t, b, mapped, all.Counts) && sameGains(t, a, b)
	})
}

func distinct(c *dataset.Column) []float64 {
	var values []float64
	for _, v := range c.Values {
		if !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// increasing returns n numbers, ascending, of any size, at times direct neighbours.
func increasing(rng *rand.Rand, n int) []float64 {
	for {
		out := make([]float64, n)
		for i := range out {
			out[i] = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(600)-300))
			if i > 0 && rng.IntN(3) == 0 {
				out[i] = math.Nextafter(out[i-1], math.Inf(1))
			}
		}
		slices.Sort(out)
		if out = slices.Compact(out); len(out) == n {
			return out
		}
	}
}

// Other names of the classes change no byte, and another order of them permutes votes, leaves and
// the order of ties.
func TestLawClassesPermuted(t *testing.T) {
	inShards(t, rounds(instances), func(t *testing.T, seed uint64) bool {
		rng, frame, cfg := problem(seed, 5)
		k := len(frame.Classes)
		if rng.IntN(4) == 0 {
			frame.Weight = realWeights(rng, frame.Rows())
		}
		if rng.IntN(3) == 0 {
			for range k {
				cfg.ClassWeight = append(cfg.ClassWeight, []float64{0.5, 1, 2}[rng.IntN(3)])
			}
		}
		renamed := *frame
		renamed.Classes = make([]string, k)
		for c := range k {
			renamed.Classes[c] = fmt.Sprintf("%d", 5*k-c)
		}
		a, oob := mustGrow(t, frame, cfg)
		b, votes := mustGrow(t, &renamed, cfg)
		if !sameBytes(t, a, b) || !slices.Equal(oob.Counts, votes.Counts) {
			return false
		}
		to := rng.Perm(k)
		permuted := *frame
		permuted.Classes, permuted.Truth = make([]string, k), make([]int, frame.Rows())
		weight := slices.Clone(cfg.ClassWeight)
		for c, name := range frame.Classes {
			permuted.Classes[to[c]] = name
			if weight != nil {
				weight[to[c]] = cfg.ClassWeight[c]
			}
		}
		for i, c := range frame.Truth {
			permuted.Truth[i] = to[c]
		}
		cfg.ClassWeight = weight
		if prefer := slices.Clone(cfg.Slopes); prefer != nil {
			for c, p := range cfg.Slopes {
				prefer[to[c]] = p
			}
			cfg.Slopes = prefer
		}
		p, votes := mustGrow(t, &permuted, cfg)
		rows := frame.ClassWeights()
		for at, c := range a.TieOrder() { // classes without rows never have a vote
			if other := p.TieOrder()[at]; other != to[c] && rows[c] > 0 || p.Share[to[c]] != a.Share[c] {
				t.Errorf("ties go to %v, permuted by %v to %v", a.TieOrder(), to, p.TieOrder())
				return false
			}
		}
		for i := range frame.Rows() {
			for c, v := range oob.Votes(i) {
				if votes.Votes(i)[to[c]] != v {
					t.Errorf("row %d: votes %v, permuted %v", i, oob.Votes(i), votes.Votes(i))
					return false
				}
			}
		}
		return sameForest(t, a, p, func(n *Node) { permuteLeaf(n, to) })
	})
}

// permuteLeaf takes the classes of a leaf back.
func permuteLeaf(n *Node, to []int) {
	if !n.Leaf {
		return
	}
	n.Class = slices.Index(to, n.Class)
	if n.Shares == nil {
		return
	}
	shares := make([]float64, len(to))
	for c := range shares {
		shares[c] = n.Shares[to[c]]
		if c == 0 || shares[c] > shares[n.Class] {
			n.Class = c // of equals the first
		}
	}
	n.Shares = shares
}

// Columns in another order give the same trees if the same columns are drawn. They are drawn by index, so a
// file with its columns in another order does give other trees; here the list that is drawn
// from is permuted as well. (Random cuts depend on the index of the column too.)
func TestLawColumnsPermuted(t *testing.T) {
	inShards(t, rounds(instances), func(t *testing.T, seed uint64) bool {
		rng, frame, cfg := problem(seed, 6)
		cfg.RandomCuts = false
		p := len(frame.Columns)
		from := rng.Perm(p)
		permuted := *frame
		permuted.Columns = make([]dataset.Column, p)
		to := make([]int, p)
		for j, old := range from {
			permuted.Columns[j], to[old] = frame.Columns[old], j
		}
		a, oobA := growDrawing(t, frame, cfg, upTo(p))
		b, oobB := growDrawing(t, &permuted, cfg, to)
		return slices.Equal(oobA, oobB) && sameForest(t, a, b, func(n *Node) {
			if !n.Leaf {
				n.Feature = from[n.Feature]
			}
		})
	})
}

// growDrawing grows tree 0 with the features in the given order before any is drawn.
func growDrawing(t *testing.T, frame *dataset.Frame, cfg Config, order []int) (*Forest, []uint32) {
	t.Helper()
	cfg = cfg.Resolved(len(frame.Columns))
	data, err := encode(context.Background(), frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	growth := newGrowth(data, cfg, 0, 1)
	g := newGrower(growth)
	copy(g.perm, order)
	tree, err := g.grow(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	f := &Forest{Schema: frame.Schema(), Classes: frame.Classes, Share: data.share, soft: cfg.Soft}
	if err := growth.assemble(t.Context(), f, []grownTree{tree}); err != nil {
		t.Fatal(err)
	}
	return f, growth.counts
}

// Columns without anything to cut, constant or all missing, are never split on. Beside a single column
// they change nothing, as drawing goes on until one can be cut. Beside more they change what is drawn; but
// where all features are tried the first split gains as much.
func TestLawConstantColumns(t *testing.T) {
	inShards(t, rounds(instances), func(t *testing.T, seed uint64) bool {
		rng, frame, cfg := problem(seed, 7)
		if rng.IntN(2) == 0 {
			frame.Columns = frame.Columns[:1]
			cfg.Mtry = 1
		} else {
			cfg.MaxDepth, cfg.MaxLeaves, cfg.RandomCuts, cfg.Mtry = 1, 0, false, len(frame.Columns)
		}
		p := len(frame.Columns)
		more := *frame
		more.Columns = slices.Clone(frame.Columns)
		for c, v := range []float64{3, math.NaN(), 0} {
			column := dataset.Column{Field: dataset.Field{Name: fmt.Sprint(c)}, Values: slices.Repeat([]float64{v},
				frame.Rows())}
			if c == 2 {
				column.Kind, column.Levels = dataset.Categorical, []string{"only"}
			}
			more.Columns = append(more.Columns, column)
		}
		a, oob := mustGrow(t, frame, cfg)
		if cfg.MaxDepth == 1 {
			cfg.Mtry = len(more.Columns)
		}
		b, votes := mustGrow(t, &more, cfg)
		for _, g := range b.gain[p:] {
			if g != 0 {
				t.Error("a column without anything to cut gained")
			}
		}
		for i := range b.Trees() {
			for at := range b.Tree(i).Nodes() {
				if n := b.Tree(i).Node(at); !n.Leaf && n.Feature >= p {
					t.Errorf("tree %d splits on column %d", i, n.Feature)
					return false
				}
			}
		}
		if p == 1 {
			return sameForest(t, a, b, nil) && slices.Equal(oob.Counts, votes.Counts)
		}
		var sumA, sumB int64
		for j, g := range a.gain {
			sumA, sumB = sumA+int64(g), sumB+int64(b.gain[j])
		}
		if d := sumA - sumB; d < -int64(2*p) || d > int64(2*p) { // each feature of each tree is rounded
			t.Errorf("splits of all features gain %d, with constants %d", sumA, sumB)
		}
		return !t.Failed()
	})
}

// sameTies tells whether equally common classes come in the same order.
func sameTies(a, b *dataset.Frame) bool {
	return slices.Equal(vote.TieOrder(a.ClassWeights(), a.FirstRows()), vote.TieOrder(b.ClassWeights(), b.FirstRows()))
}

// The order of the rows does not matter where no bag is drawn, nor rates of levels, unless it puts equally common
// classes in another order.
func TestLawRowsPermuted(t *testing.T) {
	inShards(t, rounds(instances), func(t *testing.T, seed uint64) bool {
		rng, frame, cfg := problem(seed, 8)
		cfg = withoutBagging(cfg)
		cfg.SubsetLevels = len(allNames()) // rates deal rows to folds
		if rng.IntN(2) == 0 {
			frame.Weight = realWeights(rng, frame.Rows())
		}
		moved := frame.Take(rng.Perm(frame.Rows()))
		if !sameTies(frame, moved) {
			return true
		}
		a, _ := mustGrow(t, frame, cfg)
		b, _ := mustGrow(t, moved, cfg)
		return sameForest(t, a, b, nil) && sameGains(t, a, b)
	})
}

// Limits that are not reached change nothing: of depth, of leaves (where a tree grows in another
// order), and, where leaves have one row, of their size. Neither does the form of the columns.
func TestLawLimitsThatDoNotBind(t *testing.T) {
	inShards(t, rounds(instances/5), func(t *testing.T, seed uint64) bool {
		_, frame, cfg := problem(seed, 9)
		cfg.MaxLeaves, cfg.MaxDepth, cfg.MinLeaf = 0, 0, 0
		a, oob := mustGrow(t, frame, cfg)
		deepest, leaves := 0, 0
		for i := range a.Trees() {
			deepest, leaves = max(deepest, a.Tree(i).Depth()), max(leaves, (a.Tree(i).Nodes()+1)/2)
		}
		for _, limit := range []func(*Config){
			func(c *Config) { c.MaxLeaves = max(2, leaves) },
			func(c *Config) { c.MaxDepth = max(1, deepest) },
			func(c *Config) { c.MinLeaf = 1 },
		} {
			limited := cfg
			limit(&limited)
			b, votes := mustGrow(t, frame, limited)
			if !sameForest(t, a, b, nil) || !sameGains(t, a, b) || !slices.Equal(oob.Counts, votes.Counts) {
				t.Errorf("%+v", limited)
				return false
			}
		}
		b, votes := mustGrow(t, codedFrame(frame), cfg)
		return sameBytes(t, a, b) && slices.Equal(oob.Counts, votes.Counts)
	})
}

// codedFrame returns frame with coded columns.
func codedFrame(frame *dataset.Frame) *dataset.Frame {
	out := *frame
	out.Columns = make([]dataset.Column, len(frame.Columns))
	var coder dataset.Coder
	for j := range frame.Columns {
		out.Columns[j] = dataset.Column{Field: frame.Columns[j].Field, Codes: coder.Code(&frame.Columns[j])}
	}
	return &out
}
