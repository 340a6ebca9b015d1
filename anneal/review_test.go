package anneal

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// zoneTable draws votes of few trees, so that brute force is quick; weights are whole, so that sums are exact.
func zoneTable(rng *rand.Rand, k int) *vote.Table {
	n, trees := 2+rng.IntN(40), 3+rng.IntN(12)
	t := &vote.Table{Classes: []string{"a", "b", "c", "d"}[:k], Source: vote.Holdout, Trees: trees}
	weighed := rng.IntN(2) == 0
	for i := range n {
		truth := rng.IntN(k)
		if i < k {
			truth = i // all classes come
		}
		votes := make([]uint32, k)
		for range trees {
			if rng.IntN(3) == 0 {
				votes[truth]++
			} else {
				votes[rng.IntN(k)]++
			}
		}
		t.Truth, t.Counts = append(t.Truth, truth), append(t.Counts, votes...)
		if weighed {
			t.Weight = append(t.Weight, float64(1+rng.IntN(3)))
		}
	}
	return t
}

// zoneLoss judges a zone row by row: who looks at a row is right, and costs.
func zoneLoss(t *vote.Table, m pragma.Measure, floors []pragma.Floor, w vote.Weights, margin float64, r Review) (
	loss, reviewed float64) {
	rule, all := t.Rule(w), vote.NewConfusion(t.Classes)
	total, alarms := 0.0, make([]float64, len(t.Classes))
	for i, truth := range t.Truth {
		votes, weight := t.Votes(i), t.WeightOf(i)
		total += weight
		first, second, times := rule.TopTwo(votes)
		if times < margin && (len(t.Classes) == 2 || r.Class < 0 || first == r.Class || second == r.Class) {
			reviewed += weight
			all.Add(truth, truth, weight)
			continue
		}
		all.Add(truth, first, weight)
		alarms[first] += weight
	}
	missing := 0.0
	for _, f := range floors {
		if f.What == pragma.Alerts {
			missing += max(0, alarms[f.Class]/total-f.Limit)
		} else {
			missing += f.Missing(all)
		}
	}
	if loss = m.Loss(all) + r.Cost*reviewed/total; missing > 0 {
		loss = 1e300 * (1 + missing)
	}
	return loss, reviewed / total
}

// The zone found equals brute force on 2,000 random tables: of two classes over all pairs of thresholds between, below
// and above the ratios of votes, of more over all margins.
func TestZoneEqualsBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 15))
	kept := 0
	for trial := range 2000 {
		k := 2
		if trial%4 == 3 {
			k = 3 + rng.IntN(2)
		}
		table := zoneTable(rng, k)
		r := Review{Share: rng.Float64() * 0.6, Class: -1}
		m, err := pragma.Spec{"a": {Theta: 1 + 5*rng.Float64(), X: rng.Float64(), Y: rng.Float64()}}.Measure(table.Classes)
		if err != nil {
			t.Fatal(err)
		}
		if trial%2 == 1 {
			matrix := make([][]float64, k)
			for i := range matrix {
				for j := range k {
					matrix[i] = append(matrix[i], float64(rng.IntN(9)))
					if i == j {
						matrix[i][j] = 0
					}
				}
			}
			matrix[0][1]++
			if m, err = (pragma.Costs{Matrix: matrix}).Measure(); err != nil {
				t.Fatal(err)
			}
			r.Cost = 2 * rng.Float64()
		}
		var floors []pragma.Floor
		if rng.IntN(3) == 0 {
			what := []pragma.Figure{pragma.RecallFloor, pragma.Alerts}[rng.IntN(2)]
			floors = append(floors, pragma.Floor{Class: rng.IntN(k), What: what, Limit: rng.Float64()})
		}
		w := make(vote.Weights, k)
		for c := range w {
			w[c] = math.Exp(rng.NormFloat64() / 2)
		}
		if k > 2 && rng.IntN(2) == 0 {
			r.Class = rng.IntN(k)
		}
		got, err := Search{Floors: floors}.Zone(context.Background(), table, m, w, r)
		if err != nil && !errors.Is(err, ErrFloors) {
			t.Fatal(err)
		}
		if err == nil && len(floors) > 0 {
			kept++
		}
		loss, reviewed := zoneLoss(table, m, floors, got.Weights, got.Margin, r)
		if !same(loss, got.Loss) || math.Abs(reviewed-got.Reviewed) > 1e-9 || reviewed > r.Share+1e-9 {
			t.Fatalf("trial %d: %+v, judged row by row %v with %v of the rows", trial, got, loss, reviewed)
		}
		want, few := bruteZone(table, m, floors, w, r)
		if !same(want, got.Loss) || math.Abs(few-got.Reviewed) > 1e-9 {
			t.Fatalf("trial %d, %d classes: %+v, by brute force %v with %v of the rows", trial, k, got, want, few)
		}
	}
	if kept < 100 {
		t.Errorf("floors are kept in %d trials", kept)
	}
}

// bruteZone tries all cuts, or margins, and returns the lowest loss with the least reviewed.
func bruteZone(t *vote.Table, m pragma.Measure, floors []pragma.Floor, w vote.Weights, r Review) (loss, reviewed float64) {
	loss = math.Inf(1)
	try := func(w vote.Weights, margin float64) {
		l, share := zoneLoss(t, m, floors, w, margin, r)
		if share <= r.Share+1e-9 && (better(l, loss) || same(l, loss) && share < reviewed-1e-9) {
			loss, reviewed = l, share
		}
	}
	var at []float64 // ratios, or margins
	for i := range t.Truth {
		votes := t.Votes(i)
		if len(t.Classes) > 2 {
			_, _, times := t.Rule(w).TopTwo(votes)
			at = append(at, times)
		} else if votes[0] > 0 && votes[1] > 0 {
			at = append(at, float64(votes[1])/float64(votes[0]))
		}
	}
	slices.Sort(at)
	at = slices.CompactFunc(at, same)
	var cuts []float64
	for i, a := range at {
		if math.IsInf(a, 1) {
			continue
		}
		if i == 0 {
			cuts = append(cuts, a*0.99)
		}
		next := a * 1.01
		if i+1 < len(at) && !math.IsInf(at[i+1], 1) {
			next = (a + at[i+1]) / 2
		}
		cuts = append(cuts, next)
	}
	if len(t.Classes) > 2 {
		try(w, 1)
		for _, margin := range cuts {
			try(w, margin)
		}
		return loss, reviewed
	}
	if cuts == nil {
		try(vote.Weights{1, 1}, 1)
	}
	for i, lower := range cuts {
		for _, upper := range cuts[i:] {
			try(vote.Weights{math.Sqrt(lower * upper), 1}, math.Sqrt(upper/lower))
		}
	}
	return loss, reviewed
}

// More distinct ratios than are tried one by one still give a zone within its share, and nearly the lowest loss.
func TestZoneOfManyRatios(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	table := &vote.Table{Classes: []string{"a", "b"}, Source: vote.External, Scores: true}
	for range 20_000 {
		truth := rng.IntN(2)
		p := 1 / (1 + math.Exp(rng.NormFloat64()-2*float64(truth)+1))
		v := uint32(1e6 * p)
		table.Truth, table.Counts = append(table.Truth, truth), append(table.Counts, 1e6-v, v)
	}
	m, err := pragma.Costs{Matrix: [][]float64{{0, 1}, {1, 0}}}.Measure()
	if err != nil {
		t.Fatal(err)
	}
	z, err := Search{}.Zone(context.Background(), table, m, nil, Review{Share: 0.1, Class: -1})
	if err != nil || z.Reviewed > 0.1 || z.Reviewed < 0.09 {
		t.Fatalf("%+v, %v", z, err)
	}
	single, err := Search{Choice: Lowest}.Weights(context.Background(), table, m)
	if err != nil || z.Loss > single.Loss-0.03 {
		t.Errorf("the loss is %v, and %v without a person, %v", z.Loss, single.Loss, err)
	}
}

func TestZoneSettings(t *testing.T) {
	table := zoneTable(rand.New(rand.NewPCG(1, 1)), 2)
	m, err := pragma.Spec{}.Measure(table.Classes)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Review{{Share: 2}, {Share: math.NaN()}, {Cost: -1}, {Class: 2}, {Class: -2}} {
		if _, err := (Search{}).Zone(context.Background(), table, m, nil, r); !errors.Is(err, ErrSetting) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	none, err := Search{}.Zone(context.Background(), table, m, nil, Review{Class: -1})
	if err != nil || none.Margin != 1 || none.Reviewed != 0 {
		t.Errorf("of no rows: %+v, %v", none, err)
	}
}
