package main

import (
	"context"
	"os"
	"strings"
	"testing"
)

// What the experiment is known to find, on the scores that are committed: a sigmoid mends boosted trees, support vector machines and forests, only the isotonic map
// mends naive Bayes, and logistic regression needs nothing (Niculescu-Mizil and Caruana, ICML 2005).
func TestFindings(t *testing.T) {
	models, err := readScores("scores.csv")
	if err != nil {
		t.Fatal(err)
	}
	own, err := forestScores(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	results, err := judge(append(models, own))
	if err != nil {
		t.Fatal(err)
	}
	const rawScore, platt, isotonic = 0, 1, 2
	for _, r := range results {
		raw, sigmoid, steps := r.of[rawScore], r.of[platt], r.of[isotonic]
		switch r.model {
		case "logistic regression":
			if raw.brier > sigmoid.brier || raw.brier > steps.brier || raw.ece > 0.03 {
				t.Errorf("%s: %+v", r.model, r.of)
			}
		case "naive Bayes":
			if steps.brier > 0.9*sigmoid.brier || steps.ece > 0.6*sigmoid.ece {
				t.Errorf("%s: %+v", r.model, r.of)
			}
		default:
			if sigmoid.brier > 0.95*raw.brier || sigmoid.ece > 0.5*raw.ece || sigmoid.brier > 1.01*steps.brier {
				t.Errorf("%s: %+v", r.model, r.of)
			}
		}
	}
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), table(results)) {
		t.Errorf("the table in README.md is not this one; run the command that it names\n%s", table(results))
	}
}
