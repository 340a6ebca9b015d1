package vote_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/vote"
)

var north, women = vote.Slice{Column: "region", Value: "north"}, vote.Slice{Column: "sex", Value: "f"}

// sliced returns a table whose rows are in other slices.
func sliced(t *vote.Table, slices []vote.Slice, in []uint64) *vote.Table {
	out := *t
	out.Slices, out.In = slices, in
	return &out
}

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
		bare := sliced(whole.Take(rows), nil, nil)
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
	if m := sliced(whole, nil, nil).Confuse(nil); m.Slice(north) != nil || m.Slice(vote.Slice{}) != m {
		t.Error("a table without slices counts some")
	}
}

// A row that moves, moves in its slices alone.
func TestMoveIn(t *testing.T) {
	m := vote.NewConfusion([]string{"a", "b"}, north, women)
	m.AddIn(0, 0, 2, 0b01)
	m.AddIn(1, 0, 1, 0b11)
	m.MoveIn(0, 0, 1, 2, 0b01)
	other := vote.NewConfusion(m.Classes, women)
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
	many := slices.Repeat([]vote.Slice{north}, 65)
	for name, tc := range map[string]struct {
		of   *vote.Table
		want error
	}{
		"a row lacks":      {sliced(fine, fine.Slices, fine.In[:2]), vote.ErrShape},
		"no rows":          {sliced(fine, fine.Slices, nil), vote.ErrShape},
		"too many":         {sliced(fine, many, fine.In), vote.ErrShape},
		"no such slice":    {sliced(fine, fine.Slices[:1], []uint64{0, 2, 1}), vote.ErrValue},
		"rows of no slice": {sliced(fine, nil, []uint64{0, 2, 1}), vote.ErrValue},
	} {
		if err := tc.of.Check(); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A column of a table of votes may tell rows apart, and holds no votes then, named as ignored or not.
func TestReadCSVSlices(t *testing.T) {
	const text = "class,ill,well,region\nill,3,1,north\nwell,1,3, south \nwell,0,4,1.0\n"
	one := vote.Slice{Column: "region", Value: "1"}
	for _, ignore := range [][]string{nil, {"region"}} {
		got, err := vote.ReadCSV(strings.NewReader(text), "v.csv", vote.CSVOptions{Slices: []vote.Slice{north, one},
			Ignore: ignore})
		if err != nil || got.Check() != nil || !slices.Equal(got.In, []uint64{1, 0, 2}) || len(got.Classes) != 2 {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for want, s := range map[string]vote.Slice{
		`v.csv: column "region": unknown value "nort"; known are "1.0", "north", "south"; did you mean "north"?`: {
			Column: "region", Value: "nort"},
		`v.csv: unknown column "regio"; known are "class", "ill", "well", "region"; did you mean "region"?`: {
			Column: "regio", Value: "north"},
		`v.csv: column "class" is given two roles; name it once, as target, weight, amount, count, group, id or ignored`: {
			Column: "class", Value: "ill"},
	} {
		if _, err := vote.ReadCSV(strings.NewReader(text), "v.csv", vote.CSVOptions{Slices: []vote.Slice{s}}); err == nil ||
			err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
