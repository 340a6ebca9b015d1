package forest

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/race"
)

// Trees that are drawn and counted together are those that grow one by one, whether their counts fit or, where a bin
// has too many rows for them, do not.
func TestBatchesChangeNothing(t *testing.T) {
	race.SkipFigures(t)
	for name, frame := range map[string]*dataset.Frame{"even": rareFrame(70_000, 0), "one heavy bin": rareFrame(170_000,
		0.6)} {
		cfg := Config{Trees: batchLeast + 1, Seed: 3, Workers: 1}
		together, votes := mustGrow(t, frame, cfg)
		var parts []*Forest
		for tree := range cfg.Trees {
			part, err := GrowPart(context.Background(), frame, cfg, tree, tree+1)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, part)
		}
		apart, err := Merge(parts...)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := encoded(t, together), encoded(t, apart); !bytes.Equal(a, b) {
			t.Errorf("%s: trees that grow together are others than one by one", name)
		}
		bags, err := together.Bags(frame, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if table, err := apart.OutOfBag(context.Background(), frame, nil, bags, 1); err != nil || !slices.Equal(table.Counts,
			votes.Counts) {
			t.Errorf("%s: votes out of bag are others than drawn again, error %v", name, err)
		}
	}
}

// rareFrame returns rows of a rare class in columns of more values than codes of 16 bits tell apart, but that a
// share of the rows has one and the same in the last.
func rareFrame(n int, same float64) *dataset.Frame {
	rng := rand.New(rand.NewPCG(1, 2))
	f := &dataset.Frame{Classes: []string{"rare", "common"}, Truth: make([]int, n), Columns: make([]dataset.Column, 4)}
	for j := range f.Columns {
		f.Columns[j] = dataset.Column{Field: dataset.Field{Name: string(rune('a' + j))}, Values: make([]float64, n)}
	}
	for i := range n {
		shift := 1.5
		if rng.IntN(100) > 0 {
			f.Truth[i], shift = 1, 0
		}
		for j := range f.Columns {
			f.Columns[j].Values[i] = rng.NormFloat64() + shift*float64(1-2*(j%2))
		}
		if rng.Float64() < same {
			f.Columns[3].Values[i] = 0
		}
	}
	return f
}
