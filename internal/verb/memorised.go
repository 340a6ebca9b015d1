package verb

import (
	"context"
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/memorised"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// memorisedColumns looks for columns that trees learn by heart, where later rows are ranked worse than those out of
// bag; nil where there are none.
func memorisedColumns(p *cli.Program, ctx context.Context, job *view.CVJob, report *eval.Report) (*memorised.Columns,
	error) {
	if job.Blocks == nil || job.ShownSettings().Votes == vote.Train {
		return nil, nil
	}
	var folds []memorised.Fold
	s := memorised.Search{Frame: job.Frame, Blocks: job.Blocks, Weight: job.RowsOf}
	for _, fold := range job.Voted {
		folds = append(folds, memorised.Fold{OutOfBag: fold.OutOfBag, Later: fold.Held.Votes, Block: fold.Held.Block})
		if !slices.Contains(s.Grown, fold.Held.Block) { // in a further repeat
			s.Grown = append(s.Grown, fold.Held.Block)
		}
	}
	var classes []int
	for _, name := range job.InBlocks(report) {
		classes = append(classes, slices.Index(job.Goal.Classes, name))
	}
	class, told := memorised.Decayed(folds, classes, job.RowsOf)
	if !told || class < 0 {
		return nil, nil
	}
	fit, err := job.Fit.Preferring(job.Goal.Spec, job.Frame.Classes)
	if err != nil {
		return nil, err
	}
	c := fit.Forest
	c.Trees, c.Seed = min(c.Resolved(len(job.Frame.Columns)).Trees, memorised.MostTrees), job.Eval.Seed
	if c.LeftOut(len(job.Blocks[0].Rows)) == 0 {
		return nil, nil
	}
	shown := p.Progress("trees") // of how many is not known
	shown.Least = 2 * c.Workers
	c.Progress = shown.Add
	defer shown.End()
	s.Class, s.Forest = class, c
	return s.Run(ctx)
}
