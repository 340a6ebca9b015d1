package vote_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/vote"
)

var north, women = vote.Slice{Column: "region", Value: "north"}, vote.Slice{Column: "sex", Value: "f"}

// inSlices are votes of many equal rows in two slices.
func inSlices(rng *rand.Rand, n int) *vote.Table {
	t := &vote.Table{Classes: []string{"a", "b"}, Source: vote.CV, Trees: 3, Slices: []vote.Slice{north, women}}
	for range n {
		v := uint32(rng.IntN(4))
		t.Truth, t.Counts = append(t.Truth, rng.IntN(3)-1), append(t.Counts, v, 3-v)
		t.In = append(t.In, rng.Uint64N(4))
	}
	return t
}

// The matrix of a slice is that of its rows alone, also of a table that is compressed, appended to or taken from.
func TestSliceIsCounted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 73))
	whole := inSlices(rng, 200)
	all := make([]int, 200)
	for i := range all {
		all[i] = i
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	parts := &vote.Table{Classes: whole.Classes}
	for _, rows := range [][]int{nil, all[:70], all[70:]} {
		if err := parts.Append(whole.Take(rows)); err != nil {
			t.Fatal(err)
		}
	}
	for s, name := range whole.Slices {
		var rows []int
		for i, in := range whole.In {
			if in>>s&1 == 1 {
				rows = append(rows, i)
			}
		}
		bare := whole.Take(rows).Sliced(nil, nil)
		w := vote.Weights{1, 1.7}
		want := bare.Confuse(w).Rows()
		for form, table := range map[string]*vote.Table{"whole": whole, "compressed": whole.Compress(),
			"condensed": whole.Condense(), "parts": parts} {
			if err := table.Check(); err != nil {
				t.Fatal(form, err)
			}
			if diff := cmp.Diff(want, table.Confuse(w).Slice(name).Rows()); diff != "" {
				t.Errorf("%s, %v: %s", form, name, diff)
			}
		}
	}
	if n := whole.Compress().Rows(); n > 2*4*4 || n != len(whole.RowWeights()) {
		t.Errorf("%d rows of 32 kinds, with %d weights", n, len(whole.RowWeights()))
	}
	if m := whole.Sliced(nil, nil).Confuse(nil); m.Slice(north) != nil || m.Slices() != nil {
		t.Error("a table without slices counts some")
	}
}

// A row that moves, moves in its slices alone.
func TestMoveIn(t *testing.T) {
	m := vote.NewConfusion([]string{"a", "b"}).Slicing([]vote.Slice{north, women})
	m.AddIn(0, 0, 2, 0b01)
	m.AddIn(1, 0, 1, 0b11)
	m.MoveIn(0, 0, 1, 2, 0b01)
	other := vote.NewConfusion(m.Classes).Slicing([]vote.Slice{women})
	other.AddIn(1, 1, 5, 1)
	if err := m.Merge(other); err != nil {
		t.Fatal(err)
	}
	for of, want := range map[*vote.Confusion][][]float64{ // by hand
		m:              {{0, 2}, {1, 5}},
		m.Slice(north): {{0, 2}, {1, 0}},
		m.Slice(women): {{0, 0}, {1, 5}},
	} {
		if diff := cmp.Diff(want, of.Rows()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestSlicesChecked(t *testing.T) {
	fine := inSlices(rand.New(rand.NewPCG(2, 73)), 3)
	many := slices.Repeat([]vote.Slice{north}, vote.MostSlices+1)
	for name, tc := range map[string]struct {
		of   *vote.Table
		want error
	}{
		"a row lacks":      {fine.Sliced(fine.Slices, fine.In[:2]), vote.ErrShape},
		"no rows":          {fine.Sliced(fine.Slices, nil), vote.ErrShape},
		"too many":         {fine.Sliced(many, fine.In), vote.ErrShape},
		"no such slice":    {fine.Sliced(fine.Slices[:1], []uint64{0, 2, 1}), vote.ErrValue},
		"rows of no slice": {fine.Sliced(nil, []uint64{0, 2, 1}), vote.ErrValue},
	} {
		if err := tc.of.Check(); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
