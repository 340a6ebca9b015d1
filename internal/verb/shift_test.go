package verb

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// By hand: of 1000 rows 5 % are of the class, 80 % of these are found at a precision of 50 %, so 8 % are decided as
// it. Of 100 new rows 16 % are 2.7 standard errors more, and of 1000 none are 9 fewer.
func TestDecidedOtherwise(t *testing.T) {
	m, err := rfpragma.Fit(t.Context(), dataset.Fraud(300, 1), pragma.Spec{"fraud": pragma.Priority()},
		rfpragma.Config{Forest: forest.Config{Trees: 10, Seed: 1}, Search: anneal.Search{Seed: 1}, Votes: vote.OOB})
	if err != nil {
		t.Fatal(err)
	}
	of := func(v float64) *rfpragma.Observed { return &rfpragma.Observed{Value: v, Rows: 1000} }
	usual := rfpragma.ClassFigures{Share: of(0.05), Recall: of(0.8), Precision: of(0.5)}
	never := rfpragma.ClassFigures{Share: of(0.05), Recall: of(0)}
	wrong := rfpragma.ClassFigures{Share: of(0.05), Recall: of(0), Precision: of(0)}
	for _, tc := range []struct {
		name  string
		fraud rfpragma.ClassFigures
		as    []int
		want  string
	}{
		{"as before", usual, []int{80, 920}, ""},
		{"chance", usual, []int{16, 84}, ""},
		{"less than twice", usual, []int{1500, 8500}, ""},
		{"many", usual, []int{40, 60}, `of 100 rows 40 are decided as "fraud" (40.0 %, out of bag in training 8.0 %): are they of the same kind`},
		{"none", usual, []int{0, 1000}, `of 1000 rows 0 are decided as "fraud" (0 %, out of bag in training 8.0 %)`},
		{"never before", never, []int{100, 900},
			`of 1000 rows 100 are decided as "fraud" (10.0 %, out of bag in training 0 %)`},
		{"how often is not known", wrong, []int{500, 500}, ""},
		{"a single one", usual, []int{1, 0}, ""},
		{"four of four", usual, []int{4, 0}, ""},
		{"a few, all of them", usual, []int{7, 0},
			`of 7 rows 7 are decided as "fraud" (100 %, out of bag in training 8.0 %)`},
		{"no rows", usual, []int{0, 0}, ""},
	} {
		m.Provenance.Figures = []rfpragma.ClassFigures{tc.fraud, {}}
		got := ""
		if err := decidedOtherwise(m, tc.as); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tc.want) || tc.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	m.Provenance.Figures = nil
	if err := decidedOtherwise(m, []int{500, 500}); err != nil {
		t.Errorf("nothing is known of the training, and yet: %v", err)
	}
}
