package verb

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// What is required of a group stands on the first screen like any limit, of a column that is left out of training, too;
// the JSON has its figures and findings.
func TestRequireOfGroup(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": regions(900, 0), "later.csv": regions(600, 5000)})
	const settings = " --prefer ill --trees 200 --tune-forest off --ignore region --require 'ill:recall>=0.9@region=south'" +
		" --require 'ill:alerts<=50/1000@region=north' --accept-best"
	must(t, "train data.csv -o model.rfp"+settings)
	for _, line := range []string{"cv data.csv --folds 3" + strings.ReplaceAll(settings, " --accept-best", ""),
		"evaluate model.rfp later.csv", "tune model.rfp later.csv --accept-best -o other.rfp"} {
		out := must(t, line)
		text := strings.Join(strings.Fields(out.stdout), " ") // whatever lines are broken
		if !strings.Contains(text, "at least 90 % of \"ill\" found where \"region\" is \"south\"") ||
			!strings.Contains(text, "limit 50: over by") || strings.Contains(text, "over by 0") {
			t.Errorf("%s says %s", line, out.stdout)
		}
		if strings.HasPrefix(line, "tune") {
			continue // says what weights are, not what to expect, where they miss what is required
		}
		var got struct {
			Rules    eval.Rules
			Findings []finding.Finding
		}
		if err := json.Unmarshal([]byte(must(t, line+" --format json").stdout), &got); err != nil ||
			len(got.Rules.Tuned.Slices) != 2 || got.Rules.Tuned.Slices[0].Name != "south" {
			t.Errorf("%s: %+v, %v", line, got.Rules.Tuned.Slices, err)
		}
		broken := 0
		for _, f := range got.Findings {
			if f.Code == codes.ConstraintBroken && f.Columns[0] == "region" && f.Part == "north" {
				broken++
			}
		}
		if broken != 1 {
			t.Errorf("%s finds %+v", line, got.Findings)
		}
	}
	page := must(t, "report model.rfp later.csv -o page.html")
	if text, err := os.ReadFile("page.html"); err != nil || !strings.Contains(string(text), "region") {
		t.Errorf("the page says nothing of the group: %s, %v", page.stderr, err)
	}
}

// Where a column or a value is not there, that is said.
func TestRequireOfNoGroup(t *testing.T) {
	var votes strings.Builder
	votes.WriteString("class,ill,well,region\n")
	for i := range 400 {
		class, ill := "well", i*37%60
		if i%4 == 0 {
			class, ill = "ill", 40+i*37%60
		}
		fmt.Fprintf(&votes, "%s,%d,%d,%s\n", class, ill, 100-ill, []string{"north", "south"}[i/4%2])
	}
	bare := strings.NewReplacer(",north", "", ",south", "", ",region", "").Replace(votes.String())
	inFolder(t, map[string]string{"data.csv": regions(300, 0), "votes.csv": votes.String(), "bare.csv": bare})
	const train = "train data.csv -o m.rfp --trees 10 --prefer ill --require "
	for line, want := range map[string]string{
		train + "'ill:recall>=0.9@regin=north'":                  `no column "regin" for --require (did you mean "region"?)`,
		train + "'ill:recall>=0.9@region=nord'":                  `unknown value "nord"; known are "north", "south"`,
		train + "'ill:recall>=0.9@region=north' --review 1/100":  "--require names a group of them",
		train + "'ill:recall>=0.9@region'":                       "the value of a group is missing behind @",
		"tune votes.csv --require 'ill:recall>=0.9@region=nort'": `column "region": unknown value "nort"; known are`,
		"tune bare.csv --require 'ill:recall>=0.9@region=north'": `unknown column "region"; known are "class", "ill", "well"`,
	} {
		if got := invoke(t, nil, split(line)...); got.code == cli.ExitDone || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %d, %s, want %s", line, got.code, got.stderr, want)
		}
	}
	out := must(t, "tune votes.csv --prefer ill --require 'ill:recall>=0.95@region=south'")
	if !strings.Contains(out.stdout, "region south") || !strings.Contains(out.stdout, "asked 95 %:") {
		t.Errorf("tune says %s", out.stdout)
	}
}

// A model says of new rows without the column that it cannot judge what was required of a group.
func TestRequireOfGroupUntold(t *testing.T) {
	bare := strings.NewReplacer(",north", "", ",south", "", ",region", "").Replace(regions(600, 5000))
	inFolder(t, map[string]string{"data.csv": regions(600, 0), "bare.csv": bare})
	must(t, "train data.csv -o m.rfp --trees 30 --tune-forest off --prefer ill --ignore region --require 'ill:recall>=0.5@region=north'")
	if got := must(t, "evaluate m.rfp bare.csv"); !strings.Contains(got.stderr, `where "region" is "north" is not judged`) {
		t.Errorf("evaluate says %s", got.stderr)
	}
	got := invoke(t, nil, split("tune m.rfp bare.csv")...)
	if got.code == cli.ExitDone || !strings.Contains(got.stderr, `--require: rows cannot be told apart: unknown column "region"`) {
		t.Errorf("tune says %d, %s", got.code, got.stderr)
	}
	must(t, "tune m.rfp bare.csv --require none")
	must(t, "predict m.rfp bare.csv")
}
