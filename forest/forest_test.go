package forest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/vote"
)

// learnable is data with something to learn: the class depends on x, on a category and on
// whether a cell is missing.
func learnable(n int, seed uint64) *dataset.Frame {
	rng := rand.New(rand.NewPCG(seed, 7))
	f := &dataset.Frame{Classes: []string{"common", "rare"}, Truth: make([]int, n)}
	x := dataset.Column{Field: dataset.Field{Name: "x"}, Values: make([]float64, n)}
	noise := dataset.Column{Field: dataset.Field{Name: "noise"}, Values: make([]float64, n)}
	where := dataset.Column{Field: dataset.Field{Name: "where", Kind: dataset.Categorical, Levels: []string{"a", "b", "c",
		"d"}}, Values: make([]float64, n)}
	gap := dataset.Column{Field: dataset.Field{Name: "gap"}, Values: make([]float64, n)}
	for i := range n {
		x.Values[i], noise.Values[i], where.Values[i] = rng.Float64(), rng.Float64(), float64(rng.IntN(4))
		gap.Values[i] = rng.Float64()
		if rng.IntN(5) == 0 {
			gap.Values[i] = math.NaN()
		}
		if score := x.Values[i]; where.Values[i] == 1 && score > 0.5 || math.IsNaN(gap.Values[i]) && score > 0.6 {
			f.Truth[i] = 1
		}
	}
	f.Columns = []dataset.Column{x, noise, where, gap}
	return f
}

// noisy has labels that no feature tells anything about: 30 % of them are rare.
func noisy(n int, seed uint64) *dataset.Frame {
	f := learnable(n, seed)
	rng := rand.New(rand.NewPCG(seed, 8))
	for i := range f.Truth {
		f.Truth[i] = 0
		if rng.Float64() < 0.3 {
			f.Truth[i] = 1
		}
	}
	return f
}

func mustGrow(t *testing.T, frame *dataset.Frame, c Config) (*Forest, *vote.Table) {
	t.Helper()
	f, table, err := Grow(context.Background(), frame, c)
	if err != nil {
		t.Fatal(err)
	}
	return f, table
}

func encoded(t testing.TB, f *Forest) []byte {
	t.Helper()
	var b bytes.Buffer
	if n, err := f.WriteTo(&b); err != nil || n != int64(b.Len()) {
		t.Fatal(n, err)
	}
	return b.Bytes()
}

// decode is Decode of bytes.
func decode(b []byte, schema dataset.Schema, classes []string, share []float64, ties []int) (*Forest, error) {
	return Decode(bytes.NewReader(b), int64(len(b)), schema, classes, share, ties)
}

func TestSameBytesOnAnyNumberOfWorkers(t *testing.T) {
	frame := learnable(600, 1)
	var want []byte
	var counts []uint32
	for _, workers := range []int{1, 2, 3, 8} {
		f, table := mustGrow(t, frame, Config{Trees: 25, Seed: 5, Workers: workers})
		if b := encoded(t, f); want == nil {
			want, counts = b, table.Counts
		} else if !bytes.Equal(b, want) || !slices.Equal(table.Counts, counts) {
			t.Errorf("%d workers: another forest or other votes than with one", workers)
		}
	}
	if other, _ := mustGrow(t, frame, Config{Trees: 25, Seed: 6}); bytes.Equal(encoded(t, other), want) {
		t.Error("seeds 5 and 6 gave the same forest")
	}
}

// The forest of a seed is a promise: saved models are audited by growing them again. This
// digest was made by this program; it must never change.
func TestGolden(t *testing.T) {
	f, table := mustGrow(t, learnable(300, 1), Config{Trees: 10, Seed: 1})
	h := sha256.New()
	h.Write(encoded(t, f))
	for _, v := range table.Counts {
		h.Write([]byte{byte(v)})
	}
	const want = "7c853bf4e37225f322bb143921fc979b8a92d854e8f60a911f99021a12932801"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

// The first trees of a larger forest are the smaller forest: a tree depends on its number alone.
func TestTreeDependsOnItsNumberAlone(t *testing.T) {
	frame := learnable(300, 2)
	small, _ := mustGrow(t, frame, Config{Trees: 5, Seed: 3})
	large, _ := mustGrow(t, frame, Config{Trees: 12, Seed: 3})
	for i := range small.Trees() {
		if !reflect.DeepEqual(walkNodes(small.Tree(i).Node), walkNodes(large.Tree(i).Node)) {
			t.Errorf("tree %d differs", i)
		}
	}
}

// Out-of-bag votes equal those counted tree by tree from the bags, by a plain walk through the nodes.
func TestOutOfBagVotes(t *testing.T) {
	for _, cfg := range []Config{
		{}, {Bag: Stratified}, {Bag: Balanced}, {Bag: Poisson}, {Bag: Hash(50)}, {NoReplacement: true}, {Fraction: 0.3},
		{Soft: true, MinLeaf: 5}, {MaxLeaves: 5}, {RandomCuts: true}, {Criterion: Entropy}, {Criterion: Hellinger},
		{Criterion: OffCentred}, {Criterion: Pragma, Slopes: priority}, {Bag: Balanced, NoReplacement: true, Fraction: 0.5},
	} {
		frame := learnable(200, 3)
		cfg.Trees, cfg.Seed = 15, 9
		f, table := mustGrow(t, frame, cfg)
		want := make([]uint32, len(table.Counts))
		x := make([]float64, 4)
		for tree := range f.Trees() {
			times, err := timesInBag(frame, cfg, tree)
			if err != nil {
				t.Fatal(err)
			}
			for i, n := range times {
				if n == 0 {
					frame.Row(x, i)
					leaf := f.Tree(tree).leafOf(x)
					if !cfg.Soft {
						want[i*2+leaf.Class]++
					}
					for c, share := range leaf.Shares {
						want[i*2+c] += uint32(math.Round(share * vote.Unit))
					}
				}
			}
		}
		if !slices.Equal(table.Counts, want) {
			t.Errorf("%+v: out-of-bag votes differ from those counted tree by tree", cfg)
		}
		if table.Source != vote.OOB || table.Trees != 15 {
			t.Errorf("%+v: source %q of %d trees", cfg, table.Source, table.Trees)
		}
	}
}

// leafOf walks to the leaf of x in the most obvious way.
func (t Tree) leafOf(x []float64) Node {
	n := t.Node(0)
	for !n.Leaf {
		v := x[n.Feature]
		left := v <= n.Threshold
		if levels := t.f.Schema[n.Feature].Levels; levels != nil {
			left = slices.Contains(n.Levels, int(v))
			if v != v || v < 0 || v >= float64(len(levels)) {
				left = n.MissingLeft
			}
		}
		if v != v {
			left = n.MissingLeft
		}
		if left {
			n = t.Node(n.Left)
		} else {
			n = t.Node(n.Right)
		}
	}
	return n
}

// On labels that are pure noise the out-of-bag votes must know nothing, whatever the bag:
// the share of right decisions on balanced classes is a half. With 2000 rows and decisions by
// votes in proportion to the shares its standard error is about 0.017; 5 of these are allowed.
func TestNoiseIsNotLearned(t *testing.T) {
	race.SkipFigures(t)
	for _, bag := range []Bag{Bootstrap, Stratified, Balanced} {
		_, table := mustGrow(t, noisy(2000, 5), Config{Trees: 60, Seed: 2, Bag: bag})
		m := table.Confuse(vote.Prior(table.Share))
		a, _ := m.Recall(0)
		b, _ := m.Recall(1)
		if mean := (a + b) / 2; math.Abs(mean-0.5) > 0.085 {
			t.Errorf("%s: balanced accuracy %.3f on noise", bag, mean)
		}
	}
}

func TestLearnsWhatIsThere(t *testing.T) {
	f, oob := mustGrow(t, learnable(1500, 6), Config{Trees: 60, Seed: 1})
	if acc, _ := oob.Confuse(nil).Accuracy(); acc < 0.97 {
		t.Errorf("out-of-bag accuracy %.3f, want at least 0.97: the classes are told by three features exactly", acc)
	}
	fresh, err := f.Votes(context.Background(), learnable(1500, 60), 2)
	if err != nil {
		t.Fatal(err)
	}
	if acc, _ := fresh.Confuse(nil).Accuracy(); acc < 0.97 {
		t.Errorf("accuracy on new rows %.3f, want at least 0.97", acc)
	}
}

// For two classes the cut of a categorical feature is the best of all subsets of levels.
func TestCategoricalIsExactForTwoClasses(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		n, levels := 10+rng.IntN(30), 2+rng.IntN(6)
		frame := &dataset.Frame{Classes: []string{"a", "b"}, Truth: make([]int, n)}
		col := dataset.Column{Field: dataset.Field{Name: "c", Kind: dataset.Categorical}, Values: make([]float64, n)}
		for l := range levels {
			col.Levels = append(col.Levels, string(rune('a'+l)))
		}
		for i := range n {
			frame.Truth[i], col.Values[i] = rng.IntN(2), float64(rng.IntN(levels))
		}
		frame.Truth[0], frame.Truth[1] = 0, 1
		frame.Columns = []dataset.Column{col}
		cfg := Config{Workers: 1, Mtry: 1, MinLeaf: 1}
		data, err := encode(context.Background(), frame, cfg)
		if err != nil {
			t.Fatal(err)
		}
		g := newGrower(newGrowth(data, cfg, 0, 1))
		for i := range n {
			g.inBag = append(g.inBag, newRow(uint32(i), data.class[i], 1))
		}
		if !g.search(task{span: span{hi: n}}) {
			continue
		}
		best := 0.0
		for subset := 1; subset < 1<<levels-1; subset++ {
			var sum [2][2]float64
			for i := range n {
				sum[subset>>int(col.Values[i])&1][frame.Truth[i]]++
			}
			l, r := sum[1][0]+sum[1][1], sum[0][0]+sum[0][1]
			if l > 0 && r > 0 {
				best = max(best, (sum[1][0]*sum[1][0]+sum[1][1]*sum[1][1])/l+(sum[0][0]*sum[0][0]+sum[0][1]*sum[0][1])/r)
			}
		}
		if math.Abs(g.best.score-best) > 1e-9 {
			t.Errorf("seed %d: score %v, the best subset has %v", seed, g.best.score, best)
		}
	}
}

// What must not matter, and what must be the same as something else.
func TestInvariances(t *testing.T) {
	base := learnable(250, 7)
	cfg := Config{Trees: 8, Seed: 4}
	f, _ := mustGrow(t, base, cfg)
	want := encoded(t, f)
	clone := func() *dataset.Frame { return base.Take(upTo(base.Rows())) }

	same := map[string]*dataset.Frame{}
	w := clone()
	w.Weight = slices.Repeat([]float64{7}, w.Rows())
	same["G157 all weights 7"] = w
	names := clone()
	names.Classes = []string{"x", "y"}
	same["classes renamed, order kept"] = names
	zero := clone()
	for i, v := range zero.Columns[0].Values {
		if v == 0 {
			zero.Columns[0].Values[i] = math.Copysign(0, -1)
		}
	}
	same["G144 minus zero"] = zero
	withOut := clone()
	extra := base.Take([]int{0, 5, 9})
	for j := range withOut.Columns {
		withOut.Columns[j].Values = append(withOut.Columns[j].Values, extra.Columns[j].Values...)
	}
	withOut.Truth = append(withOut.Truth, 1-extra.Truth[0], 1-extra.Truth[1], 1-extra.Truth[2])
	withOut.Weight = append(slices.Repeat([]float64{1}, 250), 0, 0, 0)
	same["rows of weight 0 are as if absent"] = withOut
	for name, frame := range same {
		f, _ := mustGrow(t, frame, cfg)
		if !bytes.Equal(encoded(t, f), want) {
			t.Errorf("%s: another forest", name)
		}
	}
}

// Doubling a column, which is exact, doubles its thresholds and changes nothing else.
func TestScaledColumn(t *testing.T) {
	base := learnable(250, 8)
	a, _ := mustGrow(t, base, Config{Trees: 6, Seed: 4})
	scaled := base.Take(upTo(250))
	for i := range scaled.Columns[0].Values {
		scaled.Columns[0].Values[i] *= 2
	}
	b, _ := mustGrow(t, scaled, Config{Trees: 6, Seed: 4})
	for i := range a.Trees() {
		was, is := walkNodes(a.Tree(i).Node), walkNodes(b.Tree(i).Node)
		for j := range was {
			if was[j].Feature == 0 {
				was[j].Threshold *= 2
			}
			if !reflect.DeepEqual(was[j], is[j]) {
				t.Fatalf("tree %d node %d: %+v, want %+v", i, j, is[j], was[j])
			}
		}
	}
}

func upTo(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func TestVoteOneByOneAndInBlocks(t *testing.T) {
	f, _ := mustGrow(t, learnable(300, 9), Config{Trees: 20, Seed: 1})
	fresh := learnable(1300, 10) // more than two blocks
	table, err := f.Votes(context.Background(), fresh, 3)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for start := range 8 {
		wg.Go(func() {
			x, votes := make([]float64, 4), make([]uint32, 2)
			for i := start; i < fresh.Rows(); i += 8 {
				clear(votes)
				fresh.Row(x, i)
				f.Vote(votes, x)
				if !slices.Equal(votes, table.Votes(i)) {
					t.Errorf("row %d: %v alone, %v in a block", i, votes, table.Votes(i))
				}
			}
		})
	}
	wg.Wait()
	x, votes := make([]float64, 4), make([]uint32, 2)
	if n := testing.AllocsPerRun(100, func() { f.Vote(votes, x) }); n != 0 {
		t.Errorf("Vote allocates %v times", n)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cfg := Config{Trees: 1000, Seed: 1, Workers: 2}
	grown := 0
	var mu sync.Mutex
	cfg.Progress = func() {
		mu.Lock()
		defer mu.Unlock()
		if grown++; grown == 3 {
			cancel()
		}
	}
	if _, _, err := Grow(ctx, learnable(500, 1), cfg); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if grown > 10 {
		t.Errorf("%d trees grown after it was cancelled at the third", grown)
	}
}

func TestDepth(t *testing.T) {
	f, _ := mustGrow(t, learnable(400, 1), Config{Trees: 3, MaxDepth: 2})
	for i := range f.Trees() {
		if d := f.Tree(i).Depth(); d < 1 || d > 2 {
			t.Errorf("tree %d has depth %d, at most 2 is allowed", i, d)
		}
	}
}

func TestErrors(t *testing.T) {
	good := learnable(50, 1)
	oneClass := learnable(50, 1)
	clear(oneClass.Truth)
	unknown := learnable(50, 1)
	unknown.Truth[7] = -1
	weightless := learnable(50, 1)
	weightless.Weight = make([]float64, 50)
	infinite := learnable(50, 1)
	infinite.Columns[0].Values[3] = math.Inf(1)
	for _, tc := range []struct {
		name  string
		frame *dataset.Frame
		cfg   Config
		is    error
		text  string
	}{
		{"I198 negative trees", good, Config{Trees: -1}, ErrConfig, "-1 trees; choose 1 to"},
		{"I199 a thousand million trees", good, Config{Trees: 1e9}, ErrConfig, "1000000000 trees; choose 1 to"},
		{"I201 mtry above p", good, Config{Mtry: 5}, ErrConfig, "mtry 5; the data has 4 features"},
		{"negative mtry", good, Config{Mtry: -2}, ErrConfig, "mtry -2"},
		{"I203 negative depth", good, Config{MaxDepth: -1}, ErrConfig, "maximal depth -1"},
		{"I204 negative leaf", good, Config{MinLeaf: -1}, ErrConfig, "smallest leaf of -1 rows"},
		{"unknown bag", good, Config{Bag: "sack"}, ErrConfig,
			`bag "sack"; choose bootstrap, stratified, balanced, poisson or, for about m rows a tree, hash:m`},
		{"class weights of wrong length", good, Config{ClassWeight: []float64{1}}, ErrConfig,
			"1 class weights for 2 classes"},
		{"class weight 0", good, Config{ClassWeight: []float64{1, 0}}, ErrConfig, `class "rare" has weight 0`},
		{"class weight NaN", good, Config{ClassWeight: []float64{math.NaN(), 1}}, ErrConfig, `class "common" has weight NaN`},
		{"F120 one class", oneClass, Config{}, ErrTrain, "1 of 2 classes have rows of positive weight"},
		{"D98 row without class", unknown, Config{}, ErrTrain, "row 7 has no class"},
		{"G153 all weights zero", weightless, Config{}, ErrTrain, "0 of 2 classes"},
		{"G139 infinite cell", infinite, Config{}, dataset.ErrValue, `column "x", row 3 is +Inf`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, _, err := Grow(context.Background(), tc.frame, tc.cfg)
			if !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("error %v, want %v with %q", err, tc.is, tc.text)
			}
		})
	}
}

// Awkward data that must simply work.
func TestAwkwardData(t *testing.T) {
	column := func(values ...float64) *dataset.Frame {
		f := &dataset.Frame{Classes: []string{"a", "b"}, Columns: []dataset.Column{{Field: dataset.Field{Name: "x"},
			Values: values}}}
		for i := range values {
			f.Truth = append(f.Truth, i%2)
		}
		return f
	}
	nan := math.NaN()
	for _, tc := range []struct {
		name  string
		frame *dataset.Frame
	}{
		{"F131 two rows, two classes", column(1, 2)},
		{"F135 identical rows, different labels", column(3, 3, 3, 3)},
		{"G141 neighbours near the largest number", column(-math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64,
			math.MaxFloat64)},
		{"G142 adjacent numbers", column(1, math.Nextafter(1, 2), 1, math.Nextafter(1, 2))},
		{"G143 denormal numbers", column(0, 5e-324, 0, 5e-324)},
		{"G146 all columns constant", column(1, 1, 1, 1)},
		{"G147 a column entirely missing", column(nan, nan, nan, nan)},
		{"G150 huge range", column(1e-300, 1e300, 1e-299, 1e299)},
		{"G151 float32 edge", column(16777216, 16777217, 16777216, 16777217)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, table := mustGrow(t, tc.frame, Config{Trees: 20, Seed: 1})
			if _, err := decode(encoded(t, f), f.Schema, f.Classes, f.Share, f.Ties); err != nil {
				t.Error(err)
			}
			if err := table.Check(); err != nil {
				t.Error(err)
			}
			votes, err := f.Votes(context.Background(), tc.frame, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i := range tc.frame.Truth {
				if vote.Total(votes.Votes(i)) != 20 {
					t.Errorf("row %d has votes %v of 20 trees", i, votes.Votes(i))
				}
			}
		})
	}
	t.Run("G159 weights of 1e-300 and 1e300 together", func(t *testing.T) {
		frame := column(1, 2, 3, 4, 5, 6)
		frame.Weight = []float64{1e300, 1e300, 1e-300, 1, 1e300, 1e-300}
		f, _ := mustGrow(t, frame, Config{Trees: 20, Seed: 1})
		for _, s := range f.Share {
			if math.IsNaN(s) {
				t.Errorf("shares %v", f.Share)
			}
		}
	})
	t.Run("G158 weight 1e9", func(t *testing.T) {
		frame := column(1, 2, 3, 4)
		frame.Weight = []float64{1e9, 1, 1e9, 1}
		mustGrow(t, frame, Config{Trees: 5, Seed: 1})
	})
	t.Run("F123 a class in no bag keeps its place", func(t *testing.T) {
		frame := column(1, 2, 3, 4)
		frame.Classes = []string{"a", "b", "never"}
		f, _ := mustGrow(t, frame, Config{Trees: 5, Seed: 1})
		votes := make([]uint32, 3)
		f.Vote(votes, []float64{1})
		if votes[2] != 0 || len(f.Share) != 3 || f.Share[2] != 0 {
			t.Errorf("votes %v, shares %v", votes, f.Share)
		}
	})
}
