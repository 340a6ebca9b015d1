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
	Fold     int                       `json:"fold"`                     // that judges it, from 1; 0 for the first block, which is not judged, and of several together
	From     string                    `json:"from"`                     // its first time, as it stands in the data
	To       string                    `json:"to"`                       // its last time
	Before   float64                   `json:"before"`                   // weight of the rows before it, which were trained on
	Rows     float64                   `json:"rows"`                     // weight of its rows
	Classes  map[string]Class          `json:"classes"`                  // what becomes of each class by the tuned rule; null for the first block
	Decided  *vote.Confusion           `json:"-"`                        // its rows as the tuned rule decides them, in all repeats; nil for the first block
	Expected map[string]calib.Estimate `json:"expected"`                 // by class, the weight of its rows that the calibrated probabilities add up to, and how far chance alone moves it off; null for the first block
	Cost     *float64                  `json:"cost,omitempty"`           // summed cost of its rows by the tuned rule; nil without costs, and for the first block
	Each     *calib.Estimate           `json:"cost_of_a_row,omitempty"`  // in the mean, and how far chance moves that; of several blocks by how they differ, where that is more than their rows would
	Always   map[string]float64        `json:"cost_of_always,omitempty"` // by class, what it costs to decide all its rows as it
	Top      []Listed                  `json:"top,omitempty"`            // what the lists are worth that were asked for; not of several together
	votes    *vote.Table               // of its rows, where lists are asked for
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

// counts tells whether the rules are compared on the rows that a fold judges: in the order of time on those of the latest block.
func (r *run) counts(fold int) bool { return r.blocks == nil || fold == r.Folds-1 }

// inBlock judges the rows of a block, from 1, by the tuned rule.
func (r *run) inBlock(block int, t *vote.Table, w vote.Weights, prob func(dst []float64, votes []uint32)) error {
	of, j := &r.report.Blocks[block], &r.within[block-1]
	if r.Top != nil {
		if j.kept == nil {
			j.kept = &kept{}
		}
		of.votes = hold(of.votes, t)
	}
	if err := j.table(t, w, prob, r.Costs); err != nil {
		return err
	}
	r.together.block = block
	return r.together.table(t, w, prob, r.Costs)
}

// tellBlocks puts into the report what becomes of each block, and of all together.
func (r *run) tellBlocks() (err error) {
	tell := func(b *Block, j *judge) {
		repeats, rule := float64(len(j.losses)), j.rule(r.Config)
		b.Classes, b.Decided, b.Expected, b.Cost = rule.Classes, j.total, j.expects(repeats), rule.Cost
		if b.Cost != nil {
			b.Each, b.Always = j.money.each(repeats), j.always(r.Costs)
		}
	}
	for i := range r.within {
		b, j := &r.report.Blocks[i+1], &r.within[i]
		tell(b, j)
		if r.Top != nil && j.total.Total() > 0 {
			if b.Top, err = r.lists(j.kept, b.votes); err != nil {
				return err
			}
		}
	}
	if n := len(r.report.Blocks); n > 2 {
		first, last := &r.report.Blocks[1], &r.report.Blocks[n-1]
		r.report.Together = &Block{From: first.From, To: last.To, Before: first.Before, Rows: last.Before + last.Rows - first.Before}
		tell(r.report.Together, &r.together)
	}
	return nil
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
