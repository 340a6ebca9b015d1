package verb

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// H: preferences that cannot be meant, by text and by file.
func TestPreferencesRefused(t *testing.T) {
	prefer := func(spec string) string { return trainLine + " --prefer '" + spec + "'" }
	runRefusals(t, map[string]string{
		"in.csv":      small(30),
		"prefs.json":  `{"ill": {"theta": 10, "x": 0.2, "y": 0.6}}`,
		"comma.json":  "{\"ill\":\n {\"theta\": 10 \"x\": 0.2, \"y\": 0.6}}",
		"tetha.json":  `{"ill": {"tetha": 10, "x": 0.2, "y": 0.6}}`,
		"zero.json":   `{"ill": {"theta": 0, "x": 0.2, "y": 0.6}, "*": {"theta": 0, "x": 0.2, "y": 0.6}}`,
		"twice.json":  `{"ill": {"theta": 1, "x": 0.2, "y": 0.6}, "ill": {"theta": 2, "x": 0.2, "y": 0.6}}`,
		"sick.json":   `{"sick": {"theta": 10, "x": 0.2, "y": 0.6}}`,
		"binary.json": "\xff\xfe{}",
	}, []refusal{
		{"H164 nothing counts", "", prefer("*:theta=0,x=0.1,y=0.1"), cli.ExitUsage,
			"--prefer: every class has theta = 0; at least one class must count"},
		{"H166 negative", "", prefer("ill:theta=-1,x=0.1,y=0.1"), cli.ExitUsage,
			"--prefer: character 11: theta = -1 is negative; write 0 or more"},
		{"H167 NaN", "", prefer("ill:theta=NaN,x=0.1,y=0.1"), cli.ExitUsage, `theta: "NaN" is not a number`},
		{"H167 abc", "", prefer("ill:theta=abc,x=0.1,y=0.1"), cli.ExitUsage, `theta: "abc" is not a number`},
		{"H167 empty", "", prefer("ill:theta=,x=0.1,y=0.1"), cli.ExitUsage, "theta: a number is missing"},
		{"H168 infinite", "", prefer("ill:theta=Inf,x=0.1,y=0.1"), cli.ExitUsage, `theta: "Inf" is not a number`},
		{"H169 no theta", "", prefer("ill:x=0.1,y=0.1"), cli.ExitUsage, `class "ill" has no theta; give theta, x and y`},
		{"H172 unknown class", "", prefer("il"), cli.ExitUsage,
			`--prefer: unknown class "il"; known are "ill", "well"; did you mean "ill"?`},
		{"H173 named twice", "", prefer("ill;ill"), cli.ExitUsage, `character 5: class "ill" is named twice; keep one`},
		{"H176 x = 1", "", prefer("ill:theta=1,x=1,y=0.1"), cli.ExitUsage, "x = 1 is outside [0, 1)"},
		{"H177 x in percent", "", prefer("ill:theta=1,x=20,y=0.1"), cli.ExitUsage,
			"x = 20 looks like a percentage; write x = 0.2"},
		{"H178 x negative", "", prefer("ill:theta=1,x=-0.2,y=0.1"), cli.ExitUsage, "x = -0.2 is outside [0, 1)"},
		{"H179 x NaN", "", prefer("ill:theta=1,x=nan,y=0.1"), cli.ExitUsage, `x: "nan" is not a number`},
		{"H181 y = 1", "", prefer("ill:theta=1,x=0,y=1"), cli.ExitUsage, "y = 1 is outside [0, 1)"},
		{"H182 y above 1", "", prefer("ill:theta=1,x=0,y=1.5"), cli.ExitUsage,
			"y = 1.5 is outside [0, 1); write y = 0.015 for 1.5 %, or y = 0.15 for 15 %"},
		{"H182 y far above 1", "", prefer("ill:theta=1,x=0,y=250"), cli.ExitUsage,
			"y = 250 is outside [0, 1); write a share such as 0.2"},
		{"H175 x = 0 with a geometric mean", "", trainLine + " --measure pragma:s=0 --prefer ill:theta=1,x=0,y=0.5",
			cli.ExitUsage, "--measure: class \"ill\": x and y are above 0 with a shape of s = 0"},
		{"H180 y = 0 with harmonic means", "", trainLine + " --measure pragma:s=-1 --prefer ill:theta=1,x=0.5,y=0",
			cli.ExitUsage, "--measure: class \"ill\": x and y are above 0 with a shape of s = -1"},
		{"H182 y negative", "", prefer("ill:theta=1,x=0,y=-1"), cli.ExitUsage, "y = -1 is outside [0, 1)"},
		{"empty", "", prefer(""), cli.ExitUsage, "--prefer: character 1: the name of a class is missing"},
		{"H190 no JSON", "", trainLine + " --prefer-file comma.json", cli.ExitUsage, "comma.json:2:15: this is not JSON"},
		{"H191 unknown key", "", trainLine + " --prefer-file tetha.json", cli.ExitUsage,
			`tetha.json:1:10: unknown key "tetha"; known are "theta", "x", "y"; did you mean "theta"?`},
		{"H164 file", "", trainLine + " --prefer-file zero.json", cli.ExitUsage, "--prefer-file: every class has theta = 0"},
		{"H173 file", "", trainLine + " --prefer-file twice.json", cli.ExitUsage,
			`twice.json:1:43: class "ill" is named twice`},
		{"H172 file", "", trainLine + " --prefer-file sick.json", cli.ExitUsage, `--prefer-file: unknown class "sick"`},
		{"no UTF-8", "", trainLine + " --prefer-file binary.json", cli.ExitUsage, "binary.json: the file is not UTF-8"},
		{"an address", "", "cv https://example.org/a.csv", cli.ExitIO,
			"open https://example.org/a.csv: no such file or directory (an address is not read: download it first, or pipe it " +
				"in, with - in its place)"},
		{"no file", "", trainLine + " --prefer-file absent.json", cli.ExitIO,
			"--prefer-file: open absent.json: no such file or directory"},
		{"empty file name", "", trainLine + " --prefer-file ''", cli.ExitUsage,
			"--prefer-file: the name of a file is empty; write it"},
		{"both", "", trainLine + " --prefer ill --prefer-file prefs.json", cli.ExitUsage,
			"--prefer and --prefer-file are both given; give one"},
	})
	// H174, H175, H180
	for _, spec := range []string{"ill:theta=1,x=0,y=0", "ill:theta=0.001,x=0.99,y=0", `"ill":theta=1,x=0.5,y=0.5`} {
		must(t, "cv in.csv --trees 3 --folds 2", "--prefer", spec)
	}
}

// H170, H171: only the ratios of the importances count, and equal ones treat classes alike.
func TestPreferenceLaws(t *testing.T) {
	inFolder(t, map[string]string{"in.csv": small(60)})
	decisions := func(spec string) string {
		must(t, "train in.csv --trees 10 -o m.rfp --prefer", spec)
		return must(t, "predict m.rfp in.csv").stdout
	}
	if decisions("ill:theta=10,x=0.2,y=0.6;well:theta=1,x=0.8,y=0.8") != decisions(
		"ill:theta=5,x=0.2,y=0.6;well:theta=0.5,x=0.8,y=0.8") {
		t.Error("H171: half the importances decide otherwise")
	}
	if decisions("*:theta=3,x=0.5,y=0.5") != decisions("ill:theta=1,x=0.5,y=0.5;well:theta=1,x=0.5,y=0.5") {
		t.Error("H170: the same importance for all is not the same as for each")
	}
}

// H174: the name of a class may hold the signs of the text form, in quotes or in a file.
func TestPreferenceNames(t *testing.T) {
	const class = `a=b, "c"; d:e`
	cell := `"` + strings.ReplaceAll(class, `"`, `""`) + `"`
	inFolder(t, map[string]string{
		"in.csv":     strings.ReplaceAll(small(60), "ill", cell),
		"prefs.json": `{` + strconv.Quote(class) + `: {"theta": 10, "x": 0.2, "y": 0.6}}`,
	})
	text := strconv.Quote(class) + ":theta=10,x=0.2,y=0.6"
	line := split("cv in.csv --trees 3 --folds 2")
	byText := invoke(t, nil, append(line, "--prefer", text)...)
	if byText.code != cli.ExitDone || !strings.Contains(byText.stdout, strconv.Quote(class)) {
		t.Fatalf("exit %d\n%s%s", byText.code, byText.stdout, byText.stderr)
	}
	byFile := invoke(t, nil, append(line, "--prefer-file", "prefs.json")...)
	if told, _, _ := strings.Cut(byFile.stdout, "Next:"); !strings.HasPrefix(byText.stdout, told) ||
		!strings.HasSuffix(byFile.stdout, "rfpragma train in.csv --prefer-file prefs.json --trees 3 -o model.rfp\n") {
		t.Errorf("by file:\n%s\nby text:\n%s", byFile.stdout, byText.stdout)
	}
	asked := invoke(t, strings.NewReader(cell+"\n\n20\n60\n"), append(line, "--ask")...)
	if asked.stdout != byText.stdout || !strings.Contains(asked.stderr, "--prefer '"+text+"'\n") {
		t.Errorf("asked: exit %d\n%s", asked.code, asked.stderr)
	}
	for _, flags := range [][]string{
		{"--cost", strings.TrimSuffix(cell, `"`) + `=5"`, "--cost", "well=1"}, {"--require", strconv.Quote(class) +
			":recall>=0.01"}, {"--measure", "f:" + strconv.Quote(class)},
	} {
		if got := invoke(t, nil, append(line, flags...)...); got.code != cli.ExitDone {
			t.Errorf("%q: exit %d\n%s", flags, got.code, got.stderr)
		}
	}
}

// H165, H186, H189, H192: what is warned of on stderr is in the JSON, too.
func TestWarningsInJSON(t *testing.T) {
	const head = "actual,predicted_ill,predicted_well\n"
	inFolder(t, map[string]string{
		"in.csv":    strings.ReplaceAll(strings.ReplaceAll(small(60), "\n", ",1\n"), "class,1", "class,same"),
		"later.csv": "x,kind,class,same\n1,p,ill,1\n20,q,well,1\n3,p,,1\n", "diagonal.csv": head + "ill,5,1\nwell,1,0\n",
		"free.csv": head + "ill,0,5\nwell,0,0\n",
		"edge.csv": "class,ill,well\n" + strings.Repeat("ill,1,9\nwell,0,10\nill,2,8\n", 30),
	})
	for _, tc := range []struct{ line, want string }{
		{"cv in.csv --trees 3 --folds 2 --prefer ill;well:theta=0,x=0.5,y=0.5", `class "well" has theta = 0`},
		{"train in.csv --trees 3 --prefer ill -o m.rfp", `column "same" is the same in every row and cannot help`},
		{"train in.csv --trees 3 --costs diagonal.csv -o m.rfp", `the right decision on class "ill" costs 5`},
		{"cv in.csv --trees 3 --folds 2 --cost ill=5 --cost well=0", `all decisions on class "well" are free`},
		{"cv in.csv --trees 3 --folds 2 --costs free.csv", `all decisions on class "well" are free`},
		{"evaluate m.rfp later.csv", `later.csv: column "class": 1 row without a label cannot be judged`},
	} {
		got := must(t, tc.line+" --format json")
		var result struct{ Warnings []string }
		if err := json.Unmarshal([]byte(got.stdout), &result); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(result.Warnings, "\n"), tc.want) || !strings.Contains(got.stderr, tc.want) {
			t.Errorf("%s: no %q in %q, or in\n%s", tc.line, tc.want, result.Warnings, got.stderr)
		}
	}
}

// H: costs and measures.
func TestCostsRefused(t *testing.T) {
	costs := func(name string) string { return trainLine + " --costs " + name }
	const head = "actual,predicted_ill,predicted_well\n"
	runRefusals(t, map[string]string{
		"in.csv":   small(30),
		"good.csv": head + "ill,0,5\nwell,1,0\n",
		"row.csv":  head + "ill,0,5\n", "column.csv": "actual,predicted_ill\nill,0\nwell,1\n",
		"names.csv": "0,5\n1,0\n", "negative.csv": head + "ill,0,-5\nwell,1,0\n", "zero.csv": head + "ill,0,0\nwell,0,0\n",
		"text.csv":    head + "ill,0,much\nwell,1,0\n",
		"other.csv":   "actual,predicted_sick,predicted_well\nsick,0,5\nwell,1,0\n",
		"swapped.csv": "actual,predicted_well,predicted_ill\nwell,0,1\nill,5,0\n", "diagonal.csv": head +
			"ill,5,1\nwell,1,0\n",
		"free.csv": head + "ill,0,5\nwell,0,0\n",
	}, []refusal{
		{"H184 a row missing", "", costs("row.csv"), cli.ExitUsage,
			`row.csv: there is no row for class "well"; add one, so that the matrix is square`},
		{"H184 a column missing", "", costs("column.csv"), cli.ExitUsage, `there is no column "predicted_well"`},
		{"H185 no names", "", costs("names.csv"), cli.ExitUsage, "names.csv:1:1: the first column is \"0\"; call it actual"},
		{"H185 other names", "", costs("other.csv"), cli.ExitUsage, `other.csv:1:8: unknown class "sick"`},
		{"H187 negative", "", costs("negative.csv"), cli.ExitUsage, "negative.csv:2:7: the cost -5 is negative"},
		{"H188 all zero", "", costs("zero.csv"), cli.ExitUsage, "zero.csv: all costs are 0"},
		{"no number", "", costs("text.csv"), cli.ExitUsage, `text.csv:2:7: "much" is not a number`},
		{"no file", "", costs("absent.csv"), cli.ExitIO, "--costs: open absent.csv: no such file or directory"},
		{"both", "", costs("good.csv") + " --measure f1", cli.ExitUsage, "--measure f1 and costs are both given; give one"},
		{"costs missing", "", trainLine + " --measure cost", cli.ExitUsage,
			"--measure cost needs the costs; give them with --cost CLASS=COST, or name their file with --costs"},
		{"unknown measure", "", trainLine + " --measure auc", cli.ExitUsage, `--measure: unknown measure "auc"`},
		{"unknown class", "", trainLine + " --measure f:sick", cli.ExitUsage, `--measure: unknown class "sick"`},
	})
	line := "train in.csv --trees 5 --prefer ill -o m.rfp --format json --costs "
	good := must(t, line+"good.csv")
	if swapped := must(t, line+"swapped.csv"); swapped.stdout != good.stdout {
		t.Error("H185: the order of rows and columns changes the model")
	}
	for file, want := range map[string]string{
		"diagonal.csv": `the right decision on class "ill" costs 5`,           // H186
		"free.csv":     `all decisions on class "well" are free: it does not`, // H189
	} {
		if got := must(t, line+file); !strings.Contains(got.stderr, want) {
			t.Errorf("%s: no %q in %s", file, want, got.stderr)
		}
	}
	for _, measure := range []string{"accuracy", "balanced", "f1", "f:ill", "f:*,beta=2", "gmean", "mcc", "kappa"} {
		must(t, "cv in.csv --trees 3 --folds 2 --format json --measure", measure)
	}
}

// I: parameters and the command line.
func TestParametersRefused(t *testing.T) {
	with := func(flags string) string { return trainLine + " " + flags }
	train := func(flags string) string { return "train in.csv -o old.rfp " + flags }
	runRefusals(t, map[string]string{"in.csv": small(30)}, []refusal{
		{"I197 no trees", "", train("--trees 0"), cli.ExitUsage, "--trees 0; give a number from 1"},
		{"I198 negative trees", "", train("--trees -5"), cli.ExitUsage, "--trees -5; give a number from 1"},
		// I199: beyond the limit of the format no memory is worth estimating; below it the forest tells, see
		// TestMemoryIsLimited there. No time is foretold: it depends on the machine and on what else runs there.
		{"I199 too many trees", "", train("--trees 1000000000"), cli.ExitLimit,
			"--trees 1000000000; the limit is 1048576 trees"},
		{"I199 more than a number", "", train("--trees 99999999999999999999"), cli.ExitUsage,
			"--trees 99999999999999999999 is too large; write a smaller number"},
		{"I200 no features tried", "", with("--mtry 0"), cli.ExitUsage, "--mtry 0; give a number from 1"},
		{"I201 more than there are", "", with("--mtry 3"), cli.ExitUsage,
			"--mtry 3; the data has 2 features, give a number from 1 to 2"},
		{"I202 half a feature", "", with("--mtry 2.5"), cli.ExitUsage,
			`--mtry "2.5" is not a whole number; rfpragma help train tells more`},
		{"I203 depth 0", "", with("--max-depth 0"), cli.ExitUsage, "--max-depth 0; give a number from 1"},
		{"I203 depth below", "", with("--max-depth -1"), cli.ExitUsage, "--max-depth -1; give a number from 1"},
		{"I204 no leaf", "", with("--min-leaf 0"), cli.ExitUsage, "--min-leaf 0; give a number from 1"},
		{"I208 negative seed", "", with("--seed -1"), cli.ExitUsage, `--seed "-1" is not a whole number from 0 to 2^64-1`},
		{"I208 seed 2^64", "", with("--seed 18446744073709551616"), cli.ExitUsage,
			`--seed "18446744073709551616" is not a whole number from 0 to 2^64-1`},
		{"I209 no thread", "", with("--threads 0"), cli.ExitUsage, `--threads "0"; give a number from 1, or auto`},
		{"I210 fewer", "", with("--threads -2"), cli.ExitUsage, `--threads "-2"; give a number from 1, or auto`},
		{"I212 unknown flag", "", with("--tress 5"), cli.ExitUsage,
			`there is no flag --tress (did you mean "--trees"?); rfpragma help train lists them`},
		{"I212 after the file", "", "cv in.csv --nosuch", cli.ExitUsage,
			"there is no flag --nosuch; rfpragma help cv lists them"},
		{"I213 given twice", "", with("--trees 6"), cli.ExitUsage, `--trees is given twice, as "5" and as "6"; give it once`},
		{"a cost with a comma", "", with("--cost ill=3.000,00"), cli.ExitUsage,
			`--cost "ill=3.000,00": a comma separates classes; write the number with a point before its decimals, and no mark between thousands`},
		{"a cost in thousands", "", with("--cost ill=3.000"), cli.ExitUsage,
			`--cost: class "ill": "3.000" may be 3 or 3000; write the one that is meant`},
		{"a cost and a comma too many", "", with("--cost ill=3,"), cli.ExitUsage, `--cost: "" is no cost; write CLASS=COST`},
		{"a percentage with a comma", "", with("--class-weight ill=0,5%"), cli.ExitUsage,
			`--class-weight "ill=0,5%": a comma separates classes; write the number with a point before its decimals, and no mark between thousands`},
		{"weights with commas", "", with("--weights ill=3,000,000,well=1"), cli.ExitUsage,
			`--weights "ill=3,000,000": a comma separates classes;`},
		{"a weight in thousands", "", with("--class-weight ill=3.000"), cli.ExitUsage,
			`--class-weight "ill=3.000": "3.000" may be 3 or 3000; write the one that is meant`},
		{"I214 hexadecimal", "", train("--trees 0x10"), cli.ExitUsage, `--trees "0x10" is not a whole number`},
		{"I214 binary", "", train("--trees 0b11"), cli.ExitUsage, `--trees "0b11" is not a whole number`},
		{"I214 an underscore", "", train("--trees 1_000"), cli.ExitUsage,
			`--trees "1_000" is not a whole number; write 1000 without marks between thousands`},
		{"I214 a hexadecimal seed", "", with("--seed 0xff"), cli.ExitUsage, `--seed "0xff" is not a whole number`},
		{"I214 a unit", "", train("--trees 1k"), cli.ExitUsage, `--trees "1k" is not a whole number`},
		{"I215 empty output", "", "train in.csv -o ''", cli.ExitUsage, "--output is missing; name the model file to write"},
		{"no value at the end", "", "train in.csv -o", cli.ExitUsage, "-o needs a value; rfpragma help train tells which"},
		{"a flag for a value", "", "train in.csv --output --quiet", cli.ExitUsage,
			"--output needs a value; rfpragma help train tells which (a value that looks like a flag is written " +
				"--output=VALUE)"},
		{"a word for yes", "", with("--quiet=perhaps"), cli.ExitUsage, `--quiet "perhaps" is not true or false`},
		{"three dashes", "", with("---mtry 1"), cli.ExitUsage, "bad flag syntax: ---mtry"},
		{"empty cells", "", with("--missing ''"), cli.ExitUsage,
			"--missing is empty; an empty cell is missing in any case, so leave it out"},
		{"empty names of files", "", "cv in.csv --report ''", cli.ExitUsage, "--report is empty; name the file to write"},
		{"empty name of decisions", "", "cv in.csv --decisions ''", cli.ExitUsage,
			"--decisions is empty; name the file to write"},
		{"empty name of a folder", "", "cv in.csv --figures ''", cli.ExitUsage,
			"--figures is empty; name the folder to write to"},
		{"empty name of folds", "", "cv in.csv --folds-from ''", cli.ExitUsage, "--folds-from is empty; name the file"},
		{"repeated for ever", "", "cv in.csv --repeats 1001", cli.ExitUsage, "--repeats 1001; choose 1 to 1000"},
		{"permuted for ever", "", "importance m.rfp in.csv --repeats 1001", cli.ExitUsage,
			"--repeats 1001; choose 1 to 1000"},
		{"thousands", "", "train in.csv -o m.rfp --trees 1,000", cli.ExitUsage,
			`--trees "1,000" is not a whole number; write 1000 without marks between thousands`},
		{"a weight that is a share", "", with("--weights ill=10%"), cli.ExitUsage,
			`--weights "ill=10%": a weight says how many times a class counts, and is no share; write a number, such as 10, or --cutoff ill=10% where that share of the votes is to be enough`},
		{"a class weight that is a share", "", with("--class-weight 'ill=10 %'"), cli.ExitUsage,
			`--class-weight "ill=10 %": a weight says how many times a class counts, and is no share; write a number, such as 10`},
		{"a cutoff for one class", "", with("--cutoff ill=50"), cli.ExitUsage,
			`--cutoff ill=50 is not below 1, so it does not say that of class "well"; write a share such as ill=20%, or give both`},
		{"rows for votes", "", "tune in.csv", cli.ExitData,
			"; if these are rows of data, a model comes first: rfpragma tune MODEL.rfp in.csv"},
		{"rows for scores", "", "calibrate in.csv", cli.ExitData,
			"; if these are rows of data, a model comes first: rfpragma calibrate MODEL.rfp in.csv"},
		{"pragma misspelt", "", with("--measure pragm"), cli.ExitUsage,
			`--measure: unknown measure "pragm"; known are "pragma", "accuracy", "balanced", "f1", "f:CLASS", "gmean", "mcc", "kappa"; did you mean "pragma"?`},
		{"I216 unknown verb", "", "fit in.csv", cli.ExitUsage,
			`there is no verb "fit" (did you mean "train"?); choose one of cv, train, predict`},
		{"I216 help on nothing", "", "help nothere", cli.ExitUsage,
			`there is no help on "nothere"; there is on the verbs cv, train, predict, `},
		{"I216 topics", "", "help nothere", cli.ExitUsage,
			", and on the topics preference, formats, weights, maps, parts, environment, exit-codes"},
		{"a flag before the verb", "", "--trees 5 cv", cli.ExitUsage, "--trees stands before the verb"},
		{"two files", "", "cv in.csv in.csv", cli.ExitUsage,
			"cv takes [DATA], 2 given; make one table of several, or run it for each"},
		{"no file", "", "train -o old.rfp", cli.ExitUsage, "train takes DATA, 0 given"},
		{"flags of a file without one", "", "cv --target y", cli.ExitUsage, "--target is about a file, and none is named"},
		// I219: of a file that exists, see TestLineEndInName.
		{"I219 a line end in a name", "", "cv 'a\nb.csv'", cli.ExitIO, `open a\nb.csv: no such file or directory`},
		{"I220 a name too long", "", "train in.csv --trees 5 -o " + strings.Repeat("n", 300), cli.ExitIO,
			"file name too long; choose a shorter name"},
		{"L295 no such folder", "", "train absent.csv -o away/m.rfp", cli.ExitIO,
			"folder away/ does not exist: create it first"},
		{"L296 a folder", "", "train absent.csv -o .", cli.ExitIO, "save .: it is a folder; give the name of a file"},
		{"unknown form", "", "cv in.csv --format xml", cli.ExitUsage, `--format "xml"; choose table, json, csv`},
		{"unknown map", "", with("--calibrate magic"), cli.ExitUsage,
			`--calibrate: calibration method "magic" is unknown; choose one of platt`},
		{"unknown search", "", with("--search magic"), cli.ExitUsage,
			`--search "magic"; choose auto, exact, coordinates or annealing`},
		{"unknown votes", "", with("--votes magic"), cli.ExitUsage, `--votes "magic"; choose oob, cv or train`},
		{"weight of no class", "", with("--class-weight sick=2"), cli.ExitUsage,
			`--class-weight "sick=2": unknown class "sick"; known are "ill", "well"; use one of them`},
		{"weight of a class in bad letters", "", with("--class-weight il=2"), cli.ExitUsage,
			`--class-weight "il=2": unknown class "il"; known are "ill", "well"; did you mean "ill"?`},
		{"weight no number", "", with("--class-weight ill=NaN"), cli.ExitUsage,
			`--class-weight "ill=NaN"; write CLASS=NUMBER`},
		{"weight negative", "", with("--class-weight ill=-1"), cli.ExitUsage, "with a number above 0"},
		{"weight as elsewhere", "", with("--class-weight balanced"), cli.ExitUsage,
			`--class-weight "balanced"; write CLASS=NUMBER, or --bag balanced for bags of as many rows of each class`},
		{"weight alone", "", with("--class-weight 2"), cli.ExitUsage, `--class-weight "2"; write CLASS=NUMBER`},
		{"empty target", "", with("--target ''"), cli.ExitUsage, "--target is empty; name the column of the labels"},
		{"no such class", "", with("--positive sick"), cli.ExitUsage, `has no class "sick"`},
		{"empty list", "", with("--ignore ''"), cli.ExitUsage, `--ignore is empty; give it a value, or leave it out`},
		{"rows", "", "generate fraud --rows 0", cli.ExitUsage, "--rows 0; choose 1 to 10000000"},
		{"too many rows", "", "generate fraud --rows 30000000", cli.ExitLimit, "--rows 30000000; the limit is 10000000 rows"},
		{"classes", "", "generate wave --classes 4", cli.ExitUsage, "--classes 4; choose 2 or 3"},
		{"classes of fraud", "", "generate fraud --classes 2", cli.ExitUsage, "--classes is for wave; fraud has two"},
		{"unknown data", "", "generate iris", cli.ExitUsage, `there is no example data "iris"; choose fraud or wave`},
	})
	got := invoke(t, nil) // I216
	if got.code != cli.ExitUsage || !strings.Contains(got.stderr, "\nFirst steps:\n") {
		t.Errorf("no verb: exit %d, %s", got.code, got.stderr)
	}
}

// I219: a line end in the name of a file that exists is no fault, and breaks no line of what is told.
func TestLineEndInName(t *testing.T) {
	inFolder(t, map[string]string{"a\nb.csv": small(30)})
	got := must(t, "train --trees 5", "a\nb.csv", "-o", "m\nn.rfp")
	if !strings.Contains(got.stderr, "Model written to m\\nn.rfp.\n") || !strings.HasPrefix(got.stdout,
		"a\\nb.csv: 30 rows") {
		t.Errorf("train says %q and %q", got.stdout, got.stderr)
	}
	if n := strings.Count(must(t, "predict", "m\nn.rfp", "a\nb.csv").stdout, "\n"); n != 31 {
		t.Errorf("%d lines are decided", n)
	}
}

// I206 and the like: how trees are grown.
func TestGrowthRefused(t *testing.T) {
	with := func(flags string) string { return trainLine + " " + flags }
	runRefusals(t, map[string]string{"in.csv": small(30)}, []refusal{
		{"I206 bag", "", with("--bag half"), cli.ExitUsage,
			`--bag "half"; choose bootstrap, stratified, stratified:CLASS=ROWS, balanced, poisson or, for about so many rows a tree, hash:ROWS`},
		{"rows of no class", "", with("--bag stratified:il=3"), cli.ExitUsage,
			`--bag "il=3": unknown class "il"; known are "ill", "well"`},
		{"no rows of a class", "", with("--bag stratified:ill=0,well=5"), cli.ExitUsage,
			`--bag "ill=0"; write CLASS=NUMBER with a number above 0`},
		{"half a row", "", with("--bag stratified:ill=1.5"), cli.ExitUsage,
			`--bag "stratified:ill=1.5"; write a whole number of rows, or a share such as 10%`},
		{"more rows than there are", "", with("--bag stratified:ill=11"), cli.ExitUsage,
			`--bag "stratified:ill=11": a bag is to draw 11 rows of class "ill", which has 10; draw at most that many, or a share of them such as 0.5`},
		{"a number for rows", "", with("--bag stratified:50"), cli.ExitUsage, `--bag "50"; write CLASS=NUMBER`},
		{"no bag", "", with("--bag ''"), cli.ExitUsage, `--bag ""; choose bootstrap`},
		{"hash of no rows", "", with("--bag hash:0"), cli.ExitUsage, `--bag "hash:0"; choose bootstrap`},
		{"hash of no number", "", with("--bag hash:1e3"), cli.ExitUsage, `--bag "hash:1e3"; choose bootstrap`},
		{"criterion", "", with("--criterion mse"), cli.ExitUsage,
			`--criterion "mse"; choose gini, entropy, hellinger, offcentred or pragma`},
		{"a long text is cut", "", with("--criterion " + strings.Repeat("m", 65)), cli.ExitUsage, `--criterion "` +
			strings.Repeat("m", 64) + `…"; choose gini`},
		{"one leaf", "", with("--max-leaves 1"), cli.ExitUsage, "--max-leaves 1; give a number from 2"},
		{"no leaves", "", with("--max-leaves 0"), cli.ExitUsage, "--max-leaves 0; give a number from 2"},
		{"I206 nothing drawn", "", with("--fraction 0"), cli.ExitUsage,
			"--fraction 0; give a share above 0 and up to 1, such as 0.63 or 63%"},
		{"I206 fraction above 1", "", with("--fraction 63"), cli.ExitUsage,
			"--fraction 63; give a share above 0 and up to 1, such as 0.63 or 63%"},
		{"I206 fraction NaN", "", with("--fraction NaN"), cli.ExitUsage,
			`--fraction "NaN" is not a share, such as 0.63 or 63%`},
		{"fraction no number", "", with("--fraction half"), cli.ExitUsage,
			`--fraction "half" is not a share, such as 0.63 or 63%; rfpragma help train tells more`},
		{"a percentage of nothing", "", with("--fraction 0%"), cli.ExitUsage,
			"--fraction 0; give a share above 0 and up to 1, such as 0.63 or 63%"},
		{"a percentage above 100", "", with("--fraction 163%"), cli.ExitUsage,
			"--fraction 1.63; give a share above 0 and up to 1, such as 0.63 or 63%"},
		{"a negative percentage", "", "generate fraud --drift=-5%", cli.ExitUsage,
			"--drift -0.05; choose 0, as in training, to 1"},
		{"fraction of a hash", "", with("--bag hash:9 --fraction 0.5"), cli.ExitUsage,
			"--fraction does not go with --bag hash:9, which decides on each row alone; leave one out"},
		{"poisson once", "", with("--bag poisson --no-replacement"), cli.ExitUsage,
			"--no-replacement does not go with --bag poisson, which decides on each row alone; leave one out"},
		{"random cuts of a kind", "", with("--random-cuts=some"), cli.ExitUsage, `--random-cuts "some" is not true or false`},
		{"no votes left", "", with("--no-replacement --fraction 1 --votes oob"), cli.ExitUsage,
			"--votes oob: every bag holds all rows, so no tree can vote on a row it has not seen; choose --votes cv, or " +
				"smaller bags by --fraction or --bag"},
		{"no votes left of a hash", "", with("--bag hash:30 --votes oob"), cli.ExitUsage,
			"--votes oob: every bag holds all rows"},
	})
}

// H183: what cannot be reached is told, and a model of what comes nearest is saved only if that is accepted.
func TestFloorsThatCannotBeReached(t *testing.T) {
	inFolder(t, map[string]string{"in.csv": small(60), "votes.csv": "class,ill,well\nill,1,9\nwell,1,9\n"})
	const required = " --require ill:precision>=1 --require ill:recall>=1"
	if got := invoke(t, nil, split("tune votes.csv --prefer ill"+required)...); got.code != cli.ExitFloor ||
		!strings.Contains(got.stderr, "or add --accept-best") {
		t.Errorf("tune: exit %d\n%s", got.code, got.stderr)
	}
	line := trainLine + required
	got := invoke(t, nil, split(line)...)
	if got.code != cli.ExitFloor || !strings.Contains(got.stderr,
		"no weights reach what is required: ill:precision>=1 is out of reach even alone, at most 0.") ||
		!strings.Contains(got.stderr, "; under the weights that come nearest, ill:precision>=1 is 0.") {
		t.Errorf("%s: exit %d\n%s", line, got.code, got.stderr)
	}
	if !strings.HasSuffix(got.stderr,
		"; ask for less, or grow more trees on more rows, or add --accept-best to go on with these\n") {
		t.Errorf("%s does not say how to accept that\n%s", line, got.stderr)
	}
	if _, err := os.Stat("old.rfp"); err == nil {
		t.Error("a model was saved")
	}
	if got := must(t, line+" --accept-best"); !strings.Contains(got.stderr, "warning: no weights reach what is required") {
		t.Errorf("accepted without a warning:\n%s", got.stderr)
	}
	if _, err := os.Stat("old.rfp"); err != nil {
		t.Error(err)
	}
}

func TestCatalogueHSearch(t *testing.T) {
	inFolder(t, map[string]string{
		"in.csv":    small(60),
		"edge.csv":  "class,ill,well\n" + strings.Repeat("ill,1,9\nwell,0,10\nill,2,8\n", 30),
		"equal.csv": "class,a,b,c\n" + strings.Repeat("a,4,3,3\nb,3,4,3\nc,3,3,4\n", 30),
		"rare.csv":  "class,a,b\n" + strings.Repeat("b,0,4000000000\n", 300) + strings.Repeat("a,1,4000000000\n", 60),
	})
	must(t, trainLine)
	got := invoke(t, nil, split("tune old.rfp in.csv --prefer ill")...)
	if got.code != cli.ExitUsage || !strings.Contains(got.stderr,
		"-o NEW.rfp; or give labelled rows that it has not seen, as its file does not hold the votes that it was fitted on") {
		t.Errorf("H195: exit %d\n%s", got.code, got.stderr)
	}
	if got := must(t, "tune edge.csv --prefer ill"); !strings.Contains(got.stdout, `1 of 10 votes`) {
		t.Errorf("H192: nothing of the edge:\n%s", got.stdout)
	}
	equal := must(t, "tune equal.csv --prefer a;b;c --format csv").stdout
	if column(equal, 1)[0] != "1" || equal != must(t, "tune equal.csv --prefer a;b;c --format csv --threads 1").stdout {
		t.Errorf("H193: of equally good weights not those of 1:\n%s", equal)
	}
	if got := must(t, "tune edge.csv --prefer ill --weights ill=0.001 --format json").stdout; !strings.Contains(got,
		`"loss": 0.`) {
		t.Errorf("H194: a class that is never predicted\n%s", got)
	}
	for _, w := range column(must(t, "tune rare.csv --prefer a --format csv").stdout, 1) {
		if v, err := strconv.ParseFloat(w, 64); err != nil || !(v > 0) || math.IsInf(v, 1) {
			t.Errorf("H196: weight %q", w)
		}
	}
}
