package say

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// estimated names the figures that rows without labels are estimated to have.
func (v Voice) estimated(f *finding.Finding) string {
	var parts []string
	for _, g := range f.Figures {
		switch {
		case g.Interval == nil: // alarms, which are known
		case g.Unit == codes.Cost:
			texts := english.Sums(1000*g.Value, 1000*g.Interval[0], 1000*g.Interval[1])
			parts = append(parts, fmt.Sprintf("the cost per 1,000 rows %s (%s–%s)", texts[0], texts[1], texts[2]))
		default:
			parts = append(parts, fmt.Sprintf("%s of %s %s", g.Name, quoted(g.Class), between(g)))
		}
	}
	if parts == nil {
		return "Without labels nothing can be said of the classes that matter: no row is likely to be of them."
	}
	return "Without labels, by the probabilities: " + english.And(parts) + "."
}

// between shows a share with its interval.
func between(g finding.Figure) string {
	is, ends := english.Within(g.Value, g.Interval[0], g.Interval[1], 0)
	return is + " % (" + ends + ")"
}

// sharesEstimated says that classes seem to have other shares.
func (v Voice) sharesEstimated(f *finding.Finding) string {
	var parts []string
	for _, g := range f.Figures {
		parts = append(parts, fmt.Sprintf("%s %s", quoted(g.Class), between(g)))
	}
	return "The votes spread as where classes have other shares, " + english.And(parts) +
		"; or rows are of other kinds. Labels of some rows would tell."
}

// voidEstimate says why nothing can be said without labels.
func (v Voice) voidEstimate(f *finding.Finding) string {
	if len(f.Columns) > 0 {
		return fmt.Sprintf("Without labels no figures can be told: %s %s not as in training, more than shares of the "+
			"classes explain.", nearest.List(f.Columns), english.Verb(len(f.Columns), "is", "are"))
	}
	return "Without labels no figures can be told: the votes spread as no shares of the classes explain, so the " +
		"rows are of another kind."
}

// cameTrue says what the labels say of what was estimated.
func (v Voice) cameTrue(f *finding.Finding) string {
	return "As estimated, labels say: " + v.came(f) + "."
}

func (v Voice) cameOtherwise(f *finding.Finding) string {
	return "Other than estimated, labels say: " + v.came(f) + "."
}

// came are pairs of figures, what was estimated and what labels say.
func (v Voice) came(f *finding.Finding) string {
	var parts []string
	for i := 0; i+1 < len(f.Figures); i += 2 {
		was, is := f.Figures[i], f.Figures[i+1]
		if was.Interval != nil {
			parts = append(parts, fmt.Sprintf("%s of %s %s, estimated %s", strings.TrimSuffix(is.Name, "_found"),
				quoted(is.Class), percent(is.Value), between(was)))
		}
	}
	return english.And(parts)
}
