package vote_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// random returns a table of n rows and k classes with at most trees votes a row; some rows
// have no votes, some no class, and some repeat others. Case weights are whole numbers.
func random(rng *rand.Rand, n, k, trees int) *vote.Table {
	t := &vote.Table{Source: vote.OOB, Trees: trees, Truth: []int{}, Counts: []uint32{}, Weight: []float64{}}
	for c := range k {
		t.Classes = append(t.Classes, string(rune('a'+c)))
		t.Share = append(t.Share, rng.Float64())
	}
	for range n {
		t.Truth = append(t.Truth, rng.IntN(k+1)-1)
		t.Weight = append(t.Weight, float64(rng.IntN(4)))
		t.Counts = append(t.Counts, make([]uint32, k)...)
		votes := t.Votes(t.Rows() - 1)
		for range rng.IntN(trees + 1) {
			votes[rng.IntN(k)]++
		}
	}
	return t
}

// randomWeights returns weights of which no two tie on small counts.
func randomWeights(rng *rand.Rand, k int) vote.Weights {
	w := make(vote.Weights, k)
	for c := range w {
		w[c] = math.Exp(4 * (rng.Float64() - 0.5))
	}
	return w
}

// cells returns the matrix as numbers, row by row, followed by both margins.
func cells(m *vote.Confusion) []float64 {
	var all []float64
	for i := range m.Classes {
		for j := range m.Classes {
			all = append(all, m.At(i, j))
		}
	}
	for c := range m.Classes {
		all = append(all, m.True(c), m.Predicted(c))
	}
	return append(all, m.Total())
}

// take returns the given rows of t.
func take(t *vote.Table, rows []int) *vote.Table {
	part := &vote.Table{Classes: t.Classes, Share: t.Share, Source: t.Source, Trees: t.Trees, Truth: []int{},
		Counts: []uint32{}, Weight: []float64{}}
	for _, i := range rows {
		part.Truth = append(part.Truth, t.Truth[i])
		part.Counts = append(part.Counts, t.Votes(i)...)
		part.Weight = append(part.Weight, t.WeightOf(i))
	}
	return part
}

func TestDecide(t *testing.T) {
	for _, tc := range []struct {
		name    string
		weights vote.Weights
		share   []float64
		ties    []int
		votes   []uint32
		want    int
	}{ // by hand
		{"majority", nil, nil, nil, []uint32{3, 7, 5}, 1},
		{"weights", vote.Weights{3, 1, 1}, nil, nil, []uint32{3, 7, 5}, 0},
		{"tie without shares: the first", nil, nil, nil, []uint32{1, 5, 5}, 1},
		{"tie: the larger share", nil, []float64{0.1, 0.2, 0.7}, nil, []uint32{1, 5, 5}, 2},
		{"tie of equal shares: the first", nil, []float64{0.2, 0.4, 0.4}, nil, []uint32{0, 5, 5}, 1},
		{"tie of equal shares: the first by ties", nil, []float64{0.2, 0.4, 0.4}, []int{2, 1, 0}, []uint32{0, 5, 5}, 2},
		{"weighted tie: the larger share", vote.Weights{2, 1, 1}, []float64{0.1, 0.2, 0.7}, nil, []uint32{3, 0, 6}, 2},
		{"no votes: the largest share", nil, []float64{0.1, 0.2, 0.7}, nil, []uint32{0, 0, 0}, 2},
		{"no votes, no shares: the first", vote.Weights{1, 2, 3}, nil, nil, []uint32{0, 0, 0}, 0},
		{"a class without votes never wins", vote.Weights{1e300, 1, 1}, nil, nil, []uint32{0, 1, 0}, 1},
		{"largest counts", nil, nil, nil, []uint32{math.MaxUint32 - 1, math.MaxUint32, 0}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := (&vote.Table{Classes: []string{"a", "b", "c"}, Share: tc.share, Ties: tc.ties}).Rule(tc.weights).Decide(
				tc.votes); got != tc.want {
				t.Errorf("Decide(%v) = %d, want %d", tc.votes, got, tc.want)
			}
		})
	}
}

func TestTieOrder(t *testing.T) {
	share := []float64{0.1, 0.4, 0.1, 0.4}
	if got, want := vote.TieOrder(share, nil), []int{1, 3, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("as listed %v, want %v", got, want)
	}
	got, want := vote.TieOrder(share, []int{7, 9, 5, 8}), []int{3, 1, 2, 0}
	if !slices.Equal(got, want) || !slices.Equal(vote.Ties(share, got), want) ||
		vote.Ties(share, []int{1, 3, 0, 2}) != nil {
		t.Errorf("by the first rows %v, want %v", got, want)
	}
}

func TestConfuse(t *testing.T) {
	table := &vote.Table{
		Classes: []string{"ill", "well"},
		Truth:   []int{0, 0, 1, 1, -1, 0},
		Counts:  []uint32{1, 9, 8, 2, 2, 8, 0, 10, 5, 5, 0, 0},
		Weight:  []float64{1, 2, 3, 4, 5, 6},
	}
	// By hand: the row without class and the one without votes are left out.
	for _, tc := range []struct {
		weights vote.Weights
		want    []float64 // cells, margins of ill, margins of well, total
	}{
		{nil, []float64{2, 1, 0, 7, 3, 2, 7, 8, 10}},
		{vote.Weights{5, 1}, []float64{2, 1, 3, 4, 3, 5, 7, 5, 10}},
		{vote.Weights{10, 1}, []float64{3, 0, 3, 4, 3, 6, 7, 4, 10}},
	} {
		if diff := cmp.Diff(tc.want, cells(table.Confuse(tc.weights))); diff != "" {
			t.Errorf("weights %v: (-want +got)\n%s", tc.weights, diff)
		}
	}
	if got := table.Unvoted(); got != 1 {
		t.Errorf("Unvoted = %d, want 1", got)
	}
	judged := 0
	for range table.Judged() {
		if judged++; judged == 2 {
			break // the iterator must stop
		}
	}
}

// TestCompress checks the laws of the histogram.
func TestCompress(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		k := 2 + rng.IntN(4)
		table := random(rng, rng.IntN(60), k, 1+rng.IntN(8))
		h := table.Compress()
		if err := h.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(h, h.Compress()); diff != "" {
			t.Fatalf("seed %d: not idempotent (-once +twice)\n%s", seed, diff)
		}
		if diff := cmp.Diff(h, take(table, rng.Perm(table.Rows())).Compress()); diff != "" {
			t.Fatalf("seed %d: the order of rows counts (-as is +shuffled)\n%s", seed, diff)
		}
		ranked := func(i int) (votes []uint32, truth int) {
			for _, c := range h.TieOrder() {
				votes = append(votes, h.Votes(i)[c])
			}
			return votes, slices.Index(h.TieOrder(), h.Truth[i])
		}
		for i := 1; i < h.Rows(); i++ {
			before, truth := ranked(i - 1)
			votes, next := ranked(i)
			if c := slices.Compare(before, votes); c > 0 || c == 0 && truth >= next {
				t.Fatalf("seed %d: rows %d and %d are not in order", seed, i-1, i)
			}
		}
		for range 5 {
			w := randomWeights(rng, k)
			if diff := cmp.Diff(cells(table.Confuse(w)), cells(h.Confuse(w))); diff != "" {
				t.Fatalf("seed %d, weights %v: (-table +histogram)\n%s", seed, w, diff)
			}
		}
	}
}

// Sums of weights such as 0.1 depend on their order, which must not come from the rows.
func TestCompressRealWeights(t *testing.T) {
	table := &vote.Table{Classes: []string{"a", "b"}}
	rng := rand.New(rand.NewPCG(3, 1))
	for range 50 {
		table.Truth = append(table.Truth, 1)
		table.Counts = append(table.Counts, 2, 3)
		table.Weight = append(table.Weight, rng.Float64())
	}
	want := table.Compress()
	if want.Rows() != 1 {
		t.Fatalf("%d rows, want 1", want.Rows())
	}
	for range 20 {
		if got := take(table, rng.Perm(50)).Compress(); got.Weight[0] != want.Weight[0] {
			t.Fatalf("weight %v, want %v to the bit", got.Weight[0], want.Weight[0])
		}
	}
}

func TestDuplicateIsWeightTwo(t *testing.T) {
	once := &vote.Table{Classes: []string{"a", "b"}, Truth: []int{0, 1}, Counts: []uint32{1, 2, 3, 4}, Weight: []float64{2,
		1}}
	twice := &vote.Table{Classes: []string{"a", "b"}, Truth: []int{0, 1, 0}, Counts: []uint32{1, 2, 3, 4, 1, 2}}
	weighed, counted := once.Compress(), twice.Compress()
	if tables.Stands(weighed) != 2 || tables.Stands(counted) != 3 {
		t.Errorf("they stand for %d and %d rows, want 2 and 3", tables.Stands(weighed), tables.Stands(counted))
	}
	weighed.Times = counted.Times
	if diff := cmp.Diff(weighed, counted); diff != "" {
		t.Errorf("(-weight 2 +two rows)\n%s", diff)
	}
	without := &vote.Table{Classes: []string{"a", "b"}, Truth: []int{1}, Counts: []uint32{3, 4}}
	once.Weight[0] = 0
	if diff := cmp.Diff(without.Compress(), once.Compress()); diff != "" {
		t.Errorf("(-no row +weight 0)\n%s", diff)
	}
}

func TestAppend(t *testing.T) {
	classes := []string{"a", "b"}
	plain := func() *vote.Table {
		return &vote.Table{Classes: classes, Truth: []int{0}, Counts: []uint32{1, 2}, Trees: 3, Source: vote.CV}
	}
	weighed := &vote.Table{Classes: classes, Truth: []int{1}, Counts: []uint32{3, 4}, Weight: []float64{5}, Trees: 7}
	both := plain()
	both.Append(weighed)
	want := &vote.Table{Classes: classes, Truth: []int{0, 1}, Counts: []uint32{1, 2, 3, 4}, Weight: []float64{1, 5},
		Trees: 7, Source: vote.CV}
	if diff := cmp.Diff(want, both); diff != "" {
		t.Errorf("plain + weighed: (-want +got)\n%s", diff)
	}
	staked := &vote.Table{Classes: classes, Truth: []int{1}, Counts: []uint32{3, 4}, Weight: []float64{700},
		Count: []float64{2}, Trees: 3}
	both = plain()
	both.Append(staked)
	both.Append(weighed)
	if diff := cmp.Diff([][]float64{{1, 700, 5}, {1, 2, 5}}, [][]float64{both.Weight, both.Count}); diff != "" {
		t.Errorf("plain + staked + weighed: weights and counts of rows (-want +got)\n%s", diff)
	}
	heavy := *weighed
	heavy.Append(staked)
	if diff := cmp.Diff([][]float64{{5, 700}, {5, 2}}, [][]float64{heavy.Weight, heavy.Count}); diff != "" {
		t.Errorf("weighed + staked: weights and counts of rows (-want +got)\n%s", diff)
	}
	paid, unpaid := plain(), plain()
	paid.Amount, paid.Group = []float64{9}, []int{4}
	both = &vote.Table{Classes: classes, Source: vote.CV}
	both.Append(paid)
	both.Append(paid)
	if diff := cmp.Diff([]float64{9, 9}, both.Amount) + cmp.Diff([]int{4, 4}, both.Group); diff != "" {
		t.Errorf("amounts and groups (-want +got)\n%s", diff)
	}
	both.Append(unpaid)
	unpaid.Append(paid)
	for name, table := range map[string]*vote.Table{"with + without": both, "without + with": unpaid} {
		if err := table.Check(); err != nil || table.Amount != nil || table.Group != nil {
			t.Errorf("%s: amounts %v, groups %v, error %v", name, table.Amount, table.Group, err)
		}
	}
	both = plain()
	both.Append(plain())
	if both.Weight != nil || both.Rows() != 2 || both.WeightOf(1) != 1 {
		t.Errorf("plain + plain: %+v, want two rows without weights", both)
	}
	both = plain()
	both.Trees = 500
	if both.Append(&vote.Table{Classes: classes}); both.Trees != 500 {
		t.Errorf("500 trees and a table of none: %d, want 500", both.Trees)
	}
	if len(weighed.Weight) != 1 || weighed.Weight[0] != 5 {
		t.Errorf("Append changed its argument: %+v", weighed)
	}
}

// Only the ratios of weights matter, and a power of two changes no rounding either.
func TestSoftTables(t *testing.T) {
	soft := &vote.Table{Classes: []string{"a", "b"}, Truth: []int{0, 0}, Counts: []uint32{700, 300, 700, 300},
		Source: vote.OOB, Soft: true, Trees: 1}
	if u, v := soft.Unit(), (&vote.Table{}).Unit(); u != vote.Unit || v != 1 {
		t.Errorf("units %v and %v, want 1000 and 1", u, v)
	}
	if h := soft.Compress(); !h.Soft || h.Rows() != 1 || h.Trees != 1 {
		t.Errorf("the histogram is %+v, want one row of soft votes", h)
	}
	empty := &vote.Table{Classes: soft.Classes}
	if empty.Append(soft); !empty.Soft || empty.Rows() != 2 {
		t.Errorf("an empty table with soft votes appended: %+v", empty)
	}
	whole := &vote.Table{Classes: soft.Classes, Truth: []int{1}, Counts: []uint32{1, 0}}
	if err := empty.Append(whole); !errors.Is(err, vote.ErrValue) || empty.Rows() != 2 {
		t.Errorf("whole votes appended to soft ones: %v, and %d rows", err, empty.Rows())
	}
}

func TestAdd(t *testing.T) {
	table := func() *vote.Table {
		return &vote.Table{Classes: []string{"a", "b"}, Truth: []int{0, 1}, Counts: []uint32{1, 2, 3, 4}, Weight: []float64{1,
			2}, Source: vote.OOB, Trees: 7}
	}
	sum := table()
	if err := sum.Add(&vote.Table{Classes: sum.Classes, Truth: sum.Truth, Counts: []uint32{10, 0, 0, 5},
		Weight: sum.Weight, Source: vote.OOB, Trees: 20}); err != nil {
		t.Fatal(err)
	}
	want := table()
	want.Counts, want.Trees = []uint32{11, 2, 3, 9}, 27
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, tc := range []struct {
		name   string
		change func(*vote.Table)
		want   string
	}{
		{"other classes", func(t *vote.Table) { t.Classes = []string{"a", "c"} },
			`lengths do not agree: votes for the classes ["a" "b"] and ["a" "c"] cannot be added; they must be of one forest`},
		{"other rows", func(t *vote.Table) { t.Truth = []int{1, 1} },
			"lengths do not agree: votes for other rows, or rows in another order, cannot be added"},
		{"fewer rows", func(t *vote.Table) { t.Truth, t.Counts, t.Weight = t.Truth[:1], t.Counts[:2], t.Weight[:1] },
			"lengths do not agree: votes for other rows, or rows in another order, cannot be added"},
		{"other weights", func(t *vote.Table) { t.Weight = nil },
			"lengths do not agree: votes for other rows, or rows in another order, cannot be added"},
		{"other counts of rows", func(t *vote.Table) { t.Count = []float64{1, 1} },
			"lengths do not agree: votes for other rows, or rows in another order, cannot be added"},
		{"soft", func(t *vote.Table) { t.Soft = true },
			"value out of range: votes of two kinds (soft and whole) cannot be added"},
		{"another source", func(t *vote.Table) { t.Source = vote.Train },
			"value out of range: votes of two kinds (oob and train) cannot be added"},
		{"too many", func(t *vote.Table) { t.Counts[2] = math.MaxUint32 },
			"value out of range: row 1 would have 4294967306 votes; a row can have at most 4294967295"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sum, other := table(), table()
			tc.change(other)
			if err := sum.Add(other); err == nil || err.Error() != tc.want {
				t.Errorf("error %v\nwant  %s", err, tc.want)
			}
			if diff := cmp.Diff(table(), sum); diff != "" {
				t.Errorf("the table has changed:\n%s", diff)
			}
		})
	}
}

func TestScalingWeights(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		k := 2 + rng.IntN(5)
		table := random(rng, 40, k, 9)
		w := randomWeights(rng, k)
		want := cells(table.Confuse(w))
		for _, factor := range []float64{0x1p-40, 2, 3, 0.7, 1e9} {
			scaled := slices.Clone(w)
			for c := range scaled {
				scaled[c] *= factor
			}
			if diff := cmp.Diff(want, cells(table.Confuse(scaled))); diff != "" {
				t.Fatalf("seed %d, factor %v: (-w +scaled)\n%s", seed, factor, diff)
			}
		}
		if diff := cmp.Diff(want, cells(table.Confuse(vote.Scaled(w, table.TieOrder()[0])))); diff != "" {
			t.Fatalf("seed %d, Scaled: (-w +scaled)\n%s", seed, diff)
		}
	}
}

func TestPriorAndScaled(t *testing.T) {
	for _, tc := range []struct {
		name  string
		share []float64
		want  vote.Weights
	}{ // by hand
		{"two classes", []float64{0.2, 0.8}, vote.Weights{4, 1}},
		{"a class without rows has the weight of the rarest", []float64{0, 0.75, 0.25}, vote.Weights{3, 1, 3}},
		{"the first of equally common classes has 1", []float64{0.5, 0.5}, vote.Weights{1, 1}},
		{"no rows at all", []float64{0, 0}, vote.Weights{1, 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := vote.Prior(tc.share)
			for c := range tc.want {
				if math.Abs(got[c]-tc.want[c]) > 1e-12 {
					t.Errorf("Prior = %v, want %v", got, tc.want)
				}
			}
		})
	}
	if got := vote.Scaled((vote.Weights{2, 4}), 0); got[0] != 1 || got[1] != 2 {
		t.Errorf("Scaled = %v, want [1 2]", got)
	}
	if got := vote.Scaled((vote.Weights{2, 4}), 1); got[0] != 0.5 || got[1] != 1 {
		t.Errorf("Scaled = %v, want [0.5 1]", got)
	}
}

// Merged classes have the sum of their votes, and what is merged stays as it is.
func TestMerge(t *testing.T) {
	one := &vote.Table{Classes: []string{"a", "b", "c"}, Truth: []int{2, 1, -1, 0}, Counts: []uint32{1, 2, 3, 4, 0, 5, 6,
		7, 0, 0, 0, 9}, Share: []float64{0.25, 0.25, 0.5}, Weight: []float64{1, 2, 3, 4}, Trees: 13}
	was := slices.Clone(one.Counts)
	got := one.Merge([]string{"z", "b", "z"})
	if !slices.Equal(got.Classes, []string{"b", "z"}) || !slices.Equal(got.Truth, []int{1, 0, -1, 1}) ||
		!slices.Equal(got.Counts, []uint32{2, 4, 0, 9, 7, 6, 0, 9}) ||
		!slices.Equal(got.Share, []float64{0.25, 0.75}) || !slices.Equal(got.Weight, one.Weight) || got.Trees != 13 ||
		got.Check() != nil {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(one.Counts, was) || !slices.Equal(one.Truth, []int{2, 1, -1, 0}) || !slices.Equal(one.Share,
		[]float64{0.25, 0.25, 0.5}) {
		t.Errorf("the table itself has changed: %+v", one)
	}
	if got := one.Merge(one.Classes); !slices.Equal(got.Counts, was) || !slices.Equal(got.Classes, one.Classes) {
		t.Errorf("%+v", got)
	}
}
