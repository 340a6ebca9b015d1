package forest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/race"
)

// priority is the preference of a rare class for recall, beside a neutral one: θ 10, x 0.1, y 0.9, and θ 1, x = y =
// 0.8.
var priority = []Slope{{0.5, 0.5}, {9, 1}}

// What a split gains is √(n1·n0)·d², with d as Cieslak et al. (2012) define it. The first: 4 of a class against 16,
// of which 3 and 1 go left. d² = (√0.75 - √0.0625)² + (√0.25 - √0.9375)² = 0.379487 + 0.219254, by hand.
func TestHellingerIsTheDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 70))
	for i := range 1000 {
		left, right := []float64{1, 3}, []float64{15, 1}
		if i > 0 {
			for c := range 2 {
				left[c], right[c] = float64(rng.IntN(100)), float64(1+rng.IntN(100))
			}
		}
		total, both := []float64{left[0] + right[0], left[1] + right[1]}, []int32{0, 1}
		square := func(v float64) float64 { return v * v }
		d2 := square(math.Sqrt(left[1]/total[1])-math.Sqrt(left[0]/total[0])) +
			square(math.Sqrt(right[1]/total[1])-math.Sqrt(right[0]/total[0]))
		if i == 0 && math.Abs(d2-0.598741) > 1e-6 {
			t.Errorf("d² = %v, by hand 0.598741", d2)
		}
		h := hellinger{}
		gain := h.score(left, 0, both) + h.score(right, 0, both) - h.score(total, 0, both)
		if want := math.Sqrt(total[0]*total[1]) * d2; math.Abs(gain-want) > 1e-9*(1+want) {
			t.Fatalf("left %v, right %v: gains %v, want %v", left, right, gain, want)
		}
	}
}

// Of several classes each stands against the rest. By hand, for 1, 4 and 4 of 9: √(1·8) + 2·√(4·5).
func TestHellingerOfThree(t *testing.T) {
	if got, want := (hellinger{}).score([]float64{1, 4, 4}, 9, []int32{0, 1, 2}),
		-(math.Sqrt(8) + 2*math.Sqrt(20)); math.Abs(got-want) > 1e-12 {
		t.Errorf("score %v, want %v", got, want)
	}
	if got := (hellinger{}).score([]float64{0, 5, 0}, 5, []int32{0, 1, 2}); got != 0 {
		t.Errorf("a side of one class scores %v", got)
	}
}

// The price of a row is what PRAGMA loses when it alone is decided wrongly, the other class being drawn by its
// share: here PRAGMA itself is computed, of the confusion matrix with that one error.
func TestPricesAreLosses(t *testing.T) {
	rows := []float64{700_000, 250_000, 50_000}
	prefer := []Slope{{0.5, 0.5}, {2, 1}, {9, 1}}
	d := &coded{k: 3, share: []float64{0.7, 0.25, 0.05}, classes: []int{0, 1, 2}}
	got := newPrices(d, prefer)
	var want [3]float64
	for c := range rows {
		for j := range rows {
			if j != c { // one row of c is named j
				loss := prefer[c].Recall*(1-(rows[c]-1)/rows[c]) + prefer[j].Precision*(1-rows[j]/(rows[j]+1))
				want[c] += loss * rows[j] / (1_000_000 - rows[c])
			}
		}
	}
	for c := range want {
		if r := want[c] / slices.Max(want[:]); math.Abs(got[c]/r-1) > 1e-4 {
			t.Errorf("class %d: price %v, loss %v", c, got[c], r)
		}
	}
	// By hand: 9/0.05 + (0.5+1)/0.95 = 181.579 for the dearest, 0.5/0.7 + 2/0.3 = 7.381 for the most common.
	if got[2] != 1 || math.Abs(got[0]-7.380952/181.578947) > 1e-6 {
		t.Errorf("prices %v", got)
	}
}

// Prices are sound where shares are 0 or nearly so, and whatever the preferences.
func TestPricesAtTheEdges(t *testing.T) {
	for _, tc := range []struct {
		share  []float64
		prefer []Slope
		want   []float64
	}{
		{[]float64{0.5, 0.5, 0}, []Slope{{}, {}, {1, 1}}, []float64{1, 1, 1}}, // the class that counts has no rows
		{[]float64{0.5, 0.5, 0}, []Slope{{1, 1}, {1, 1}, {1e9, 1e9}}, []float64{1, 1, 0}},
		{[]float64{1, 5e-324}, []Slope{{1, 1}, {1, 1}}, []float64{1, 1}},
		{[]float64{0.5, 0.5}, []Slope{{math.MaxFloat64, 0}, {0, math.MaxFloat64}}, []float64{1, 0}},
	} {
		d := &coded{k: len(tc.share), share: tc.share}
		for c := range tc.share {
			d.classes = append(d.classes, c)
		}
		if got := newPrices(d, tc.prefer); !slices.Equal(got, tc.want) {
			t.Errorf("shares %v, preferences %v: %v, want %v", tc.share, tc.prefer, got, tc.want)
		}
	}
}

// Of two classes, 18 rows and 2, Gini cuts off one of the two rare rows, at 19: 2·18/19 = 1.89 remain, against
// 2·2·6/8 = 3 at 12. Hellinger and Pragma cut at 12, which leaves both with 6 of the others: √(2·6) = 3.46 remain,
// against √(1·18) = 4.24; and with prices of 1 and 0.116565 it is 2·2·0.69939/2.69939 = 1.036 against
// 2·1·2.09816/3.09816 = 1.354. All by hand.
func TestCriteriaCut(t *testing.T) {
	labels, values := strings.Repeat("a", 12)+strings.Repeat("a", 6)+"bb", make([]float64, 20)
	for i := range values {
		switch {
		case i == 19:
			values[i] = 3
		case i >= 12:
			values[i] = 2
		default:
			values[i] = 1
		}
	}
	frame := numbers(labels, values...)
	for _, tc := range []struct {
		cfg  Config
		want float64
	}{
		{Config{}, 2.5},
		{Config{Criterion: Hellinger}, 1.5},
		{Config{Criterion: Pragma, Slopes: priority}, 1.5},
		{Config{Criterion: Pragma, Slopes: []Slope{{3, 3}, {20, 20}}}, 2.5}, // Gini itself
	} {
		tc.cfg.Trees, tc.cfg.NoReplacement, tc.cfg.Fraction = 1, true, 1
		f, _ := mustGrow(t, frame, tc.cfg)
		if got := f.Tree(0).Node(0).Threshold; got != tc.want {
			t.Errorf("%s cuts at %v, want %v", changed(tc.cfg), got, tc.want)
		}
	}
}

// Where recall and precision count the same in each of two classes, the criterion Pragma is Gini.
func TestPragmaIsGini(t *testing.T) {
	for seed := range uint64(20) {
		frame := learnable(400, seed)
		cfg := Config{Trees: 3, Seed: seed, MinLeaf: 5}
		gini, oob := mustGrow(t, frame, cfg)
		cfg.Criterion, cfg.Slopes = Pragma, []Slope{{1, 1}, {7, 7}}
		pragma, votes := mustGrow(t, frame, cfg)
		if !sameForest(t, gini, pragma, nil) || !sameGains(t, gini, pragma) || !slices.Equal(oob.Counts, votes.Counts) {
			t.Fatalf("seed %d", seed)
		}
	}
}

// Of two classes Hellinger does not ask how rare one is: of its rows four each make the same splits. Gini's differ.
func TestHellingerIgnoresShares(t *testing.T) {
	differ := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 71))
		frame := &dataset.Frame{Classes: []string{"a", "b"}}
		for i := range 60 {
			frame.Truth = append(frame.Truth, min(1, i%5))
		}
		for j := range 3 {
			column := dataset.Column{Field: dataset.Field{Name: strconv.Itoa(j)}}
			for i := range 60 {
				column.Values = append(column.Values, math.Round(10*(rng.Float64()+0.2*float64(frame.Truth[i]))))
			}
			frame.Columns = append(frame.Columns, column)
		}
		// what leaves say of equal rows, and where nothing is missing
		blank := func(n *Node) { n.Class, n.MissingLeft = 0, false }
		for _, criterion := range []Criterion{Hellinger, Gini} {
			cfg := allRows
			cfg.Mtry, cfg.Criterion, cfg.MaxDepth = 3, criterion, 3
			once, _ := mustGrow(t, frame, cfg)
			cfg.ClassWeight = []float64{4, 1}
			often, _ := mustGrow(t, frame, cfg)
			a, b := walkNodes(once.Tree(0).Node), walkNodes(often.Tree(0).Node)
			same := len(a) == len(b)
			for i := 0; same && i < len(a); i++ {
				blank(&a[i])
				blank(&b[i])
				same = sameNode(a[i], b[i])
			}
			switch {
			case criterion == Gini && !same:
				differ++
			case criterion == Hellinger && !same:
				t.Fatalf("seed %d: the splits differ", seed)
			}
		}
	}
	if differ == 0 {
		t.Error("Gini's splits never differ, so this shows nothing")
	}
}

// No split raises an impurity, and one that leaves the shares as they are gains nothing.
func TestImpuritiesAreConcave(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 72))
	for range 20_000 {
		k := 2 + rng.IntN(6)
		left, right, total, classes := make([]float64, k), make([]float64, k), make([]float64, k), make([]int32, k)
		p, even := make(prices, k), rng.IntN(5) == 0
		wl, wr := 0.0, 0.0
		for c := range k {
			classes[c], p[c] = int32(c), rng.Float64()
			left[c], right[c] = float64(rng.IntN(20)), float64(rng.IntN(20))
			if even {
				right[c] = 3 * left[c]
			}
			total[c] = left[c] + right[c]
			wl, wr = wl+left[c], wr+right[c]
		}
		for name, m := range map[string]impurity{"entropy": &entropy{k: 2}, "hellinger": hellinger{}, "pragma": p} {
			if wl == 0 || wr == 0 {
				continue
			}
			gain := m.score(left, wl, classes) + m.score(right, wr, classes) - m.score(total, wl+wr, classes)
			if gain < -1e-9 || even && gain > 1e-9 {
				t.Fatalf("%s: %v and %v gain %v", name, left, right, gain)
			}
		}
	}
}

func TestPreferenceErrors(t *testing.T) {
	for _, tc := range []struct {
		cfg  Config
		text string
	}{
		{Config{Criterion: Pragma}, "the criterion pragma has 0 slopes for 2 classes; give one for each"},
		{Config{Criterion: Pragma, Slopes: priority[:1]}, "1 slopes for 2 classes"},
		{Config{Slopes: priority}, "slopes are for the criterion pragma, and it is gini; leave them out"},
		{Config{Criterion: Pragma, Slopes: []Slope{{1, 1}, {-1, 1}}}, "slope {-1 1}; its numbers are finite and 0 or more"},
		{Config{Criterion: Pragma, Slopes: []Slope{{1, math.Inf(1)}, {1, 1}}}, "slope {1 +Inf}"},
		{Config{Criterion: Pragma, Slopes: []Slope{{1, 1}, {math.NaN(), 1}}}, "slope {NaN 1}"},
		{Config{Criterion: Pragma, Slopes: []Slope{{}, {}}}, "all slopes are 0; at least one class must count"},
	} {
		if _, _, err := Grow(context.Background(), learnable(50, 1), tc.cfg); !errors.Is(err, ErrConfig) ||
			!strings.Contains(err.Error(), tc.text) {
			t.Errorf("error %v, want %q", err, tc.text)
		}
	}
}

// What a feature gains is at most ln k times the weight of the root under Entropy, 1-1/k under
// Gini and Pragma, √(k-1) under Hellinger; a forest that reaches it is read back. Five classes are told apart by one
// feature: by hand ln 5, 4/5, 2.
func TestLargestGains(t *testing.T) {
	for criterion, want := range map[Criterion]float64{Gini: 0.8, Entropy: math.Log(5), Hellinger: 2, Pragma: 0.8} {
		cfg := allRows
		if cfg.Criterion = criterion; criterion == Pragma {
			cfg.Slopes = slices.Repeat([]Slope{{1, 1}}, 5)
		}
		f, _ := mustGrow(t, numbers("abcde", 1, 2, 3, 4, 5), cfg)
		if got := float64(f.gain[0]) / gainUnit; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: gained %v, want %v", criterion, got, want)
		}
		if _, err := decode(encoded(t, f), f.Schema, f.Classes, f.Share, f.Ties); err != nil {
			t.Errorf("%s: %v", criterion, err)
		}
	}
}

// Of a hundred classes Hellinger gains √99, more than the 7 bits of the entropy.
func TestLargestGainOfManyClasses(t *testing.T) {
	frame := &dataset.Frame{Classes: levelNames(100), Truth: upTo(100),
		Columns: []dataset.Column{{Field: dataset.Field{Name: "x"}}}}
	for c := range frame.Truth {
		frame.Columns[0].Values = append(frame.Columns[0].Values, float64(c))
	}
	cfg := allRows
	cfg.Criterion = Hellinger
	f, _ := mustGrow(t, frame, cfg)
	if got := float64(f.gain[0]) / gainUnit; math.Abs(got-math.Sqrt(99)) > 1e-9 {
		t.Errorf("gained %v, want √99", got)
	}
	if _, err := decode(encoded(t, f), f.Schema, f.Classes, f.Share, f.Ties); err != nil {
		t.Error(err)
	}
}

// Of whole weights w·ln w is rounded, by half of 2^-51 of that of the tree at most, and sums of it are exact: in any
// order they are the same. By hand: a side of one row of each of two classes has -2·ln 2.
func TestEntropySumsAreExact(t *testing.T) {
	race.SkipFigures(t)
	rng := rand.New(rand.NewPCG(3, 70))
	totals := make([]float64, 2000)
	for i := range totals {
		totals[i] = math.Floor(math.Exp2(1 + 40*rng.Float64()))
	}
	slices.Sort(totals) // a table is kept while the rounding stays, as from tree to tree
	e := &entropy{k: 40}
	for _, total := range totals {
		e.fit(total)
		var parts []float64
		for rest := total; rest > 0 && len(parts) < 40; {
			w := 1 + math.Floor(rest*rng.Float64()*rng.Float64())
			if got, want := e.f(w), w*math.Log(w); math.Abs(got-want) > math.Ldexp(max(1, total*math.Log(total)), -50) {
				t.Fatalf("%v·ln of it is %v, rounded %v, in a tree of %v", w, want, got, total)
			}
			parts, rest = append(parts, e.f(w)), rest-w
		}
		parts = append(parts, -e.f(total))
		forth, back := 0.0, 0.0
		for i := range parts {
			forth, back = forth+parts[i], back+parts[len(parts)-1-i]
		}
		if forth != back {
			t.Fatalf("tree of %v: sum %v forth, %v back", total, forth, back)
		}
	}
	e = &entropy{k: 2}
	e.fit(2)
	if got := e.score([]float64{1, 1}, 2, []int32{0, 1}); math.Abs(got+2*math.Ln2) > 1e-15 {
		t.Errorf("a row of each scores %v, want %v", got, -2*math.Ln2)
	}
}
