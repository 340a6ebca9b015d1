package anneal

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Letters returns votes like those of 500 trees, out of bag, on n rows of the 26
// capital letters: most trees agree, the others spread over letters that look alike.
func Letters(rng *rand.Rand, n int) *vote.Table {
	const k, trees = 26, 185
	t := &vote.Table{Source: vote.OOB, Trees: trees, Truth: make([]int, n), Counts: make([]uint32, n*k)}
	for c := range k {
		t.Classes = append(t.Classes, string(rune('A'+c)))
		t.Share = append(t.Share, (1+float64(c)/100)/29.25)
	}
	for i := range n {
		truth := rng.IntN(k)
		t.Truth[i] = truth
		clear := 1 - 0.98*math.Pow(rng.Float64(), 6)
		for range trees {
			c := truth
			if rng.Float64() > clear {
				c = (truth + 1 + int(rng.ExpFloat64()*1.5)) % k
			}
			t.Votes(i)[c]++
		}
	}
	return t
}

// Vowels prefers A, E, I, O, U and Y as the paper does.
func Vowels(t testing.TB, classes []string) pragma.Measure {
	spec := pragma.Spec{}
	for _, c := range []string{"A", "E", "I", "O", "U", "Y"} {
		spec[c] = pragma.Priority()
	}
	m, err := spec.Measure(classes)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// BenchmarkProposal tells what a step of annealing costs in the mean over a whole annealing, beside deciding all
// rows anew: both take turns, and "times" is the ratio. Of the rows a step looks only at those that it passes, see
// index.
func BenchmarkProposal(b *testing.B) {
	const steps = 8000
	votes := Letters(rand.New(rand.NewPCG(1, 2)), 20_000)
	f, err := Search{}.prepare(votes, Vowels(b, votes.Classes))
	if err != nil {
		b.Fatal(err)
	}
	p := f.problem
	if err := p.addIndex(b.Context()); err != nil {
		b.Fatal(err)
	}
	var walking, deciding time.Duration
	looked := 0
	for b.Loop() {
		start := time.Now()
		s, err := p.anneal(context.Background(), 0, rand.New(rand.NewPCG(1, 3)), steps, nil)
		if err != nil {
			b.Fatal(err)
		}
		walking += time.Since(start)
		looked += s.touched
		start = time.Now()
		for range steps / 100 {
			f.measure.Loss(votes.Confuse(p.byClass(s.weights)))
		}
		deciding += 100 * time.Since(start)
	}
	b.ReportMetric(float64(walking.Nanoseconds())/float64(b.N)/steps, "ns/step")
	b.ReportMetric(float64(deciding)/float64(walking), "times")
	b.ReportMetric(float64(looked)/float64(b.N)/steps, "looked-at/step")
	b.ReportMetric(float64(len(p.truth)), "rows")
}

// BenchmarkPass tells what it costs to find the lowest loss along each class, beside deciding all rows anew at each
// of the places where a row turns, of which one in a thousand is timed.
func BenchmarkPass(b *testing.B) {
	votes := Letters(rand.New(rand.NewPCG(1, 2)), 20_000)
	f, err := Search{}.prepare(votes, Vowels(b, votes.Classes))
	if err != nil {
		b.Fatal(err)
	}
	p := f.problem
	s := p.start(p.outset(0, nil))
	var pass, full time.Duration
	cuts := 0
	for b.Loop() {
		for rank := range s.weights {
			start := time.Now()
			l, err := s.along(context.Background(), rank)
			if err != nil {
				b.Fatal(err)
			}
			pass += time.Since(start)
			cuts += len(l.cuts)
			start = time.Now()
			timed := 0
			for i := 0; i < len(l.cuts); i += 1000 {
				w := p.byClass(s.weights)
				w[p.order[rank]] = l.cuts[i]
				f.measure.Loss(votes.Confuse(w))
				timed++
			}
			full += time.Since(start) * time.Duration(len(l.cuts)) / time.Duration(max(1, timed))
		}
	}
	b.ReportMetric(float64(pass.Milliseconds())/float64(b.N), "ms/pass")
	b.ReportMetric(float64(cuts)/float64(b.N), "places/pass")
	b.ReportMetric(float64(full)/float64(pass), "times")
}
