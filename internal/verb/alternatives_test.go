package verb

import (
	"fmt"
	"strings"
	"testing"
)

// 60 ill rows have 20 to 79 votes of 100, and 30 others 20 to 49: all ill are found, and fewer of them by a budget
// of alarms. By hand: 57 have 23 votes or more, and so have 27 of the others. Without the others all alarms are
// right, and no fewer are offered.
func TestAlternativesOfVotes(t *testing.T) {
	right := "class,ill,well\n" + strings.Repeat("well,0,100\nwell,1,99\nwell,2,98\n", 80)
	others := ""
	for i := range 60 {
		right += fmt.Sprintf("ill,%d,%d\n", 20+i, 80-i)
		if i < 30 {
			others += fmt.Sprintf("well,%d,%d\n", 20+i, 80-i)
		}
	}
	inFolder(t, map[string]string{"votes.csv": right + others, "right.csv": right})
	if got := must(t, "tune right.csv --prefer ill --details").stdout; strings.Contains(got, "Other choices") {
		t.Errorf("all alarms are right, and other choices:\n%s", got)
	}
	const line, table, field = "tune votes.csv --prefer ill:priority",
		` 95 % (86–98)    68 % (57–77)               255  0.0752  --require 'ill:alerts<=255/1000'`,
		`"ill:alerts<=91/1000"`
	if got := must(t, line+" --details").stdout; !strings.HasSuffix(got, table+"\n") {
		t.Errorf("no %q at the end of\n%s", table, got)
	}
	if got := must(t, line+" --format json").stdout; !strings.Contains(got, field) {
		t.Errorf("no %s in\n%s", field, got)
	}
	for _, tc := range []struct {
		more string
		some bool
	}{{" --require ill:recall>=0.9", true}, {" --require ill:precision>=0.99", false}, {" --cutoff ill=0.2", false}} {
		if got := must(t, line+" --details"+tc.more).stdout; strings.Contains(got, "Other choices") != tc.some {
			t.Errorf("%s: other choices, want %v:\n%s", tc.more, tc.some, got)
		}
	}
}

// What is required is kept on the votes that weights are tuned on, and not on new rows: tune says what to ask for
// instead, as cv does, and what that comes to.
func TestTuneSaysWhatToAskFor(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate wave --classes 2 --rows 300 --seed 2 -o waves.csv")
	must(t, "train waves.csv --prefer 2 --trees 60 --votes oob -o model.rfp")
	got := must(t, "tune model.rfp waves.csv --measure accuracy --require 2:recall>=0.97 --details")
	words := strings.Join(strings.Fields(got.stdout), " ")
	for _, want := range []string{"asked 97 %: short by 0.5 points",
		"What to ask for so that the estimate for new rows keeps 2:recall>=0.97", "--require '2:recall>=0.979'"} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
}
