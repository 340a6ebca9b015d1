package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/inspected"
)

// What is to be thought of before the next command: of a column that gives the answer away, and why a class is
// preferred that is not the rarest.
func TestNextWords(t *testing.T) {
	three := []dataset.ClassRows{{Label: "bearing", Rows: 99}, {Label: "none", Rows: 7884}, {Label: "valve", Rows: 17}}
	leaks := []dataset.Finding{{Sort: inspected.Tells, Columns: []string{"downtime_h"}}, {Sort: inspected.Tells,
		Columns: []string{"repair"}}}
	for _, tc := range []struct {
		name      string
		v         dataset.Overview
		preferred dataset.ClassRows
		want      []string
	}{
		{"a rarer class", dataset.Overview{Rows: 8000, Classes: three}, three[0],
			[]string{`Preferred is the rarest class of at least 50 rows: "valve" has 17.`}},
		{"none is rarer", dataset.Overview{Rows: 7983, Classes: three[:2]}, three[0], nil},
		{"several rare ones", dataset.Overview{Rows: 9000, Classes: append(three, dataset.ClassRows{Label: "belt",
			Rows: 1000})}, three[0], []string{`Preferred is the rarest class of at least 50 rows: "valve" has 17.`,
			`If several classes matter, name them all: --prefer 'bearing,belt'.`}},
		{"a choice", dataset.Overview{Rows: 7983, Classes: three[:2], Findings: []dataset.Finding{{Sort: inspected.Labels,
			Text: "few", Choice: "to leave it out do so"}}}, three[0], []string{"To leave it out do so."}},
		{"merged", dataset.Overview{Rows: 8000, Classes: three}, dataset.ClassRows{Label: "failure", Rows: 116}, nil},
		{"a leak", dataset.Overview{Rows: 7983, Classes: three[:2], Findings: leaks[:1]}, three[0],
			[]string{`If "downtime_h" is not yet known when a row is to be decided, add --ignore downtime_h.`}},
		{"leaks", dataset.Overview{Rows: 7983, Classes: three[:2], Findings: leaks}, three[0],
			[]string{`If "downtime_h", "repair" are not yet known when a row is to be decided, add --ignore downtime_h --ignore repair.`}},
		{"numbers", dataset.Overview{Rows: 8000, Classes: []dataset.ClassRows{{Label: "0", Rows: 7920},
			{Label: "1", Rows: 80}}}, dataset.ClassRows{Label: "1", Rows: 80},
			[]string{`The classes are called by numbers. If "1" is fraud, say, write --merge-labels fraud=1 --prefer fraud: then results speak of fraud.`}},
	} {
		if got := NextWords(&tc.v, tc.preferred); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// A class that is proposed to be merged, as it differs from another in case only, is not rarer than the one that is
// preferred.
func TestRarerWords(t *testing.T) {
	for other, want := range map[string]int{"NO": 0, "nil": 1} {
		v := &dataset.Overview{Classes: []dataset.ClassRows{{Label: other, Rows: 2}, {Label: "no", Rows: 30},
			{Label: "yes", Rows: 29}}}
		if got := rarerWords(v, v.Classes[2]); len(got) != want {
			t.Errorf("beside %q: %q", other, got)
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
