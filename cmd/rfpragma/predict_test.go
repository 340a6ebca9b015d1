package main

import (
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/forest"
)

// A prevalence shifts how many alarms there are: that is told, with what is used of a limit.
func TestPredictedForAnotherPrevalence(t *testing.T) {
	m := &rfpragma.Model{Forest: &forest.Forest{Classes: []string{"ill", "well"}}, Provenance: rfpragma.Provenance{Floors: []string{"ill:alerts<=12%", "ill:recall>=0.5"}}}
	job := &predictJob{model: m, was: m, rows: &rows{done: 1000}, as: []int{42, 958}, wasAs: []int{105, 895}}
	const words, limit = `: 958 as "well", 42 as "ill"; without --prevalence 895 as "well", 105 as "ill"`, ` You require ill:alerts<=12%; of these rows it is 4.2 %. --prevalence keeps the price of an error, not what you require; for that tune the model on labelled rows from there (rfpragma tune).`
	if got := job.words(); got != words {
		t.Errorf("%s, want %s", got, words)
	}
	if got := job.limitWords(); got != limit {
		t.Errorf("%s, want %s", got, limit)
	}
	if job.was = nil; job.words() != `: 958 as "well", 42 as "ill"` || job.limitWords() != "" {
		t.Errorf("for the model as it is: %s%s", job.words(), job.limitWords())
	}
}
