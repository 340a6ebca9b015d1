package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
)

// blocksOfRecall are blocks in which so many of 100 rows of "ill" are found, after one that is not judged.
func blocksOfRecall(found ...float64) []eval.Block {
	blocks := []eval.Block{{}}
	for _, n := range found {
		blocks = append(blocks, eval.Block{Rows: 1000, Classes: map[string]eval.Class{"ill": foundOf(n, 100)}})
	}
	return blocks
}

// What is expected of later rows is not what the luckiest block had, which is the latest, and its range holds nearly all that single blocks have. One block tells nothing of others.
func TestLater(t *testing.T) {
	blocks := blocksOfRecall(10, 14, 22, 8, 18, 16, 12, 24, 13, 34)
	later := eval.ForecastShare(blocks[1:], eval.RecallIn("ill"))
	if later == nil || later.Value < 0.15 || later.Value > 0.25 || later.Interval[0] > 0.08 || later.Interval[1] < 0.34 || later.Interval[1] > 0.5 {
		t.Fatalf("%+v", later)
	}
	if later := eval.ForecastShare(blocks[1:2], eval.RecallIn("ill")); later != nil {
		t.Errorf("of one block %+v", later)
	}
	if later := eval.ForecastShare(blocks[1:], eval.PrecisionIn("ill")); later != nil {
		t.Errorf("of no alarms %+v", later)
	}
	tuned := foundOf(34, 100)
	tuned.Precision, tuned.PrecisionInterval = tuned.Recall, tuned.RecallInterval
	v := &verdict{classes: []string{"ill"}, report: &eval.Report{Blocks: blocks}}
	v.report.Rules.Plain.Classes, v.report.Rules.Tuned.Classes = map[string]eval.Class{"ill": foundOf(5, 100)}, map[string]eval.Class{"ill": tuned}
	want := fmt.Sprintf(`Of 100 later rows of "ill" expect %.0f to be found (%.0f–%.0f): that is recall.`, 100*later.Value, 100*later.Interval[0], 100*later.Interval[1])
	if sentences := v.shareWords(0); len(sentences) != 2 || sentences[0] != want || strings.Contains(sentences[1], "later") {
		t.Errorf("%q, want %s", sentences, want)
	}
	for i, b := range blocks[1:] {
		class := b.Classes["ill"]
		class.Precision, class.PrecisionInterval = class.Recall, class.RecallInterval
		blocks[1+i].Classes["ill"] = class
	}
	want = fmt.Sprintf(`Of 100 later alarms for "ill" expect %.0f to be right (%.0f–%.0f), at random `, 100*later.Value, 100*later.Interval[0], 100*later.Interval[1])
	if sentences := v.shareWords(0); !strings.HasPrefix(sentences[1], want) {
		t.Errorf("%q, want %s", sentences, want)
	}
	v.report.Together, v.report.Rules.Tuned.Classes = &eval.Block{}, blocks[1].Classes
	if of := laterShares(v.report, nil)["ill"]; of.Recall == nil || of.Recall.Value != of.Precision.Value || of.Alerts == nil {
		t.Errorf("%+v", of)
	}
}

// A range from no better than rows drawn at random to twice that, or more, is too wide to plan with, and to lie inside it says little; one that is above them, or far from useful, is not.
func TestTooWide(t *testing.T) {
	for _, tc := range []struct {
		name    string
		alarms  float64 // of 1000 rows, by which recall is that of rows drawn at random
		found   []float64
		tooWide bool
	}{
		{"no better than at random", 150, []float64{2, 60, 5, 70}, true}, {"better", 10, []float64{50, 55, 52, 58}, false},
		{"no yardstick", 0, []float64{2, 60, 5, 70}, false}, {"of no use", 900, []float64{2, 60, 5, 70}, false},
	} {
		blocks := blocksOfRecall(tc.found...)
		for i, b := range blocks[1:] {
			class := b.Classes["ill"]
			class.Predicted = tc.alarms
			blocks[1+i].Classes = map[string]eval.Class{"ill": class, "well": {Support: 900}}
		}
		later := eval.ForecastShare(blocks[1:], eval.RecallIn("ill"))
		if later == nil || later.TooWide != tc.tooWide {
			t.Fatalf("%s: %+v", tc.name, later)
		}
		words := wideWords(later, nil, blocks[1:], "ill")
		if want := ` The range of recall on later rows is too wide to plan with, from no better than rows drawn at random to twice that or more: 4 blocks were judged, with 100 rows of "ill" each.`; tc.tooWide && words != want || !tc.tooWide && words != "" {
			t.Errorf("%s: %q", tc.name, words)
		}
		v := &verdict{classes: []string{"ill"}, matter: []int{0}, prefs: []pragma.Preference{pragma.Neutral()}, beside: true, report: &eval.Report{Blocks: blocks, Rules: eval.Rules{Plain: eval.Rule{Classes: blocks[1].Classes}, Tuned: eval.Rule{Classes: blocks[1].Classes}}}}
		if got := v.wide(); tc.tooWide && (len(got) != 1 || " "+got[0] != words) || !tc.tooWide && got != nil { // a page has no other word of it
			t.Errorf("%s: before the large figures %q", tc.name, got)
		}
		f := expectedFigure{Class: "ill", Figure: "recall", name: "recall of \"ill\"", Found: &later.Value, FoundInterval: &later.Interval}
		f.expect(later)
		f.judge()
		of := &expectedInfo{Figures: []expectedFigure{f}, was: &cvResult{}}
		if got := strings.Contains(fmt.Sprint(of.table().rows), "as expected, wide range"); got != tc.tooWide {
			t.Errorf("%s: %v", tc.name, of.table().rows)
		}
		good, _ := of.words(false)
		if got := strings.Join(good, " ") == `As expected, but the range is so wide that nearly anything would be: recall of "ill".`; got != tc.tooWide {
			t.Errorf("%s: %q", tc.name, good)
		}
	}
}

// Why a range is too wide is said where it is first told of a class, and what is said of another class stays.
func TestWhyOnce(t *testing.T) {
	blocks := blocksOfRecall(2, 60, 5, 70)[1:]
	why, other := wideWhy(blocks, "ill"), wideWhy(blocks, "well")
	head, rest := []string{"A" + why + ".", "B" + why + ".", "C" + other + "."}, []string{"D" + why + ".", "E."}
	whyOnce(blocks, []string{"ill", "well"}, head, rest)
	want := []string{"A" + why + ".", "B.", "C" + other + ".", "D.", "E."}
	if got := slices.Concat(head, rest); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
