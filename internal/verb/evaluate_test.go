package verb

import (
	"strings"
	"testing"
)

// The class that a model is for stays the same, whichever is rare among the rows that it is judged on; of labels
// that are swapped all is said of it too, and that they look so.
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
		{"later.csv", `"fraud" found (recall)`, false},
		{"swapped.csv", `"fraud" found (recall)`, true},
		{"only.csv", `"fraud" found (recall)`, false},
	} {
		got := must(t, "evaluate model.rfp "+tc.name)
		if strings.Contains(strings.Join(strings.Fields(got.stdout), " "), ask) != tc.swapped {
			t.Errorf("%s: %s", tc.name, got.stdout)
		}
		if words := strings.Join(strings.Fields(got.stdout), " "); !strings.Contains(words, tc.found) ||
			strings.Contains(words, `alarms for "ok"`) {
			t.Errorf("%s: want %s\n%s", tc.name, tc.found, got.stdout)
		}
		page := must(t, "report model.rfp "+tc.name+" --format json -o -")
		if strings.Contains(page.stdout, ask) != tc.swapped {
			t.Errorf("the page of %s: %.3000s", tc.name, page.stdout)
		}
	}
}

// The first screen begins with what people decide by, and says also of drift; --details adds the tables behind it.
func TestEvaluatePage(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 1500 -o train.csv")
	must(t, "generate fraud --rows 3000 --seed 2 --drift 0.6 -o later.csv")
	must(t, "train train.csv --prefer fraud --require fraud:alerts<=1000/10000 --trees 50 -o model.rfp")
	first := must(t, "evaluate model.rfp later.csv").stdout
	text := must(t, "evaluate model.rfp later.csv --details").stdout
	at := -1
	for _, next := range []string{"later.csv: 3000 rows", `at most`, `"fraud" found (recall)`,
		"limit 100: kept", "OF 1,000 ROWS", "Worse than in training", " accuracy", "negative predictive value (NPV)",
		"Brier  log loss"} {
		if found := strings.Index(text, next); found <= at {
			t.Errorf("%q is not where it should be in\n%s", next, text)
		} else {
			at = found
		}
	}
	if lines := strings.Count(first, "\n"); lines > 30 || !strings.Contains(first, "Worse than in training") ||
		strings.Contains(first, "negative predictive value") {
		t.Errorf("%d lines\n%s", lines, first)
	}
}
