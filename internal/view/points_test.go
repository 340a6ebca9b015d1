package view

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/tradeoff"
	"github.com/rfpragma/rfpragma/vote"
)

// votesFor is a table of 40 ill rows with 0 to 39 votes of 100, and 160 well ones, of which 20 have 25 votes and the
// others none.
func votesFor() *vote.Table {
	t := &vote.Table{Classes: []string{"ill", "well"}, Trees: 100, Source: vote.CV, Share: []float64{0.2, 0.8}}
	add := func(truth int, ill uint32) {
		t.Truth, t.Counts = append(t.Truth, truth), append(t.Counts, ill, 100-ill)
	}
	for i := range uint32(40) {
		add(0, i)
	}
	for i := range 160 {
		add(1, map[bool]uint32{true: 25}[i < 20])
	}
	return t
}

// By hand: half of the ill have 20 votes and more, and with them 20 others; then 32 of 40 have 8, 36 have 4 and 38
// have 2. All are found by no weights, as one has no vote. More of later rows is asked for whatever it takes of
// these: what that comes to is not known before it is tried.
func TestAlternatives(t *testing.T) {
	requires := func(texts ...string) func(*eval.Class, *[]int, *[]pragma.Floor) {
		return func(_ *eval.Class, _ *[]int, floors *[]pragma.Floor) {
			*floors = (&Goal{Classes: votesFor().Classes, Floors: texts}).required()
		}
	}
	half, most := "50.0 % 50.0 % 2000 ill:alerts<=200/1000", []string{"90.0 % 64.3 % 2800 ill:recall>=0.9",
		"95.0 % 65.5 % 2900 ill:recall>=0.95"}
	for _, tc := range []struct {
		name   string
		recall float64
		change func(*eval.Class, *[]int, *[]pragma.Floor)
		want   []string
	}{
		{"between", 0.65, nil, append([]string{half, "80.0 % 61.5 % 2600 ill:recall>=0.8"}, most...)},
		{"later rows", 0.65, nil, []string{half, "80.0 % 0 % 0 ill:recall>=0.8", "90.0 % 0 % 0 ill:recall>=0.9",
			"95.0 % 0 % 0 ill:recall>=0.95", "99.0 % 0 % 0 ill:recall>=0.99"}},
		{"next to one", 0.81, nil, append([]string{half}, most...)},
		{"nearly all found", 0.98, nil, []string{half, "80.0 % 61.5 % 2600 ill:alerts<=260/1000",
			"90.0 % 64.3 % 2800 ill:alerts<=280/1000", "95.0 % 65.5 % 2900 ill:alerts<=290/1000"}},
		{"next to one, with more alarms", 0.81, func(c *eval.Class, _ *[]int, _ *[]pragma.Floor) { c.Predicted = 66 },
			append([]string{half, "80.0 % 61.5 % 2600 ill:alerts<=260/1000"}, most...)},
		{"few rows", 0.65, func(c *eval.Class, _ *[]int, _ *[]pragma.Floor) { c.Rows = 29 }, nil},
		{"no rows", 0.65, func(c *eval.Class, _ *[]int, _ *[]pragma.Floor) { c.Recall = nil }, nil},
		{"several classes", 0.65, func(_ *eval.Class, matter *[]int, _ *[]pragma.Floor) { *matter = []int{0, 1} }, nil},
		{"a recall required", 0.65, requires("ill:recall>=0.5"),
			append([]string{"50.0 % 50.0 % 2000 ill:recall>=0.5 ill:alerts<=200/1000", "80.0 % 61.5 % 2600 ill:recall>=0.8"},
				most...)},
		{"more of it", 0.82, requires("ill:recall>=0.82"), most},
		{"few alarms", 0.65, requires("ill:alerts<=0.25"), []string{half}},
		{"two limits", 0.65, requires("ill:alerts<=0.28", "well:recall>=0.8"),
			[]string{"50.0 % 50.0 % 2000 ill:alerts<=200/1000 well:recall>=0.8",
				"80.0 % 61.5 % 2600 ill:alerts<=0.28 well:recall>=0.8 ill:recall>=0.8",
				"90.0 % 64.3 % 2800 ill:alerts<=0.28 well:recall>=0.8 ill:recall>=0.9"}},
		{"none keeps it", 0.65, requires("ill:precision>=0.7"), nil},
		{"later rows, required", 0.65, requires("ill:recall>=0.9"), []string{"95.0 % 0 % 0 ill:recall>=0.95",
			"99.0 % 0 % 0 ill:recall>=0.99"}},
	} {
		class, matter, floors := eval.Class{Recall: &tc.recall, Rows: 40, Predicted: 55}, []int{0}, []pragma.Floor(nil)
		if tc.change != nil {
			tc.change(&class, &matter, &floors)
		}
		var got []string
		for _, o := range tradeoff.Points(tradeoff.Voted{Table: votesFor(), Weights: vote.Weights{3, 1},
			Tuned: &eval.Rule{Classes: map[string]eval.Class{"ill": class}}, Later: strings.HasPrefix(tc.name, "later rows")},
			matter, floors) {
			if o.Class != "ill" {
				t.Errorf("%s: class %s", tc.name, o.Class)
			}
			got = append(got, fmt.Sprintf("%s %s %.0f %s", english.Percent(o.Recall, 1), english.Percent(o.Precision, 1),
				1e4*o.Alerts,
				strings.Join(o.Require, " ")))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// By hand: 23 is the first number not below 41 times 0.55, and 29 the first of 40 rows of which Wilson's interval,
// (29/40 + 0.0480)/1.0960 ± 0.1336, is above 0.55: 11 are missed. 33 is the first not below 41 times 0.8, whose
// interval is kept by 37 rows, so that 3 only are missed, and 37 the first not below 41 times 0.9.
func TestStricter(t *testing.T) {
	for _, tc := range []struct {
		name   string
		limit  float64
		change func(*eval.Class, *vote.Table, *[]pragma.Floor)
		want   []string
		words  string
	}{
		{"both", 0.55, nil, []string{"57.5 % 53.5 % 2150 ill:recall>=0.57", "72.5 % 59.2 % 2450 ill:recall>=0.72"},
			"What to ask for so that the estimate for new rows keeps ill:recall>=0.55, and so that its whole range does (by " +
				"the same folds"},
		{"the estimate just keeps it", 0.55, func(c *eval.Class, _ *vote.Table, _ *[]pragma.Floor) { *c.Recall = 0.55 },
			[]string{"72.5 % 59.2 % 2450 ill:recall>=0.72"},
			"What to ask for so that the whole range for new rows keeps ill:recall>=0.55 (by the same folds"},
		{"the last rows make sure", 0.8, nil, []string{"82.5 % 62.3 % 2650 ill:recall>=0.82"},
			"What to ask for so that the estimate for new rows keeps ill:recall>=0.8 (by the same folds"},
		{"the last rows, and the estimate keeps it", 0.8, func(c *eval.Class, _ *vote.Table,
			_ *[]pragma.Floor) {
			*c.Recall = 0.8
		}, nil, ""},
		{"nothing makes sure", 0.9, nil, []string{"92.5 % 64.9 % 2850 ill:recall>=0.92"},
			"What to ask for so that the estimate for new rows keeps ill:recall>=0.9 (by the same folds"},
		{"nothing does", 0.99, nil, nil, ""},
		{"kept", 0.8, func(c *eval.Class, _ *vote.Table, _ *[]pragma.Floor) { c.RecallInterval[0] = 0.8 }, nil, ""},
		{"no range", 0.8, func(c *eval.Class, _ *vote.Table, _ *[]pragma.Floor) { c.RecallInterval = nil }, nil, ""},
		{"few rows", 0.8, func(c *eval.Class, _ *vote.Table, _ *[]pragma.Floor) { c.Rows = 29 }, nil, ""},
		{"groups", 0.8, func(_ *eval.Class, of *vote.Table, _ *[]pragma.Floor) { of.Group = make([]int, 200) }, nil, ""},
		{"precision", 0.8, func(_ *eval.Class, _ *vote.Table, f *[]pragma.Floor) { (*f)[0].What = pragma.PrecisionFloor },
			nil, ""},
		{"more floors", 0.8, func(_ *eval.Class, _ *vote.Table, f *[]pragma.Floor) { *f = append(*f, (*f)[0]) }, nil, ""},
	} {
		recall := 0.5
		class, table, floors := eval.Class{Recall: &recall, RecallInterval: &[2]float64{0.4, 0.9}, Rows: 40}, votesFor(),
			[]pragma.Floor{{What: pragma.RecallFloor, Limit: tc.limit}}
		if tc.change != nil {
			tc.change(&class, table, &floors)
		}
		var got []string
		others := tradeoff.Points(tradeoff.Voted{Table: table, Weights: vote.Weights{3, 1},
			Tuned: &eval.Rule{Classes: map[string]eval.Class{"ill": class}}, Later: false}, nil, floors)
		for _, o := range others {
			got = append(got, fmt.Sprintf("%s %s %.0f %s", english.Percent(o.Recall, 1), english.Percent(o.Precision, 1),
				1e4*o.Alerts,
				strings.Join(o.Require, " ")))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
		words := strings.Join(AlternativeWords(others, &Goal{Classes: table.Classes, Floors: FloorTexts(floors,
			table.Classes)}, "by the same folds"), "")
		if !strings.HasPrefix(words, tc.words) || words != "" && tc.words == "" {
			t.Errorf("%s: %q, want %q", tc.name, words, tc.words)
		}
	}
}

// Of a choice that takes recall from another class it is told before the table.
func TestLosesWords(t *testing.T) {
	others := []Alternative{{Class: "ill", Recall: 0.5}, {Class: "ill", Recall: 1, Loses: &LostRecall{Class: "hurt",
		Recall: 0.6, Now: 1}}}
	want := `Other choices for "ill", and what to expect of each on new rows (by the same folds; by the last the recall of "hurt" goes from 100 % to about 60.0 %):`
	if got := AlternativeWords(others, &Goal{Classes: []string{"hurt", "ill", "well"}},
		"by the same folds"); !slices.Equal(got,
		[]string{want}) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Where a budget of alarms alone finds much less than it was made for, a recall is asked for beside a wider one, if
// that comes nearer; of two choices that come to the same the first is told.
func TestPromisedOfPairs(t *testing.T) {
	of := &Goal{Classes: []string{"ill", "well"}}
	other := func(recall float64, alerts string) Alternative {
		return Alternative{Class: "ill", Recall: recall, Require: []string{"ill:alerts<=" + alerts},
			Or: []string{fmt.Sprintf("ill:recall>=%g", recall), "ill:alerts<=0.6"}}
	}
	now := 0.97
	for _, pair := range []float64{0, 0.6, 0.92} { // what it finds; 0 where nothing keeps it
		try := func(_ context.Context, _ pragma.Measure, floors ...pragma.Floor) (*Tried, error) {
			recall := 0.8
			if len(floors) > 1 {
				recall = pair
			}
			if recall == 0 {
				return nil, nil
			}
			precision := 0.5
			return &Tried{Classes: map[string]eval.Class{"ill": {Recall: &recall, Precision: &precision, Support: 100,
				Predicted: 200 * recall}, "well": {Support: 900}}}, nil
		}
		want := "[ill:alerts<=0.3]"
		if pair > 0.8 {
			want += "[ill:recall>=0.9 ill:alerts<=0.6]"
		}
		got, err := tradeoff.Promised(t.Context(), try, &eval.Rule{Classes: map[string]eval.Class{"ill": {Recall: &now}}},
			of.Asks(nil), []Alternative{other(0.8, "0.3"), other(0.9, "0.4")})
		asked := ""
		for _, o := range got {
			asked += fmt.Sprint(o.Require)
		}
		if asked != want || err != nil {
			t.Errorf("a pair finds %v: %s, %v, want %s", pair, asked, err, want)
		}
	}
}

// required asks for the limits of a point.
var required = Typed{Point: func(o *tradeoff.Point) []string {
	var texts []string
	for _, text := range o.Require {
		texts = append(texts, "keep "+text)
	}
	return texts
}}

// What is to be typed is not cut, nor is any figure, however long the name of the class.
func TestAlternativeTable(t *testing.T) {
	class := strings.Repeat("ill", 30)
	o := Alternative{Recall: 0.5, RecallInterval: &[2]float64{0.4, 0.6}, Precision: 0.25,
		PrecisionInterval: &[2]float64{0.2, 0.3}, Alerts: 0.02, Loss: 0.125, Require: []string{class + ":recall>=0.5"}}
	if got := AlternativeTable([]Alternative{o}, &Goal{Typed: required}).Render(layout.PageWidth, false); !strings.Contains(got,
		"50 % (40–60)  25 % (20–30)          20  0.1250  keep "+class+":recall>=0.5") {
		t.Error(got)
	}
	o.Loss = 1.25 // of a row, by hand 1250 of 1,000
	of := &Goal{Typed: required, Loss: Loss{Name: "cost", Costs: pragma.Costs{Matrix: [][]float64{{0, 1}, {10, 0}}}}}
	if got := AlternativeTable([]Alternative{o}, of).Render(layout.PageWidth, false); !strings.Contains(got,
		"50 % (40–60)  25 % (20–30)          20            1250  keep "+class+":recall>=0.5") {
		t.Error(got)
	}
	of.Classes, o.Require = []string{class, "well"}, []string{class + ":recall>=0.5", class + ":alerts<=0.5"}
	got := AlternativeTable([]Alternative{o}, of).Render(layout.PageWidth, false)
	for _, want := range []string{"   alarms per  cost per 1,000  ", "      20            1250  keep " + class + ":recall>=0.5",
		strings.Repeat(" ", 50) + "keep " + class + ":alerts<=0.5"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// Ties find more than is asked for: what is found already is not asked for again.
func TestAlternativesOfTies(t *testing.T) {
	table := votesFor()
	for i := range 40 {
		table.Counts[2*i], table.Counts[2*i+1] = 10, 90
	}
	recall := 0.9
	if got := tradeoff.Points(tradeoff.Voted{Table: table, Weights: vote.Weights{1, 1},
		Tuned: &eval.Rule{Classes: map[string]eval.Class{"ill": {Recall: &recall, Rows: 40, Predicted: 60}}}, Later: false},
		[]int{0}, nil); len(got) != 1 || got[0].Recall != 1 || got[0].Require[0] != "ill:recall>=0.95" {
		t.Errorf("%+v", got)
	}
}
