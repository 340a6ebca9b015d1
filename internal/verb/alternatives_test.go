package verb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/tradeoff"
	"github.com/rfpragma/rfpragma/vote"
)

// votesFor is a table of 40 ill rows with 0 to 39 votes of 100, and 160 well ones, of which 20 have 25 votes and the
// others none.
func votesFor() *vote.Table {
	t := &vote.Table{Classes: []string{"ill", "well"}, Trees: 100, Source: vote.CV, Share: []float64{0.2, 0.8}}
	add := func(truth int, ill uint32) {
		t.Truth, t.Counts = append(t.Truth, truth), append(t.Counts, ill, 100-ill)
	}
	for i := range uint32(40) {
		add(0, i)
	}
	for i := range 160 {
		add(1, map[bool]uint32{true: 25}[i < 20])
	}
	return t
}

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
		` 95 % (86–98)    68 % (57–77)              2545  0.0752  --require 'ill:alerts<=2550/10000'`,
		`"ill:alerts<=910/10000"`
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

// Ties find more than is asked for: what is found already is not asked for again.
func TestAlternativesOfTies(t *testing.T) {
	table := votesFor()
	for i := range 40 {
		table.Counts[2*i], table.Counts[2*i+1] = 10, 90
	}
	recall := 0.9
	if got := tradeoff.Points(tradeoff.Voted{Table: table, Weights: vote.Weights{1, 1},
		Tuned: &eval.Rule{Classes: map[string]eval.Class{"ill": {Recall: &recall, Rows: 40, Predicted: 60}}}, Later: false},
		[]int{0}, nil); len(got) != 1 || got[0].Recall != 1 || got[0].Require[0] != "ill:recall>=0.95" {
		t.Errorf("%+v", got)
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
	for _, want := range []string{"asked at least 97 %: short by 0.5 points",
		"What to ask for so that the estimate for new rows keeps 2:recall>=0.97", "--require '2:recall>=0.979'"} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
}
