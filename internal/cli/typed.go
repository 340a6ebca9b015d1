package cli

import (
	"slices"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/tradeoff"
)

// Typed is how the command asks for what findings and operating points advise.
var Typed = view.Typed{Remedy: remedyFlag, Point: pointFlags, Details: "--details"}

// remedyFlag turns a remedy into a flag; "" where none does it.
func remedyFlag(r finding.Remedy, classes []string) string {
	switch r.Do {
	case codes.TakeWeights:
		return "--weights " + r.Name
	case codes.TakeMeasure:
		return "--measure " + r.Name
	case codes.BeSure:
		return "--sure 95%"
	case codes.OwnVotes:
		return "--sure-share 0"
	case codes.IgnoreColumn:
		return csvtext.Flag("ignore", r.Column, "COL")
	case codes.Require:
		f := pragma.Floor{Class: slices.Index(classes, r.Class), What: pragma.Figure(r.Figure), Limit: r.Limit}
		if f.What == pragma.Alerts {
			f.Typed = english.Significant(1e3*r.Limit, 12) + "/1000"
		}
		return "--require " + csvtext.ShellQuoted(f.Text(classes))
	}
	return ""
}

// pointFlags are what asks for an operating point.
func pointFlags(o *tradeoff.Point) []string {
	var flags []string
	if o.Measure != "" {
		flags = append(flags, "--measure "+o.Measure)
	}
	for _, text := range o.Require {
		flags = append(flags, "--require "+csvtext.ShellQuoted(text))
	}
	return flags
}
