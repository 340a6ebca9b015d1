package view

import (
	"fmt"
	"testing"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
)

// judgedBlocks are those of rows in the order of time, the first of which is not judged: so many rows of "ill"
// beside 1000 of "well" in each, and so many alarms, half of them right.
func judgedBlocks(ill ...float64) []eval.Block {
	blocks := []eval.Block{{From: "2020"}}
	for i, n := range ill {
		m := confusionOf([]string{"ill", "well"}, [][]float64{{n / 2, n / 2}, {n / 2, 1000 - n/2}})
		blocks = append(blocks, eval.Block{
			From: fmt.Sprint(2021 + i), To: fmt.Sprint(2021 + i), Before: float64(1000 * (1 + i)), Decided: m,
			Classes:  map[string]eval.Class{"ill": {Support: n, Rows: n}},
			Expected: map[string]calib.Estimate{"ill": {Value: 20, SE: 4}},
		})
	}
	return blocks
}

// A figure of a block that is not what is required of it is marked. By hand: half of the ill are found, and half of
// the alarms are right.
func TestBrokenInBlock(t *testing.T) {
	b := judgedBlocks(20)[1]
	job := &CVJob{Frame: &dataset.Frame{Classes: []string{"ill", "well"}}}
	job.Fit.Search.Floors = []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.95},
		{Class: 0, What: pragma.PrecisionFloor, Limit: 0.4}}
	for _, tc := range []struct {
		class string
		what  pragma.Figure
		want  string
	}{{"ill", pragma.RecallFloor, "not kept, "}, {"ill", pragma.PrecisionFloor, ""}, {"ill", pragma.Alerts, ""},
		{"well", pragma.RecallFloor, ""}} {
		if got := job.broken(b, tc.class, tc.what); got != tc.want {
			t.Errorf("%s of %s: %q", tc.what, tc.class, got)
		}
	}
}
