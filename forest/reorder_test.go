package forest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// Trees, gains and votes out of bag are the same whatever the order in which rows are kept, each way of the search
// being taken.
func TestRowsReorderedEqualRows(t *testing.T) {
	inShards(t, rounds(10_000), func(t *testing.T, seed uint64) bool {
		rng := rand.New(rand.NewPCG(seed, 50))
		frame := randomFrame(rng)
		cfg := randomConfig(rng, frame).Resolved(len(frame.Columns))
		if _, hash := cfg.Bag.Rows(); hash {
			cfg.Bag = Poisson
		}
		way, as := everyWay[rng.IntN(len(everyWay))].ways, rng.Uint64()
		grow := func(reorder bool) (*Forest, *Forest, []uint32) {
			d, err := encode(context.Background(), frame, cfg)
			if err != nil {
				t.Fatal(err)
			}
			prepare(d, rand.New(rand.NewPCG(as, 51)))
			if reorder && d.anyOrder(cfg) {
				mix(t, d, cfg, rand.New(rand.NewPCG(as, 52)))
			}
			f := &Forest{Schema: frame.Schema(), Classes: frame.Classes, Share: d.share, soft: cfg.Soft}
			growth := newGrowth(d, cfg, 0, 2)
			growth.keepVotes()
			trees, err := growth.run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if err := growth.assemble(t.Context(), f, trees); err != nil {
				t.Fatal(err)
			}
			return f, growBy(t, d, frame, cfg, way), d.byID(growth.counts)
		}
		f, byWay, votes := grow(false)
		again, byWayAgain, votesAgain := grow(true)
		if !slices.Equal(votes, votesAgain) {
			t.Errorf("votes out of bag %v, reordered %v, %+v", votes, votesAgain, cfg)
		}
		return sameBytes(t, f, again) && sameBytes(t, byWay, byWayAgain) && slices.Equal(f.gain, again.gain) && !t.Failed()
	})
}

// mix puts the rows in the order of the leaves of a tree, or in any.
func mix(t *testing.T, d *coded, cfg Config, rng *rand.Rand) {
	t.Helper()
	ids, err := d.byLeaf(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if sorted := slices.Sorted(slices.Values(ids)); len(ids) != len(d.class) || len(slices.Compact(sorted)) != len(ids) {
		t.Fatalf("by leaf there are other rows: %d", ids)
	}
	if rng.IntN(2) == 0 {
		rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	}
	if err := d.moveRows(context.Background(), ids, 2); err != nil {
		t.Fatal(err)
	}
	for j := range d.columns {
		if c := &d.columns[j]; c.order != nil {
			c.keepOrder(new([]uint32))
		}
	}
}

// Many rows are reordered. Their trees are those of the rows as they are, and so are their votes, which rows that
// vote afterwards give once more.
func TestManyRowsAreReordered(t *testing.T) {
	frame, ctx := dataset.Wave(orderFrom, 3, 1), context.Background()
	cfg := Config{Trees: 2, Seed: 1, Mtry: 3, MinLeaf: 200, Bag: Stratified}
	ground, err := Prepare(ctx, frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if ground.data.ids == nil {
		t.Fatal("the rows are in their own order")
	}
	f, err := ground.Grow(ctx, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	d, err := encode(ctx, frame, cfg.Resolved(len(frame.Columns)))
	if err != nil {
		t.Fatal(err)
	}
	ground.data = d
	plain, err := ground.Grow(ctx, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	sameBytes(t, f, plain)
	whole, votes := mustGrow(t, frame, cfg)
	sameBytes(t, f, whole)
	bags, err := f.Bags(frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if table, err := f.OutOfBag(ctx, frame, nil, bags, 0); err != nil || !slices.Equal(table.Counts, votes.Counts) {
		t.Errorf("other votes, error %v", err)
	}
}

// Rows stay where they are if sums depend on their order.
func TestAnyOrder(t *testing.T) {
	weighted := func(w float64) *dataset.Frame {
		frame := learnable(70_000, 1)
		frame.Weight = slices.Repeat([]float64{1}, frame.Rows())
		frame.Weight[0] = w
		return frame
	}
	for _, tc := range []struct {
		name  string
		frame *dataset.Frame
		want  bool
	}{
		{"numbers and levels", learnable(100, 1), true},
		{"rates of levels", withLevels(learnable(100, 1), 50, 1), true},
		{"levels that each node orders anew", withLevels(dataset.Wave(100, 3, 1), 50, 1), false},
		{"whole weights", weighted(900), true},
		{"whole weights of large squares", weighted(1000), false},
		{"real weights", weighted(1.5), false},
	} {
		cfg := Config{}.Resolved(len(tc.frame.Columns))
		d, err := encode(context.Background(), tc.frame, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.anyOrder(cfg); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

func TestReorderCancelled(t *testing.T) {
	frame := learnable(200, 1)
	cfg := Config{}.Resolved(len(frame.Columns))
	d, err := encode(context.Background(), frame, cfg)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := d.byLeaf(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := d.byLeaf(ctx, cfg); !errors.Is(err, context.Canceled) {
		t.Errorf("by leaf: error %v", err)
	}
	if err := d.moveRows(ctx, ids, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("rows moved: error %v", err)
	}
}
