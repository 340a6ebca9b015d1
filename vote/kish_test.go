package vote_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rfpragma/rfpragma/internal/tables"
	"github.com/rfpragma/rfpragma/vote"
)

// Three rows of equal votes and class, of weights 1, 2 and 5, are one row of weight 8, in which a row weighs (1 + 4
// + 25)/8; in any order, and in any unit.
func TestRowWeights(t *testing.T) {
	for _, unit := range []float64{1, 0x1p-1000, 0x1p1000} {
		weights := []float64{1 * unit, 2 * unit, 5 * unit, 3 * unit, 0, 7 * unit}
		table := &vote.Table{Classes: []string{"a", "b"}, Truth: []int{0, 0, 0, 1, 0, -1}, Counts: []uint32{1, 2, 1, 2, 1, 2,
			1, 2, 1, 2, 1, 2}, Weight: weights}
		want := []float64{30.0 / 8 * unit, 3 * unit}
		if diff := cmp.Diff(want, table.RowWeights()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		slices.Reverse(table.Truth)
		slices.Reverse(table.Weight)
		if diff := cmp.Diff(want, table.RowWeights()); diff != "" {
			t.Errorf("backwards (-want +got)\n%s", diff)
		}
		if diff := cmp.Diff([]float64{8.0 * 8 / 30, 1}, tables.EffectiveRows(table), cmpopts.EquateApprox(1e-12,
			0)); diff != "" {
			t.Errorf("by class (-want +got)\n%s", diff)
		}
		if tables.MixedWeights(table) || !tables.MixedWeights(table.Condense()) {
			t.Errorf("uneven: %v, condensed %v", tables.MixedWeights(table), tables.MixedWeights(table.Condense()))
		}
	}
	for _, weight := range [][]float64{nil, {0.1, 0.1, 0.1}} {
		table := &vote.Table{Classes: []string{"a", "b"}, Truth: []int{0, 0, 0}, Counts: []uint32{1, 2, 1, 2, 1, 2},
			Weight: weight}
		if condensed := table.Condense(); tables.MixedWeights(condensed) ||
			math.Abs(condensed.RowWeights()[0]-table.WeightOf(0)) > 1e-15 {
			t.Errorf("weights %v: uneven, or a row weighs %v", weight, condensed.RowWeights())
		}
	}
}
