package anneal_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

func BenchmarkLetters(b *testing.B) {
	votes := anneal.Letters(rand.New(rand.NewPCG(1, 2)), 18_000)
	m := anneal.Vowels(b, votes.Classes)
	for _, s := range []anneal.Search{
		{Workers: 2},
		{Choice: anneal.Lowest, Workers: 2},
		{Method: anneal.Coordinates, Workers: 2},
		{Method: anneal.Annealing, Workers: 2},
		{Method: anneal.Annealing, Steps: 40_000, Workers: 2},
	} {
		b.Run(fmt.Sprintf("%v/%v/%d", s.Choice, s.Method, s.Steps), func(b *testing.B) {
			var r anneal.Result
			for b.Loop() {
				var err error
				if r, err = s.Weights(b.Context(), votes, m); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(r.Loss, "loss")
			b.ReportMetric(r.Plain, "plain")
		})
	}
}

// BenchmarkMillions tunes on ten million rows of 500 votes, which a histogram holds.
func BenchmarkMillions(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	h := vote.NewHistogram(2)
	row := make([]uint32, 2)
	for range 10_000_000 {
		truth, v := 1, uint32(500*math.Pow(rng.Float64(), 4))
		if rng.Float64() < 0.02 {
			truth, v = 0, uint32(500*math.Sqrt(rng.Float64()))
		}
		row[0], row[1] = v, 500-v
		h.Add(row, truth, 1)
	}
	votes := h.Table(&vote.Table{Classes: []string{"ill", "well"}, Share: []float64{0.02, 0.98}, Source: vote.CV,
		Trees: 500})
	m, err := pragma.Spec{"ill": pragma.Priority()}.Measure(votes.Classes)
	if err != nil {
		b.Fatal(err)
	}
	for _, choice := range []anneal.Choice{anneal.Lowest, anneal.Careful} {
		b.Run(choice.String(), func(b *testing.B) {
			for b.Loop() {
				if _, err := (anneal.Search{Choice: choice, Workers: 2}).Weights(b.Context(), votes, m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTwoClasses(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	votes := &vote.Table{Classes: []string{"ill", "well"}, Share: []float64{0.02, 0.98}, Source: vote.CV, Trees: 500}
	for range 100_000 {
		ill := rng.Float64() < 0.02
		v := uint32(500 * math.Pow(rng.Float64(), 4))
		if ill {
			v = uint32(500 * math.Sqrt(rng.Float64()))
			votes.Truth = append(votes.Truth, 0)
		} else {
			votes.Truth = append(votes.Truth, 1)
		}
		votes.Counts = append(votes.Counts, v, 500-v)
	}
	m, err := pragma.Spec{"ill": pragma.Priority()}.Measure(votes.Classes)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := (anneal.Search{}).Weights(b.Context(), votes, m); err != nil {
			b.Fatal(err)
		}
	}
}
