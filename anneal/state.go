package anneal

import (
	"slices"

	"github.com/rfpragma/rfpragma/vote"
)

// state is a point of a search: weights, what is decided under them, and the loss.
type state struct {
	*problem
	weights []float64       // by rank
	winner  []int32         // by row: rank
	counts  *vote.Confusion // of the rows as decided
	loss    float64

	terms []float64 // by class, of a measure that is a sum
	stale []int     // the classes whose terms are to be computed anew,
	isIn  []bool    // by class: it is in stale

	cuts    [2][]cut // scratch of lines
	touched int      // rows that were looked at since the search began
	at      []int    // by pair, see index; nil without one
	undo    []turn   // how to take back the last call of set
	undoAt  []int
	rank    int     // which weight that call changed
	was     float64 // from what
	lost    float64 // at which loss
}

// turn is a row and who won it before.
type turn struct{ row, winner int32 }

// start returns the state under the given weights, by rank. It keeps them.
func (p *problem) start(weights []float64) *state {
	k := len(p.order)
	s := &state{problem: p, weights: weights, winner: make([]int32, len(p.truth)), terms: make([]float64, k),
		isIn: make([]bool, k)}
	if p.index != nil {
		s.at, s.undoAt = make([]int, len(p.index.pairs)), make([]int, k)
	}
	s.decide()
	return s
}

// decide decides every row anew.
func (s *state) decide() {
	s.counts = s.confusion()
	for i := range s.truth {
		rank, _ := s.best(i, -1)
		s.winner[i] = int32(rank)
		s.counts.AddIn(int(s.truth[i]), s.order[rank], s.weight[i], s.inOf(i))
	}
	s.touched += len(s.truth)
	if s.at != nil {
		s.index.locate(s.at, s.weights)
	}
	for c := range s.terms {
		s.marks(c)
	}
	s.loss = s.evaluate()
}

// marks notes that the term of a class has changed.
func (s *state) marks(class int) {
	if !s.isIn[class] {
		s.isIn[class] = true
		s.stale = append(s.stale, class)
	}
}

func (s *state) evaluate() float64 {
	if s.sum == nil {
		return finite(s.measure.Loss(s.counts))
	}
	for _, c := range s.stale {
		s.terms[c] = s.sum.Term(s.counts, c)
		s.isIn[c] = false
	}
	s.stale = s.stale[:0]
	terms := 0.0
	for _, c := range s.order {
		terms += s.terms[c]
	}
	return finite(s.sum.Of(s.counts, terms))
}

// best returns the winner of row i among all ranks but one, and its weighted votes; -1 and 0
// when no other has a vote. The first of equals wins, as in vote.Rule.
func (s *state) best(i, without int) (rank int, top float64) {
	rank = -1
	for _, e := range s.votesOf(i) {
		if score := s.weights[e.rank] * e.votes; score > top && int(e.rank) != without {
			rank, top = int(e.rank), score
		}
	}
	return rank, top
}

// set changes one weight and moves the rows that turn.
func (s *state) set(rank int, weight float64) {
	s.rank, s.was, s.lost = rank, s.weights[rank], s.loss
	s.undo = s.undo[:0]
	s.weights[rank] = weight
	if s.at != nil {
		s.pass(rank)
	} else {
		s.scan(rank)
	}
	s.loss = s.evaluate()
}

// scan looks for the rows that turn among all that have a vote for the rank.
func (s *state) scan(rank int) {
	s.touched += len(s.voters[rank])
	for _, row := range s.voters[rank] {
		i, was := int(row), int(s.winner[row])
		score := s.weights[rank] * s.votes(i, rank)
		now := was
		if was == rank {
			if rival, top := s.best(i, rank); top > score || top == score && rival >= 0 && rival < rank {
				now = rival
			}
		} else if top := s.weights[was] * s.votes(i, was); score > top || score == top && rank < was {
			now = rank
		}
		if now != was {
			s.assign(row, now)
		}
	}
}

// assign gives a row to another winner, which back takes back.
func (s *state) assign(row int32, winner int) {
	s.undo = append(s.undo, turn{row, s.winner[row]})
	s.turn(int(row), int(s.winner[row]), winner)
	s.winner[row] = int32(winner)
}

// back takes back the last call of set.
func (s *state) back() {
	for _, t := range slices.Backward(s.undo) {
		s.turn(int(t.row), int(s.winner[t.row]), int(t.winner))
		s.winner[t.row] = t.winner
	}
	s.undo = s.undo[:0]
	s.weights[s.rank], s.loss = s.was, s.lost
	if s.at != nil {
		s.returns()
	}
}

// turn moves row i in the confusion matrix alone.
func (s *state) turn(i, from, to int) {
	truth, before, after := int(s.truth[i]), s.order[from], s.order[to]
	s.counts.MoveIn(truth, before, after, s.weight[i], s.inOf(i))
	s.marks(truth)
	s.marks(before)
	s.marks(after)
}
