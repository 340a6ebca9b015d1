package tables_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// drawn returns out-of-bag votes of so many trees and, for as many other rows alike, the votes of all trees. A
// row of class c has the probability prob(c) of a vote for class 1, and is out of bag in 0.37 of the trees.
func drawn(rng *rand.Rand, rows [2]int, trees int, prob func(c int) float64) (oob, new *vote.Table) {
	oob = &vote.Table{Classes: []string{"common", "rare"}, Share: []float64{0.9, 0.1}, Source: vote.OOB, Trees: trees}
	new = &vote.Table{Classes: oob.Classes, Share: oob.Share, Source: vote.Holdout, Trees: trees}
	for c, n := range rows {
		for range n {
			for _, t := range []*vote.Table{oob, new} {
				p, votes := prob(c), [2]uint32{}
				for range trees {
					if t == new || rng.Float64() < 0.37 {
						if rng.Float64() < p {
							votes[1]++
						} else {
							votes[0]++
						}
					}
				}
				t.Truth, t.Counts = append(t.Truth, c), append(t.Counts, votes[:]...)
			}
		}
	}
	return oob, new
}

// beyond returns the share of the rows of a class that have at least so many hundredths of a percent of the
// votes for class 1.
func beyond(t *vote.Table, class int, share float64) float64 {
	hits, all := 0.0, 0.0
	for i, votes := range t.Judged() {
		if t.Truth[i] == class {
			all += t.WeightOf(i)
			if float64(votes[1]) >= share*float64(vote.Total(votes)) {
				hits += t.WeightOf(i)
			}
		}
	}
	return hits / all
}

// Rows that have few votes for the rare class are what corners depend on. The share of new rows beyond a cut is
// known here, as they are drawn in the same way.
func TestPredictiveIsLikeNewRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const trees = 500
	skewed := func(c int) float64 { // most rows of either class have next to no votes for the rare one
		return math.Exp(-4.5 + float64(c) + rng.NormFloat64())
	}
	oob, new := drawn(rng, [2]int{8000, 2000}, trees, skewed)
	carried := tables.Predictive(oob)
	for class := range 2 {
		for _, votes := range []float64{1, 2, 3, 5, 8, 12, 20, 40} {
			want := beyond(new, class, votes/trees)
			was, got := beyond(oob, class, votes/trees), beyond(carried, class, votes/trees)
			n := []float64{8000, 2000}[class]
			// of the difference of two samples, one standard error is 1.4 of one
			error := 2 * math.Sqrt(max(want*(1-want), 0.001)/n)
			if math.Abs(got-want) > error+0.02 {
				t.Errorf("class %d, %g votes: %.4f of the rows beyond, want %.4f of new rows (out of bag %.4f)", class, votes, got,
					want, was)
			}
			if votes == 2 && math.Abs(was-want) < 2*math.Abs(got-want) {
				t.Errorf("class %d, %g votes: %.4f is no nearer to %.4f than out of bag, %.4f", class, votes, got, want, was)
			}
		}
	}
}

func TestPredictiveKeepsRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		k := 2 + rng.IntN(4)
		table := random(rng, rng.IntN(60), k, 1+rng.IntN(40))
		if round%3 == 0 {
			table.Amount = make([]float64, table.Rows())
			for i := range table.Amount {
				table.Amount[i] = float64(rng.IntN(3))
			}
		}
		got := tables.Predictive(table)
		if err := got.Check(); err != nil {
			t.Fatal(err)
		}
		if tables.Stands(got) != tables.Stands(table) || got.Unvoted() != table.Unvoted() {
			t.Fatalf("stands for %d rows, %d unvoted; want %d, %d", tables.Stands(got), got.Unvoted(), tables.Stands(table),
				table.Unvoted())
		}
		a, b := table.Confuse(nil), got.Confuse(nil)
		for c := range k {
			if a.True(c) != b.True(c) {
				t.Fatalf("class %d weighs %v, want %v", c, b.True(c), a.True(c))
			}
		}
		for i, votes := range got.Judged() {
			if got.WeightOf(i) > 0 && vote.Total(votes) != uint64(got.Trees) {
				t.Fatalf("row %d has votes %v, want %d in all", i, votes, got.Trees)
			}
		}
		if diff := cmp.Diff(tables.MeanAmounts(table), tables.MeanAmounts(got)); round%3 == 0 && diff != "" {
			t.Fatal("mean amounts:", diff)
		}
		if tables.Predictive(got) != got {
			t.Fatal("a table of all votes is not returned as it is")
		}
	}
}

// Neither the order of rows nor that of classes changes what is returned, but for the order of the classes.
func TestPredictiveLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		k := 2 + rng.IntN(3)
		table := random(rng, 1+rng.IntN(80), k, 1+rng.IntN(60))
		want := tables.Predictive(table).Condense()

		rows := rng.Perm(table.Rows())
		if diff := cmp.Diff(want, tables.Predictive(take(table, rows)).Condense()); diff != "" {
			t.Fatalf("%d classes, rows in another order: %s", k, diff)
		}

		to := rng.Perm(k) // by class: its index in the other order
		other := &vote.Table{Classes: make([]string, k), Share: make([]float64, k), Source: table.Source, Trees: table.Trees,
			Weight: table.Weight, Counts: make([]uint32, len(table.Counts))}
		for c, name := range table.Classes {
			other.Classes[to[c]], other.Share[to[c]] = name, table.Share[c]
		}
		for i, truth := range table.Truth {
			for c, v := range table.Votes(i) {
				other.Counts[i*k+to[c]] = v
			}
			if truth >= 0 {
				truth = to[truth]
			}
			other.Truth = append(other.Truth, truth)
		}
		other = tables.Predictive(other).Condense()
		back := &vote.Table{Classes: want.Classes, Share: want.Share, Source: want.Source, Trees: want.Trees,
			Weight: other.Weight, Times: other.Times, Counts: make([]uint32, len(other.Counts))}
		for i, truth := range other.Truth {
			for c := range k {
				back.Counts[i*k+c] = other.Votes(i)[to[c]]
			}
			if truth >= 0 {
				truth = slices.Index(to, truth)
			}
			back.Truth = append(back.Truth, truth)
		}
		if diff := cmp.Diff(want, back.Condense()); diff != "" {
			t.Fatalf("%d classes in another order: %s", k, diff)
		}
	}
}

func TestPredictiveOfOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	table := random(rng, 20, 3, 30)
	for _, source := range []vote.Source{vote.CV, vote.Holdout, vote.External, vote.Forward, vote.Train} {
		table.Source = source
		if tables.Predictive(table) != table {
			t.Errorf("%s votes are not returned as they are", source)
		}
	}
	table.Source, table.Soft = vote.OOB, true
	if tables.Predictive(table) != table {
		t.Error("soft votes are not returned as they are")
	}
}

// No tree can vote for classes that no row of the training is of, however many trees there are. Nothing but names
// tells such classes apart, and so votes by chance for one of them would follow these.
func TestPredictiveOfAbsentClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	table := &vote.Table{Classes: []string{"a", "b", "c", "d"}, Share: []float64{0.5, 0, 0.5, 0}, Source: vote.OOB,
		Trees: 50}
	for i := range 200 {
		truth, votes := 2*(i%2), uint32(rng.IntN(16))
		table.Truth = append(table.Truth, truth)
		counts := make([]uint32, 4)
		counts[truth], counts[2-truth] = 18, votes
		table.Counts = append(table.Counts, counts...)
	}
	got := tables.Predictive(table)
	for i := range got.Truth {
		if votes := got.Votes(i); votes[1] > 0 || votes[3] > 0 || vote.Total(votes) != 50 {
			t.Fatalf("votes %v of 50 trees", votes)
		}
	}
}

// random are votes of n rows that say nothing.
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

// take returns some rows.
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
