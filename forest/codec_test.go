package forest

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/vote"
)

func TestCodecRoundTrip(t *testing.T) {
	f, _ := mustGrow(t, learnable(300, 1), Config{Trees: 12, Seed: 1})
	b := encoded(t, f)
	back, err := decode(b, f.Schema, f.Classes, f.Share, f.Ties)
	if err != nil {
		t.Fatal(err)
	}
	if again := encoded(t, back); !bytes.Equal(again, b) {
		t.Error("decoded and encoded again it has other bytes")
	}
	x, a, c := []float64{0.7, 0.1, 1, math.NaN()}, make([]uint32, 2), make([]uint32, 2)
	f.Vote(a, x)
	back.Vote(c, x)
	if !slices.Equal(a, c) {
		t.Errorf("votes %v before, %v after", a, c)
	}
}

func TestDecodeRefusesEveryTruncation(t *testing.T) {
	f, _ := mustGrow(t, learnable(60, 1), Config{Trees: 3, Seed: 1})
	b := encoded(t, f)
	for n := range b {
		if _, err := decode(b[:n], f.Schema, f.Classes, f.Share, f.Ties); !errors.Is(err, ErrFormat) {
			t.Fatalf("cut at %d of %d bytes: error %v", n, len(b), err)
		}
	}
	if _, err := decode(append(slices.Clone(b), 0), f.Schema, f.Classes, f.Share, f.Ties); !errors.Is(err, ErrFormat) {
		t.Errorf("a byte too many: error %v", err)
	}
}

// Each case breaks one rule of a sound forest; the numbers are those of the catalogue of bad inputs.
func TestDecodeRefusesUnsoundTrees(t *testing.T) {
	f, _ := mustGrow(t, learnable(200, 1), Config{Trees: 1, Seed: 1, Soft: true, MinLeaf: 3})
	nodes, l := f.trees[0], f.layout
	find := func(is func(feature int) bool) int {
		return slices.IndexFunc(nodes, func(n node) bool { return is(int(l.featureOf(n))) })
	}
	numeric, categorical, leaf := find(func(j int) bool { return j < 2 }), find(func(j int) bool { return j == 2 }),
		find(func(j int) bool { return j == 4 })
	shared := slices.IndexFunc(nodes, func(n node) bool { return l.featureOf(n) == 4 && l.cut(n) >= 2 })
	if numeric < 0 || categorical < 0 || leaf < 0 || shared < 0 {
		t.Fatal("the tree lacks a kind of node that this test breaks")
	}
	child := func(to int) func(*Forest, *node) {
		return func(_ *Forest, n *node) { *n = l.pack(l.cut(*n), l.featureOf(*n), (*n).missing() != 0, uint32(to)) }
	}
	for _, tc := range []struct {
		name string
		at   int
		mend func(*Forest, *node)
	}{
		{"J236 child index beyond the nodes", numeric, child(len(nodes))},
		{"J236 right child beyond the nodes", numeric, child(len(nodes) - 1)},
		{"J237 child is the node itself", numeric, child(numeric)},
		{"J239 child is the root", numeric, child(0)},
		{"J240 unreachable nodes", 0, func(_ *Forest, n *node) { *n = l.leaf(0, 4, 0) }},
		{"J238 two parents", 0, child(3)},
		{"J241 feature index beyond the schema", numeric, func(_ *Forest, n *node) {
			*n = l.pack(l.cut(*n), 5, false,
				(*n).child())
		}},
		{"cut beyond those of the feature", numeric,
			func(f *Forest, n *node) { c := &f.cuts[l.featureOf(*n)]; c.at = c.at[:l.cut(*n)] }},
		{"cut that is never used", numeric, func(f *Forest, n *node) {
			f.cuts[0].at = append(f.cuts[0].at,
				math.MaxFloat64)
		}},
		{"J242 threshold NaN", 0, func(f *Forest, _ *node) { f.cuts[0].at[0] = math.NaN() }},
		{"J242 threshold infinite", 0, func(f *Forest, _ *node) { f.cuts[0].at[0] = math.Inf(-1) }},
		{"thresholds out of order", 0, func(f *Forest, _ *node) { f.cuts[0].at[0] = math.MaxFloat64 }},
		{"set of levels out of order", categorical, func(_ *Forest, n *node) {
			*n = l.pack(1, 2, (*n).missing() != 0,
				(*n).child())
		}},
		{"J243 level beyond the last", 0, func(f *Forest, _ *node) { f.cuts[2].bits[0] |= 1 << 5 }},
		{"missing cells as a level", 0, func(f *Forest, _ *node) { f.cuts[2].bits[0] |= 1 }},
		{"empty set of levels", 0, func(f *Forest, _ *node) { f.cuts[2].bits[0] = 0 }},
		{"J245 leaf of a class that is not there", leaf, func(_ *Forest, n *node) { *n = l.leaf(1<<(l-1), 4, uint32(leaf)) }},
		{"leaf that sends missing cells right", leaf, func(_ *Forest, n *node) { *n &^= 1 << missingBit }},
		{"leaf that leads elsewhere", leaf, child(leaf + 1)},
		{"shares out of order", shared, func(_ *Forest, n *node) { *n = l.leaf(3, 4, uint32(shared)) }},
		{"shares that sum to too much", 0, func(f *Forest, _ *node) { f.shares[0]++ }},
		{"shares of a pure leaf", 0, func(f *Forest, _ *node) { f.shares[0], f.shares[1] = vote.Unit, 0 }},
		{"shares of hard votes", 0, func(f *Forest, _ *node) { f.soft = false }},
		{"gain beyond what there is", 0, func(f *Forest, _ *node) { f.gain[0] = gainUnit + 1 }},
		{"trees beyond the largest number", 0, func(f *Forest, _ *node) { f.first = MaxTrees }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			broken := *f
			broken.trees = [][]node{slices.Clone(nodes)}
			broken.shares, broken.gain, broken.cuts = slices.Clone(f.shares), slices.Clone(f.gain), slices.Clone(f.cuts)
			for j := range broken.cuts {
				broken.cuts[j].at, broken.cuts[j].bits = slices.Clone(f.cuts[j].at), slices.Clone(f.cuts[j].bits)
			}
			tc.mend(&broken, &broken.trees[0][tc.at])
			if _, err := decode(encoded(t, &broken), f.Schema, f.Classes, f.Share, f.Ties); !errors.Is(err, ErrFormat) {
				t.Errorf("error %v, want one of the format", err)
			}
		})
	}
}

// The same of many levels, whose sets are lists.
func TestDecodeRefusesUnsoundLists(t *testing.T) {
	frame := learnable(200, 1)
	frame.Columns[2].Levels = levelNames(mostBits + 1)
	for i, v := range frame.Columns[2].Values {
		frame.Columns[2].Values[i] = v*300 + float64(i%50)
	}
	f, _ := mustGrow(t, frame, Config{Trees: 3, Seed: 1})
	c := f.cuts[2]
	if first, last := c.set(0), c.set(uint32(c.count()-1)); len(first) < 2 || len(last) == 0 {
		t.Fatalf("sets %v and %v", first, last)
	}
	for _, tc := range []struct {
		name string
		mend func(f *Forest, c *cuts)
	}{
		{"J243 level beyond the last", func(_ *Forest, c *cuts) { c.codes[c.starts[1]-1] = mostBits + 2 }},
		{"J243 level far beyond the last", func(_ *Forest, c *cuts) { c.codes[c.starts[1]-1] = math.MaxUint32 }},
		{"missing cells as a level", func(_ *Forest, c *cuts) { c.codes[0] = 0 }},
		{"a level twice", func(_ *Forest, c *cuts) { c.codes[1] = c.codes[0] }},
		{"levels out of order", func(_ *Forest, c *cuts) { c.codes[0], c.codes[1] = c.codes[1], c.codes[0] }},
		{"empty set of levels", func(_ *Forest, c *cuts) { c.starts[1] = 0 }},
		{"set that is never used", func(_ *Forest, c *cuts) {
			c.codes, c.starts = append(c.codes, 1), append(c.starts, uint32(len(c.codes)+1))
		}},
		{"set that is not there", func(_ *Forest, c *cuts) { c.starts = c.starts[:len(c.starts)-1] }},
		{"threshold that is not there", func(f *Forest, _ *cuts) { f.cuts[0].at = f.cuts[0].at[:len(f.cuts[0].at)-1] }},
		{"a tree without nodes", func(f *Forest, _ *cuts) { f.trees[1] = nil }},
		{"list of shares that is never used", func(f *Forest, _ *cuts) { f.soft, f.shares = true, []uint16{400, 600} }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			broken := *f
			broken.trees, broken.cuts = slices.Clone(f.trees), slices.Clone(f.cuts)
			at := &broken.cuts[2]
			at.codes, at.starts = slices.Clone(c.codes), slices.Clone(c.starts)
			tc.mend(&broken, at)
			if _, err := decode(encoded(t, &broken), f.Schema, f.Classes, f.Share, f.Ties); !errors.Is(err, ErrFormat) {
				t.Errorf("error %v, want one of the format", err)
			}
		})
	}
}

// J231, J232, J234: counts that promise more than there is are refused before anything is
// allocated for them.
func TestDecodeRefusesLargeCounts(t *testing.T) {
	f, _ := mustGrow(t, learnable(60, 1), Config{Trees: 1, Seed: 1})
	b := encoded(t, f)
	nodes := len(b) - len(f.trees[0])*f.nodeBytes() - 4
	for _, at := range []int{0, 16 + 8, nodes} { // trees, cuts, nodes
		bad := slices.Clone(b)
		copy(bad[at:], []byte{0xff, 0xff, 0xff, 0xff})
		n := testing.AllocsPerRun(1, func() {
			if _, err := decode(bad, f.Schema, f.Classes, f.Share, f.Ties); !errors.Is(err, ErrFormat) {
				t.Errorf("count at byte %d: error %v", at, err)
			}
		})
		if n > 60 {
			t.Errorf("count at byte %d: %v allocations", at, n)
		}
	}
	if _, err := decode([]byte{0, 0, 0, 0}, f.Schema, f.Classes, f.Share, f.Ties); !errors.Is(err, ErrFormat) {
		t.Errorf("J262 forest of 0 trees: error %v", err)
	}
}

func FuzzDecode(fz *testing.F) {
	frame := learnable(60, 1)
	f, _, err := Grow(fz.Context(), frame, Config{Trees: 2, Seed: 1})
	if err != nil {
		fz.Fatal(err)
	}
	b := encoded(fz, f)
	fz.Add(b)
	soft, _, err := Grow(fz.Context(), frame, Config{Trees: 2, Seed: 1, Soft: true, MinLeaf: 4})
	if err != nil {
		fz.Fatal(err)
	}
	b = encoded(fz, soft)
	fz.Add(b)
	fz.Fuzz(func(t *testing.T, b []byte) {
		f, err := decode(b, frame.Schema(), frame.Classes, []float64{0.5, 0.5}, nil)
		if err != nil {
			return
		}
		if again := encoded(t, f); !bytes.Equal(again, b) {
			t.Fatal("accepted, but written again it has other bytes")
		}
		votes := make([]uint32, 2)
		f.Vote(votes, []float64{0.5, math.NaN(), 99, -1}) // ends, and each tree votes
		unit := 1
		if f.soft {
			unit = vote.Unit
		}
		if int(votes[0]+votes[1]) != unit*f.Trees() {
			t.Fatalf("votes %v of %d trees", votes, f.Trees())
		}
	})
}
