package anneal

import (
	"github.com/rfpragma/rfpragma/vote"
)

// state is a point of a search: weights, what is decided under them, and the loss.
type state struct {
	*problem
	weights []float64       // by rank
	winner  []int           // by row: rank
	top     []float64       // by row: weighted votes of the winner
	counts  *vote.Confusion // of the rows as decided
	loss    float64

	evaluations int
	undo        []change // how to take back the last call of set
	rank        int      // which weight that call changed
	was         float64  // from what
	lost        float64  // at which loss
}

type change struct {
	row, winner int
	top         float64
}

// at returns the state under the given weights, by rank. It keeps them.
func (p *problem) at(weights []float64) *state {
	s := &state{problem: p, weights: weights, winner: make([]int, len(p.rows)), top: make([]float64, len(p.rows))}
	s.decide()
	return s
}

// decide decides every row anew.
func (s *state) decide() {
	s.counts = vote.NewConfusion(s.classes)
	for i, r := range s.rows {
		s.winner[i], s.top[i] = s.best(i, -1)
		s.counts.Add(r.truth, s.order[s.winner[i]], r.weight)
	}
	s.loss = s.evaluate()
}

func (s *state) evaluate() float64 {
	s.evaluations++
	return finite(s.measure(s.counts))
}

// best returns the winner of row i among all ranks but one, and its weighted votes; -1 and 0
// when no other has a vote. The first of equals wins, as in vote.Rule.
func (s *state) best(i, without int) (rank int, top float64) {
	rank = -1
	for _, e := range s.votes[s.rows[i].from:s.rows[i].to] {
		if score := s.weights[e.rank] * e.votes; score > top && e.rank != without {
			rank, top = e.rank, score
		}
	}
	return rank, top
}

// set changes one weight and moves the rows that turn. Only rows with a vote for the class
// can.
func (s *state) set(rank int, weight float64) {
	s.rank, s.was, s.lost = rank, s.weights[rank], s.loss
	s.undo = s.undo[:0]
	s.weights[rank] = weight
	for _, v := range s.voters[rank] {
		i, score := v.row, weight*v.votes
		now, top := rank, score
		switch was := s.winner[i]; {
		case was == rank && score < s.top[i]:
			if rival, best := s.best(i, rank); best > score || best == score && rival >= 0 && rival < rank {
				now, top = rival, best
			}
		case was != rank && (score < s.top[i] || score == s.top[i] && was < rank):
			continue
		}
		s.undo = append(s.undo, change{i, s.winner[i], s.top[i]})
		s.assign(i, now, top)
	}
	s.loss = s.evaluate()
}

// back takes back the last call of set.
func (s *state) back() {
	for _, c := range s.undo {
		s.assign(c.row, c.winner, c.top)
	}
	s.undo = s.undo[:0]
	s.weights[s.rank], s.loss = s.was, s.lost
}

func (s *state) assign(i, winner int, top float64) {
	if winner != s.winner[i] {
		s.turn(i, s.winner[i], winner)
	}
	s.winner[i], s.top[i] = winner, top
}

// turn moves row i in the confusion matrix alone.
func (s *state) turn(i, from, to int) {
	s.counts.Move(s.rows[i].truth, s.order[from], s.order[to], s.rows[i].weight)
}
