package shapley_test

import (
	"encoding/json"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/rfpragma/rfpragma/internal/shapley"
)

// tree is a tree that is asked by its thresholds: cells <= them go left.
type tree struct {
	nodes     []shapley.Node
	threshold []float64
}

// answers says where a row goes left.
func (t *tree) answers(of *shapley.Tree, x []float64) []bool {
	var left []bool
	for _, i := range of.Tests() {
		left = append(left, x[t.nodes[i].Feature] <= t.threshold[i])
	}
	return left
}

// known returns what the tree says if only the cells in a set of features are known; with other the unknown ones are
// its cells, else both ways are weighed by their covers.
func (t *tree) known(x, other []float64, set uint, at int) float64 {
	n := t.nodes[at]
	if n.Feature < 0 {
		return n.Value
	}
	cell := x[n.Feature]
	if set>>n.Feature&1 == 0 {
		if other == nil {
			left, right := t.nodes[n.Left].Cover, t.nodes[n.Right].Cover
			return (left*t.known(x, other, set, n.Left) + right*t.known(x, other, set, n.Right)) / (left + right)
		}
		cell = other[n.Feature]
	}
	if cell <= t.threshold[at] {
		return t.known(x, other, set, n.Left)
	}
	return t.known(x, other, set, n.Right)
}

// slow is Shapley's own formula (1953), over all sets of p features.
func (t *tree) slow(x, other []float64, p int) []float64 {
	parts := make([]float64, p)
	for set := range uint(1) << p {
		size := bits.OnesCount(set)
		for j := range parts {
			if set>>j&1 == 0 {
				weight := math.Gamma(float64(size+1)) * math.Gamma(float64(p-size)) / math.Gamma(float64(p+1))
				parts[j] += weight * (t.known(x, other, set|1<<j, 0) - t.known(x, other, set, 0))
			}
		}
	}
	return parts
}

// random draws a tree of so many splits, on few thresholds, so that features come again on a path.
func random(rng *rand.Rand, p, splits int) *tree {
	t := &tree{[]shapley.Node{{Feature: -1, Value: rng.Float64()}}, []float64{0}}
	for range splits {
		at := rng.IntN(len(t.nodes))
		for t.nodes[at].Feature >= 0 {
			at = rng.IntN(len(t.nodes))
		}
		t.nodes[at].Feature, t.threshold[at] = rng.IntN(p), math.Round(8*rng.Float64())/8
		t.nodes[at].Left, t.nodes[at].Right = len(t.nodes), len(t.nodes)+1
		for range 2 {
			t.nodes = append(t.nodes, shapley.Node{Feature: -1, Value: math.Trunc(3 * rng.Float64())})
			t.threshold = append(t.threshold, 0)
		}
	}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		if n := &t.nodes[i]; n.Feature < 0 {
			n.Cover = float64(1 + rng.IntN(9))
		} else {
			n.Cover = t.nodes[n.Left].Cover + t.nodes[n.Right].Cover
		}
	}
	return t
}

func row(rng *rand.Rand, p int) []float64 {
	x := make([]float64, p)
	for j := range x {
		x[j] = rng.Float64()
	}
	return x
}

func near(t *testing.T, what string, got, want []float64, within float64) {
	t.Helper()
	for j := range want {
		if !(math.Abs(got[j]-want[j]) <= within) {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
}

// Parts of random trees are those of the formula over all sets, of both kinds, and sum up.
func TestAgainstAllSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var room shapley.Room
	for i := range 400 {
		p := 1 + i%8
		tr := random(rng, p, i%40)
		of := shapley.New(tr.nodes)
		x, other := row(rng, p), row(rng, p)
		got := make([]float64, p)
		of.Add(got, tr.answers(of, x), &room)
		near(t, "path-dependent", got, tr.slow(x, nil, p), 1e-13)
		sum := 0.0
		for _, v := range got {
			sum += v
		}
		near(t, "base and sum", []float64{of.Base(), sum},
			[]float64{tr.known(x, nil, 0, 0), tr.known(x, x, 0, 0) - of.Base()}, 1e-13)
		clear(got)
		of = shapley.NewAgainst(tr.nodes)
		near(t, "base", []float64{of.Base()}, []float64{tr.known(x, nil, 0, 0)}, 1e-13)
		of.AddAgainst(got, tr.answers(of, x), tr.answers(of, other), 1, &room)
		near(t, "interventional", got, tr.slow(x, other, p), 1e-13)
	}
}

// A path of 300 features: the parts of all but the last splits are 1/2ⁿ and smaller, and sums of
// terms of both signs would lose them. Each split sends half of the cover on, so that the
// features are alike, and each has the same part of what the deepest leaf pays.
func TestDeep(t *testing.T) {
	const p = 300
	tr := &tree{}
	for j := range p {
		tr.nodes = append(tr.nodes, shapley.Node{Feature: j, Left: 2*j + 1, Right: 2*j + 2},
			shapley.Node{Feature: -1, Cover: 1})
		tr.threshold = append(tr.threshold, 0.5, 0)
	}
	tr.nodes = append(tr.nodes, shapley.Node{Feature: -1, Cover: 1, Value: 1})
	tr.threshold = append(tr.threshold, 0)
	for i := len(tr.nodes) - 1; i >= 0; i-- {
		if n := &tr.nodes[i]; n.Feature >= 0 {
			tr.nodes[n.Left].Cover = tr.nodes[n.Right].Cover
			n.Cover = 2 * tr.nodes[n.Right].Cover
		}
	}
	of := shapley.New(tr.nodes)
	x := make([]float64, p)
	for j := range x {
		x[j] = 1
	}
	got, want := make([]float64, p), make([]float64, p)
	of.Add(got, tr.answers(of, x), new(shapley.Room))
	for j := range want {
		want[j] = 1.0 / p
	}
	near(t, "deep", got, want, 1e-15)
}

// A node to which no row came is weighed by its leaves: here 2 to 1.
func TestNoCover(t *testing.T) {
	tr := &tree{[]shapley.Node{
		{Feature: 0, Left: 1, Right: 2, Cover: 4}, {Feature: -1, Cover: 4, Value: 0.5},
		{Feature: 1, Left: 3, Right: 4}, {Feature: 0, Left: 5, Right: 6}, {Feature: -1, Value: 3},
		{Feature: -1, Value: 3}, {Feature: -1, Value: 3},
	}, []float64{0, 0, 0, 5, 0, 0, 0}}
	of := shapley.New(tr.nodes)
	got := make([]float64, 2)
	of.Add(got, tr.answers(of, []float64{9, 9}), new(shapley.Room))
	near(t, "base", []float64{of.Base()}, []float64{0.5}, 0)
	near(t, "no cover", got, []float64{2.5, 0}, 1e-15)
}

// The forest of testdata/explain.py, and what shap's TreeExplainer says of it.
func TestAgainstTreeExplainer(t *testing.T) {
	var file struct {
		Trees []struct {
			Feature, Left, Right []int
			Threshold, Cover     []float64
			Value                [][]float64
		}
		Rows, Background       [][]float64
		Base                   []float64
		Values, Interventional [][][]float64
		InterventionalBase     []float64 `json:"interventional_base"`
	}
	b, err := os.ReadFile("testdata/shap.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	var room shapley.Room
	p, share := len(file.Rows[0]), 1/float64(len(file.Trees))
	for c := range file.Base {
		base, against := 0.0, 0.0
		got, other := make([][]float64, len(file.Rows)), make([][]float64, len(file.Rows))
		for i := range got {
			got[i], other[i] = make([]float64, p), make([]float64, p)
		}
		for _, from := range file.Trees {
			tr := &tree{make([]shapley.Node, len(from.Feature)), from.Threshold}
			for i := range tr.nodes {
				tr.nodes[i] = shapley.Node{Feature: from.Feature[i], Left: from.Left[i], Right: from.Right[i],
					Cover: from.Cover[i], Value: share * from.Value[i][c]}
			}
			of, pair := shapley.New(tr.nodes), shapley.NewAgainst(tr.nodes)
			base += of.Base()
			for i, x := range file.Rows {
				of.Add(got[i], tr.answers(of, x), &room)
				for _, b := range file.Background {
					pair.AddAgainst(other[i], tr.answers(pair, x), tr.answers(pair, b), 1/float64(len(file.Background)), &room)
				}
			}
			for _, b := range file.Background {
				against += tr.known(b, b, 0, 0) / float64(len(file.Background))
			}
		}
		near(t, "bases", []float64{base, against}, []float64{file.Base[c], file.InterventionalBase[c]}, 1e-9)
		for i := range got {
			want, wantOther := make([]float64, p), make([]float64, p)
			for j := range p {
				want[j], wantOther[j] = file.Values[i][j][c], file.Interventional[i][j][c]
			}
			near(t, "path-dependent", got[i], want, 1e-9)
			near(t, "interventional", other[i], wantOther, 1e-8) // shap's weights are float32; see TestAgainstAllSets
		}
	}
}
