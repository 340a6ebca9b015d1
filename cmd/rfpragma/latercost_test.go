package main

import (
	"math"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
)

// By hand: of blocks of 100 rows that cost 4 each, with a standard error of 0.4, the variance of a row is 16 and φ 4, so that by the square root each is at √(4 + 0.375·4/100) with a variance of 1/100. What blocks tell is the wider the more
// they differ, and nothing is told of one, nor where nothing costs anything.
func TestLaterCost(t *testing.T) {
	blocks := func(costs ...float64) (judged []eval.Block) {
		for _, cost := range costs {
			judged = append(judged, eval.Block{Each: &calib.Estimate{Value: cost, SE: 0.4 * math.Sqrt(cost/4)}, Classes: map[string]eval.Class{"a": {Support: 100}}})
		}
		return judged
	}
	alike := eval.ForecastCost(blocks(4, 4, 4))
	if math.Abs(alike.Value-4.015) > 1e-9 || !(1 < alike.Interval[0] && alike.Interval[0] < 3.2 && 4.9 < alike.Interval[1] && alike.Interval[1] < 9) {
		t.Errorf("of alike blocks %+v", alike)
	}
	apart := eval.ForecastCost(blocks(1, 4, 9))
	if !(apart.Value > 4 && apart.Interval[0] < alike.Interval[0] && apart.Interval[1] > alike.Interval[1]) || apart.Interval[0] < 0 {
		t.Errorf("of blocks that differ %+v, of alike ones %+v", apart, alike)
	}
	for _, none := range [][]eval.Block{nil, blocks(4), blocks(0, 0), make([]eval.Block, 3)} {
		if later := eval.ForecastCost(none); later != nil {
			t.Errorf("of %d blocks %+v", len(none), later)
		}
	}
	for dearest, tooWide := range map[float64]bool{0: false, 4: true, 5: true, 30: false} { // to decide all alike: not known, within the range of alike blocks, within that of others, above it
		of := blocks(1, 4, 9)
		if dearest == 4 {
			of = blocks(4, 4, 4)
		}
		for i := range of {
			if dearest > 0 {
				of[i].Always = map[string]float64{"a": 100 * dearest, "b": 1000 * dearest}
			}
		}
		later := eval.ForecastCost(of)
		said := (&verdict{report: &eval.Report{Blocks: append([]eval.Block{{}}, of...)}}).laterCostText()
		if later.TooWide != tooWide || strings.Contains(said, "too wide to plan with") != tooWide {
			t.Errorf("of %v: %+v, %s", dearest, later, said)
		}
	}
	v := &verdict{report: &eval.Report{Blocks: append([]eval.Block{{}}, blocks(4, 4, 4)...)}}
	if got := v.laterCostText(); !strings.HasPrefix(got, " On later rows expect the cost of a row to be 4.01 (") {
		t.Error(got)
	}
}
