package eval

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/vote"
)

// few is by what a quantile of Student's t lessens the rows that a normal one stands for.
func few(t float64) float64 { return (calib.Z95 / t) * (calib.Z95 / t) }

// By hand: of "yes" the rows with 2 and 4 votes are one group, A, those with 6 and 8 another, B. All but the first are found, p = ¾: A has 1 of 2, B 2 of 2,
// so v = 2/1·((1−1½)² + (2−1½)²)/4² = 1/16, and n = (3/16)/v = 3 instead of 4, times what Student's t of 1 degree of freedom takes. Decided as "yes" are those with 4, of A, 6 and 8, and a row
// of "no", alone in its group: p = ¾ again, v = 3/2·((0−¾)² + (1−¾)² + (2−1½)²)/4² = 21/256, n = 16/7, times that of 2.
func TestIntervalOfGroups(t *testing.T) {
	f, c := frame(), config(t)
	for i := range f.Rows() {
		f.Group = append(f.Group, i)
		c.FoldOf = append(c.FoldOf, i%2)
	}
	copy(f.Group[16:], []int{100, 100, 200, 200})
	crossed := crossValidated(t, f, c)
	table, err := (oracle{classes: f.Classes, share: Shares(f)}).Votes(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	c.Group = f.Group
	evaluated, err := Evaluate(t.Context(), table, oracle{f.Classes, Shares(f), []float64{1, 3}}, c)
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*Report{"cross-validated": crossed, "evaluated": evaluated} {
		got := r.Rules.Tuned.Classes["yes"]
		for what, of := range map[string]struct {
			between *[2]float64
			n       float64
		}{"recall": {got.RecallInterval, 3 * few(12.706204736432095)}, "precision": {got.PrecisionInterval, 16.0 / 7 * few(4.302652729911275)}} {
			low, high := calib.Wilson(0.75*of.n, of.n, calib.Z95)
			if !near(of.between[0], low) || !near(of.between[1], high) {
				t.Errorf("%s: %s in %v, want %v to %v", name, what, *of.between, low, high)
			}
		}
	}
	c.Group = c.Group[1:]
	if _, err := Evaluate(t.Context(), table, oracle{f.Classes, Shares(f), nil}, c); !errors.Is(err, ErrConfig) {
		t.Errorf("too few groups: error %v", err)
	}
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
		{"all are hits: three rows of one group, one of another", []row{{1, 1, true}, {1, 1, true}, {1, 1, true}, {2, 1, true}}, 1.6}, // 4²/(3²+1²)
		{"none is", []row{{1, 1, false}, {1, 1, false}, {2, 1, false}, {2, 1, false}}, 2},
		{"one group", []row{{7, 1, true}, {7, 1, false}, {7, 1, false}}, 1},
		{"groups that are all the same tell no more than rows of their own", []row{{1, 1, true}, {1, 1, false}, {2, 1, true}, {2, 1, false}}, 4},
		{"wholly alike: of p = ½ it is the number of groups less one", []row{{1, 1, true}, {1, 1, true}, {2, 1, false}, {2, 1, false}}, few(12.706204736432095)},
		{"a row of no weight", []row{{1, 2, true}, {1, 2, true}, {2, 2, false}, {2, 2, false}, {3, 0, true}}, few(12.706204736432095)},
	} {
		for _, unit := range []float64{1, 0x1p-600, 0x1p+900} {
			for _, repeats := range []int{1, 3} {
				var b basis
				hits, all := 0.0, 0.0
				for _, r := range slices.Repeat(tc.rows, repeats) {
					b.kish.Add(r.weight*unit, r.weight*unit)
					b.join(r.group, r.weight*unit, r.hit)
					all += r.weight * unit
					if r.hit {
						hits += r.weight * unit
					}
				}
				if got := b.rows(hits/all, all, float64(repeats)); !near(got, tc.want) {
					t.Errorf("%s, unit %g, %d repeats: %v rows, want %v", tc.name, unit, repeats, got, tc.want)
				}
			}
		}
	}
}

// Each row twice, in a group of its own, is no more than the row: neither a loss nor what tuning gains is surer.
func TestNoiseOfGroups(t *testing.T) {
	run := func(times int) *Report {
		f, c := frame(), config(t)
		one := frame()
		f.Group = []int{}
		for range times - 1 {
			f.Columns[0].Values = append(f.Columns[0].Values, one.Columns[0].Values...)
			f.Truth = append(f.Truth, one.Truth...)
		}
		for i := range f.Truth {
			f.Group = append(f.Group, i%one.Rows())
			c.FoldOf = append(c.FoldOf, i%2)
		}
		return crossValidated(t, f, c)
	}
	one, two := run(1), run(2)
	for i := range 2 {
		if got, want := two.Rules.Tuned.PragmaInterval[i], one.Rules.Tuned.PragmaInterval[i]; !near(got, want) {
			t.Errorf("PRAGMA in %v, of single rows %v", *two.Rules.Tuned.PragmaInterval, *one.Rules.Tuned.PragmaInterval)
		}
		if a, b := two.Rules.Tuned.Classes["yes"].RecallInterval[i], one.Rules.Tuned.Classes["yes"].RecallInterval[i]; !near(a, b) {
			t.Errorf("recall at %v, of single rows %v", a, b)
		}
	}
	if !near(one.Gain.StandardError, two.Gain.StandardError) {
		t.Errorf("standard errors %v and %v", one.Gain.StandardError, two.Gain.StandardError)
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

// The interval of a share holds the true one 95 times of 100 where rows of a group are alike: of 30 % of all rows hits, 20 to 40 % of those of most groups. By the normal quantile
// alone it does so 89 times for 3 groups, and 91 for 5.
func TestCoverageOfGroups(t *testing.T) {
	const times, rows = 4000, 30
	rng := rand.New(rand.NewPCG(1, 2))
	for _, groups := range []int{3, 5, 20} {
		held := 0
		for range times {
			var b basis
			hits := 0.0
			for g := range groups {
				share := min(max(0.3+0.1*rng.NormFloat64(), 0), 1)
				for range rows {
					hit := rng.Float64() < share
					b.kish.Add(1, 1)
					b.join(g, 1, hit)
					if hit {
						hits++
					}
				}
			}
			all := float64(groups * rows)
			_, interval := share(hits, all, &b, 1)
			if interval[0] <= 0.3 && 0.3 <= interval[1] {
				held++
			}
		}
		t.Logf("%d groups: %d of %d", groups, held, times)
		if part := float64(held) / times; part < 0.94 || part > 0.985 {
			t.Errorf("%d groups: the interval holds the share %d times of %d", groups, held, times)
		}
	}
}

// Where all groups are alike, others like them would give the same figures: no resample can lose what each group has. 30 groups of 20 rows, one of them missed in each.
func TestGroupsComeWhole(t *testing.T) {
	var groups [][]weighed
	for range 30 {
		groups = append(groups, []weighed{{cell{0, 1, 0}, 1}, {cell{1, 1, 1}, 19}})
	}
	resampleGroups([]string{"ill", "well"}, groups, rand.New(rand.NewPCG(1, 2)), 50, func(a, b *vote.Confusion) {
		if a.At(0, 1) != 30 || a.At(1, 1) != 570 || b.At(0, 0) != 30 || b.At(1, 1) != 570 || a.Total() != 600 || b.Total() != 600 {
			t.Fatalf("%v and %v", a.Rows(), b.Rows())
		}
	})
}

// A share of groups drawn anew has the standard error of their mean: the shares 0, ⅓, ⅔ and 1 have the variance 5/36.
func TestResampleGroups(t *testing.T) {
	var groups [][]weighed
	for g := range 40 {
		groups = append(groups, []weighed{{cell{0, 0, 0}, float64(g % 4)}, {cell{0, 1, 1}, float64(3 - g%4)}})
	}
	var recalls []float64
	resampleGroups([]string{"ill", "well"}, groups, rand.New(rand.NewPCG(1, 2)), 4000, func(a, _ *vote.Confusion) {
		recall, _ := a.Recall(0)
		recalls = append(recalls, recall)
	})
	if got, want := deviation(recalls), math.Sqrt(5.0/36/40); math.Abs(got/want-1) > 0.04 {
		t.Errorf("standard error %v, want %v", got, want)
	}
}

// Of few groups there is neither an interval of PRAGMA nor a standard error; of ten there are both.
func TestNoiseOfFewGroups(t *testing.T) {
	for _, groups := range []int{4, 9, FewGroups} {
		f, c := frame(), config(t)
		for i := range f.Truth {
			f.Group, c.FoldOf = append(f.Group, i%groups), append(c.FoldOf, i%2)
		}
		r := crossValidated(t, f, c)
		if r.Groups != groups || (r.Gain != nil) != (groups == FewGroups) || (r.Rules.Tuned.PragmaInterval != nil) != (groups == FewGroups) {
			t.Errorf("%d groups: %d, gain %v, interval %v", groups, r.Groups, r.Gain, r.Rules.Tuned.PragmaInterval)
		}
	}
}
