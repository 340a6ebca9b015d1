package rfpragma

import (
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/vote"
)

// Scored tells whether the model keeps what [Model.Score] needs.
func (m *Model) Scored() bool { return m.ranks != nil }

// Score returns a score of a row for a class, from 0 to 1000 and of a fixed meaning, given the raw votes (len k): from
// 900 on lie 2 % of the rows of other classes, see [calib.Score], as far as the rows of the training tell. It depends
// neither on the weights nor on how common the class is. False where the model keeps none, see [Config].Scores, without
// votes, and for votes or a class of other classes.
func (m *Model) Score(votes []uint32, class int) (float64, bool) {
	all := vote.Total(votes)
	if all == 0 || len(votes) != len(m.ranks) || class < 0 || class >= len(votes) {
		return 0, false
	}
	return calib.Score(m.ranks[class].FalsePositives(float64(votes[class]) / float64(all))), true
}
