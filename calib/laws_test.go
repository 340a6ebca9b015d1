package calib

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/race"
)

// problem is a random one of both classes: vote shares with many ties, whole weights.
func problem(r *rand.Rand) (score []float64, hit []bool, weight []float64) {
	n, trees := 4+r.IntN(40), float64(1+r.IntN(60))
	for i := range n {
		s := Smooth(math.Round(r.Float64()*trees), trees)
		score = append(score, s)
		hit = append(hit, i == 0 || (i > 1 && r.Float64() < s))
		weight = append(weight, float64(1+r.IntN(3)))
	}
	return score, hit, weight
}

// overProblems runs law on seeded random problems, with a fitted map of each method.
func overProblems(t *testing.T, law func(t *testing.T, r *rand.Rand, method Method, m Map, score []float64, hit []bool,
	weight []float64)) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		score, hit, weight := problem(r)
		for _, method := range Methods() {
			if method == None {
				continue
			}
			law(t, r, method, mustFit(t, method, score, hit, weight), score, hit, weight)
			if t.Failed() {
				t.Fatalf("seed %d, method %s", seed, method)
			}
		}
	}
}

func mustFit(t testing.TB, method Method, score []float64, hit []bool, weight []float64) Map {
	t.Helper()
	m, err := method.Fit(score, hit, weight)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// K270: the order of the rows changes no bit, also where weights are not whole.
func TestOrderOfRowsIsIrrelevant(t *testing.T) {
	race.SkipFigures(t)
	overProblems(t, func(t *testing.T, r *rand.Rand, method Method, _ Map, score []float64, hit []bool, weight []float64) {
		real := make([]float64, len(weight))
		for i := range real {
			real[i] = r.Float64() + .1
		}
		var s, w []float64
		var h []bool
		for _, i := range r.Perm(len(score)) {
			s, h, w = append(s, score[i]), append(h, hit[i]), append(w, real[i])
		}
		if d := cmp.Diff(mustFit(t, method, score, hit, real), mustFit(t, method, s, h, w)); d != "" {
			t.Error(d)
		}
	})
}

func TestWeightIsRepetition(t *testing.T) {
	race.SkipFigures(t)
	overProblems(t, func(t *testing.T, _ *rand.Rand, method Method, m Map, score []float64, hit []bool, weight []float64) {
		var s []float64
		var h []bool
		for i := range score {
			for range int(weight[i]) {
				s, h = append(s, score[i]), append(h, hit[i])
			}
		}
		if d := cmp.Diff(m, mustFit(t, method, s, h, nil)); d != "" {
			t.Error(d)
		}
	})
}

// K284: vote weights multiply all odds by one factor; the probability does not move.
func TestFactorOnOddsChangesNoProbability(t *testing.T) {
	overProblems(t, func(t *testing.T, r *rand.Rand, method Method, m Map, score []float64, hit []bool, weight []float64) {
		switch method {
		case PlattLogit, IsotonicLinear, IsotonicStep, VennAbers:
		default:
			return // not invariant, by its nature
		}
		factor := math.Exp(6*r.Float64() - 3)
		weighted := func(s float64) float64 { return factor * s / (1 - s + factor*s) }
		moved := make([]float64, len(score))
		for i, s := range score {
			moved[i] = weighted(s)
		}
		after := mustFit(t, method, moved, hit, weight)
		at := score
		if method != IsotonicLinear {
			at = append(slices.Clone(score), .123, .5, .987)
		}
		for _, s := range at {
			if got, want := after.Prob(weighted(s)), m.Prob(s); !near(got, want, 1e-9) {
				t.Errorf("factor %g: probability of %g is %.17g, was %.17g", factor, s, got, want)
			}
		}
	})
}

// The maps of isotonic regression never fall; a sigmoid goes one way.
func TestMapsAreMonotone(t *testing.T) {
	overProblems(t, func(t *testing.T, _ *rand.Rand, _ Method, m Map, _ []float64, _ []bool, _ []float64) {
		checkMonotone(t, m, -.1, 1.1)
		if err := check(m); err != nil {
			t.Error(err)
		}
	})
}

func checkMonotone(t testing.TB, m Map, low, high float64) {
	t.Helper()
	sign, slack := 1.0, 0.0
	switch s := m.(type) {
	case BetaCurve:
		slack = 1e-15
	case Sigmoid:
		slack = 1e-15 // of math.Exp
		if s.A > 0 {
			sign = -1
		}
	}
	var scores []float64
	for i := range 101 {
		f := float64(i) / 100
		scores = append(scores, float64(low*(1-f))+float64(high*f))
	}
	slices.Sort(scores) // rounding can swap neighbours where low and high are very close
	last := math.Inf(-1)
	for _, s := range scores {
		p := m.Prob(s)
		if !(p >= 0 && p <= 1) || sign*p < last-slack {
			t.Errorf("%v: Prob(%g) = %g after %g", m, s, p, last)
		}
		last = sign * p
	}
}

// The isotonic fit equals the max-min formula (Robertson, Wright and Dykstra, 1988), in O(n³).
func TestIsotonicIsMaxMin(t *testing.T) {
	race.SkipFigures(t)
	overProblems(t, func(t *testing.T, _ *rand.Rand, method Method, m Map, score []float64, hit []bool, weight []float64) {
		if method != IsotonicLinear && method != IsotonicStep {
			return
		}
		mean := func(from, to float64) float64 {
			hits, all := 0.0, 0.0
			for i, s := range score {
				if s >= from && s <= to {
					all += weight[i]
					if hit[i] {
						hits += weight[i]
					}
				}
			}
			return hits / all
		}
		for _, s := range score {
			want := 0.0
			for _, a := range score {
				if a > s {
					continue
				}
				least := 1.0
				for _, b := range score {
					if b >= s {
						least = min(least, mean(a, b))
					}
				}
				want = max(want, least)
			}
			if got := m.Prob(s); !near(got, want, 1e-14) {
				t.Errorf("Prob(%g) = %.17g, want %.17g", s, got, want)
			}
		}
	})
}

// At the maximum of the likelihood, the residuals against Platt's targets sum to 0, plain and
// multiplied by the score.
func TestSigmoidSolvesLikelihoodEquations(t *testing.T) {
	overProblems(t, func(t *testing.T, _ *rand.Rand, method Method, m Map, score []float64, hit []bool, weight []float64) {
		if method != PlattRaw && method != PlattLogit {
			return
		}
		var n [2]float64
		for i, h := range hit {
			if h {
				n[1] += weight[i]
			} else {
				n[0] += weight[i]
			}
		}
		plain, scaled := 0.0, 0.0
		for i, s := range score {
			target := 1 / (n[0] + 2)
			if hit[i] {
				target = (n[1] + 1) / (n[1] + 2)
			}
			residual := weight[i] * (m.Prob(s) - target)
			if method == PlattLogit {
				s = math.Log(s / (1 - s))
			}
			plain, scaled = plain+residual, scaled+residual*s
		}
		if !near(plain, 0, 1e-10) || !near(scaled, 0, 1e-10) {
			t.Errorf("%v: residuals sum to %g and %g", m, plain, scaled)
		}
	})
}

// K281: calibrating a second time with isotonic regression changes nothing.
func TestIsotonicIsIdempotent(t *testing.T) {
	overProblems(t, func(t *testing.T, _ *rand.Rand, method Method, m Map, score []float64, hit []bool, weight []float64) {
		if method != IsotonicLinear && method != IsotonicStep {
			return
		}
		once := make([]float64, len(score))
		for i, s := range score {
			once[i] = m.Prob(s)
		}
		twice := mustFit(t, method, once, hit, weight)
		for _, p := range once {
			if got := twice.Prob(p); !near(got, p, 1e-15) {
				t.Errorf("Prob(%.17g) = %.17g", p, got)
			}
		}
	})
}

// K283: many rows, all of different scores. A raw sigmoid cannot follow the diagonal closely.
func TestManyRows(t *testing.T) {
	score, hit := manyRows(100_000)
	for _, method := range Methods() {
		if method == Auto {
			continue // fits all others, and again
		}
		m := mustFit(t, method, score, hit, nil)
		if got := m.Prob(.3); !near(got, .3, .05) { // hits are drawn with the score as probability
			t.Errorf("%s: Prob(0.3) = %g", method, got)
		}
	}
}

func manyRows(n int) ([]float64, []bool) {
	r := rand.New(rand.NewPCG(1, 2))
	score, hit := make([]float64, n), make([]bool, n)
	for i := range score {
		score[i] = r.Float64()
		hit[i] = r.Float64() < score[i]
	}
	return score, hit
}

// FuzzFit: whatever can be fitted gives a sound map, in [0, 1] and monotone, for any order of
// the rows; and a sigmoid always settles. A row is 10 bytes: flags, score, weight.
func FuzzFit(f *testing.F) {
	row := func(flags byte, score float64, weight byte) []byte {
		return append(binary.LittleEndian.AppendUint64([]byte{flags}, math.Float64bits(score)), weight)
	}
	f.Add(uint8(0), slices.Concat(row(0, .2, 1), row(1, .2, 2), row(1, .9, 0)))
	f.Add(uint8(1), slices.Concat(row(0, -1e308, 1), row(1, 1e308, 200), row(2, 5e-324, 255)))
	f.Add(uint8(2), slices.Concat(row(0, math.NaN(), 0), row(1, 3, 1), row(0, 3, 1)))
	// Found by fuzzing: weights so uneven that Newton steps ran away or stalled.
	f.Add(uint8(5), []byte("0000000000700000000\xff0000000000"))
	f.Add(uint8(1), []byte("000000000\x01100000001X"))
	f.Add(uint8(0), []byte("R0000@00\x7f\xff\xff\xff0000000\x8b"))
	f.Add(uint8(1), []byte("000\xa9\xdc\xcau'\xd7/q "+
		"\x94\x95\xfa\x95\xad\xf4\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xde\xd7ݹ\x1f\xcd\xcd\xcd\xcd\xcd\xcc\xcc\xcc\xcc"))
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		var score, weight []float64
		var hit []bool
		for ; len(data) >= 10; data = data[10:] {
			bits := binary.LittleEndian.Uint64(data[1:])
			s := math.Float64frombits(bits)
			if data[0]&2 != 0 {
				s = float64(bits>>11) / (1 << 53)
			}
			w := float64(data[9])
			if data[0]&4 != 0 {
				w = math.Ldexp(1, int(data[9])-210) // up to 3.5e13
			}
			score, weight, hit = append(score, s), append(weight, w), append(hit, data[0]&1 != 0)
		}
		method := Methods()[int(which)%len(Methods())]
		m, err := method.Fit(score, hit, weight)
		if method == None {
			return
		}
		checked, bad := pool(score, hit, weight, slices.Contains([]Method{PlattLogit, Beta, Temperature, Vector}, method))
		if (err == nil) != (bad == nil) {
			t.Fatalf("%s: fit says %v, check of rows says %v", method, err, bad)
		}
		if err != nil {
			return
		}
		if err := check(m); err != nil {
			t.Fatal(err)
		}
		checkMonotone(t, m, checked[0].score, checked[len(checked)-1].score)
		slices.Reverse(score)
		slices.Reverse(hit)
		slices.Reverse(weight)
		if d := cmp.Diff(m, mustFit(t, method, score, hit, weight)); d != "" {
			t.Error(d)
		}
	})
}

func BenchmarkFit(b *testing.B) {
	score, hit := manyRows(1_000_000)
	for _, method := range Methods() {
		b.Run(string(method), func(b *testing.B) {
			for b.Loop() {
				mustFit(b, method, score, hit, nil)
			}
		})
	}
}
