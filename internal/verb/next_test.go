package verb

import (
	"strings"
	"testing"
)

// nextOf is the command that a screen ends with; "" where there is none.
func nextOf(screen string) string {
	_, next, _ := strings.Cut(screen, "Next: rfpragma ")
	next, _, _ = strings.Cut(strings.ReplaceAll(next, "\\\n ", ""), "\n")
	return next
}

// What cv says to type next runs, whatever was asked for, and keeps what was.
func TestNextRuns(t *testing.T) {
	fraudFiles(t)
	for flags, want := range map[string]string{
		"--prefer fraud":                                            "train",
		"--prefer fraud --choice lowest":                            "train",
		"--cost fraud=2 --cost ok=1":                                "train",
		"--cost fraud=2 --cost ok=1 --decide cost":                  "train",
		"--cost fraud=5 --cost ok=1 --review 3%":                    "train",
		"--measure f1":                                              "train",
		"--require 'fraud:recall>=0.3' --sure 80%":                  "train",
		"--require 'fraud:precision>=0.6'":                          "cv",
		"--require 'fraud:alerts<=20/1000'":                         "train",
		"--require 'fraud:recall>=0.7' --cost fraud=50 --cost ok=1": "train",
	} {
		line := "cv data.csv --trees 50 --folds 3 --tune-forest off " + flags
		screen := must(t, line).stdout
		next := nextOf(screen)
		if !strings.HasPrefix(next, want+" ") {
			t.Errorf("%s: next is %q, want %s:\n%s", line, next, want, screen)
			continue
		}
		if got := invoke(t, nil, split(next)...); got.code != 0 {
			t.Errorf("%s: %s ends with %d: %s", line, next, got.code, got.stderr)
		}
	}
}
