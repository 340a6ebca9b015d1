package eval

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rfpragma/rfpragma/vote"
)

func TestFisher(t *testing.T) {
	for _, tc := range []struct {
		a, n, b, m int
		want       float64 // scipy.stats.fisher_exact
	}{
		{8, 10, 2, 10, 0.023014137565221155}, {3, 12, 40, 60, 0.01032074459423842}, {0, 5, 10, 20, 0.06126482213438734},
		{90, 100, 800, 1000, 0.01563859237268525}, {1, 1, 0, 1, 1}, {50, 1000, 300, 5000, 0.23716444427685668},
		{0, 3, 0, 9, 1}, {500, 1000, 8000, 10000, 2.7688692985427643e-88},
	} {
		if got := fisher(tc.a, tc.n, tc.b, tc.m); math.Abs(got-tc.want) > 1e-9*tc.want {
			t.Errorf("%d of %d and %d of %d: %v, want %v", tc.a, tc.n, tc.b, tc.m, got, tc.want)
		}
	}
}

// Holm by hand: 0.01·4, 0.012·3 (not below the one before), 0.04·2 is above 0.05, and so are those after it.
func TestHolm(t *testing.T) {
	got := holm([]Gap{{P: 0.012}, {P: 0.04}, {P: 0.01}, {P: 0.9}})
	if len(got) != 2 || math.Abs(got[0].P-0.04) > 1e-12 || math.Abs(got[1].P-0.04) > 1e-12 {
		t.Errorf("%+v", got)
	}
}

// sliceVotes are rows of three slices, of which the last finds fewer of the first class; decided right with these odds.
func sliceVotes(rng *rand.Rand, n int, recall [3]float64) (t *vote.Table, decided, of []int) {
	t = &vote.Table{Classes: []string{"ill", "well"}, Source: vote.Holdout}
	for i := range n {
		slice, truth, decision := i%3, 1, 1
		if rng.IntN(4) == 0 {
			truth = 0
			if rng.Float64() < recall[slice] {
				decision = 0
			}
		} else if rng.Float64() < 0.05 {
			decision = 0
		}
		t.Truth, t.Counts = append(t.Truth, truth), append(t.Counts, 1, 1)
		decided, of = append(decided, decision), append(of, slice)
	}
	return t, decided, of
}

func TestSlices(t *testing.T) {
	votes, decided, of := sliceVotes(rand.New(rand.NewPCG(4, 4)), 6000, [3]float64{0.8, 0.8, 0.6})
	of[0], of[1] = -1, -1
	names := []string{"north", "south", "east", "nowhere"}
	all, gaps, err := Slices(votes, decided, of, names, 1)
	if err != nil || len(all) != 3 || all[2].Name != "east" || all[0].Rows != 1999 {
		t.Fatalf("%+v, %v", all, err)
	}
	hits, ill, alarms := 0.0, 0.0, 0.0
	for i := range of {
		if of[i] == 2 {
			if votes.Truth[i] == 0 {
				if ill++; decided[i] == 0 {
					hits++
				}
			}
			if decided[i] == 0 {
				alarms++
			}
		}
	}
	east := all[2].Classes["ill"]
	if *east.Recall != hits/ill || all[2].Alerts["ill"].Value != alarms/2000 || east.RecallInterval[0] >= *east.Recall {
		t.Errorf("%+v, want recall %v", east, hits/ill)
	}
	if len(gaps) == 0 || gaps[0].Slice != "east" || gaps[0].Class != "ill" || gaps[0].Figure != "recall" ||
		gaps[0].Value != hits/ill || gaps[0].Others < gaps[0].Value || gaps[0].P > 1e-6 {
		t.Errorf("%+v", gaps)
	}
	for _, bad := range [][]int{of[1:], {5: 9}} {
		if _, _, err := Slices(votes, decided, bad, names, 1); !errors.Is(err, ErrConfig) {
			t.Errorf("%d slices: %v", len(bad), err)
		}
	}
	// rows that are judged three times tell no more, and rows of a few groups less
	thrice, decisions, slices := &vote.Table{Classes: votes.Classes, Source: votes.Source}, []int(nil), []int(nil)
	for range 3 {
		thrice.Append(votes)
		decisions, slices = append(decisions, decided...), append(slices, of...)
	}
	again, same, err := Slices(thrice, decisions, slices, names, 3)
	if err != nil || again[2].Rows != all[2].Rows || len(same) != len(gaps) || same[0].P != gaps[0].P ||
		*again[2].Classes["ill"].RecallInterval != *east.RecallInterval {
		t.Errorf("judged three times: %+v, %+v, %v", again, same, err)
	}
	grouped := *votes
	for i := range of {
		grouped.Group = append(grouped.Group, i/2000)
	}
	if wide, _, err := Slices(&grouped, decided, of, names, 1); err != nil ||
		wide[2].Classes["ill"].RecallInterval[0] >= east.RecallInterval[0] {
		t.Errorf("in three groups the interval is %v, %v", wide[2].Classes["ill"].RecallInterval, err)
	}
}

// Where no slice differs, few of 300 sets of rows have a gap at all.
func TestSlicesFindNoGapByChance(t *testing.T) {
	rng, found := rand.New(rand.NewPCG(6, 6)), 0
	for range 300 {
		votes, decided, of := sliceVotes(rng, 600, [3]float64{0.7, 0.7, 0.7})
		_, gaps, err := Slices(votes, decided, of, []string{"a", "b", "c"}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(gaps) > 0 {
			found++
		}
	}
	if share := float64(found) / 300; share > 0.05+2*math.Sqrt(0.05*0.95/300) {
		t.Errorf("%v of the sets have a gap", share)
	}
}
