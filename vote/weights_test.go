package vote_test

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// Worked by hand: with weights 3 : 1 of 10 votes, 3v > 10-v from v = 3 on (9 > 7). A tie
// (5 of 10 under the plain vote) goes to the more common class.
func TestRuleEnough(t *testing.T) {
	for _, tc := range []struct {
		name    string
		weights vote.Weights
		share   []float64
		trees   int
		class   int
		want    int
	}{
		{"plain, rare class", nil, []float64{0.1, 0.9}, 10, 0, 6},
		{"plain, common class", nil, []float64{0.1, 0.9}, 10, 1, 5},
		{"plain, odd", nil, []float64{0.1, 0.9}, 11, 0, 6},
		{"three to one", vote.Weights{3, 1}, []float64{0.1, 0.9}, 10, 0, 3},
		{"one vote", vote.Weights{100, 1}, []float64{0.1, 0.9}, 20, 0, 1},
		{"nearly all", vote.Weights{1, 100}, []float64{0.1, 0.9}, 20, 0, 20},
		{"one tree", nil, []float64{0.1, 0.9}, 1, 0, 1},
		{"billions of trees", vote.Weights{3, 1}, []float64{0.1, 0.9}, 4_000_000_000, 0, 1_000_000_001},
		{"more than there are", vote.Weights{1, math.MaxFloat64}, []float64{0.5, 0.5}, 0, 0, 1},
	} {
		if got := tables.Enough(vote.NewRule(tc.weights, vote.TieOrder(tc.share, nil)), tc.trees, tc.class); got != tc.want {
			t.Errorf("%s: %d of %d votes, want %d", tc.name, got, tc.trees, tc.want)
		}
	}
}

// By hand: under weights of 2, 1 and 1 the votes 3, 4 and 5 weigh 6, 4 and 5.
func TestTopTwo(t *testing.T) {
	rule := vote.NewRule(vote.Weights{2, 1, 1}, []int{0, 1, 2})
	for _, tc := range []struct {
		votes         []uint32
		first, second int
		times         float64
	}{{[]uint32{3, 4, 5}, 0, 2, 1.2}, {[]uint32{0, 4, 0}, 1, 0, math.Inf(1)}, {[]uint32{0, 0, 0}, 0, 1, math.Inf(1)},
		{[]uint32{2, 4, 4}, 0, 1, 1}, {[]uint32{2, 4}, -1, -1, math.Inf(1)}, {nil, -1, -1, math.Inf(1)}} {
		first, second, times := rule.TopTwo(tc.votes)
		if first != tc.first || second != tc.second || math.Abs(times-tc.times) > 1e-12 && times != tc.times {
			t.Errorf("%v: %d before %d, %v times", tc.votes, first, second, times)
		}
	}
}
