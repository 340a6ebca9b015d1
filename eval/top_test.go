package eval

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// listedOf judges lists of the rows of f.
func listedOf(t *testing.T, f *dataset.Frame, lists ...TopList) []TopListFigures {
	t.Helper()
	c := config(t)
	c.Top = lists
	of := oracle{f.Classes, Shares(f), []float64{1, 3}}
	table, err := of.Votes(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	table.Group = f.Group
	r, err := Evaluate(t.Context(), table, of, c)
	if err != nil {
		t.Fatal(err)
	}
	return r.Top
}

// By hand: the rows of "yes" have 8, 6, 4 and 2 votes, those of "no" at most one 4, three 2. Of the two rows with 4
// votes the third place is for a half of each, of the four with 2 the places 5 and 6 are for a half. The
// probabilities are the tenths of the votes, and their sum is expected.
func TestTopByHand(t *testing.T) {
	for i, want := range []struct {
		list               TopList
		rows, hits, recall float64
		least, expected    float64
	}{
		{TopList{Class: 1, Rows: 2}, 2, 2, 0.5, 0.6, 1.4},
		{TopList{Class: 1, Rows: 3}, 3, 2.5, 0.625, 0.4, 1.8},
		{TopList{Class: 1, Rows: 4}, 4, 3, 0.75, 0.4, 2.2},
		{TopList{Class: 1, Rows: 6}, 6, 3.5, 0.875, 0.2, 2.6},
		{TopList{Class: 1, Share: 0.3}, 6, 3.5, 0.875, 0.2, 2.6},
		{TopList{Class: 1, Share: 0.01}, 1, 1, 0.25, 0.8, 0.8}, // a row at least
		{TopList{Class: 1, Share: 0.12}, 2, 2, 0.5, 0.6, 1.4},  // 2.4 rows
		{TopList{Class: 1, Rows: 20}, 20, 4, 1, 0, 3.6},
		{TopList{Class: 1, Rows: 1000}, 20, 4, 1, 0, 3.6}, // all there are
		{TopList{Class: 0, Rows: 1}, 1, 1, 1.0 / 16, 1, 1},
	} {
		got := listedOf(t, frame(), want.list)[0]
		share := []float64{16.0 / 20, 4.0 / 20}[want.list.Class]
		if !near(got.Rows, want.rows) || !near(got.Share, want.rows/20) || !near(got.Hits, want.hits) || !near(*got.Precision,
			want.hits/want.rows) ||
			!near(*got.Recall, want.recall) || !near(*got.Lift, want.hits/want.rows/share) || got.Least != want.least ||
			!near(*got.Expected, want.expected) || got.Class != frame().Classes[want.list.Class] {
			t.Errorf("%d: %+v: precision %v, recall %v, lift %v, expected %v", i, got, *got.Precision, *got.Recall, *got.Lift,
				*got.Expected)
		}
	}
}

// Rows that tie are told of where the list has no room for all of them.
func TestTopTellsTies(t *testing.T) {
	for length, want := range map[float64][2]float64{2: {}, 3: {2, 1}, 4: {}, 6: {4, 2}, 20: {}, 1000: {}} {
		if got := listedOf(t, frame(), TopList{Class: 1, Rows: length})[0]; got.Tied != want[0] || got.Places != want[1] {
			t.Errorf("of %v rows %v tie for %v places, want %v", length, got.Tied, got.Places, want)
		}
	}
}

// The figures are the means over all orders of the rows that tie. The slow reference goes through all orders of all
// rows, and leaves those that tie as they come.
func TestTopOfTies(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		f := &dataset.Frame{Classes: []string{"no", "yes"}, Columns: []dataset.Column{{Field: dataset.Field{Name: "votes"}}},
			Truth: []int{1, 0}}
		for range 4 {
			f.Truth = append(f.Truth, r.IntN(2))
		}
		for range f.Truth {
			f.Columns[0].Values = append(f.Columns[0].Values, float64(r.IntN(3)))
		}
		n := 1 + r.IntN(6)
		sum, orders := 0.0, 0
		permutations(len(f.Truth), func(order []int) {
			order = slices.Clone(order)
			slices.SortStableFunc(order, func(a, b int) int {
				return cmp.Compare(f.Columns[0].Values[b],
					f.Columns[0].Values[a])
			})
			for _, i := range order[:n] {
				sum += float64(f.Truth[i])
			}
			orders++
		})
		if got := listedOf(t, f, TopList{Class: 1, Rows: float64(n)})[0]; !near(got.Hits, sum/float64(orders)) ||
			!near(got.Rows, float64(n)) {
			t.Fatalf("%v of %v: %v hits among %d, want %v", f.Truth, f.Columns[0].Values, got.Hits, n, sum/float64(orders))
		}
	}
}

// permutations shows all orders of n numbers.
func permutations(n int, show func([]int)) {
	order := make([]int, 0, n)
	var extend func()
	extend = func() {
		if len(order) == n {
			show(order)
		}
		for i := range n {
			if !slices.Contains(order, i) {
				order = append(order, i)
				extend()
				order = order[:len(order)-1]
			}
		}
	}
	extend()
}

// A row of weight 2 is two rows on the list, and their unit does not matter. (An interval takes them for one row.)
func TestTopOfWeights(t *testing.T) {
	one, two := frame(), frame()
	for i := range one.Truth {
		one.Weight = append(one.Weight, float64(1+i%2))
		for range i % 2 {
			two.Columns[0].Values, two.Truth = append(two.Columns[0].Values, one.Columns[0].Values[i]), append(two.Truth,
				one.Truth[i])
		}
	}
	for _, rows := range []float64{1, 2, 3, 5, 8, 30} {
		a, b := listedOf(t, one, TopList{Class: 1, Rows: rows})[0], listedOf(t, two, TopList{Class: 1, Rows: rows})[0]
		if !near(a.Rows, b.Rows) || !near(a.Hits, b.Hits) || !near(*a.Recall, *b.Recall) || !near(*a.Lift, *b.Lift) ||
			a.Least != b.Least {
			t.Errorf("%v rows: %+v of weighed rows, %+v of as many", rows, a, b)
		}
	}
	for _, unit := range []float64{0x1p-700, 0x1p+800} {
		scaled := frame()
		for _, w := range one.Weight {
			scaled.Weight = append(scaled.Weight, w*unit)
		}
		for _, l := range []TopList{{Class: 1, Share: 0.1}, {Class: 1, Rows: 7}} {
			a := listedOf(t, one, l)[0]
			if l.Rows > 0 {
				l.Rows *= unit
			}
			b := listedOf(t, scaled, l)[0]
			if a.Hits*unit != b.Hits || *a.Recall != *b.Recall || *a.PrecisionInterval != *b.PrecisionInterval ||
				*a.RecallInterval != *b.RecallInterval {
				t.Errorf("unit %g: %+v, want %+v", unit, b, a)
			}
		}
	}
}

// Rows that are judged twice, or come twice as rows of one group, are no more rows: the figures and their intervals
// stay. (Of groups they are wider, as few groups do not say well how much they differ, and those of twice the rows
// by what is mixed in, half a hit.)
func TestTopOfRepeatsAndGroups(t *testing.T) {
	f, c := frame(), config(t)
	c.Top = []TopList{{Class: 1, Rows: 5}, {Class: 1, Share: 0.2}}
	c.Folds, c.Repeats = 4, 1
	once := crossValidated(t, f, c).Top
	c.Repeats = 3
	for i, got := range crossValidated(t, f, c).Top {
		want := once[i]
		if !near(got.Rows, want.Rows) || !near(got.Hits, want.Hits) || !near(got.Share, want.Share) || !near(*got.Recall,
			*want.Recall) ||
			!near(got.PrecisionInterval[0], want.PrecisionInterval[0]) || !near(got.RecallInterval[1], want.RecallInterval[1]) {
			t.Errorf("three times: %+v, once: %+v", got, want)
		}
	}
	grouped, twice := frame(), frame()
	twice.Columns[0].Values = slices.Repeat(twice.Columns[0].Values, 2)
	twice.Truth = slices.Repeat(twice.Truth, 2)
	for i := range twice.Truth {
		twice.Group = append(twice.Group, i%grouped.Rows())
	}
	grouped.Group = twice.Group[:grouped.Rows()]
	one, two := listedOf(t, grouped, TopList{Class: 1, Rows: 5})[0], listedOf(t, twice, TopList{Class: 1, Rows: 10})[0]
	if !near(2*one.Hits, two.Hits) || math.Abs(one.PrecisionInterval[0]-two.PrecisionInterval[0]) > 0.005 ||
		math.Abs(one.RecallInterval[0]-two.RecallInterval[0]) > 0.005 {
		t.Errorf("groups of two: %v, %v, of one: %v, %v", *two.PrecisionInterval, *two.RecallInterval, *one.PrecisionInterval,
			*one.RecallInterval)
	}
}

// The intervals hold 95 times of 100 what a list of that share would be worth among endlessly many rows. Wilson's
// for the number of the rows on the list, as if a threshold were given, hold the precision 83 to 88 times where the
// model is good and the list about as long as the class or longer, or where rows are alike.
func TestTopCoverage(t *testing.T) {
	const times, rows = 300, 2000
	for _, tc := range []struct {
		name  string
		rise  float64 // of the log odds of a row with the score
		share float64 // of the list
		alike int     // rows of a group, whose log odds differ together from what their scores say; 1 of none
		good  bool
	}{
		{"a list shorter than the class", 1.5, 0.01, 1, false},
		{"one about as long, of a good model", 6, 0.05, 1, true},
		{"one longer than the class, of a good model", 12, 0.08, 1, true},
		{"one much longer", 3, 0.2, 1, false},
		{"rows in 40 groups", 3, 0.1, 50, false},
		{"rows in 8 groups", 3, 0.1, 250, false},
		{"rows in 5 groups", 3, 0.1, 400, false},
	} {
		odds := func(score float64) float64 { return 1 / (1 + math.Exp(-(tc.rise*(score-2) + tc.rise/4))) }
		draw := func(rng *rand.Rand, n int) []candidate {
			all := make([]candidate, n)
			common := 0.0
			for i := range all {
				if i%tc.alike == 0 && tc.alike > 1 {
					common = rng.NormFloat64()
				}
				score := rng.NormFloat64()
				all[i] = candidate{prob: odds(score), weight: 1, times: 1, hit: rng.Float64() < odds(score+common/tc.rise*1.5),
					group: i / tc.alike}
			}
			return all
		}
		wanted := judgedList(t, draw(rand.New(rand.NewPCG(9, 9)), 1e5), tc.share, false)
		rng := rand.New(rand.NewPCG(1, 2))
		right, found, naive := 0, 0, 0
		for range times {
			got := judgedList(t, draw(rng, rows), tc.share, tc.alike > 1)
			holds := func(interval [2]float64, x float64) int {
				if interval[0] <= x && x <= interval[1] {
					return 1
				}
				return 0
			}
			right += holds(*got.PrecisionInterval, *wanted.Precision)
			low, high := calib.Wilson(got.Hits, got.Rows, calib.Z95)
			naive += holds([2]float64{low, high}, *wanted.Precision)
			if got.Recall != nil {
				found += holds(*got.RecallInterval, *wanted.Recall)
			}
		}
		t.Logf("%s: precision %.3f, recall %.3f: held %d and %d times of %d, without what moves the end %d", tc.name,
			*wanted.Precision, *wanted.Recall, right, found, times, naive)
		if right < 0.93*times || found < 0.93*times || tc.good && naive > 0.88*times {
			t.Errorf("%s: the precision is held %d times of %d, the recall %d", tc.name, right, times, found)
		}
	}
}

// judgedList judges a list of a share of the rows.
func judgedList(t *testing.T, rows []candidate, share float64, grouped bool) TopListFigures {
	t.Helper()
	r := &ranking{rows: rows, unit: 1, repeats: 1, grouped: grouped}
	r.sort()
	out, err := r.judge(TopList{Class: 0, Share: share}, "yes")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTopRefuses(t *testing.T) {
	for _, l := range []TopList{{Class: 2, Rows: 1}, {Class: -1, Rows: 1}, {Class: 1, Rows: 0}, {Class: 1, Rows: -1},
		{Class: 1, Rows: 1, Share: 0.5}, {Class: 1, Share: 1.5}, {Class: 1, Share: -0.1}, {Class: 1, Rows: math.NaN()},
		{Class: 1, Share: math.NaN()}} {
		c := config(t)
		c.Top = []TopList{l}
		if _, err := CrossValidate(t.Context(), frame(), learner(nil), c); !errors.Is(err, ErrConfig) {
			t.Errorf("%+v: error %v", l, err)
		}
	}
}

// Of a table of votes the lists are those of its rows, and so they are where alike rows are merged.
func TestTopOfTable(t *testing.T) {
	lists := []TopList{{Class: 1, Rows: 3}, {Class: 1, Share: 0.3}, {Class: 0, Rows: 7}, {Class: 1, Rows: 1000}}
	plain, weighed := frame(), frame()
	for i := range weighed.Truth {
		weighed.Weight = append(weighed.Weight, float64(1+weighed.Truth[i]))
	}
	for _, f := range []*dataset.Frame{plain, weighed} {
		table, err := (oracle{classes: f.Classes, share: Shares(f)}).Votes(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		want := listedOf(t, f, lists...)
		for name, of := range map[string]*vote.Table{"a row each": table, "merged": table.Condense()} {
			got, err := Top(of, lists)
			if err != nil {
				t.Fatal(err)
			}
			for i, g := range got {
				w := want[i]
				if !near(g.Rows, w.Rows) || !near(g.Hits, w.Hits) || !near(*g.Recall, *w.Recall) || !near(*g.Lift, *w.Lift) ||
					g.Class != w.Class ||
					!near(g.PrecisionInterval[0], w.PrecisionInterval[0]) || !near(g.RecallInterval[0], w.RecallInterval[0]) ||
					!near(g.RecallInterval[1], w.RecallInterval[1]) {
					t.Errorf("%s, list %d: %+v, %v, %v; want %+v, %v, %v", name, i, g, *g.PrecisionInterval, *g.RecallInterval, w,
						*w.PrecisionInterval, *w.RecallInterval)
				}
			}
		}
	}
	table, err := (oracle{classes: plain.Classes, share: Shares(plain)}).Votes(t.Context(), plain)
	if err != nil {
		t.Fatal(err)
	}
	table.Group = []int{1}
	if _, err := Top(table, lists); !errors.Is(err, ErrConfig) {
		t.Errorf("too few groups: %v", err)
	}
	table.Group = nil
	if _, err := Top(table, []TopList{{Class: 5, Rows: 1}}); !errors.Is(err, ErrConfig) {
		t.Errorf("no such class: %v", err)
	}
	if _, err := Top(&vote.Table{Classes: table.Classes}, lists); !errors.Is(err, ErrNoLabels) {
		t.Errorf("no rows: %v", err)
	}
}

// Several lists are judged together: each of its rows alone, and where these are alike as one list of all of them.
func TestTopPer(t *testing.T) {
	f, twice := frame(), frame()
	n := f.Rows()
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	twice = twice.Take(slices.Concat(all, all))
	twice.Truth[0] = -1 // it is not judged, and neither is its twin
	twice.Truth[n] = -1
	per := make([]int, 2*n)
	for i := range per {
		per[i] = 4 - 4*(i/n) // whatever the numbers
	}
	got := listedOf(t, twice, TopList{Class: 1, Rows: 3, Per: per}, TopList{Class: 1, Share: 0.25, Per: per})
	want := listedOf(t, twice, TopList{Class: 1, Rows: 6}, TopList{Class: 1, Share: 0.25})
	for i := range got {
		g, w := got[i], want[i]
		if g.Lists != 2 || w.Lists != 0 || !near(g.Rows, w.Rows) || !near(g.Hits, w.Hits) || !near(g.Share, w.Share) ||
			!near(g.Tied, w.Tied) || !near(g.Places, w.Places) || !near(*g.Expected, *w.Expected) ||
			!near(g.PrecisionInterval[0], w.PrecisionInterval[0]) || !near(g.RecallInterval[0], w.RecallInterval[0]) ||
			!near(g.RecallInterval[1], w.RecallInterval[1]) {
			t.Errorf("list %d: %+v, %v, %v; want %+v, %v, %v", i, g, *g.PrecisionInterval, *g.RecallInterval, w,
				*w.PrecisionInterval, *w.RecallInterval)
		}
	}

	var yes, no []int
	for i, c := range f.Truth {
		if c == 1 {
			yes = append(yes, i)
		} else {
			no = append(no, i)
		}
	}
	one := listedOf(t, f, TopList{Class: 1, Rows: 3, Per: f.Truth})[0] // a list of the rows of each class
	if one.Rows != 6 || one.Hits != 3 || *one.Precision != 0.5 || !near(*one.Recall, 3/float64(len(yes))) {
		t.Errorf("%+v: precision %v, recall %v; want 3 of %d and of %d rows", one, *one.Precision, *one.Recall, len(yes),
			len(no))
	}
	weightless := frame()
	for i := range weightless.Truth {
		weightless.Weight = append(weightless.Weight, float64(weightless.Truth[i]))
	}
	if one := listedOf(t, weightless, TopList{Class: 1, Rows: 3, Per: f.Truth})[0]; one.Rows != 3 || one.Lists != 1 ||
		*one.Precision != 1 {
		t.Errorf("rows that weigh nothing: %+v", one)
	}

	table, err := (oracle{classes: f.Classes, share: Shares(f)}).Votes(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Top(table, []TopList{{Class: 1, Rows: 1, Per: []int{0}}}); !errors.Is(err, ErrConfig) {
		t.Errorf("a list number of one row: %v", err)
	}
	if got, err := Top(table, []TopList{{Class: 1, Rows: 3, Per: f.Truth}}); err != nil || got[0].Rows != 6 ||
		got[0].Hits != 3 {
		t.Errorf("of a table: %+v, %v", got, err)
	}
	c := config(t)
	c.Top = []TopList{{Class: 1, Rows: 1, Per: []int{0}}}
	if _, err := Evaluate(t.Context(), table, oracle{f.Classes, Shares(f), []float64{1, 3}}, c); !errors.Is(err,
		ErrConfig) {
		t.Errorf("a list number of one row: %v", err)
	}
	c.Top[0].Per = f.Truth
	if _, err := CrossValidate(t.Context(), f, nil, c); !errors.Is(err, ErrConfig) {
		t.Errorf("in a cross-validation: %v", err)
	}
}
