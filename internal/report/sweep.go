package report

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/pragma"
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
	rules := make([]vote.Rule, len(grid))
	for g, w := range grid {
		rules[g] = s.table.Rule(s.with(c, w))
	}
	without := s.table.Rule(s.with(c, 0))
	rows, stakes := vote.NewConfusion(s.table.Classes, s.table.Slices...), vote.NewConfusion(s.table.Classes)
	turns := make([][]turn, len(grid)+1)
	for i, votes := range s.table.Judged() {
		t := turn{s.table.Truth[i], without.Decide(votes), s.table.WeightOf(i), s.stakes.WeightOf(i), s.table.InOf(i)}
		rows.AddIn(t.truth, t.other, t.weight, t.in)
		stakes.Add(t.truth, t.other, t.stake)
		// More weight never loses a row: the first weight that wins it is enough to know.
		at := sort.Search(len(grid), func(g int) bool { return rules[g].Decide(votes) == c })
		turns[at] = append(turns[at], t)
	}
	var out Sweep
	for g, w := range grid {
		for _, t := range turns[g] {
			rows.MoveIn(t.truth, t.other, c, t.weight, t.in)
			stakes.Move(t.truth, t.other, c, t.stake)
		}
		accuracy, _ := rows.Accuracy()
		out.Weights = append(out.Weights, Number(w))
		out.Found, out.Named = append(out.Found, Number(rows.Hits(c))), append(out.Named, Number(rows.Predicted(c)))
		out.Wrong = append(out.Wrong, Number((1-accuracy)*rows.Total()))
		out.Loss = append(out.Loss, Number(s.loss(rows, stakes)))
		if len(s.Floors) > 0 {
			out.Broken = append(out.Broken, s.broken(rows))
		}
		if len(s.table.Classes) == 2 {
			out.Votes = append(out.Votes, tables.Enough(rules[g], s.table.Trees, c))
		}
	}
	out.Plateau, out.Least, out.keepable = s.best(c, without)
	if s.Trained != nil {
		out.Trained = &[2]Number{Number(s.Trained[c][0]), Number(s.Trained[c][1])}
	}
	return out
}

// turn is a row that a class wins from another one.
type turn struct {
	truth, other  int
	weight, stake float64
	in            uint64 // slices
}

// broken returns which floors decisions miss.
func (s *sweeper) broken(rows *vote.Confusion) []int {
	missed := []int{} // never nil, as null is no list
	for i, f := range s.Floors {
		if f.Missing(rows) > 0 {
			missed = append(missed, i)
		}
	}
	return missed
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

// grid returns the weights to try, in even steps of the logarithm from the least at which a row turns to the
// largest. The one in use is among them.
func (s *sweeper) grid(c int) []float64 {
	used := s.Weights[c]
	low, high := used/1.1, used*1.1
	for _, votes := range s.table.Judged() {
		if rival := s.rival(votes, c); votes[c] > 0 && rival > 0 {
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

// Kept reports whether the weight with index g keeps all floors.
func (s *Sweep) Kept(g int) bool { return s.Broken == nil || len(s.Broken[g]) == 0 }

// best returns the weights of class c under which the loss of these rows is least, of those that keep what is
// required if any do, and that loss: of all that decide them in different ways, as a grid may miss the best. Without
// is the rule in which the class has no votes.
func (s *sweeper) best(c int, without vote.Rule) (weights [2]Number, least Number, kept bool) {
	const same = 1e-9 // of weights and losses that differ by rounding alone
	type at struct {
		weight float64
		turn
	}
	var turns []at
	rows, stakes := vote.NewConfusion(s.table.Classes, s.table.Slices...), vote.NewConfusion(s.table.Classes)
	for i, votes := range s.table.Judged() {
		t := turn{s.table.Truth[i], without.Decide(votes), s.table.WeightOf(i), s.stakes.WeightOf(i), s.table.InOf(i)}
		rows.AddIn(t.truth, t.other, t.weight, t.in)
		stakes.Add(t.truth, t.other, t.stake)
		if votes[c] > 0 {
			turns = append(turns, at{s.rival(votes, c) / float64(votes[c]), t})
		}
	}
	slices.SortFunc(turns, func(a, b at) int { return cmp.Compare(a.weight, b.weight) })
	least, ended := Number(math.MaxFloat64), true
	for from, i := 0.0, 0; ; {
		to := math.Inf(1)
		if i < len(turns) {
			to = turns[i].weight
		}
		if to > from*(1+same) { // rows turn at both ends, and none between them
			keeps := !slices.ContainsFunc(s.Floors, func(f pragma.Floor) bool { return f.Missing(rows) > 0 })
			even := Number(same * math.Abs(float64(least)))
			switch loss := Number(s.loss(rows, stakes)); {
			case keeps && !kept, keeps == kept && loss < least-even:
				weights, least, kept, ended = [2]Number{Number(from), Number(to)}, loss, keeps, false
			case !ended && keeps == kept && loss <= least+even:
				weights[1] = Number(to)
			default:
				ended = true
			}
		}
		if i == len(turns) {
			return weights, least, kept
		}
		rows.MoveIn(turns[i].truth, turns[i].other, c, turns[i].turn.weight, turns[i].in)
		stakes.Move(turns[i].truth, turns[i].other, c, turns[i].stake)
		from, i = turns[i].weight, i+1
	}
}

// rival is the most that another class than c has, its votes multiplied by its weight.
func (s *sweeper) rival(votes []uint32, c int) float64 {
	most := 0.0
	for d, v := range votes {
		if d != c {
			most = max(most, s.Weights[d]*float64(v))
		}
	}
	return most
}
