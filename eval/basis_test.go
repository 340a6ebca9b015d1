package eval

import (
	"errors"
	"math/rand/v2"
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
	table.Group = f.Group
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
	table.Group = table.Group[1:]
	if _, err := Evaluate(t.Context(), table, oracle{f.Classes, Shares(f), nil}, c); !errors.Is(err, ErrConfig) {
		t.Errorf("too few groups: error %v", err)
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

// The interval of a share holds the true one 95 times of 100 where rows of a group are alike: of 30 % of all rows hits, 20 to 40 % of those of most groups. By the normal quantile
// alone it does so 89 times for 3 groups, and 91 for 5.
func TestCoverageOfGroups(t *testing.T) {
	const times, rows = 4000, 30
	rng := rand.New(rand.NewPCG(1, 2))
	for _, groups := range []int{3, 5, 20} {
		held := 0
		for range times {
			var b vote.Basis
			hits := 0.0
			for g := range groups {
				share := min(max(0.3+0.1*rng.NormFloat64(), 0), 1)
				for range rows {
					hit := rng.Float64() < share
					b.Add(1, 1)
					b.Join(g, 1, hit)
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

// Of few groups there is neither an interval of PRAGMA nor a standard error; of ten there are both.
func TestNoiseOfFewGroups(t *testing.T) {
	for _, groups := range []int{4, 9, vote.FewGroups} {
		f, c := frame(), config(t)
		for i := range f.Truth {
			f.Group, c.FoldOf = append(f.Group, i%groups), append(c.FoldOf, i%2)
		}
		r := crossValidated(t, f, c)
		if r.Groups != groups || (r.Gain != nil) != (groups == vote.FewGroups) || (r.Rules.Tuned.PragmaInterval != nil) != (groups == vote.FewGroups) {
			t.Errorf("%d groups: %d, gain %v, interval %v", groups, r.Groups, r.Gain, r.Rules.Tuned.PragmaInterval)
		}
	}
}
