package forest_test

import (
	"context"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
)

// Growing and asking forests of 20 trees; ratios to other programs are measured by bench/peers.
func BenchmarkGrow(b *testing.B) {
	for _, set := range []struct {
		name  string
		frame *dataset.Frame
	}{
		{"wave-5k", dataset.Wave(5000, 3, 1)},
		{"wave-50k", dataset.Wave(50_000, 3, 1)},
		{"fraud-50k", dataset.Fraud(50_000, 1)}, // rare class, categories, missing cells
	} {
		b.Run(set.name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := forest.Grow(context.Background(), set.frame, forest.Config{Trees: 20, Seed: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkVote(b *testing.B) {
	train := dataset.Wave(5000, 3, 1)
	f, _, err := forest.Grow(context.Background(), train, forest.Config{Trees: 100, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("row", func(b *testing.B) {
		x, votes := make([]float64, len(train.Columns)), make([]uint32, 3)
		train.Row(x, 0)
		for b.Loop() {
			f.Vote(votes, x)
		}
	})
	b.Run("batch", func(b *testing.B) {
		for b.Loop() {
			if _, err := f.Votes(context.Background(), train, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}
