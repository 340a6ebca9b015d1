package verb

import (
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// Of later rows those of the rare class are of the training: tune refuses what evaluate warns of, whatever the
// others are.
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
	refusal{"a class by heart", "", "tune m.rfp mixed.csv -o n.rfp", cli.ExitData, want +
		"and votes of trees on rows that they know by heart say nothing of new ones"}.refused(t)
}

// A command that names a file of costs runs as it stands, or it is said what to write into the file.
func TestCostsFile(t *testing.T) {
	const line = "actual,predicted_ill,predicted_well\nill,1,10\nwell,2,0\n"
	inFolder(t, map[string]string{"in.csv": small(60), "costs.csv": line, "other.csv": strings.Replace(line, "10", "1.5",
		1)})
	must(t, "train in.csv --trees 5 --costs costs.csv -o m.rfp")
	must(t, "train in.csv --trees 5 --prefer ill -o p.rfp")
	for _, tc := range []refusal{
		{"not known", "", "evaluate m.rfp in.csv", cli.ExitData,
			"run rfpragma cv in.csv --trees 5 --costs COSTS.csv; first write COSTS.csv, with what each decision costs, which " +
				"rfpragma inspect m.rfp shows, in the form that rfpragma help preference shows\n"},
		{"given", "", "evaluate m.rfp in.csv --costs costs.csv", cli.ExitData,
			"run rfpragma cv in.csv --trees 5 --costs costs.csv\n"},
	} {
		tc.refused(t)
	}
	write(t, "later.csv", strings.ReplaceAll(small(50), ".5,", ".25,"))
	inWords(t, must(t, "evaluate p.rfp later.csv --costs other.csv").stdout, "by the costs given here")
}
