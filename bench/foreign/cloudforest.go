package foreign

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"sync"

	"github.com/rfpragma/rfpragma/bench/set"
	cloud "github.com/ryanbressler/CloudForest"
)

// The two ways of CloudForest with rare classes.
const (
	cloudBalance = "balance"   // growforest -balance: each draw of a bag is of a class drawn first
	cloudWeights = "rfweights" // growforest -rfweights: the classes weigh n/(k·n_c) in splits and leaves
)

// cloudForest holds a forest of CloudForest. Of a missing cell it knows: a tree has no vote
// for a row that lacks what it asks for.
type cloudForest struct {
	forest *cloud.Forest
	k      int
}

func growCloudForest(x set.Matrix, y []int, k int, c Config) Forest {
	data, target := features(x), labels(y, k)
	var split cloud.Target = target
	if c.Setting == cloudWeights {
		split = cloud.NewWRFTarget(target, weights(y, k))
	}
	var group sync.WaitGroup
	trees := make([]*cloud.Tree, c.Trees)
	for w := range c.Workers {
		group.Go(func() {
			space, bag, sampler := cloud.NewBestSplitAllocs(x.Rows, target), []int(nil), cloud.NewBalancedSampler(target)
			candidates := make([]int, x.Columns)
			for j := range candidates {
				candidates[j] = j
			}
			for t := w; t < c.Trees; t += c.Workers {
				if c.Setting == cloudBalance {
					sampler.Sample(&bag, x.Rows)
				} else {
					bag = cloud.SampleWithReplacment(x.Rows, x.Rows)
				}
				trees[t] = cloud.NewTree()
				trees[t].Grow(data, split, bag, candidates, nil, c.Mtry, 1, 0, false, false, false, false, false, nil, nil, space)
			}
		})
	}
	group.Wait()
	return cloudForest{&cloud.Forest{Target: target.Name, Trees: trees}, k}
}

// features returns the columns of x.
func features(x set.Matrix) *cloud.FeatureMatrix {
	m := &cloud.FeatureMatrix{Map: map[string]int{}, CaseLabels: make([]string, x.Rows)}
	for j := range x.Columns {
		f := &cloud.DenseNumFeature{Name: "N:" + strconv.Itoa(j), NumData: make([]float64, x.Rows), Missing: make([]bool, x.Rows)}
		for i := range x.Rows {
			f.NumData[i] = float64(x.Cells[i*x.Columns+j])
			if math.IsNaN(f.NumData[i]) {
				f.NumData[i], f.Missing[i], f.HasMissing = 0, true, true
			}
		}
		m.Data, m.Map[f.Name] = append(m.Data, f), j
	}
	return m
}

// labels returns the classes as the feature that is to be told.
func labels(y []int, k int) *cloud.DenseCatFeature {
	f := &cloud.DenseCatFeature{CatMap: &cloud.CatMap{Map: map[string]int{}}, CatData: y, Missing: make([]bool, len(y)), Name: "C:class"}
	for c := range k {
		f.CatToNum(strconv.Itoa(c))
	}
	return f
}

// weights returns n/(k·n_c) by class.
func weights(y []int, k int) map[string]float64 {
	count := make([]float64, k)
	for _, c := range y {
		count[c]++
	}
	w := map[string]float64{}
	for c, n := range count {
		w[strconv.Itoa(c)] = float64(len(y)) / (float64(k) * max(n, 1))
	}
	return w
}

// tally counts votes, in the place of a ballot box of CloudForest.
type tally struct {
	votes []uint32
	k     int
}

func (t tally) Vote(row int, class string, _ float64) {
	if c, err := strconv.Atoi(class); err == nil {
		t.votes[row*t.k+c]++
	}
}

// CloudForest asks a tally for two things more, which are of no use here.
func (t tally) TallyError(cloud.Feature) float64 { return math.NaN() }
func (t tally) Tally(int) string                 { return "" }

func (f cloudForest) Votes(x set.Matrix, workers int) []uint32 {
	data, counts := features(x), tally{make([]uint32, x.Rows*f.k), f.k}
	inParts(x.Rows, workers, func(from, to int) {
		rows := make([]int, to-from)
		for _, t := range f.forest.Trees {
			for i := range rows { // a tree sorts them
				rows[i] = from + i
			}
			t.VoteCases(data, counts, rows)
		}
	})
	return counts.votes
}

func (f cloudForest) Nodes() int {
	n := 0
	for _, t := range f.forest.Trees {
		t.Root.Climb(func(*cloud.Node) { n++ })
	}
	return n
}

func (f cloudForest) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	cloud.NewForestWriter(b).WriteForest(f.forest)
	return b.Flush()
}
