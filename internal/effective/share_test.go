package effective

import (
	"math"
	"slices"
	"testing"

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
		{"all are hits: twice three rows of a group, one of another", []row{{1, 1, true}, {1, 1, true}, {1, 1, true},
			{2, 1, true}, {3, 1, true}, {3, 1, true}, {3, 1, true}}, told(7, 0, 0, 19.0/49)},
		{"none is", []row{{1, 1, false}, {1, 1, false}, {2, 1, false}, {2, 1, false}}, told(4, 0, 0, 0.5)},
		{"one group", []row{{7, 1, true}, {7, 1, false}, {7, 1, false}}, 0},
		{"less than two groups: 4²/(3²+1²) is 1.6", []row{{1, 1, true}, {1, 1, true}, {1, 1, true}, {2, 1, false}}, 0},
		{"groups that are all the same", []row{{1, 1, true}, {1, 1, false}, {2, 1, true}, {2, 1, false}},
			told(4, 0.25, 0, 0.5)},
		{"wholly alike", []row{{1, 1, true}, {1, 1, true}, {2, 1, false}, {2, 1, false}}, told(4, 0.25, 0.25, 0.5)},
		{"a row of no weight", []row{{1, 2, true}, {1, 2, true}, {2, 2, false}, {2, 2, false}, {3, 0, true}},
			told(4, 0.25, 0.25, 0.5)},
		{"rows of their own tell no more than rows", []row{{1, 1, true}, {2, 1, false}, {3, 1, true}, {4, 1, false},
			{5, 1, true}, {5, 0, true}}, told(5, 0.24, 0.06, 0.2)},
	} {
		for _, unit := range []float64{1, 0x1p-600, 0x1p+900} {
			for _, repeats := range []int{1, 3} {
				var b Share
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
	var b Share
	t1 := student(portable.Z95, 1)
	for _, step := range []struct {
		group        int
		weight, hits float64
		want         float64
	}{{1, 1, 1, 0}, {1, 1, 1, 0}, {2, 2, 0, t1 * t1 / 4}, {3, 0, 0, t1 * t1 / 4},
		{4, 0, 0.5, t1 * t1 * (1.0/4 + 1.0/32)}} {
		b.JoinPart(step.group, step.weight, step.hits)
		if got := b.Margin(0.5); math.Abs(got-step.want) > 1e-9*step.want {
			t.Errorf("with %+v: %v", step, got)
		}
	}
	if none := (&Share{}).Margin(0.5); none != 0 {
		t.Errorf("of no rows: %v", none)
	}
}

// By hand: weights of 4, 2, 2 and 0 come to 8²/(16+4+4) groups.
func TestEffectiveGroups(t *testing.T) {
	var b Share
	for group, weight := range []float64{4, 2, 2, 0} {
		b.Join(group, weight, false)
	}
	if got := b.Groups(); math.Abs(got-8.0/3) > 1e-12 {
		t.Errorf("%v groups", got)
	}
	if none := (&Share{}).Groups(); none != 0 {
		t.Errorf("%v groups of no rows", none)
	}
}

// Student's quantiles at 95 % and at the levels of drift, by scipy.stats.t.isf(scipy.stats.norm.sf(z), freedom),
// SciPy 1.17: not less, and no more above than the approximation is said to be.
func TestStudent(t *testing.T) {
	for _, tc := range []struct {
		z, freedom, want, off float64
	}{
		{portable.Z95, 1, 12.7062, 0.39}, {portable.Z95, 1.5, 6.0167, 0.11}, {portable.Z95, 2, 4.3027, 0.041},
		{portable.Z95, 3, 3.1824, 0.012}, {portable.Z95, 4, 2.7764, 0.005}, {portable.Z95, 9, 2.2622, 0.001},
		{portable.Z95, 39, 2.0227, 0.0001}, {portable.Z95, 1e9, 1.959964, 1e-6},
		{3.4, 2, 38.5031, 0.36}, {3.4, 3, 14.7659, 0.11}, {3.4, 4, 9.5413, 0.05}, {3.4, 9, 5.0678, 0.005}, {3.4, 39, 3.6948,
			0.001},
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
