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
