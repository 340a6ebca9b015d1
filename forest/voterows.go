package forest

import (
	"context"
	"fmt"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
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
	frame := dataset.Frame{Columns: make([]dataset.Column, p)}
	values := make([]float64, len(x))
	for j := range frame.Columns {
		column := values[j*n : (j+1)*n]
		for i := range column {
			column[i] = x[i*p+j]
		}
		frame.Columns[j] = dataset.Column{Field: f.Schema[j], Values: column}
	}
	block := f.voteBlock
	if p > featuresPerTree*len(f.trees) {
		block = f.voteUnranked
	}
	_ = block(context.Background(), &vote.Table{Counts: votes}, &frame, nil, 0, n) // which fails with its context alone
}
