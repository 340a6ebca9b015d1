package verb

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// learntByHeart looks for such columns where later rows are ranked worse than those out of bag; nil where nothing
// can tell.
func learntByHeart(p *cli.Program, ctx context.Context, job *view.CVJob, report *eval.Report) (*view.ByHeart, error) {
	class, told := job.Decayed(report)
	switch {
	case !told:
		return nil, nil
	case class < 0:
		return &view.ByHeart{Doubted: job.Frame.Calendar()}, nil
	}
	fit, err := job.Fit.Preferring(job.Aim.Spec, job.Frame.Classes)
	if err != nil {
		return nil, err
	}
	c := fit.Forest
	c.Trees, c.Seed = min(c.Resolved(len(job.Frame.Columns)).Trees, view.HeartTrees), job.Eval.Seed
	if c.LeftOut(len(job.Blocks[0].Rows)) == 0 {
		return nil, nil
	}
	shown := p.Progress("trees") // of how many is not known
	shown.Least = 2 * c.Workers
	c.Progress = shown.Add
	defer shown.End()
	return (&heartSearch{job, class, c}).run(ctx)
}

// heartSearch is the search for columns learnt by heart.
type heartSearch struct {
	job    *view.CVJob
	class  int
	forest forest.Config
}

// run leaves out the column that loses most on later rows, and so on as long as these are ranked worse than rows out
// of bag: one by one, as a column that misleads hides what others are worth. It returns the columns if later rows
// are ranked better without, by more than chance, or no worse where the columns explain what is lost; else nil.
func (s *heartSearch) run(ctx context.Context) (*view.ByHeart, error) {
	found, frame := &view.ByHeart{Class: s.job.Frame.Classes[s.class], Trees: s.forest.Trees}, *s.job.Frame
	var first view.ColumnWorth
	for lost := 0.0; ; {
		w, err := s.worth(ctx, &frame)
		if err != nil || w.Later.Weight == 0 {
			return nil, err
		}
		if found.Columns == nil {
			first = w
		}
		worst := w.Worst()
		if worst >= 0 && len(frame.Columns) > 1 && w.OutOfBag.Above(&w.Later, view.DecayErrors) {
			found.Columns = append(found.Columns, frame.Columns[worst].Name)
			lost += (w.Oob[worst] - w.Late[worst]) / w.Later.Weight
			frame.Columns = slices.Delete(slices.Clone(frame.Columns), worst, worst+1)
			continue
		}
		found.OutOfBag, found.With, found.Without = first.OutOfBag.Mean(), first.Later.Mean(), w.Later.Mean()
		found.Gains = w.Later.Above(&first.Later, view.GainErrors)
		explained := lost >= float64(view.GapPart*(found.OutOfBag-found.With)) && found.With-found.Without < view.LeastArea
		if !found.Gains && !explained {
			found.Columns = nil
		}
		if found.Columns == nil {
			found.Doubted = s.job.Frame.Calendar()
		}
		return found, nil
	}
}

// worth grows a forest for each block of a frame.
func (s *heartSearch) worth(ctx context.Context, frame *dataset.Frame) (view.ColumnWorth, error) {
	w := view.ColumnWorth{Oob: make([]float64, len(frame.Columns)), Late: make([]float64, len(frame.Columns))}
	for _, b := range s.job.GrownBlocks() {
		if err := s.block(ctx, frame, b, &w); err != nil {
			return w, err
		}
	}
	return w, nil
}

// block adds what a forest makes of a block that is grown on the rows before it.
func (s *heartSearch) block(ctx context.Context, frame *dataset.Frame, block int, to *view.ColumnWorth) error {
	before, later, permuted := s.parted(frame, block)
	c := s.forest
	c.Mtry = min(c.Mtry, len(frame.Columns))
	grown, votes, err := forest.Grow(ctx, before, c)
	if err != nil {
		return err
	}
	seen, err := grown.Votes(ctx, later, c.Workers)
	if err != nil {
		return err
	}
	b, l, weight := view.RankingBy(votes, s.class), view.RankingBy(seen, s.class), s.job.RowsOf(block, s.class)
	if b == nil || l == nil {
		return nil
	}
	to.OutOfBag.Add(b, weight)
	to.Later.Add(l, weight)
	c.Progress = nil
	return grown.PermutationVotes(ctx, before, c, 0, func(j int, _, without *vote.Table) error {
		to.Oob[j] += float64(weight * (b.Value - view.RankingBy(without, s.class).Value))
		own := later.Columns[j]
		later.Columns[j] = permuted.Columns[j]
		without, err := grown.Votes(ctx, later, c.Workers)
		later.Columns[j] = own
		if err == nil {
			to.Late[j] += float64(weight * (l.Value - view.RankingBy(without, s.class).Value))
		}
		return err
	})
}

// parted returns the rows of a frame before a block, those of the block, and these in another order, whose cells are
// those of the block permuted.
func (s *heartSearch) parted(frame *dataset.Frame, block int) (before, later, permuted *dataset.Frame) {
	var rows []int
	for _, b := range s.job.Blocks[:block] {
		rows = append(rows, b.Rows...)
	}
	slices.Sort(rows)
	own := s.job.Blocks[block].Rows
	mixed := make([]int, len(own))
	for i, at := range rand.New(rand.NewPCG(s.forest.Seed, uint64(block))).Perm(len(own)) {
		mixed[i] = own[at]
	}
	return frame.Take(rows), frame.Take(own), frame.Take(mixed)
}
