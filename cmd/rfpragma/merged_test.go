package main

import (
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

// Of three rows of "flu" two are found, of one of "cold" none, and one without a label is not judged.
func TestFoundByLabel(t *testing.T) {
	f := &dataset.Frame{
		Classes: []string{"ill", "well"}, Truth: []int{0, 0, -1, 0, 1, 0}, Merged: []string{"flu", "cold", "", "flu", "", "flu"},
		Reading: dataset.Reading{Merge: map[string][]string{"ill": {"flu", "cold", "cough"}}},
	}
	for _, tc := range []struct {
		name    string
		decided []int
		want    []string
		missed  string
	}{
		{"unlike", []int{0, 1, 0, 1, 1}, []string{`Of "ill" are found, by the labels of the file: 2 of 3 of "flu", 0 of 1 of "cold".`}, ""},
		{"one label", []int{0, 1, 0, 1, 0}, []string{`Of "ill" are found, by the labels of the file: 3 of 3 of "flu", 0 of 1 of "cold".`}, "cold"},
		{"all", []int{0, 0, 0, 1, 0}, nil, ""},
		{"none", []int{1, 1, 1, 1, 1}, nil, ""},
		{"not all judged", []int{0, 1, 0, 1}, nil, ""},
		{"more than there are", []int{0, 1, 0, 1, 1, 1}, nil, ""},
	} {
		if got := foundByLabel(f, decidedRows(f, tc.decided), ""); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
		if got := missedLabels(f, decidedRows(f, tc.decided)); got[0] != tc.missed || got[1] != "" {
			t.Errorf("%s: missed are those of %q, want %q", tc.name, got, tc.missed)
		}
	}
}

// Labels that differ from their class in case only are its name as the file writes it.
func TestMergedWords(t *testing.T) {
	for _, tc := range []struct {
		merge map[string][]string
		want  string
	}{
		{map[string][]string{"no": {"No", "NO"}}, `Class "no": written in the file as "No" (2), "NO" (1)`},
		{map[string][]string{"no": {"No", "NO", "none"}}, `Class "no": the labels "No" (2), "NO" (1), "none" (0)`},
		{map[string][]string{"no": {"none"}}, `Class "no": the label "none" (0)`},
	} {
		f := &dataset.Frame{Classes: []string{"no", "yes"}, Truth: []int{0, 0, 0, 1}, Merged: []string{"No", "No", "NO", ""}, Reading: dataset.Reading{Merge: tc.merge}}
		if got := mergedWords(f); !slices.Equal(got, []string{tc.want}) {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
