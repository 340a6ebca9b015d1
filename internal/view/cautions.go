package view

import (
	"slices"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
)

// flagOf turns a remedy into a flag; "" where none does it.
func flagOf(r finding.Remedy, classes []string) string {
	switch r.Do {
	case codes.TakeWeights:
		return "--weights " + r.Name
	case codes.TakeMeasure:
		return "--measure " + r.Name
	case codes.Careful:
		return "--choice careful"
	case codes.Repeat:
		return "--repeats 5"
	case codes.IgnoreColumn:
		return csvtext.Flag("ignore", r.Column, "COL")
	case codes.Require:
		f := pragma.Floor{Class: slices.Index(classes, r.Class), What: pragma.Figure(r.Figure), Limit: r.Limit}
		if f.What == pragma.Alerts {
			f.Typed = english.Significant(1e4*r.Limit, 12) + "/10000"
		}
		return "--require " + csvtext.ShellQuoted(f.Text(classes))
	}
	return ""
}
