package main

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/report"
)

// costsApart is by what part of it the cost of a row is apart in other blocks, before any is seen.
const costsApart = 0.3

// laterCost is what to expect of the cost of a row in a block after those that were judged; nil without costs, and where not two blocks tell. It goes by the square root, whose variance by the chance of the rows is the same
// whatever they cost: a quarter of φ/n, for n rows, where the variance of what a row costs is φ times its mean, as Anscombe has it of counts.
func laterCost(judged []eval.Block) *report.Expected {
	n, cost, squares := 0.0, 0.0, 0.0
	for i := range judged {
		if b := &judged[i]; b.Each != nil {
			of := rowsIn(b)
			n, cost, squares = n+of, cost+float64(b.Each.Value*of), squares+float64(b.Each.SE*b.Each.SE*of*of)
		}
	}
	if !(cost > 0) || !(squares > 0) {
		return nil
	}
	var blocks []inBlock
	for i := range judged {
		if b := &judged[i]; b.Each != nil {
			each := squares / cost / rowsIn(b)
			blocks = append(blocks, inBlock{math.Sqrt(b.Each.Value + 0.375*each), each / 4})
		}
	}
	if len(blocks) < 2 {
		return nil
	}
	value, off := nextBlock(blocks, scatter{variance: costsApart * costsApart / 4 * cost / n, blocks: sharesApart.blocks})
	squared := func(root float64) float64 { return max(root, 0) * max(root, 0) }
	low, high, alike := squared(value-off), squared(value+off), alikeCost(judged)
	return &report.Expected{Value: squared(value), Interval: [2]float64{low, high}, TooWide: alike > 0 && low <= alike/2 && high >= alike}
}

// alikeCost is the cost of a row where all of the blocks are decided as the class that is the cheapest for that; 0 where that is not known.
func alikeCost(judged []eval.Block) float64 {
	rows, always := 0.0, map[string]float64{}
	for i := range judged {
		rows += rowsIn(&judged[i])
		for class, cost := range judged[i].Always {
			always[class] += cost
		}
	}
	if len(always) == 0 || rows == 0 {
		return 0
	}
	return slices.Min(slices.Collect(maps.Values(always))) / rows
}

// laterCostText goes on with what to expect of the cost of a row; "" where blocks do not tell.
func (v *verdict) laterCostText() string {
	later := laterCost(judgedIn(v.report))
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
