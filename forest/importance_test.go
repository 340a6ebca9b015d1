package forest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// slowPermutation is what PermutationVotes does for one feature, row by row: each row out of a
// bag votes with the cell of another one.
func slowPermutation(t *testing.T, f *Forest, train *dataset.Frame, c Config, feature, round int) (ordinary,
	permuted []uint32) {
	t.Helper()
	k := len(f.Classes)
	ordinary, permuted = make([]uint32, train.Rows()*k), make([]uint32, train.Rows()*k)
	x, y := make([]float64, len(train.Columns)), make([]float64, len(train.Columns))
	var rows []int
	for i := range train.Rows() {
		if train.WeightOf(i) > 0 {
			rows = append(rows, i)
		}
	}
	from := slices.Clone(rows)
	s := permutationStream(c.Seed, feature, round)
	for i := len(from) - 1; i > 0; i-- {
		j := s.below(i + 1)
		from[i], from[j] = from[j], from[i]
	}
	for tree := range f.trees {
		one := *f
		one.trees = f.trees[tree : tree+1]
		times, err := timesInBag(train, c, f.first+tree)
		if err != nil {
			t.Fatal(err)
		}
		for place, i := range rows {
			if times[i] > 0 {
				continue
			}
			train.Row(x, i)
			one.Vote(ordinary[i*k:(i+1)*k], x)
			train.Row(y, from[place])
			x[feature] = y[feature]
			one.Vote(permuted[i*k:(i+1)*k], x)
		}
		for i := range times {
			if train.WeightOf(i) == 0 {
				train.Row(x, i)
				one.Vote(ordinary[i*k:(i+1)*k], x)
				one.Vote(permuted[i*k:(i+1)*k], x)
			}
		}
	}
	return ordinary, permuted
}

// Against the slow way, for all kinds of features, votes and bags; the ordinary votes are those of Grow.
func TestPermutationVotes(t *testing.T) {
	weighted := noisy(300, 2)
	weighted.Weight = make([]float64, 300)
	for i := range weighted.Weight {
		weighted.Weight[i] = float64(i % 3)
	}
	for name, frame := range map[string]*dataset.Frame{
		"fraud": dataset.Fraud(400, 1), "three classes": dataset.Wave(200, 3, 1), "learnable": learnable(300, 1),
		"rows of weight 0": weighted,
	} {
		for _, c := range []Config{
			{}, {Soft: true, MinLeaf: 5}, {Bag: Poisson, Workers: 3}, {Bag: Stratified, NoReplacement: true},
			{Bag: Hash(100), RandomCuts: true, Soft: true, MaxDepth: 3},
		} {
			c.Trees, c.Seed = 12, 4
			f, oob := mustGrow(t, frame, c)
			called := 0
			err := f.PermutationVotes(context.Background(), frame, c, 1, func(feature int, ordinary,
				permuted *vote.Table) error {
				if feature != called {
					t.Fatalf("%s, %+v: feature %d comes as number %d", name, c, feature, called)
				}
				called++
				if !reflect.DeepEqual(ordinary, oob) {
					t.Fatalf("%s, %+v: the ordinary votes are not those of Grow", name, c)
				}
				slow, want := slowPermutation(t, f, frame, c, feature, 1)
				if !slices.Equal(slow, oob.Counts) {
					t.Fatalf("%s, %+v: the slow ordinary votes are not those of Grow", name, c)
				}
				if !slices.Equal(permuted.Counts, want) || permuted.Soft != c.Soft || permuted.Trees != 12 {
					t.Fatalf("%s, %+v: feature %d: other votes than in the slow way", name, c, feature)
				}
				return nil
			})
			if err != nil || called != len(frame.Columns) {
				t.Errorf("%s, %+v: %d features, %v", name, c, called, err)
			}
		}
	}
}

// The features may be taken in several goes, and the trees in parts.
func TestPermutationVotesInParts(t *testing.T) {
	frame, c := dataset.Fraud(300, 1), Config{Trees: 10, Seed: 2}
	f, _ := mustGrow(t, frame, c)
	votes := func(f *Forest, at int) (tables []*vote.Table) {
		t.Helper()
		err := f.PermutationVotes(context.Background(), frame, c, 0, func(_ int, _, permuted *vote.Table) error {
			tables = append(tables, permuted)
			return nil
		})
		if err != nil || len(tables) != at {
			t.Fatal(len(tables), err)
		}
		return tables
	}
	want := votes(f, 12)
	p, err := newPermuter(context.Background(), f, frame, c, 0)
	if err != nil {
		t.Fatal(err)
	}
	p.ordinary = make([]uint32, 600)
	for _, span := range [][2]int{{0, 5}, {5, 10}, {10, 12}} {
		p.from, p.changes = span[0], make([][]uint32, span[1]-span[0])
		p.cells = make([][]uint32, len(p.changes))
		for b := range p.changes {
			p.changes[b], p.cells[b] = make([]uint32, 600), p.permuted(p.from+b)
		}
		if err := p.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		for b, changes := range p.changes {
			for i := range changes {
				if p.ordinary[i]+changes[i] != want[p.from+b].Counts[i] {
					t.Fatalf("feature %d has other votes in several goes", p.from+b)
				}
			}
		}
	}
	first, _, err := GrowTrees(context.Background(), frame, c, 0, 4)
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := GrowTrees(context.Background(), frame, c, 4, 10)
	if err != nil {
		t.Fatal(err)
	}
	parts := votes(first, 12)
	for j, table := range votes(second, 12) {
		if err := table.Add(parts[j]); err != nil || !reflect.DeepEqual(table, want[j]) {
			t.Fatalf("feature %d: the parts have other votes than the whole (%v)", j, err)
		}
	}
}

func TestPermutationVotesErrors(t *testing.T) {
	frame, c := dataset.Fraud(200, 1), Config{Trees: 3, Seed: 2}
	f, _ := mustGrow(t, frame, c)
	stop := errors.New("enough")
	each := func(int, *vote.Table, *vote.Table) error { return stop }
	other, levels := c, dataset.Fraud(200, 1)
	other.Seed = 3
	levels.Classes = []string{"a", "b"}
	full := Config{Trees: 3, NoReplacement: true, Fraction: 1}
	whole, _ := mustGrow(t, frame, full)
	for _, tc := range []struct {
		name  string
		f     *Forest
		frame *dataset.Frame
		c     Config
		is    error
	}{
		{"of each", f, frame, c, stop},
		{"another seed", f, frame, other, ErrTrain},
		{"other rows", f, dataset.Fraud(201, 1), c, ErrTrain},
		{"other classes", f, levels, c, ErrTrain},
		{"bags of all rows", whole, frame, full, ErrConfig},
		{"no such bag", f, frame, Config{Bag: "sack"}, ErrConfig},
	} {
		if err := tc.f.PermutationVotes(context.Background(), tc.frame, tc.c, 0, each); !errors.Is(err, tc.is) {
			t.Errorf("%s: error %v, want %v", tc.name, err, tc.is)
		}
	}
}

// About so many rows are out of a bag as LeftOut says.
func TestLeftOut(t *testing.T) {
	frame := dataset.Fraud(2000, 1)
	rare := frame.ClassWeights()[0]
	for _, c := range []Config{
		{}, {Fraction: 0.3}, {NoReplacement: true}, {NoReplacement: true, Fraction: 0.9}, {NoReplacement: true, Fraction: 1},
		{Bag: Stratified},
		{Bag: Poisson}, {Bag: Poisson, Fraction: 0.25}, {Bag: Hash(500)}, {Bag: Hash(2000)}, {Bag: Hash(5000)},
		{Bag: Balanced}, {Bag: Balanced, NoReplacement: true, Fraction: 1},
	} {
		out, all := 0.0, 0.0
		for tree := range 50 {
			times, err := timesInBag(frame, c, tree)
			if err != nil {
				t.Fatal(err)
			}
			for i, n := range times {
				if c.Bag == Balanced && frame.Truth[i] != 0 {
					continue
				}
				if all++; n == 0 {
					out++
				}
			}
		}
		if want := c.LeftOut(2000); out/all < want-0.02 || out/all > want+0.02 || (want == 0) != (out == 0) {
			t.Errorf("%+v: %.3f of the rows are left out, want %.3f (%v rare)", c, out/all, want, rare)
		}
	}
}

func BenchmarkPermutationVotes(b *testing.B) {
	frame, c := dataset.Fraud(20000, 1), Config{Trees: 50, Seed: 1}
	f, _, err := Grow(context.Background(), frame, c)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		err := f.PermutationVotes(context.Background(), frame, c, 0, func(int, *vote.Table, *vote.Table) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
}
