package main

import (
	"fmt"

	"github.com/rfpragma/rfpragma/internal/english"
)

// limitWords say what a limit of alarms costs.
func (v *verdict) limitWords() []string {
	l := v.limit
	if l == nil {
		return nil
	}
	sums, which, with := english.Sums(l.With, l.Without, l.With-l.Without), "The limit ", "it"
	if len(l.Require) > 1 {
		which, with = "The limits ", "them"
	}
	which += few(l.Require)
	rows := "1,000 rows"
	if v.report.Together != nil {
		rows = "1,000 " + v.onAll()
	}
	if l.Without >= l.With {
		return []string{fmt.Sprintf("%s %s nothing here: with %s %s cost %s, without %s.", which, english.Verb(len(l.Require), "costs", "cost"), with, rows, sums[0], sums[1])}
	}
	return []string{fmt.Sprintf("%s %s %s for each %s: with %s they cost %s, without %s, at %s in 10,000 rows instead of %s.",
		which, english.Verb(len(l.Require), "costs", "cost"), sums[2], rows, with, sums[0], sums[1], english.Plural(inTenThousand(l.More), "alarm"), inTenThousand(l.Alerts))}
}
