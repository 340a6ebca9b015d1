package forest

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// mapped returns a forest that votes where it was written.
func mapped(f *Forest, b []byte) (*Mapped, error) {
	m, _, err := Map(b, f.Schema, f.Classes, f.Share, f.Ties)
	return m, err
}

// A mapped forest casts the votes of the one that was written, of any kind of columns, votes and missing cells.
func TestMapped(t *testing.T) {
	categorical, soft := false, false
	for seed := range uint64(60) {
		r, frame, cfg := problem(seed, 77)
		cfg.Soft = seed%2 == 0
		f, _, err := Grow(t.Context(), frame, cfg)
		if err != nil {
			continue // of a problem that cannot be solved
		}
		m, err := mapped(f, encoded(t, f))
		if err != nil {
			t.Fatal(err)
		}
		categorical, soft = categorical || f.categorical, soft || len(f.shares) > 0
		x := make([]float64, len(f.Schema))
		for row := range min(40, frame.Rows()) {
			for j := range x {
				x[j] = frame.Columns[j].At(row)
				if r.IntN(9) == 0 {
					x[j] = math.NaN()
				}
			}
			want, got := make([]uint32, len(f.Classes)), make([]uint32, len(f.Classes))
			f.Vote(want, x)
			if err := m.Vote(got, x); err != nil || !slices.Equal(got, want) {
				t.Fatalf("seed %d, row %d: votes %v, want %v, error %v", seed, row, got, want, err)
			}
		}
	}
	if !categorical || !soft {
		t.Errorf("problems with categories %v, with shares %v, should be both", categorical, soft)
	}
}

// Of a feature of very many levels the sets are lists.
func TestMappedLists(t *testing.T) {
	frame := learnable(300, 1)
	frame.Columns[2].Levels = levelNames(2 * mostBits)
	for i := range frame.Columns[2].Values {
		frame.Columns[2].Values[i] = math.Floor((frame.Columns[2].Values[i] + float64(i)/300) * mostBits / 2)
	}
	f, _ := mustGrow(t, frame, Config{Trees: 5, Seed: 1, SubsetLevels: 2 * mostBits})
	m, err := mapped(f, encoded(t, f))
	if err != nil || len(m.cuts[2].starts) == 0 {
		t.Fatalf("%v, and lists of levels %v", err, m.cuts[2].starts)
	}
	for level := range 2 * mostBits {
		want, got := make([]uint32, 2), make([]uint32, 2)
		x := []float64{0.5, 0.5, float64(level), 0.5}
		f.Vote(want, x)
		if err := m.Vote(got, x); err != nil || !slices.Equal(got, want) {
			t.Fatalf("level %d: votes %v, want %v, error %v", level, got, want, err)
		}
	}
}

// Whatever the bytes are, a mapped forest ends with votes or an error, and never with a panic.
func TestMappedDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	f, _ := mustGrow(t, learnable(60, 1), Config{Trees: 3, Seed: 1, Soft: true})
	b := encoded(t, f)
	for n := range b {
		if _, err := mapped(f, b[:n]); !errors.Is(err, ErrFormat) {
			t.Fatalf("cut at %d of %d bytes: error %v", n, len(b), err)
		}
	}
	refused := 0
	for range 20000 {
		broken := slices.Clone(b)
		for range 1 + r.IntN(4) {
			broken[r.IntN(len(b))] = byte(r.IntN(256))
		}
		m, err := mapped(f, broken)
		if err == nil {
			err = m.Vote(make([]uint32, 2), []float64{r.Float64(), r.Float64(), 1, math.NaN()})
		}
		if err != nil && !errors.Is(err, ErrFormat) {
			t.Fatal(err)
		}
		if err != nil {
			refused++
		}
	}
	if refused < 5000 {
		t.Errorf("%d of 20000 damages were found", refused)
	}
}

// The levels of a node are those that a set tells level by level, of few levels and of many.
func TestNodeLevels(t *testing.T) {
	for _, levels := range []int{70, 2 * mostBits} {
		frame := learnable(3000, 1)
		frame.Columns[2].Levels = levelNames(levels)
		for i := range frame.Columns[2].Values {
			frame.Columns[2].Values[i] = float64(i * 7 % levels)
		}
		f, _ := mustGrow(t, frame, Config{Trees: 5, Seed: 1, SubsetLevels: levels})
		nodes := 0
		for tree := range f.Trees() {
			for i := range f.Tree(tree).Nodes() {
				n := f.Tree(tree).Node(i)
				if n.Leaf || n.Feature != 2 {
					continue
				}
				nodes++
				var want []int
				for level := range levels {
					if f.cuts[2].has(f.layout.cut(f.trees[tree][i]), uint32(level)+1) != n.MissingLeft {
						want = append(want, level)
					}
				}
				if !slices.Equal(n.Levels, want) {
					t.Fatalf("of %d levels node %d of tree %d has %v, want %v", levels, i, tree, n.Levels, want)
				}
			}
		}
		if nodes < 5 {
			t.Errorf("only %d nodes ask for one of %d levels", nodes, levels)
		}
	}
}
