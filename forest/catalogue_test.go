package forest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/vote"
)

// Cases of the catalogue of bad inputs that concern the forest and have no test elsewhere.

// numbers returns a frame of one numeric column; labels are letters, one for each row.
func numbers(labels string, values ...float64) *dataset.Frame {
	return labelled(labels, dataset.Column{Field: dataset.Field{Name: "x"}, Values: values})
}

// categories returns a frame of one categorical column of the given number of levels.
func categories(labels string, levels int, values ...float64) *dataset.Frame {
	return labelled(labels, dataset.Column{Field: dataset.Field{Name: "x", Kind: dataset.Categorical,
		Levels: levelNames(levels)}, Values: values})
}

func labelled(labels string, columns ...dataset.Column) *dataset.Frame {
	f := &dataset.Frame{Columns: columns}
	for _, l := range labels {
		if c := string(l); !slices.Contains(f.Classes, c) {
			f.Classes = append(f.Classes, c)
		}
	}
	slices.Sort(f.Classes)
	for _, l := range labels {
		f.Truth = append(f.Truth, slices.Index(f.Classes, string(l)))
	}
	return f
}

// allRows grows one tree on all rows.
var allRows = Config{Trees: 1, Seed: 1, NoReplacement: true, Fraction: 1}

func votesOf(f *Forest, x ...float64) []uint32 {
	votes := make([]uint32, len(f.Classes))
	f.Vote(votes, x)
	return votes
}

func TestCatalogueE(t *testing.T) {
	nan := math.NaN()
	// One split, of 0 from 1 and 2: those are more, so the unknown and the missing go with them.
	few := categories("aabbb", 4, 0, 0, 1, 1, 2)
	f, _ := mustGrow(t, few, allRows)
	for _, tc := range []struct {
		name string
		x    float64
		want []uint32 // by hand
	}{
		{"a level of the left", 0, []uint32{1, 0}},
		{"E111 a level of one row", 2, []uint32{0, 1}},
		{"E106 E107 a level that no row had", 3, []uint32{0, 1}},
		{"E106 E107 a level that is not known", 4, []uint32{0, 1}},
		{"E114 a missing cell, none missing in training", nan, []uint32{0, 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := votesOf(f, tc.x); !slices.Equal(got, tc.want) {
				t.Errorf("votes %v, want %v", got, tc.want)
			}
		})
	}
	for _, levels := range []int{63, 64, 65, 1000, mostBits - 1, mostBits, mostBits + 1} {
		t.Run(fmt.Sprintf("E108 %d levels", levels), func(t *testing.T) {
			race.SkipFigures(t)
			manyLevels(t, levels)
		})
	}
	t.Run("E109 one level", func(t *testing.T) {
		f, _ := mustGrow(t, categories("aabbb", 1, 0, 0, 0, 0, 0), allRows)
		if f.Nodes() != 1 || !slices.Equal(votesOf(f, 0), []uint32{0, 1}) {
			t.Errorf("%d nodes, votes %v", f.Nodes(), votesOf(f, 0))
		}
	})
	t.Run("E110 as many levels as rows", func(t *testing.T) {
		f, _ := mustGrow(t, categories("ababa", 5, 0, 1, 2, 3, 4), allRows)
		for i := range 5 {
			if votes := votesOf(f, float64(i)); votes[i%2] != 1 {
				t.Errorf("level %d: votes %v", i, votes)
			}
		}
	})
	t.Run("E118 the same bytes in 100 runs", func(t *testing.T) {
		frame := learnable(80, 1)
		want, _ := mustGrow(t, frame, Config{Trees: 3, Seed: 1})
		for range 100 {
			again, _ := mustGrow(t, frame, Config{Trees: 3, Seed: 1, Workers: 3})
			if !sameBytes(t, want, again) {
				return
			}
		}
	})
}

// manyLevels: with the last level telling the class, and half of the others unseen.
func manyLevels(t *testing.T, levels int) {
	rng := rand.New(rand.NewPCG(uint64(levels), 40))
	frame := &dataset.Frame{Classes: []string{"a", "b", "c"}}
	column := dataset.Column{Field: dataset.Field{Name: "x", Kind: dataset.Categorical, Levels: levelNames(levels)}}
	for i := range 60 {
		v := levels - 1
		if i%3 > 0 {
			v = 2 * rng.IntN(levels/2)
		}
		column.Values = append(column.Values, float64(v))
		frame.Truth = append(frame.Truth, min(v%3, i%3))
	}
	frame.Columns = []dataset.Column{column}
	for _, cfg := range []Config{{Trees: 6, Seed: 1}, {Trees: 6, Seed: 1, RandomCuts: true, Soft: true, MinLeaf: 4}} {
		f, _ := mustGrow(t, frame, cfg)
		for i := range f.Trees() {
			equalTrees(t, f, i, growReference(frame, cfg, i))
		}
		back, err := decode(encoded(t, f), f.Schema, f.Classes, f.Share, f.Ties)
		if err != nil {
			t.Fatal(err)
		}
		every := &dataset.Frame{Columns: []dataset.Column{{Field: column.Field}}}
		for v := range levels {
			every.Columns[0].Values = append(every.Columns[0].Values, float64(v))
		}
		every.Columns[0].Values = append(every.Columns[0].Values, math.NaN())
		want := plainVotes(f, every)
		equalVotes(t, f, every, want)
		equalVotes(t, back, every, want)
	}
}

func TestCatalogueF(t *testing.T) {
	t.Run("F121 a class of one row", func(t *testing.T) {
		f, oob := mustGrow(t, numbers("aaaab", 1, 2, 3, 4, 5), Config{Trees: 50, Seed: 1})
		if f.Share[1] != 0.2 || oob.Votes(4)[1] != 0 || vote.Total(oob.Votes(4)) == 0 {
			t.Errorf("shares %v; votes of the row by trees without it %v", f.Share, oob.Votes(4))
		}
	})
	t.Run("F129 one in a million", func(t *testing.T) {
		n := 1_000_001
		if testing.Short() || race.Enabled {
			n = 10_001
		}
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(i % 1000)
		}
		values[n-1] = 1001
		frame := &dataset.Frame{Classes: []string{"common", "rare"}, Truth: make([]int, n),
			Columns: []dataset.Column{{Field: dataset.Field{Name: "x"}, Values: values}}}
		frame.Truth[n-1] = 1
		for _, cfg := range []Config{allRows, {Trees: 5, Bag: Balanced, Seed: 1, NoReplacement: true, Fraction: 1}} {
			f, oob := mustGrow(t, frame, cfg)
			if votes := votesOf(f, 1001); votes[1] != uint32(cfg.Trees) {
				t.Errorf("%s: votes for the rare one %v", cfg.Bag, votes)
			}
			if m := frame.ClassWeights(); m[0] != float64(n-1) || m[1] != 1 || len(oob.Truth) != n {
				t.Errorf("rows by class %v", m)
			}
		}
	})
	t.Run("F136 too few trees for votes out of bag", func(t *testing.T) {
		_, oob := mustGrow(t, learnable(100, 1), Config{Trees: 1, Seed: 1})
		judged := 0
		for range oob.Judged() {
			judged++
		}
		if acc, ok := oob.Confuse(nil).Accuracy(); oob.Unvoted() < 50 || judged != 100-oob.Unvoted() || !ok ||
			math.IsNaN(acc) {
			t.Errorf("%d rows without a vote, %d judged, accuracy %v", oob.Unvoted(), judged, acc)
		}
		_, none := mustGrow(t, learnable(100, 1), allRows)
		if _, ok := none.Confuse(nil).Accuracy(); none.Unvoted() != 100 || ok {
			t.Errorf("%d of 100 rows without a vote where every tree saw every row", none.Unvoted())
		}
	})
}

func TestCatalogueG(t *testing.T) {
	nan := math.NaN()
	t.Run("G138 NaN is a missing cell", func(t *testing.T) { // of either kind a way to tell the classes
		for _, frame := range []*dataset.Frame{numbers("aabb", 1, 2, nan, nan), categories("aabb", 2, 0, 1, nan, nan)} {
			f, _ := mustGrow(t, frame, allRows)
			if n := f.Tree(0).Node(0); f.Nodes() != 3 || n.MissingLeft || votesOf(f, nan)[1] != 1 || votesOf(f, 1)[0] != 1 {
				t.Errorf("%d nodes, the first %+v", f.Nodes(), n)
			}
		}
	})
	t.Run("G145 a constant column", func(t *testing.T) {
		frame := numbers("abab", 1, 2, 3, 4)
		frame.Columns = append(frame.Columns, dataset.Column{Field: dataset.Field{Name: "c"}, Values: []float64{5, 5, 5, 5}})
		f, _ := mustGrow(t, frame, Config{Trees: 20, Seed: 1, Mtry: 1})
		if imp := f.Importance(); !slices.Equal(imp, []float64{1, 0}) {
			t.Errorf("importance %v", imp)
		}
	})
	t.Run("G146 nothing to split on", func(t *testing.T) {
		f, _ := mustGrow(t, numbers("aaab", 1, 1, 1, 1), Config{Trees: 3, NoReplacement: true, Fraction: 1, Soft: true})
		if imp := f.Importance(); f.Nodes() != 3 || !slices.Equal(votesOf(f, 1), []uint32{2250, 750}) || imp[0] != 0 {
			t.Errorf("%d nodes, votes %v, importance %v", f.Nodes(), votesOf(f, 1), imp)
		}
	})
	t.Run("G148 a row entirely missing", func(t *testing.T) {
		frame := learnable(100, 1)
		for j := range frame.Columns {
			frame.Columns[j].Values[3] = nan
		}
		f, oob := mustGrow(t, frame, Config{Trees: 40, Seed: 1})
		if total := vote.Total(votesOf(f, nan, nan, nan, nan)); total != 40 || vote.Total(oob.Votes(3)) == 0 {
			t.Errorf("%d votes, out of bag %v", total, oob.Votes(3))
		}
	})
	t.Run("G149 a missing cell, none missing in training", func(t *testing.T) { // the three go right and are more
		f, _ := mustGrow(t, numbers("aabbb", 1, 2, 3, 4, 5), allRows)
		if n := f.Tree(0).Node(0); n.Threshold != 2.5 || n.MissingLeft || votesOf(f, nan)[1] != 1 {
			t.Errorf("%+v", n)
		}
		f, _ = mustGrow(t, numbers("aabb", 1, 2, 3, 4), allRows)
		if n := f.Tree(0).Node(0); !n.MissingLeft { // equally many: left
			t.Errorf("%+v", n)
		}
	})
}

// Numbers that are hard to tell apart.
func TestCatalogueGNumbers(t *testing.T) {
	for name, v := range map[string][]float64{
		"G141 near the largest": {-math.MaxFloat64, math.Nextafter(math.MaxFloat64, 0), math.MaxFloat64},
		"G142 neighbours":       {1, math.Nextafter(1, 2), math.Nextafter(math.Nextafter(1, 2), 2)},
		"G143 denormal":         {-5e-324, 0, 5e-324},
		"G150 wide":             {-1e300, 1e-300, 1e300},
		"G151 beyond float32":   {16777216, 16777217, 16777218},
	} {
		t.Run(name+", told apart, G152 also when read back", func(t *testing.T) {
			f, _ := mustGrow(t, numbers("aba", v...), allRows)
			back, err := decode(encoded(t, f), f.Schema, f.Classes, f.Share, f.Ties)
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range v {
				if a, b := votesOf(f, x), votesOf(back, x); a[i%2] != 1 || !slices.Equal(a, b) {
					t.Errorf("%v: votes %v, read back %v", x, a, b)
				}
			}
			if a, b := f.cuts[0].at, back.cuts[0].at; !slices.Equal(a, b) || len(a) != 2 || a[0] < v[0] || a[0] >= v[1] ||
				a[1] < v[1] || a[1] >= v[2] {
				t.Errorf("thresholds %v, read back %v", a, b)
			}
		})
	}
}

func TestCatalogueGShares(t *testing.T) {
	t.Run("G160 soft votes are shares that sum to 1", func(t *testing.T) {
		inShards(t, rounds(500), func(t *testing.T, seed uint64) bool {
			_, frame, cfg := problem(seed, 50)
			cfg.Soft = true
			f, _ := mustGrow(t, frame, cfg)
			table, err := f.Votes(context.Background(), frame, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i := range frame.Rows() {
				if vote.Total(table.Votes(i)) != uint64(f.Trees()*vote.Unit) {
					t.Errorf("row %d: votes %v of %d trees", i, table.Votes(i), f.Trees())
				}
			}
			return !t.Failed()
		})
	})
}

func TestCatalogueGWeights(t *testing.T) {
	for name, w := range map[string]float64{"G154 negative weight": -1, "G155 NaN weight": math.NaN(),
		"G155 infinite weight": math.Inf(1)} {
		t.Run(name, func(t *testing.T) {
			frame := learnable(10, 1)
			frame.Weight = slices.Repeat([]float64{1}, 10)
			frame.Weight[6] = w
			if _, _, err := Grow(context.Background(), frame, Config{}); !errors.Is(err, dataset.ErrValue) ||
				!strings.Contains(err.Error(), "row 6 has weight") {
				t.Errorf("error %v", err)
			}
		})
	}
	t.Run("G156 a class of weight 0 is absent", func(t *testing.T) {
		frame := numbers("aabbcc", 1, 2, 3, 4, 5, 6)
		frame.Weight = []float64{1, 1, 1, 1, 0, 0}
		for _, bag := range []Bag{Bootstrap, Stratified, Balanced} {
			f, _ := mustGrow(t, frame, Config{Trees: 30, Seed: 1, Bag: bag})
			votes := votesOf(f, 6)
			if votes[2] != 0 || f.Share[2] != 0 || votes[0]+votes[1] != 30 {
				t.Errorf("%s: votes %v, shares %v", bag, votes, f.Share)
			}
		}
		frame.Weight = []float64{0, 0, 0, 0, 1, 1}
		if _, _, err := Grow(context.Background(), frame, Config{}); !errors.Is(err, ErrTrain) ||
			!strings.Contains(err.Error(), "1 of 3 classes") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("leaves are weighed in units of the least whole weight, or of the mean of real ones", func(t *testing.T) {
		for _, tc := range []struct {
			weights []float64
			least   int
			nodes   int // by hand: the cut in the middle leaves both sides pure
		}{
			{[]float64{5, 10, 10, 5}, 3, 3}, // 1, 2, 2, 1
			{[]float64{5, 10, 10, 5}, 4, 1},
			{[]float64{7, 9, 9, 7}, 2, 3}, // no multiples of 7; a mean of 8
			{[]float64{7, 9, 9, 7}, 3, 1},
		} {
			frame := numbers("aabb", 1, 2, 3, 4)
			frame.Weight = tc.weights
			cfg := allRows
			cfg.MinLeaf = tc.least
			if f, _ := mustGrow(t, frame, cfg); f.Nodes() != tc.nodes {
				t.Errorf("weights %v, least %d: %d nodes, want %d", tc.weights, tc.least, f.Nodes(), tc.nodes)
			}
		}
	})
	t.Run("G157 weights of 0.1 and 0.3 are as 1 and 3", func(t *testing.T) { // though 0.3/0.1 is not 3 to the last bit
		for _, factor := range []float64{1, 0.1} {
			frame := numbers("aabb", 1, 2, 3, 4)
			for _, w := range []float64{1, 3, 3, 1} {
				frame.Weight = append(frame.Weight, w*factor)
			}
			cfg := allRows
			cfg.MinLeaf = 4
			if f, _ := mustGrow(t, frame, cfg); f.Nodes() != 3 {
				t.Errorf("weights %v: %d nodes, want 3", frame.Weight, f.Nodes())
			}
		}
	})
}

func TestCatalogueGExtremeWeights(t *testing.T) {
	t.Run("G158 a weight of 1e9 counts so much", func(t *testing.T) {
		frame := numbers("aab", 1, 1, 1)
		frame.Weight = []float64{1, 1, 1e9}
		f, _ := mustGrow(t, frame, allRows)
		if votes := votesOf(f, 1); votes[1] != 1 || f.Share[1] != 1e9/(1e9+2) {
			t.Errorf("votes %v, shares %v", votes, f.Share)
		}
	})
	t.Run("G159 weights of 1e-300 and 1e300", func(t *testing.T) {
		frame := numbers("abab", 1, 2, 3, 4)
		frame.Weight = []float64{1e-300, 1e300, 1e300, 1e-300}
		for _, soft := range []bool{false, true} {
			cfg := allRows
			cfg.Soft = soft
			f, _ := mustGrow(t, frame, cfg)
			if _, err := decode(encoded(t, f), f.Schema, f.Classes, f.Share, f.Ties); err != nil || !slices.Equal(f.Share,
				[]float64{0.5, 0.5}) {
				t.Errorf("shares %v, error %v", f.Share, err)
			}
			if got := slices.Max(votesOf(f, 2)); got != 1 && got != vote.Unit {
				t.Errorf("votes %v", votesOf(f, 2))
			}
		}
		frame.Weight = []float64{1e-300, 1e300, 1e-300, 1e300} // beside the other class the first weighs nothing
		if _, _, err := Grow(context.Background(), frame, allRows); !errors.Is(err, ErrTrain) {
			t.Errorf("error %v", err)
		}
	})
}

// Exact ties.
func TestCatalogueGTies(t *testing.T) {
	t.Run("G161 of equal classes in a leaf the more common wins", func(t *testing.T) {
		for _, tc := range []struct {
			labels string
			want   int
			// that of the first row; in the last b has 4 rows of 7, and 1 of 2 in the leaf
		}{{"baab", 1}, {"abba", 0}, {"cbbc", 1}, {"abbacbb", 1}} {
			frame := numbers(tc.labels, []float64{1, 1, 2, 2, 3, 3, 3}[:len(tc.labels)]...)
			f, _ := mustGrow(t, frame, allRows)
			if votes := votesOf(f, 1); votes[tc.want] != 1 {
				t.Errorf("%s: votes %v", tc.labels, votes)
			}
		}
	})
	t.Run("G162 of equal cuts the lower wins", func(t *testing.T) {
		f, _ := mustGrow(t, numbers("aba", 1, 2, 3), allRows) // either leaves one pure and one of two, 2 in all
		if n := f.Tree(0).Node(0); n.Threshold != 1.5 {
			t.Errorf("threshold %v, want 1.5", n.Threshold)
		}
	})
	t.Run("G162 of equal features the first drawn wins", func(t *testing.T) {
		frame := numbers("aba", 1, 2, 3)
		frame.Columns = append(frame.Columns, dataset.Column{Field: dataset.Field{Name: "y"},
			Values: frame.Columns[0].Values})
		cfg := allRows
		cfg.Trees, cfg.Mtry, cfg.MaxDepth = 200, 2, 1
		f, _ := mustGrow(t, frame, cfg)
		var used [2]int
		for i := range f.Trees() {
			s := rootPath(cfg.Seed, i).features()
			n := f.Tree(i).Node(0)
			if n.Feature != s.below(2) {
				t.Fatalf("tree %d splits on feature %d", i, n.Feature)
			}
			used[n.Feature]++
		}
		if used[0] < 60 || used[1] < 60 {
			t.Errorf("features are used %v times", used)
		}
	})
}

func TestCatalogueM(t *testing.T) {
	t.Run("M322 cancelled, no goroutine is left", func(t *testing.T) {
		before := runtime.NumGoroutine()
		for range 20 {
			ctx, cancel := context.WithCancel(context.Background())
			cfg := Config{Trees: 100_000, Seed: 1, Workers: 4, Progress: cancel}
			if f, table, err := Grow(ctx, learnable(200, 1), cfg); !errors.Is(err, context.Canceled) || f != nil ||
				table != nil {
				t.Fatalf("error %v", err)
			}
		}
		for wait := 0; runtime.NumGoroutine() > before && wait < 100; wait++ {
			time.Sleep(10 * time.Millisecond)
		}
		if after := runtime.NumGoroutine(); after > before {
			t.Errorf("%d goroutines, before %d", after, before)
		}
	})
	t.Run("M323 what the caller changes later does not change the forest", func(t *testing.T) {
		for _, coded := range []bool{false, true} {
			frame := learnable(100, 1)
			if coded {
				frame = codedFrame(frame)
			}
			cfg := Config{Trees: 5, Seed: 1, ClassWeight: []float64{1, 2}}
			f, _ := mustGrow(t, frame, cfg)
			before, classes, name, fresh := encoded(t, f), slices.Clone(f.Classes), f.Schema[0].Name, learnable(30, 2)
			votes := plainVotes(f, fresh)
			for j := range frame.Columns {
				c := &frame.Columns[j]
				clear(c.Values)
				if c.Codes != nil {
					clear(c.Codes.Narrow)
				}
			}
			clear(frame.Truth)
			frame.Columns[0].Name, frame.Classes[0], cfg.ClassWeight[0] = "other", "other", 9
			if !bytes.Equal(encoded(t, f), before) || !slices.Equal(plainVotes(f, fresh), votes) || f.Schema[0].Name != name {
				t.Errorf("coded %v: the forest changed", coded)
			}
			if !slices.Equal(f.Classes, classes) {
				t.Errorf("coded %v: the names of the classes changed from %q to %q", coded, classes, f.Classes)
			}
		}
	})
	for _, tc := range []struct {
		name  string
		frame *dataset.Frame
		is    error
	}{
		{"M326 nothing", &dataset.Frame{}, dataset.ErrNoData},
		{"M326 no rows", numbers(""), ErrTrain},
		{"M327 ragged columns", labelled("ab", dataset.Column{Field: dataset.Field{Name: "x"}, Values: []float64{1}}),
			dataset.ErrShape},
		{"M328 fewer weights than rows", &dataset.Frame{Classes: []string{"a", "b"}, Truth: []int{0, 1}, Weight: []float64{1},
			Columns: numbers("ab", 1, 2).Columns}, dataset.ErrShape},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, _, err := Grow(context.Background(), tc.frame, Config{}); !errors.Is(err, tc.is) {
				t.Errorf("error %v, want %v", err, tc.is)
			}
		})
	}
}
