package verb

import (
	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/abstain"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/predictions"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
)

// voteOnRows has the trees vote on all rows, and finds those whose decision is withheld.
func voteOnRows(in *view.ModelRows, c *urfave.Context) (err error) {
	l := abstain.NewLacking(in.Model)
	if err = cli.Withhold(l, c); err != nil {
		return err
	}
	if in.Votes, err = in.Model.Forest.Votes(c.Context, in.Frame, in.Workers); err != nil {
		return err
	}
	floors, err := in.Model.Floors()
	if err != nil {
		return err
	}
	if in.Votes, err = tables.SliceKnown(in.Votes, in.Frame, pragma.Slices(floors)); err != nil {
		return err
	}
	if in.Lacking, err = l.In(in.Frame); err != nil {
		return err
	}
	l.Add(in.Frame, in.Lacking, 0)
	in.Lacks, in.Told = l, l.Warnings(in.Name)
	if in.Judged, in.Decided = in.Frame, in.Votes; !l.Withheld && in.Model.Provenance.Review == nil {
		return nil
	}
	if in.Model.Provenance.Review != nil {
		if err := cli.CheckReviewed(in.Model.Classes()); err != nil {
			return err
		}
	}
	held := abstain.NewWithheld(in.Model.Classes())
	in.Why = abstain.Reasons(in.Model, in.Votes, in.Lacking, l.Withheld)
	held.Add(in.Votes, in.Why, predictions.Deciding(in.Model, in.Votes))
	held.End(1)
	held.Only = !l.Withheld
	held.Above, held.Also = l.Above(), ", but for drift"
	var rows []int
	for i, why := range in.Why {
		if why == "" {
			rows = append(rows, i)
		}
	}
	in.Judged = in.Frame.Take(rows)
	if in.Judged.Labelled().Rows() == 0 && held.Rows > 0 {
		return noneDecided(in.Name)
	}
	if held.Rows > held.Close { // the heading of the result says so, too
		in.Told = nil
	}
	in.Withheld, in.Goal.Withheld, in.Decided = held, held, in.Votes.Take(rows)
	return nil
}

// withholdCV reads --withhold, and has rows that are left to a person counted.
func withholdCV(job *view.CVJob, c *urfave.Context) error {
	reviewed := job.Fit.Review != rfpragma.Review{}
	if !c.Bool("withhold") && !reviewed {
		return nil
	}
	if c.Bool("withhold") {
		if err := cli.CheckUndecided(job.Frame.Classes); err != nil {
			return err
		}
	}
	of := &foldsWithheld{WithheldInfo: abstain.NewWithheld(job.Frame.Classes),
		Lacks: &abstain.Lacking{Lost: map[string]*abstain.Lost{}}, flag: c.Bool("withhold")}
	of.ByFold, of.Only = map[int]float64{}, !of.flag
	if job.Withheld = of.WithheldInfo; job.Blocks != nil {
		of.Among = " of the latest block"
	}
	job.Fit.Withhold = of.find
	if job.Rows != nil {
		job.Rows.Lacks = make([][]rfpragma.MissingCell, job.Frame.Rows())
		job.Rows.Why = make([]predictions.Because, job.Frame.Rows())
		job.Rows.Form.Lacks, job.Rows.Form.Withhold, job.Rows.Form.Because = of.flag, of.flag, reviewed
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
