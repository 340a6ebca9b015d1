package verb

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// Whatever people know from elsewhere is none of ours, and leads to something that is.
func TestElsewhere(t *testing.T) {
	app := testApp()
	for word, meant := range cli.VerbsElsewhere {
		if slices.Contains(cli.Verbs(app), word) || !slices.Contains(cli.Verbs(app), meant) {
			t.Errorf("verb %s, for %s", word, meant)
		}
	}
	for word, all := range cli.FlagsElsewhere {
		if slices.Contains(cli.Anywhere(app), word) {
			t.Errorf("--%s is a flag", word)
		}
		for _, meant := range all {
			if flag, _, _ := strings.Cut(meant, " "); !slices.Contains(cli.Anywhere(app), flag) {
				t.Errorf("--%s, for --%s", word, meant)
			}
		}
	}
}

// A misspelt flag leads to the one that was meant, or to one that is as like: cv knows those of all verbs and of
// other programs, and each other verb those that cv has not.
func TestMisspelt(t *testing.T) {
	app := testApp()
	for _, c := range app.Commands {
		own, others := cli.Meanings(cli.Settable(c)), cli.Meanings(cli.Anywhere(app))
		words := slices.Collect(maps.Keys(others))
		if c.Name != "cv" {
			words = slices.DeleteFunc(cli.Settable(c), func(word string) bool {
				return cli.FlagNamed(app.Command("cv").Flags,
					word) != nil
			})
		}
		for _, word := range words {
			for _, wrong := range misspelt(word) {
				got := cli.NearestFlag(wrong, cli.Dashed, own, others)
				if both := []string{cli.Dashed(got), cli.Dashed(word)}; got == "" || nearest.Of(cli.Dashed(wrong),
					both) != both[0] {
					t.Errorf("%s --%s, for --%s, is taken for --%s", c.Name, wrong, word, got)
				}
			}
		}
	}
}

// misspelt returns a word of four letters or more with one letter less, one doubled, two swapped, and one of eight
// letters or more also with two less that stand together.
func misspelt(word string) (all []string) {
	if len(word) < 4 {
		return nil
	}
	for i := range word {
		without := word[:i] + word[i+1:]
		all = append(all, without, word[:i+1]+word[i:])
		if i > 0 && word[i] != word[i-1] {
			all = append(all, word[:i-1]+word[i:i+1]+word[i-1:i]+word[i+1:])
		}
		if len(word) >= 8 && i < len(without) {
			all = append(all, without[:i]+without[i+1:])
		}
	}
	return all
}

func TestHints(t *testing.T) {
	runRefusals(t, map[string]string{"t.part": cli.KindTrees,
		"b.csv": "x,kind of p,kind of q,class\n1,2,3,very ill\n4,5,6,well\n", "c.toml": "[train]\nn_estimators = 5\n",
		"w.toml": "[cv]\nweights = 'prior'\n"}, []refusal{
		{"a verb of others", "", "Cross_Validate in.csv", cli.ExitUsage,
			`there is no verb "Cross_Validate" (did you mean "cv"?); choose one of cv, `},
		{"the beginning of a verb", "", "imp m d", cli.ExitUsage, `there is no verb "imp" (did you mean "importance"?)`},
		{"more than a verb", "", "predictions m d", cli.ExitUsage,
			`there is no verb "predictions" (did you mean "predict"?)`},
		{"a verb in bad letters, and help", "", "trian --help", cli.ExitUsage,
			`there is no verb "trian" (did you mean "train"?)`},
		{"a file for a verb", small(12), "in.csv --prefer ill", cli.ExitUsage,
			"in.csv is a file, and what to do with it comes first, as in rfpragma inspect in.csv"},
		{"a file by a flag, and no verb", "", "--data in.csv cv", cli.ExitUsage,
			"--data stands before the verb; files stand behind it, without a flag, as in rfpragma cv FILE"},
		{"a set without get", "", "data satimage", cli.ExitUsage, "write rfpragma data get satimage"},
		{"a file in bad letters", small(12), "train inn.csv -o old.rfp", cli.ExitIO,
			`open inn.csv: no such file or directory (did you mean "in.csv"?)`},
		{"in a folder", "", "predict ./olt.rfp in.csv", cli.ExitIO,
			`open ./olt.rfp: no such file or directory (did you mean "./old.rfp"?)`},
		{"no such folder", "", "cv nowhere/in.csv", cli.ExitIO,
			`open nowhere/in.csv: no such file or directory (there is no folder "nowhere/")`},
		{"a file like no other", "", "cv payments.csv", cli.ExitIO,
			"open payments.csv: no such file or directory (looked in /"},
		{"settings like no others", "", "cv --config payments.toml", cli.ExitIO,
			"--config: open payments.toml: no such file or directory (looked in /"},
		{"a topic for a verb", "", "formats", cli.ExitUsage,
			"formats is a topic of help and no verb; write rfpragma help formats"},
		{"help on a verb in bad letters", "", "help trian", cli.ExitUsage,
			`there is no help on "trian" (did you mean "train"?); `},
		{"help on a topic in bad letters", "", "help exit", cli.ExitUsage,
			`there is no help on "exit" (did you mean "exit-codes"?); `},
		{"a file by a flag", "", "cv -f in.csv", cli.ExitUsage,
			"there is no flag -f: files stand on the command line, without a flag: rfpragma cv [DATA]; rfpragma help cv lists " +
				"them"},
		{"another file by a flag", "", "predict --model m --data d", cli.ExitUsage,
			"there is no flag --model: files stand on the command line, without a flag: rfpragma predict MODEL.rfp DATA"},
		{"a flag of others", "", "train in.csv --ntree 5", cli.ExitUsage,
			`there is no flag --ntree (did you mean "--trees"?)`},
		{"a flag of another verb", "", "train in.csv --folds 5", cli.ExitUsage,
			"there is no flag --folds here, but of cv, calibrate; rfpragma help train lists them"},
		{"a flag of another verb, and a verb", "", "evaluate model.rfp in.csv --report e.html", cli.ExitUsage,
			"there is no flag --report here, but of cv, and there is rfpragma report; rfpragma help evaluate lists them"},
		{"a map of others", "", "train in.csv --calibrate sigmoid -o m.rfp", cli.ExitUsage,
			`--calibrate "sigmoid"; did you mean platt? rfpragma help maps tells of each`},
		{"what is required, as a flag", "", "train in.csv --sensitivity 0.9", cli.ExitUsage,
			`there is no flag --sensitivity (did you mean "--require 'CLASS:recall>=0.9'"?)`},
		{"a flag of others, with a value", "", "cv --json", cli.ExitUsage,
			`there is no flag --json (did you mean "--format json"?)`},
		{"a preference for a model", "", "evaluate m d --prefer x", cli.ExitUsage,
			`there is no flag --prefer: the preference is in the model, and rfpragma tune gives it another one; `},
		{"a preference for a model, misspelt", "", "evaluate m d --prefre x", cli.ExitUsage,
			`there is no flag --prefre: the preference is in the model, and rfpragma tune gives it another one; `},
		{"of another verb, with other marks", "", "evaluate m d --max_depth 3", cli.ExitUsage,
			"there is no flag --max_depth here, but --max-depth of cv, train, grow; "},
		{"a flag without its dashes", "", "cv in.csv folds 5", cli.ExitUsage,
			`cv takes [DATA], and "folds" is more than that; did you mean --folds?`},
		{"a pair with a blank", "", "cv b.csv --cost well 10", cli.ExitUsage,
			`cv takes [DATA], and "10" is more than that; quote a name with blanks, and write lists as a,b and pairs as a=1, without blanks; rfpragma help cv shows examples`},
		{"a floor with blanks", "", "cv b.csv --require well:recall >= 0.9", cli.ExitUsage,
			`and ">=" is more than that; quote a name with blanks, and write lists as a,b and pairs as a=1, without blanks; rfpragma help cv shows examples`},
		{"like another word", "", "predict m.rfp b.csv --prob", cli.ExitUsage,
			"there is no flag --prob; rfpragma help predict lists them"},
		{"no column in two words", "", "cv b.csv --ignore kind of r", cli.ExitUsage,
			`cv takes [DATA], and "of" is more than that; quote a name with blanks, and write lists as a,b and pairs as a=1, without blanks; rfpragma help cv shows examples`},
		{"a class alone", "", "cv b.csv Well", cli.ExitUsage,
			`cv takes [DATA], and "Well" is more than that; did you mean --prefer well?`},
		{"a quoted class alone", "", "cv b.csv 'very ill'", cli.ExitUsage, `did you mean --prefer 'very ill'?`},
		{"a column alone", "", "cv b.csv class", cli.ExitUsage,
			`cv takes [DATA], and "class" is more than that; did you mean --target class?`},
		{"a column alone, of another verb", "", "inspect b.csv class", cli.ExitUsage, `did you mean --target class?`},
		{"a word alone", "", "cv b.csv sick", cli.ExitUsage,
			`cv takes [DATA], and "sick" is more than that; quote a name with blanks, and write lists as a,b and pairs as a=1, without blanks; rfpragma help cv shows examples`},
		{"a page for a result", "", "cv b.csv -o x.html", cli.ExitUsage,
			`--output "x.html": cv writes text here, and .html is another kind of file; write --output x.txt, or for a page with charts --report x.html`},
		{"a chart for a result", "", "cv b.csv -o x.png", cli.ExitUsage,
			`write --output x.txt, or for the charts --figures FOLDER`},
		{"a model for a result", "", "cv b.csv -o x.rfp", cli.ExitUsage,
			`write --output x.txt; a model is written by rfpragma train DATA --output x.rfp`},
		{"a page of decisions", "", "predict m.rfp b.csv -o x.html", cli.ExitUsage,
			`write --output x.csv; a page with charts is written by rfpragma report MODEL.rfp DATA --output x.html`},
		{"a page of a judgement", "", "evaluate m.rfp b.csv -o x.html", cli.ExitUsage,
			`write --output x.txt; a page with charts is written by rfpragma report MODEL.rfp DATA --output x.html`},
		{"a chart for a page", "", "report m.rfp b.csv -o x.png", cli.ExitUsage,
			`write --output x.html, or for the charts --figures FOLDER`},
		{"trees second", "", "tally b.csv t.part -o v.part", cli.ExitUsage,
			"t.part is the file of trees, and stands second: the files are swapped; write rfpragma tally t.part b.csv"},
		{"a page of nothing", "", "report m.rfp", cli.ExitUsage, `report takes MODEL.rfp DATA, 1 given`},
		{"a model from stdin", "", "predict - in.csv", cli.ExitUsage,
			`a model is a file, and stdin is for rows; write the name of the file instead of -`},
		{"no name", "", "cv ''", cli.ExitUsage, `the name of a file is empty; write it`},
		{"one of two flags", "", "report m d --html x.html", cli.ExitUsage,
			`there is no flag --html (did you mean "--output"?)`},
		{"the other", "", "cv --html x.html", cli.ExitUsage, `there is no flag --html (did you mean "--report FILE"?)`},
		{"what the verb has not", "", "predict m d --ntree 5", cli.ExitUsage,
			"there is no flag --ntree here, but --trees of cv, train, grow; rfpragma help predict lists them"},
		{"misspelt, of another verb", "", "evaluate model.rfp in.csv --requir ill:recall>=1", cli.ExitUsage,
			"there is no flag --requir here, but --require of cv, train, tune, explore, merge; rfpragma help evaluate lists them"},
		{"a name for a number", "a,class\n1,0\n2,1\n3,0\n4,1\n", "cv - --prefer fraud", cli.ExitUsage,
			`--prefer: unknown class "fraud"; known are "0", "1"; use one of them; to give a number that name add --merge-labels fraud=1`},
		{"a name for a number, required", "a,class\n1,0\n2,1\n3,0\n4,1\n", "cv - --require fraud:recall>=0.9", cli.ExitUsage,
			`--require: unknown class "fraud"; known are "0", "1"; use one of them; to give a number that name add --merge-labels fraud=1`},
		{"a name for a number, at a cost", "a,class\n1,0\n2,1\n3,0\n4,1\n", "cv - --cost fraud=5", cli.ExitUsage,
			`--cost: unknown class "fraud"; known are "0", "1"; use one of them; to give a number that name add --merge-labels fraud=1`},
		{"a name for a number, weighed", "a,class\n1,0\n2,1\n3,0\n4,1\n", "train - -o m.rfp --class-weight fraud=5",
			cli.ExitUsage, `--class-weight "fraud=5": unknown class "fraud"; known are "0", "1"; use one of them; to give a number that name add --merge-labels fraud=1`},
		{"a name for a number, measured", "a,class\n1,0\n2,1\n3,0\n4,1\n", "cv - --measure f:fraud", cli.ExitUsage,
			`unknown class "fraud"; known are "0", "1"; use one of them; to give a number that name add --merge-labels fraud=1`},
		{"NPV of two classes", "", "cv b.csv --require 'very ill:npv>=0.99'", cli.ExitUsage,
			`--require: character 10: "npv" is, of two classes, the precision of the other; write OTHER:precision>=0.99`},
		{"a word in all classes", "a,class\n1,very_ill\n2,not_ill\n3,so_ill\n4,so_ill\n", "cv - --prefer ill", cli.ExitUsage,
			`--prefer: unknown class "ill"; known are "not_ill", "so_ill", "very_ill"; use one of them`},
		{"threshold", "", "cv in.csv --threshold 0.1", cli.ExitUsage,
			"there is no flag --threshold here, but --cutoff of train, tune, explore, merge; rfpragma help cv lists them"},
		{"misspelt, of others", "", "cv in.csv --treshold 0.1", cli.ExitUsage,
			"there is no flag --treshold here, but --cutoff of train, tune, explore, merge; rfpragma help cv lists them"},
		{"misspelt, of others, and here", "", "train in.csv --n-estimatrs 5", cli.ExitUsage,
			`there is no flag --n-estimatrs (did you mean "--trees"?)`},
		{"of another verb, and like one of this", "", "cv in.csv --weights prior", cli.ExitUsage,
			"there is no flag --weights here, but of train, tune, explore, merge; rfpragma help cv lists them"},
		{"of another verb, in a file", "", "cv in.csv --config w.toml", cli.ExitUsage,
			`w.toml:2: there is no flag "weights" here, but of train, tune, explore, merge; rfpragma help cv lists them`},
		{"for help", "", "cv --hepl", cli.ExitUsage, `there is no flag --hepl (did you mean "--help"?)`},
		{"in a file", "", "train in.csv --config c.toml", cli.ExitUsage,
			`c.toml:2: there is no flag "n_estimators" (did you mean "trees"?)`},
		{"the beginning of a class", small(12), "train in.csv -o old.rfp --prefer wel", cli.ExitUsage,
			`did you mean "well"?`},
		{"more than a class", small(12), "train in.csv -o old.rfp --prefer illness", cli.ExitUsage, `did you mean "ill"?`},
	})
	if a, b := must(t, "version"), must(t, "--version"); a != b || !strings.HasPrefix(a.stdout, "rfpragma") {
		t.Errorf("version says %q, --version %q", a.stdout, b.stdout)
	}
}
