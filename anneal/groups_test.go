package anneal

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// repeated returns a table with each row so many times, in a group of its own.
func repeated(table *vote.Table, times int) *vote.Table {
	var rows []int
	for i := range times * table.Rows() {
		rows = append(rows, i%table.Rows())
	}
	t := table.Take(rows)
	t.Group = rows
	return t
}

// Each row five times, in a group of its own, says no more of new rows than the row: the loss to expect is as
// uncertain, and so is each recall. Five times as many rows of their own would know it better, by √5.
func TestTryOfGroups(t *testing.T) {
	race.SkipFigures(t)
	for _, k := range []int{2, 4} {
		single := votesOf(rand.New(rand.NewPCG(3, 66)), 200, k, 0.15)
		grouped := repeated(single, 5)
		loose := *grouped
		loose.Group = nil
		var trials []Trial
		for _, table := range []*vote.Table{single, grouped, &loose} {
			trial, err := Search{}.Try(t.Context(), table, pragma.Balanced)
			if err != nil {
				t.Fatal(err)
			}
			trials = append(trials, trial)
		}
		one, group, row := trials[0], trials[1], trials[2]
		width := func(r Trial) float64 { return r.Recall[0][1] - r.Recall[0][0] }
		if r := group.Error / one.Error; group.Groups != 200 || one.Groups != 0 || r < 0.7 || r > 1.4 ||
			row.Error > 0.7*one.Error {
			t.Errorf("%d classes: standard errors %v of rows, %v of %d groups, %v of as many rows", k, one.Error, group.Error,
				group.Groups, row.Error)
		}
		if r := width(group) / width(one); r < 0.8 || r > 1.25 || width(row) > 0.7*width(one) {
			t.Errorf("%d classes: recall within %v of rows, %v of groups, %v of as many rows", k, one.Recall[0], group.Recall[0],
				row.Recall[0])
		}
		if math.Abs(group.Plain-one.Plain) > 1e-12 || math.Abs(group.Confusion.Total()-1000) > 1e-9 {
			t.Errorf("%d classes: plain %v and %v, %v rows judged", k, one.Plain, group.Plain, group.Confusion.Total())
		}
	}
}

// Groups are dealt and drawn whole, whatever their rows weigh; there are as many parts as groups where these are
// few, and rows of a single group are rows of their own.
func TestGroupsStayWhole(t *testing.T) {
	race.SkipFigures(t)
	for _, groups := range []int{2, 3, 7, 40} {
		table := votesOf(rand.New(rand.NewPCG(5, 66)), 160, 3, 0.3)
		for i := range table.Rows() {
			table.Group, table.Weight = append(table.Group, 100*(i%groups)), append(table.Weight, float64(1+i%4))
		}
		f, err := Search{}.prepare(table, pragma.Balanced)
		if err != nil {
			t.Fatal(err)
		}
		s := newSample(f.problem, table)
		dealt, err := s.deal(1)
		if err != nil || len(dealt) != min(parts, groups) {
			t.Fatalf("%d groups: %d parts, error %v", groups, len(dealt), err)
		}
		whole := func(what string, weights []float64) (held int) {
			times := map[int]float64{}
			for i, g := range s.group {
				n := weights[i] / s.weight[i]
				if was, known := times[g]; known && was != n || n != math.Trunc(n) {
					t.Errorf("%d groups: %s: rows of one come %v and %v times", groups, what, was, n)
				}
				times[g] = n
			}
			for _, n := range times {
				held += int(n)
			}
			return held
		}
		all := 0
		for _, part := range dealt {
			all += whole("dealt", part)
		}
		if drawn := whole("drawn", s.resampled(rand.New(rand.NewPCG(1, 2))).weight); all != groups || drawn != groups {
			t.Errorf("%d groups: %d dealt, %d drawn", groups, all, drawn)
		}
		trial, err := Search{}.Try(t.Context(), table, pragma.Balanced)
		if err != nil || trial.Groups != groups {
			t.Errorf("%d groups: a trial of %d, error %v", groups, trial.Groups, err)
		}
		for _, search := range []Search{{}, {Choice: Lowest}} {
			if _, err := search.Weights(t.Context(), table, pragma.Balanced); err != nil {
				t.Errorf("%d groups: %v", groups, err)
			}
		}
	}
	table := votesOf(rand.New(rand.NewPCG(5, 66)), 100, 2, 0.3)
	want, err := Search{}.Try(t.Context(), table, pragma.Balanced)
	if err != nil {
		t.Fatal(err)
	}
	table.Group = slices.Repeat([]int{4}, table.Rows())
	if got, err := (Search{}).Try(t.Context(), table, pragma.Balanced); err != nil || got.Groups != 0 ||
		math.Abs(got.Error-want.Error) > 0.3*want.Error {
		t.Errorf("a single group: %+v, error %v; as single rows %+v", got, err, want)
	}
}

// What groups do not tell by themselves is not proven: votes that three weights seem to gain on, all in few
// customers, keep the plain vote or one number.
func TestWeightsOfGroupsMustProve(t *testing.T) {
	race.SkipFigures(t)
	single := votesOf(rand.New(rand.NewPCG(8, 66)), 40, 4, 0.15)
	grouped := repeated(single, 25)
	loose := *grouped
	loose.Group = nil
	m := pragma.Balanced
	found, err := Search{}.Weights(t.Context(), grouped, m)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Search{}.Weights(t.Context(), &loose, m)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Warnings) <= len(rows.Warnings) {
		t.Errorf("of groups %v, %v; of as many rows %v, %v", found.Weights, found.Warnings, rows.Weights, rows.Warnings)
	}
}
