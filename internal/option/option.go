// Package option names in messages what a caller may set: an option of a Go program, which is a field such as
// dataset.Options.Ignore, or a flag of the command, which says at its start that messages are for a shell.
package option

import (
	"fmt"
	"regexp"
	"sync/atomic"
)

// shell says that messages are read by who types commands.
var shell atomic.Bool

// ForShell has all later messages name flags instead of options.
func ForShell() { shell.Store(true) }

// InShell tells whether messages name flags.
func InShell() bool { return shell.Load() }

// fields are the options by their flags.
var fields = map[string]string{
	"target": "Target", "positive": "Positive", "merge-labels": "Merge", "id": "ID", "weight": "Weight",
	"amount": "Amount",
	"group":  "Group", "time": "Time", "per": "Per", "ignore": "Ignore", "categorical": "Categorical", "missing": "Missing",
	"number": "Number",
	"sep":    "Comma", "decimal": "Decimal", "drop-unlabelled": "DropUnlabelled", "withhold": "Withhold", "cost": "Costs",
	"sure": "Sure", "sure-share": "Share", "review": "Review", "review-cost": "Cost",
}

// others are what is no option in Go, as a shell has it and as Go does.
var others = map[string][2]string{
	"cv":                {"cv", "cross-validation with"},
	"input-format arff": {"--input-format arff", "dataset.ARFF"},
	"input-format csv":  {"--input-format csv", "dataset.CSV"},
	"read parquet":      {"read it with --input-format parquet", "read it with package parquet"},
	"require":           {"--require", "a constraint"},
}

var placeholder = regexp.MustCompile(`\{[a-z][a-z -]*\}`)

// Text returns the form of a message in which options stand in braces by the names of their flags, as in {target}, with
// what the reader calls them. Braces around anything else stay.
func Text(form string) string {
	return placeholder.ReplaceAllStringFunc(form, func(braced string) string {
		name := braced[1 : len(braced)-1]
		if other, ok := others[name]; ok {
			if InShell() {
				return other[0]
			}
			return other[1]
		}
		field, ok := fields[name]
		switch {
		case !ok:
			return braced
		case InShell():
			return "--" + name
		}
		return "option " + field
	})
}

// Value returns an option of Go with its value; ok is false in a shell, where it takes quoting.
func Value(flag, value string) (text string, ok bool) {
	field, known := fields[flag]
	if InShell() || !known {
		return "", false
	}
	if len(value) > 64 {
		return "option " + field, true
	}
	return fmt.Sprintf("option %s %q", field, value), true
}
