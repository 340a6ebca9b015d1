package anneal

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// crowded returns a table of so many rows of each class, the first of which takes most votes of all rows, so that
// others need larger weights to be found.
func crowded(seed uint64, rows ...int) *vote.Table {
	rng, k, all := rand.New(rand.NewPCG(seed, 17)), len(rows), 0
	for _, n := range rows {
		all += n
	}
	t := &vote.Table{Source: vote.CV, Trees: 60}
	for c, n := range rows {
		t.Classes = append(t.Classes, string(rune('a'+c)))
		t.Share = append(t.Share, float64(n)/float64(all))
		for range n {
			votes := make([]uint32, k)
			for range t.Trees {
				switch u := rng.Float64(); {
				case u < 0.3:
					votes[c]++
				case u < 0.95:
					votes[0]++
				default:
					votes[rng.IntN(k)]++
				}
			}
			t.Truth, t.Counts = append(t.Truth, c), append(t.Counts, votes...)
		}
	}
	return t
}

func weightsOf(t *testing.T, s Search, table *vote.Table) Result {
	t.Helper()
	r, err := s.Weights(t.Context(), table, pragma.Balanced)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Classes of fewer than 20 rows share one number: by the balanced measure a row of a class of n rows costs 1/n, so
// the logarithms of their weights are in proportion to those of how many times the most common class has as many
// rows.
func TestFewRowsShare(t *testing.T) {
	rows := []int{400, 200, 12, 19, 6}
	table := crowded(1, rows...)
	r := weightsOf(t, Search{Seed: 3}, table)
	if want := []Origin{One, ownWeight, Shared, Shared, Shared}; !slices.Equal(r.Origins, want) {
		t.Fatalf("origins %v, want %v; weights %v, warnings %v", r.Origins, want, r.Weights, r.Warnings)
	}
	power := func(c int) float64 { return math.Log(r.Weights[c]) / math.Log(400/float64(rows[c])) }
	for c := 2; c < 5; c++ {
		if p := power(c); !near(p, power(2)) || p <= 0 || p > 1 {
			t.Errorf("class %d has the weight %v: its power is %v, that of class 2 %v", c, r.Weights[c], p, power(2))
		}
	}
	if near(power(1), power(2)) {
		t.Errorf("the weight of 200 rows, %v, follows from the same number", r.Weights[1])
	}
}

// From 20 rows on a class has a weight of its own.
func TestEnoughRowsDoNotShare(t *testing.T) {
	r := weightsOf(t, Search{Seed: 3}, crowded(2, 400, 200, 20, 40))
	if slices.Contains(r.Origins, Shared) || r.Origins[2] == One {
		t.Errorf("origins %v", r.Origins)
	}
}

// The weights and where they come from are the same whatever the order and the names of the classes.
func TestFewRowsOfTurnedClasses(t *testing.T) {
	table := crowded(3, 300, 150, 10, 80)
	a, b := weightsOf(t, Search{Seed: 5}, table), weightsOf(t, Search{Seed: 5}, reversed(table))
	slices.Reverse(b.Weights)
	slices.Reverse(b.Origins)
	if !slices.Equal(a.Weights, b.Weights) || !slices.Equal(a.Origins, b.Origins) || !slices.Contains(a.Origins, Shared) {
		t.Errorf("weights %v from %v, of reversed classes %v from %v", a.Weights, a.Origins, b.Weights, b.Origins)
	}
}

// Groups count, not their rows: 60 rows of 12 groups are few.
func TestFewGroupsShare(t *testing.T) {
	table := crowded(4, 400, 200, 60)
	for i := range table.Truth {
		table.Group = append(table.Group, i/5)
	}
	if r := weightsOf(t, Search{Seed: 3}, table); r.Origins[2] != Shared || r.Origins[1] == Shared {
		t.Errorf("origins %v of 80, 40 and 12 groups", r.Origins)
	}
}

// Where nothing is proven all weights share one number, or are 1; where weights are not chosen carefully, or are a
// single one, nothing is said.
func TestOrigins(t *testing.T) {
	few := crowded(5, 60, 12, 8)
	for _, tc := range []struct {
		name  string
		s     Search
		table *vote.Table
		want  []Origin
	}{
		{"two classes", Search{}, crowded(6, 60, 12), nil},
		{"lowest", Search{Choice: Lowest}, few, nil},
		{"floors", Search{Floors: []pragma.Floor{{Class: 1, What: pragma.RecallFloor, Limit: 0.1}}}, few,
			[]Origin{One, ownWeight, ownWeight}},
	} {
		if r := weightsOf(t, tc.s, tc.table); !slices.Equal(r.Origins, tc.want) {
			t.Errorf("%s: origins %v, want %v", tc.name, r.Origins, tc.want)
		}
	}
	given, err := Search{}.Judge(t.Context(), few, pragma.Balanced, vote.Weights{1, 2, 3})
	if err != nil || given.Origins != nil {
		t.Errorf("given weights have origins %v (%v)", given.Origins, err)
	}
	unproven := 0
	for seed := range uint64(30) {
		r := weightsOf(t, Search{Seed: seed}, votesOf(rand.New(rand.NewPCG(seed, 7)), 60, 4, 0.3))
		if !slices.ContainsFunc(r.Warnings, func(w error) bool { return errors.Is(w, ErrUnproven) }) {
			continue
		}
		unproven++
		for c, o := range r.Origins {
			if (o == One) != (r.Weights[c] == 1) || o != One && o != Shared {
				t.Errorf("seed %d: unproven weights %v come from %v", seed, r.Weights, r.Origins)
			}
		}
	}
	if unproven < 5 {
		t.Errorf("only %d of 30 tables prove nothing", unproven)
	}
}

func TestOriginText(t *testing.T) {
	all := []Origin{One, ownWeight, Shrunk, Shared}
	text, err := json.Marshal(all)
	if want := `["one","own","shrunk","shared"]`; err != nil || string(text) != want {
		t.Errorf("%s (%v), want %s", text, err, want)
	}
	var back []Origin
	if err := json.Unmarshal(text, &back); err != nil || !slices.Equal(back, all) {
		t.Errorf("%v (%v)", back, err)
	}
	if err := json.Unmarshal([]byte(`["mine"]`), &back); !errors.Is(err, ErrSetting) {
		t.Errorf("a name that is none: error %v", err)
	}
	if got := Origin(9).String(); got != "Origin(9)" {
		t.Error(got)
	}
}
