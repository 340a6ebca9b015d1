package main

import (
	"context"
	"fmt"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/pragma"
)

// limitCost is what a limit of alarms costs: what rows cost with it, and what they would cost by a search without it.
type limitCost struct {
	Require []string `json:"require"`        // the limits, as --require takes them
	With    float64  `json:"cost"`           // of 1,000 rows, as the limits have them decided
	Without float64  `json:"cost_without"`   // of 1,000 rows, by weights searched without the limits
	Alerts  float64  `json:"alerts"`         // share of all rows that are decided as the class of the first limit
	More    float64  `json:"alerts_without"` // likewise, without the limits
}

// limitOf tries the search without the limits of alarms, where costs say what is wanted, on rows that cost so much and of whose classes this becomes; nil where they do not, or there is no limit. What else is required stays.
func limitOf(ctx context.Context, try trial, of *aim, floors []pragma.Floor, cost *float64, classes map[string]eval.Class) (*limitCost, error) {
	var limits, rest []pragma.Floor
	for _, f := range floors {
		if f.What == pragma.Alerts || f.What == pragma.FalseAlarms {
			limits = append(limits, f)
		} else {
			rest = append(rest, f)
		}
	}
	if limits == nil || of.loss.costs.Matrix == nil || of.loss.costs.Amounts() || cost == nil {
		return nil, nil
	}
	m, err := of.loss.beside(of.spec, of.classes, rest...)
	if err != nil {
		return nil, err
	}
	got, err := try(ctx, m, rest...)
	if err != nil || got == nil {
		return nil, err
	}
	rows := judgedWeight(&eval.Rule{Classes: classes}) / 1000
	var free portable.Sum
	for _, name := range of.classes {
		free.Add(got.classes[name].Predicted)
	}
	class := of.classes[limits[0].Class]
	return &limitCost{
		floorTexts(limits, of.classes), *cost / rows, *got.cost / rows,
		classes[class].Predicted / (1000 * rows), got.classes[class].Predicted / free.Value(),
	}, nil
}

// limitWords say what a limit of alarms costs.
func (v *verdict) limitWords() []string {
	l := v.limit
	if l == nil {
		return nil
	}
	sums, which, with := english.Sums(l.With, l.Without, l.With-l.Without), "The limit ", "it"
	if len(l.Require) > 1 {
		which, with = "The limits ", "them"
	}
	which += few(l.Require)
	rows := "1,000 rows"
	if v.report.Together != nil {
		rows = "1,000 " + v.onAll()
	}
	if l.Without >= l.With {
		return []string{fmt.Sprintf("%s %s nothing here: with %s %s cost %s, without %s.", which, english.Verb(len(l.Require), "costs", "cost"), with, rows, sums[0], sums[1])}
	}
	return []string{fmt.Sprintf("%s %s %s for each %s: with %s they cost %s, without %s, at %s in 10,000 rows instead of %s.",
		which, english.Verb(len(l.Require), "costs", "cost"), sums[2], rows, with, sums[0], sums[1], english.Plural(inTenThousand(l.More), "alarm"), inTenThousand(l.Alerts))}
}
