package forest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

func mustGrowTrees(t *testing.T, frame *dataset.Frame, c Config, from, to int) (*Forest, []uint32) {
	t.Helper()
	f, table, err := GrowTrees(context.Background(), frame, c, from, to)
	if err != nil {
		t.Fatal(err)
	}
	if f.First() != from || f.Trees() != to-from || table.Trees != to-from {
		t.Fatalf("trees %d to %d: there are %d from %d on, in the table %d", from, to, f.Trees(), f.First(), table.Trees)
	}
	return f, table.Counts
}

// Parts of any sizes, merged in any order and in any steps, stored in between or not, are the
// forest grown at once, byte for byte, and their votes out of bag sum to its own.
func TestMergedPartsAreTheWhole(t *testing.T) {
	inShards(t, rounds(4000), func(t *testing.T, seed uint64) bool {
		rng := rand.New(rand.NewPCG(seed, 20))
		frame := randomFrame(rng)
		cfg := randomConfig(rng, frame)
		cfg.Trees = 1 + rng.IntN(12)
		whole, table := mustGrow(t, frame, cfg)
		sum := make([]uint32, len(table.Counts))
		var parts []*Forest
		for from := 0; from < cfg.Trees; {
			to := from + 1 + rng.IntN(cfg.Trees-from)
			part, counts := mustGrowTrees(t, frame, cfg, from, to)
			if rng.IntN(2) == 0 { // without votes they are the same trees
				var err error
				if part, err = GrowPart(context.Background(), frame, cfg, from, to); err != nil {
					t.Fatal(err)
				}
			}
			if rng.IntN(2) == 0 {
				var err error
				if part, err = decode(encoded(t, part), part.Schema, part.Classes, part.Share, part.Ties); err != nil {
					t.Fatal(err)
				}
			}
			for i, v := range counts {
				sum[i] += v
			}
			parts = append(parts, part)
			from = to
		}
		if len(parts) > 2 && rng.IntN(2) == 0 { // two neighbours first
			at := rng.IntN(len(parts) - 1)
			two, err := Merge(parts[at+1], parts[at])
			if err != nil {
				t.Fatal(err)
			}
			parts = append(append(slices.Clone(parts[:at]), two), parts[at+2:]...)
		}
		rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		before := encoded(t, parts[0])
		merged, err := Merge(parts...)
		if err != nil {
			t.Error(err)
			return false
		}
		if !bytes.Equal(encoded(t, parts[0]), before) {
			t.Error("Merge changed a part")
			return false
		}
		all, err := whole.Votes(context.Background(), frame, 1)
		if err != nil {
			t.Fatal(err)
		}
		return sameBytes(t, merged, whole) && slices.Equal(sum, table.Counts) && equalVotes(t, merged, frame, all.Counts) &&
			slices.Equal(merged.Importance(), whole.Importance())
	})
}

// Trees grown later continue a forest: of categories with few levels and with many, soft and not.
func TestTreesGrownLater(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 21))
	for _, levels := range []int{3, 64, mostBits - 1, mostBits, 3000} {
		for _, soft := range []bool{false, true} {
			frame := learnable(400, 3)
			where := &frame.Columns[2]
			where.Levels = levelNames(levels)
			for i, v := range where.Values {
				where.Values[i] = math.Floor((v + rng.Float64()) * float64(levels) / 4)
			}
			cfg := Config{Trees: 7, Seed: 3, Soft: soft, MinLeaf: 4, SubsetLevels: levels}
			first, _ := mustGrow(t, frame, cfg)
			cfg.Trees = 12
			whole, _ := mustGrow(t, frame, cfg)
			later, _ := mustGrowTrees(t, frame, cfg, 7, 12)
			if c := first.cuts[2]; c.count() == 0 || (len(c.codes) > 0) != (levels >= mostBits) ||
				soft != (len(first.shares) > 0) {
				t.Errorf("%d levels, soft %v: the forest does not have what is to be merged", levels, soft)
			}
			merged, err := Merge(later, first)
			if err != nil {
				t.Fatal(err)
			}
			if !sameBytes(t, merged, whole) {
				t.Errorf("%d levels, soft %v", levels, soft)
			}
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	cfg := Config{Trees: 9, Seed: 1}
	frame := learnable(120, 1)
	part := func(frame *dataset.Frame, cfg Config, from, to int) *Forest {
		f, _ := mustGrowTrees(t, frame, cfg, from, to)
		return f
	}
	a, b, c := part(frame, cfg, 0, 3), part(frame, cfg, 3, 6), part(frame, cfg, 6, 9)
	foreign := func(change func(*Config)) []*Forest {
		other := cfg
		change(&other)
		return []*Forest{a, part(frame, other, 3, 6)}
	}
	on := func(change func(*dataset.Frame)) []*Forest {
		other := frame.Take(upTo(120))
		change(other)
		return []*Forest{a, part(other, cfg, 3, 6)}
	}
	const others = "the trees from 0 on and those from 3 on were grown on other data or with other settings"
	for _, tc := range []struct {
		name  string
		parts []*Forest
		text  string
	}{
		{"no parts", nil, "no forests"},
		{"no forest", []*Forest{nil}, ""},
		{"no forest among them", []*Forest{a, nil}, ""},
		{"a gap", []*Forest{c, a}, "trees 3 to 5 are missing"},
		{"a gap of one tree", []*Forest{a, part(frame, cfg, 4, 6)}, "trees 3 to 3 are missing"},
		{"twice", []*Forest{a, b, a}, "tree 0 is there twice"},
		{"overlap", []*Forest{a, part(frame, cfg, 2, 6)}, "tree 2 is there twice"},
		{"within", []*Forest{part(frame, cfg, 0, 9), b}, "tree 3 is there twice"},
		{"other seed", foreign(func(c *Config) { c.Seed = 2 }), others},
		{"other mtry", foreign(func(c *Config) { c.Mtry = 1 }), others},
		{"other leaf", foreign(func(c *Config) { c.MinLeaf = 2 }), others},
		{"other depth", foreign(func(c *Config) { c.MaxDepth = 9 }), others},
		{"other number of leaves", foreign(func(c *Config) { c.MaxLeaves = 9 }), others},
		{"other criterion", foreign(func(c *Config) { c.Criterion = Entropy }), others},
		{"Hellinger", foreign(func(c *Config) { c.Criterion = Hellinger }), others},
		{"other preferences", []*Forest{
			part(frame, Config{Seed: 1, Criterion: Pragma, Slopes: priority}, 0, 3),
			part(frame, Config{Seed: 1, Criterion: Pragma, Slopes: []Slope{{0.5, 0.5}, {9, 2}}}, 3, 6),
		}, others},
		{"random cuts", foreign(func(c *Config) { c.RandomCuts = true }), others},
		{"other bag", foreign(func(c *Config) { c.Bag = Balanced }), others},
		{"other fraction", foreign(func(c *Config) { c.Fraction = 0.5 }), others},
		{"other draws", foreign(func(c *Config) { c.NoReplacement = true }), others},
		{"other votes", foreign(func(c *Config) { c.Soft = true }), others},
		{"other class weights", foreign(func(c *Config) { c.ClassWeight = []float64{1, 2} }), others},
		{"other rows", []*Forest{a, part(learnable(120, 2), cfg, 3, 6)}, others},
		{"fewer rows", []*Forest{a, part(learnable(119, 1), cfg, 3, 6)}, others},
		{"other names of classes", on(func(f *dataset.Frame) { f.Classes = []string{"x", "y"} }), others},
		{"other names of columns", on(func(f *dataset.Frame) { f.Columns[0].Name = "z" }), others},
		{"other names of levels", on(func(f *dataset.Frame) { f.Columns[2].Levels = []string{"a", "b", "c", "e"} }), others},
		{"other weights", on(func(f *dataset.Frame) { f.Weight = append(slices.Repeat([]float64{1}, 119), 2) }), others},
		{"another value in a cell", on(func(f *dataset.Frame) { f.Columns[0].Values[5] *= 2 }), others},
		{"two labels exchanged", on(func(f *dataset.Frame) {
			rare := slices.Index(f.Truth, 1)
			f.Truth[rare], f.Truth[slices.Index(f.Truth, 0)] = 0, 1
		}), others},
	} {
		t.Run(tc.name, func(t *testing.T) {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("panic: %v", r)
				}
			}()
			if f, err := Merge(tc.parts...); !errors.Is(err, ErrMerge) || !strings.Contains(fmt.Sprint(err), tc.text) ||
				f != nil {
				t.Errorf("error %v, want %q", err, tc.text)
			}
		})
	}
}

// The number of trees and of workers is no setting that trees depend on.
func TestMergeOfOtherSizes(t *testing.T) {
	frame := learnable(120, 1)
	a, _ := mustGrowTrees(t, frame, Config{Trees: 9, Seed: 1}, 0, 3)
	b, _ := mustGrowTrees(t, frame, Config{Trees: 99, Seed: 1, Workers: 3}, 3, 6)
	if same, err := Merge(b, a); err != nil || same.Trees() != 6 {
		t.Errorf("error %v", err)
	}
}

func TestGrowTreesRefuses(t *testing.T) {
	for _, tc := range []struct {
		from, to int
		text     string
	}{
		{-1, 3, "trees -1 to 3; choose a range within 0 to 1048576"},
		{3, 3, "trees 3 to 3;"},
		{5, 2, "trees 5 to 2;"},
		{0, 0, "0 trees; choose 1 to 1048576"},
		{MaxTrees, MaxTrees + 1, "trees 1048576 to 1048577;"},
	} {
		if _, _, err := GrowTrees(context.Background(), learnable(50, 1), Config{}, tc.from, tc.to); !errors.Is(err,
			ErrConfig) || !strings.Contains(fmt.Sprint(err), tc.text) {
			t.Errorf("error %v, want %q", err, tc.text)
		}
	}
	if last, _ := mustGrowTrees(t, learnable(50, 1), Config{}, MaxTrees-1, MaxTrees); last.Trees() != 1 {
		t.Error("the last tree there can be")
	}
}
