package tables

import (
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
)

// TruthIn returns the class of each row (len n) as an index into classes, or -1 if it is unknown or not among
// them.
func TruthIn(f *dataset.Frame, classes []string) []int {
	truth := make([]int, f.Rows())
	to := make([]int, len(f.Classes))
	for c, name := range f.Classes {
		to[c] = slices.Index(classes, name)
	}
	for i := range truth {
		truth[i] = -1
		if f.Truth != nil && f.Truth[i] >= 0 {
			truth[i] = to[f.Truth[i]]
		}
	}
	return truth
}
