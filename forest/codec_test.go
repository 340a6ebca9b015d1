package forest

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestCodecRoundTrip(t *testing.T) {
	f, _ := mustGrow(t, learnable(300, 1), Config{Trees: 12, Seed: 1})
	b := encoded(t, f)
	back, err := Decode(b, f.Schema, f.Classes, f.Share)
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
		if _, err := Decode(b[:n], f.Schema, f.Classes, f.Share); !errors.Is(err, ErrFormat) {
			t.Fatalf("cut at %d of %d bytes: error %v", n, len(b), err)
		}
	}
	if _, err := Decode(append(slices.Clone(b), 0), f.Schema, f.Classes, f.Share); !errors.Is(err, ErrFormat) {
		t.Errorf("a byte too many: error %v", err)
	}
}

// Each case breaks one rule of a sound tree; the numbers are those of the catalogue of bad inputs.
func TestDecodeRefusesUnsoundTrees(t *testing.T) {
	f, _ := mustGrow(t, learnable(200, 1), Config{Trees: 1, Seed: 1})
	nodes, sets := f.Trees[0].nodes, f.Trees[0].sets
	find := func(marks, value uint32) int {
		return slices.IndexFunc(nodes, func(nd node) bool { return nd.feature&marks == value })
	}
	numeric, categorical, leaf := find(leafMark|categoricalMark, 0), find(leafMark|categoricalMark, categoricalMark), find(leafMark, leafMark)
	if numeric < 0 || categorical < 0 || leaf < 0 {
		t.Fatal("the tree lacks a kind of node that this test breaks")
	}
	inner := find(leafMark, 0)
	for _, tc := range []struct {
		name string
		at   int
		mend func(*node)
	}{
		{"J235 child index negative as a signed number", inner, func(n *node) { n.left = 1 << 31 }},
		{"J236 child index beyond the nodes", inner, func(n *node) { n.left = uint32(len(nodes)) }},
		{"J236 right child beyond the nodes", inner, func(n *node) { n.left = uint32(len(nodes)) - 1 }},
		{"J237 child is the node itself", inner, func(n *node) { n.left = uint32(inner) }},
		{"J239 child is the root", numeric, func(n *node) { n.left = 0 }},
		{"J240 unreachable nodes", 0, func(n *node) { *n = node{feature: leafMark} }},
		{"J238 two parents", 0, func(n *node) { n.left += 2 }},
		{"J241 feature index beyond the schema", numeric, func(n *node) { n.feature = 4 }},
		{"J241 feature index with all bits", numeric, func(n *node) { n.feature = featureMask }},
		{"J242 threshold NaN", numeric, func(n *node) { n.cut = math.Float64bits(math.NaN()) }},
		{"J242 threshold infinite", numeric, func(n *node) { n.cut = math.Float64bits(math.Inf(-1)) }},
		{"numeric feature split by a set", numeric, func(n *node) { n.feature |= categoricalMark }},
		{"categorical feature split by a number", categorical, func(n *node) { n.feature &^= categoricalMark }},
		{"J243 set somewhere else", categorical, func(n *node) { n.cut++ }},
		{"J243 set far away", categorical, func(n *node) { n.cut = math.MaxUint64 }},
		{"J245 leaf of a class that is not there", leaf, func(n *node) { n.left = 2 }},
		{"leaf with a threshold", leaf, func(n *node) { n.cut = 1 }},
		{"leaf with a feature", leaf, func(n *node) { n.feature |= 1 }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bad := Tree{nodes: slices.Clone(nodes), sets: sets}
			tc.mend(&bad.nodes[tc.at])
			broken := &Forest{Schema: f.Schema, Classes: f.Classes, Trees: []Tree{bad}}
			if _, err := Decode(encoded(t, broken), f.Schema, f.Classes, f.Share); !errors.Is(err, ErrFormat) {
				t.Errorf("error %v, want one of the format", err)
			}
		})
	}
	t.Run("J243 level beyond the last", func(t *testing.T) {
		bad := Tree{nodes: nodes, sets: slices.Clone(sets)}
		bad.sets[0] |= 1 << 4
		broken := &Forest{Schema: f.Schema, Classes: f.Classes, Trees: []Tree{bad}}
		_, err := Decode(encoded(t, broken), f.Schema, f.Classes, f.Share)
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "level beyond the last") {
			t.Errorf("error %v", err)
		}
	})
}

// J231, J232, J234: counts that promise more than there is are refused before anything is
// allocated for them.
func TestDecodeRefusesLargeCounts(t *testing.T) {
	f, _ := mustGrow(t, learnable(60, 1), Config{Trees: 1, Seed: 1})
	b := encoded(t, f)
	for _, at := range []int{0, 4, 8} { // trees, nodes, words
		bad := slices.Clone(b)
		copy(bad[at:], []byte{0xff, 0xff, 0xff, 0xff})
		n := testing.AllocsPerRun(1, func() {
			if _, err := Decode(bad, f.Schema, f.Classes, f.Share); !errors.Is(err, ErrFormat) {
				t.Errorf("count at byte %d: error %v", at, err)
			}
		})
		if n > 20 {
			t.Errorf("count at byte %d: %v allocations", at, n)
		}
	}
	if _, err := Decode([]byte{0, 0, 0, 0}, f.Schema, f.Classes, f.Share); !errors.Is(err, ErrFormat) {
		t.Errorf("J262 forest of 0 trees: error %v", err)
	}
}

func FuzzDecode(fz *testing.F) {
	frame := learnable(60, 1)
	f, _, err := Grow(fz.Context(), frame, Config{Trees: 2, Seed: 1})
	if err != nil {
		fz.Fatal(err)
	}
	b, _ := f.AppendBinary(nil)
	fz.Add(b)
	fz.Add([]byte{1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x80})
	fz.Fuzz(func(t *testing.T, b []byte) {
		f, err := Decode(b, frame.Schema(), frame.Classes, []float64{0.5, 0.5})
		if err != nil {
			return
		}
		again, err := f.AppendBinary(nil)
		if err != nil || !bytes.Equal(again, b) {
			t.Fatal("accepted, but written again it has other bytes")
		}
		votes := make([]uint32, 2)
		f.Vote(votes, []float64{0.5, math.NaN(), 99, -1}) // ends, and each tree votes
		if int(votes[0]+votes[1]) != len(f.Trees) {
			t.Fatalf("votes %v of %d trees", votes, len(f.Trees))
		}
	})
}
