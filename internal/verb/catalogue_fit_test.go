package verb

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// F: rows, classes and folds that cannot be.
func TestFoldsRefused(t *testing.T) {
	rows := func(n int, class func(i int) string) string {
		text := "x,g,class\n"
		for i := range n {
			text += fmt.Sprintf("%d,%d,%s\n", i, i%3, class(i))
		}
		return text
	}
	one := func(int) string { return "a" }
	two := func(i int) string { return []string{"a", "b"}[i%2] }
	runRefusals(t, nil, []refusal{
		{"F120 F134 one class", rows(5, one), "", cli.ExitData,
			`every row is of class "a" (5 rows); a forest needs rows of at least two classes`},
		{"F120 cv", rows(5, one), "cv in.csv", cli.ExitData, `every row is of class "a"`},
		{"F126 more folds than rows", rows(10, two), "cv in.csv --folds 11", cli.ExitUsage,
			"--folds 11 is more than there are rows, 10; choose --folds 10 or fewer"},
		{"F127 one fold", rows(10, two), "cv in.csv --folds 1", cli.ExitUsage, "--folds 1; choose 2 or more"},
		{"F127 no fold", rows(10, two), "cv in.csv --folds 0", cli.ExitUsage, "--folds 0; choose 2 or more"},
		{"F127 folds below none", rows(10, two), "cv in.csv --folds -3", cli.ExitUsage, "--folds -3; choose 2 or more"},
		{"F127 inner folds", rows(10, two), "cv in.csv --inner-folds 1", cli.ExitUsage,
			"--inner-folds 1; give a number from 2"},
		{"F127 more inner folds than rows", rows(10, two), "cv in.csv --inner-folds 11", cli.ExitUsage,
			"--inner-folds 11 is more than there are rows, 10; choose --inner-folds 10 or fewer"},
		{"F127 repeats", rows(10, two), "cv in.csv --repeats 0", cli.ExitUsage, "--repeats 0; choose 1 to 1000"},
		{"F130 one row", rows(1, one), "", cli.ExitData, `every row is of class "a" (1 row)`},
		{"F132 no row has a label", rows(4, func(int) string { return "" }), trainLine + " --drop-unlabelled", cli.ExitData,
			"no rows are left: none of the 4 rows has a label"},
		{"F137 one group", strings.ReplaceAll(rows(12, two), ",1,", ",0,"), "cv in.csv --group class --target g --folds 10",
			cli.ExitUsage, "--folds 10 is more than there are groups, 2; choose --folds 2 or fewer"},
		{"F137 few groups", rows(12, two), "cv in.csv --group g --folds 4", cli.ExitUsage,
			"--folds 4 is more than there are groups, 3; choose --folds 3 or fewer"},
	})
	// A single group for all rows.
	refusal{
		name: "F137", text: strings.NewReplacer(",1,", ",0,", ",2,", ",0,").Replace(rows(9, two)),
		line: "cv in.csv --group g --folds 3",
		code: cli.ExitUsage, want: "cannot split by group: all rows are of one group",
	}.refused(t)
	for flags, want := range map[string]string{
		"--group g": "There are only 3 groups: 3 folds are made, not the usual 10.",
		"":          "There are only 9 rows: 9 folds are made, not the usual 10.",
	} {
		inFolder(t, map[string]string{"in.csv": rows(9, two)})
		if got := must(t, "cv in.csv --trees 2 "+flags); !strings.Contains(got.stderr, want) {
			t.Errorf("cv %s: no %q in\n%s", flags, want, got.stderr)
		}
	}
}

// F, P406: few rows give few figures, but no false ones.
func TestFewRows(t *testing.T) {
	table := func(ill, well int) string {
		text := "x,class\n"
		for i := range ill {
			text += fmt.Sprintf("%d,ill\n", i)
		}
		for i := range well {
			text += fmt.Sprintf("%d,well\n", i+ill)
		}
		return text
	}
	inFolder(t, nil)
	for _, tc := range []struct{ name, text, flags, want string }{
		{"F121 F122 F124 one row of a class", table(1, 19), "",
			`a single row for "ill": too few to learn from and to judge by; add rows`},
		{"F125 F126 fewer rows than folds", table(3, 17), "", `class "ill" has few rows, 2 to 3 instead of`},
		{"F129 one in a thousand", table(2, 2000), "", `class "ill" has few rows, 2 instead of`},
		{"F135 equal rows, other labels", "x,class\n" + strings.Repeat("1,ill\n1,well\n", 10), "",
			`column "x" is the same in every row and cannot help`},
		{"F136 too few trees", table(5, 15), "--votes oob", "rows without votes were left out"},
		{"G146 all columns constant", "x,y,class\n" + strings.Repeat("1,2,ill\n1,2,well\n1,2,well\n", 7), "",
			"no tree has a split, so that all rows are decided alike"},
	} {
		write(t, "in.csv", tc.text)
		got := must(t, "cv in.csv --trees 2 --folds 5 --prefer ill --format json "+tc.flags)
		if !strings.Contains(got.stderr, tc.want) {
			t.Errorf("%s: stderr lacks %q:\n%s", tc.name, tc.want, got.stderr)
		}
		var report struct{ Warnings []string }
		if err := json.Unmarshal([]byte(got.stdout), &report); err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		if !strings.Contains(strings.Join(report.Warnings, "\n"), tc.want) {
			t.Errorf("%s: the warnings in the JSON lack %q: %q", tc.name, tc.want, report.Warnings)
		}
		must(t, "cv in.csv --trees 2 --folds 5 --prefer ill "+tc.flags)
		must(t, "train in.csv --trees 2 --prefer ill -o m.rfp "+tc.flags)
		laterOf(t, "in.csv", "later.csv")
		evaluated := must(t, "evaluate m.rfp later.csv --format json")
		if !json.Valid([]byte(evaluated.stdout)) {
			t.Errorf("%s: evaluate wrote no JSON", tc.name)
		}
	}
	write(t, "in.csv", table(1, 1))
	if got := must(t, "train in.csv --trees 3 -o m.rfp"); !strings.Contains(got.stderr, "warning: ") {
		t.Errorf("F131: two rows, no warning: %s", got.stderr)
	}
	refusal{line: "cv in.csv --trees 3 --folds 2", code: cli.ExitData,
		want: "in.csv: no labelled row can be judged: outside of each fold all rows are of a single class"}.refused(t)
}

// F125, F133, P406: what cannot be judged is n/a, null or absent, never 0. The tables are those of --details.
func TestUnknownFigures(t *testing.T) {
	trained(t)
	write(t, "in.csv", "x,kind,class\n1,p,ill\n2,q,ill\n3,p,sick\n4,p,\n")
	got := must(t, "evaluate model.rfp in.csv --details")
	for _, want := range []string{
		"4 rows, 2 classes: \"ill\" 2, \"well\" 0, 1 without a label, 1 of class \"sick\", unknown to the\n  model",
		`1 row of class "sick", which the model does not know, cannot be judged: it is decided "`,
		`1 row without a label cannot be judged`, `class "well" has no row that could be judged; it is left out of the means`,
	} {
		if !strings.Contains(got.stderr+got.stdout, want) {
			t.Errorf("no %q in\n%s%s", want, got.stderr, got.stdout)
		}
	}
	if !strings.Contains(got.stdout, "n/a") {
		t.Errorf("no n/a in\n%s", got.stdout)
	}
	if got := must(t, "evaluate model.rfp in.csv --format json"); !strings.Contains(got.stdout, `"recall": null`) {
		t.Errorf("no null in\n%s", got.stdout)
	}
	if got := must(t, "evaluate model.rfp in.csv --format csv"); !strings.Contains(got.stdout, "\nplain,well,,,,,,") {
		t.Errorf("no empty recall in\n%s", got.stdout)
	}
	// No class that is there counts: the PRAGMA of nothing is the worst, not NaN.
	must(t, "train data.csv --trees 5 -o half.rfp --prefer 'ill:theta=0,x=0.1,y=0.1'")
	must(t, "evaluate half.rfp in.csv --format json")
}

// G: case weights.
func TestWeights(t *testing.T) {
	weighted := func(weight func(i int, class string) string) string {
		text := "w,x,class\n"
		for i := range 24 {
			class := []string{"ill", "well", "well"}[i%3]
			text += fmt.Sprintf("%s,%d,%s\n", weight(i, class), (i%3)*10+i, class)
		}
		return text
	}
	first := func(cell string) string {
		return weighted(func(i int, _ string) string {
			if i == 0 {
				return cell
			}
			return "1"
		})
	}
	constant := func(cell string) string { return weighted(func(int, string) string { return cell }) }
	line := trainLine + " --weight w"
	runRefusals(t, nil, []refusal{
		{"G153 all zero", constant("0"), line, cli.ExitData, "weight"},
		{"G154 negative", first("-1"), line, cli.ExitData, "in.csv:2:1"},
		{"G155 NaN", first("NaN"), line, cli.ExitData, "in.csv:2:1"},
		{"G155 infinite", first("Inf"), line, cli.ExitData, "in.csv:2:1"},
		{"no weight", first(""), line, cli.ExitData, "in.csv:2"},
		{"no such column", constant("1"), trainLine + " --weight v", cli.ExitUsage, `no column "v" for --weight`},
	})
	decisions := map[string]string{}
	for name, text := range map[string]string{
		"ones": constant("1"), "sevens": constant("7"), "large": constant("1e9"),
		"wide": weighted(func(i int, _ string) string { return []string{"1e-300", "1e300"}[i%2] }), // G159: NaN would show
	} {
		write(t, "in.csv", text)
		must(t, "train in.csv --trees 8 --weight w --prefer ill -o m.rfp")
		decisions[name] = must(t, "predict m.rfp in.csv --ignore w").stdout
	}
	for _, name := range []string{"sevens", "large"} {
		if decisions[name] != decisions["ones"] {
			t.Errorf("G157, G158: weights %s decide otherwise than ones", name)
		}
	}
	// G156: a class whose weights are all zero is as good as absent, here the only other one.
	write(t, "in.csv", weighted(func(_ int, class string) string {
		return map[string]string{"ill": "0",
			"well": "1"}[class]
	}))
	got := invoke(t, nil, split("train in.csv --trees 5 --weight w -o m2.rfp")...)
	if got.code != cli.ExitData || !strings.Contains(got.stderr, "class") {
		t.Errorf("G156: exit %d\n%s", got.code, got.stderr)
	}
}
