// Package option names in messages what a caller may set: an option of a Go program, which is a field such as
// dataset.Options.Ignore, or a flag of the command, which says at its start that messages are for a shell, or neither,
// where a program in another language reads them and has names of its own.
package option

import (
	"encoding/json"
	"fmt"
	"regexp"
	"sync/atomic"
)

// reader is who reads messages.
type reader int32

const (
	goProgram reader = iota
	shell
	peer
)

var whose atomic.Int32

// ForShell has all later messages name flags instead of options.
func ForShell() { whose.Store(int32(shell)) }

// ForPeer has all later messages leave options in braces, with a value as in {ignore="id"}, for a program in another
// language to put its own names there.
func ForPeer() { whose.Store(int32(peer)) }

// InShell tells whether messages name flags.
func InShell() bool { return reader(whose.Load()) == shell }

func forPeer() bool { return reader(whose.Load()) == peer }

// fields are the options by their flags.
var fields = map[string]string{
	"target": "Target", "positive": "Positive", "merge-labels": "Merge", "id": "ID", "weight": "Weight",
	"amount": "Amount",
	"group":  "Group", "time": "Time", "per": "Per", "ignore": "Ignore", "categorical": "Categorical", "missing": "Missing",
	"number": "Number",
	"sep":    "Comma", "decimal": "Decimal", "drop-unlabelled": "DropUnlabelled", "withhold": "Withhold", "cost": "Costs",
	"classes": "Classes", "features": "Features",
	"sure": "Sure", "sure-share": "Share", "review": "Review", "review-cost": "Cost",
}

// others are what is no option in Go, as a shell has it and as Go does.
var others = map[string][2]string{
	"cv":                {"cv", "cross-validation with"},
	"input-format arff": {"--input-format arff", "dataset.ARFF"},
	"input-format csv":  {"--input-format csv", "dataset.CSV"},
	"read parquet":      {"read it with --input-format parquet", "read it with package parquet"},
	"require":           {"--require", "a constraint"},
	"own votes":         {"--sure-share 0", "option OnVotes"},
}

var placeholder = regexp.MustCompile(`\{[a-z][a-z -]*\}`)

// Text returns the form of a message in which options stand in braces by the names of their flags, as in {target}, with
// what the reader calls them. Braces around anything else stay.
func Text(form string) string {
	if forPeer() {
		return form
	}
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

// longest is up to how many bytes a value stands in a message.
const longest = 64

// Value returns an option with its value, for any reader but a shell, where it takes quoting: ok is false there.
func Value(flag, value string) (text string, ok bool) {
	field, known := fields[flag]
	switch {
	case InShell(), !known && !forPeer():
		return "", false
	case forPeer() && len(value) <= longest:
		quoted, err := json.Marshal(value)
		return fmt.Sprintf("{%s=%s}", flag, quoted), err == nil
	case forPeer():
		return "{" + flag + "}", true
	case len(value) > longest:
		return "option " + field, true
	}
	return fmt.Sprintf("option %s %q", field, value), true
}
