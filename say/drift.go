package say

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// fewGroups says what intervals of few groups are worth.
func (v Voice) fewGroups(f *finding.Finding) string {
	return "The intervals say little: the rows are of " + groupsOf(f) + "."
}

// wide says that blocks of time differ too much to plan with.
func (v Voice) wide(f *finding.Finding) string {
	return fmt.Sprintf("The blocks differ so much that the %s of %q cannot be planned with.", f.Figures[0].Name,
		f.Classes[0])
}

// ordered says that rows are in the order of what may be a time.
func (v Voice) ordered(f *finding.Finding) string {
	return "The rows are in the order of " + nearest.List(f.Columns) + ": if that is time, expect less on later rows."
}

// leaks says of columns what the figures count on.
func (v Voice) leaks(f *finding.Finding) string {
	return fmt.Sprintf("%s %s the class nearly alone: is that known when a row is to be decided?", nearest.List(f.Columns),
		english.Verb(len(f.Columns), "tells", "tell"))
}

// memorised says of columns that they help to rank rows out of bag and not later ones.
func (v Voice) memorised(f *finding.Finding) string {
	return fmt.Sprintf("The trees learn %s by heart: without %s the ROC-AUC of %q on later rows is %.2f instead of %.2f.",
		nearest.List(f.Columns), english.Verb(len(f.Columns), "it", "them"), f.Classes[0], f.Value("area_without"),
		f.Value("area"))
}

// driftColumns says which columns are not as in training.
func (v Voice) driftColumns(f *finding.Finding) string {
	const most = 5
	columns, more := f.Columns, ""
	if n := len(columns) - most; n > 0 {
		columns, more = columns[:most], fmt.Sprintf(" and %d more", n)
	}
	return nearest.List(columns) + more + english.Verb(len(f.Columns), " is", " are") +
		" not as in training: look there first."
}

// driftWorse names the figures that are worse than in training.
func (v Voice) driftWorse(f *finding.Finding) string {
	return "Worse than in training by more than chance: " + changes(f) + "."
}

// driftShares names the classes that are rarer or more common.
func (v Voice) driftShares(f *finding.Finding) string {
	return "Other shares than in training by more than chance: " + changes(f) + "."
}

// driftBetter asks whether the rows are of the training.
func (v Voice) driftBetter(f *finding.Finding) string {
	return "Better than in training by more than chance: " + changes(f) + ". Are these rows of the training?"
}

// driftNone says in which figures no drift shows.
func (v Voice) driftNone(f *finding.Finding) string {
	var of []string
	for _, g := range f.Figures {
		of = append(of, g.Name)
	}
	return "No drift shows in " + english.And(of) + "."
}

// changes names pairs of figures, now and in training; of many the first.
func changes(f *finding.Finding) string {
	const most = 3
	var parts []string
	for i := 0; i+1 < len(f.Figures); i += 2 {
		is, was := f.Figures[i], f.Figures[i+1]
		show := percent
		name := is.Name
		if is.Unit == codes.Area {
			show = func(x float64) string { return english.Fixed(x, 3) }
			name = "ROC-AUC"
		}
		parts = append(parts, fmt.Sprintf("%s of %q %s (was %s)", name, is.Class, show(is.Value), show(was.Value)))
	}
	if n := len(parts) - most; n > 0 {
		parts = append(parts[:most], fmt.Sprintf("%d more", n))
	}
	return strings.Join(parts, ", ")
}

// promised says of a figure that it is worse than was promised.
func (v Voice) promised(f *finding.Finding) string {
	expected, found := f.Figures[0], f.Figures[1]
	name, _ := strings.CutSuffix(found.Name, "_found")
	if found.Class != "" {
		name += " of " + quoted(found.Class)
	}
	if found.Unit == codes.Loss {
		name = strings.TrimPrefix(v.lossName(), "the ")
	}
	text := fmt.Sprintf("%s is %s, cv promised %s", english.Capital(name), v.promise(found), v.promise(expected))
	if f.Code == codes.PromiseUnsure {
		return text + "; so few rows do not prove that it is worse."
	}
	return text + ": worse by more than chance."
}

// kept says which figures came true.
func (v Voice) kept(f *finding.Finding) string {
	var of []string
	for _, g := range f.Figures {
		if name, ok := strings.CutSuffix(g.Name, "_found"); ok {
			if g.Class != "" {
				name += " of " + quoted(g.Class)
			}
			of = append(of, name)
		}
	}
	return "What cv promised came true: " + english.And(of) + "."
}

// promise shows a figure and its interval.
func (v Voice) promise(g finding.Figure) string {
	if g.Unit == codes.Loss {
		texts := v.losses(g.Value, g.Interval[0], g.Interval[1])
		return fmt.Sprintf("%s (%s–%s)", texts[0], texts[1], texts[2])
	}
	return ranged(g)
}
