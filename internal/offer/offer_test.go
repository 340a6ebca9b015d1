package offer

import (
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/pragma"
)

// Of two floors of one figure the stricter one is asked for.
func TestAlso(t *testing.T) {
	got := Also([]pragma.Floor{{What: pragma.Alerts, Limit: 0.2}}, pragma.Floor{What: pragma.Alerts, Limit: 0.3},
		pragma.Floor{What: pragma.RecallFloor, Limit: 0.5}, pragma.Floor{What: pragma.RecallFloor, Limit: 0.8})
	if texts := FloorTexts(got, []string{"ill"}); !slices.Equal(texts, []string{"ill:alerts<=0.2", "ill:recall>=0.8"}) {
		t.Error(texts)
	}
}

// By hand: Wilson's interval of all of 20 rows begins at 20/(20 + 1.96²) = 0.839.
func TestVouched(t *testing.T) {
	if got := Vouched(20); got < 0.8388 || got > 0.8390 {
		t.Error(got)
	}
}
