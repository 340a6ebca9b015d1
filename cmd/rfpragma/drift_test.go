package main

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

// Other weights are told of that lower the loss beyond noise, and by more than next to nothing.
func TestRetuned(t *testing.T) {
	train := dataset.Fraud(2000, 1)
	m, err := rfpragma.Fit(t.Context(), train, pragma.Spec{"fraud": pragma.Priority()}, rfpragma.Config{Forest: forest.Config{Trees: 60, Seed: 1}, Votes: vote.OOB})
	if err != nil {
		t.Fatal(err)
	}
	later := dataset.Fraud(2000, 2)
	votes, err := m.Votes(t.Context(), later)
	if err != nil {
		t.Fatal(err)
	}
	measure, err := m.Measure()
	if err != nil {
		t.Fatal(err)
	}
	found, err := anneal.Search{}.Weights(t.Context(), votes, measure)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name    string
		weights vote.Weights
		may     bool
	}{
		{"next to no frauds are found", vote.Weights{0.1, 1}, true},
		{"all is as well as can be", found.Weights, false},
		{"another number of votes does a little better", vote.Weights{found.Weights[0] * 1.1, found.Weights[1]}, false},
	} {
		with, err := m.WithWeights(tc.weights)
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&modelRows{model: with, frame: later}).retuned(t.Context(), 1, votes)
		if err != nil || strings.Contains(got, "lower the loss, cross-validated on these rows from") != tc.may || strings.Contains(got, "two standard errors") != tc.may {
			t.Errorf("%s: %q (%v)", tc.name, got, err)
		}
	}
}

// Rows of a model trained in time are first to be set beside what cv promised, which is the better yardstick. Of a figure of which it promised nothing that is a drift all the same.
func TestYardstick(t *testing.T) {
	drift := []rfpragma.Drift{{Class: "ill", Figure: "recall"}}
	for _, tc := range []struct {
		name     string
		time     string
		expected *expectedInfo
		want     string
	}{
		{"no time", "", nil, "\nWhat may help: training anew"},
		{"no promise", "year", nil, "the better yardstick is --expected with the JSON of rfpragma cv --time year, which knows by how much.\nWhat may help if they are below that, too: training anew"},
		{"lower", "year", &expectedInfo{Time: "year", Figures: []expectedFigure{{Figure: "recall", Verdict: lower}}}, "\nWhat may help: training anew"},
	} {
		m := &rfpragma.Model{Forest: &forest.Forest{}, Provenance: rfpragma.Provenance{Votes: vote.Forward, Reading: dataset.Reading{Time: tc.time}}}
		if tc.expected != nil {
			tc.expected.aim = &aim{}
		}
		found := &rfpragma.Comparison{Drift: tc.expected.unforeseen(drift)}
		said := strings.Join(driftVerdict(&modelRows{model: m, frame: &dataset.Frame{}, expected: tc.expected}, found), "\n")
		if !strings.Contains(said, tc.want) || strings.Contains(said, "no drift") {
			t.Errorf("%s: %s", tc.name, said)
		}
	}
}
