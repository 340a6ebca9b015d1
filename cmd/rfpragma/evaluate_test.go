package main

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/vote"
)

// The class that a model is for stays the same, whichever is rare among the rows that it is judged on; of labels that are swapped all is said of it too, and that they look so.
func TestOtherRare(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 1500 -o train.csv")
	must(t, "generate fraud --rows 1500 --seed 2 -o later.csv")
	must(t, "train train.csv --cost fraud=20 --trees 50 -o model.rfp")
	lines := strings.Split(strings.TrimSuffix(read(t, "later.csv"), "\n"), "\n")
	swapped, only := lines[:1:1], lines[:1:1]
	for _, line := range lines[1:] {
		switch cells, fraud := strings.CutSuffix(line, ",fraud"); {
		case fraud:
			swapped = append(swapped, cells+",ok")
			only = append(only, line)
		default:
			swapped = append(swapped, strings.TrimSuffix(line, ",ok")+",fraud")
		}
	}
	write(t, "swapped.csv", strings.Join(swapped, "\n"))
	write(t, "only.csv", strings.Join(only[:6], "\n"))
	const ask = "are the labels swapped?"
	for _, tc := range []struct {
		name, found string
		swapped     bool
	}{
		{"later.csv", `of 100 rows of "fraud" are found`, false},
		{"swapped.csv", `of 100 rows of "fraud" are found`, true},
		{"only.csv", `Of 5 rows of "fraud"`, false},
	} {
		got := must(t, "evaluate model.rfp "+tc.name)
		if strings.Contains(got.stderr, ask) != tc.swapped {
			t.Errorf("%s: %s", tc.name, got.stderr)
		}
		if words := strings.Join(strings.Fields(got.stdout), " "); !strings.Contains(words, tc.found) || strings.Contains(words, `alarms for "ok"`) {
			t.Errorf("%s: want %s\n%s", tc.name, tc.found, got.stdout)
		}
		page := must(t, "report model.rfp "+tc.name+" --format json -o -")
		if !strings.Contains(page.stdout, `such rows raise about`) || strings.Contains(page.stdout, `for \"ok\", by the plain vote`) || strings.Contains(page.stdout, ask) != tc.swapped {
			t.Errorf("the page of %s: %.3000s", tc.name, page.stdout)
		}
	}
}

// No ROC-AUC is shown as 1 that is not.
func TestAreaText(t *testing.T) {
	for _, tc := range []struct {
		value, rows float64
		want        string
	}{{1, 1e9, "1.000 (0.999–1.000)"}, {0.9997, 1e9, "> 0.999 (0.999–1.000)"}, {0.9997, 1000, "> 0.999 (0.996–1.000)"}, {0.5, 100, "0.500 (0.404–0.596)"}} {
		if got := areaText(&rfpragma.Observed{Value: tc.value, Rows: tc.rows}); got != tc.want {
			t.Errorf("%v of %v rows: %s, want %s", tc.value, tc.rows, got, tc.want)
		}
	}
}

// Where the rows of training stood in the order of time, its figures are no measure for later rows, and a drift names what is; not so where the weights were tuned on other rows since, and not of a class that is only rarer.
func TestFlattering(t *testing.T) {
	recall, share := []rfpragma.Drift{{Class: "ill", Figure: "recall"}}, []rfpragma.Drift{{Class: "ill", Figure: "share"}}
	const mixed = "the figures of training mix past and future: compare with those of rfpragma cv --time year"
	for _, tc := range []struct {
		name  string
		of    rfpragma.Provenance
		drift []rfpragma.Drift
		want  string
	}{
		{"no order", rfpragma.Provenance{Votes: vote.OOB}, recall, ""},
		{"an order", rfpragma.Provenance{Votes: vote.OOB, Grown: rfpragma.Grown{Ordered: []string{"year"}}}, recall, `; if "year" tells the time, ` + mixed},
		{"time", rfpragma.Provenance{Votes: vote.OOB, Grown: rfpragma.Grown{Ordered: []string{"year"}}, Reading: dataset.Reading{Time: "year"}}, recall, "; " + mixed},
		{"tuned since", rfpragma.Provenance{Votes: vote.Holdout, Grown: rfpragma.Grown{Ordered: []string{"year"}}}, recall, ""},
		{"rarer", rfpragma.Provenance{Votes: vote.OOB, Grown: rfpragma.Grown{Ordered: []string{"year"}}}, share, ""},
	} {
		found := &rfpragma.Comparison{Drift: tc.drift}
		got := driftWarning(&rfpragma.Model{Provenance: tc.of}, found)[0].Error()
		if want := "drift shows in " + figuresText(tc.drift) + tc.want; got != want {
			t.Errorf("%s: %s, want %s", tc.name, got, want)
		}
	}
}

// Which recall would be a drift is said of the rows at hand; few show no fall, and what was 0 cannot fall.
func TestWouldShow(t *testing.T) {
	for _, tc := range []struct {
		was, below float64
		want       string
	}{
		{0.784, 0.574, `78.4 % for "ill" (here a drift shows below 57.4 %)`},
		{0.784, 0, `78.4 % for "ill" (too few rows here for any fall to show)`},
		{0, 0, `0 % for "ill"`},
	} {
		s := rfpragma.Steady{Drift: rfpragma.Drift{Class: "ill", Figure: "recall", Was: rfpragma.Observed{Value: tc.was, Rows: 100}}, Below: tc.below}
		if got := wouldShow(&s); got != tc.want {
			t.Errorf("%s, want %s", got, tc.want)
		}
	}
}
