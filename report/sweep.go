package report

import (
	"math"
	"slices"
	"sort"

	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// sweeper varies the weight of a class.
type sweeper struct {
	Input
	table   *vote.Table
	decided []int // by the tuned rule
	stakes  *vote.Table
}

func newSweeper(in Input) (*sweeper, error) {
	stakes, err := in.Costs.Stakes(in.Eval.Votes)
	return &sweeper{in, in.Eval.Votes, in.Eval.Decided, stakes}, err
}

// steps is the number of weights of a sweep.
const steps = 121

// widest bounds how many times the weight in use, or its inverse, is tried.
const widest = 1e4

// sweep decides all rows under other weights of class c.
func (s *sweeper) sweep(c int) Sweep {
	grid := s.grid(c)
	k := len(s.table.Classes)
	rules := make([]vote.Rule, len(grid))
	for g, w := range grid {
		rules[g] = vote.NewRule(s.with(c, w), s.table.Share, k)
	}
	without := vote.NewRule(s.with(c, 0), s.table.Share, k)
	rows, stakes := vote.NewConfusion(s.table.Classes), vote.NewConfusion(s.table.Classes)
	turns := make([][]turn, len(grid)+1)
	for i, votes := range s.table.Judged() {
		t := turn{s.table.Truth[i], without.Decide(votes), s.table.WeightOf(i), s.stakes.WeightOf(i)}
		rows.Add(t.truth, t.other, t.weight)
		stakes.Add(t.truth, t.other, t.stake)
		// More weight never loses a row: the first weight that wins it is enough to know.
		at := sort.Search(len(grid), func(g int) bool { return rules[g].Decide(votes) == c })
		turns[at] = append(turns[at], t)
	}
	var out Sweep
	for g, w := range grid {
		for _, t := range turns[g] {
			rows.Move(t.truth, t.other, c, t.weight)
			stakes.Move(t.truth, t.other, c, t.stake)
		}
		accuracy, _ := rows.Accuracy()
		out.Weights = append(out.Weights, Number(w))
		out.Found, out.Named = append(out.Found, Number(rows.Hits(c))), append(out.Named, Number(rows.Predicted(c)))
		out.Wrong = append(out.Wrong, Number((1-accuracy)*rows.Total()))
		out.Loss = append(out.Loss, Number(s.loss(rows, stakes)))
		if k == 2 {
			out.Votes = append(out.Votes, rules[g].Enough(s.table.Trees, c))
		}
	}
	out.Plateau = plateau(out.Weights, out.Loss)
	if s.Trained != nil {
		out.Trained = &[2]Number{Number(s.Trained[c][0]), Number(s.Trained[c][1])}
	}
	return out
}

// turn is a row that a class wins from another one.
type turn struct {
	truth, other  int
	weight, stake float64
}

// loss is what was lowered: a sum where costs are by amount.
func (s *sweeper) loss(rows, stakes *vote.Confusion) float64 {
	if s.Costs.Amounts() {
		return s.Costs.Total(stakes)
	}
	return s.Loss.Loss(rows)
}

// with returns the weights, but for class c.
func (s *sweeper) with(c int, w float64) vote.Weights {
	weights := slices.Clone(s.Weights)
	weights[c] = w
	return weights
}

// grid returns the weights to try, in even steps of the logarithm from the least at which a row turns to the largest. The one in use is
// among them.
func (s *sweeper) grid(c int) []float64 {
	used := s.Weights[c]
	low, high := used/1.1, used*1.1
	for _, votes := range s.table.Judged() {
		rival := 0.0
		for d, v := range votes {
			if d != c {
				rival = max(rival, s.Weights[d]*float64(v))
			}
		}
		if votes[c] > 0 && rival > 0 {
			turn := rival / float64(votes[c])
			low, high = min(low, turn/1.05), max(high, turn*1.05)
		}
	}
	low, high = max(low, used/widest), min(high, used*widest)
	grid, nearest := make([]float64, steps), 0
	for g := range grid {
		grid[g] = low * portable.Exp(portable.Log(high/low)*float64(g)/float64(steps-1))
		if math.Abs(grid[g]/used-1) < math.Abs(grid[nearest]/used-1) {
			nearest = g
		}
	}
	grid[nearest] = used
	return grid
}

// plateau returns the first and the last weight of the lowest loss that have nothing higher between them.
func plateau(weights, loss []Number) [2]Number {
	best := 0
	for g := range loss {
		if loss[g] < loss[best] {
			best = g
		}
	}
	last := best
	for last+1 < len(loss) && loss[last+1] <= loss[best] {
		last++
	}
	return [2]Number{weights[best], weights[last]}
}
