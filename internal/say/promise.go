package say

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
)

// promised says of a figure that it is worse than was promised.
func (v Voice) promised(f *finding.Finding) string {
	expected, found := f.Figures[0], f.Figures[1]
	name, _ := strings.CutSuffix(found.Name, "_found")
	if found.Class != "" {
		name += fmt.Sprintf(" of %q", found.Class)
	}
	text := fmt.Sprintf("was expected to be %s, and is %s on %s", v.ranged(expected), v.ranged(found), v.On(f.Where))
	if f.Code == codes.PromiseUnsure {
		return english.Capital(name) + " " + text + ": worse, but so few rows do not prove it."
	}
	return english.Capital(name) + " " + text + ": worse by more than chance."
}

// kept says which figures came true.
func (v Voice) kept(f *finding.Finding) string {
	var names []string
	for _, g := range f.Figures {
		if name, ok := strings.CutSuffix(g.Name, "_found"); ok {
			if g.Class != "" {
				name += fmt.Sprintf(" of %q", g.Class)
			}
			names = append(names, name)
		}
	}
	return "What was expected came true: " + english.And(names) + "."
}

// ranged shows a figure and its interval.
func (v Voice) ranged(g finding.Figure) string {
	if g.Unit == codes.Loss {
		texts := v.Losses(g.Value, g.Interval[0], g.Interval[1])
		return fmt.Sprintf("%s (%s–%s)", texts[0], texts[1], texts[2])
	}
	value, ends := english.Within(g.Value, g.Interval[0], g.Interval[1], 0)
	return value + " % (" + ends + ")"
}
