package main

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/vote"
)

// A command that trains again grows the forest that the model has, by flags of what is not usual alone.
func TestForestOf(t *testing.T) {
	frame := dataset.Fraud(400, 1)
	for want, grow := range map[string]forest.Config{
		"":                           {Trees: 500, Seed: 1},
		"--trees 7 --seed 0":         {Trees: 7},
		"--trees 7 --no-replacement": {Trees: 7, Seed: 1, NoReplacement: true},
		"--trees 7 --mtry 5 --min-leaf 3 --max-depth 6 --max-leaves 9 --criterion entropy --random-cuts --subset-levels 4 --bag balanced --fraction 0.5 --no-replacement --soft-votes --class-weight fraud=2.5 --seed 8": {
			Trees: 7, Mtry: 5, MinLeaf: 3, MaxDepth: 6, MaxLeaves: 9, Criterion: forest.Entropy, RandomCuts: true, SubsetLevels: 4, Bag: forest.Balanced, Fraction: 0.5, NoReplacement: true, Soft: true, ClassWeight: []float64{2.5, 1}, Seed: 8,
		},
	} {
		m, err := rfpragma.Fit(t.Context(), frame, nil, rfpragma.Config{Forest: grow, Votes: vote.CV})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(forestOf(m), " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Rows that were in order are to be judged in the order of time, if that it is; where they are of groups, or the time is known, no more is to be said.
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
		if got := (&modelRows{model: &rfpragma.Model{Forest: &forest.Forest{Schema: dataset.Schema{{Name: "month"}}}, Provenance: tc.Provenance}}).timeHint(); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// Of later rows those of the rare class are of the training: tune refuses what evaluate warns of, whatever the others are.
func TestTuneKnownClass(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 3000 -o in.csv")
	must(t, "generate fraud --rows 3000 --seed 2 -o later.csv")
	must(t, "train in.csv --trees 20 --prefer fraud -o m.rfp")
	mixed := ""
	for _, line := range strings.SplitAfter(read(t, "later.csv"), "\n") {
		if !strings.HasSuffix(line, ",fraud\n") {
			mixed += line
		}
	}
	for _, line := range strings.SplitAfter(read(t, "in.csv"), "\n") {
		if strings.HasSuffix(line, ",fraud\n") {
			mixed += line
		}
	}
	write(t, "mixed.csv", mixed)
	const want = `mixed.csv: about 62 of the 62 rows of "fraud" were in the training, `
	inWords(t, must(t, "evaluate m.rfp mixed.csv").stderr, want)
	refusal{"a class by heart", "", "tune m.rfp mixed.csv -o n.rfp", exitData, want + "and votes of trees on rows that they know by heart say nothing of new ones"}.refused(t)
}

// A command that names a file of costs runs as it stands, or it is said what to write into the file.
func TestCostsFile(t *testing.T) {
	const line = "actual,predicted_ill,predicted_well\nill,1,10\nwell,2,0\n"
	inFolder(t, map[string]string{"in.csv": small(60), "costs.csv": line, "other.csv": strings.Replace(line, "10", "1.5", 1)})
	must(t, "train in.csv --trees 5 --costs costs.csv -o m.rfp")
	must(t, "train in.csv --trees 5 --prefer ill -o p.rfp")
	for _, tc := range []refusal{
		{"not known", "", "evaluate m.rfp in.csv", exitData, "run rfpragma cv in.csv --trees 5 --costs COSTS.csv; first write COSTS.csv, with what each decision costs, which rfpragma inspect m.rfp shows, in the form that rfpragma help preference shows\n"},
		{"given", "", "evaluate m.rfp in.csv --costs costs.csv", exitData, "run rfpragma cv in.csv --trees 5 --costs costs.csv\n"},
	} {
		tc.refused(t)
	}
	write(t, "later.csv", strings.ReplaceAll(small(50), ".5,", ".25,"))
	inWords(t, must(t, "evaluate p.rfp later.csv --costs other.csv").stdout, "by the costs given here")
}
