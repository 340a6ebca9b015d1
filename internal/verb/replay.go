package verb

import (
	"context"
	"errors"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/tradeoff"
	"github.com/rfpragma/rfpragma/vote"
)

// keepVotes has the votes of each fold kept. A fold of which no forest could be grown judges nothing.
func keepVotes(job *view.CVJob) {
	var tuned, oob *vote.Table
	job.Fit.Tuned = func(t *vote.Table, _ anneal.Result) { tuned = t }
	job.Fit.Grown = func(t *vote.Table) {
		if job.Blocks != nil {
			oob = t.Condense()
		}
	}
	held := job.Eval.HeldOut
	job.Eval.HeldOut = func(h eval.HeldOut) {
		if tuned != nil {
			job.Voted = append(job.Voted, view.VotedFold{Seed: job.Eval.Seed + uint64(h.Repeat), Tuned: tuned, OutOfBag: oob,
				Held: eval.HeldOut{Repeat: h.Repeat, Block: h.Block, Rows: h.Rows, Votes: h.Votes, Rule: h.Rule,
					Decided: h.Decided}, Tells: job.Tells(h)})
		}
		if tuned = nil; held != nil {
			held(h)
		}
	}
}

// replay tries what becomes of the rows of folds where something else is asked for: what cv would say of it. It says
// nil where the votes of a fold cannot keep the floors.
func replay(job *view.CVJob, folds []view.VotedFold) tradeoff.Trial {
	return func(ctx context.Context, m pragma.Measure, floors ...pragma.Floor) (*view.Tried, error) {
		fit := job.Fit
		fit.Search.Floors = floors
		var held []eval.HeldOut
		var weights []vote.Weights
		for _, fold := range folds {
			fit.Search.Seed = fold.Seed
			found, err := fit.Tune(ctx, fold.Tuned, m)
			if errors.Is(err, anneal.ErrFloors) {
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			held, weights = append(held, fold.Held), append(weights, found.Weights)
		}
		by, repeats := job.Goal.Loss, job.Eval.Repeats
		r := eval.Replay(held, weights, repeats, by.Measure, job.Eval.Seed)
		out := &view.Tried{Classes: r.Classes, Loss: by.Measure.Loss(r.Confusion), Gain: r.Gain}
		if by.Costs.Matrix != nil {
			cost := by.Costs.Total(r.Confusion) / float64(repeats)
			out.Cost = &cost
		}
		return out, nil
	}
}
