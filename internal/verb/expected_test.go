package verb

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// generatedYears writes payments of one year each to a file, of thieves that look more like customers from the
// second on.
func generatedYears(t *testing.T, file string, years map[int]int) {
	t.Helper()
	var text strings.Builder
	for year := range 9999 {
		seed, ok := years[year]
		if !ok {
			continue
		}
		drift := "0"
		if year > 2022 {
			drift = "0.5"
		}
		head, rows, _ := strings.Cut(must(t, fmt.Sprintf("generate fraud --rows 3000 --seed %d --drift %s -q", seed,
			drift)).stdout, "\n")
		if text.Len() == 0 {
			text.WriteString("year," + head + "\n")
		}
		for row := range strings.Lines(rows) {
			fmt.Fprintf(&text, "%d,%s", year, row)
		}
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Where what was promised of later rows came true, the words, the warnings, the JSON and the exit code say no drift,
// although training did better by more than chance.
func TestForeseen(t *testing.T) {
	skipFigures(t)
	inFolder(t, nil)
	generatedYears(t, "early.csv", map[int]int{2022: 3, 2023: 9})
	generatedYears(t, "late.csv", map[int]int{2024: 11})
	const flags = " --time year --prefer fraud:theta=10,x=0.2,y=0.6 --trees 30 -q"
	must(t, "cv early.csv --folds 1 -o cv.json"+flags)
	must(t, "train early.csv --votes oob -o model.rfp"+flags)
	const evaluate = "evaluate model.rfp late.csv --fail-on-drift"
	if got := invoke(t, nil, split(evaluate)...); got.code != cli.ExitDrift ||
		!strings.Contains(strings.Join(strings.Fields(got.stdout), " "),
			"Worse than in training by more than chance: recall") {
		t.Errorf("without what cv promised: exit %d\n%s", got.code, got.stdout)
	}
	got := must(t, evaluate+" --expected cv.json")
	if strings.Contains(got.stdout, "Worse than in training") || !strings.Contains(got.stdout, ": as expected") ||
		strings.Contains(got.stderr, "drift") {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
	got = must(t, "report model.rfp late.csv --fail-on-drift --expected cv.json --format json -o -")
	if strings.Contains(got.stdout, "Worse than in training") || strings.Contains(got.stderr, "drift") {
		t.Errorf("%s", got.stderr)
	}
	if got = must(t, evaluate+" --expected cv.json --format json"); !strings.Contains(got.stdout, `"drift": []`) ||
		!strings.Contains(got.stdout, `"foreseen": [`) {
		t.Errorf("%s", got.stdout)
	}
}

// In the order of time it is judged by what cv says to expect of later rows, also of a list that is as long a part
// of the rows.
func TestExpectedInTime(t *testing.T) {
	skipFigures(t)
	inFolder(t, nil)
	generatedYears(t, "early.csv", map[int]int{2020: 1, 2021: 2, 2022: 3, 2023: 4})
	generatedYears(t, "late.csv", map[int]int{2024: 5})
	const flags = " --time year --prefer fraud:theta=10,x=0.2,y=0.6 --trees 50 -q"
	must(t, "cv early.csv --folds 3 --top fraud=2% --top fraud=20 -o cv.json"+flags)
	cv := strings.Join(strings.Fields(must(t, "cv early.csv --folds 3 --top fraud=2%"+flags).stdout), " ")
	must(t, "train early.csv -o model.rfp"+flags)
	const evaluate = "evaluate model.rfp late.csv --expected cv.json --top fraud=2% --top fraud=200"
	text := must(t, evaluate+" --details").stdout
	for figure, told := range map[string]string{
		`recall of "fraud"`:            `"fraud" found (recall) %s %% %s `,
		`precision of "fraud"`:         `alarms that are right (precision) %s %% %s `,
		`alarms for "fraud" per 1,000`: "",
		`recall of list fraud=2%`:      `list fraud=2%%: of "fraud" found %s %% %s at random`,
		`precision of list fraud=2%`:   `list fraud=2%%: right %s %% %s`,
	} {
		shown := regexp.MustCompile(regexp.QuoteMeta(figure) +
			` +([0-9.]+)(?: %)? \(([0-9.]+–[0-9.]+)\) .* as expected(?:, wide range)?\n`).FindStringSubmatch(text)
		if shown == nil {
			t.Errorf("no %s in\n%s", figure, text)
			continue
		}
		if told == "" {
			continue
		}
		if told = fmt.Sprintf(told, shown[1], shown[2]); !strings.Contains(cv, told) {
			t.Errorf("no %s in\n%s", told, cv)
		}
	}
	if want := regexp.MustCompile(` loss pragma .* latest block, not judged\n`); !want.MatchString(text) {
		t.Errorf("no %s in\n%s", want, text)
	}
	if strings.Contains(text, "recall of list fraud=200") { // nor is it the 20 of cv
		t.Errorf("%s", text)
	}
	if got := must(t, evaluate+" --format json").stdout; !strings.Contains(got, `"list": "fraud=2%"`) {
		t.Errorf("%s", got)
	}
}

// Where cv and train each choose the settings of the forest, which may come out differently, cv promised what the model
// is; not where one of them was given the settings.
func TestExpectedOfChosenForests(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 1200 -o in.csv")
	must(t, "generate fraud --rows 900 --seed 2 -o later.csv")
	for name, how := range map[string]string{"chosen": "quick", "given": "off"} {
		must(t, "train in.csv --prefer fraud --trees 20 --tune-forest "+how+" -q -o "+name+".rfp")
		must(t, "cv in.csv --prefer fraud --trees 20 --folds 2 --tune-forest "+how+" -q -o "+name+".json")
	}
	for _, tc := range []struct{ model, promise, want string }{
		{"chosen", "chosen", ""}, {"given", "given", ""},
		{"chosen", "given", "given.json has forests of given settings, and the model one of chosen settings (--tune-forest)"},
		{"given", "chosen", "chosen.json has forests of chosen settings, and the model one of given settings (--tune-forest)"},
	} {
		said := must(t, "evaluate "+tc.model+".rfp later.csv -q --expected "+tc.promise+".json").stderr
		if strings.Contains(said, "forests") != (tc.want != "") || !strings.Contains(said, tc.want) {
			t.Errorf("%s.rfp beside %s.json: %q, want %q", tc.model, tc.promise, said, tc.want)
		}
	}
}
