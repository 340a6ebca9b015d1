package verb

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma/internal/cli"
)

func testApp() *urfave.App {
	app := app((&cli.Program{}))
	app.Setup()
	return app
}

func TestPermute(t *testing.T) {
	for _, tc := range []struct {
		name, line, want string
	}{
		{"nothing", "", ""},
		{"no verb", "--version", "--version"},
		{"unknown verb", "fit data.csv --trees 5", "fit data.csv --trees 5"},
		{"help", "help cv", "help -- cv"},
		{"flags first", "cv --trees 5 data.csv", "cv --trees 5 -- data.csv"},
		{"flags last", "cv data.csv --trees 5", "cv --trees 5 -- data.csv"},
		{"both", "cv --folds 2 data.csv --trees 5", "cv --folds 2 --trees 5 -- data.csv"},
		{"equals sign", "cv data.csv --trees=5", "cv --trees=5 -- data.csv"},
		{"one dash", "cv data.csv -trees 5", "cv -trees 5 -- data.csv"},
		{"alias", "train data.csv -o m.rfp", "train -o m.rfp -- data.csv"},
		{"no value", "cv data.csv -q more.csv", "cv -q -- data.csv more.csv"},
		{"stdin", "predict model.rfp -", "predict -- model.rfp -"},
		{"stdout", "predict model.rfp new.csv -o -", "predict -o - -- model.rfp new.csv"},
		{"negative number", "cv data.csv --seed -1", "cv --seed -1 -- data.csv"},
		{"end of flags", "cv --trees 5 -- --data.csv --folds", "cv --trees 5 -- --data.csv --folds"},
		{"end of flags twice", "cv -- a -- b", "cv -- a -- b"},
		{"unknown flag", "cv data.csv --nosuch 5", "cv --nosuch -- data.csv 5"},
		{"twice alike", "cv data.csv --trees 5 --trees 5", "cv --trees 5 --trees 5 -- data.csv"},
		{"a list", "cv data.csv --ignore a --ignore b", "cv --ignore a --ignore b -- data.csv"},
		{"help after all", "cv data.csv --trees 5 --help", "cv --help"},
		{"help in short", "cv data.csv -h", "cv -h"},
		{"help as a value", "cv data.csv --ignore=--help", "cv --ignore=--help -- data.csv"},
	} {
		got, err := cli.Permute(testApp(), append([]string{"rfpragma"}, strings.Fields(tc.line)...))
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if diff := cmp.Diff(append([]string{"rfpragma"}, strings.Fields(tc.want)...), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestPermuteRefuses(t *testing.T) {
	for _, tc := range []struct{ line, want string }{
		{"cv --trees 5 data.csv --trees 6", `--trees is given twice, as "5" and as "6"; give it once`},
		{"train -o a d.csv --output b", `--output is given twice, as "a" and as "b"; give it once`},
		{"cv --trees", "--trees needs a value; rfpragma help cv tells which (a value that looks like a flag is written " +
			"--trees=VALUE)"},
		{"cv --prefer -- data.csv", "--prefer needs a value"},
		{"train d.csv -o --trees 5", "-o needs a value"},
	} {
		_, err := cli.Permute(testApp(), append([]string{"rfpragma"}, strings.Fields(tc.line)...))
		var usage cli.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %s", tc.line, err, tc.want)
		}
	}
}

// Whatever the line, permute does not panic, loses no argument, keeps the order of those that
// are no flags, and has nothing to do a second time.
func FuzzPermute(f *testing.F) {
	for _, line := range []string{
		"", "cv", "cv data.csv --trees 5", "cv --trees=5 a -- --b -- c", "train d.csv -o m.rfp --quiet -q",
		"predict m.rfp - --id=a --id a", "cv --ignore a --ignore b", "--help", "cv - -- -", "cv --=x ---y -z=",
		"tune v.csv --help",
	} {
		f.Add(line)
	}
	app := testApp()
	f.Fuzz(func(t *testing.T, line string) {
		args := append([]string{"rfpragma"}, strings.Split(line, " ")...)
		before := slices.Clone(args)
		got, err := cli.Permute(app, args)
		if !slices.Equal(args, before) {
			t.Fatalf("the arguments %q became %q", before, args)
		}
		if err != nil {
			return
		}
		if again, err := cli.Permute(app, got); err != nil || !slices.Equal(again, got) {
			t.Errorf("%q becomes %q, and that %q, %v", args, got, again, err)
		}
		if len(got) == 3 && cli.FlagNamed([]urfave.Flag{urfave.HelpFlag}, flagName(got[2])) != nil {
			return // nothing else counts
		}
		count := func(list []string) []string {
			list = slices.DeleteFunc(slices.Clone(list), func(a string) bool { return a == "--" })
			slices.Sort(list)
			return list
		}
		if !slices.Equal(count(got), count(args)) {
			t.Errorf("%q became %q", args, got)
		}
	})
}

// flagName returns the name in --name=value, "" for what is no flag.
func flagName(arg string) string {
	if !strings.HasPrefix(arg, "-") {
		return ""
	}
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return name
}

// The errors of the flag parser, made readable.
func TestUsageFault(t *testing.T) {
	command := testApp().Command("train")
	c := urfave.NewContext(urfave.NewApp(), nil, nil)
	c.Command = command
	for text, want := range map[string]string{
		"flag provided but not defined: -tres":                 `there is no flag --tres (did you mean "--trees"?); rfpragma help train lists them`,
		"flag provided but not defined: -x":                    "there is no flag -x; rfpragma help train lists them",
		`invalid value "a:b" for flag -mtry: parse error`:      `--mtry "a:b" is not a whole number; rfpragma help train tells more`,
		`invalid value "\"for flag -x: \"" for flag -seed: no`: `--seed "\"for flag -x: \"" is not a whole number from 0 to 2^64-1; rfpragma help train tells more`,
		`invalid boolean value "maybe" for -q: parse error`:    `-q "maybe" is not true or false; rfpragma help train tells more`,
		"bad flag syntax: ---trees": "bad flag syntax: ---trees; rfpragma help train tells what " +
			"there is",
	} {
		if got := cli.UsageFault(c, errors.New(text), false); got.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", text, got, want)
		}
	}
}
