package verb

import (
	"strings"
	"testing"
)

// A class that no --cost names has the cost 1, which the first screen shows.
func TestUncosted(t *testing.T) {
	inFolder(t, map[string]string{"votes.csv": "class,ill,well\n" + strings.Repeat("ill,6,4\nwell,3,7\nwell,1,9\n", 40)})
	for line, want := range map[string]string{"--cost ill=30": "a false alarm 1.",
		"--cost ill=30,well=1": "a false alarm 1.", "--cost well=2 --cost ill=30": "a false alarm 2."} {
		inWords(t, must(t, "tune votes.csv "+line).stdout, `You asked: a missed "ill" costs 30, `+want)
	}
}
