package vote

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// told is how many of n rows groups tell of: pq is p(1−p), s the sum of their squared parts.
func told(n, pq, v, s float64) float64 {
	t := student(portable.Z95, 1/s-1)
	return min(n, (pq+0.5/n)/(v+0.5*s/n)*(portable.Z95/t)*(portable.Z95/t))
}

// Rows of groups tell as much as so many rows at most, whatever their unit and however often they were judged.
func TestRowsOfGroups(t *testing.T) {
	type row struct {
		group  int
		weight float64
		hit    bool
	}
	for _, tc := range []struct {
		name string
		rows []row
		want float64 // by hand
	}{
		{"all are hits: twice three rows of a group, one of another", []row{{1, 1, true}, {1, 1, true}, {1, 1, true}, {2, 1, true}, {3, 1, true}, {3, 1, true}, {3, 1, true}}, told(7, 0, 0, 19.0/49)},
		{"none is", []row{{1, 1, false}, {1, 1, false}, {2, 1, false}, {2, 1, false}}, told(4, 0, 0, 0.5)},
		{"one group", []row{{7, 1, true}, {7, 1, false}, {7, 1, false}}, 0},
		{"less than two groups: 4²/(3²+1²) is 1.6", []row{{1, 1, true}, {1, 1, true}, {1, 1, true}, {2, 1, false}}, 0},
		{"groups that are all the same", []row{{1, 1, true}, {1, 1, false}, {2, 1, true}, {2, 1, false}}, told(4, 0.25, 0, 0.5)},
		{"wholly alike", []row{{1, 1, true}, {1, 1, true}, {2, 1, false}, {2, 1, false}}, told(4, 0.25, 0.25, 0.5)},
		{"a row of no weight", []row{{1, 2, true}, {1, 2, true}, {2, 2, false}, {2, 2, false}, {3, 0, true}}, told(4, 0.25, 0.25, 0.5)},
		{"rows of their own tell no more than rows", []row{{1, 1, true}, {2, 1, false}, {3, 1, true}, {4, 1, false}, {5, 1, true}, {5, 0, true}}, told(5, 0.24, 0.06, 0.2)},
	} {
		for _, unit := range []float64{1, 0x1p-600, 0x1p+900} {
			for _, repeats := range []int{1, 3} {
				var b Basis
				hits, all := 0.0, 0.0
				for _, r := range slices.Repeat(tc.rows, repeats) {
					b.Add(r.weight*unit, r.weight*unit)
					b.Join(r.group, r.weight*unit, r.hit)
					all += r.weight * unit
					if r.hit {
						hits += r.weight * unit
					}
				}
				if got := b.Effective(hits/all, float64(repeats)); math.Abs(got-tc.want) > 1e-9*tc.want {
					t.Errorf("%s, unit %g, %d repeats: %v rows, want %v", tc.name, unit, repeats, got, tc.want)
				}
			}
		}
	}
}

// By hand: of p = ½ two groups of weight 2, one all hits and one none, have v = 2/1·((2−1)² + (0−1)²)/4² = ¼. A
// group of no weight that moves ½ of a hit adds 2/1·½²/4² and no degree of freedom.
func TestMarginOfGroups(t *testing.T) {
	var b Basis
	t1 := student(portable.Z95, 1)
	for _, step := range []struct {
		group        int
		weight, hits float64
		want         float64
	}{{1, 1, 1, 0}, {1, 1, 1, 0}, {2, 2, 0, t1 * t1 / 4}, {3, 0, 0, t1 * t1 / 4}, {4, 0, 0.5, t1 * t1 * (1.0/4 + 1.0/32)}} {
		b.JoinPart(step.group, step.weight, step.hits)
		if got := b.Margin(0.5); math.Abs(got-step.want) > 1e-9*step.want {
			t.Errorf("with %+v: %v", step, got)
		}
	}
	if none := (&Basis{}).Margin(0.5); none != 0 {
		t.Errorf("of no rows: %v", none)
	}
}

// By hand: weights of 4, 2, 2 and 0 come to 8²/(16+4+4) groups.
func TestGroupsOfBasis(t *testing.T) {
	var b Basis
	for group, weight := range []float64{4, 2, 2, 0} {
		b.Join(group, weight, false)
	}
	if got := b.Groups(); math.Abs(got-8.0/3) > 1e-12 {
		t.Errorf("%v groups", got)
	}
	if none := (&Basis{}).Groups(); none != 0 {
		t.Errorf("%v groups of no rows", none)
	}
}

// Where all groups are alike, others like them would give the same figures: no resample can lose what each group
// has. 30 groups of 20 rows, one of them missed in each.
func TestGroupsComeWhole(t *testing.T) {
	p := NewPair([]string{"ill", "well"}, nil)
	for g := range 30 {
		p.Join(g, 0, 1, 0, 1)
		p.Join(g, 1, 1, 1, 12)
		p.Join(g, 1, 1, 1, 7)
	}
	if n, effective := p.Groups(); n != 30 || math.Abs(effective-30) > 1e-12 {
		t.Errorf("%d groups, %v of equal weight", n, effective)
	}
	p.Resample(rand.New(rand.NewPCG(1, 2)), 50, func(a, b *Confusion) {
		if a.At(0, 1) != 30 || a.At(1, 1) != 570 || b.At(0, 0) != 30 || b.At(1, 1) != 570 || a.Total() != 600 || b.Total() != 600 {
			t.Fatalf("%v and %v", a.Rows(), b.Rows())
		}
	})
}

// Groups are drawn one by one, as here, each with its rows in whatever order they came.
func TestGroupsAreDrawnOneByOne(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 97))
		p, n := NewPair([]string{"a", "b", "c"}, []int{2, 0, 1}), 1+rng.IntN(40)
		rows := make([][][4]int, n)
		for range 2 * n {
			g, row := rng.IntN(n), [4]int{rng.IntN(3), rng.IntN(3), rng.IntN(3), 1 + rng.IntN(2)}
			rows[g] = append(rows[g], row)
		}
		rows = slices.DeleteFunc(rows, func(of [][4]int) bool { return of == nil })
		for g, of := range rows {
			for _, r := range of {
				p.Join(g, r[0], r[1], r[2], float64(r[3]))
			}
		}
		again := rand.New(rand.NewPCG(seed, 98))
		p.Resample(rand.New(rand.NewPCG(seed, 98)), 30, func(a, b *Confusion) {
			wantA, wantB := NewConfusion(p.classes), NewConfusion(p.classes)
			for range rows {
				for _, r := range rows[again.IntN(len(rows))] {
					wantA.Add(r[0], r[1], float64(r[3]))
					wantB.Add(r[0], r[2], float64(r[3]))
				}
			}
			if diff := cmp.Diff(a.Rows(), wantA.Rows()) + cmp.Diff(b.Rows(), wantB.Rows()); diff != "" {
				t.Fatalf("seed %d: (-resample +by hand)\n%s", seed, diff)
			}
		})
	}
}

// A share of groups drawn anew has the standard error of their mean: the shares 0, ⅓, ⅔ and 1 have the variance 5/36.
func TestResampleGroups(t *testing.T) {
	p := NewPair([]string{"ill", "well"}, nil)
	for g := range 40 {
		p.Join(g, 0, 0, 0, float64(g%4))
		p.Join(g, 0, 1, 1, float64(3-g%4))
	}
	const times = 4000
	sum, squares := 0.0, 0.0
	p.Resample(rand.New(rand.NewPCG(1, 2)), times, func(a, _ *Confusion) {
		recall, _ := a.Recall(0)
		sum, squares = sum+recall, squares+recall*recall
	})
	if got, want := math.Sqrt(squares/times-sum/times*(sum/times)), math.Sqrt(5.0/36/40); math.Abs(got/want-1) > 0.04 {
		t.Errorf("standard error %v, want %v", got, want)
	}
}

// Student's quantiles at 95 % and at the levels of drift, by scipy.stats.t.isf(scipy.stats.norm.sf(z), freedom),
// SciPy 1.17: not less, and no more above than the approximation is said to be.
func TestStudent(t *testing.T) {
	for _, tc := range []struct {
		z, freedom, want, off float64
	}{
		{portable.Z95, 1, 12.7062, 0.39}, {portable.Z95, 1.5, 6.0167, 0.11}, {portable.Z95, 2, 4.3027, 0.041}, {portable.Z95, 3, 3.1824, 0.012}, {portable.Z95, 4, 2.7764, 0.005}, {portable.Z95, 9, 2.2622, 0.001}, {portable.Z95, 39, 2.0227, 0.0001}, {portable.Z95, 1e9, 1.959964, 1e-6},
		{3.4, 2, 38.5031, 0.36}, {3.4, 3, 14.7659, 0.11}, {3.4, 4, 9.5413, 0.05}, {3.4, 9, 5.0678, 0.005}, {3.4, 39, 3.6948, 0.001},
	} {
		if got := student(tc.z, tc.freedom) / tc.want; got < 1-1e-5 || got > 1+tc.off {
			t.Errorf("z %v, %v degrees of freedom: %v of %v", tc.z, tc.freedom, got, tc.want)
		}
	}
	if Wider(3, 0) != 1 || !math.IsInf(Wider(3, 1.9), 1) || math.Abs(Wider(portable.Z95, 7.5)-1) > 1e-12 {
		t.Errorf("wider by %v, %v, %v", Wider(3, 0), Wider(3, 1.9), Wider(portable.Z95, 7.5))
	}
	want := 5.0678 / 3.4 * (1.959964 / 2.2622)
	if got := Wider(3.4, 10); math.Abs(got-want) > 0.01 {
		t.Errorf("wider by %v, want %v", got, want)
	}
}
