package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/offer"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// searchedAnew is what tune has found on ten rows of ill, which have 0, 1 ... 9 votes of 10, and ten of well with none, when the folds have found weights under which
// so many votes are enough for ill.
func searchedAnew(here int, folds ...int) *shownTuning {
	weights := func(need int) vote.Weights { return vote.Weights{float64(10-need) / (float64(need) - 0.5), 1} }
	t := &vote.Table{Classes: []string{"ill", "well"}, Trees: 10, Source: vote.External, Share: []float64{0.5, 0.5}}
	for i := range 10 {
		t.Truth, t.Counts = append(t.Truth, 0, 1), append(t.Counts, uint32(i), uint32(10-i), 0, 10)
	}
	s := &shownTuning{table: t, prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()}, found: anneal.Result{Weights: weights(here)}, trial: &anneal.Trial{Plain: 0.5, Loss: 0.4, Error: 0.05}}
	for _, need := range folds {
		s.trial.Weights = append(s.trial.Weights, weights(need))
	}
	return s
}

// Weights that the folds do not agree on, or not with those found, and a search that does worse than nothing are warned of, with what to do.
func TestTuneCautions(t *testing.T) {
	for name, tc := range map[string]struct {
		s     *shownTuning
		loss  float64
		model bool
		want  string
	}{
		"agree":    {searchedAnew(5, 4, 5, 6), 0.4, false, ""},
		"each":     {searchedAnew(5, 3, 5, 6), 0.4, false, `the folds disagree: of 100 rows of "ill" their weights find from 40 to 70 of these votes, the weights found on all 50; tune on more rows, or with --choice careful, or keep the plain vote`},
		"found":    {searchedAnew(2, 5, 5), 0.4, true, `the folds disagree: of 100 rows of "ill" their weights find from 50 to 50 of these votes, the weights found on all 80; tune on more rows, or with --choice careful, or keep the model as it was`},
		"worse":    {searchedAnew(5, 5, 5), 0.7, true, "in a cross-validation the search does worse than the plain vote: the loss goes from 0.5000 to 0.7000; tune on more rows, or with --choice careful, or keep the model as it was"},
		"chance":   {searchedAnew(5, 5, 5), 0.54, true, ""},
		"searched": {searchedAnew(5), 0.6, true, ""},
	} {
		tc.s.choice, tc.s.trial.Loss = anneal.Lowest, tc.loss
		if tc.model {
			tc.s.was = &rfpragma.Model{}
		}
		got := tc.s.cautions()
		switch {
		case tc.want == "" && got != nil:
			t.Errorf("%s: %v", name, got)
		case tc.want != "" && (len(got) != 1 || got[0].Error() != tc.want):
			t.Errorf("%s: %v, want %s", name, got, tc.want)
		}
		if tc.s.choice = anneal.Careful; tc.want != "" && strings.Contains(tc.s.cautions()[0].Error(), "--choice") {
			t.Errorf("%s: a careful choice is told to be careful", name)
		}
	}
}

// What is said of new rows is said of other weights than those found: how far these go apart is said first.
func TestTrialWords(t *testing.T) {
	s := searchedAnew(5, 4, 7, 6)
	want := `What to expect of weights found this way, searched anew in each of 3 folds (4 to 7 of 10 votes are enough for "ill"; here 5) and judged on the rows left out:`
	if got := s.trialWords(); !slices.Equal(got, []string{want}) {
		t.Errorf("%q, want %q", got, want)
	}
	s.table.Scores = true
	want = `What to expect of weights found this way, searched anew in each of 3 folds (thresholds of 0.368 to 0.684 on the share of "ill"; here 0.474) and judged on the rows left out:`
	if got := s.trialWords(); !slices.Equal(got, []string{want}) {
		t.Errorf("%q, want %q", got, want)
	}
	beyond := searchedAnew(5, 6, 7).trialWords()
	if len(beyond) != 2 || beyond[0] != `The weights found decide more rows as "ill" than those of any fold: on these votes they find 50.0 % of it and raise 2500 alarms in 10,000 rows.` {
		t.Errorf("%q of weights beyond those of the folds", beyond)
	}
	if fewer := searchedAnew(8, 6, 7).trialWords(); len(fewer) != 2 || !strings.Contains(fewer[0], `decide fewer rows as "ill" than`) {
		t.Errorf("%q of weights above those of the folds", fewer)
	}
	if got := searchedAnew(5).trialWords(); got != nil {
		t.Errorf("%q of weights that were not searched", got)
	}
}

// Ill rows have 3 and 4 votes of 10, others up to 2: one over the share, a weight of 4, parts them as tuned weights do, and so does a cost of 4 for a miss; one of 1 is the plain vote, which
// finds none.
func TestTuneBesideFixedWeights(t *testing.T) {
	inFolder(t, map[string]string{"votes.csv": "class,ill,well\n" + strings.Repeat("ill,3,7\nill,4,6\n", 30) + strings.Repeat("well,0,10\nwell,1,9\nwell,2,8\n", 80)})
	for _, tc := range []struct{ flags, want string }{
		{"--prefer ill", "by one over the share of each class (prior), which need no tuning, do as well as the tuned ones: the loss is 0.0000."},
		{"--cost ill=4 --cost well=1", "by cost alone, which need no tuning, do as well as the tuned ones: the cost of a row is 0."},
		{"--cost ill=1 --cost well=1", "by one over the share of each class (prior), which need no tuning, do as well as the tuned ones: the cost of a row is 0."},
	} {
		got := strings.Join(strings.Fields(must(t, "tune votes.csv "+tc.flags).stdout), " ")
		if want := "Weights " + tc.want; !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", tc.flags, want, got)
		}
		if strings.Count(got, "one over the share") > 1 {
			t.Errorf("%s: weights of one over the share are told of more than once\n%s", tc.flags, got)
		}
	}
}

// The example is the next number of votes that changes anything, and none where precision does not rise.
func TestChangeWords(t *testing.T) {
	s := searchedAnew(3)
	s.table.Counts[2], s.table.Counts[3] = 5, 5 // a row of well
	if got := s.changeWords(0); got != nil {
		t.Errorf("%q where precision falls", got)
	}
	s.table.Truth = append(s.table.Truth, 1)
	s.table.Counts = append(s.table.Counts, 3, 7)
	want := `If 4 votes were needed, recall of "ill" would go from 70.0 % to 60.0 % on these votes, and precision from 77.8 % to 85.7 %.`
	if got := s.changeWords(0); !slices.Equal(got, []string{want}) {
		t.Errorf("%q, want %q", got, want)
	}
	s.table.Truth[6] = 1 // no ill row has 3 votes
	want = `If 4 votes were needed, recall of "ill" would stay at 66.7 % on these votes, and precision go from 66.7 % to 85.7 %.`
	if got := s.changeWords(0); !slices.Equal(got, []string{want}) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Who wants recall and gets the plain vote is told how to find more, unless nearly all is found or required already.
func TestMoreWords(t *testing.T) {
	floor := []pragma.Floor{{Class: 0, What: pragma.RecallFloor, Limit: 0.9}}
	for name, tc := range map[string]struct {
		pref   pragma.Preference
		weight float64
		recall float64
		rows   float64
		floors []pragma.Floor
		want   bool
	}{
		"plain":     {pragma.Priority(), 1, 0.5, 100, nil, true},
		"above":     {pragma.Priority(), 0.5, 0.5, 100, nil, true},
		"below":     {pragma.Priority(), 2, 0.5, 100, nil, false},
		"found":     {pragma.Priority(), 1, 0.95, 100, nil, false},
		"few rows":  {pragma.Priority(), 1, 0.5, 4, nil, false},
		"required":  {pragma.Priority(), 1, 0.5, 100, floor, false},
		"precision": {pragma.Preference{Theta: 10, X: 0.9, Y: 0.1}, 1, 0.5, 100, nil, false},
		"neutral":   {pragma.Neutral(), 1, 0.5, 100, nil, false},
	} {
		v := verdict{classes: []string{"ill", "well"}, prefs: []pragma.Preference{tc.pref, pragma.Neutral()}, measure: "pragma", floors: tc.floors}
		got := v.more(0, vote.Weights{tc.weight, 1}, &rfpragma.Observed{Value: tc.recall, Rows: tc.rows})
		if said := slices.Equal(got, []string{`If more of "ill" must be found, add --require 'ill:recall>=0.8'.`}); said != tc.want || !said && got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// What is asked for to find more is a choice that cv offers, whatever the verb: the least by which half of the missed rows are found, or the largest that so many rows can make sure of. By hand: that all of n rows are found
// vouches for n/(n+3.84), which is 0.95 from 73 rows on, and 0.99 from 381.
func TestMoreIsOffered(t *testing.T) {
	for _, tc := range []struct{ found, rows, want float64 }{
		{0, 400, 0.5}, {0.5, 400, 0.8}, {0.8, 400, 0.9}, {0.9, 400, 0.95}, {0.951, 400, 0.99}, {0.979, 400, 0.99}, {0.993, 400, 0},
		{0.9, 73, 0.95}, {0.9, 72, 0}, {0.85, 72, 0.9}, {0.951, 380, 0}, {0.94, 380, 0.95}, {0.951, 381, 0.99}, {0.5, 3, 0},
	} {
		want := ""
		if tc.want > 0 {
			want = fmt.Sprintf("--require 'ill:recall>=%g'", tc.want)
		}
		if got := requireMore([]string{"ill"}, 0, &rfpragma.Observed{Value: tc.found, Rows: tc.rows}); got != want || tc.want > 0 && !slices.Contains(offer.RecallsOffered, tc.want) {
			t.Errorf("a recall of %v of %v rows: %q, want %q", tc.found, tc.rows, got, want)
		}
	}
}

// A cross-validation warns of weights that disagree as tune does: by hand, of ten rows of ill 7 have 3 votes and more, 5 have 5 and one has 9.
func TestFoldsDisagree(t *testing.T) {
	of := searchedAnew(5)
	cautions := func(measure string, choice anneal.Choice, needs ...int) []error {
		job := &cvJob{frame: &dataset.Frame{Classes: of.table.Classes, Truth: of.table.Truth}, aim: &aim{classes: of.table.Classes, share: of.table.Share, prefs: of.prefs, loss: loss{name: measure}}}
		job.fit.Search.Choice = choice
		return job.cautions(&eval.Report{Votes: of.table, WeightsByFold: searchedAnew(5, needs...).foldWeights()})
	}
	for _, tc := range []struct {
		measure string
		choice  anneal.Choice
		needs   []int
		want    string
	}{
		{"pragma", anneal.Careful, []int{5, 9, 3}, `the folds disagree: on the same votes their weights find 10, 50 and 70 of 100 rows of "ill", so the figures of all rows together are those of no single model; take --measure pragma:s=-1, by which much precision does not make up for little recall, or train on more rows; --repeats 5 shows how far other folds go`},
		{"f1", anneal.Lowest, slices.Repeat([]int{5, 9, 3}, 4), `the folds disagree: on the same votes their weights find from 10 to 70 of 100 rows of "ill", so the figures of all rows together are those of no single model; train on more rows, or with --choice careful; --repeats 5 shows how far other folds go`},
	} {
		if got := cautions(tc.measure, tc.choice, tc.needs...); len(got) != 1 || got[0].Error() != tc.want {
			t.Errorf("%s: %v, want %s", tc.measure, got, tc.want)
		}
	}
	for _, needs := range [][]int{nil, {5, 4, 6}} {
		if got := cautions("pragma", anneal.Careful, needs...); got != nil {
			t.Errorf("%v votes are needed: %v", needs, got)
		}
	}
	of.trial.Weights, of.loss.name = searchedAnew(5, 5, 9, 3).trial.Weights, "pragma"
	if got, want := of.cautions()[0].Error(), "; take --measure pragma:s=-1, by which much precision does not make up for little recall, or tune on more rows, or keep the plain vote"; !strings.HasSuffix(got, want) {
		t.Errorf("%s, want at the end %s", got, want)
	}
}

// Less found than by the plain vote is warned of where recall is preferred and matters. Of 40 rows of ill 20 have 9 votes of 10, the others 6: where 8 votes are needed, these are lost.
func TestRarer(t *testing.T) {
	votes := &vote.Table{Classes: []string{"ill", "well"}, Trees: 10, Source: vote.External, Share: []float64{0.5, 0.5}}
	for range 20 {
		votes.Truth, votes.Counts = append(votes.Truth, 0, 0, 1, 1), append(votes.Counts, 9, 1, 6, 4, 0, 10, 0, 10)
	}
	const less = `less of "ill" is found than by the plain vote, a recall of 50.0 %, though you prefer its recall to its precision (x below y); to find more add --require 'ill:recall>=0.8'`
	for name, tc := range map[string]struct {
		pref    pragma.Preference
		measure string
		weight  float64
		want    string
	}{
		"fewer":       {pragma.Priority(), "pragma", 0.3, less},
		"curved":      {pragma.Priority(), "pragma:s=-1", 0.3, less},
		"x of 0":      {pragma.Preference{Theta: 10, X: 0, Y: 0.5}, "pragma", 0.3, less},
		"as many":     {pragma.Priority(), "pragma", 1, ""},
		"precision":   {pragma.Preference{Theta: 10, X: 0.9, Y: 0.1}, "pragma", 0.3, ""},
		"neutral":     {pragma.Neutral(), "pragma", 0.3, ""},
		"by the cost": {pragma.Priority(), "cost", 0.3, ""},
	} {
		s := &shownTuning{table: votes, prefs: []pragma.Preference{tc.pref, pragma.Neutral()}, loss: loss{name: tc.measure}, found: anneal.Result{Weights: vote.Weights{tc.weight, 1}},
			trial: &anneal.Trial{Plain: 0.5, Loss: 0.4, Error: 0.05, Weights: []vote.Weights{{tc.weight, 1}}}}
		got := s.cautions()
		if tc.want == "" && got != nil || tc.want != "" && (len(got) != 1 || got[0].Error() != tc.want) {
			t.Errorf("%s: %v, want %s", name, got, tc.want)
		}
	}
}
