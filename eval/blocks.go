package eval

import (
	"fmt"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Block is a stretch of time, with figures of its rows as judged by what was trained on all rows before it.
type Block struct {
	// number of the fold that judges it, from 1; 0 for the first block, which is not judged, and for several together
	Fold    int              `json:"fold"`
	From    string           `json:"from"`    // its first time, as it stands in the data
	To      string           `json:"to"`      // its last time
	Before  float64          `json:"before"`  // weight of the rows before it, which were trained on
	Rows    float64          `json:"rows"`    // weight of its rows
	Classes map[string]Class `json:"classes"` // figures of each class under the tuned rule; null for the first block
	// its rows as the tuned rule decides them, in all repeats; nil for the first block
	Decided *vote.Confusion `json:"-"`
	// Weight of the rows of each class that the calibrated probabilities add up to, and how far chance alone
	// moves it; null for the first block.
	Expected map[string]calib.Estimate `json:"expected"`
	// summed cost of its rows under the tuned rule; nil without costs, and for the first block
	Cost *float64 `json:"cost,omitempty"`
	// Only for several blocks together, with costs: how the plain, prior, cost, weights and tuned rule did on them,
	// with what tuning gains in the mean cost of a row, unless costs are by amount.
	Rules map[string]Rule `json:"rules,omitempty"`
	// Mean cost of a row, and how far chance moves it; for several blocks by how much they differ, if that is
	// more than their rows explain.
	Each *calib.Estimate `json:"cost_of_a_row,omitempty"`
	// by class, what it costs to decide all its rows as that class
	Always map[string]float64 `json:"cost_of_always,omitempty"`
	// what the lists that were asked for are worth; not for several together
	Top   []TopListFigures `json:"top,omitempty"`
	votes *vote.Table      // of its rows, where lists are asked for
}

// blocks returns those of a frame whose rows have a time; nil for others.
func (c Config) blocks(frame *dataset.Frame) ([]dataset.Block, error) {
	switch {
	case frame.Time == nil:
		return nil, nil
	case c.FoldOf != nil:
		return nil, fmt.Errorf("%w: FoldOf gives the folds, and Time of the frame others; leave one out", ErrConfig)
	case frame.Group != nil:
		return nil, fmt.Errorf("%w: the frame has both Group and Time, and a group may have earlier and later rows; leave "+
			"one out", ErrConfig)
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
				r.report.Warnings = append(r.report.Warnings,
					fmt.Errorf("class %s has no row before %s, so none of its rows up to %s can be found",
						english.Quote(frame.Classes[c]), block.From, block.To))
			}
			seen[c] = seen[c] || n > 0
		}
		r.report.Blocks = append(r.report.Blocks, Block{Fold: b, From: block.From, To: block.To, Before: before, Rows: rows})
		before += rows
	}
	r.within = make([]judge, len(blocks)-1)
}

// counts tells whether the rules are compared on the rows that a fold judges: in the order of time on those of the
// latest block.
func (r *run) counts(fold int) bool { return r.blocks == nil || fold == r.Folds-1 }

// inBlock judges the rows of a block, from 1, by the tuned rule.
func (r *run) inBlock(block int, t *vote.Table, by decisions, of Classifier, amounts []float64) error {
	told, j := &r.report.Blocks[block], &r.within[block-1]
	if r.Top != nil {
		if j.kept == nil {
			j.kept = &kept{}
		}
		var err error
		if told.votes, err = hold(told.votes, t); err != nil {
			return err
		}
	}
	if err := j.table(t, by, of.Probabilities, r.Costs); err != nil {
		return err
	}
	r.together.block = block
	if err := r.together.table(t, by, of.Probabilities, r.Costs); err != nil || len(r.Costs.Matrix) == 0 {
		return err
	}
	return r.beside(block, t, of, amounts)
}

// untuned is a rule beside the tuned one.
type untuned struct {
	judge
	more money // what it costs more than the tuned one
}

// beside adds the judged rows of t, decided so, where the tuned rule has decided as tuned ends.
func (o *untuned) beside(t *vote.Table, by decisions, prob func(dst []float64, votes []uint32), costs pragma.Costs,
	tuned []int) error {
	at := len(o.decision)
	if err := o.table(t, by, prob, costs); err != nil {
		return err
	}
	staked, err := costs.Stakes(t)
	if err != nil {
		return err
	}
	tuned = tuned[len(tuned)-(len(o.decision)-at):]
	for i := range t.Judged() {
		group, ok := o.groupOf(t, i)
		if ok && o.block == 0 {
			group++ // as 0 is no block
		}
		cost := costs.Matrix[t.Truth[i]]
		o.more.add(group, t.WeightOf(i), float64(staked.WeightOf(i)*(cost[o.decision[at]]-cost[tuned[0]])))
		at, tuned = at+1, tuned[1:]
	}
	return nil
}

// beside judges the rows of a block, which the tuned rule has decided, by other rules. Amounts are as for judge.
func (r *run) beside(block int, t *vote.Table, of Classifier, amounts []float64) error {
	rules := map[string]decisions{
		"plain": weighed(nil, t), "prior": weighed(vote.Prior(t.Share), t), "cost": weighed(r.Costs.Weights(amounts), t),
	}
	if r.ByCost {
		rules["weights"] = weighed(of.VoteWeights(), t)
	}
	if r.untuned == nil {
		r.untuned = map[string]*untuned{}
		for name := range rules {
			r.untuned[name] = &untuned{}
		}
	}
	for name, o := range r.untuned {
		o.block = block
		if err := o.beside(t, rules[name], r.Raw, r.Costs, r.together.decision); err != nil {
			return err
		}
	}
	return nil
}

// rules sums up how the rules did on all blocks.
func (r *run) rules() map[string]Rule {
	if r.untuned == nil {
		return nil
	}
	out := map[string]Rule{"tuned": r.together.rule(r.Config)}
	for name, o := range r.untuned {
		rule := o.rule(r.Config)
		if each := o.more.each(float64(len(o.losses))); each != nil && !r.Costs.Amounts() {
			rule.Gain = &Gain{each.Value, each.SE}
		} else if name == "weights" {
			rule.Gain = o.gain()
		}
		out[name] = rule
	}
	return out
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
		r.report.Together = &Block{From: first.From, To: last.To, Before: first.Before, Rows: last.Before +
			last.Rows - first.Before}
		tell(r.report.Together, &r.together)
		r.report.Together.Rules = r.rules()
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
