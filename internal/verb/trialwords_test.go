package verb

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/view"
)

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
