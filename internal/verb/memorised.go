package verb

import (
	"context"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/memorised"
	"github.com/rfpragma/rfpragma/internal/view"
)

// memorisedColumns looks for columns learnt by heart where later rows are ranked worse than those out of bag; nil
// elsewhere.
func memorisedColumns(p *cli.Program, ctx context.Context, job *view.CVJob, report *eval.Report) (*view.ByHeart,
	error) {
	class, _ := job.Decayed(report)
	if class < 0 {
		return nil, nil
	}
	fit, err := job.Fit.Preferring(job.Aim.Spec, job.Frame.Classes)
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
	search := memorised.Search{Frame: job.Frame, Class: class, Blocks: job.Blocks, Judged: job.GrownBlocks(), Forest: c}
	found, err := search.Run(ctx)
	return (*view.ByHeart)(found), err
}
