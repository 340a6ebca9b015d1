package hints

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/view"
)

// Of one judged block, or two, it is warned that ranges do not know how blocks differ, and said how to have more: by
// more folds only where the times allow.
func TestFewBlocks(t *testing.T) {
	for _, tc := range []struct {
		blocks, folds int // of four times, three at most
		want          string
	}{
		{0, 10, ""},
		{2, 1, "only one block is judged, so the ranges know nothing of how blocks differ: on later rows recall and " +
			"precision may well be below them; a larger --folds makes more blocks"},
		{2, 3, `only one block is judged, so the ranges know nothing of how blocks differ: on later rows recall and precision may well be below them; column "year" has only 4 times, and finer times make more blocks, such as dates, or columns of year and month (--time YEAR,MONTH)`},
		{3, 2, "only two blocks are judged, so the ranges know little of how blocks differ: on later rows recall and " +
			"precision may well be below them; a larger --folds makes more blocks"},
		{4, 3, ""},
	} {
		job := &view.CVJob{Frame: &dataset.Frame{Time: &dataset.Column{Field: dataset.Field{Name: "year"},
			Values: []float64{1, 2,
				3, 4}}, Truth: make([]int, 4)}, Blocks: make([]dataset.Block, tc.blocks), Eval: eval.Config{Folds: tc.folds}}
		if got := fmt.Sprint(errors.Join(OfFewBlocks(job)...)); got != tc.want && (tc.want != "" || got != "<nil>") {
			t.Errorf("%d blocks, --folds %d: %q, want %q", tc.blocks, tc.folds, got, tc.want)
		}
	}
}

// What trainings of early blocks alone warn of is told in one, but for what decides whether there is a model.
func TestLateWarnings(t *testing.T) {
	of := func(text error, early bool) error {
		return &eval.TrainingWarning{Warning: text, Times: 1, Of: 3, Early: early}
	}
	late, floors, other := of(errors.New("few rows"), false), of(fmt.Errorf("%w: recall", anneal.ErrFloors), true),
		errors.New("of the data")
	early := of(errors.New("too few rows"), true)
	for _, tc := range []struct {
		warnings []error
		want     string
	}{
		{[]error{early, late, early, floors, other},
			"of early blocks alone, whose trainings have fewer rows: in 1 of 3 trainings: too few rows; in 1 of 3 trainings: " +
				"too few rows"},
		{[]error{late, early, floors, other},
			"of early blocks alone, whose trainings have fewer rows: in 1 of 3 trainings: too few rows"},
		{[]error{late, floors, other}, ""},
	} {
		got := EarlyBlocks(tc.warnings)
		if len(got) < 3 || got[0] != late || got[1] != floors || got[2] != other {
			t.Fatalf("%q", got)
		}
		if rest := fmt.Sprint(errors.Join(got[3:]...)); rest != tc.want && tc.want != "" ||
			(len(got) > 3) != (tc.want != "") {
			t.Errorf("%q, want %q", rest, tc.want)
		}
	}
}
