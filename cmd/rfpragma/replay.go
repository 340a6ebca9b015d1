package main

import (
	"context"
	"errors"
	"slices"

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
	tuned *vote.Table  // votes that its weights were searched on
	oob   *vote.Table  // out-of-bag votes of its forest
	held  eval.HeldOut // votes that they are judged on, and the rule of these weights
	tells bool         // the figures are of these rows: in the order of time of those of the latest block
}

// keepVotes has the votes of each fold kept. A fold of which no forest could be grown judges nothing.
func (job *cvJob) keepVotes() {
	var tuned, oob *vote.Table
	job.fit.Tuned = func(t *vote.Table, _ anneal.Result) { tuned = t }
	job.fit.Grown = func(t *vote.Table) {
		if job.blocks != nil {
			oob = t.Condense()
		}
	}
	held := job.eval.HeldOut
	job.eval.HeldOut = func(h eval.HeldOut) {
		if tuned != nil {
			job.voted = append(job.voted, votedFold{job.eval.Seed + uint64(h.Repeat), tuned, oob, eval.HeldOut{Repeat: h.Repeat, Block: h.Block, Rows: h.Rows, Votes: h.Votes, Rule: h.Rule, Decided: h.Decided}, job.tells(h)})
		}
		if tuned = nil; held != nil {
			held(h)
		}
	}
}

// tells tells whether the figures are of the rows of a fold.
func (job *cvJob) tells(h eval.HeldOut) bool { return job.blocks == nil || h.Fold == len(job.blocks)-2 }

// replay returns what becomes of the rows in the same folds where floors are required: what cv says of it. Nil where the votes of a fold cannot keep them.
func (job *cvJob) replay(ctx context.Context, m pragma.Measure, floors ...pragma.Floor) (*tried, error) {
	return job.replayed(ctx, slices.DeleteFunc(slices.Clone(job.voted), func(f votedFold) bool { return !f.tells }), m, floors)
}

// replayAll is replay of the rows of all folds, in the order of time of all blocks.
func (job *cvJob) replayAll(ctx context.Context, m pragma.Measure, floors ...pragma.Floor) (*tried, error) {
	return job.replayed(ctx, job.voted, m, floors)
}

// replayed is replay of these folds.
func (job *cvJob) replayed(ctx context.Context, folds []votedFold, m pragma.Measure, floors []pragma.Floor) (*tried, error) {
	fit := job.fit
	fit.Search.Floors = floors
	var held []eval.HeldOut
	var weights []vote.Weights
	for _, fold := range folds {
		fit.Search.Seed = fold.seed
		found, err := fit.Tune(ctx, fold.tuned, m)
		if errors.Is(err, anneal.ErrFloors) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		held, weights = append(held, fold.held), append(weights, found.Weights)
	}
	by, repeats := job.aim.loss, job.eval.Repeats
	r := eval.Replay(held, weights, repeats, by.measure, job.eval.Seed)
	out := &tried{Classes: r.Classes, Loss: by.measure.Loss(r.Confusion), Gain: r.Gain}
	if by.costs.Matrix != nil {
		cost := by.costs.Total(r.Confusion) / float64(repeats)
		out.Cost = &cost
	}
	return out, nil
}
