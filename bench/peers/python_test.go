package main

import (
	"strings"
	"testing"
)

// By hand: the medians of fit and predict, and ratios turn by turn.
func TestPythonReport(t *testing.T) {
	var runs []result
	for side, fit := range map[string][]float64{us: {1, 1, 1}, python: {2, 1, 1}, tuned: {4, 4, 4}, pythonTuned: {4, 5, 6},
		"scikit-learn": {4, 5, 3}} {
		for i, seconds := range fit {
			r := rareTurns("letter", side, 0.5)[0]
			r.Seed, r.FitS, r.PredictS = i+1, number(seconds), 0
			runs = append(runs, r)
		}
	}
	text, err := pythonReport(whole(table{name: "python"}), runs)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Peers: scikit-learn 1.0 of scikit-learn.\n",
		"| letter, 80 × 5, 2 classes | 1.00 | 1.00 | 4.00 | 5.00 | 4.00 |",
		"| letter | 1.25 (1.00–1.50) | 3.00 (2.00–5.00) |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}
