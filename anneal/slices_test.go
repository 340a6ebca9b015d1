package anneal_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// sliced returns a random table of two slices, which may share rows, and floors of which one at least is of a slice.
func sliced(rng *rand.Rand, k int) (*vote.Table, []pragma.Floor) {
	t := random(rng, 14, k, 1+rng.IntN(9))
	names := []vote.Slice{{Column: "region", Value: "north"}, {Column: "sex", Value: ""}}
	in := make([]uint64, t.Rows())
	for i := range in {
		in[i] = rng.Uint64N(4)
	}
	t.Slices, t.In = names, in
	figures := []pragma.Figure{pragma.RecallFloor, pragma.PrecisionFloor, pragma.FalseAlarms, pragma.Alerts}
	var floors []pragma.Floor
	for i := range 1 + rng.IntN(3) {
		f := pragma.Floor{Class: rng.IntN(k), What: figures[rng.IntN(4)], Limit: float64(rng.IntN(11)) / 10}
		if i == 0 || rng.IntN(2) == 0 {
			f.Slice = names[rng.IntN(2)]
		}
		floors = append(floors, f)
	}
	return t, floors
}

// byHand decides the rows of t one by one, and counts them anew for each floor: by how much the floors are missed, and
// the loss.
func byHand(t *vote.Table, w vote.Weights, floors []pragma.Floor, m pragma.Measure) (missing, loss float64) {
	rule := t.Rule(w)
	count := func(of vote.Slice) *vote.Confusion {
		c, at := vote.NewConfusion(t.Classes), slices.Index(t.Slices, of)
		for i, votes := range t.Judged() {
			if at < 0 || t.In[i]&(1<<at) != 0 {
				c.Add(t.Truth[i], rule.Decide(votes), t.WeightOf(i))
			}
		}
		return c
	}
	for _, f := range floors {
		of := count(f.Slice)
		f.Slice = vote.Slice{}
		missing += f.Missing(of)
	}
	return missing, m.Loss(count(vote.Slice{}))
}

// weightsOf are weights below, above and between all that decide rows of two or three classes otherwise.
func weightsOf(t *vote.Table) []vote.Weights {
	ratio := func(a, b int, at float64) []float64 {
		out := []float64{1e-12, 1e12}
		for _, v := range t.Judged() {
			if v[a] > 0 && v[b] > 0 {
				out = append(out, at*float64(v[a])/float64(v[b]))
			}
		}
		return out
	}
	between := func(cuts []float64) []float64 {
		slices.Sort(cuts)
		var out []float64
		for i := 1; i < len(cuts); i++ {
			out = append(out, math.Sqrt(cuts[i-1])*math.Sqrt(cuts[i]))
		}
		return append(out, 1)
	}
	var out []vote.Weights
	xs := ratio(0, 1, 1)
	if len(t.Classes) == 3 { // where two rows turn to the third class in another order
		for _, b := range ratio(0, 2, 1)[2:] {
			for _, c := range ratio(1, 2, 1)[2:] {
				xs = append(xs, b/c)
			}
		}
	}
	for _, x := range between(xs) {
		if len(t.Classes) == 2 {
			out = append(out, vote.Weights{1, x})
			continue
		}
		for _, y := range between(append(ratio(0, 2, 1), ratio(1, 2, x)...)) {
			out = append(out, vote.Weights{1, x, y})
		}
	}
	return out
}

// Floors of slices are kept, or come near to, as well as any weights can.
func TestSlicesAreBruteForce(t *testing.T) {
	for _, tc := range []struct{ classes, tables int }{{2, 2000}, {3, 150}} {
		kept, missed := 0, 0
		for seed := uint64(0); kept+missed < tc.tables; seed++ {
			rng := rand.New(rand.NewPCG(seed, 71))
			table, floors := sliced(rng, tc.classes)
			if !tunable(table) {
				continue
			}
			m := measures(t, rng, table.Classes)[[]string{"pragma", "f1", "cost"}[seed%3]]
			s := anneal.Search{Choice: anneal.Lowest, Floors: floors}
			r, err := s.Weights(t.Context(), table, m)
			if err != nil && !errors.Is(err, anneal.ErrFloors) {
				t.Fatal(err)
			}
			missing, loss := byHand(table, r.Weights, floors, m)
			least, lowest := byHand(table, nil, floors, m)
			for _, w := range weightsOf(table) {
				if a, b := byHand(table, w, floors, m); a < least-1e-12 || a < least+1e-12 && b < lowest {
					least, lowest = a, b
				}
			}
			if !near(missing, least) || missing == 0 && !near(loss, lowest) || (missing > 0) != (err != nil) {
				t.Fatalf("%d classes, seed %d, %v: missing %v, loss %v (%v), brute force finds %v, %v", tc.classes, seed, floors,
					missing, loss, err, least, lowest)
			}
			if missing > 0 {
				missed++
			} else {
				kept++
			}
		}
		if kept < tc.tables/10 || missed < tc.tables/10 {
			t.Errorf("%d classes: floors are kept on %d tables and not on %d; the test needs many of both", tc.classes, kept,
				missed)
		}
	}
}

// Of four classes no search is exact: what it finds is counted right, and the careful choice keeps what can be kept.
func TestSlicesOfFourClasses(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 72))
		table, floors := sliced(rng, 4)
		if !tunable(table) {
			continue
		}
		m := measures(t, rng, table.Classes)["cost"]
		r, err := anneal.Search{Floors: floors, Steps: 500}.Weights(t.Context(), table, m)
		missing, loss := byHand(table, r.Weights, floors, m)
		if (missing > 0) != errors.Is(err, anneal.ErrFloors) || missing == 0 && (err != nil || !near(loss, r.Loss)) {
			t.Fatalf("seed %d: missing %v, loss %v, by hand; the search says %v, %v", seed, missing, loss, r.Loss, err)
		}
	}
}

func TestSlicesUnknown(t *testing.T) {
	table := two([3]int{0, 2, 8}, [3]int{1, 1, 9})
	floor := pragma.Floor{What: pragma.RecallFloor, Limit: 0.5, Slice: vote.Slice{Column: "region", Value: "north"}}
	_, err := anneal.Search{Floors: []pragma.Floor{floor}}.Weights(t.Context(), table, pragma.Accuracy)
	const want = `the votes do not tell which rows have "north" in column "region"`
	if !errors.Is(err, anneal.ErrSetting) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
}

// A floor that few rows tell of is kept by chance.
func TestSlicesOfFewRows(t *testing.T) {
	table := two([3]int{0, 2, 8}, [3]int{1, 1, 9}, [3]int{0, 3, 7})
	north := vote.Slice{Column: "region", Value: "north"}
	table.Slices, table.In = []vote.Slice{north}, []uint64{1, 1, 0}
	floor := pragma.Floor{What: pragma.RecallFloor, Limit: 0.5, Slice: north}
	r, err := anneal.Search{Floors: []pragma.Floor{floor}}.Weights(t.Context(), table, pragma.Accuracy)
	if err != nil {
		t.Fatal(err)
	}
	const want = "ill:recall>=0.5@region=north is counted on few rows, 1 instead of at least 50: it may be kept by chance; " +
		"more rows would help"
	if !slices.ContainsFunc(r.Warnings, func(w error) bool { return w.Error() == want }) {
		t.Errorf("warnings %v, want %s", r.Warnings, want)
	}
}
