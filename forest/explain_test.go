package forest

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// explainable returns a frame of numbers, categories and missing cells, and a forest on it.
func explainable(t *testing.T, c Config) (*Forest, *dataset.Frame) {
	t.Helper()
	train := mixedFrame(t)
	f, _, err := Grow(context.Background(), train, c)
	if err != nil {
		t.Fatal(err)
	}
	return f, train
}

// mixedFrame has three classes, four numeric columns and three of categories, with missing cells in each.
func mixedFrame(t *testing.T) *dataset.Frame {
	t.Helper()
	f := dataset.Fraud(400, 3)
	keep := f.Columns[:0:0]
	for _, c := range f.Columns {
		if len(keep) < 4 || c.Kind == dataset.Categorical {
			keep = append(keep, c)
		}
	}
	f.Columns = keep
	for j := range f.Columns {
		col := &f.Columns[j]
		values := make([]float64, f.Rows())
		for i := range values {
			if values[i] = col.At(i); (i+j)%11 == 0 {
				values[i] = math.NaN()
			}
		}
		col.Values, col.Codes = values, nil
	}
	f.Classes = []string{"a", "b", "c"}
	for i := range f.Truth {
		if v := f.Columns[0].Values[i]; v > 60 {
			f.Truth[i] = 2
		}
	}
	return f
}

// The parts of random forests sum up to the share of the votes less that of the background, whatever the workers, the
// votes, the class and the kind; and more workers change no bit.
func TestPartsSumUp(t *testing.T) {
	for _, soft := range []bool{false, true} {
		f, train := explainable(t, Config{Trees: 12, Seed: 1, Soft: soft, MinLeaf: 2})
		train.Weight = make([]float64, train.Rows())
		for i := range train.Weight {
			train.Weight[i] = float64(i % 4)
		}
		table, err := f.Votes(context.Background(), train, 1)
		if err != nil {
			t.Fatal(err)
		}
		for class := range f.Classes {
			for _, background := range []*dataset.Frame{train, train.Take([]int{3, 57, 200, 201})} {
				for _, interventional := range []bool{false, true} {
					if interventional && background == train {
						continue
					}
					c := ExplainConfig{Class: class, Interventional: interventional, Workers: 1}
					e, err := f.Explainer(context.Background(), background, c)
					if err != nil {
						t.Fatal(err)
					}
					parts, err := e.Parts(context.Background(), train)
					if err != nil {
						t.Fatal(err)
					}
					share, base, weight := func(i int) float64 {
						return float64(table.Votes(i)[class]) / f.Unit() / float64(f.Trees())
					}, 0.0, 0.0
					usual, err := f.Votes(context.Background(), background, 1)
					if err != nil {
						t.Fatal(err)
					}
					for i := range background.Rows() {
						weight += background.WeightOf(i)
						base += background.WeightOf(i) * float64(usual.Votes(i)[class]) / f.Unit() / float64(f.Trees())
					}
					if !(math.Abs(e.Base-base/weight) < 1e-12) {
						t.Errorf("base %v, want %v", e.Base, base/weight)
					}
					for i, row := range parts {
						sum := 0.0
						for _, v := range row {
							sum += v
						}
						if !(math.Abs(sum-(share(i)-e.Base)) < 1e-12) {
							t.Fatalf("soft %v, class %d, row %d: parts sum up to %v, want %v", soft, class, i, sum, share(i)-e.Base)
						}
					}
					c.Workers = 5
					if e, err = f.Explainer(context.Background(), background, c); err != nil {
						t.Fatal(err)
					}
					again, err := e.Parts(context.Background(), train)
					if err != nil || !slices.EqualFunc(parts, again, slices.Equal) {
						t.Errorf("5 workers find other parts, %v", err)
					}
				}
			}
		}
	}
}

// shareKnown returns the share of the votes if only the cells in a set are known, by the rows that come to each node;
// or those of another row where they are not.
func shareKnown(f *Forest, background *dataset.Frame, x, other []float64, set uint, class int) float64 {
	total := 0.0
	for _, nodes := range f.trees {
		var from func(at uint32, rows []int) float64
		from = func(at uint32, rows []int) float64 {
			n := nodes[at]
			j := int(f.layout.featureOf(n))
			if j == len(f.cuts) {
				return float64(f.castFor(class, f.layout.cut(n)))
			}
			var left, right []int
			for _, i := range rows {
				if f.nextOf(n, j, background.Columns[j].At(i)) == n.child() {
					left = append(left, i)
				} else {
					right = append(right, i)
				}
			}
			known := x
			if set>>j&1 == 0 {
				known = other
			}
			if known == nil { // every node has rows here
				l, r := float64(len(left)), float64(len(right))
				return (l*from(n.child(), left) + r*from(n.child()+1, right)) / (l + r)
			}
			if next := f.nextOf(n, j, known[j]); next == n.child() {
				return from(next, left)
			}
			return from(n.child()+1, right)
		}
		all := make([]int, background.Rows())
		for i := range all {
			all[i] = i
		}
		total += from(0, all)
	}
	return total / f.Unit() / float64(len(f.trees))
}

// The parts are Shapley's formula over all sets of columns, with missing cells and categories.
func TestPartsAreShapley(t *testing.T) {
	f, train := explainable(t, Config{Trees: 3, Seed: 4, MaxDepth: 5})
	p := len(f.Schema)
	other := make([]float64, p)
	train.Row(other, 7)
	for _, interventional := range []bool{false, true} {
		background, cells := train, []float64(nil)
		if interventional {
			background, cells = train.Take([]int{7}), other
		}
		e, err := f.Explainer(context.Background(), background, ExplainConfig{Class: 2, Interventional: interventional})
		if err != nil {
			t.Fatal(err)
		}
		parts, err := e.Parts(context.Background(), train.Take([]int{0, 5, 11, 60}))
		if err != nil {
			t.Fatal(err)
		}
		for at, i := range []int{0, 5, 11, 60} {
			x := make([]float64, p)
			train.Row(x, i)
			known := make([]float64, 1<<p)
			for set := range known {
				known[set] = shareKnown(f, train, x, cells, uint(set), 2)
			}
			for j := range p {
				want := 0.0
				for set := range known {
					if size := bits.OnesCount(uint(set)); set>>j&1 == 0 {
						weight := math.Gamma(float64(size+1)) * math.Gamma(float64(p-size)) / math.Gamma(float64(p+1))
						want += weight * (known[set|1<<j] - known[set])
					}
				}
				if !(math.Abs(parts[at][j]-want) < 1e-12) {
					t.Errorf("interventional %v, row %d, column %d: %v, want %v", interventional, i, j, parts[at][j], want)
				}
			}
		}
	}
}

func TestExplainerErrors(t *testing.T) {
	f, train := explainable(t, Config{Trees: 2, Seed: 1})
	weightless := train.Take([]int{1, 2})
	weightless.Weight = []float64{0, 0}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx        context.Context
		background *dataset.Frame
		class      int
		want       error
	}{
		{context.Background(), train, 3, ErrConfig},
		{context.Background(), weightless, 0, ErrTrain},
		{context.Background(), &dataset.Frame{Classes: train.Classes, Columns: train.Columns[:1], Truth: train.Truth}, 0,
			dataset.ErrShape},
		{cancelled, train, 0, context.Canceled},
	} {
		if e, err := f.Explainer(c.ctx, c.background, ExplainConfig{Class: c.class}); !errors.Is(err, c.want) || e != nil {
			t.Errorf("%v, %v, want %v", e, err, c.want)
		}
	}
}
