package verb

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/codes"
)

// regions are rows of two regions, in one of which x says nothing of the class.
func regions(n, from int) string {
	var text strings.Builder
	text.WriteString("x,region,class\n")
	for i := from; i < from+n; i++ {
		x, class, region := i*7919%100, "well", "north"
		if x >= 70 {
			class = "ill"
		}
		if i%3 == 0 {
			if region = "south"; i*31%10 < 3 {
				class = "ill"
			} else {
				class = "well"
			}
		}
		fmt.Fprintf(&text, "%d,%s,%s\n", x, region, class)
	}
	return text.String()
}

// Rows are judged apart by a column, also by one that the model does not know, and a gap beyond chance is a finding.
func TestBy(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": regions(900, 0), "later.csv": regions(600, 5000)})
	const settings = " --prefer ill --trees 60 --tune-forest off --ignore region"
	must(t, "train data.csv -o model.rfp"+settings)
	for _, line := range []string{"cv data.csv --folds 3 --repeats 2 --by region" + settings,
		"evaluate model.rfp later.csv --by region"} {
		out := must(t, line)
		if !strings.Contains(out.stdout, "\"ill\" by \"region\"") || !strings.Contains(out.stdout, " south ") {
			t.Errorf("%s says %s", line, out.stdout)
		}
		var got struct {
			By struct {
				Column string
				Parts  []eval.Slice
			}
			Findings []finding.Finding
		}
		if err := json.Unmarshal([]byte(must(t, line+" --format json").stdout), &got); err != nil || got.By.Column != "region" ||
			len(got.By.Parts) != 2 || got.By.Parts[0].Name != "north" || got.By.Parts[0].Rows != 2*got.By.Parts[1].Rows ||
			!(*got.By.Parts[0].Classes["ill"].Recall > *got.By.Parts[1].Classes["ill"].Recall+0.2) {
			t.Errorf("%s: %+v, %v", line, got.By, err)
		}
		gaps := 0
		for _, f := range got.Findings {
			if f.Code == codes.SliceGap {
				gaps++
			}
		}
		if gaps == 0 {
			t.Errorf("%s finds no gap", line)
		}
	}
	for line, want := range map[string]string{
		"cv data.csv --by place":                                       "no column \"place\" for --by",
		"cv data.csv --by x":                                           "it has 100 values; name a column of at most 50",
		"evaluate model.rfp later.csv --by x":                          "it has 100 values",
		"evaluate model.rfp later.csv --by region --per x --top ill=3": "give one",
	} {
		if got := invoke(t, nil, split(line)...); got.code != cli.ExitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %d, %s, want %q", line, got.code, got.stderr, want)
		}
	}
}
