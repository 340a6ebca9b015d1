package view

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/inspected"
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
		job := &CVJob{Frame: &dataset.Frame{Time: &dataset.Column{Field: dataset.Field{Name: "year"}, Values: []float64{1, 2,
			3, 4}}, Truth: make([]int, 4)}, Blocks: make([]dataset.Block, tc.blocks), Eval: eval.Config{Folds: tc.folds}}
		if got := fmt.Sprint(errors.Join(BlocksWarning(job)...)); got != tc.want && (tc.want != "" || got != "<nil>") {
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
		got := LateWarnings(tc.warnings)
		if len(got) < 3 || got[0] != late || got[1] != floors || got[2] != other {
			t.Fatalf("%q", got)
		}
		if rest := fmt.Sprint(errors.Join(got[3:]...)); rest != tc.want && tc.want != "" ||
			(len(got) > 3) != (tc.want != "") {
			t.Errorf("%q, want %q", rest, tc.want)
		}
	}
}

// A column of dates has finer times than one of years.
func TestTimeFlags(t *testing.T) {
	dates, ordered := dataset.Finding{Sort: inspected.Dates, Columns: []string{"when"}},
		dataset.Finding{Sort: inspected.Ordered, Columns: []string{"Year"}}
	for _, tc := range []struct {
		found []dataset.Finding
		flags string
		words string
	}{
		{nil, "", ""},
		{[]dataset.Finding{dates}, "", ""},
		{[]dataset.Finding{ordered}, "--time Year,Month",
			`--time Year,Month has later rows judged by earlier ones, as rows to come will be: leave it out if "Year" is not time.`},
		{[]dataset.Finding{dates, ordered}, "--time when --ignore Year",
			`--time when has later rows judged by earlier ones, as rows to come will be. If "when" does not say when a row was, write --ignore when in place of both, and if "Year" is time add --time Year,Month.`},
	} {
		flags, words := TimeFlags(&dataset.Overview{Findings: tc.found, Time: "Year,Month"})
		if strings.Join(flags, " ") != tc.flags || strings.Join(words, "\n") != tc.words {
			t.Errorf("%v: %q, %q", tc.found, flags, words)
		}
	}
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
