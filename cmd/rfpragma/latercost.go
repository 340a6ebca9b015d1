package main

import (
	"fmt"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
)

// laterCostText goes on with what to expect of the cost of a row; "" where blocks do not tell.
func (v *verdict) laterCostText() string {
	later := eval.ForecastCost(judgedIn(v.report))
	if later == nil {
		return ""
	}
	texts := english.Sums(later.Value, later.Interval[0], later.Interval[1])
	text := fmt.Sprintf(" On later rows expect the cost of a row to be %s (%s–%s).", texts[0], texts[1], texts[2])
	if later.TooWide {
		text += " That range is too wide to plan with, from no better than the cheapest way without a model to half of its cost or less."
	}
	return text
}
