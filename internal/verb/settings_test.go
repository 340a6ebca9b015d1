package verb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// samples are values of a flag that its parser takes, some of them awkward.
func samples(f urfave.Flag) []string {
	switch f.(type) {
	case *urfave.BoolFlag:
		return []string{"true", "false"}
	case *urfave.IntFlag:
		return []string{"7", "-3", "0"}
	case *urfave.DurationFlag:
		return []string{"7s", "1h30m"}
	case *urfave.Uint64Flag:
		return []string{"7", "18446744073709551615"}
	case *urfave.Float64Flag:
		return []string{"0.25", "3", "-1e300"}
	case *urfave.GenericFlag:
		return []string{"0.25", "1e-300", "3", "-63%"}
	default:
		return []string{"plain", "7", "0.50", "true", "", "a,b", `"a,b",c`, "two\nlines", "ill:theta=10,x=0.2,y=0.6",
			`C:\x "q" # 'é`}
	}
}

// overFlags calls each with command lines that set every flag of a verb, each to one of its samples:
// another in each line, and from flag to flag, so that together they have all. The last line repeats
// those flags that may be.
func overFlags(t *testing.T, each func(verb string, flags, words []string)) {
	t.Helper()
	count := 0
	for _, c := range testApp().Commands {
		if cli.FlagNamed(c.Flags, "config") == nil {
			continue
		}
		flags := slices.DeleteFunc(cli.Settable(c), func(name string) bool { return name == "config" })
		count += len(flags)
		const lines = 4
		for k := range lines {
			var words []string
			for i, name := range flags {
				f := cli.FlagNamed(c.Flags, name)
				values := samples(f)
				if _, list := f.(cli.ListFlag); list && k == lines-1 {
					for _, v := range values {
						words = append(words, "--"+name+"="+v)
					}
					continue
				}
				words = append(words, "--"+name+"="+values[(i+k)%len(values)])
			}
			each(c.Name, flags, words)
		}
	}
	if count < 100 {
		t.Errorf("only %d flags walked", count)
	}
}

// withoutOrigin drops the comments that say where a setting comes from.
func withoutOrigin(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if at := strings.LastIndex(line, " # "); at >= 0 && !strings.HasPrefix(line, "#") &&
			(strings.Contains(line[at:], "again.toml:") || strings.Contains(line[at:], cli.Prefix)) {
			line = line[:at] + "\n"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

// What --print-config prints gives, by --config, the same settings: every flag of every verb.
func TestConfigRoundTrip(t *testing.T) {
	inFolder(t, nil)
	overFlags(t, func(verb string, flags, words []string) {
		first := must(t, verb+" --print-config", words...).stdout
		write(t, "again.toml", first)
		again := must(t, verb+" --print-config --config again.toml").stdout
		if diff := cmp.Diff(first, withoutOrigin(again)); diff != "" {
			t.Errorf("%s %q comes back otherwise (-first +again):\n%s", verb, words, diff)
		}
		for _, flag := range flags {
			if !strings.Contains(first, "\n"+flag+" = ") || strings.Count(again, " # again.toml:") != len(flags) {
				t.Errorf("%s %q prints no %s, or no word of where it is set:\n%s", verb, words, flag, again)
			}
		}
	})
}

// What train is to build cv judges by the same file, and the other way round; what each writes is its own. A file
// without a word for a verb is told, but not one that the environment names for all.
func TestConfigOfTrainForCV(t *testing.T) {
	inFolder(t, nil)
	write(t, "train.toml", must(t, "train --print-config --ignore TBG --merge-labels ill=flu,cold --weights prior "+
		"--trees 20 --time day -o m.rfp").stdout)
	got := must(t, "cv --print-config --config train.toml").stdout
	for _, want := range []string{`ignore = ["TBG"] # train.toml:`, `merge-labels = ["ill=flu,cold"] # train.toml:`,
		`trees = 20 # train.toml:`, `time = "day" # train.toml:`, "\n# output: "} {
		if !strings.Contains(got, want) {
			t.Errorf("cv by the file of train has no %s:\n%s", want, got)
		}
	}
	write(t, "cv.toml", must(t, "cv --print-config --ignore TBG --folds 5 --top ill=5 --output cv.txt").stdout)
	if got := must(t, "train --print-config --config cv.toml").stdout; !strings.Contains(got,
		`ignore = ["TBG"] # cv.toml:`) || strings.Contains(got, "\noutput = ") {
		t.Errorf("train by the file of cv:\n%s", got)
	}
	write(t, "alone.toml", "[train]\ntrees = 9\n")
	if got, want := must(t, "cv --print-config --config alone.toml").stderr,
		"warning: alone.toml sets nothing of cv: it has \"train\"; what several verbs are to share stands above all "+
			"tables\n"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	t.Setenv("RFPRAGMA_CONFIG", "alone.toml")
	if got := must(t, "cv --print-config").stderr; got != "" {
		t.Errorf("of a file for all verbs it is told %q", got)
	}
}

// A variable of the environment is as good as its flag: every flag of every verb.
func TestEnvironmentSetsFlags(t *testing.T) {
	inFolder(t, nil)
	overFlags(t, func(verb string, flags, words []string) {
		// an empty variable says nothing
		words = slices.DeleteFunc(words, func(w string) bool { return strings.HasSuffix(w, "=") })
		if len(words) > len(flags) {
			return // nor can one say several values
		}
		want := must(t, verb+" --print-config", words...).stdout
		for _, flag := range flags {
			t.Setenv(cli.Variable(flag), "")
		}
		for _, w := range words {
			name, value, _ := strings.Cut(strings.TrimPrefix(w, "--"), "=")
			t.Setenv(cli.Variable(name), value)
		}
		got := must(t, verb+" --print-config")
		for _, flag := range flags {
			t.Setenv(cli.Variable(flag), "")
		}
		if diff := cmp.Diff(want, withoutOrigin(got.stdout)); diff != "" || got.stderr != "" {
			t.Errorf("%s by environment (-flags +environment):\n%s%s", verb, diff, got.stderr)
		}
	})
}

// I214: a number is decimal wherever it is set; 010, which may be eight or ten, is refused.
func TestDecimalNumbers(t *testing.T) {
	inFolder(t, map[string]string{"zero.toml": "trees = '010'\n", "hex.toml": "[cv]\nseed = '0x10'\n",
		"toml.toml": "trees = 0x10\n"})
	for _, c := range []struct{ line, env, want string }{
		{"cv --trees 010", "", "--trees 010 begins with 0; write 10"},
		{"cv --trees 08", "", "--trees 08 begins with 0; write 8"},
		{"cv --folds=012", "", "--folds 012 begins with 0; write 12"},
		{"cv --seed 00", "", "--seed 00 begins with 0; write 0"},
		{"cv --seed 0b11", "", `--seed "0b11" is not a whole number from 0 to 2^64-1`},
		{"cv --config zero.toml", "", "--trees 010 begins with 0; write 10 (--trees is set by zero.toml:1)"},
		{"cv --config hex.toml", "", `--seed "0x10" is not a whole number from 0 to 2^64-1`},
		{"cv", "010", "--trees 010 begins with 0; write 10 (--trees is set by RFPRAGMA_TREES)"},
		{"cv", "0b11", `--trees "0b11" is not a whole number`},
	} {
		t.Setenv("RFPRAGMA_TREES", c.env)
		if got := invoke(t, nil, split(c.line)...); got.code != cli.ExitUsage || !strings.Contains(got.stderr, c.want) ||
			got.stdout != "" {
			t.Errorf("%s, %q in the environment: exit %d, want %q\n%s", c.line, c.env, got.code, c.want, got.stderr)
		}
	}
	t.Setenv("RFPRAGMA_TREES", "")
	if got := must(t, "cv --print-config --config toml.toml --seed 0").stdout; !strings.Contains(got, "\ntrees = 16") ||
		!strings.Contains(got, "\nseed = 0") {
		t.Errorf("TOML has hexadecimal numbers of its own, and no number that begins with 0:\n%s", got)
	}
}

// Flag, then environment, then the table of the verb, then what is above all tables, then default;
// and what means the same thing by another name gives way.
func TestPrecedence(t *testing.T) {
	inFolder(t, map[string]string{
		"c.toml": "trees = 1\nmtry = 1\nfolds = 3\n[cv]\ntrees = 2\n[train]\nmtry = 9\n",
		"cost.toml": "amount = \"sum\"\nweights = {a = 2}\nrepeats = 2\ncost = {a = \"amount\", b = 5}\n" +
			"[prefer.ill]\ntheta = 10\nx = 0.2\ny = 1e-1\n",
		"percent.toml": "fraction = '63 %'\n[prefer.ill]\ntheta = 10\nx = '20%'\ny = '10 %'\n",
		"env.toml":     "trees = 4\n",
	})
	for _, tc := range []struct{ name, env, line, want string }{
		{"default", "", "cv", "# trees: 500"},
		{"common", "", "cv --config c.toml", "mtry = 1 # c.toml:2"},
		{"table of the verb", "", "cv --config c.toml", "trees = 2 # c.toml:5"},
		{"table of another verb", "", "train --config c.toml", "trees = 1 # c.toml:1"},
		{"environment", "TREES=3", "cv --config c.toml", "trees = 3 # RFPRAGMA_TREES"},
		{"empty environment", "TREES=", "cv --config c.toml", "trees = 2 # c.toml:5"},
		{"flag", "TREES=3", "cv --trees 4 --config c.toml", "trees = 4\n"},
		{"flag after the file", "", "cv data.csv --config c.toml --folds=5", "folds = 5\n"},
		{"file named by the environment", "CONFIG=env.toml", "cv", "trees = 4 # env.toml:1"},
		{"file named by the flag", "CONFIG=env.toml", "cv --config c.toml", "trees = 2 # c.toml:5"},
		{"a preference", "", "cv --config cost.toml", `prefer = ["ill:theta=10,x=0.2,y=0.1"] # cost.toml:5`},
		{"the same by another flag", "", "cv --config cost.toml --prefer-file p.json", "# prefer: not set"},
		{"asked for in its place", "", "cv --config cost.toml --ask", "# prefer: not set"},
		{"costs", "", "cv --config cost.toml", `cost = ["a=amount", "b=5"] # cost.toml:4`},
		{"a measure for costs", "", "cv --config cost.toml --measure f1", "# cost: not set"},
		{"and for their amount", "", "cv --config cost.toml --measure f1", "# amount: not set"},
		{"costs by another column", "", "cv --config cost.toml --amount total", `cost = ["a=amount", "b=5"] # cost.toml:4`},
		{"a measure of the environment", "MEASURE=f1", "cv --config cost.toml", "# cost: not set"},
		{"cutoff for weights", "CUTOFF=a=2", "tune --config cost.toml", "# weights: not set"},
		{"folds from a file", "", "cv --config cost.toml --folds-from f.csv", "# repeats: 1"},
		{"a share in percent", "", "cv --fraction 63%", "fraction = 0.63\n"},
		{"of a file", "", "cv --config percent.toml", "fraction = 0.63 # percent.toml:1"},
		{"of the environment", "FRACTION=63%", "cv", "fraction = 0.63 # RFPRAGMA_FRACTION"},
		{"of a preference", "", "cv --config percent.toml", `prefer = ["ill:theta=10,x=0.2,y=0.1"] # percent.toml:2`},
		{"of another verb", "", "generate fraud --drift=5%", "drift = 0.05\n"},
		{"a list", "REQUIRE=ill:recall>=0.9", "cv", `require = ["ill:recall>=0.9"] # RFPRAGMA_REQUIRE`},
		{"no, though set", "QUIET=true", "cv --quiet=false", "quiet = false\n"},
		{"in short", "QUIET=false", "cv -q", "quiet = true\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if name, value, ok := strings.Cut(tc.env, "="); ok {
				t.Setenv(cli.Prefix+name, value)
			}
			got := must(t, tc.line+" --print-config")
			if !strings.Contains(got.stdout, "\n"+tc.want) || got.stderr != "" {
				t.Errorf("%s %s: no %q in\n%s%s", tc.env, tc.line, tc.want, got.stdout, got.stderr)
			}
		})
	}
}

// Files of settings that cannot be meant, with the place and the cure.
func TestConfigRefused(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
		code             int
	}{
		{"unknown key", "\n# so\ntres = 5\n",
			`c.toml:3: there is no flag "tres" (did you mean "trees"?); rfpragma help VERB lists the flags`, cli.ExitUsage},
		{"unknown table", "[trian]\ntrees = 5\n",
			`c.toml:1: there is no verb or flag "trian" (did you mean "train"?); rfpragma help VERB lists the flags`,
			cli.ExitUsage},
		{"unknown key of the verb", "[train]\nmtri = 5\n",
			`c.toml:2: there is no flag "mtri" (did you mean "mtry"?); rfpragma help train lists them`, cli.ExitUsage},
		{"of another verb", "[predict]\nx = 1\nfolds = 5\n",
			`c.toml:2: there is no flag "x"; rfpragma help predict lists them`, cli.ExitUsage},
		{"underscore", "min_leaf = 5\n", `c.toml:1: there is no flag "min_leaf" (did you mean "min-leaf"?)`, cli.ExitUsage},
		{"alias", "[train]\no = 'm.rfp'\n", `c.toml:2: there is no flag "o"`, cli.ExitUsage},
		{"not TOML", "trees = 5\nfolds = \n", "c.toml:2:9: this is not TOML: ", cli.ExitUsage},
		{"twice", "trees = 5\ntrees = 6\n",
			"c.toml:2:11: this is not TOML: Key 'trees' has already been defined; mend the line", cli.ExitUsage},
		{"not UTF-8", "target = \"\xff\"\n", "c.toml: the file is not UTF-8; save it as that", cli.ExitUsage},
		{"too long", strings.Repeat("#\n", cli.MostConfig), "c.toml: more than 1024 KB; a file of settings has some lines",
			cli.ExitLimit},
		{"yes for a number", "trees = true\n", "c.toml:1: trees = true is not a whole number; correct it", cli.ExitUsage},
		{"half a tree", "[train]\n\ntrees = 2.5\n",
			`--trees "2.5" is not a whole number; rfpragma help train tells more (--trees is set by c.toml:3)`, cli.ExitUsage},
		{"number for yes", "quiet = 1.5\n", "c.toml:1: quiet = 1.5 is not true or false; correct it", cli.ExitUsage},
		{"word for yes", "quiet = 'perhaps'\n",
			`--quiet "perhaps" is not true or false; rfpragma help train tells more (--quiet is set by c.toml:1)`,
			cli.ExitUsage},
		{"a date", "target = 1979-05-27\n", "c.toml:1: target = 1979-05-27", cli.ExitUsage},
		{"lost digits", "positive = 1.50\n", "c.toml:1: positive = 1.5 is not a text; write it in quotes", cli.ExitUsage},
		{"lost digits in a list", "missing = [\n 'NA',\n -9.0,\n]\n",
			"c.toml:1: missing lists what is no text; write it in quotes", cli.ExitUsage},
		{"a list for a flag", "target = ['a']\n", "c.toml:1: target is a list, and takes one value; write target = VALUE",
			cli.ExitUsage},
		{"a table for a flag", "[trees]\nn = 5\n", "c.toml:1: trees is a table; write trees = VALUE", cli.ExitUsage},
		{"no number by class", "cost = {ill = [1]}\n", `c.toml:1: cost of "ill" is no number; write cost = { ill = 2 }`,
			cli.ExitUsage},
		{"preference with another key", "[prefer.ill]\ntetha = 10\n",
			`c.toml:2: a preference has theta, x and y, no "tetha" (did you mean "theta"?); correct it`, cli.ExitUsage},
		{"preference without a key", "[train.prefer.ill]\ntheta = 10\ny = 0.1\n",
			`c.toml:1: class "ill" has no x; give theta, x and y`, cli.ExitUsage},
		{"preference no number", "[prefer.ill]\ntheta = '10'\n", "c.toml:2: theta = 10 is not a number; write one",
			cli.ExitUsage},
		{"preference no share", "[prefer.ill]\ntheta = 1\nx = '10'\ny = 'all'\n",
			"c.toml:4: y = all is not a number; write one", cli.ExitUsage},
		{"preference no table", "prefer = {ill = 10}\n",
			`c.toml:1: prefer of "ill" is no table; write [prefer.ill] and below it theta, x and y`, cli.ExitUsage},
		{"preference in percent", "[prefer.ill]\ntheta = 10\nx = 20\ny = 0.1\n",
			"x = 20 looks like a percentage; write x = 0.2 (--prefer is set by c.toml:1)", cli.ExitUsage},
		{"another file", "config = 'd.toml'\n", "c.toml:1: a file of settings names no other one; leave config out",
			cli.ExitUsage},
		{"print-config", "print-config = true\n", `c.toml:1: there is no flag "print-config"`, cli.ExitUsage},
		{"a value out of range", "trees = 0\n", "--trees 0; give a number from 1 (--trees is set by c.toml:1)",
			cli.ExitUsage},
		{"a fault in what is of another verb", "[cv]\nfolds = {}\n", "c.toml:2: folds is a table; write folds = VALUE",
			cli.ExitUsage},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inFolder(t, map[string]string{"c.toml": tc.text, "in.csv": small(30), "old.rfp": "RFPRAGMA, an older model"})
			refusal{tc.name, "", "train in.csv -o old.rfp --config c.toml", tc.code, tc.want}.refused(t)
		})
	}
	runRefusals(t, nil, []refusal{
		{"no file", "", "cv --config absent.toml", cli.ExitIO, "--config: open absent.toml: no such file or directory"},
		{"no name", "", "cv --config ''", cli.ExitUsage, "--config: the name of a file is empty; write it"},
		{"a folder", "", "cv --config .", cli.ExitIO, "--config: read .: this is a folder; name a file in it"},
	})
	t.Setenv("RFPRAGMA_FOLDS", "many")
	t.Setenv("RFPRAGMA_CONFIG", "absent.toml")
	runRefusals(t, nil, []refusal{
		{"a variable names no file", "", "cv", cli.ExitIO, ") (--config is set by RFPRAGMA_CONFIG)"},
		{"a value of a variable", "", "cv --config /dev/null", cli.ExitUsage,
			`--folds "many" is not a whole number; rfpragma help cv tells more (--folds is set by RFPRAGMA_FOLDS)`},
	})
}

// A run by file or environment is that by flags, to the last byte; what is of no use to one verb is
// no fault when it is set for all.
func TestSettingsRun(t *testing.T) {
	inFolder(t, map[string]string{
		"in.csv": small(60),
		"c.toml": "trees = 7\nseed = 5\ncost = {ill = 10, well = 1}\n[train]\nrequire = [\"ill:recall>=0.5\"]\noutput = " +
			"'file.rfp'\n",
	})
	must(t, "train in.csv --trees 7 --seed 5 --cost ill=10 --cost well=1 --require ill:recall>=0.5 -o flags.rfp")
	must(t, "train in.csv --config c.toml")
	for name, value := range map[string]string{"TREES": "7", "SEED": "5", "COST": "ill=10,well=1",
		"REQUIRE": "ill:recall>=0.5", "OUTPUT": "env.rfp"} {
		t.Setenv(cli.Prefix+name, value)
	}
	must(t, "train in.csv")
	if want := read(t, "flags.rfp"); read(t, "file.rfp") != want || read(t, "env.rfp") != want {
		t.Error("a model differs with where its settings come from")
	}
	t.Setenv("RFPRAGMA_OUTPUT", "")
	t.Setenv("RFPRAGMA_TARGET", "class")
	t.Setenv("RFPRAGMA_CACHE", "sets")
	t.Setenv("RFPRAGMA_CLASSES", "2")
	t.Setenv("RFPRAGMA_COST", "")
	t.Setenv("RFPRAGMA_REQUIRE", "")
	for _, line := range []string{"data list", "generate fraud --rows 5"} {
		must(t, line)
	}
}

// What speaks of a file is not lost on the built-in example, wherever it is set.
func TestSettingsWithoutFile(t *testing.T) {
	inFolder(t, map[string]string{"c.toml": "trees = 2\n[cv]\ntarget = \"y\"\n", "d.toml": "data = \"in.csv\"\n",
		"e.toml": "trees = 2\nfolds = 2\n"})
	if got := must(t, "cv --config e.toml"); !strings.Contains(got.stderr,
		"No file is named: this is the built-in example, ") || !strings.Contains(got.stderr, "rfpragma cv FILE") {
		t.Errorf("nothing said of the example:\n%s", got.stderr)
	}
	runRefusals(t, map[string]string{"c.toml": read(t, "c.toml"), "d.toml": read(t, "d.toml")}, []refusal{
		{"target in the file", "", "cv --config c.toml", cli.ExitUsage,
			"--target is about a file, and none is named; write rfpragma cv FILE (--target is set by c.toml:3)"},
		{"file in the file", "", "cv --config d.toml", cli.ExitUsage,
			`d.toml:1: there is no flag "data": files stand on the command line, without a flag: rfpragma cv [DATA]`},
	})
	t.Setenv("RFPRAGMA_POSITIVE", "ill")
	runRefusals(t, nil, []refusal{
		{"positive in the environment", "", "cv", cli.ExitUsage,
			"--positive is about a file, and none is named; write rfpragma cv FILE (--positive is set by RFPRAGMA_POSITIVE)"},
	})
}

// A variable that sets no flag is told, but for the one of tests.
func TestStrangeVariables(t *testing.T) {
	t.Setenv("RFPRAGMA_DATA", "/somewhere")
	if got := must(t, "data list"); got.stderr != "" {
		t.Errorf("RFPRAGMA_DATA is not left alone: %s", got.stderr)
	}
	t.Setenv("RFPRAGMA_MIN_LAEF", "5")
	want := "warning: RFPRAGMA_MIN_LAEF sets no flag (did you mean \"RFPRAGMA_MIN_LEAF\"?); rfpragma help environment " +
		"tells which do\n"
	if got := must(t, "data list --quiet"); got.stderr != want {
		t.Errorf("stderr %q, want %q", got.stderr, want)
	}
	if got := must(t, "help cv"); got.stderr != "" {
		t.Errorf("help warns: %s", got.stderr)
	}
}

// The names that a file of settings gives a meaning can only have one: RFPRAGMA_DATA is no flag's,
// and no flag that may be written as a table has the name of a verb.
func TestNamesOfSettings(t *testing.T) {
	app := testApp()
	if slices.Contains(cli.Anywhere(app), strings.ToLower(strings.TrimPrefix(cli.ForTests, cli.Prefix))) {
		t.Errorf("%s would set a flag", cli.ForTests)
	}
	for _, c := range app.Commands {
		for _, f := range c.Flags {
			_, list := f.(cli.ListFlag)
			if name := f.Names()[0]; (list || name == "prefer") && slices.Contains(cli.Verbs(app), name) {
				t.Errorf("--%s of %s may be a table, and is the name of a verb", name, c.Name)
			}
		}
	}
	for _, r := range cli.Rivals {
		for _, f := range slices.Concat(r.Against, r.Along) {
			if !slices.Contains(cli.Anywhere(app), f) {
				t.Errorf("rivals name --%s, which no verb has", f)
			}
		}
	}
}

// Whatever a file of settings says, it is read or refused.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{"", "trees = 5", "[prefer.ill]\ntheta = 1\nx = 0\ny = 0\n",
		"[cv]\nignore = ['a', 1, 2.5]\n", "cost.ill = inf\n", "[[cv]]\nfolds = 1\n", "prefer = [[1]]", "a.b.c = 1",
		"[train]\n[train.class-weight]\nill = nan"} {
		f.Add(text)
	}
	app := testApp()
	f.Fuzz(func(t *testing.T, text string) {
		t.Chdir(t.TempDir())
		write(t, "c.toml", text)
		p := &cli.Program{Ctx: t.Context()}
		own, common, err := p.ReadConfig(app, app.Command("cv"), "c.toml")
		if code := cli.ExitCode(t.Context(), err); err != nil && code != cli.ExitUsage && code != cli.ExitLimit {
			t.Errorf("%q: exit %d, %v", text, code, err)
		}
		for _, s := range slices.Concat(own, common) {
			if s.Flag == "" || !strings.HasPrefix(s.From, "c.toml") {
				t.Errorf("%q: %s", text, fmt.Sprint(s))
			}
		}
	})
}
