package anneal

import (
	"context"
	"sort"
)

// index finds the rows that turn when a weight changes without looking at most others. For every
// two ranks it has the rows with votes for both, in the order of the ratio of these votes. At
// given weights the rows below a place in that order prefer the second rank, those from there on
// the first; when a weight changes the place moves, and only rows it passes can turn.
type index struct {
	ranks int
	pairs []pair // of ranks a < b, at a*ranks+b
}

// pair are the rows with votes for two ranks a < b.
type pair struct {
	ratio []float64 // votes for a / votes for b, ascending
	row   []int32
}

// mostPairs is the largest number of rows in all pairs: 12 bytes each.
const mostPairs = 1 << 25

// addIndex makes the index of p, unless it would be too large.
func (p *problem) addIndex(ctx context.Context) error {
	x := &index{ranks: len(p.order), pairs: make([]pair, len(p.order)*len(p.order))}
	size := 0
	for i := range p.truth {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		votes := p.votesOf(i)
		if size += len(votes) * (len(votes) - 1) / 2; size > mostPairs {
			return nil
		}
		for j, a := range votes {
			for _, b := range votes[j+1:] {
				q := x.pair(int(a.rank), int(b.rank))
				q.ratio, q.row = append(q.ratio, a.votes/b.votes), append(q.row, int32(i))
			}
		}
	}
	for i := range x.pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		x.pairs[i].sort()
	}
	p.index = x
	return nil
}

func (x *index) pair(a, b int) *pair { return &x.pairs[a*x.ranks+b] }

func (q *pair) sort() {
	cuts := make([]cut, len(q.row))
	for i, row := range q.row {
		cuts[i] = cut{at: q.ratio[i], row: row}
	}
	for i, c := range sortCuts(cuts, make([]cut, len(cuts))) {
		q.ratio[i], q.row[i] = c.at, c.row
	}
}

// locate sets the places of all pairs under weights.
func (x *index) locate(at []int, weights []float64) {
	for a := range x.ranks {
		for b := a + 1; b < x.ranks; b++ {
			at[a*x.ranks+b] = sort.SearchFloat64s(x.pair(a, b).ratio, weights[b]/weights[a])
		}
	}
}

// pass moves the places of all pairs of a rank, whose weight has changed, and turns the rows that
// they pass and that were won by the rank that has lost there.
func (s *state) pass(rank int) {
	for other := range s.weights {
		if other == rank {
			continue
		}
		a, b := min(rank, other), max(rank, other)
		q, i := s.index.pair(a, b), a*s.index.ranks+b
		place, at := s.weights[b]/s.weights[a], s.at[i]
		s.undoAt[other] = at
		for ; at < len(q.row) && q.ratio[at] < place; at++ {
			s.passed(q.row[at], a, b, rank)
		}
		for ; at > 0 && q.ratio[at-1] >= place; at-- {
			s.passed(q.row[at-1], b, a, rank)
		}
		s.touched += max(at-s.at[i], s.at[i]-at)
		s.at[i] = at
	}
}

// passed turns a row that prefers winner to loser from now on, if loser won it. If that is the rank
// whose weight fell, another may be better still.
func (s *state) passed(row int32, loser, winner, changed int) {
	if int(s.winner[row]) != loser {
		return
	}
	if loser == changed {
		winner, _ = s.best(int(row), changed)
	}
	s.assign(row, winner)
}

// returns moves the places back.
func (s *state) returns() {
	for other := range s.weights {
		if other != s.rank {
			s.at[min(s.rank, other)*s.index.ranks+max(s.rank, other)] = s.undoAt[other]
		}
	}
}
