package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// constraint says whether what is required is kept.
func (v Voice) constraint(f *finding.Finding) string {
	of := f.Figures[0]
	floor := pragma.Floor{Class: slices.Index(v.Classes, of.Class), What: pragma.Figure(of.Name), Limit: f.Value("limit"),
		Slice: sliceOf(f)}
	is := english.Beside(of.Value, floor.Limit, 1)
	if of.Interval != nil {
		// not to look like the limit
		if is = ranged(of); strings.HasPrefix(is, percent(floor.Limit)) && of.Value != floor.Limit {
			_, ends := english.Within(of.Value, of.Interval[0], of.Interval[1], 0)
			is = english.Beside(of.Value, floor.Limit, 1) + " (" + ends + ")"
		}
	} else if floor.What == pragma.Alerts {
		is = english.Significant(1000*of.Value, 3)
	}
	line := fmt.Sprintf("You require %s; it is %s", v.Required(floor), is)
	switch f.Code {
	case codes.ConstraintBroken:
		line += ": not kept"
	case codes.ConstraintUnsure:
		line += ": kept, but not surely"
	default:
		line += ": kept"
	}
	if broken := int(f.Value("blocks_broken")); broken > 0 {
		line += fmt.Sprintf("; %d of %d blocks break it", broken, f.Where.Blocks)
	}
	if _, few := f.Figure("groups"); few && f.Code == codes.ConstraintKept {
		line += ", as far as " + groupsOf(f) + " can tell"
	}
	return line + "."
}

// sliceOf is the group of rows that a finding is about.
func sliceOf(f *finding.Finding) vote.Slice {
	if len(f.Columns) == 0 {
		return vote.Slice{}
	}
	return vote.Slice{Column: f.Columns[0], Value: f.Part}
}

// where names a group of rows, as in " where "region" is "north""; "" of all rows.
func where(s vote.Slice) string {
	if s == (vote.Slice{}) {
		return ""
	}
	return " where " + quoted(s.Column) + " is " + quoted(s.Value)
}

// fewInGroup says that few rows of a group tell of what is required.
func (v Voice) fewInGroup(f *finding.Finding) string {
	rows := f.Value("rows")
	of := english.Plural(english.Significant(rows, 4), "row")
	if class := f.Figures[0].Class; class != "" {
		of += " of " + quoted(class)
	}
	tell := "tell"
	if rows == 1 {
		tell = "tells"
	}
	return fmt.Sprintf("You require something%s, and only %s %s of it: it may be kept by chance.", where(sliceOf(f)), of,
		tell)
}

// Required says what a constraint requires, as in "at most 12 alarms for "ill" per 100 rows".
func (v Voice) Required(f pragma.Floor) string { return v.required(f) + where(f.Slice) }

func (v Voice) required(f pragma.Floor) string {
	class := quoted(v.Classes[f.Class])
	switch f.What {
	case pragma.RecallFloor:
		return fmt.Sprintf("at least %s of %s found", percent(f.Limit), class)
	case pragma.PrecisionFloor:
		return fmt.Sprintf("at least %s of the alarms for %s right", percent(f.Limit), class)
	case pragma.FalseAlarms:
		return fmt.Sprintf("false alarms for %s on at most %s of the other rows", class, percent(f.Limit))
	}
	return fmt.Sprintf("at most %s for %s per 1,000 rows", english.Plural(english.Significant(1000*f.Limit, 4), "alarm"),
		class)
}

// unreachable says that no weights reach what is required.
func (v Voice) unreachable(f *finding.Finding) string {
	in := ""
	if f.Where.Of > 1 {
		in = fmt.Sprintf(" in %d of %d trainings", f.Where.Times, f.Where.Of)
	}
	return "No weights reach all that you require" + in + "."
}
