package anneal_test

import (
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Rows of equal votes need not weigh the same: 500 of weights 1 and 100 in turn are worth (250·101)²/(250·10001) =
// 255.02.
func TestTrialOfUnevenWeights(t *testing.T) {
	table := &vote.Table{Classes: []string{"a", "b"}, Share: []float64{0.5, 0.5}, Trees: 10, Source: vote.Holdout}
	for i := range 1000 {
		votes := []uint32{8, 2}
		if i >= 500 {
			votes = []uint32{2, 8}
		}
		table.Truth, table.Counts, table.Weight = append(table.Truth, i/500), append(table.Counts, votes...),
			append(table.Weight, []float64{1, 100}[i%2])
	}
	trial, err := anneal.Search{Seed: 1}.Try(t.Context(), table, pragma.Balanced)
	if err != nil {
		t.Fatal(err)
	}
	n := 250 * 101.0 * 101 / 10001
	if low, _ := calib.Wilson(n, n, calib.Z95); math.Abs(trial.Recall[0][0]-low) > 1e-9 {
		t.Errorf("recall from %v, want %v, of %.1f rows", trial.Recall[0][0], low, n)
	}
}
