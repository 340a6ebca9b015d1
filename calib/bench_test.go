package calib

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// Ten million sorted scores, all different.
func BenchmarkSorted10M(b *testing.B) {
	score, hit := manyRows(10_000_000)
	slices.Sort(score)
	r := rand.New(rand.NewPCG(2, 2))
	for i, s := range score {
		hit[i] = r.Float64() < s
	}
	b.Run("pav", func(b *testing.B) {
		blocks := make([]block, len(score))
		for b.Loop() {
			for i, s := range score {
				blocks[i] = block{s, s, 0, 1}
				if hit[i] {
					blocks[i].sum = 1
				}
			}
			pav(blocks)
		}
	})
	for _, method := range []Method{IsotonicLinear, VennAbers} {
		b.Run(string(method), func(b *testing.B) {
			for b.Loop() {
				mustFit(b, method, score, hit, nil)
			}
		})
	}
}

// Ten million rows as a table: the scores of 500 votes, with summed weights.
func BenchmarkTable10M(b *testing.B) {
	var score, weight []float64
	var hit []bool
	for v := range 501 {
		s := Smooth(float64(v), 500)
		score, hit, weight = append(score, s, s), append(hit, true, false), append(weight, 20000*s, 20000*(1-s))
	}
	for _, method := range Methods() {
		b.Run(string(method), func(b *testing.B) {
			for b.Loop() {
				mustFit(b, method, score, hit, weight)
			}
		})
	}
}

// A row of the sets of two and of ten classes.
func BenchmarkProbabilities(b *testing.B) {
	for _, k := range []int{2, 10} {
		rows := classProblem(rand.New(rand.NewPCG(1, 17)), k)
		dst, name := make([]float64, k), "2 classes/"
		if k > 2 {
			name = "10 classes/"
		}
		for _, method := range allMethods() {
			set, err := method.FitClasses(context.Background(), rows)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(name+string(method), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					set.Probabilities(dst, rows.Share[:k])
				}
			})
		}
	}
}
