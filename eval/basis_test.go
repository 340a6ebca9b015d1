package eval

import (
	"errors"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
)

// By hand: of "yes" the rows with 2 and 4 votes are one group, A, those with 6 and 8 another, B. All but the first are found, p = ¾: A has 1 of 2, B 2 of 2,
// so v = 2/1·((1−1½)² + (2−1½)²)/4² = 1/16, and n = (3/16)/v = 3 instead of 4. Decided as "yes" are those with 4, of A, 6 and 8, and a row
// of "no", alone in its group: p = ¾ again, v = 3/2·((0−¾)² + (1−¾)² + (2−1½)²)/4² = 21/256, n = 16/7.
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
		}{"recall": {got.RecallInterval, 3}, "precision": {got.PrecisionInterval, 16.0 / 7}} {
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
		{"wholly alike: of p = ½ it is the number of groups less one", []row{{1, 1, true}, {1, 1, true}, {2, 1, false}, {2, 1, false}}, 1},
		{"a row of no weight", []row{{1, 2, true}, {1, 2, true}, {2, 2, false}, {2, 2, false}, {3, 0, true}}, 1},
	} {
		for _, unit := range []float64{1, 0x1p-600, 0x1p+900} {
			for _, repeats := range []int{1, 3} {
				var b basis
				hits, all := 0.0, 0.0
				for _, r := range slices.Repeat(tc.rows, repeats) {
					b.add(r.weight * unit)
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
