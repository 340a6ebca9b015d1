package rfpragma

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/race"
	"github.com/rfpragma/rfpragma/vote"
)

// groupedVotes returns votes for groups of so many rows of k classes; how common a class is, and how often it is
// decided rightly, differs from group to group.
func groupedVotes(rng *rand.Rand, groups, size, k int) *vote.Table {
	t := &vote.Table{Trees: 10, Source: vote.Holdout}
	for c := range k {
		t.Classes, t.Share = append(t.Classes, string(rune('a'+c))), append(t.Share, 1/float64(k))
	}
	for g := range groups {
		common, right, sum := make([]float64, k), make([]float64, k), 0.0
		for c := range common {
			common[c] = math.Exp(rng.NormFloat64())
			sum += common[c]
			right[c] = 1 / (1 + math.Exp(-1-rng.NormFloat64()))
		}
		for range size {
			u, truth := rng.Float64()*sum, 0
			for truth < k-1 && u > common[truth] {
				u -= common[truth]
				truth++
			}
			decision := truth
			if rng.Float64() > right[truth] {
				decision = rng.IntN(k)
			}
			votes := make([]uint32, k)
			votes[decision] = 10
			t.Truth, t.Counts, t.Group = append(t.Truth, truth), append(t.Counts, votes...), append(t.Group, g)
		}
	}
	return t
}

// Few groups say little of how much groups differ, and less the surer one wants to be: without Student's t at the
// level of drift it showed falsely in 3 to 15 of 100 sets.
func TestDriftIsRareAmongGroups(t *testing.T) {
	race.SkipFigures(t)
	const sets = 150
	rng := rand.New(rand.NewPCG(1, 2))
	for _, tc := range []struct{ groups, size, classes int }{{3, 200, 2}, {5, 200, 8}, {10, 200, 8}} {
		alarms := 0
		for range sets {
			was, is := groupedVotes(rng, tc.groups, tc.size, tc.classes), groupedVotes(rng, 40, tc.size, tc.classes)
			m := &Model{Forest: &forest.Forest{Classes: was.Classes}, Provenance: Provenance{Figures: FiguresOf(was, nil)}}
			if found := m.Drift(is); found == nil {
				t.Fatal("nothing was compared")
			} else if len(found.Drift) > 0 {
				alarms++
			}
		}
		if alarms > 5 {
			t.Errorf("%d classes, %d groups in training: drift in %d of %d sets", tc.classes, tc.groups, alarms, sets)
		}
	}
}
