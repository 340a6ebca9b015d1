package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/bench/set"
)

// example has two sets, on which LightGBM is worse than ours by 0.03 and better by 0.01, in loss and in log loss.
// The standard error is 0.01 each, so the second is a tie.
func example() []result {
	var lines []result
	for i, name := range []string{"glass", "pima"} {
		for _, g := range set.Goals {
			r := result{Date: "2026-01-02", Set: name, Rows: 200, Features: 9, Classes: 2, Rare: "a,b", RareRows: 20, Side: us, Goal: g.Name, Cores: 2, Threads: 2, Seed: 1, Limit: 2000,
				Pragma: 0.2, AUC: 0.9, LogLoss: 0.5, Brier: 0.1, Seconds: 1}
			other := r
			gap := []float64{0.03, -0.01}[i]
			other.Side, other.Version, other.Seconds = "lightgbm", "4.0", 3
			other.Pragma, other.PragmaGap, other.PragmaSE = r.Pragma+gap, gap, 0.01
			other.LogLoss, other.LogLossGap, other.LogLossSE = r.LogLoss+gap, gap, 0.01
			lines = append(lines, other, r)
		}
	}
	return lines
}

// By hand: the mean difference of 0.03 and -0.01 is 0.01, its standard error 0.02.
func TestReport(t *testing.T) {
	text, err := report(example())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Measured 2026-01-02 on 2 cores, 2 threads: at most 2000 rows of a set, seed 1. Rivals: lightgbm 4.0.",
		"| lightgbm | 2 | 0.2100 | 0.2100 | 0.2100 | 0.5100 | 0.9000 | 0.1000 | 3.0 |",
		"| lightgbm | PRAGMA, priority | 1 | 1 | 0 | +0.0100 ± 0.0200 | tie | glass, by 0.0300 | pima, by 0.0100 (tie) |",
		"**PRAGMA, moderate**\n\n| set | rfpragma | lightgbm |\n|---|---|---|\n| pima | 0.2000 | **0.1900** |\n| glass | **0.2000** | 0.2300 † |\n",
		"**Log loss**\n\n| set | rfpragma | lightgbm |\n|---|---|---|\n| pima | 0.5000 | **0.4900** |\n",
		`| glass, 200 × 9, 2 classes, 20 rows of "a,b" | 1.0 | 3.0 |`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	even := example() // 0.03 and 0.02: mean 0.025, standard error 0.005, of which it is five; but Student's t of two sets is 12.7
	for i := range even {
		if even[i].Set == "pima" && even[i].Side != us {
			even[i].PragmaGap = 0.02
		}
	}
	if text, err = report(even); err != nil || !strings.Contains(text, "+0.0250 ± 0.0050 | tie | glass, by 0.0300 | – |") {
		t.Errorf("error %v, two sets:\n%s", err, text)
	}
	without := slices.DeleteFunc(example(), func(r result) bool { return r.Set == "pima" && r.Side != us })
	if text, err = report(without); err != nil || !strings.Contains(text, "| pima | **0.2000** | – |") || !strings.Contains(text, "| lightgbm | log loss | 1 | 0 | 0 | +0.0300 | – |") {
		t.Errorf("error %v, a side without a set:\n%s", err, text)
	}
}

func TestUniform(t *testing.T) {
	for want, change := range map[string]func(r *result){
		"results of seed 1 and 2":                      func(r *result) { r.Seed = 2 },
		"results of limit of rows 2000 and 500":        func(r *result) { r.Limit = 500 },
		"results of version of lightgbm 4.0 and 5.0":   func(r *result) { r.Side, r.Version = "lightgbm", "5.0" },
		"results of cores 2 and 8; measure the set pi": func(r *result) { r.Cores = 8 },
	} {
		lines := example()
		change(&lines[len(lines)-1])
		if _, err := report(lines); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := report(nil); err == nil || !strings.Contains(err.Error(), "measure first") {
		t.Errorf("no results: %v", err)
	}
}

// What is written is read again, and -print puts the report into a page.
func TestResultsAndPage(t *testing.T) {
	folder := t.TempDir()
	file, page := filepath.Join(folder, "results.csv"), filepath.Join(folder, "README.md")
	if err := writeResults(file, example()); err != nil {
		t.Fatal(err)
	}
	if again, err := readResults(file); err != nil || !slices.Equal(again, example()) {
		t.Errorf("error %v, read again: %+v", err, again)
	}
	if err := os.WriteFile(page, []byte("before\n<!-- rivals -->\nold\n<!-- /rivals -->\nafter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-print", "-results", file, "-readme", page}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil || string(text) != "before\n<!-- rivals -->\n"+out.String()+"<!-- /rivals -->\nafter\n" || !strings.Contains(out.String(), "glass") {
		t.Errorf("error %v, the page is\n%s", err, text)
	}
	if err := os.WriteFile(file, []byte("date,set\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readResults(file); err == nil || !strings.Contains(err.Error(), "the first line is not that of results") {
		t.Errorf("another file: %v", err)
	}
}

// Wrong requests are told before anything is measured.
func TestRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		"name the folder of the sets with -data": {},
		`-sets: there is no "nonesuch"`:          {"-data", "x", "-sets", "pima,nonesuch"},
		`-rivals: there is no "ranger"`:          {"-data", "x", "-rivals", "ranger"},
		"-rows is at least 100":                  {"-data", "x", "-rows", "20"},
		`unexpected "pima"`:                      {"pima"},
	} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", args, err, want)
		}
	}
	for _, name := range usual {
		if !slices.Contains(set.PublicNames(), name) {
			t.Errorf("there is no set %s", name)
		}
	}
}
