package main

import (
	"context"
	"errors"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// sameFolds says how the figures of other choices were found.
const sameFolds = "by the same folds"

// votedFold is what it takes to search and judge the weights of a fold anew: something else that is required changes no tree.
type votedFold struct {
	seed  uint64
	tuned *vote.Table // votes that its weights were searched on
	held  *vote.Table // votes that they are judged on
	late  bool        // they are of the latest block
}

// keepVotes has the votes of each fold kept. A fold of which no forest could be grown judges nothing.
func (job *cvJob) keepVotes() {
	var tuned *vote.Table
	job.fit.Tuned = func(t *vote.Table) { tuned = t }
	held := job.eval.Held
	job.eval.Held = func(h eval.Held) {
		if tuned != nil {
			job.voted = append(job.voted, votedFold{job.eval.Seed + uint64(h.Repeat), tuned, h.Votes, h.Fold == len(job.blocks)-2})
		}
		if tuned = nil; held != nil {
			held(h)
		}
	}
}

// replay tells what becomes of the classes in the same folds where a floor is required: what cv says of it. Nothing where the votes of a fold cannot keep it.
func (job *cvJob) replay(ctx context.Context, floor pragma.Floor, m pragma.Measure) (out tried, err error) {
	fit := job.fit
	fit.Search.Floors = []pragma.Floor{floor}
	var held []*vote.Table
	var weights []vote.Weights
	for _, fold := range job.voted {
		fit.Search.Seed = fold.seed
		found, err := fit.Tune(ctx, fold.tuned, m)
		if errors.Is(err, anneal.ErrFloors) {
			return tried{}, nil
		}
		if err != nil {
			return tried{}, err
		}
		held, weights = append(held, fold.held), append(weights, found.Weights)
		if fold.late && len(job.blocks) > 2 {
			if out.latest == nil {
				out.latest = vote.NewConfusion(job.frame.Classes)
			}
			out.latest.Merge(fold.held.Confuse(found.Weights))
		}
	}
	out.classes = eval.ClassesOf(held, weights, job.eval.Repeats)
	return out, nil
}
