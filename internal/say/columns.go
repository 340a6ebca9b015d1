package say

import (
	"fmt"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// memorised says of columns that they help to rank rows out of bag and not later ones.
func (v Voice) memorised(f *finding.Finding) string {
	return fmt.Sprintf("The trees learn %s by heart: that helps to rank the rows of %q out of bag, and not later ones. With %s %.0f trees come to a ROC-AUC of %.2f out of bag and %.2f on later rows, without to %.2f there.",
		nearest.List(f.Columns), f.Classes[0], english.Verb(len(f.Columns), "it", "them"), f.Value("trees"),
		f.Value("area_out_of_bag"), f.Value("area"), f.Value("area_without"))
}
