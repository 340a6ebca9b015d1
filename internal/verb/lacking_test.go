package verb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// Who withholds decisions is not told to.
func TestWithholdUnadvised(t *testing.T) {
	rows := "tsh,age,y\n"
	for i := range 300 {
		tsh, y := fmt.Sprint(i%50), "well"
		if i%3 == 0 {
			tsh = ""
		} else if i%4 == 0 {
			y = "ill"
		}
		rows += fmt.Sprintf("%s,%d,%s\n", tsh, i*7%60, y)
	}
	inFolder(t, map[string]string{"data.csv": rows})
	for flag, advised := range map[string]bool{"": true, " --withhold": false} {
		got := must(t, "cv data.csv --target y --prefer ill --trees 10 --folds 2 --format json --report page.html"+flag)
		for _, text := range []string{got.stderr, got.stdout, read(t, "page.html")} {
			if strings.Contains(text, "what somebody expected") != advised && strings.Contains(text,
				"a model learns to decide so") {
				t.Errorf("cv%s: %s", flag, text)
			}
		}
		inWords(t, got.stderr, "a model learns to decide so")
	}
}

// A class of the name that stands for no decision would be taken for it.
func TestWithholdRefused(t *testing.T) {
	const want = `--withhold writes "undecided" as the decision of rows that lack most of what the model decides by, and "Undecided" is a class of the model; leave out --withhold: predict tells in column "lacks" which rows these are`
	inFolder(t, map[string]string{"data.csv": strings.ReplaceAll(small(60), "well", "Undecided")})
	must(t, "train data.csv --prefer ill --trees 5 -o model.rfp")
	for _, line := range []string{"predict model.rfp in.csv --withhold", "cv data.csv --withhold",
		"evaluate model.rfp in.csv --withhold", "report model.rfp in.csv -o page.html --withhold"} {
		refusal{line, "x,kind,class\n1,p,ill\n90,p,Undecided\n", line, cli.ExitUsage, want}.refused(t)
	}
}
