package verb

import (
	"fmt"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/shift"
	"github.com/rfpragma/rfpragma/internal/view"
)

// decidedOtherwise warns of classes as which new rows are decided far more or less often than in training: a column
// may be empty, in another unit or coded otherwise.
func decidedOtherwise(m *rfpragma.Model, as []int) error {
	var found []string
	rows := 0
	for _, n := range as {
		rows += n
	}
	for i, c := range shift.Classes(m, as) {
		verb := ""
		if i == 0 {
			verb = " are decided"
		}
		found = append(found, fmt.Sprintf("%d%s as %s (%s, %s %s)", c.Rows, verb, english.Quote(m.Classes()[c.Class]),
			english.Percent(c.Share, 1), view.TunedOn(m.Provenance.Votes), english.Percent(c.Then, 1)))
	}
	if found == nil {
		return nil
	}
	return fmt.Errorf("of %s %s: are they of the same kind, and is no column empty, in another unit or coded otherwise?",
		english.Plural(rows, "row"), english.First(found))
}
