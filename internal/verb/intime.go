package verb

import (
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/view"
)

// judgedBlock parts rows in the order of time, of which later ones are judged by earlier ones.
func judgedBlock(job *view.CVJob, c *urfave.Context) (err error) {
	if folds, most := job.Eval.Folds, job.Frame.MostBlocks(); folds > most && most > 0 {
		if c.IsSet("folds") {
			return cli.Usagef("--folds %d: column %s has %d times, and the first cannot be judged, as no rows come before it; "+
				"the most is --folds %d", folds, english.Quote(job.Frame.Time.Name), most+1, most)
		}
		if most > fewBlocks { // else it is warned of
			job.Fewer = fmt.Sprintf("Column %q has only %d times, of which the first is not judged: %s, not the usual %d; %s.",
				job.Frame.Time.Name, most+1, foldsMade(most), folds, finerTimes(job))
		}
		job.Eval.Folds = most
	}
	if job.Blocks, err = job.Frame.Blocks(job.Eval.Folds); err != nil {
		return err
	}
	if made := len(job.Blocks) - 1; made < job.Eval.Folds {
		job.Fewer = fmt.Sprintf("The first block goes on to %s, so that classes are in it: %s, not %d.", job.Blocks[0].To,
			foldsMade(made), job.Eval.Folds)
	}
	return nil
}
