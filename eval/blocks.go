package eval

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/vote"
)

// Block is a stretch of time, and what becomes of its rows where they are judged by what was trained on all rows before it.
type Block struct {
	Fold     int                       `json:"fold"`     // that judges it, from 1; 0 for the first block, which is not judged
	From     string                    `json:"from"`     // its first time, as it stands in the data
	To       string                    `json:"to"`       // its last time
	Before   float64                   `json:"before"`   // weight of the rows before it, which were trained on
	Rows     float64                   `json:"rows"`     // weight of its rows
	Classes  map[string]Class          `json:"classes"`  // what becomes of each class by the tuned rule; null for the first block
	Decided  *vote.Confusion           `json:"-"`        // its rows as the tuned rule decides them, in all repeats; nil for the first block
	Expected map[string]calib.Estimate `json:"expected"` // by class, the weight of its rows that the calibrated probabilities add up to, and how far chance alone moves it off; null for the first block
}

// blocks returns those of a frame whose rows have a time; nil for others.
func (c Config) blocks(frame *dataset.Frame) ([]dataset.Block, error) {
	switch {
	case frame.Time == nil:
		return nil, nil
	case c.FoldOf != nil:
		return nil, fmt.Errorf("%w: FoldOf gives the folds, and Time of the frame others; leave one out", ErrConfig)
	case frame.Group != nil:
		return nil, fmt.Errorf("%w: the frame has both Group and Time, and a group may have earlier and later rows; leave one out", ErrConfig)
	}
	return frame.Blocks(c.Folds)
}

// inTime has the blocks judged, each by those before it.
func (r *run) inTime(frame *dataset.Frame, blocks []dataset.Block) {
	if blocks == nil {
		return
	}
	before, seen := 0.0, make([]bool, len(frame.Classes))
	for b, block := range blocks {
		r.blocks = append(r.blocks, block.Rows)
		rows, fresh := 0.0, make([]int, len(frame.Classes))
		for _, i := range block.Rows {
			w := frame.WeightOf(i)
			if rows += w; w > 0 && frame.Truth != nil && frame.Truth[i] >= 0 {
				fresh[frame.Truth[i]]++
			}
		}
		for c, n := range fresh {
			if n > 0 && !seen[c] && b > 0 {
				r.report.Warnings = append(r.report.Warnings, fmt.Errorf("class %s has no row before %s, so none of its rows up to %s can be found", english.Quote(frame.Classes[c]), block.From, block.To))
			}
			seen[c] = seen[c] || n > 0
		}
		r.report.Blocks = append(r.report.Blocks, Block{Fold: b, From: block.From, To: block.To, Before: before, Rows: rows})
		before += rows
	}
	r.within = make([]judge, len(blocks)-1)
}

// split returns the rows to train on and those to judge in a fold.
func (r *run) split(folds []int, fold int) (train, test []int) {
	if r.blocks == nil {
		return dataset.SplitFold(folds, fold)
	}
	train = slices.Concat(r.blocks[:fold+1]...)
	slices.Sort(train)
	return train, r.blocks[fold+1]
}
