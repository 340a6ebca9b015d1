package verb

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// searchedAnew is what tune has found on ten rows of ill, which have 0, 1 ... 9 votes of 10, and ten of well with
// none, when the folds have found weights under which so many votes are enough for ill.
func searchedAnew(here int, folds ...int) *view.Tuning {
	weights := func(need int) vote.Weights { return vote.Weights{float64(10-need) / (float64(need) - 0.5), 1} }
	t := &vote.Table{Classes: []string{"ill", "well"}, Trees: 10, Source: vote.External, Share: []float64{0.5, 0.5}}
	for i := range 10 {
		t.Truth, t.Counts = append(t.Truth, 0, 1), append(t.Counts, uint32(i), uint32(10-i), 0, 10)
	}
	s := &view.Tuning{Table: t, Prefs: []pragma.Preference{pragma.Priority(), pragma.Neutral()},
		Found: anneal.Result{Weights: weights(here)}, Trial: &anneal.Trial{Plain: 0.5, Loss: 0.4, Error: 0.05}}
	for _, need := range folds {
		s.Trial.Weights = append(s.Trial.Weights, weights(need))
	}
	return s
}

// Ill rows have 3 and 4 votes of 10, others up to 2: one over the share, a weight of 4, parts them as tuned weights
// do, and so does a cost of 4 for a miss; one of 1 is the plain vote, which finds none.
func TestTuneBesideFixedWeights(t *testing.T) {
	inFolder(t, map[string]string{"votes.csv": "class,ill,well\n" + strings.Repeat("ill,3,7\nill,4,6\n", 30) +
		strings.Repeat("well,0,10\nwell,1,9\nwell,2,8\n", 80)})
	for flags, rule := range map[string]string{"--prefer ill": "prior", "--cost ill=4 --cost well=1": "cost",
		"--cost ill=1 --cost well=1": "prior"} {
		var got view.Assessed
		if err := json.Unmarshal([]byte(must(t, "tune votes.csv --format json "+flags).stdout), &got); err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(got.Findings, func(f finding.Finding) bool { return f.Code == codes.BaselineEqual })
		if at < 0 || len(got.Findings[at].Remedies) != 1 || got.Findings[at].Remedies[0].Name != rule ||
			got.Findings[at].Value("baseline_loss") != got.Findings[at].Value("loss") {
			t.Errorf("%s: weights by rule %s are not as good: %+v", flags, rule, got.Findings)
		}
	}
}
