package cli

import (
	"testing"

	"github.com/rfpragma/rfpragma/vote"
)

// A row that just reaches a cutoff reaches it, whatever the number of trees, and the next lower number of votes does
// not: v >= cutoff·T by hand, of cutoffs that floats do not hold.
func TestCutoffsAreReached(t *testing.T) {
	for _, trees := range []uint32{10, 100, 500, 1000, 100_000} {
		for _, percent := range []uint32{10, 20, 30, 35, 60, 70, 90} {
			cutoff := float64(percent) / 100
			w := atLeast(vote.Weights{1 / cutoff, 1 / (1 - cutoff)}, 0)
			rule := vote.NewRule(w, []int{1, 0}) // a plain tie goes to class 1
			need := trees * percent / 100
			if need*100 != trees*percent {
				continue
			}
			if rule.Decide([]uint32{need, trees - need}) != 0 {
				t.Errorf("%d of %d votes do not reach %v", need, trees, cutoff)
			}
			if rule.Decide([]uint32{need - 1, trees - need + 1}) != 1 {
				t.Errorf("%d of %d votes reach %v", need-1, trees, cutoff)
			}
		}
	}
	// scores become counts of 2^31 in all: 0.3 is 644245094, rounded down, and 0.7 is 1503238554, rounded up
	w := atLeast(vote.Weights{1 / 0.3, 1 / 0.7}, -1)
	if vote.NewRule(w, []int{1, 0}).Decide([]uint32{644245094, 1503238554}) != 0 {
		t.Error("a score of 0.3 does not reach 0.3")
	}
	for named, want := range map[int]int{0: 0, 1: 1, -1: 1} { // two cutoffs of one half
		rule := vote.NewRule(atLeast(vote.Weights{2, 2}, named), []int{1, 0})
		if got := rule.Decide([]uint32{5, 5}); got != want {
			t.Errorf("named %d: class %d, want %d", named, got, want)
		}
	}
	three := vote.NewRule(atLeast(vote.Weights{1 / 0.2, 1 / 0.3, 1 / 0.5}, -1), []int{2, 1, 0})
	if got := three.Decide([]uint32{2, 3, 5}); got != 0 {
		t.Errorf("all three cutoffs are reached: class %d, want that of the lowest", got)
	}
}
