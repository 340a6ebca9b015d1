package verb

import (
	"fmt"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/view"
)

// memorisedWords say what importance of rows in the order of columns that may be times leaves out.
func memorisedWords(columns []string, r *dataset.Reading, s dataset.Schema) []string {
	if columns == nil {
		return nil
	}
	when := ""
	if r.Time == "" {
		when = fmt.Sprintf("If %s is time, ", nearest.List(columns[:1]))
	}
	return []string{english.Capital(
		fmt.Sprintf("%spast and future are mixed here: what trees learn by heart, such as a month, looks worth more than "+
			"it is on later rows; cv %s looks for such columns.", when, csvtext.Flag("time", view.InOrder(columns, r, s), "COL")))}
}
