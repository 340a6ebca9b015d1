package main

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
)

// What cv promises of later rows is what evaluate --expected judges them by. By hand: 2 blocks of 100 rows that together tell what 50 would have 4 rows for 1, so that 20 of 100 are as 5 of 25: 8.9 to
// 39.1 by Wilson, and not 13.3 to 28.9. Where together they tell what 200 do, or 199, which is rounding, nothing is wider.
func TestLater(t *testing.T) {
	low, high := calib.Wilson(5, 25, calib.Z95)
	for _, tc := range []struct {
		together float64
		effect   float64
		want     string
	}{{50, 4, " On later rows expect 9–39 of 100: that is wider, as blocks differ from one another."}, {200, 1, ""}, {199, 1, ""}} {
		block := func(hits, rows float64) map[string]eval.Class {
			return map[string]eval.Class{"ill": foundOf(hits, rows)}
		}
		r := &eval.Report{
			Blocks:   []eval.Block{{}, {Classes: block(40, 100)}, {Classes: block(20, 100)}},
			Together: &eval.Block{Classes: block(0.3*tc.together, tc.together)},
			Rules:    eval.Rules{Tuned: eval.Rule{Classes: block(20, 100), Confusion: [][]float64{{20, 80}, {0, 1}}}},
		}
		later := laterShares(r)
		if tc.want == "" && later != nil || tc.want != "" && fmt.Sprintf("%.6f", *later["ill"].Recall) != fmt.Sprintf("%.6f", [2]float64{low, high}) {
			t.Errorf("together %v: %+v", tc.together, later)
		}
		sentences := []string{"Found: that is recall."}
		(&verdict{report: r}).otherBlocks("ill", sentences)
		if got := sentences[0]; tc.want == "" && strings.Contains(got, "later") || !strings.HasSuffix(got, tc.want) {
			t.Errorf("together %v: %s", tc.together, got)
		}
		if got := designEffect(r, "ill", shareOfRecall); math.Abs(got-tc.effect) > 1e-6 {
			t.Errorf("together %v: evaluate goes by %v rows for one, want %v", tc.together, got, tc.effect)
		}
	}
}
