package memorised

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/vote"
)

// Search is what the search for such columns takes.
type Search struct {
	Frame  *dataset.Frame
	Blocks []dataset.Block
	Grown  []int // the blocks of which a forest could be grown on the rows before them
	Class  int
	Forest forest.Config
	Weight func(block, class int) float64 // of the rows of a class in a block
}

// worth is what forests grown on the rows before each block make of it, and what the columns are worth to them: by
// how much the area falls if their cells are permuted, summed by weight.
type worth struct {
	outOfBag, later area
	oob, late       []float64 // by column, out of bag and in the blocks
}

// worst is the column that is worth something out of bag, and hardly a part of it on later rows, and loses most; -1
// where there is none.
func (w *worth) worst() int {
	worst, most := -1, 0.0
	for j, oob := range w.oob {
		if lost := oob - w.late[j]; oob >= float64(leastWorth*w.later.weight) && w.late[j] <= float64(laterPart*oob) &&
			lost > most {
			worst, most = j, lost
		}
	}
	return worst
}

// Run leaves out the column that loses most on later rows, and so on as long as these are ranked worse than rows out
// of bag: one by one, as a column that misleads hides what others are worth. It returns the columns if later rows
// are ranked better without, by more than chance, or no worse where the columns explain what is lost; else nil.
func (s *Search) Run(ctx context.Context) (*Columns, error) {
	found, frame := &Columns{Class: s.Frame.Classes[s.Class], Trees: s.Forest.Trees}, *s.Frame
	var first worth
	for lost := 0.0; ; {
		w, err := s.worth(ctx, &frame)
		if err != nil || w.later.weight == 0 {
			return nil, err
		}
		if found.Names == nil {
			first = w
		}
		worst := w.worst()
		if worst >= 0 && len(frame.Columns) > 1 && w.outOfBag.above(&w.later, decayErrors) {
			found.Names = append(found.Names, frame.Columns[worst].Name)
			lost += (w.oob[worst] - w.late[worst]) / w.later.weight
			frame.Columns = slices.Delete(slices.Clone(frame.Columns), worst, worst+1)
			continue
		}
		found.OutOfBag, found.With, found.Without = first.outOfBag.mean(), first.later.mean(), w.later.mean()
		explained := lost >= float64(gapPart*(found.OutOfBag-found.With)) && found.With-found.Without < leastArea
		if found.Names == nil || !explained && !w.later.above(&first.later, gainErrors) {
			return nil, nil
		}
		return found, nil
	}
}

// worth grows a forest for each block of a frame.
func (s *Search) worth(ctx context.Context, frame *dataset.Frame) (worth, error) {
	w := worth{oob: make([]float64, len(frame.Columns)), late: make([]float64, len(frame.Columns))}
	for _, b := range s.Grown {
		if err := s.block(ctx, frame, b, &w); err != nil {
			return w, err
		}
	}
	return w, nil
}

// block adds what a forest makes of a block that is grown on the rows before it.
func (s *Search) block(ctx context.Context, frame *dataset.Frame, block int, to *worth) error {
	before, later, permuted := s.parted(frame, block)
	c := s.Forest
	c.Mtry = min(c.Mtry, len(frame.Columns))
	grown, votes, err := forest.Grow(ctx, before, c)
	if err != nil {
		return err
	}
	seen, err := grown.Votes(ctx, later, c.Workers)
	if err != nil {
		return err
	}
	b, l, weight := ranking(votes, s.Class), ranking(seen, s.Class), s.Weight(block, s.Class)
	if b == nil || l == nil {
		return nil
	}
	to.outOfBag.add(b, weight)
	to.later.add(l, weight)
	c.Progress = nil
	return grown.PermutationVotes(ctx, before, c, 0, func(j int, _, without *vote.Table) error {
		to.oob[j] += float64(weight * (b.Value - ranking(without, s.Class).Value))
		own := later.Columns[j]
		later.Columns[j] = permuted.Columns[j]
		without, err := grown.Votes(ctx, later, c.Workers)
		later.Columns[j] = own
		if err == nil {
			to.late[j] += float64(weight * (l.Value - ranking(without, s.Class).Value))
		}
		return err
	})
}

// parted returns the rows of a frame before a block, those of the block, and these in another order, whose cells are
// those of the block permuted.
func (s *Search) parted(frame *dataset.Frame, block int) (before, later, permuted *dataset.Frame) {
	var rows []int
	for _, b := range s.Blocks[:block] {
		rows = append(rows, b.Rows...)
	}
	slices.Sort(rows)
	own := s.Blocks[block].Rows
	mixed := make([]int, len(own))
	for i, at := range rand.New(rand.NewPCG(s.Forest.Seed, uint64(block))).Perm(len(own)) {
		mixed[i] = own[at]
	}
	return frame.Take(rows), frame.Take(own), frame.Take(mixed)
}
