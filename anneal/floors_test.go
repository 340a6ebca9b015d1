package anneal_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/internal/note"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// With two classes all weights there are can be tried: the search finds the lowest loss of those within the
// floors, and where there are none, says what comes nearest.
func TestFloorsAgainstBruteForce(t *testing.T) {
	race.SkipFigures(t)
	met, impossible := 0, 0
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 71))
		table := random(rng, 14, 2, 1+rng.IntN(9))
		if !tunable(table) {
			continue
		}
		floors := []pragma.Floor{
			{Class: 0, What: pragma.RecallFloor, Limit: rng.Float64()},
			{Class: rng.IntN(2), What: []pragma.Figure{pragma.PrecisionFloor, pragma.FalseAlarms, pragma.Alerts}[rng.IntN(3)],
				Limit: rng.Float64()},
		}
		missing := func(m *vote.Confusion) (sum float64) {
			for _, f := range floors {
				sum += f.Missing(m)
			}
			return sum
		}
		least, lowest := missing(table.Confuse(nil)), math.Inf(1)
		var ratios []float64
		for _, v := range table.Judged() {
			if v[0] > 0 && v[1] > 0 {
				ratios = append(ratios, float64(v[0])/float64(v[1]))
			}
		}
		ratios = append(ratios, 1e-12, 1e12)
		slices.Sort(ratios)
		all := []vote.Weights{{1, 1}}
		for i := 1; i < len(ratios); i++ {
			all = append(all, vote.Weights{1, math.Sqrt(ratios[i-1] * ratios[i])})
		}
		for _, w := range all {
			m := table.Confuse(w)
			if least = min(least, missing(m)); missing(m) == 0 {
				lowest = min(lowest, pragma.Balanced.Loss(m))
			}
		}
		r, err := anneal.Search{Choice: anneal.Choice(rng.IntN(2)), Floors: floors}.Weights(t.Context(), table,
			pragma.Balanced)
		got := missing(table.Confuse(r.Weights))
		if least > 0 {
			impossible++
			if !errors.Is(err, anneal.ErrFloors) || !near(got, least) {
				t.Fatalf("seed %d: %v, missing %v; nothing comes nearer than %v", seed, err, got, least)
			}
			for i, kept := range floors {
				if want := leaves(table, all, kept, floors[1-i]); !strings.Contains(err.Error(), want) ||
					!strings.Contains(note.Detail(err), want) {
					t.Fatalf("seed %d: not %q in %v", seed, want, err)
				}
			}
			continue
		}
		met++
		if err != nil || got > 0 || r.Loss < lowest && !near(r.Loss, lowest) {
			t.Fatalf("seed %d: %v, loss %v, missing %v; there is %v", seed, err, r.Loss, got, lowest)
		}
	}
	if met < 100 || impossible < 100 {
		t.Errorf("floors were met %d times, impossible %d times", met, impossible)
	}
}

// Of four classes no search tries all weights: what it finds is no bound, and is not said to be one.
func TestFloorsOfManyClasses(t *testing.T) {
	for _, k := range []int{3, 4} {
		rng := rand.New(rand.NewPCG(5, 7))
		table := &vote.Table{Source: vote.Holdout, Trees: 9 * k}
		for c := range k {
			table.Classes, table.Share = append(table.Classes, string(rune('a'+c))), append(table.Share, 1/float64(k))
		}
		for i := range 80 { // whose votes say nothing of the class
			table.Truth = append(table.Truth, i%k)
			for range k {
				table.Counts = append(table.Counts, uint32(rng.IntN(10)))
			}
		}
		for name, floors := range map[string][]pragma.Floor{
			"together": {{Class: 0, What: pragma.RecallFloor, Limit: 0.9}, {Class: 0, What: pragma.PrecisionFloor, Limit: 0.95}},
		} {
			_, err := anneal.Search{Floors: floors}.Weights(t.Context(), table, pragma.Balanced)
			if !errors.Is(err, anneal.ErrFloors) {
				t.Fatalf("%d classes, %s: %v", k, name, err)
			}
			bound := strings.Contains(err.Error(), " at most ") || strings.Contains(err.Error(), " at least ")
			if found := strings.Contains(err.Error(), "by the best weights found"); bound != (k == 3) || found != (k == 4) {
				t.Errorf("%d classes, %s: %v", k, name, err)
			}
		}
	}
}

// leaves is what one floor leaves of another, of all these weights.
func leaves(table *vote.Table, all []vote.Weights, kept, other pragma.Floor) string {
	best := func(f pragma.Floor, among func(m *vote.Confusion) bool) (text string) {
		how, worst := "most", 0.0
		if f.What == pragma.FalseAlarms || f.What == pragma.Alerts {
			how, worst = "least", 1
		}
		v, found := worst, false
		for _, w := range all {
			m := table.Confuse(w)
			if !among(m) {
				continue
			}
			found = true
			if is, ok := f.Value(m); ok && (is > v) == (how == "most") {
				v = is
			}
		}
		if !found {
			return ""
		}
		return fmt.Sprintf("at %s %.3g", how, v)
	}
	reached := best(other, func(m *vote.Confusion) bool { return kept.Missing(m) == 0 })
	if reached == "" {
		return fmt.Sprintf("%s is out of reach even alone, %s", kept.Text(table.Classes),
			best(kept, func(*vote.Confusion) bool { return true }))
	}
	what := map[pragma.Figure]string{pragma.RecallFloor: "recall", pragma.PrecisionFloor: "precision",
		pragma.FalseAlarms: "fpr", pragma.Alerts: "share of alerts"}[other.What]
	if kept.Class != other.Class {
		what += fmt.Sprintf(" of %q", table.Classes[other.Class])
	}
	return fmt.Sprintf("with %s the %s is %s", kept.Text(table.Classes), what, reached)
}
