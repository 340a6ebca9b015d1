package forest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// weighted returns the query for votes that a class other than own wins, where those for each count so much.
func weighted(f *Forest, weights []float64, own int, free []int, most int) ChangeQuery {
	wins := func(votes []uint32) int {
		best := 0
		for c, v := range votes {
			if weights[c]*float64(v) > weights[best]*float64(votes[best]) {
				best = c
			}
		}
		return best
	}
	q := ChangeQuery{Free: free, Most: most, Turns: func(votes []uint32) bool { return wins(votes) != own }}
	for c := range weights {
		if c != own {
			a := make([]float64, len(weights))
			a[c], a[own] = weights[c], -weights[own]
			q.Any = append(q.Any, a)
		}
	}
	return q
}

// everyChange tries all thresholds and levels of all sets of so many cells. It returns the smallest distance, -1 if
// nothing turns.
func everyChange(f *Forest, x []float64, q ChangeQuery, cells int) float64 {
	best := -1.0
	votes := make([]uint32, len(f.Classes))
	changed := slices.Clone(x)
	var try func(from, cells int, distance float64)
	try = func(from, cells int, distance float64) {
		if cells == 0 {
			clear(votes)
			f.Vote(votes, changed)
			if q.Turns(votes) && (best < 0 || distance < best) {
				best = distance
			}
			return
		}
		for at := from; at < len(q.Free); at++ {
			j := q.Free[at]
			if f.Schema[j].Kind == dataset.Categorical {
				for level := range f.Schema[j].Levels {
					if float64(level) != x[j] {
						changed[j] = float64(level)
						try(at+1, cells-1, distance+1)
					}
				}
			} else {
				thresholds := f.cuts[j].at
				if last := len(thresholds) - 1; thresholds[last] == math.MaxFloat64 { // no number lies above
					thresholds = thresholds[:last]
				}
				own := f.rank(j, x[j])
				for rank := range len(thresholds) + 1 {
					if rank < len(thresholds) {
						changed[j] = thresholds[rank]
					} else if changed[j] = 1e9; rank == 0 {
						changed[j] = 0
					}
					far := math.Abs(float64(rank)-float64(own)) / max(1, float64(len(thresholds)))
					if own == noRank {
						far = 1
					}
					try(at+1, cells-1, distance+far)
				}
			}
			changed[j] = x[j]
		}
	}
	try(0, cells, 0)
	return best
}

// The change is as near as the nearest of all that there are, for numbers, categories and missing cells, two classes
// and three, hard votes and soft; and a row that is changed so is decided so.
func TestChange(t *testing.T) {
	found := map[string]int{}
	for seed := range uint64(6) {
		train := mixedFrame(t).Take([]int{0, 11, 25, 38, 44, 51, 60, 77, 80, 91, 102, 133, 140, 155, 171, 182, 199, 203, 210,
			222, 237, 248, 259, 260, 271, 283, 294, 305, 316, 327, 338, 349, 350, 361, 372, 383, 394, 399})
		if seed%2 == 0 {
			train.Classes = train.Classes[:2]
			for i := range train.Truth {
				train.Truth[i] = min(1, 2-train.Truth[i])
			}
		}
		f, _, err := Grow(context.Background(), train, Config{Trees: 9, Seed: seed, Soft: seed%3 == 0, MaxDepth: 4})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			x := make([]float64, len(f.Schema))
			train.Row(x, i)
			votes := make([]uint32, len(f.Classes))
			f.Vote(votes, x)
			weights := []float64{1, 3, 4.3}[:len(f.Classes)]
			own := 0
			for c, v := range votes {
				if weights[c]*float64(v) > weights[own]*float64(votes[own]) {
					own = c
				}
			}
			q := weighted(f, weights, own, [][]int{{0, 1, 3, 5, 6}, {1, 2, 6}}[i%2], MostChanged)
			got, err := f.Change(context.Background(), x, q)
			if err != nil {
				t.Fatal(err)
			}
			want, cells := -1.0, 0
			for cells = 1; cells <= MostChanged && want < 0; cells++ {
				want = everyChange(f, x, q, cells)
			}
			distance := 0.0
			for _, c := range got {
				distance += c.Distance
				switch at := f.Schema[c.Feature]; {
				case at.Kind == dataset.Categorical:
					x[c.Feature] = float64(c.Level)
				case math.IsInf(c.To, 1):
					x[c.Feature] = 1e9
				default:
					x[c.Feature] = c.To
				}
			}
			found[fmt.Sprint(len(got), " cells")]++
			if want < 0 {
				if got != nil {
					t.Errorf("seed %d, row %d: %v, and nothing turns", seed, i, got)
				}
				continue
			}
			clear(votes)
			f.Vote(votes, x)
			if len(got) != cells-1 || math.Abs(distance-want) > 1e-12 || !q.Turns(votes) {
				t.Errorf("seed %d, row %d: %v, want %d cells at distance %v, and votes %v", seed, i, got, cells-1, want, votes)
			}
		}
	}
	if found["1 cells"] == 0 || found["2 cells"] == 0 || found["3 cells"] == 0 || found["0 cells"] == 0 {
		t.Errorf("not all cases are tried: %v", found)
	}
}

func TestChangeErrors(t *testing.T) {
	f, train := explainable(t, Config{Trees: 2, Seed: 1})
	x := make([]float64, len(f.Schema))
	train.Row(x, 0)
	never := func([]uint32) bool { return false }
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		x    []float64
		q    ChangeQuery
		want error
	}{
		{context.Background(), x[:1], ChangeQuery{Free: []int{0}, Most: 1, Turns: never}, ErrConfig},
		{context.Background(), x, ChangeQuery{Free: []int{0}, Most: 4, Turns: never}, ErrConfig},
		{context.Background(), x, ChangeQuery{Free: []int{0}, Most: 1}, ErrConfig},
		{context.Background(), x, ChangeQuery{Free: []int{1, 0}, Most: 1, Turns: never}, ErrConfig},
		{context.Background(), x, ChangeQuery{Free: []int{0}, Most: 1, Turns: never, Any: [][]float64{{1}}}, ErrConfig},
		{cancelled, x, ChangeQuery{Free: []int{0}, Most: 1, Turns: never}, context.Canceled},
	} {
		if got, err := f.Change(c.ctx, c.x, c.q); !errors.Is(err, c.want) || got != nil {
			t.Errorf("%v, %v, want %v", got, err, c.want)
		}
	}
}
