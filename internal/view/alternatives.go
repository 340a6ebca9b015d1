package view

import (
	"context"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/assess"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/tradeoff"
)

// What else can be asked for is found by package tradeoff; here it is asked for in flags.

type (
	// Alternative is a choice beside the one that was made.
	Alternative = tradeoff.Point
	// LostRecall is what a choice loses of another class.
	LostRecall = tradeoff.LostRecall
	LimitCost  = tradeoff.LimitCost
	// Tried is what became of the rows where something else was asked for.
	Tried = tradeoff.Tried
)

// Asks is what was asked for, as other choices stand beside it; of rows that were judged.
func (a *Aim) Asks(report *eval.Report) *tradeoff.Asked {
	of := &tradeoff.Asked{Goal: a.goal(), Spec: a.Spec, Chosen: a.Loss.Chosen}
	if report == nil {
		return of
	}
	if s, kept := assess.SpentHere(report), (&assess.Subject{Goal: of.Goal}).AlikeKept(&report.Rules.Tuned); s.Wasted(
		kept) {
		cost := s.Always[s.Cheapest(kept)]
		of.Constant = &cost
	}
	return of
}

// TryOut is a trial of a search on these votes.
func TryOut(s *ShownTuning, search anneal.Search) tradeoff.Trial {
	return func(ctx context.Context, m pragma.Measure, floors ...pragma.Floor) (*tradeoff.Tried, error) {
		search.Floors = floors
		t, err := search.Try(ctx, s.Table, m)
		if err != nil {
			return nil, err
		}
		out := &tradeoff.Tried{Classes: s.Rule(t.Confusion, t.Loss, &t).Classes, Loss: s.Loss.Measure.Loss(t.Confusion)}
		if s.Loss.Costs.Matrix != nil {
			cost := s.Loss.Costs.Total(t.Confusion)
			out.Cost = &cost
		}
		return out, nil
	}
}

// flagsOf are what asks for another choice.
func flagsOf(o *Alternative) []string {
	var flags []string
	if o.Measure != "" {
		flags = append(flags, "--measure "+o.Measure)
	}
	for _, text := range o.Require {
		flags = append(flags, "--require "+csvtext.ShellQuoted(text))
	}
	return flags
}
