package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
)

// guaranteed says how surely what is required holds on new rows.
func (v Voice) guaranteed(f *finding.Finding) string {
	const ending = "_limit"
	at := slices.IndexFunc(f.Figures, func(g finding.Figure) bool { return strings.HasSuffix(g.Name, ending) })
	if at < 0 {
		in := ""
		if f.Where.Of > 1 {
			in = fmt.Sprintf("In %d of %d trainings the", f.Where.Times, f.Where.Of)
		} else {
			in = "The"
		}
		in += " rows are too few to be sure of all that you require"
		if needed, ok := f.Figure("needed"); ok {
			in += fmt.Sprintf(": it takes at least %s of %q, and there are %s", english.Plural(int(needed.Value), "row"),
				needed.Class, english.Significant(f.Value("rows"), 12))
		}
		return in + "."
	}
	limit := f.Figures[at]
	name := strings.TrimSuffix(limit.Name, ending)
	what := "a cost of at most " + english.Significant(limit.Value, 4) + " for a row in the mean"
	if name != "cost" {
		what = v.Required(pragma.Floor{Class: slices.Index(v.Classes, limit.Class), What: pragma.Figure(name),
			Limit: limit.Value, Slice: sliceOf(f)})
	}
	counted, _ := f.Figure("counted")
	unit := strings.TrimSuffix(counted.Unit, "s")
	shown := "no " + unit + " tells of it"
	if is, ok := f.Figure(name); ok {
		of := map[string]string{"recall": " of %q", "precision": " decided as %q", "fpr": " of other classes than %q"}[name]
		if of != "" {
			of = fmt.Sprintf(of, is.Class)
		}
		value := percent(is.Value)
		switch name {
		case "cost":
			value = english.Significant(is.Value, 4)
		case "alerts":
			value = english.Significant(1000*is.Value, 3)
		}
		shown = fmt.Sprintf("it is %s on %s%s", value, english.Plural(int(counted.Value), unit), of)
	}
	confidence := percent(f.Value("confidence"))
	switch f.Code {
	case codes.GuaranteeKept:
		return fmt.Sprintf("With %s confidence new rows keep what you require, %s: %s kept apart.", confidence, what, shown)
	case codes.GuaranteeApproximate:
		return fmt.Sprintf("With about %s confidence new rows keep what you require, %s: %s, but on votes that weights "+
			"are searched on.", confidence, what, shown)
	}
	line := fmt.Sprintf("Not sure with %s confidence: %s; %s", confidence, what, shown)
	if n := f.Value("needed"); n > 0 {
		line += fmt.Sprintf("; it takes about %s to test on in place of %s", english.Plural(english.Significant(n, 2), unit),
			english.Plural(int(f.Value("tested")), unit))
	}
	return line + "."
}

// estimatedGap says so of what probabilities imply.
func (v Voice) estimatedGap(f *finding.Finding) string {
	return "By the probabilities, o" + strings.TrimPrefix(v.gap(f), "O")
}

// gap says that a figure of a part of the rows differs from that of the others.
func (v Voice) gap(f *finding.Finding) string {
	is := f.Figures[0]
	what := "Of " + quoted(is.Class) + " %s is found"
	if is.Name == "precision" {
		what = "Of the alarms for " + quoted(is.Class) + " %s are right"
	}
	return fmt.Sprintf(what+" where %s is %s, and %s elsewhere: more than chance.", percent(is.Value), names(f.Columns),
		quoted(f.Part), percent(f.Value(is.Name+"_others")))
}

// reviewed says how many rows are left to people.
func (v Voice) reviewed(f *finding.Finding) string {
	line := english.Plural(english.Significant(1000*f.Value("reviewed"), 3), "row") +
		" of 1,000 are close, and left to people"
	if g, ok := f.Figure("recall_helped"); ok {
		line += fmt.Sprintf("; with them %s of %s is found, if they are right", percent(g.Value), quoted(g.Class))
	}
	return line + "."
}
