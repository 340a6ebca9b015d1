package main

import (
	"context"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/assess"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/tradeoff"
)

// What else can be asked for is found by package tradeoff; here it is asked for in flags.
type (
	alternative = tradeoff.Point
	lostRecall  = tradeoff.LostRecall
	limitCost   = tradeoff.LimitCost
	surer       = tradeoff.Stricter
	tried       = tradeoff.Tried
)

// asks is what was asked for, as other choices stand beside it; of rows that were judged.
func (a *aim) asks(report *eval.Report) *tradeoff.Asked {
	of := &tradeoff.Asked{Goal: a.goal(), Spec: a.spec, Chosen: a.loss.chosen}
	if report == nil {
		return of
	}
	if s, kept := assess.SpentHere(report), (&assess.Subject{Goal: of.Goal}).AlikeKept(&report.Rules.Tuned); s.Wasted(kept) {
		cost := s.Always[s.Cheapest(kept)]
		of.Constant = &cost
	}
	return of
}

// try is a trial of a search on these votes.
func (s *shownTuning) try(search anneal.Search) tradeoff.Trial {
	return func(ctx context.Context, m pragma.Measure, floors ...pragma.Floor) (*tradeoff.Tried, error) {
		search.Floors = floors
		t, err := search.Try(ctx, s.table, m)
		if err != nil {
			return nil, err
		}
		out := &tradeoff.Tried{Classes: s.rule(t.Confusion, t.Loss, &t).Classes, Loss: s.loss.measure.Loss(t.Confusion)}
		if s.loss.costs.Matrix != nil {
			cost := s.loss.costs.Total(t.Confusion)
			out.Cost = &cost
		}
		return out, nil
	}
}

// flagsOf are what asks for another choice.
func flagsOf(o *alternative) []string {
	var flags []string
	if o.Measure != "" {
		flags = append(flags, "--measure "+o.Measure)
	}
	for _, text := range o.Require {
		flags = append(flags, "--require "+shellQuoted(text))
	}
	return flags
}
