// Package memorised finds columns that trees learn by heart: those that rank rows out of bag, and not rows that come
// later, such as a month or a number that rises with time.
package memorised

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/vote"
)

// When a column is said to be learnt by heart.
const (
	MostTrees   = 100 // of a forest that is grown to find out
	DecayErrors = 3   // standard errors by which later rows must be ranked worse than those out of bag
	// standard errors by which they must be ranked better without the columns; that both areas are of the same rows is
	// left out, so it asks for more
	gainErrors = 2
	leastArea  = 0.02 // ROC area that either must come to
	leastHelp  = 0.01 // ROC area that a column must be worth out of bag
	keptPart   = 0.1  // of that, what it may be worth on later rows
	// of what later rows are ranked worse, how much columns must explain that are told though nothing is gained without
	// them
	explainedPart = 0.5
)

// Area is the mean of the ROC areas of a class in several blocks, by weight.
type Area struct{ sum, variance, weight float64 }

// Add adds an area with a weight.
func (a *Area) Add(o *rfpragma.Observed, weight float64) {
	a.sum += float64(weight * o.Value)
	a.variance += float64(weight * weight * o.Value * (1 - o.Value) / o.Rows)
	a.weight += weight
}

// Mean is the weighted mean of what was added.
func (a *Area) Mean() float64 { return a.sum / a.weight }

// Above tells whether an area is larger than that of b by so many standard errors, and so much that it matters.
func (a *Area) Above(b *Area, errors float64) bool {
	gap := a.Mean() - b.Mean()
	return gap >= leastArea && float64(gap*a.weight) > errors*math.Sqrt(a.variance+b.variance)
}

// Ranking is the ROC area of a class by some votes; nil where its rows are too few to tell.
func Ranking(t *vote.Table, class int) *rfpragma.Observed {
	figures := rfpragma.FiguresOf(t, nil)
	if figures == nil {
		return nil
	}
	return figures[class].Ranking
}

// Search is a search for columns learnt by heart, in rows in the order of time.
type Search struct {
	Frame  *dataset.Frame
	Class  int             // whose later rows are ranked worse than those out of bag
	Blocks []dataset.Block // of the rows, the earliest first
	Judged []int           // numbers of the blocks that are judged, by a forest grown on the rows before each
	Forest forest.Config   // how these are grown; its Seed permutes cells, too
}

// Found are the columns that were found. Areas are ROC areas of the class, means over the blocks.
type Found struct {
	Class                   string
	Columns                 []string // nil where none were found
	Trees                   int      // of each forest
	OutOfBag, With, Without float64  // area out of bag, of later rows, and of these without the columns
	Gains                   bool     // later rows are ranked better without the columns, by more than chance
}

// Run leaves out the column that loses most on later rows, and so on as long as these are ranked worse than rows out
// of bag: one by one, as a column that misleads hides what others are worth. It finds the columns if later rows are
// ranked better without, by more than chance, or no worse where the columns explain what is lost. It returns nil where
// no block has rows enough to tell. Errors are those of the context and of growing.
func (s *Search) Run(ctx context.Context) (*Found, error) {
	found, frame := &Found{Class: s.Frame.Classes[s.Class], Trees: s.Forest.Trees}, *s.Frame
	var first worth
	for lost := 0.0; ; {
		w, err := s.worth(ctx, &frame)
		if err != nil || w.later.weight == 0 {
			return nil, err
		}
		if found.Columns == nil {
			first = w
		}
		worst := w.worst()
		if worst >= 0 && len(frame.Columns) > 1 && w.outOfBag.Above(&w.later, DecayErrors) {
			found.Columns = append(found.Columns, frame.Columns[worst].Name)
			lost += (w.oob[worst] - w.late[worst]) / w.later.weight
			frame.Columns = slices.Delete(slices.Clone(frame.Columns), worst, worst+1)
			continue
		}
		found.OutOfBag, found.With, found.Without = first.outOfBag.Mean(), first.later.Mean(), w.later.Mean()
		found.Gains = w.later.Above(&first.later, gainErrors)
		explained := lost >= float64(explainedPart*(found.OutOfBag-found.With)) && found.With-found.Without < leastArea
		if !found.Gains && !explained {
			found.Columns = nil
		}
		return found, nil
	}
}

// worth is what forests grown on the rows before each block make of it, and what the columns are worth to them: by
// how much the area falls if their cells are permuted, summed by weight.
type worth struct {
	outOfBag, later Area
	oob, late       []float64 // by column, out of bag and in the blocks
}

// worst is the column that is worth something out of bag, and hardly a part of it on later rows, and loses most; -1
// where there is none.
func (w *worth) worst() int {
	worst, most := -1, 0.0
	for j, oob := range w.oob {
		if lost := oob - w.late[j]; oob >= float64(leastHelp*w.later.weight) && w.late[j] <= float64(keptPart*oob) &&
			lost > most {
			worst, most = j, lost
		}
	}
	return worst
}

// worth grows a forest for each block of a frame.
func (s *Search) worth(ctx context.Context, frame *dataset.Frame) (worth, error) {
	w := worth{oob: make([]float64, len(frame.Columns)), late: make([]float64, len(frame.Columns))}
	for _, b := range s.Judged {
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
	b, l, weight := Ranking(votes, s.Class), Ranking(seen, s.Class), later.ClassWeights()[s.Class]
	if b == nil || l == nil {
		return nil
	}
	to.outOfBag.Add(b, weight)
	to.later.Add(l, weight)
	c.Progress = nil
	return grown.PermutationVotes(ctx, before, c, 0, func(j int, _, without *vote.Table) error {
		to.oob[j] += float64(weight * (b.Value - Ranking(without, s.Class).Value))
		own := later.Columns[j]
		later.Columns[j] = permuted.Columns[j]
		without, err := grown.Votes(ctx, later, c.Workers)
		later.Columns[j] = own
		if err == nil {
			to.late[j] += float64(weight * (l.Value - Ranking(without, s.Class).Value))
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
