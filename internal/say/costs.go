package say

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/english"
)

// costOfFew says that the cost is due to few rows.
func (v Voice) costOfFew(f *finding.Finding) string {
	part := english.Percent(f.Value("part"), 1) + " of the cost"
	if f.Value("part") == 1 {
		part = "All of the cost"
	}
	return fmt.Sprintf("%s is due to %s: on other rows it may be quite different.", part,
		english.Plural(english.About(f.Value("rows")), "row"))
}

// hangs says that a difference in cost hangs on few rows. It goes on after a sentence that tells the difference.
func (v Voice) hangs(f *finding.Finding) string {
	var amounts []string
	for _, g := range f.Figures {
		if g.Name == "amount" {
			amounts = append(amounts, english.About(g.Value))
		}
	}
	which := fmt.Sprintf("%s (amount %s)", english.Plural(len(amounts), "row"), strings.Join(amounts, ", "))
	if left := f.Value("left"); left >= 0 {
		return fmt.Sprintf("Most of the difference, %s, is due to %s.", english.Percent(1-left, 1), which)
	}
	return fmt.Sprintf("Without %s it would be the other way round.", which)
}
