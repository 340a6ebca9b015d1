package forest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/race"
)

// broad makes n rows of p columns, most of small whole numbers, every seventh of categories,
// some cells missing. The class of three is that of the first columns' sum.
func broad(n, p int, seed uint64) *dataset.Frame {
	rng := rand.New(rand.NewPCG(seed, 30))
	f := &dataset.Frame{Classes: []string{"a", "b", "c"}, Truth: make([]int, n)}
	for j := range p {
		c := dataset.Column{Field: dataset.Field{Name: fmt.Sprintf("c%d", j)}, Values: make([]float64, n)}
		if j%7 == 3 {
			c.Kind, c.Levels = dataset.Categorical, levelNames(9)
		}
		for i := range n {
			v := rng.IntN(9)
			if j < 12 {
				f.Truth[i] += v
			}
			if c.Values[i] = float64(v); rng.IntN(8) == 0 {
				c.Values[i] = math.NaN()
			}
		}
		f.Columns = append(f.Columns, c)
	}
	for i, sum := range f.Truth {
		f.Truth[i] = min(2, max(0, sum/3-min(p, 12)*4/3+1))
	}
	return f
}

// Around the number of columns up to which the ranks of a row are on the stack, of blocks of
// many rows and of few, of trees that fill the lanes and that do not.
var shapes = []struct{ columns, trees int }{{1, 1}, {5, 7}, {5, 8}, {5, 9}, {40, 30}, {254, 17}, {255, 16}, {256, 13},
	{300, 24}, {1100, 5}}

// A row alone, rows in batches of every size, raw, coded, permuted, by one worker and by three,
// and a plain walk through the nodes: all the same votes.
func TestVotesAgree(t *testing.T) {
	for _, shape := range shapes {
		for _, cfg := range []Config{{}, {Soft: true, MinLeaf: 8}} {
			t.Run(fmt.Sprintf("%d columns, %d trees, soft %v", shape.columns, shape.trees, cfg.Soft), func(t *testing.T) {
				t.Parallel()
				cfg.Trees, cfg.Seed, cfg.Workers = shape.trees, 7, 1
				f, _ := mustGrow(t, broad(150, shape.columns, 1), cfg)
				fresh := broad(70, shape.columns, 2)
				want := plainVotes(f, fresh)
				equalVotes(t, f, fresh, want)
				step := 1
				if testing.Short() || race.Enabled || shape.columns > 300 {
					step = 9
				}
				for n := 0; n <= 70; n += step {
					rows := upTo(n)
					for name, frame := range map[string]*dataset.Frame{"raw": fresh.Take(rows),
						"coded": codedFrame(fresh.Take(rows))} {
						for _, workers := range []int{1, 3} {
							checkVotes(t, f, frame, workers, want[:3*n], fmt.Sprintf("%d rows, %s, %d workers", n, name, workers))
						}
					}
				}
				rng := rand.New(rand.NewPCG(1, 31))
				rows, permuted := rng.Perm(70), []uint32{}
				for _, i := range rows {
					permuted = append(permuted, want[3*i:3*i+3]...)
				}
				other := fresh.Take(rows)
				rng.Shuffle(len(other.Columns), func(i, j int) {
					other.Columns[i], other.Columns[j] = other.Columns[j],
						other.Columns[i]
				})
				checkVotes(t, f, other, 2, permuted, "P404 rows and columns permuted")
			})
		}
	}
}

func plainVotes(f *Forest, frame *dataset.Frame) []uint32 {
	k := len(f.Classes)
	votes, x := make([]uint32, frame.Rows()*k), make([]float64, len(frame.Columns))
	for i := range frame.Rows() {
		frame.Row(x, i)
		for t := range f.Trees() {
			addVote(votes[i*k:i*k+k], f.Tree(t).leafOf(x))
		}
	}
	return votes
}

func checkVotes(t *testing.T, f *Forest, frame *dataset.Frame, workers int, want []uint32, name string) {
	t.Helper()
	table, err := f.Votes(context.Background(), frame, workers)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if !slices.Equal(table.Counts, want) || table.Trees != f.Trees() || !slices.Equal(table.Truth, frame.Truth) {
		t.Errorf("%s: other votes, trees or labels", name)
	}
}

// M319: a thousand goroutines ask one forest, row by row and in batches.
func TestManyAskAtOnce(t *testing.T) {
	for _, p := range []int{5, stackRanks + 1} {
		f, _ := mustGrow(t, broad(150, p, 1), Config{Trees: 11, Seed: 7, Soft: p == 5, MinLeaf: 5})
		fresh := broad(40, p, 2)
		want := plainVotes(f, fresh)
		var wg sync.WaitGroup
		for nr := range 1000 {
			wg.Go(func() {
				if nr%100 == 0 {
					checkVotes(t, f, fresh, 2, want, fmt.Sprintf("%d columns, goroutine %d", p, nr))
					return
				}
				x, votes := make([]float64, p), make([]uint32, 3)
				for at := range 3 {
					i := (nr + at) % 40
					clear(votes)
					fresh.Row(x, i)
					if f.Vote(votes, x); !slices.Equal(votes, want[3*i:3*i+3]) {
						t.Errorf("%d columns, goroutine %d, row %d: votes %v, want %v", p, nr, i, votes, want[3*i:3*i+3])
					}
				}
			})
		}
		wg.Wait()
	}
}

func TestVoteAllocatesNothing(t *testing.T) {
	for _, p := range []int{5, stackRanks, stackRanks + 1, 1000} {
		for _, soft := range []bool{false, true} {
			f, _ := mustGrow(t, broad(150, p, 1), Config{Trees: 19, Seed: 7, Soft: soft, MinLeaf: 5})
			x, votes := make([]float64, p), make([]uint32, 3)
			if n := testing.AllocsPerRun(50, func() { f.Vote(votes, x) }); n != 0 {
				t.Errorf("%d columns, soft %v: %v allocations", p, soft, n)
			}
		}
	}
}

// Vote adds to what is there; a shape that is not the forest's panics with both shapes.
func TestVoteShapes(t *testing.T) {
	f, _ := mustGrow(t, broad(150, 5, 1), Config{Trees: 3, Seed: 7})
	votes := []uint32{10, 20, 30}
	f.Vote(votes, make([]float64, 5))
	if votes[0]+votes[1]+votes[2] != 63 {
		t.Errorf("votes %v, want 3 more than 10, 20, 30", votes)
	}
	for _, tc := range []struct {
		votes, cells int
		text         string
	}{
		{3, 4, "forest: Vote of 4 cells into 3 counts; the forest has 5 features and 3 classes"},
		{3, 0, "Vote of 0 cells"},
		{2, 5, "Vote of 5 cells into 2 counts"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, tc.text) {
					t.Errorf("panic %q, want %q", got, tc.text)
				}
			}()
			f.Vote(make([]uint32, tc.votes), make([]float64, tc.cells))
		}()
	}
}

// Batches that cannot be voted on; the numbers are those of the catalogue.
func TestVotesErrors(t *testing.T) {
	f, _ := mustGrow(t, learnable(150, 1), Config{Trees: 3, Seed: 7})
	for _, tc := range []struct {
		name   string
		change func(*dataset.Frame)
		is     error
		text   string
	}{
		{"G140 infinite cell", func(f *dataset.Frame) { f.Columns[1].Values[4] = math.Inf(1) }, dataset.ErrValue,
			`column "noise", row 4 is +Inf`},
		{"M326 no columns", func(f *dataset.Frame) { f.Columns = nil }, dataset.ErrNoData, "the frame has no columns"},
		{"M327 ragged columns", func(f *dataset.Frame) { f.Columns[1].Values = f.Columns[1].Values[:7] }, dataset.ErrShape,
			`column "noise" has 7 cells for 20 rows`},
		{"M328 a column less", func(f *dataset.Frame) { f.Columns = f.Columns[1:] }, dataset.ErrShape,
			`lacks 1 column of the schema: "x"`},
		{"E113 numbers for categories", func(f *dataset.Frame) {
			f.Columns[2].Kind, f.Columns[2].Levels = dataset.Numeric,
				nil
		}, dataset.ErrValue, `column "where" is numeric`},
		{"E112 categories for numbers", func(f *dataset.Frame) {
			f.Columns[0] = dataset.Column{Field: dataset.Field{Name: "x", Kind: dataset.Categorical, Levels: []string{"q"}},
				Values: make([]float64, 20)}
		}, dataset.ErrValue, `column "x" is categorical`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			frame := learnable(20, 2)
			tc.change(frame)
			table, err := f.Votes(context.Background(), frame, 1)
			if !errors.Is(err, tc.is) || !strings.Contains(fmt.Sprint(err), tc.text) || table != nil {
				t.Errorf("error %v, want %q", err, tc.text)
			}
		})
	}
}

// F133: a class that the forest does not know leaves the truth unknown; the others are found by name.
func TestVotesOfOtherClasses(t *testing.T) {
	f, _ := mustGrow(t, learnable(150, 1), Config{Trees: 3, Seed: 7})
	frame := learnable(3, 2)
	frame.Classes, frame.Truth = []string{"rare", "strange", "common"}, []int{0, 1, 2}
	table, err := f.Votes(context.Background(), frame, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{1, -1, 0}; !slices.Equal(table.Truth, want) {
		t.Errorf("truth %v, want %v", table.Truth, want)
	}
	frame.Truth = nil
	if table, err = f.Votes(context.Background(), frame, 1); err != nil || !slices.Equal(table.Truth, []int{-1, -1, -1}) {
		t.Errorf("without labels: truth %v, error %v", table.Truth, err)
	}
}

// A missing cell has a way in every tree, also of a column that missed none in training: a
// plain walk takes it. Levels that the forest does not know take the same, by index or by name.
func TestLawMissingAndUnknown(t *testing.T) {
	inShards(t, rounds(instances), func(t *testing.T, seed uint64) bool {
		rng, frame, cfg := problem(seed, 10)
		f, _ := mustGrow(t, frame, cfg)
		k, n := len(frame.Classes), frame.Rows()
		holed, strange := frame.Take(upTo(n)), frame.Take(upTo(n))
		for j := range holed.Columns {
			c := &strange.Columns[j]
			if c.Kind == dataset.Categorical { // one more level, the first by name
				c.Levels = append([]string{"!"}, c.Levels...)
			}
			for i := range n {
				hole := rng.IntN(2) == 0
				if hole {
					holed.Columns[j].Values[i] = math.NaN()
				}
				switch {
				case c.Kind == dataset.Numeric:
					c.Values[i] = holed.Columns[j].Values[i]
				case hole:
					c.Values[i] = 0
				case !math.IsNaN(c.Values[i]):
					c.Values[i]++
				}
			}
		}
		want := make([]uint32, n*k)
		x, odd, votes := make([]float64, len(frame.Columns)), make([]float64, len(frame.Columns)), make([]uint32, k)
		for i := range n {
			holed.Row(x, i)
			for tree := range f.Trees() {
				addVote(want[i*k:i*k+k], f.Tree(tree).leafOf(x))
			}
			copy(odd, x)
			for j := range odd {
				if frame.Columns[j].Kind == dataset.Categorical && math.IsNaN(odd[j]) {
					odd[j] = []float64{-1, float64(len(frame.Columns[j].Levels)), math.MaxFloat64, math.Inf(1),
						math.Inf(-1)}[rng.IntN(5)]
				}
			}
			clear(votes)
			if f.Vote(votes, odd); !slices.Equal(votes, want[i*k:i*k+k]) {
				t.Errorf("row %d: votes %v, with missing cells %v", i, votes, want[i*k:i*k+k])
				return false
			}
		}
		table, err := f.Votes(context.Background(), strange, 1)
		if err != nil {
			t.Fatal(err)
		}
		return equalVotes(t, f, holed, want) && slices.Equal(table.Counts, want)
	})
}

// A guide gives the rank that counting gives, for thresholds of every kind, and numbers at, beside and
// far from them.
func TestGuideIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for round := range 3000 {
		at := make([]float64, 1+rng.IntN(60))
		for i := range at {
			switch round % 4 {
			case 0:
				at[i] = rng.NormFloat64()
			case 1:
				at[i] = math.Exp(200 * rng.NormFloat64()) // crowded at one end
			case 2:
				at[i] = []float64{-math.MaxFloat64, math.MaxFloat64, 5e-324, -5e-324, 0, 1, math.Nextafter(1, 2),
					1e300}[rng.IntN(8)]
			default:
				at[i] = float64(rng.IntN(9)) * 1e-310
			}
			at[i] = min(at[i], math.MaxFloat64)
		}
		slices.Sort(at)
		at = slices.Compact(at)
		c := cuts{at: at, guide: newGuide(at)}
		for range 100 {
			v := at[rng.IntN(len(at))]
			switch rng.IntN(5) {
			case 0:
				v = math.Nextafter(v, math.Inf(1))
			case 1:
				v = math.Nextafter(v, math.Inf(-1))
			case 2:
				v = []float64{math.Inf(1), math.Inf(-1), 0, math.MaxFloat64, -math.MaxFloat64}[rng.IntN(5)]
			}
			want := uint32(0)
			for _, x := range at {
				if x < v {
					want++
				}
			}
			if got := c.rank(v); got != want {
				t.Fatalf("rank of %v among %v: %d, want %d", v, at, got, want)
			}
		}
	}
}
