package vote_test

import (
	"errors"
	"math"
	"testing"

	"github.com/rfpragma/rfpragma/vote"
)

func TestTableCheck(t *testing.T) {
	for _, tc := range []struct {
		name string
		edit func(*vote.Table)
		kind error
		text string
	}{
		{"sound", func(*vote.Table) {}, nil, ""},
		{"sound without weights and shares", func(t *vote.Table) { t.Weight, t.Share = nil, nil }, nil, ""},
		{"sound without rows", func(t *vote.Table) { t.Truth, t.Counts, t.Weight = nil, nil, nil }, nil, ""},
		{"one class", func(t *vote.Table) { t.Classes = t.Classes[:1] }, vote.ErrShape,
			"lengths do not agree: the table has 1 classes; votes need at least two"},
		{"two of one name", func(t *vote.Table) { t.Classes[1] = "a" }, vote.ErrValue,
			`value out of range: classes 1 and 2 are both named "a"; rename one`},
		{"counts", func(t *vote.Table) { t.Counts = t.Counts[:3] }, vote.ErrShape,
			"lengths do not agree: 3 counts for 2 rows of 2 classes; give 4"},
		{"rows that a row stands for", func(t *vote.Table) { t.Times = []int{1} }, vote.ErrShape,
			"lengths do not agree: 1 numbers of rows that a row stands for, for 2 rows; give one each, or none"},
		{"rows that are more than a number tells apart", func(t *vote.Table) { t.Times = []int{math.MaxInt, 2} },
			vote.ErrValue, "value out of range: the rows stand for more than 9007199254740992; divide their numbers by the " +
				"smallest"},
		{"weights", func(t *vote.Table) { t.Weight = t.Weight[:1] }, vote.ErrShape,
			"lengths do not agree: 1 case weights for 2 rows; give one each, or none"},
		{"shares", func(t *vote.Table) { t.Share = t.Share[:1] }, vote.ErrShape,
			"lengths do not agree: 1 shares for 2 classes; give one each, or none"},
		{"ties of a class twice", func(t *vote.Table) { t.Ties = []int{0, 0} }, vote.ErrShape,
			"lengths do not agree: the order of ties [0 0] does not have each of the 2 classes once"},
		{"share NaN", func(t *vote.Table) { t.Share[1] = math.NaN() }, vote.ErrValue,
			`value out of range: the share of class "b" is NaN; a share is a number from 0 to 1`},
		{"truth too large", func(t *vote.Table) { t.Truth[1] = 2 }, vote.ErrValue,
			"value out of range: the truth of row 1 is 2, which is neither -1 nor one of the 2 classes"},
		{"truth too small", func(t *vote.Table) { t.Truth[0] = -2 }, vote.ErrValue,
			"value out of range: the truth of row 0 is -2, which is neither -1 nor one of the 2 classes"},
		{"votes", func(t *vote.Table) { t.Counts[0] = math.MaxUint32 }, vote.ErrValue,
			"value out of range: row 0 has 4294967297 votes; a row can have at most 4294967295"},
		{"A154 negative weight", func(t *vote.Table) { t.Weight[1] = -1 }, vote.ErrValue,
			"value out of range: the weight of row 1 is -1; case weights are finite and at least 0"},
		{"A155 NaN weight", func(t *vote.Table) { t.Weight[0] = math.NaN() }, vote.ErrValue,
			"value out of range: the weight of row 0 is NaN; case weights are finite and at least 0"},
		{"A155 infinite weight", func(t *vote.Table) { t.Weight[0] = math.Inf(1) }, vote.ErrValue,
			"value out of range: the weight of row 0 is +Inf; case weights are finite and at least 0"},
		{"A159 weights add up to infinity", func(t *vote.Table) { t.Weight = []float64{1e308, 1e308} }, vote.ErrValue,
			"value out of range: the case weights add up to infinity; divide all of them by the largest"},
		{"sound counts of rows", func(t *vote.Table) { t.Count = []float64{0.5, 0} }, nil, ""},
		{"counts of rows", func(t *vote.Table) { t.Count = []float64{1} }, vote.ErrShape,
			"lengths do not agree: 1 numbers of rows that a row counts as for 2 rows; give one each, or none"},
		{"negative count of rows", func(t *vote.Table) { t.Count = []float64{1, -1} }, vote.ErrValue,
			"value out of range: row 1 of weight 0 counts as -1 rows; that is a finite number, above 0 for rows that have a " +
				"weight"},
		{"count of rows NaN", func(t *vote.Table) { t.Count = []float64{math.NaN(), 1} }, vote.ErrValue,
			"value out of range: row 0 of weight 1 counts as NaN rows; that is a finite number, above 0 for rows that have a " +
				"weight"},
		{"infinite count of rows", func(t *vote.Table) { t.Count = []float64{1, math.Inf(1)} }, vote.ErrValue,
			"value out of range: row 1 of weight 0 counts as +Inf rows; that is a finite number, above 0 for rows that have a " +
				"weight"},
		{"a weight that counts as no row", func(t *vote.Table) { t.Count = []float64{0, 1} }, vote.ErrValue,
			"value out of range: row 0 of weight 1 counts as 0 rows; that is a finite number, above 0 for rows that have a " +
				"weight"},
		{"counts of rows add up to infinity", func(t *vote.Table) { t.Count = []float64{1e308, 1e308} }, vote.ErrValue,
			"value out of range: the rows that the rows count as add up to infinity; divide all of them by the largest"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			table := &vote.Table{
				Classes: []string{"a", "b"},
				Truth:   []int{0, -1},
				Counts:  []uint32{1, 2, 3, 4},
				Weight:  []float64{1, 0},
				Share:   []float64{0.5, 0.5},
			}
			tc.edit(table)
			err := table.Check()
			if !errors.Is(err, tc.kind) {
				t.Fatalf("Check() = %v, want %v", err, tc.kind)
			}
			if err != nil && err.Error() != tc.text {
				t.Errorf("Check() = %q\nwant      %q", err, tc.text)
			}
		})
	}
}

func TestWeightsCheck(t *testing.T) {
	for _, tc := range []struct {
		name string
		w    vote.Weights
		text string
	}{
		{"majority vote", nil, ""},
		{"sound", vote.Weights{1, 1e-100}, ""},
		{"too small", vote.Weights{1, 1e-308}, "value out of range: weight 2 is 1e-308, not between 1e-100 and 1e+100; " +
			"divide all weights by one number, as only their ratios matter"},
		{"A247 wrong count", vote.Weights{1}, "lengths do not agree: 1 weights for 2 classes; give one each"},
		{"A247 NaN", vote.Weights{1, math.NaN()},
			"value out of range: weight 2 is NaN; class weights are finite and above 0"},
		{"A247 negative", vote.Weights{-1, 1}, "value out of range: weight 1 is -1; class weights are finite and above 0"},
		{"zero", vote.Weights{0, 1}, "value out of range: weight 1 is 0; class weights are finite and above 0"},
		{"infinite", vote.Weights{1, math.Inf(1)},
			"value out of range: weight 2 is +Inf; class weights are finite and above 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := ""
			if err := tc.w.Check(2); err != nil {
				got = err.Error()
			}
			if got != tc.text {
				t.Errorf("Check = %q\nwant    %q", got, tc.text)
			}
		})
	}
}
