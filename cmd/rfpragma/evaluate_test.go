package main

import (
	"strings"
	"testing"
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

// The text begins with what people decide by, fits a page also where drift shows, and says nothing twice; what is of the model, or rarely asked for, is in the JSON.
func TestEvaluatePage(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 1500 -o train.csv")
	must(t, "generate fraud --rows 3000 --seed 2 --drift 0.6 -o later.csv")
	must(t, "train train.csv --prefer fraud --require fraud:alerts<=1000/10000 --trees 50 -o model.rfp")
	text := must(t, "evaluate model.rfp later.csv").stdout
	at := -1
	for _, next := range []string{"later.csv: 3000 rows", "are found", "You require fraud:alerts<=1000/10000:", "The model does worse on these rows", "What may help", " accuracy", "missed (false negatives)", "Brier  log loss", "Tuned is the model as it is saved", "The loss is by harmonic means (pragma:s=-1)"} {
		if found := strings.Index(text, next); found <= at {
			t.Errorf("%q is not where it should be in\n%s", next, text)
		} else {
			at = found
		}
	}
	for _, twice := range []string{"First of all", "such rows raise", "taken for", "Brier score  ", "although \"ok\" is likelier", "votes are now enough"} {
		if strings.Contains(text, twice) {
			t.Errorf("%q is in\n%s", twice, text)
		}
	}
	if lines := strings.Count(text, "\n"); lines > 57 { // of which three say how to use the alarms that are left
		t.Errorf("%d lines\n%s", lines, text)
	}
	inWords(t, must(t, "evaluate model.rfp later.csv --format json").stdout, `although \"ok\" is likelier`)
}
