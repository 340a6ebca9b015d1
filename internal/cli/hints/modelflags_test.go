package hints

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// A command that trains again grows the forest that the model has, by flags of what is not usual alone.
func TestForestOf(t *testing.T) {
	frame := dataset.Fraud(400, 1)
	for want, grow := range map[string]forest.Config{
		"":                           {Trees: 500, Seed: 1},
		"--trees 7 --seed 0":         {Trees: 7},
		"--trees 7 --no-replacement": {Trees: 7, Seed: 1, NoReplacement: true},
		"--trees 7 --mtry 5 --min-leaf 3 --max-depth 6 --max-leaves 9 --criterion entropy --random-cuts --subset-levels 4 " +
			"--bag balanced --fraction 0.5 --no-replacement --soft-votes --class-weight fraud=2.5 --seed 8": {
			Trees: 7, Mtry: 5, MinLeaf: 3, MaxDepth: 6, MaxLeaves: 9, Criterion: forest.Entropy, RandomCuts: true,
			SubsetLevels: 4, Bag: forest.Balanced, Fraction: 0.5, NoReplacement: true, Soft: true, ClassWeight: []float64{2.5,
				1}, Seed: 8,
		},
	} {
		m, err := rfpragma.Fit(t.Context(), frame, nil, rfpragma.Config{Forest: grow, Votes: vote.CV})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(forestFlags(m), " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Rows that were in order are to be judged in the order of time, if that it is; where they are of groups, or the
// time is known, no more is to be said.
func TestTimeHint(t *testing.T) {
	ordered := rfpragma.Grown{Ordered: []string{"year"}}
	grouped, timed := rfpragma.Provenance{Grown: ordered}, rfpragma.Provenance{Grown: ordered}
	grouped.Reading.Group, timed.Reading.Time = "patient", "year"
	for name, tc := range map[string]struct {
		rfpragma.Provenance
		want string
	}{
		"in order":   {rfpragma.Provenance{Grown: ordered}, `; if "year" tells the time, add --time year,month`},
		"in none":    {rfpragma.Provenance{}, ""},
		"of groups":  {grouped, ""},
		"known time": {timed, ""},
	} {
		if got := timeHint((&view.ModelRows{Model: &rfpragma.Model{Forest: &forest.Forest{Schema: dataset.Schema{{Name: "month"}}},
			Provenance: tc.Provenance}})); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
