package tradeoff

import (
	"context"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/pragma"
)

// LimitCost is what a limit of alarms costs: what rows cost with it, and what they would cost by a search without it.
type LimitCost struct {
	Require []string `json:"require"`        // the limits, as --require takes them
	With    float64  `json:"cost"`           // of 1,000 rows, as the limits have them decided
	Without float64  `json:"cost_without"`   // of 1,000 rows, by weights searched without the limits
	Alerts  float64  `json:"alerts"`         // share of all rows that are decided as the class of the first limit
	More    float64  `json:"alerts_without"` // likewise, without the limits
}

// LimitOf tries the search without the limits of alarms, where costs say what is wanted, on rows that cost so much
// and of whose classes this becomes; nil where they do not, or there is no limit. What else is required stays.
func LimitOf(ctx context.Context, try Trial, of *Asked, cost *float64, classes map[string]eval.Class) (*LimitCost,
	error) {
	var limits, rest []pragma.Floor
	for _, f := range of.Goal.Floors {
		if f.What == pragma.Alerts || f.What == pragma.FalseAlarms {
			limits = append(limits, f)
		} else {
			rest = append(rest, f)
		}
	}
	if limits == nil || of.Goal.Costs.Matrix == nil || of.Goal.Costs.Amounts() || cost == nil {
		return nil, nil
	}
	m, err := of.beside(rest...)
	if err != nil {
		return nil, err
	}
	got, err := try(ctx, m, rest...)
	if err != nil || got == nil {
		return nil, err
	}
	rows := eval.Weight(classes) / 1000
	var free portable.Sum
	for _, name := range of.Goal.Classes {
		free.Add(got.Classes[name].Predicted)
	}
	class := of.Goal.Classes[limits[0].Class]
	return &LimitCost{
		offer.FloorTexts(limits, of.Goal.Classes), *cost / rows, *got.Cost / rows,
		classes[class].Predicted / (1000 * rows), got.Classes[class].Predicted / free.Value(),
	}, nil
}
