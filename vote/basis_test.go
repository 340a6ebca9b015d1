package vote

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// few is by what a quantile of Student's t lessens the rows that a normal one stands for.
func few(t float64) float64 { return (z95 / t) * (z95 / t) }

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
		{"all are hits: three rows of one group, one of another", []row{{1, 1, true}, {1, 1, true}, {1, 1, true}, {2, 1, true}}, 1.6}, // 4²/(3²+1²)
		{"none is", []row{{1, 1, false}, {1, 1, false}, {2, 1, false}, {2, 1, false}}, 2},
		{"one group", []row{{7, 1, true}, {7, 1, false}, {7, 1, false}}, 1},
		{"groups that are all the same tell no more than rows of their own", []row{{1, 1, true}, {1, 1, false}, {2, 1, true}, {2, 1, false}}, 4},
		{"wholly alike: of p = ½ it is the number of groups less one", []row{{1, 1, true}, {1, 1, true}, {2, 1, false}, {2, 1, false}}, few(12.706204736432095)},
		{"a row of no weight", []row{{1, 2, true}, {1, 2, true}, {2, 2, false}, {2, 2, false}, {3, 0, true}}, few(12.706204736432095)},
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

// By hand: of p = ½ two groups of weight 2, one all hits and one none, have v = 2/1·((2−1)² + (0−1)²)/4² = ¼. A group of no weight that moves ½ of a hit adds 2/1·½²/4² and no degree of freedom.
func TestMarginOfGroups(t *testing.T) {
	var b Basis
	t1 := t95(1)
	for _, step := range []struct {
		group        int
		weight, hits float64
		want         float64
	}{{1, 1, 1, 0}, {1, 1, 1, 0}, {2, 2, 0, t1 * t1 / 4}, {3, 0, 0, t1 * t1 / 4}, {4, 0, 0.5, t1 * t1 * (1.0/4 + 1.0/32)}} {
		b.JoinPart(step.group, step.weight, step.hits)
		if got := b.Margin(0.5); math.Abs(got-step.want) > 1e-9 {
			t.Errorf("with %+v: %v", step, got)
		}
	}
	if none := (&Basis{}).Margin(0.5); none != 0 {
		t.Errorf("of no rows: %v", none)
	}
}

// Quantiles of tables (Pearson and Hartley, Biometrika Tables for Statisticians I (1966), table 12).
func TestT95(t *testing.T) {
	for freedom, want := range map[int]float64{1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 9: 2.262, 19: 2.093, 30: 2.042, 120: 1.980, 1e6: 1.960} {
		if got := t95(freedom); math.Abs(got-want) > 0.002*want {
			t.Errorf("%d degrees of freedom: %v, want %v", freedom, got, want)
		}
	}
}

// Where all groups are alike, others like them would give the same figures: no resample can lose what each group has. 30 groups of 20 rows, one of them missed in each.
func TestGroupsComeWhole(t *testing.T) {
	p := NewPair([]string{"ill", "well"}, nil)
	for g := range 30 {
		p.Join(g, 0, 1, 0, 1)
		p.Join(g, 1, 1, 1, 12)
		p.Join(g, 1, 1, 1, 7)
	}
	if p.Groups() != 30 {
		t.Errorf("%d groups", p.Groups())
	}
	p.Resample(rand.New(rand.NewPCG(1, 2)), 50, func(a, b *Confusion) {
		if a.At(0, 1) != 30 || a.At(1, 1) != 570 || b.At(0, 0) != 30 || b.At(1, 1) != 570 || a.Total() != 600 || b.Total() != 600 {
			t.Fatalf("%v and %v", a.Rows(), b.Rows())
		}
	})
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

// Student's quantiles at the levels of drift, by scipy.stats.t.isf(scipy.stats.norm.sf(z), freedom), SciPy 1.17.
func TestStudent(t *testing.T) {
	for _, tc := range []struct {
		z       float64
		freedom int
		want    float64
	}{
		{z95, 1, 12.7062}, {z95, 4, 2.7764}, {z95, 39, 2.0227},
		{3.4, 1, 944.7377}, {3.4, 2, 38.5031}, {3.4, 3, 14.7659}, {3.4, 4, 9.5413}, {3.4, 9, 5.0678}, {3.4, 39, 3.6948},
	} {
		if got := student(tc.z, tc.freedom); math.Abs(got-tc.want) > 0.06*tc.want || tc.freedom != 3 && math.Abs(got-tc.want) > 0.02*tc.want {
			t.Errorf("z %v, %d degrees of freedom: %v, want %v", tc.z, tc.freedom, got, tc.want)
		}
	}
	if Wider(3, 0) != 1 || !math.IsInf(Wider(3, 1), 1) || math.Abs(Wider(z95, 7)-1) > 1e-12 {
		t.Errorf("wider by %v, %v, %v", Wider(3, 0), Wider(3, 1), Wider(z95, 7))
	}
	want := 5.0678 / 3.4 * (1.959964 / 2.2622)
	if got := Wider(3.4, 10); math.Abs(got-want) > 0.01 {
		t.Errorf("wider by %v, want %v", got, want)
	}
}
