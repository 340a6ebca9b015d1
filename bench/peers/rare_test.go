package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// rareTurns returns runs of a side on a set of the rare table: a PRAGMA for each fold.
func rareTurns(set, side string, pragma ...float64) []result {
	runs := turns(side, pragma, pragma)
	for i := range runs {
		r := &runs[i]
		r.Set, r.Rows, r.Tests, r.Features, r.Classes = set, 80, 20, 5, 2
		r.Version = "1.0 of " + programOf(side)
		r.Precision, r.Pragma, r.FileBytes = r.Accuracy, r.Accuracy, 3<<20
	}
	return runs
}

func TestRareReport(t *testing.T) {
	failed := rareTurns("oil_spill", "ydf", 0)
	failed[0].Status, failed[0].told, failed[0].score = "failed", nothingTold(), nothingScored()
	var runs []result
	for _, r := range [][]result{
		rareTurns("oil_spill", tuned, 0.2, 0.3, 0.1), // mean 0.2, se 0.1/√3
		rareTurns("oil_spill", us, 0.3, 0.4, 0.2),    // 0.1 worse in every fold
		rareTurns("oil_spill", "ranger", 0.1, 0.21, 0.01),
		rareTurns("oil_spill", "ranger:class.weights", 0.3, 0.2, 0.1), // now better, now worse
		failed,
		rareTurns("mammography", tuned, 0.4, 0.4, 0.4),
		rareTurns("mammography", us, 0.4, 0.4, 0.4),
		rareTurns("mammography", "ranger", 0.5),
	} {
		runs = append(runs, r...)
	}
	text, err := rareReport(whole(table{name: "rare"}), runs)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"100 trees, 2 threads. Peers: ranger 1.0 of ranger.\n",
		"| mammography | 80 | 20 | 5 | 2 |\n| oil_spill | 80 |",
		"**PRAGMA, a loss: 0 is perfect**\n\n| side | mammography | oil_spill | mean |",
		"| rfpragma:tuned | 0.4000 ± 0.0000 | 0.2000 ± 0.0577 | 0.3000 |",
		"| rfpragma | 0.4000 ± 0.0000 | 0.3000 ± 0.0577 † | 0.3500 |",
		"| ranger | 0.5000 | 0.1067 ± 0.0578 ‡ | 0.3033 |", // by hand: 0.32/3; a single fold proves nothing
		"| ranger:class.weights | – | 0.2000 ± 0.0577 | – |",
		"| ydf | – | failed | – |",
		"| rfpragma | 0.4000 ± 0.0000 | 0.3000 ± 0.0577 ‡ | 0.3500 |", // of accuracy more is better
		"| rfpragma:tuned | 8.00 / 3.00 | 4.00 / 3.00 |",
		"Against rfpragma:tuned, fold by\nfold",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "NaN") {
		t.Errorf("the report shows what is not there:\n%s", text)
	}
	if _, err := rareReport(whole(table{name: "rare"}), rareTurns("oil_spill", us, 1)); err == nil || !strings.Contains(err.Error(), "no result of rfpragma:tuned in it") {
		t.Errorf("rareReport without the first side: %v", err)
	}
}

// A setting of a program is asked for its version once, and left out with it.
func TestPresent(t *testing.T) {
	var log strings.Builder
	b := &bench{python: "no-such-python", scratch: t.TempDir(), threads: 1, log: &log}
	got, err := b.present(t.Context(), whole(table{name: "rare"}).sides[:5])
	if err != nil || len(got) != 2 || got[0].name != tuned || got[1].name != us {
		t.Errorf("present = %v, %v", names(got), err)
	}
	// So is a peer of Go without its module, and nothing is fetched for it.
	b.foreign = filepath.Join(b.scratch, "no-such-folder")
	if got, err := b.present(t.Context(), whole(table{name: "go"}).sides[1:2]); err != nil || len(got) != 0 {
		t.Errorf("present = %v, %v", names(got), err)
	}
	if text := log.String(); !strings.Contains(text, "malaschitz is left out, it does not start; to install it: go -C foreign mod download") {
		t.Errorf("log %q", text)
	}
	if text := log.String(); strings.Count(text, "scikit-learn is left out, it does not start; to install it: python3 -m pip install scikit-learn") != 1 || strings.Contains(text, "balanced") {
		t.Errorf("log %q", text)
	}
}
