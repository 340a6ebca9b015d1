package verb

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/view"
)

// withholdCV reads --withhold.
func withholdCV(job *view.CVJob, c *urfave.Context) error {
	if !c.Bool("withhold") {
		return nil
	}
	if err := cli.TellApart(job.Frame.Classes); err != nil {
		return err
	}
	of := &foldsWithheld{WithheldInfo: abstain.NewWithheld(job.Frame.Classes),
		Lacks: &abstain.Lacking{Lost: map[string]*abstain.Lost{}}}
	of.ByFold = map[int]float64{}
	if job.Withheld = of.WithheldInfo; job.Blocks != nil {
		of.Among = " of the latest block"
	}
	job.Fit.Withhold = of.find
	if job.Rows != nil {
		job.Rows.Lacks = make([][]rfpragma.MissingCell, job.Frame.Rows())
		job.Rows.Form.Lacks, job.Rows.Form.Withhold = true, true
	}
	held := job.Eval.HeldOut
	job.Eval.HeldOut = func(h eval.HeldOut) {
		of.count(job, h)
		if held != nil {
			held(h)
		}
	}
	return nil
}
