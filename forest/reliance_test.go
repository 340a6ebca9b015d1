package forest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// By hand: what two numbers and a category are asked by four trees, by one of them twice.
func TestRelianceByHand(t *testing.T) {
	f := &Forest{
		Schema:  dataset.Schema{{Name: "x"}, {Name: "y"}, {Name: "z", Kind: dataset.Categorical, Levels: []string{"p", "q"}}},
		Classes: []string{"a", "b"},
		cuts:    []cuts{{at: []float64{5, 8}}, {at: []float64{1}}, newSets(2)}, categorical: true,
	}
	isQ := f.cuts[2].add([]uint32{2})
	f.layout, _ = newLayout(1, 3)
	split := func(feature, cut uint32, missingLeft bool, child uint32) node {
		return f.layout.pack(cut, feature, missingLeft, child)
	}
	leaf := func(class, at uint32) node { return f.layout.leaf(class, 3, at) }
	const a, b = 0, 1
	f.trees = [][]node{
		{split(0, 0, true, 1), leaf(a, 1), split(1, 0, false, 3), leaf(a, 3), leaf(b, 4)}, // b if x > 5 and not y <= 1
		{split(2, isQ, false, 1), leaf(b, 1), leaf(a, 2)},                                 // b if z is q
		{split(0, 0, false, 1), leaf(a, 1), split(0, 1, true, 3), leaf(a, 3), leaf(b, 4)}, // b if x > 8
		{leaf(a, 0)},
	}
	f.index()
	missing := math.NaN()
	for _, c := range []struct {
		x     []float64
		class int
		want  []int64
	}{
		{[]float64{9, 2, 1}, b, []int64{2, 0, 1}},
		{[]float64{9, 2, 1}, a, []int64{-2, 0, -1}},
		{[]float64{9, missing, missing}, b, []int64{2, 0, 0}},
		{[]float64{9, 1, 0}, a, []int64{-1, 1, 0}},
		{[]float64{missing, 1, 1}, a, []int64{0, 0, -1}},
	} {
		checkReliance(t, f, c.x, c.class)
		got := make([]int64, 3)
		if f.Contributions(got, c.x, c.class); !slices.Equal(got, c.want) {
			t.Errorf("%v, class %d: %v, want %v", c.x, c.class, got, c.want)
		}
	}
}

// What a row owes to a cell is what it loses when it is voted on again without it.
func TestReliance(t *testing.T) {
	for _, shape := range shapes {
		for _, cfg := range []Config{{}, {Soft: true, MinLeaf: 8}, {SubsetLevels: 2}} {
			t.Run(fmt.Sprintf("%d columns, %d trees, soft %v", shape.columns, shape.trees, cfg.Soft), func(t *testing.T) {
				t.Parallel()
				cfg.Trees, cfg.Seed, cfg.Workers = shape.trees, 7, 1
				f, _ := mustGrow(t, broad(150, shape.columns, 1), cfg)
				fresh := broad(6, shape.columns, 2)
				x := make([]float64, shape.columns)
				for i := range fresh.Rows() {
					fresh.Row(x, i)
					for class := range f.Classes {
						checkReliance(t, f, x, class)
					}
				}
			})
		}
	}
}

func checkReliance(t *testing.T, f *Forest, x []float64, class int) {
	t.Helper()
	votes, want, got := make([]uint32, len(f.Classes)), make([]int64, len(x)), slices.Repeat([]int64{99}, len(x))
	f.Vote(votes, x)
	all := int64(votes[class])
	for j, cell := range x {
		clear(votes)
		x[j] = math.NaN()
		f.Vote(votes, x)
		x[j], want[j] = cell, all-int64(votes[class])
	}
	if f.Contributions(got, x, class); !slices.Equal(got, want) {
		t.Errorf("class %d: %v, want %v", class, got, want)
	}
}

func TestReliancePanics(t *testing.T) {
	f, _ := mustGrow(t, broad(30, 3, 1), Config{Trees: 2})
	defer func() {
		if recover() == nil {
			t.Error("a row of 2 cells for a forest of 3 features is taken")
		}
	}()
	f.Contributions(make([]int64, 3), make([]float64, 2), 0)
}
