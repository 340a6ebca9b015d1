package eval

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/effective"
)

// told is how many of four rows groups tell of, see [effective.Share]: pq is p(1−p), s the sum of their squared
// parts, t Student's quantile of 1/s−1 degrees of freedom.
func told(pq, v, s, t float64) float64 {
	return (pq + 1.0/8) / (v + s/8) * (calib.Z95 / t) * (calib.Z95 / t)
}

// By hand: of "yes" the rows with 2 and 4 votes are one group, A, those with 6 and 8 another, B. All but the first
// are found, p = ¾: A has 1 of 2, B 2 of 2, so S = ½ and v = ((1−1½)² + (2−1½)²)/(1−S)/4² = 1/16, with Student's t
// of 1 degree of freedom. Decided as "yes" are those with 4, of A, 6 and 8, and a row of "no", alone in its group:
// p = ¾ again, S = (1 + 4 + 1)/4², v = ((0−¾)² + (1−¾)² + (2−1½)²)/(1−S)/4² = 7/80, with that of 5/3.
func TestIntervalOfGroups(t *testing.T) {
	f, c := frame(), config(t)
	c.Folds = 0 // FoldOf gives them
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
		}{"recall": {got.RecallInterval, told(3.0/16, 1.0/16, 1.0/2, 17.595185747612327)},
			"precision": {got.PrecisionInterval, told(3.0/16, 7.0/80, 3.0/8, 5.619145014378194)}} {
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

// Each row twice, in a group of its own, is no more than the row: neither a loss nor what tuning gains is surer. (A
// recall is by what is mixed in, half a hit of twice the rows.)
func TestNoiseOfGroups(t *testing.T) {
	run := func(times int) *Report {
		f, c := frame(), config(t)
		c.Folds = 0 // FoldOf gives them
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
		if a, b := two.Rules.Tuned.Classes["yes"].RecallInterval[i],
			one.Rules.Tuned.Classes["yes"].RecallInterval[i]; math.Abs(a-b) > 0.005 {
			t.Errorf("recall at %v, of single rows %v", a, b)
		}
	}
	if !near(one.Gain.StandardError, two.Gain.StandardError) {
		t.Errorf("standard errors %v and %v", one.Gain.StandardError, two.Gain.StandardError)
	}
}

// The interval of a share holds the true one 94 times of 100 or more where rows of a group are alike, also of few
// groups, and of groups of unequal weight, which tell as much as fewer equal ones. Of nine hits in ten of rows that
// are much alike the groups that have others are too few to say so: there it is 90 at least. With unequal groups
// counted as equal ones, and nothing mixed in, it is 54 to 97.
func TestCoverageOfGroups(t *testing.T) {
	const times = 2000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, sizes := range [][]int{{30}, {10, 20, 40, 80}, {3, 60, 3}} {
		for _, groups := range []int{4, 5, 8, 20, 50} {
			for _, p := range []float64{0.5, 0.9} {
				for _, alike := range []float64{0.05, 0.15, 0.3} {
					held, wide := 0, 0.0
					for range times {
						interval := ofGroups(sizes, groups, p, alike, rng)
						wide += (interval[1] - interval[0]) / times
						if interval[0] <= p && p <= interval[1] {
							held++
						}
					}
					t.Logf("%d groups of %v, %v hits, correlation %v: %d of %d, %.2f wide", groups, sizes, p, alike, held, times, wide)
					least := 0.935
					if p == 0.9 && alike == 0.3 {
						least = 0.9
					}
					if part := float64(held) / times; part < least || groups >= 20 && part > 0.98 {
						t.Errorf("%d groups of %v, %v hits, correlation %v: %d of %d", groups, sizes, p, alike, held, times)
					}
				}
			}
		}
	}
}

// ofGroups returns the interval of a share p of hits among rows of which those of a group are alike with an
// intraclass correlation, as draws from an urn of its own are (Pólya): its share of hits is beta distributed.
func ofGroups(sizes []int, groups int, p, alike float64, rng *rand.Rand) [2]float64 {
	var b effective.Share
	hits, all := 0.0, 0.0
	for g := range groups {
		its, urn := 0.0, (1-alike)/alike
		weight := float64(sizes[g%len(sizes)])
		for drawn := range sizes[g%len(sizes)] {
			if rng.Float64()*(urn+float64(drawn)) < p*urn+its {
				its++
			}
		}
		b.Add(weight, 1)
		b.JoinPart(g, weight, its)
		hits, all = hits+its, all+weight
	}
	_, interval := share(hits, all, &b, 1)
	return *interval
}

// Of few groups there is neither an interval of PRAGMA nor a standard error; of ten there are both.
func TestNoiseOfFewGroups(t *testing.T) {
	for _, groups := range []int{4, 9, effective.FewGroups} {
		f, c := frame(), config(t)
		c.Folds = 0 // FoldOf gives them
		for i := range f.Truth {
			f.Group, c.FoldOf = append(f.Group, i%groups), append(c.FoldOf, i%2)
		}
		r := crossValidated(t, f, c)
		if r.Groups != groups || (r.Gain != nil) != (groups == effective.FewGroups) ||
			(r.Rules.Tuned.PragmaInterval != nil) != (groups == effective.FewGroups) {
			t.Errorf("%d groups: %d, gain %v, interval %v", groups, r.Groups, r.Gain, r.Rules.Tuned.PragmaInterval)
		}
	}
}

// Twelve groups of which one has 9 of 20 rows, and each other a single one, are few: they come to 20²/(9² + 11)
// equal ones.
func TestNoiseOfUnequalGroups(t *testing.T) {
	f, c := frame(), config(t)
	c.Folds = 0 // FoldOf gives them
	for i := range f.Truth {
		f.Group, c.FoldOf = append(f.Group, max(0, i-8)), append(c.FoldOf, i%2)
	}
	r := crossValidated(t, f, c)
	if r.Groups != 12 || math.Abs(r.EffectiveGroups-400.0/92) > 1e-9 || r.Gain != nil ||
		r.Rules.Tuned.PragmaInterval != nil {
		t.Errorf("%d groups, effectively %v; gain %v, interval %v", r.Groups, r.EffectiveGroups, r.Gain,
			r.Rules.Tuned.PragmaInterval)
	}
}
