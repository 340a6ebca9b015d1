package c45

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Golf is the example of Quinlan's book (1993, section 2.1), also known as the weather: whether to play.
const golf = `outlook,temperature,humidity,windy,class
sunny,75,70,true,play
sunny,80,90,true,stay
sunny,85,85,false,stay
sunny,72,95,false,stay
sunny,69,70,false,play
overcast,72,90,true,play
overcast,83,78,false,play
overcast,64,65,true,play
overcast,81,75,false,play
rain,71,80,true,stay
rain,65,70,true,stay
rain,75,80,false,play
rain,68,80,false,play
rain,70,96,false,play
`

// golfWithGap is the example of missing values of the book (chapter 3): the outlook of an overcast day is not known.
var golfWithGap = strings.Replace(golf, "overcast,72,90,true", ",72,90,true", 1)

func read(t *testing.T, text string, o dataset.Options) *dataset.Frame {
	t.Helper()
	o.Target = "class"
	frame, err := dataset.ReadCSV(strings.NewReader(text), "test.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

func grown(t *testing.T, frame *dataset.Frame) *Tree {
	t.Helper()
	tree, err := Grow(t.Context(), frame)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func votes(t *testing.T, tree *Tree, frame *dataset.Frame) *vote.Table {
	t.Helper()
	table, err := tree.Votes(t.Context(), frame)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// The tree of the book (section 2.1), and its size as J48 counts.
func TestGolf(t *testing.T) {
	const want = `outlook = overcast: play (4.0)
outlook = rain
|   windy = false: play (3.0)
|   windy = true: stay (2.0)
outlook = sunny
|   humidity <= 75: play (2.0)
|   humidity > 75: stay (3.0)
`
	tree := grown(t, read(t, golf, dataset.Options{}))
	if got := tree.String(); got != want {
		t.Errorf("the tree is\n%swant\n%s", got, want)
	}
	if tree.Size() != 8 || tree.Leaves() != 5 {
		t.Errorf("%d nodes and %d leaves, want 8 and 5", tree.Size(), tree.Leaves())
	}
}

// Humidity in words, high above 80: 8 nodes and 5 leaves too, as of the nominal weather that comes with Weka.
func TestGolfInWords(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(golf), "\n")
	for i, line := range lines[1:] {
		cells := strings.Split(line, ",")
		cells[1] = map[bool]string{true: "warm", false: "cool"}[cells[1] > "70"]
		cells[2] = map[bool]string{true: "high", false: "normal"}[cells[2] > "80"]
		lines[i+1] = strings.Join(cells, ",")
	}
	tree := grown(t, read(t, strings.Join(lines, "\n"), dataset.Options{}))
	if got := tree.String(); tree.Size() != 8 || tree.Leaves() != 5 || !strings.Contains(got, "|   humidity = high: stay (3.0)\n|   humidity = normal: play (2.0)") {
		t.Errorf("%d nodes and %d leaves, want 8 and 5:\n%s", tree.Size(), tree.Leaves(), got)
	}
}

// What splits are worth, by hand, the first three also in the book (sections 2.2 and 3.2).
func TestWorth(t *testing.T) {
	whole, gap := read(t, golf, dataset.Options{}), read(t, golfWithGap, dataset.Options{})
	const outlook, humidity, windy = 0, 2, 3
	for _, tc := range []struct {
		name        string
		frame       *dataset.Frame
		column      int
		rows        int // the first so many
		gain, ratio float64
	}{
		{"outlook: 0.940 - 0.694, by 1.577", whole, outlook, 14, 0.2467, 0.1564},
		{"windy: 0.940 - 0.892, by 0.985", whole, windy, 14, 0.0481, 0.0488},
		{"outlook with a gap: 13/14 of 0.961 - 0.747, by 1.809", gap, outlook, 14, 0.1990, 0.1100},
		{"humidity on sunny days, one of two cuts: 0.971 - log2(2)/5, by 0.971", whole, humidity, 5, 0.7710, 0.7940},
	} {
		g := newGrower(t.Context(), tc.frame)
		search := g.numeric
		if tc.frame.Columns[tc.column].Kind == dataset.Categorical {
			search = g.categorical
		}
		s, ok := search(tc.column, g.all[:tc.rows], float64(tc.rows))
		if !ok || math.Abs(s.gain-tc.gain) > 5e-5 || math.Abs(s.ratio-tc.ratio) > 5e-5 {
			t.Errorf("%s: gain %.4f, ratio %.4f, allowed %v, want %v and %v", tc.name, s.gain, s.ratio, ok, tc.gain, tc.ratio)
		}
	}
	// By hand: the best cut of humidity, above 80, gains 0.102 bits, and to say which of the 6 it is costs log2(6)/14 = 0.185.
	g := newGrower(t.Context(), whole)
	if s, ok := g.numeric(humidity, g.all, 14); ok {
		t.Errorf("humidity gains %v over all days, want nothing", s.gain)
	}
}

// A humid leaf has 3 days and 5/13 of the one of unknown outlook, 3.4 of them in the book (section 3.3).
func TestMissing(t *testing.T) {
	frame := read(t, golfWithGap, dataset.Options{})
	tree := grown(t, frame)
	if got, want := tree.String(), "|   humidity > 75: stay (3.38/0.38)\n"; !strings.Contains(got, want) {
		t.Errorf("the tree is\n%swithout %q", got, want)
	}
	day := read(t, "outlook,temperature,humidity,windy,class\nsunny,70,,false,play\n", dataset.Options{Schema: frame.Schema(), Classes: frame.Classes})
	p := make([]float64, 2)
	tree.Probabilities(p, votes(t, tree, day).Votes(0))
	// 2/5.385 of the day are dry, where all play, and 3.385/5.385 humid, where 0.385/3.385 do: 2.385/5.385 = 0.44286, cut
	// to thousandths, and the rest goes to the class decided for. The book has 44 %.
	if p[0] != 0.442 || p[1] != 0.558 {
		t.Errorf("the probabilities are %v, want 0.442 and 0.558", p)
	}
}

// The errors of N rows, E of them wrong, are those of the book (section 4.2), where they are exact; its U(1, 16) = 0.157
// is of the binomial distribution, and Wilson's limit with z = 0.67449 is by hand 0.15473.
func TestPessimistic(t *testing.T) {
	for _, tc := range []struct{ n, e, want, within float64 }{
		{6, 0, 0.206, 5e-4},
		{9, 0, 0.143, 5e-4},
		{1, 0, 0.750, 5e-4},
		{16, 1, 0.15473, 5e-5},
		{16, 1, 0.157, 3e-3},
		{16, 0.5, (0.08300 + 0.15473) / 2, 5e-5}, // halfway: 1 - 0.25^(1/16) = 0.08300
		{4, 3.75, 1, 1e-12},                      // there are no more
		{0, 0, 0, 0},
	} {
		got := pessimistic([]float64{tc.n - tc.e, tc.e})
		if tc.e > tc.n/2 {
			got = tc.e + more(tc.n, tc.e)
		}
		if math.Abs(got-tc.n*tc.want) > max(tc.n, 1)*tc.within {
			t.Errorf("%v errors of %v rows are %v, want %v", tc.e, tc.n, got/tc.n, tc.want)
		}
	}
}

// What rounding leaves goes to the class that is decided for; ties are left to the rule of the table.
func TestThousandths(t *testing.T) {
	order := []int{1, 0, 2} // the class 1 is the most common
	for _, tc := range []struct {
		shares []float64
		want   []uint32
	}{
		{[]float64{0.5, 0.5, 0}, []uint32{500, 500, 0}},
		{[]float64{0.5 - 1e-12, 0.5 + 1e-12, 0}, []uint32{500, 500, 0}},
		{[]float64{0.50025, 0.49975, 0}, []uint32{501, 499, 0}},
		{[]float64{1. / 3, 1. / 3, 1. / 3}, []uint32{333, 334, 333}},
		{[]float64{1./3 + 1e-12, 1. / 3, 1. / 3}, []uint32{333, 334, 333}},
		{[]float64{0, 0, 1}, []uint32{0, 0, 1000}},
	} {
		got := make([]uint32, 3)
		if thousandths(got, tc.shares, order); !slices.Equal(got, tc.want) {
			t.Errorf("%v are the votes %v, want %v", tc.shares, got, tc.want)
		}
	}
}

// A level that no training row has is a leaf without rows, which answers as its parent; a level that
// the tree was not told of is a missing cell. By hand.
func TestEmptyBranch(t *testing.T) {
	all := read(t, "x,class\na,yes\na,yes\na,yes\nb,no\nb,no\nc,no\n", dataset.Options{})
	tree := grown(t, all.Take([]int{0, 1, 2, 3, 4}))
	if got, want := tree.String(), "x = a: yes (3.0)\nx = b: no (2.0)\nx = c: yes (0.0)\n"; got != want {
		t.Errorf("the tree is\n%swant\n%s", got, want)
	}
	news := read(t, "x,class\nc,no\nd,yes\n", dataset.Options{})
	if got := votes(t, tree, &dataset.Frame{Columns: news.Columns}).Counts; !slices.Equal(got, []uint32{400, 600, 400, 600}) {
		t.Errorf("the votes are %v, want 0.4 no and 0.6 yes twice", got)
	}
}

func TestLeaf(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		rows       []int
		want       string
	}{
		{"one class", "x,class\n1,a\n2,a\n3,a\n4,a\n5,b\n", []int{0, 1, 2, 3}, ": a (4.0)\n"},
		{"few rows", "x,class\n1,a\n2,b\n3,b\n", []int{0, 1, 2}, ": b (3.0/1.0)\n"},
		{"nothing to gain", "x,class\n1,a\n1,b\n1,a\n1,b\n1,a\n", []int{0, 1, 2, 3, 4}, ": a (5.0/2.0)\n"},
		{"no cell known", "x,class\n,a\n,b\n,b\n,a\n,b\n", []int{0, 1, 2, 3, 4}, ": b (5.0/2.0)\n"},
	} {
		tree := grown(t, read(t, tc.text, dataset.Options{}).Take(tc.rows))
		if got := tree.String(); got != tc.want || tree.Size() != 1 || tree.Leaves() != 1 {
			t.Errorf("%s: %q of %d nodes, want %q", tc.name, got, tree.Size(), tc.want)
		}
	}
}

// A cut is a number that occurs, also where the middle cannot be told from the upper number, or is too large to be.
func TestCut(t *testing.T) {
	for _, tc := range []struct {
		low, high float64
		want      string
	}{
		{1, 2, "x <= 1: a"},
		{1e300, math.Nextafter(1e300, 2e300), "x <= 1"},
		{math.Nextafter(1e300, 2e300), math.Nextafter(math.Nextafter(1e300, 2e300), 2e300), "x <= 1"},
		{-math.MaxFloat64, math.MaxFloat64, "x <= -1"},
	} {
		frame := &dataset.Frame{Classes: []string{"a", "b"}}
		x := dataset.Column{Field: dataset.Field{Name: "x"}}
		for range 8 {
			x.Values = append(x.Values, tc.low, tc.high)
			frame.Truth = append(frame.Truth, 0, 1)
		}
		frame.Columns = []dataset.Column{x}
		tree := grown(t, frame)
		if m := votes(t, tree, frame).Confuse(nil); tree.Size() != 3 || hits(m) != 16 || !strings.HasPrefix(tree.String(), tc.want) {
			t.Errorf("between %v and %v: %d of 16 right by\n%s", tc.low, tc.high, hits(m), tree)
		}
	}
}

// The cut is the largest number of all rows up to the middle, also where only rounding puts that number above it. By hand.
func TestLowered(t *testing.T) {
	g := newGrower(t.Context(), read(t, "x,class\n3,a\n0.1,b\n0.2,a\n0.25,b\n", dataset.Options{}))
	for _, tc := range []struct{ middle, want float64 }{{0.1, 0.1}, {0.15, 0.1}, {math.Nextafter(0.2, 0), 0.2}, {0.2, 0.2}, {1.6, 0.25}} {
		if got := g.lowered(0, tc.middle); got != tc.want {
			t.Errorf("the cut in the middle, %v, is lowered to %v, want %v", tc.middle, got, tc.want)
		}
	}
}

// Numbers that differ by less than 1e-5 are not cut apart. A side has at least a tenth of the rows that a class has on
// average: of 60 rows of two classes, 3. By hand.
func TestCutsAllowed(t *testing.T) {
	column := func(high float64, ones int) *dataset.Frame {
		frame := &dataset.Frame{Classes: []string{"a", "b"}, Columns: []dataset.Column{{Field: dataset.Field{Name: "x"}}}}
		for i := range 60 {
			v := 1.0
			if i < ones {
				v = high
			}
			frame.Columns[0].Values = append(frame.Columns[0].Values, v)
			frame.Truth = append(frame.Truth, map[bool]int{true: 1}[i < ones])
		}
		return frame
	}
	for _, tc := range []struct {
		high    float64
		ones    int
		allowed bool
	}{{2, 30, true}, {1 + 1.1e-5, 30, true}, {1 + 0.9e-5, 30, false}, {2, 3, true}, {2, 2, false}} {
		g := newGrower(t.Context(), column(tc.high, tc.ones))
		if s, ok := g.numeric(0, g.all, 60); ok != tc.allowed {
			t.Errorf("%d rows of %v: cut %+v, allowed %v, want %v", tc.ones, tc.high, s, ok, tc.allowed)
		}
	}
}

// Where all cells are missing, rows go to all kids alike, else by the shares of those that are known. By hand.
func TestPart(t *testing.T) {
	g := newGrower(t.Context(), read(t, "x,class\na,no\n,no\nb,yes\nb,yes\nc,yes\n", dataset.Options{}))
	n := &node{}
	if _, shares := g.part(n, g.all[1:2]); !slices.Equal(shares, []float64{1. / 3, 1. / 3, 1. / 3}) {
		t.Errorf("shares %v of one missing row", shares)
	}
	parts, shares := g.part(n, g.all[:4])
	if want := []float64{1. / 3, 2. / 3, 0}; !slices.Equal(shares, want) {
		t.Errorf("shares %v, want %v", shares, want)
	}
	want := [][]row{{{0, 1}, {1, 1. / 3}}, {{2, 1}, {3, 1}, {1, 2. / 3}}, nil}
	if !slices.EqualFunc(parts, want, slices.Equal[[]row]) {
		t.Errorf("parts %v, want %v", parts, want)
	}
}

// Only a subtree that decides more rows right than its root would stays. By hand.
func TestCollapse(t *testing.T) {
	leaf := func(a, b float64) *node { return &node{counts: []float64{a, b}} }
	useless := &node{counts: []float64{5, 3}, kids: []*node{leaf(3, 2), leaf(2, 1)}}
	useful := &node{counts: []float64{5, 3}, kids: []*node{leaf(4, 1), leaf(1, 2)}}
	root := &node{counts: []float64{10, 6}, kids: []*node{useless, useful}}
	collapse(root)
	if useless.kids != nil || len(useful.kids) != 2 || len(root.kids) != 2 {
		t.Errorf("%d, %d and %d kids, want none, 2 and 2", len(useless.kids), len(useful.kids), len(root.kids))
	}
}

// The same rows are the same tree, however they are given.
func TestLaws(t *testing.T) {
	frame := made(t)
	n := frame.Rows()
	want := grown(t, frame).String()
	for j := range frame.Columns {
		c := &frame.Columns[j]
		values := make([]float64, n)
		for i := range values {
			values[i] = c.At(i)
		}
		c.Codes, c.Values = nil, values
	}
	if got := grown(t, frame).String(); got != want {
		t.Errorf("columns that are not coded: another tree\n%s", got)
	}
	var twice, rows []int
	weight := make([]float64, n)
	for i := range n {
		rows = append(rows, i)
		if weight[i] = float64(1 + i%2); i%2 == 1 {
			twice = append(twice, i)
		}
	}
	heavy := frame.Take(rows)
	heavy.Weight = weight
	if got, want := grown(t, heavy).String(), grown(t, frame.Take(slices.Concat(rows, twice))).String(); got != want {
		t.Errorf("a row of weight 2 is not two rows:\n%s\n%s", got, want)
	}
	light := "x,class\n1,a\n1,a\n99,b\n99,b\n" // a cut gains 1 bit; were there 41 places for it, to say which would cost log2(41)/4 = 1.3
	for x := range 40 {
		light += fmt.Sprintf("%d,a\n", x+20)
	}
	part := read(t, light, dataset.Options{})
	part.Weight = make([]float64, part.Rows())
	copy(part.Weight, []float64{1, 1, 1, 1})
	if got, want := grown(t, part).String(), "x <= 1: a (2.0)\nx > 1: b (2.0)\n"; got != want {
		t.Errorf("rows without weight are places to cut:\n%swant\n%s", got, want)
	}
	part = frame.Take(rows)
	left := frame.Take(slices.DeleteFunc(slices.Clone(rows), func(i int) bool { return i%3 > 0 }))
	part.Weight = slices.Repeat([]float64{1}, n)
	for i := range n {
		switch i % 3 {
		case 1:
			part.Weight[i] = 0
		case 2:
			part.Truth[i] = -1
		}
	}
	if got, want := grown(t, part).String(), grown(t, left).String(); got != want {
		t.Errorf("rows without weight or class count:\n%s\n%s", got, want)
	}
}

// expiring ends after it was asked so many times whether it has.
type expiring struct {
	context.Context
	left int
}

func (e *expiring) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever the context ends, growing does: asked at every node and column, and at every node that is judged.
func TestCancelled(t *testing.T) {
	frame := made(t)
	patient := &expiring{t.Context(), math.MaxInt}
	tree, err := Grow(patient, frame)
	if err != nil {
		t.Fatal(err)
	}
	asked := math.MaxInt - patient.left
	if asked < 100 {
		t.Errorf("asked %d times", asked)
	}
	for left := 0; left < asked; left += 1 + asked/100 {
		if _, err := Grow(&expiring{t.Context(), left}, frame); !errors.Is(err, context.Canceled) {
			t.Fatalf("ended after %d of %d times: %v", left, asked, err)
		}
	}
	if _, err := tree.Votes(&expiring{t.Context(), 3}, frame); !errors.Is(err, context.Canceled) {
		t.Errorf("voting: %v", err)
	}
}

func TestRefused(t *testing.T) {
	frame := read(t, golf, dataset.Options{})
	tree := grown(t, frame)
	unlabelled := frame.Take([]int{0, 1})
	unlabelled.Truth = []int{-1, -1}
	if _, _, err := Learn(t.Context(), unlabelled, 1); err == nil || !strings.Contains(err.Error(), "add labelled rows") {
		t.Errorf("no labels: %v", err)
	}
	if _, err := Grow(t.Context(), &dataset.Frame{}); !errors.Is(err, dataset.ErrNoData) {
		t.Errorf("no columns: %v", err)
	}
	other := *frame
	other.Classes = []string{"go", "stay"}
	if _, err := tree.Votes(t.Context(), &other); err == nil || !strings.Contains(err.Error(), `["go" "stay"], those of the tree ["play" "stay"]; read the rows`) {
		t.Errorf("other classes: %v", err)
	}
	if _, err := tree.Votes(t.Context(), &dataset.Frame{Columns: frame.Columns[:2]}); !errors.Is(err, dataset.ErrShape) {
		t.Errorf("columns missing: %v", err)
	}
}

// In a cross-validation the accuracy is that of J48 in the same folds.
func TestCrossValidate(t *testing.T) {
	frame := made(t)
	foldOf := make([]int, frame.Rows())
	for i := range foldOf {
		foldOf[i] = i % folds
	}
	tree := grown(t, frame)
	report, err := eval.CrossValidate(t.Context(), frame, Learn, eval.Config{
		FoldOf: foldOf, Pragma: pragma.Accuracy, Raw: tree.Probabilities,
		Tune: func(context.Context, *vote.Table) (vote.Weights, func([]float64, []uint32), error) {
			return nil, tree.Probabilities, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, l := range linesOf(readJ48(t), "made") {
		if l.fold >= 0 {
			right += l.right
		}
	}
	want := float64(right) / float64(frame.Rows())
	for _, rule := range []eval.Rule{report.Rules.Plain, report.Rules.Tuned} {
		if got := fmt.Sprintf("%.6f", rule.Accuracy); got != fmt.Sprintf("%.6f", want) {
			t.Errorf("the accuracy is %s, that of J48 %.6f", got, want)
		}
	}
}
