package forest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Out-of-bag votes drawn again, for any part of the rows and by any part of the trees, are those that were kept while
// growing; so are those of a bag that each row is drawn into alone, without the other rows.
func TestOutOfBagAgain(t *testing.T) {
	inShards(t, rounds(1500), func(t *testing.T, seed uint64) bool {
		rng := rand.New(rand.NewPCG(seed, 31))
		frame := randomFrame(rng)
		cfg := randomConfig(rng, frame)
		cfg.Trees = 1 + rng.IntN(8)
		f, kept := mustGrow(t, frame, cfg)
		bags, err := f.Bags(frame, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if cfg.Bag.byRow() && rng.IntN(2) == 0 {
			if bags, err = NewRowBags(bags.rows, cfg); err != nil {
				t.Fatal(err)
			}
		}
		parts := 1 + rng.IntN(5)
		for part := range parts {
			var rows []int
			var ids []uint32
			for i := range frame.Rows() {
				if i%parts == part {
					rows, ids = append(rows, i), append(ids, uint32(i))
				}
			}
			table, err := f.OutOfBag(context.Background(), frame.Take(rows), ids, bags, 1+rng.IntN(2))
			if err != nil {
				t.Error(err)
				return false
			}
			for at, i := range rows {
				if !slices.Equal(table.Votes(at), kept.Votes(i)) {
					t.Errorf("row %d: votes %v, kept were %v", i, table.Votes(at), kept.Votes(i))
					return false
				}
			}
			if table.Source != kept.Source || table.Trees != kept.Trees || table.Soft != kept.Soft {
				t.Errorf("source %s of %d trees, kept was %s of %d", table.Source, table.Trees, kept.Source, kept.Trees)
				return false
			}
		}
		return true
	})
}

// So are the votes of a forest that is taken row by row, as rows of very many features are.
func TestOutOfBagOfManyFeatures(t *testing.T) {
	frame := learnable(120, 2)
	for len(frame.Columns) <= 2*featuresPerTree {
		more := frame.Columns[0]
		more.Name += strings.Repeat("x", len(frame.Columns))
		frame.Columns = append(frame.Columns, more)
	}
	cfg := Config{Trees: 2, Seed: 3}
	f, kept := mustGrow(t, frame, cfg)
	bags, err := f.Bags(frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	table, err := f.OutOfBag(context.Background(), frame, nil, bags, 0)
	if err != nil || !slices.Equal(table.Counts, kept.Counts) {
		t.Errorf("other votes, error %v", err)
	}
}

func TestOutOfBagRefuses(t *testing.T) {
	frame := learnable(40, 1)
	f, _ := mustGrow(t, frame, Config{Trees: 2})
	bags, err := f.Bags(frame, Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, ids := range [][]uint32{{1, 2}, {3, 1, 2}, {1, 2, 40}} {
		if _, err := f.OutOfBag(context.Background(), frame.Take([]int{0, 1, 2}), ids, bags, 1); !errors.Is(err, ErrTrain) ||
			!strings.Contains(err.Error(), "give the index of each row in the training data, ascending") {
			t.Errorf("ids %d: error %v", ids, err)
		}
	}
	if _, err := NewRowBags(40, Config{}); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(),
		"the draws of a row in a bootstrap bag depend on those of the others") {
		t.Errorf("a bootstrap: error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.OutOfBag(ctx, frame, nil, bags, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}
