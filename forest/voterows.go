package forest

import (
	"context"
	"fmt"
)

// VoteRows adds to votes (len n·k) the votes of every tree for n rows x (len n·p), each of which follows the one before
// and is as for [Forest.Vote]. Of many rows each takes a fraction of the time that Vote takes; a thousand rows at once
// are enough. Other lengths panic.
func (f *Forest) VoteRows(votes []uint32, x []float64) {
	p, k := len(f.Schema), len(f.Classes)
	n := len(votes) / k
	if n*k != len(votes) || n*p != len(x) {
		panic(fmt.Sprintf("forest: VoteRows of %d cells into %d counts; the forest has %d features and %d classes",
			len(x), len(votes), p, k))
	}
	for i := 0; f.sums != nil && i < n; i++ {
		f.voteSums(votes[i*k:(i+1)*k], x[i*p:(i+1)*p])
	}
	if f.sums != nil {
		return
	}
	if f.sparing() {
		row := make([]float64, p) // copied, a row is read from end to end, which memory foresees; it is asked all over
		for i := range n {
			copy(row, x[i*p:])
			f.voteCells(votes[i*k:(i+1)*k], row)
		}
		return
	}
	ranks := f.newRanks(n)
	for i := range n {
		for j, v := range x[i*p : (i+1)*p] {
			if f.cuts[j].count() > 0 {
				ranks.set(i, j, f.rank(j, v))
			}
		}
	}
	_ = f.voteRanks(context.Background(), votes, ranks, nil, 0, n) // which fails with its context alone
}
