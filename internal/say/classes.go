package say

import (
	"fmt"
	"math"
	"strconv"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/english"
)

// scarce says what a single row does to the recall of a class of a handful of rows, and how much of the loss is of it.
func (v Voice) scarce(f *finding.Finding) string {
	rows := f.Value("rows")
	n := int(math.Round(rows))
	line := fmt.Sprintf("Class %q has only %s: each that is found or missed moves its recall by %.0f points",
		f.Classes[0], english.Plural(strconv.Itoa(n), "row"), min(100, 100/rows))
	if n == 1 {
		line = fmt.Sprintf("Class %q has only 1 row, which says nothing of others", f.Classes[0])
	}
	if part, ok := f.Figure("part"); ok {
		if text := english.Amounts(part.Value)[0]; text != english.Amounts(0)[0] {
			line += fmt.Sprintf(", and %s of the loss is of this class", text)
			if f.Value("recall") == 1 {
				line += ", all by false alarms"
			}
		}
	}
	return line + "."
}

// never says as which classes no row is decided.
func (v Voice) never(f *finding.Finding) string {
	names := make([]string, len(f.Classes))
	for i, name := range f.Classes {
		names[i] = fmt.Sprintf("%q", name)
	}
	return "No row is decided as " + english.First(names) + "."
}
