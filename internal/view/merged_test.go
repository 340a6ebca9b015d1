package view

import (
	"slices"
	"testing"

	"github.com/rfpragma/rfpragma/dataset"
)

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
		f := &dataset.Frame{Classes: []string{"no", "yes"}, Truth: []int{0, 0, 0, 1}, Merged: []string{"No", "No", "NO", ""},
			Reading: dataset.Reading{Merge: tc.merge}}
		if got := MergedWords(f); !slices.Equal(got, []string{tc.want}) {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
