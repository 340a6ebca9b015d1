package risk_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/risk"
	"github.com/rfpragma/rfpragma/vote"
)

// votesOf are votes of ten trees for rows: every tenth is ill, and one in twenty of these gets two votes only.
func votesOf(rows int) *vote.Table {
	t := &vote.Table{Classes: []string{"ill", "well"}, Source: vote.Holdout, Trees: 10}
	for i := range rows {
		truth, ill := 1, uint32(i%4)
		if i%10 == 0 {
			truth, ill = 0, 8
			if i%200 == 0 {
				ill = 2
			}
		}
		t.Truth, t.Counts = append(t.Truth, truth), append(t.Counts, ill, 10-ill)
	}
	return t
}

// Of three weights, the safest first, the first two find enough of the ill with 95 % confidence. Fewer rows show nothing,
// and the error says how many it takes.
func ExampleControl_Test() {
	control := risk.Control{Confidence: 0.95,
		Floors: []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.9}}}
	path := []vote.Weights{{5, 1}, {2, 1}, {0.2, 1}}
	found, err := control.Test(context.Background(), path, votesOf(2000))
	fmt.Printf("weights %v, recall %.2f on %d rows, p = %.3f, %v\n", found.Weights, found.Checks[0].Value, found.Checks[0].Of,
		found.Checks[0].P, err)
	_, err = control.Test(context.Background(), path, votesOf(200))
	var unsure *risk.UnsureError
	fmt.Println(errors.As(err, &unsure), unsure.Needed(), "rows")
	// Output:
	// weights [2 1], recall 0.95 on 200 rows, p = 0.008, <nil>
	// true 290 rows
}
