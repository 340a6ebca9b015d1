package retune

import (
	"context"
	"slices"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/tradeoff"
	"github.com/rfpragma/rfpragma/vote"
)

// tryOut is a trial of a search on these votes.
func tryOut(s *view.Tuning, search anneal.Search) tradeoff.Trial {
	return func(ctx context.Context, m pragma.Measure, floors ...pragma.Floor) (*tradeoff.Tried, error) {
		search.Floors = floors
		t, err := search.Try(ctx, s.Table, m)
		if err != nil {
			return nil, err
		}
		out := &tradeoff.Tried{Classes: s.RuleUnder(t.Confusion, t.Loss, &t).Classes, Loss: s.Loss.Measure.Loss(t.Confusion)}
		if s.Loss.Costs.Matrix != nil {
			cost := s.Loss.Costs.Total(t.Confusion)
			out.Cost = &cost
		}
		return out, nil
	}
}

// compare fills in what the search gains in its trial on weights that need none, and on those of a model to which
// the rows are new.
func compare(s *view.Tuning, search anneal.Search) (err error) {
	if s.Trial == nil || s.TrialGain() == nil {
		return nil
	}
	on := func(w vote.Weights) *eval.Gain {
		var g eval.Gain
		if err == nil {
			g.Loss, g.StandardError, err = search.Gain(s.Staked, s.Loss.Measure, *s.Trial, w)
		}
		return &g
	}
	if s.Fresh {
		s.Kept = on(s.Was.Weights)
	}
	if s.Loss.Costs.Amounts() {
		return err
	}
	if s.Prior = on(vote.Prior(s.Table.Share)); s.Loss.Costs.Matrix != nil {
		s.Cost = on(s.Loss.Costs.Weights(tables.MeanAmounts(s.Table)))
	}
	return err
}

// Points finds what else the votes allow. Where weights are given a requirement moves nothing, and beside costs by
// amount there is none.
func Points(ctx context.Context, s *view.Tuning, search anneal.Search) (err error) {
	if s.Trial == nil || slices.ContainsFunc(s.Found.Warnings, view.Refused) || s.Loss.Costs.Amounts() {
		return nil
	}
	t, judged := s.Table, s.TrialReport()
	if s.Limit, err = tradeoff.LimitOf(ctx, tryOut(s, search), s.Wanted().Asks(nil), judged.Rules.Tuned.Cost,
		judged.Rules.Tuned.Classes); err != nil {
		return err
	}
	tuned := s.RuleUnder(t.Confuse(s.Found.Weights), s.Found.Loss, s.Trial)
	if len(s.Floors) > 0 { // on these votes the weights keep them
		tuned = judged.Rules.Tuned
	}
	tuned.Cost, judged.Rules.Tuned = judged.Rules.Tuned.Cost, tuned
	s.Others, err = tradeoff.Promised(ctx, tryOut(s, search), &judged.Rules.Tuned, s.Wanted().Asks(judged),
		tradeoff.Points(tradeoff.Voted{Table: t, Weights: s.Found.Weights, Tuned: &tuned}, s.Wanted().Most(), s.Floors))
	return err
}
